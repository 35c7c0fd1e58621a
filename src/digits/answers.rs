//! Outputs of the network for several crops.

use super::classifier::InferenceError;
use super::kind::{KIND_OUTPUTS, KindLogits};
use super::logits::{CLASSES, Logits};

/// Outputs of the network for several crops.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    /// Ten logits per crop.
    pub(crate) logits: Vec<Logits>,
    /// Outputs of the second head per crop; empty where the network has none.
    pub(crate) kinds: Vec<KindLogits>,
}

impl Answers {
    /// Appends the outputs of further crops, as consecutive values; `kinds` is empty where there is
    /// no second head.
    ///
    /// # Errors
    ///
    /// [`InferenceError::NotFinite`] with the first crop of which a value is not finite.
    pub(crate) fn add(&mut self, logits: &[f32], kinds: &[f32]) -> Result<(), InferenceError> {
        let before = self.logits.len();
        self.logits.extend(logits.as_chunks::<CLASSES>().0);
        self.kinds.extend(kinds.as_chunks::<KIND_OUTPUTS>().0);
        let is_odd = |values: &[f32]| values.iter().any(|value| !value.is_finite());
        let odd = self.logits[before..].iter().position(|row| is_odd(row));
        let kinds = self.kinds.get(before..).unwrap_or_default();
        match odd.or_else(|| kinds.iter().position(|row| is_odd(row))) {
            Some(crop) => Err(InferenceError::NotFinite {
                crop: before + crop,
            }),
            None => Ok(()),
        }
    }
}
