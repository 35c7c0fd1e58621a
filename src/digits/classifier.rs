//! The seam between pictures and probabilities, as small as the model behind it.

use thiserror::Error;

use super::posterior::Posterior;
use crate::vision::CellCrop;

/// Why crops could not be read.
#[derive(Debug, Error)]
pub enum InferenceError {
    /// The device answered with an error.
    #[error("the digit network failed on its device: {0}")]
    Device(String),
    /// The network answered with something that is no probability.
    #[error(
        "the digit network answered with a value that is not finite (crop {crop} of the batch)"
    )]
    NotFinite {
        /// Place of the crop in the batch, from 0.
        crop: usize,
    },
}

/// Reads cells.
///
/// A [`Reader`](crate::reader::Reader) takes any classifier, such as one that sees no ink anywhere:
///
/// ```
/// use sudoku_batch::digits::{DigitClassifier, InferenceError, Posterior};
/// use sudoku_batch::reader::{Reader, ReaderConfig};
/// use sudoku_batch::vision::CellCrop;
///
/// struct Blank;
///
/// impl DigitClassifier for Blank {
///     fn classify(&self, crops: &[CellCrop]) -> Result<Vec<Posterior>, InferenceError> {
///         let blank = Posterior::from_weights([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
///         Ok(vec![blank.expect("a weight is positive"); crops.len()])
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let reader = Reader::with_classifier(ReaderConfig::default(), Box::new(Blank), "blank".to_owned())?;
/// assert_eq!(reader.model(), "blank");
/// # Ok(())
/// # }
/// ```
pub trait DigitClassifier: Send + Sync {
    /// One posterior a crop, in the order given.
    ///
    /// # Errors
    /// [`InferenceError`], for the whole batch.
    fn classify(&self, crops: &[CellCrop]) -> Result<Vec<Posterior>, InferenceError>;

    /// Returns whether the posteriors say what kind of thing a cell shows, and which candidates are marked in it.
    fn tells_kinds(&self) -> bool {
        false
    }
}
