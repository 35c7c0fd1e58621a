//! The device that a network is trained on: chosen at run time. Reading needs none but the processor.

use thiserror::Error;

/// A kind of device. Every kind exists in every build; opening one that the build lacks is an error
/// that names the feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compute {
    /// The processor, one thread per call.
    #[default]
    Cpu,
    /// A GPU through Vulkan, Metal or DirectX 12.
    Wgpu,
    /// An NVIDIA GPU.
    Cuda,
}

/// Error of a device that this build does not support.
#[derive(Debug, Error)]
#[error("this build has no device `{name}`: build with `--features {name}`")]
pub struct NoDevice {
    pub(super) name: &'static str,
}

impl Compute {
    /// Checks that this build supports the device; the machine is not checked.
    ///
    /// # Errors
    ///
    /// [`NoDevice`] where the build lacks the feature of this name.
    pub fn is_built_in(self) -> Result<(), NoDevice> {
        let (name, built_in) = match self {
            Compute::Cpu => ("cpu", true),
            Compute::Wgpu => ("wgpu", cfg!(feature = "wgpu")),
            Compute::Cuda => ("cuda", cfg!(feature = "cuda")),
        };
        built_in.then_some(()).ok_or(NoDevice { name })
    }
}
