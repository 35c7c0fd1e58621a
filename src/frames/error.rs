//! What may be wrong with a video.

use std::io;

use thiserror::Error;

/// Why a video, or the rest of it, could not be read or written.
#[derive(Debug, Error)]
pub enum VideoError {
    /// The program that decodes videos is not there.
    #[error(
        "cannot run {program}: {source}; install ffmpeg, or convert the video to YUV4MPEG2 (.y4m), which \
         needs no other program"
    )]
    NoFfmpeg {
        /// Its name or path.
        program: String,
        /// What the system says.
        source: io::Error,
    },
    /// It ran, and gave no frame.
    #[error("no video in this file: {0}")]
    NoFrames(String),
    /// The video ends before its end.
    #[error("the video is damaged or cut off: {0}")]
    Damaged(String),
    /// The program that encodes videos has stopped.
    #[error("the video cannot be written: {0}")]
    NotWritten(String),
    /// Something stopped the reader or the writer.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Frames are larger than is sensible.
    #[error("frames of {width} x {height} pixels are more than the limit of {limit} megapixels")]
    TooLarge {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
        /// Most pixels, in millions.
        limit: u32,
    },
}
