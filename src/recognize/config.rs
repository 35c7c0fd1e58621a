//! Everything that shapes the rows of a run.

use serde::Serialize;

use crate::opening::LARGEST_PHOTO;
use crate::reader::ReaderConfig;
use crate::vision::PhotoConfig;

/// Everything that shapes the rows; saved in `summary.json`.
#[derive(Clone, Debug, Serialize)]
pub struct RecognizeConfig {
    /// How files are opened.
    pub photo: PhotoConfig,
    /// How frames of videos are taken.
    pub frame: PhotoConfig,
    /// Largest file that is read, in bytes.
    pub max_file_bytes: u64,
    /// How boards are found and read.
    #[serde(flatten)]
    pub reader: ReaderConfig,
    /// Whether the rows have the pencil marks.
    pub marks: bool,
    /// Whether overlays say which of the digits filled in by hand are right.
    pub check: bool,
    /// Of a video, only every so many frames are read.
    pub every: u64,
    /// Wall-clock time that opening and reading a photo may take, in milliseconds.
    pub time_limit_ms: Option<u64>,
}

impl Default for RecognizeConfig {
    fn default() -> RecognizeConfig {
        RecognizeConfig {
            photo: PhotoConfig::default(),
            frame: PhotoConfig::of_frames(),
            max_file_bytes: LARGEST_PHOTO,
            reader: ReaderConfig::default(),
            marks: false,
            check: false,
            every: 1,
            time_limit_ms: None,
        }
    }
}
