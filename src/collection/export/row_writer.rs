//! What takes the rows of a data set.

use std::path::PathBuf;

use super::error::ExportError;
use super::record::Record;

/// Takes the rows of a data set one by one, and keeps few of them in memory. The files take their names when it is
/// finished; dropped before, it leaves nothing behind.
pub trait RowWriter: Send {
    /// Adds a row.
    ///
    /// # Errors
    /// [`ExportError`]; then the data set cannot be finished.
    fn add(&mut self, record: &Record) -> Result<(), ExportError>;

    /// Brings all to disk, and returns the files.
    ///
    /// # Errors
    /// [`ExportError`]. Of a data set of several files, some may be there then; the card, which is written last, is not.
    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, ExportError>;
}
