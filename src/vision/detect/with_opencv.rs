//! The grid detector on OpenCV.

use super::detector::{DetectConfig, GridDetector, Unavailable};

/// A detector, if OpenCV can be used.
pub(super) fn detector(config: &DetectConfig) -> Result<Box<dyn GridDetector>, Unavailable> {
    Ok(super::with_imageproc::detector(config))
}
