//! The grid detectors by name.

use serde::Serialize;

use super::detector::{DetectConfig, GridDetector, Unavailable};
use super::{built_in, with_opencv};

/// The implementation of the grid detector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backend {
    /// Built in, without a library: always available.
    #[default]
    BuiltIn,
    /// OpenCV 4: available with the feature `opencv`.
    Opencv,
}

impl Backend {
    /// All back-ends.
    pub const ALL: [Backend; 2] = [Backend::BuiltIn, Backend::Opencv];

    /// Returns the name in flags and settings.
    pub fn name(self) -> &'static str {
        match self {
            Backend::BuiltIn => "built-in",
            Backend::Opencv => "opencv",
        }
    }

    /// Returns a detector of this back-end.
    ///
    /// # Errors
    ///
    /// If this build does not have it; the message says how to get it.
    pub fn detector(self, config: &DetectConfig) -> Result<Box<dyn GridDetector>, Unavailable> {
        match self {
            Backend::BuiltIn => Ok(built_in::detector(config)),
            Backend::Opencv => with_opencv::detector(config),
        }
    }
}
