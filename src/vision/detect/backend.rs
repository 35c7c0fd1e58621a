//! The grid detectors by name.

use serde::Serialize;

use super::detector::{DetectConfig, GridDetector, Unavailable};
use super::{built_in, with_opencv};

/// Which library finds the grids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backend {
    /// Our own kernels: always there.
    #[default]
    BuiltIn,
    /// OpenCV 4: where the feature `opencv` was built in.
    Opencv,
}

impl Backend {
    /// All back-ends.
    pub const ALL: [Backend; 2] = [Backend::BuiltIn, Backend::Opencv];

    /// Returns its name, as flags and settings spell it.
    pub fn name(self) -> &'static str {
        match self {
            Backend::BuiltIn => "built-in",
            Backend::Opencv => "opencv",
        }
    }

    /// A detector of this back-end.
    ///
    /// # Errors
    /// Where this build does not have it; the message says how to get it.
    pub fn detector(self, config: &DetectConfig) -> Result<Box<dyn GridDetector>, Unavailable> {
        match self {
            Backend::BuiltIn => Ok(built_in::detector(config)),
            Backend::Opencv => with_opencv::detector(config),
        }
    }
}
