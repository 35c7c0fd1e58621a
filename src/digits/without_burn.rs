//! The network without Burn, for builds that read but do not train: on the processor only.

use super::artifact::{Artifact, ArtifactError};
use super::device::Compute;
use super::plain::PlainNet;

/// The network that inference runs.
pub(super) type Network = PlainNet;

/// Loads the network of a model.
///
/// # Errors
/// [`ArtifactError`] that names what does not fit.
pub(super) fn load(artifact: &Artifact, device: Compute) -> Result<Network, ArtifactError> {
    device.is_built_in()?;
    PlainNet::new(artifact)
}
