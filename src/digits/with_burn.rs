//! The devices of Burn, and its file of weights.

use burn::module::Module;
use burn::store::ModuleRecord;
use burn::tensor::{Bytes, Device};

use super::device::{Compute, NoDevice};
use super::net::DigitNet;

impl Compute {
    /// Opens the device.
    ///
    /// # Errors
    ///
    /// [`NoDevice`] where the build lacks the feature of this name.
    pub(crate) fn open(self) -> Result<Device, NoDevice> {
        match self {
            Compute::Cpu => Ok(Device::flex()),
            Compute::Wgpu => wgpu(),
            Compute::Cuda => cuda(),
        }
    }
}

#[cfg(feature = "wgpu")]
fn wgpu() -> Result<Device, NoDevice> {
    Ok(Device::wgpu(burn::tensor::DeviceKind::DefaultDevice))
}

#[cfg(not(feature = "wgpu"))]
fn wgpu() -> Result<Device, NoDevice> {
    Err(NoDevice { name: "wgpu" })
}

#[cfg(feature = "cuda")]
fn cuda() -> Result<Device, NoDevice> {
    Ok(Device::cuda(0))
}

#[cfg(not(feature = "cuda"))]
fn cuda() -> Result<Device, NoDevice> {
    Err(NoDevice { name: "cuda" })
}

/// Returns the weights of a network in Burn's burnpack format.
pub(crate) fn save_weights(net: &DigitNet) -> Result<Vec<u8>, String> {
    // `valid` first: the record of a network on an autodiff device would carry its graph.
    let record = net.valid().into_record();
    let bytes = record.into_bytes().map_err(|error| error.to_string())?;
    Ok(bytes.to_vec())
}

/// Returns the network with these weights. A layer that they lack stays as it is.
pub(crate) fn load_weights(net: DigitNet, bytes: &[u8]) -> Result<DigitNet, String> {
    let bytes = Bytes::from_bytes_vec(bytes.to_vec());
    let record = ModuleRecord::from_bytes(bytes).map_err(|error| error.to_string())?;
    let record = record.allow_partial(true);
    net.try_load_record(record)
        .map_err(|error| error.to_string())
}
