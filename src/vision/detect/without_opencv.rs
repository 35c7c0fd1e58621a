//! Placeholder of the OpenCV back-end in builds without it.

use super::detector::{DetectConfig, GridDetector, Unavailable};

/// Returns an error that says how to get the back-end.
pub(super) fn detector(_: &DetectConfig) -> Result<Box<dyn GridDetector>, Unavailable> {
    Err(Unavailable {
        backend: "opencv",
        remedy: "install libopencv-dev, clang, libclang-dev and pkg-config (the names of the apt \
                 packages) and build with `--features opencv`",
    })
}
