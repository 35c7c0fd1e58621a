//! The grid detectors by name.

use serde::Serialize;

use super::detector::{DetectConfig, GridDetector, Unavailable};
use super::{with_imageproc, with_opencv};

/// Which library finds the grids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// Own kernels and `imageproc`: always there.
    #[default]
    Imageproc,
    /// OpenCV 4: where the feature `opencv` was built in.
    Opencv,
}

impl Backend {
    /// A detector of this back-end.
    ///
    /// # Errors
    /// Where this build does not have it; the message says how to get it.
    pub fn detector(self, config: &DetectConfig) -> Result<Box<dyn GridDetector>, Unavailable> {
        match self {
            Backend::Imageproc => Ok(with_imageproc::detector(config)),
            Backend::Opencv => with_opencv::detector(config),
        }
    }
}
