//! A run read back from the files that it wrote: `summary.json` and `photos.jsonl`.

use std::path::{Path, PathBuf};

use super::journal::{PHOTOS, each_saved_photo};
use super::photo::PhotoResult;
use super::summary::Summary;
use crate::files::{ReadError, read_json};

/// A run that was written.
#[derive(Debug)]
pub struct SavedRun {
    /// The numbers.
    pub summary: Summary,
    /// The file of its photos.
    photos: PathBuf,
}

impl SavedRun {
    /// Reads the run whose summary this file is; its photos are in a file beside it.
    ///
    /// # Errors
    /// [`ReadError`]: the file cannot be read or is damaged.
    pub fn load(summary_path: &Path) -> Result<SavedRun, ReadError> {
        Ok(SavedRun {
            summary: read_json(summary_path)?,
            photos: summary_path.with_file_name(PHOTOS),
        })
    }

    /// Hands on the photos, in input order. They are read on all threads of the current rayon pool, a few at a time.
    ///
    /// # Errors
    /// [`ReadError`]: the file cannot be read or is damaged, or is not of this run; then some photos were handed on.
    pub fn each_photo(
        &self,
        mut use_photo: impl FnMut(PhotoResult) + Send,
    ) -> Result<(), ReadError> {
        let mut here = 0;
        each_saved_photo(&self.photos, |photo| {
            here += 1;
            use_photo(photo);
        })?;
        let there = self.summary.photos;
        if here == there {
            return Ok(());
        }
        let why = format!("{here} photos, but the summary beside it counts {there}");
        Err(ReadError::damaged(&self.photos, why))
    }
}
