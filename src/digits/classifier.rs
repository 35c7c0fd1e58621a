//! The interface between pictures and probabilities.

use thiserror::Error;

use super::posterior::Posterior;
use crate::vision::CellCrop;

/// Error of reading crops.
#[derive(Debug, Error)]
pub enum InferenceError {
    /// The device failed.
    #[error("the digit network failed on its device: {0}")]
    Device(String),
    /// The network returned a value that is not finite.
    #[error("the digit network returned a value that is not finite (crop {crop} of the batch)")]
    NotFinite {
        /// Index of the crop in the batch, from 0.
        crop: usize,
    },
}

/// A classifier of cells.
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
    /// Returns one posterior per crop, in the given order.
    ///
    /// # Errors
    ///
    /// [`InferenceError`], for the whole batch.
    fn classify(&self, crops: &[CellCrop]) -> Result<Vec<Posterior>, InferenceError>;

    /// Returns whether the posteriors include the kind of a cell (printed, written, marks or blank)
    /// and its pencil marks.
    fn classifies_kinds(&self) -> bool {
        false
    }
}
