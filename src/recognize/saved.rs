//! A run read back from the files that it wrote: `summary.json` and `photos.jsonl`.

use std::path::Path;

use super::journal::{PHOTOS, saved_photos};
use super::photo::PhotoResult;
use super::summary::Summary;
use crate::files::{ReadError, read_json};

/// A run that was written.
#[derive(Debug)]
pub struct SavedRun {
    /// The numbers.
    pub summary: Summary,
    /// The photos, in input order.
    pub photos: Vec<PhotoResult>,
}

impl SavedRun {
    /// Reads the run whose summary this file is, and the photos beside it.
    ///
    /// # Errors
    /// [`ReadError`]: a file cannot be read or is damaged, or the two are not of the same run.
    pub fn load(summary_path: &Path) -> Result<SavedRun, ReadError> {
        let summary: Summary = read_json(summary_path)?;
        let path = summary_path.with_file_name(PHOTOS);
        let photos: Vec<PhotoResult> = saved_photos(&path)?.collect::<Result<_, _>>()?;
        if photos.len() != summary.photos {
            let (here, there) = (photos.len(), summary.photos);
            let why = format!("{here} photos, but the summary beside it counts {there}");
            return Err(ReadError::damaged(&path, why));
        }
        Ok(SavedRun { summary, photos })
    }
}
