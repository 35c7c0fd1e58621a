//! Why a photo has no puzzle to show.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use thiserror::Error;

use crate::frames::VideoError;
use crate::pages::PageError;
use crate::reader::{Refusal, Status};
use crate::vision::PhotoError;

/// Why a photo has no puzzle to show, and what to do about it.
#[derive(Debug, Error)]
pub(super) enum Failure {
    /// The system does not open the file.
    #[error("cannot open the file: {0}")]
    Open(#[from] io::Error),
    /// A folder, a device or a pipe.
    #[error("not a regular file")]
    NotAFile,
    /// More bytes than any photo has.
    #[error("{megabytes} MB is more than the limit of {limit} MB for a photo")]
    TooLarge {
        /// Size of the file.
        megabytes: u64,
        /// Largest size that is read.
        limit: u64,
    },
    /// The file is no picture, or a damaged one.
    #[error(transparent)]
    Photo(#[from] PhotoError),
    /// The file is no video, or a damaged one, or there is no ffmpeg.
    #[error(transparent)]
    Video(#[from] VideoError),
    /// The file is no document, or a damaged one, or a page of it is.
    #[error(transparent)]
    Page(#[from] PageError),
    /// The reader found nothing in it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A part of the program crashed on this photo.
    #[error("internal error on this photo: {0}")]
    Crashed(String),
}

impl Failure {
    /// The status of the row.
    pub(super) const fn status(&self) -> Status {
        match self {
            Failure::Refused(refusal) => refusal.status(),
            _ => Status::Unreadable,
        }
    }
}

impl Failure {
    /// What to do about all files of a kind that this build, or this machine, does not read.
    pub(super) fn advice(&self) -> Option<String> {
        let is_of_build = matches!(
            self,
            Failure::Photo(PhotoError::Unsupported { .. })
                | Failure::Page(PageError::NoPdf)
                | Failure::Video(VideoError::NoFfmpeg { .. })
        );
        is_of_build.then(|| self.to_string())
    }
}

/// Runs what may crash on foreign bytes, so that a crash costs one photo.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Failure::Crashed(text.unwrap_or_default())
    })
}
