//! Detection of boards: hypotheses from binary pictures, scored by the evidence for their grid
//! lines.

mod backend;
mod bits;
mod built_in;
mod cells;
mod components;
mod detector;
mod digits;
mod evidence;
mod polygon;
mod search;
mod squares;
mod threshold;
#[cfg(feature = "opencv")]
mod with_opencv;
#[cfg(not(feature = "opencv"))]
#[path = "without_opencv.rs"]
mod with_opencv;

pub use backend::Backend;
pub(super) use detector::SMALL_BOARD_STEP;
pub use detector::{
    DetectConfig, DetectError, Detection, GridDetector, Polarity, SEARCH_STEPS, Unavailable,
};
pub use digits::board_of_digits;
pub(super) use evidence::board_square;
