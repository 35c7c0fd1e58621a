//! Where the network runs: a value, not a build.

use thiserror::Error;

/// A kind of device. Every kind exists in every build; opening one that the build lacks is an
/// error that names the feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compute {
    /// The processor, one thread a call.
    #[default]
    Cpu,
    /// A GPU through Vulkan, Metal or DirectX 12.
    Wgpu,
    /// An NVIDIA GPU.
    Cuda,
}

/// A device that this build was made without.
#[derive(Debug, Error)]
#[error("this build has no device `{name}`: build with `--features {name}`")]
pub struct NoDevice {
    pub(super) name: &'static str,
}

impl Compute {
    /// Whether this build has it; the machine is not asked.
    ///
    /// # Errors
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
