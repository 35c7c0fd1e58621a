//! The network that inference runs, from the weights that training writes.
//!
//! Batch normalization is folded into the convolutions: `gamma * (w x - mean) / sqrt(variance + e) + beta` is one
//! convolution with the weight `w * gamma / sqrt(variance + e)` and a bias (Jacob et al. 2018, section 3.2).

use std::fmt::Debug;
use std::ops::Range;

use super::answers::Answers;
use super::artifact::{Artifact, ArtifactError};
use super::batch::{CROP_PIXELS, normalize};
use super::classifier::InferenceError;
use super::kind::KIND_OUTPUTS;
use super::layer::{Activation, Layer};
use super::logits::CLASSES;
use super::net_config::{EPSILON, KERNEL, KIND_CHANNELS, NetConfig, PLACES, STRIDED};
use super::weights_file::Weights;
use super::winograd::Winograd;
#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2, Avx512};
use crate::simd::{Floats, Portable};
use crate::vision::{CROP_SIDE, CellCrop};

/// Crops that go through the network at once: more would not fit the cache.
const SUB_BATCH: usize = 64;

/// A network for inference; shared by threads.
#[derive(Debug)]
pub(crate) struct Network(Box<dyn Forward>);

/// The passes of a network, on some instruction set.
trait Forward: Debug + Send + Sync {
    /// Returns what the heads see, for the normalized pixels of consecutive crops.
    fn see(&self, pixels: &[f32]) -> Seen;

    /// Returns ten logits per crop, and the outputs of the second head, if there is one.
    fn answer(&self, seen: Seen) -> (Vec<f32>, Vec<f32>);
}

/// What the heads of a network see.
struct Seen {
    /// Output of the last convolution.
    features: Vec<f32>,
    /// Input of the second head, `[n * PLACES, channels]`; empty where there is none.
    places: Vec<f32>,
}

/// The layers of a network.
#[derive(Debug)]
struct Layers<I: Floats> {
    /// The convolutions of stride 2, down to [`PLACES`].
    strided: Vec<Layer<I>>,
    /// The further ones.
    unstrided: Vec<Winograd<I>>,
    /// The hidden layer and the output.
    head: [Layer<I>; 2],
    /// The second head, where there is one: the layer at each position, hidden layer, output.
    kind: Option<[Layer<I>; 3]>,
    /// Indices of the convolutions that it looks at.
    seen: Range<usize>,
}

impl Network {
    /// Returns the network of a model, after checking its card and its weights.
    ///
    /// # Errors
    ///
    /// [`ArtifactError`] that names what does not fit.
    pub(crate) fn new(artifact: &Artifact) -> Result<Network, ArtifactError> {
        artifact.check()?;
        Network::of_weights(&artifact.card.config.net, &artifact.weights)
    }

    /// Returns a network of this size with the weights of this file.
    ///
    /// # Errors
    ///
    /// [`ArtifactError::Weights`] where these do not fit, or are not all numbers.
    pub(crate) fn of_weights(config: &NetConfig, file: &[u8]) -> Result<Network, ArtifactError> {
        let damaged = || ArtifactError::Weights("the file is damaged".to_owned());
        let weights = Weights::read(file).ok_or_else(damaged)?;
        #[cfg(target_arch = "x86_64")]
        if let Some(isa) = Avx512::detect() {
            return Ok(Network(Box::new(Layers::new(isa, config, &weights)?)));
        } else if let Some(isa) = Avx2::detect() {
            return Ok(Network(Box::new(Layers::new(isa, config, &weights)?)));
        }
        let layers = Layers::new(Portable, config, &weights)?;
        Ok(Network(Box::new(layers)))
    }

    /// Returns the outputs of the network for each crop, in the given order.
    ///
    /// # Errors
    ///
    /// [`InferenceError`] where an output is not finite.
    pub(crate) fn answers(&self, crops: &[&CellCrop]) -> Result<Answers, InferenceError> {
        let mut answers = Answers::default();
        for part in crops.chunks(SUB_BATCH) {
            let seen = self.0.see(&normalize(part.iter().copied()));
            let (logits, kinds) = self.0.answer(seen);
            answers.add(&logits, &kinds)?;
        }
        Ok(answers)
    }

    /// Returns the input of the second head, `[n * PLACES, channels]`, for training it alone; empty
    /// where there is no such head.
    #[cfg(feature = "cli")]
    pub(crate) fn places(&self, crops: &[CellCrop]) -> Vec<f32> {
        self.0.see(&normalize(crops)).places
    }
}

impl<I: Floats> Layers<I> {
    fn new(isa: I, config: &NetConfig, weights: &Weights<'_>) -> Result<Layers<I>, ArtifactError> {
        let mut channels = 1;
        let (mut strided, mut unstrided) = (Vec::new(), Vec::new());
        for (layer, &width) in config.widths.iter().enumerate() {
            let (bias, products) = folded(weights, layer, channels, width)?;
            let weight = |input: usize, output: usize| products[input * width + output];
            if layer < STRIDED {
                let inputs = KERNEL * KERNEL * channels;
                strided.push(Layer::new(isa, Activation::Relu, inputs, &bias, weight));
            } else {
                unstrided.push(Winograd::new(isa, channels, &bias, weight));
            }
            channels = width;
        }
        let features = config.features();
        let pixels = features / channels;
        // In the file the pixels of a channel lie side by side, here the channels of a pixel.
        let order = move |input: usize| input % channels * pixels + input / channels;
        let plain = |name: &str, activation: Activation, shape: [usize; 2]| {
            dense(isa, weights, name, activation, shape, |input| input)
        };
        let units = config.kind_units;
        let seen = [config.channels_seen_by_kinds(), KIND_CHANNELS];
        let kind = match units {
            0 => None,
            _ => Some([
                plain("kind.places", Activation::Relu, seen)?,
                plain(
                    "kind.hidden",
                    Activation::Relu,
                    [PLACES * KIND_CHANNELS, units],
                )?,
                plain("kind.output", Activation::None, [units, KIND_OUTPUTS])?,
            ]),
        };
        let hidden = [features, config.hidden];
        Ok(Layers {
            strided,
            unstrided,
            head: [
                dense(isa, weights, "hidden", Activation::Relu, hidden, order)?,
                plain("output", Activation::None, [config.hidden, CLASSES])?,
            ],
            kind,
            seen: config.seen_by_kinds(),
        })
    }
}

impl<I: Floats> Forward for Layers<I> {
    fn see(&self, pixels: &[f32]) -> Seen {
        let mut pictures = Vec::new();
        let mut padded = Vec::new();
        for crop in pixels.chunks_exact(CROP_PIXELS) {
            let (mut picture, mut side) = (crop.to_vec(), CROP_SIDE);
            for convolution in &self.strided {
                picture = convolution.convolve(&picture, side, &mut padded);
                side /= 2;
            }
            pictures.extend(picture);
        }
        let mut layers = vec![pictures];
        for convolution in &self.unstrided {
            layers.push(convolution.convolve(&layers[layers.len() - 1]));
        }
        let crops = pixels.len() / CROP_PIXELS;
        let mut places = Vec::new();
        if self.kind.is_some() {
            let seen = &layers[self.seen.start + 1 - STRIDED..];
            for place in 0..crops * PLACES {
                for layer in seen {
                    let channels = layer.len() / (crops * PLACES);
                    places.extend_from_slice(&layer[place * channels..][..channels]);
                }
            }
        }
        let features = layers.pop().unwrap_or_default();
        Seen { features, places }
    }

    fn answer(&self, seen: Seen) -> (Vec<f32>, Vec<f32>) {
        let forward = |layers: &[Layer<I>], rows: Vec<f32>| {
            layers
                .iter()
                .fold(rows, |rows, layer| layer.multiply(&rows))
        };
        let logits = forward(&self.head, seen.features);
        let kinds = self.kind.as_ref().map(|head| forward(head, seen.places));
        (logits, kinds.unwrap_or_default())
    }
}

/// Returns the bias of a convolution, and its weights as `[pixel of the kernel, channel, output]`, with its batch
/// normalization folded in.
fn folded(
    weights: &Weights<'_>,
    layer: usize,
    channels: usize,
    width: usize,
) -> Result<(Vec<f32>, Vec<f32>), ArtifactError> {
    let of = |name: &str, shape: &[usize]| weights.tensor(&format!("blocks.{layer}.{name}"), shape);
    let weight = of("weight", &[width, channels, KERNEL, KERNEL])?;
    let [gamma, beta] = [of("gamma", &[width])?, of("beta", &[width])?];
    let [mean, variance] = [of("mean", &[width])?, of("variance", &[width])?];
    let scale = |output: usize| gamma[output] / (variance[output] + EPSILON as f32).sqrt();
    let bias = (0..width).map(|it| beta[it] - mean[it] * scale(it));
    let patch = KERNEL * KERNEL;
    let product = |at: usize| {
        let (input, output) = (at / width, at % width);
        let (pixel, channel) = (input / channels, input % channels);
        weight[(output * channels + channel) * patch + pixel] * scale(output)
    };
    let products = (0..patch * channels * width).map(product);
    Ok((bias.collect(), products.collect()))
}

/// Returns a dense layer whose inputs are in another order than in the file: `order` has their
/// positions there.
fn dense<I: Floats>(
    isa: I,
    weights: &Weights<'_>,
    name: &str,
    activation: Activation,
    [inputs, outputs]: [usize; 2],
    order: impl Fn(usize) -> usize,
) -> Result<Layer<I>, ArtifactError> {
    let weight = weights.tensor(&format!("{name}.weight"), &[inputs, outputs])?;
    let bias = weights.tensor(&format!("{name}.bias"), &[outputs])?;
    Ok(Layer::new(
        isa,
        activation,
        inputs,
        &bias,
        |input, output| weight[order(input) * outputs + output],
    ))
}

#[cfg(test)]
mod tests {
    use std::array::from_fn;

    use burn::module::Module;
    use burn::tensor::{Device, Tensor, TensorData};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::digits::net::DigitNet;
    use crate::digits::random::normal;
    use crate::digits::with_burn::save_weights;

    /// A network whose batch normalization does something.
    fn net(config: &NetConfig) -> DigitNet {
        let device = Device::flex();
        let mut net = DigitNet::new(config, 3, &device);
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
        net
    }

    #[test]
    fn the_outputs_are_those_of_burn_on_every_instruction_set() {
        let config = NetConfig {
            widths: vec![5, 8, 12, 7, 19],
            hidden: 11,
            kind_units: 6,
        };
        let net = net(&config);
        let file = save_weights(&net).unwrap();
        let weights = Weights::read(&file).unwrap();
        // One more than a tile holds.
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let pixels: Vec<f32> = (0..9 * CROP_PIXELS).map(|_| normal(&mut rng)).collect();
        let shape = [9, 1, CROP_SIDE, CROP_SIDE];
        let crops = TensorData::new(pixels.clone(), shape);
        let crops = Tensor::<4>::from_data(crops, &Device::flex());
        let (logits, kinds) = net.valid().forward(crops);
        let by_burn =
            [logits, kinds.unwrap()].map(|it| it.into_data().try_into_vec::<f32>().unwrap());
        let mut all: Vec<Box<dyn Forward>> =
            vec![Box::new(Layers::new(Portable, &config, &weights).unwrap())];
        #[cfg(target_arch = "x86_64")]
        {
            let with_avx2 = Avx2::detect().map(|isa| Layers::new(isa, &config, &weights).unwrap());
            let with_avx512 =
                Avx512::detect().map(|isa| Layers::new(isa, &config, &weights).unwrap());
            all.extend(with_avx2.map(|it| -> Box<dyn Forward> { Box::new(it) }));
            all.extend(with_avx512.map(|it| -> Box<dyn Forward> { Box::new(it) }));
        }
        for network in all {
            let (logits, kinds) = network.answer(network.see(&pixels));
            for (found, by_burn) in [logits, kinds].iter().zip(&by_burn) {
                assert_eq!(found.len(), by_burn.len());
                for (a, b) in found.iter().zip(by_burn) {
                    assert!((a - b).abs() < 1e-4, "{a} against {b}");
                }
            }
        }
    }

    #[test]
    fn a_crop_gets_the_same_answer_in_any_batch() {
        let crop = |number: usize| CellCrop {
            pixels: Box::new(from_fn(|i| (i * 7 + number * i / 5) as u8)),
            board_contrast: 120.0,
        };
        let crops: Vec<CellCrop> = (0..SUB_BATCH + 11).map(crop).collect();
        let network = Network::new(&Artifact::built_in().unwrap()).unwrap();
        let together = network.answers(&crops.iter().collect::<Vec<_>>()).unwrap();
        for (number, crop) in crops.iter().enumerate() {
            let alone = network.answers(&[crop]).unwrap();
            assert_eq!(alone.logits[0], together.logits[number]);
            assert_eq!(alone.kinds[0], together.kinds[number]);
        }
    }
}
