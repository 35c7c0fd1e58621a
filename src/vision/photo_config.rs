//! Settings and errors of opening photos, shared by the decoders of all formats.

use serde::Serialize;

/// Settings of opening photos.
#[derive(Clone, Debug, Serialize)]
pub struct PhotoConfig {
    /// Longest side of the reading copy, in pixels; smaller photos keep their size.
    pub reading_side: u32,
    /// Longest side of the copy that small boards are read from, in pixels; none is made unless this
    /// is more than `reading_side`.
    pub finer_side: u32,
    /// Largest number of pixels of a JPEG of one scan, which is decoded straight to luma (one byte
    /// per pixel).
    pub max_luma_pixels: u64,
    /// Largest number of pixels of a photo that is decoded in colour, in 16 bits or from several
    /// scans (up to eight bytes per pixel).
    pub max_color_pixels: u64,
    /// Largest share of its rows that a truncated photo may lack.
    pub max_missing_rows: f32,
}

impl Default for PhotoConfig {
    fn default() -> Self {
        PhotoConfig {
            reading_side: 1600,
            finer_side: 3200,
            max_luma_pixels: 120_000_000,
            max_color_pixels: 64_000_000,
            max_missing_rows: 0.5,
        }
    }
}

impl PhotoConfig {
    /// Returns the settings for frames of videos: there are many per board, so each may be smaller.
    pub fn of_frames() -> PhotoConfig {
        PhotoConfig {
            reading_side: 1024,
            finer_side: 1024,
            ..PhotoConfig::default()
        }
    }
}

/// Error of opening a photo.
#[derive(Debug, thiserror::Error)]
pub enum PhotoError {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// No decoder of this build reads the format.
    #[error("{format} pictures are not read by this build: {advice}")]
    Unsupported {
        /// The format.
        format: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// The file is a PDF, whose pages have to be opened one by one.
    #[error("a PDF and no picture: `recognize` reads its pages if its name ends with .pdf")]
    Document,
    /// The file is not a picture.
    #[error(
        "not a picture of a known format (JPEG, PNG, HEIC, AVIF, WebP, GIF, TIFF, JPEG XL, BMP, PNM, PDF)"
    )]
    Unknown,
    /// The picture has more pixels than the configured limit.
    #[error(
        "{width} x {height} pixels is more than the limit of {limit} megapixels; scale it down"
    )]
    TooLarge {
        /// Width in pixels.
        width: u64,
        /// Height in pixels.
        height: u64,
        /// The limit, in millions of pixels.
        limit: u64,
    },
    /// The file ends before most of the picture.
    #[error("the file is truncated: only {0} % of its rows are there; copy it again")]
    Truncated(u32),
    /// The decoder failed.
    #[error("damaged picture: {0}")]
    Damaged(String),
    /// The buffer has another length than a picture of this size.
    #[error("a picture of {width} x {height} pixels does not have {bytes} bytes")]
    Buffer {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Length of the buffer in bytes.
        bytes: usize,
    },
}

pub(super) fn check_size(width: u64, height: u64, limit: u64) -> Result<(), PhotoError> {
    if width.saturating_mul(height) > limit {
        return Err(PhotoError::TooLarge {
            width,
            height,
            limit: limit / 1_000_000,
        });
    }
    Ok(())
}
