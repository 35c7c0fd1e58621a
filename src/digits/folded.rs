//! The network as inference runs it: batch normalization folded into the convolutions.
//!
//! `gamma * (w x - mean) / sqrt(variance + e) + beta` is one convolution with the weight
//! `w * gamma / sqrt(variance + e)` and a bias (Jacob et al. 2018, section 3.2).

use burn::tensor::{Device, Tensor, TensorData, activation, module::linear};

use super::batch::normalize;
use super::classifier::InferenceError;
use super::logits::{CLASSES, Logits};
use super::net::{DigitNet, EPSILON, STRIDES, convolve};
use crate::vision::{CROP_SIDE, CellCrop};

/// Crops that go through the network at once. Measured on the CPU: the pictures between the layers
/// still fit its cache.
const SUB_BATCH: usize = 32;

/// A network ready to read crops; shared by threads.
#[derive(Debug)]
pub(crate) struct FoldedNet {
    /// Weight `[out, in, 3, 3]` and bias `[out]` of each convolution.
    convolutions: Vec<(Tensor<4>, Tensor<1>)>,
    hidden: (Tensor<2>, Tensor<1>),
    output: (Tensor<2>, Tensor<1>),
    device: Device,
}

impl FoldedNet {
    /// Folds a network; it keeps the device, without autodiff.
    pub(crate) fn new(net: &DigitNet) -> FoldedNet {
        let convolutions = net
            .blocks
            .iter()
            .map(|block| {
                let scale = inner(block.gamma.val())
                    / inner(block.variance.val()).add_scalar(EPSILON).sqrt();
                let bias = inner(block.beta.val()) - inner(block.mean.val()) * scale.clone();
                let channels = scale.dims()[0];
                let weight = inner(block.weight.val()) * scale.reshape([channels, 1, 1, 1]);
                (weight, bias)
            })
            .collect();
        let device = net.output.bias.val().device().without_autodiff();
        FoldedNet {
            convolutions,
            hidden: (inner(net.hidden.weight.val()), inner(net.hidden.bias.val())),
            output: (inner(net.output.weight.val()), inner(net.output.bias.val())),
            device,
        }
    }

    /// Ten logits a crop, in the order given.
    ///
    /// # Errors
    /// [`InferenceError`] when the device fails or answers with something that is not finite.
    pub(crate) fn logits(&self, crops: &[&CellCrop]) -> Result<Vec<Logits>, InferenceError> {
        let mut logits = Vec::with_capacity(crops.len());
        for chunk in crops.chunks(SUB_BATCH) {
            let shape = [chunk.len(), 1, CROP_SIDE, CROP_SIDE];
            let data = TensorData::new(normalize(chunk.iter().copied()), shape);
            let answer = self
                .forward(Tensor::from_data(data, &self.device))
                .try_into_data()
                .map_err(|error| InferenceError::Device(error.to_string()))?;
            let values = answer
                .as_slice::<f32>()
                .map_err(|error| InferenceError::Device(format!("{error:?}")))?;
            for row in values.as_chunks::<CLASSES>().0 {
                if row.iter().any(|value| !value.is_finite()) {
                    return Err(InferenceError::NotFinite { crop: logits.len() });
                }
                logits.push(*row);
            }
        }
        Ok(logits)
    }

    /// Logits `[n, 10]` of normalized crops `[n, 1, 32, 32]`.
    pub(crate) fn forward(&self, crops: Tensor<4>) -> Tensor<2> {
        let mut x = crops;
        for ((weight, bias), stride) in self.convolutions.iter().zip(STRIDES) {
            x = activation::relu(convolve(x, weight.clone(), Some(bias.clone()), stride));
        }
        let (weight, bias) = self.hidden.clone();
        let x = activation::relu(linear(x.flatten(1, 3), weight, Some(bias)));
        let (weight, bias) = self.output.clone();
        linear(x, weight, Some(bias))
    }
}

fn inner<const D: usize>(tensor: Tensor<D>) -> Tensor<D> {
    tensor.without_autodiff()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::net::NetConfig;
    use crate::digits::random::normal;
    use burn::module::Module;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn folding_changes_no_logit() {
        let device = Device::flex();
        let mut net = DigitNet::new(&NetConfig::default(), 3, &device);
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for block in &mut net.blocks {
            let channels = block.mean.dims()[0];
            let mut draw = |offset: f32| {
                let values = (0..channels).map(|_| offset + 0.3 * normal(&mut rng).abs());
                Tensor::<1>::from_data(TensorData::new(values.collect(), [channels]), &device)
            };
            block.gamma = block.gamma.clone().map(|_| draw(0.5));
            block.beta = block.beta.clone().map(|_| draw(-0.2));
            block.mean = block.mean.clone().map(|_| draw(-0.1));
            block.variance = block.variance.clone().map(|_| draw(0.2));
        }
        let values: Vec<f32> = (0..7 * 1024).map(|_| normal(&mut rng)).collect();
        let crops = Tensor::<4>::from_data(TensorData::new(values, [7, 1, 32, 32]), &device);
        let plain = net.valid().forward(crops.clone()).into_data();
        let folded = FoldedNet::new(&net).forward(crops).into_data();
        let (plain, folded) = (plain.as_slice::<f32>(), folded.as_slice::<f32>());
        for (a, b) in plain.unwrap().iter().zip(folded.unwrap()) {
            assert!((a - b).abs() < 1e-4, "{a} against {b}");
        }
    }
}
