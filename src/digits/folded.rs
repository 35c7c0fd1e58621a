//! The network as inference runs it: batch normalization folded into the convolutions, and each
//! convolution of a batch as one matrix product.
//!
//! `gamma * (w x - mean) / sqrt(variance + e) + beta` is one convolution with the weight
//! `w * gamma / sqrt(variance + e)` and a bias (Jacob et al. 2018, section 3.2). Pictures are kept
//! with the channels of a pixel side by side, so that a line of a kernel's patch is one piece of
//! memory; the patches of all crops are the rows of one matrix (Chellapilla, Puri and Simard 2006).
//! Burn's own convolution makes a product for each crop, with as few columns as the picture has
//! pixels, and turns every picture to this order and back.

use std::ops::Range;

use burn::tensor::{Device, Tensor, TensorData, activation, module::linear};

use super::answers::Answers;
use super::batch::{CROP_PIXELS, normalize};
use super::classifier::InferenceError;
use super::net::{ConvBlock, Dense, DigitNet};
use super::net_config::{EPSILON, KERNEL, NetConfig, PLACES, stride};
use crate::vision::{CROP_SIDE, CellCrop};

/// Crops that go through the network at once. Fewer would fit the cache better, but then the system's
/// allocator may give memory back after each part, which doubles the time (`training/README.md`).
const SUB_BATCH: usize = 64;

/// Pixels of zeros around a picture, so that a kernel finds a patch at its edge.
const PADDING: usize = KERNEL / 2;

/// A network for inference; shared by threads.
#[derive(Debug)]
pub(crate) struct FoldedNet {
    convolutions: Vec<Convolution>,
    hidden: Linear,
    output: Linear,
    /// The second head, where there is one.
    kind: Option<FoldedKindHead>,
    device: Device,
}

/// The second head.
#[derive(Debug)]
struct FoldedKindHead {
    places: Linear,
    hidden: Linear,
    output: Linear,
    /// Indices of the convolutions that it looks at.
    seen: Range<usize>,
}

/// A dense layer: `output = input * weight + bias`.
#[derive(Debug)]
struct Linear(Tensor<2>, Tensor<1>);

/// A convolution and the ReLU behind it.
#[derive(Debug)]
struct Convolution {
    /// `[line of the kernel * column * in, out]`.
    weight: Tensor<2>,
    /// One number per channel.
    bias: Vec<f32>,
    stride: usize,
}

/// A batch of square pictures, the channels of a pixel side by side.
#[derive(Debug)]
struct Pictures {
    values: Vec<f32>,
    side: usize,
    channels: usize,
}

impl FoldedNet {
    /// Folds a network; it keeps the device, without autodiff.
    ///
    /// # Errors
    /// [`InferenceError::Device`] when the device fails.
    pub(crate) fn new(net: &DigitNet) -> Result<FoldedNet, InferenceError> {
        let blocks = net.blocks.iter().enumerate();
        let convolutions = blocks
            .map(|(layer, block)| Convolution::new(block, stride(layer)))
            .collect::<Result<Vec<_>, _>>()?;
        let channels = convolutions.last().map_or(1, |last| last.bias.len());
        let hidden = inner(net.hidden.weight.val());
        let [features, units] = hidden.dims();
        let pixels = features / channels;
        // From the order of Burn's pictures, pixels of a channel side by side, to that of ours.
        let hidden = hidden.reshape([channels, pixels, units]).swap_dims(0, 1);
        let hidden = hidden.reshape([features, units]);
        let device = net.output.bias.val().device().without_autodiff();
        let widths = convolutions.iter().map(|it| it.bias.len()).collect();
        let config = NetConfig {
            widths,
            ..NetConfig::default()
        };
        let kind = net.kind.as_ref().map(|head| FoldedKindHead {
            places: Linear::of(&head.places),
            hidden: Linear::of(&head.hidden),
            output: Linear::of(&head.output),
            seen: config.seen_by_kinds(),
        });
        Ok(FoldedNet {
            convolutions,
            hidden: Linear(hidden, inner(net.hidden.bias.val())),
            output: Linear::of(&net.output),
            kind,
            device,
        })
    }

    /// Returns the outputs of the network for each crop, in the given order.
    ///
    /// # Errors
    ///
    /// [`InferenceError`] if the device fails or an output is not finite.
    pub(crate) fn answers(&self, crops: &[&CellCrop]) -> Result<Answers, InferenceError> {
        let mut answers = Answers::default();
        for chunk in crops.chunks(SUB_BATCH) {
            let (logits, kinds) = self.forward(normalize(chunk.iter().copied()))?;
            answers.add(&logits, &kinds)?;
        }
        Ok(answers)
    }

    /// Returns ten logits per crop, and the outputs of the second head, for the normalized pixels
    /// of consecutive crops.
    fn forward(&self, pixels: Vec<f32>) -> Result<(Vec<f32>, Vec<f32>), InferenceError> {
        let count = pixels.len() / CROP_PIXELS;
        let (last, places) = self.see(pixels)?;
        let kinds = match (&self.kind, places) {
            (Some(kind), Some(places)) => {
                let x = activation::relu(kind.places.forward(places));
                let [rows, channels] = x.dims();
                let x = x.reshape([rows / PLACES, PLACES * channels]);
                let x = activation::relu(kind.hidden.forward(x));
                values(kind.output.forward(x))?
            }
            _ => Vec::new(),
        };
        let shape = [count, last.values.len() / count.max(1)];
        let x = Tensor::<2>::from_data(TensorData::new(last.values, shape), &self.device);
        let x = activation::relu(self.hidden.forward(x));
        Ok((values(self.output.forward(x))?, kinds))
    }

    /// Returns the input of the second head, `[n * places, channels]`, for training it alone;
    /// `None` where there is no such head.
    ///
    /// # Errors
    ///
    /// [`InferenceError`] if the device fails.
    pub(crate) fn places(&self, crops: &[CellCrop]) -> Result<Option<Tensor<2>>, InferenceError> {
        self.see(normalize(crops)).map(|(_, places)| places)
    }

    /// Returns the pictures after the last convolution, and the input of the second head.
    fn see(&self, pixels: Vec<f32>) -> Result<(Pictures, Option<Tensor<2>>), InferenceError> {
        let count = pixels.len() / CROP_PIXELS;
        let mut pictures = Pictures {
            values: pixels,
            side: CROP_SIDE,
            channels: 1,
        };
        let mut seen = Vec::new();
        for (number, convolution) in self.convolutions.iter().enumerate() {
            pictures = convolution.forward(&pictures, &self.device)?;
            if self
                .kind
                .as_ref()
                .is_some_and(|it| it.seen.contains(&number))
            {
                let shape = [count * PLACES, pictures.channels];
                let data = TensorData::new(pictures.values.clone(), shape);
                seen.push(Tensor::<2>::from_data(data, &self.device));
            }
        }
        let places = (!seen.is_empty()).then(|| Tensor::cat(seen, 1));
        Ok((pictures, places))
    }
}

impl Linear {
    fn of(layer: &Dense) -> Linear {
        Linear(inner(layer.weight.val()), inner(layer.bias.val()))
    }

    fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        linear(x, self.0.clone(), Some(self.1.clone()))
    }
}

impl Convolution {
    fn new(block: &ConvBlock, stride: usize) -> Result<Convolution, InferenceError> {
        let scale =
            inner(block.gamma.val()) / inner(block.variance.val()).add_scalar(EPSILON).sqrt();
        let bias = inner(block.beta.val()) - inner(block.mean.val()) * scale.clone();
        let [channels, before, ..] = block.weight.dims();
        let weight = inner(block.weight.val()) * scale.reshape([channels, 1, 1, 1]);
        let patch = KERNEL * KERNEL * before;
        Ok(Convolution {
            weight: weight.permute([2, 3, 1, 0]).reshape([patch, channels]),
            bias: values(bias)?,
            stride,
        })
    }

    fn forward(&self, pictures: &Pictures, device: &Device) -> Result<Pictures, InferenceError> {
        let patches = pictures.patches(self.stride);
        let [patch, channels] = self.weight.dims();
        let shape = [patches.len() / patch, patch];
        let patches = Tensor::<2>::from_data(TensorData::new(patches, shape), device);
        let mut values = values(patches.matmul(self.weight.clone()))?;
        for pixel in values.chunks_exact_mut(channels) {
            for (value, bias) in pixel.iter_mut().zip(&self.bias) {
                let sum = *value + bias;
                // Not `max`, which would hide what is no number.
                *value = if sum < 0.0 { 0.0 } else { sum };
            }
        }
        Ok(Pictures {
            values,
            side: pictures.side.div_ceil(self.stride),
            channels,
        })
    }
}

impl Pictures {
    /// Returns the patch of the kernel at each position, line by line: `KERNEL² * channels` values
    /// per position.
    fn patches(&self, stride: usize) -> Vec<f32> {
        let (line, places) = (self.side * self.channels, self.side.div_ceil(stride));
        let padded_line = line + 2 * PADDING * self.channels;
        let pictures = self.values.chunks_exact(self.side * line);
        let mut padded = vec![0.0; (self.side + 2 * PADDING) * padded_line];
        let mut patches =
            Vec::with_capacity(pictures.len() * places * places * KERNEL * KERNEL * self.channels);
        for picture in pictures {
            let inside = padded.chunks_exact_mut(padded_line).skip(PADDING);
            for (inside, line) in inside.zip(picture.chunks_exact(line)) {
                inside[PADDING * self.channels..][..line.len()].copy_from_slice(line);
            }
            for y in 0..places {
                for x in 0..places {
                    for row in y * stride..y * stride + KERNEL {
                        let start = row * padded_line + x * stride * self.channels;
                        patches.extend_from_slice(&padded[start..][..KERNEL * self.channels]);
                    }
                }
            }
        }
        patches
    }
}

fn inner<const D: usize>(tensor: Tensor<D>) -> Tensor<D> {
    tensor.without_autodiff()
}

fn values<const D: usize>(tensor: Tensor<D>) -> Result<Vec<f32>, InferenceError> {
    let data = tensor.try_into_data();
    let data = data.map_err(|error| InferenceError::Device(error.to_string()))?;
    data.try_into_vec()
        .map_err(|error| InferenceError::Device(format!("{error:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::random::normal;
    use burn::module::Module;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn folding_changes_no_logit() {
        let device = Device::flex();
        let config = NetConfig {
            widths: vec![5, 8, 12, 7, 9],
            hidden: 11,
            kind_units: 6,
        };
        let mut net = DigitNet::new(&config, 3, &device);
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
        let (logits, kinds) = FoldedNet::new(&net)
            .unwrap()
            .forward(values.clone())
            .unwrap();
        let crops = Tensor::<4>::from_data(TensorData::new(values, [7, 1, 32, 32]), &device);
        let (plain_logits, plain_kinds) = net.valid().forward(crops);
        assert_eq!((logits.len(), kinds.len()), (7 * 10, 7 * 13));
        for (plain, folded) in [(plain_logits, logits), (plain_kinds.unwrap(), kinds)] {
            let plain = plain.into_data();
            for (a, b) in plain.as_slice::<f32>().unwrap().iter().zip(folded) {
                assert!((a - b).abs() < 1e-4, "{a} against {b}");
            }
        }
    }
}
