//! The network in plain Rust, for builds without Burn: batch normalization folded into the convolutions, products
//! made in tiles that a compiler turns into vectors.
//!
//! Pictures are kept as `folded.rs` keeps them, the channels of a pixel side by side. A convolution makes no matrix of
//! patches: a line of a kernel's patch is one piece of the padded picture, and a tile takes the pieces of four
//! neighbouring places at once (implicit matrix product, Chetlur et al. 2014).

use std::array::from_fn;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;

use super::answers::Answers;
use super::artifact::{Artifact, ArtifactError};
use super::batch::{CROP_PIXELS, normalize};
use super::classifier::InferenceError;
use super::kind::KIND_OUTPUTS;
use super::logits::CLASSES;
use super::net_config::{EPSILON, KERNEL, KIND_CHANNELS, PLACES as PLACES_SEEN, stride};
use crate::simd::F32x4;
use crate::vision::{CROP_SIDE, CellCrop};

/// Outputs per tile: two vectors of 128 bits.
const LANES: usize = 8;
/// The outputs of a tile.
type Lanes = [F32x4; 2];
/// Positions per tile. With two vectors each, their sums fit into sixteen registers together with
/// their operands. The side of every picture is a multiple of it.
const PLACES: usize = 4;
/// Pixels of zeros around a picture.
const PADDING: usize = KERNEL / 2;

/// A network for inference.
#[derive(Debug)]
pub(super) struct PlainNet {
    convolutions: Vec<Layer>,
    /// The hidden layer and the output.
    head: [Layer; 2],
    /// The second head, where there is one: the layer at each position, hidden layer, output.
    kind: Option<[Layer; 3]>,
    /// Indices of the convolutions that it looks at.
    seen: Range<usize>,
}

/// Weights and bias of a convolution or a dense layer.
#[derive(Debug)]
struct Layer {
    /// For each group of outputs the weights of each input, padded with zeros.
    panels: Vec<Vec<Lanes>>,
    /// For each group of outputs.
    bias: Vec<Lanes>,
    /// Number of inputs per output: of a convolution those of its whole kernel.
    inputs: usize,
    outputs: usize,
}

impl PlainNet {
    /// Loads and folds the network of a model.
    ///
    /// # Errors
    ///
    /// [`ArtifactError`] that names what does not fit.
    pub(super) fn new(artifact: &Artifact) -> Result<PlainNet, ArtifactError> {
        artifact.check()?;
        let weights = Weights::read(&artifact.weights)
            .ok_or_else(|| ArtifactError::Weights("the file is damaged".to_owned()))?;
        let config = &artifact.card.config.net;
        let mut channels = 1;
        let mut convolutions = Vec::new();
        for (layer, &width) in config.widths.iter().enumerate() {
            convolutions.push(weights.convolution(layer, channels, width)?);
            channels = width;
        }
        let features = config.features();
        let pixels = features / channels;
        // In the file the pixels of a channel lie side by side, here the channels of a pixel.
        let order = move |input: usize| input % channels * pixels + input / channels;
        let dense = |name: &str, inputs: usize, outputs: usize| {
            weights.dense(name, inputs, outputs, |input| input)
        };
        let units = config.kind_units;
        let kind = match units {
            0 => None,
            _ => Some([
                dense(
                    "kind.places",
                    config.channels_seen_by_kinds(),
                    KIND_CHANNELS,
                )?,
                dense("kind.hidden", PLACES_SEEN * KIND_CHANNELS, units)?,
                dense("kind.output", units, KIND_OUTPUTS)?,
            ]),
        };
        Ok(PlainNet {
            convolutions,
            head: [
                weights.dense("hidden", features, config.hidden, order)?,
                dense("output", config.hidden, CLASSES)?,
            ],
            kind,
            seen: config.seen_by_kinds(),
        })
    }

    /// Returns the outputs of the network for each crop, in the given order.
    ///
    /// # Errors
    ///
    /// [`InferenceError`] where an output is not finite.
    pub(super) fn answers(&self, crops: &[&CellCrop]) -> Result<Answers, InferenceError> {
        let pixels = normalize(crops.iter().copied());
        let (features, places) = self.see(&pixels);
        let logits = forward(&self.head, features);
        let kinds = self.kind.as_ref().map(|head| forward(head, places));
        let mut answers = Answers::default();
        answers.add(&logits, &kinds.unwrap_or_default())?;
        Ok(answers)
    }

    /// Returns the output of the last convolution for the normalized pixels of consecutive crops,
    /// and the input of the second head at each position.
    fn see(&self, pixels: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let mut features = Vec::with_capacity(pixels.len());
        let mut places = Vec::new();
        let mut padded = Vec::new();
        for crop in pixels.chunks_exact(CROP_PIXELS) {
            let (mut picture, mut side) = (crop.to_vec(), CROP_SIDE);
            let mut seen = Vec::new();
            for (number, convolution) in self.convolutions.iter().enumerate() {
                let step = stride(number);
                picture = convolution.convolve(&picture, side, step, &mut padded);
                side /= step;
                if self.kind.is_some() && self.seen.contains(&number) {
                    seen.push(picture.clone());
                }
            }
            for place in 0..PLACES_SEEN {
                for picture in &seen {
                    let channels = picture.len() / PLACES_SEEN;
                    places.extend_from_slice(&picture[place * channels..][..channels]);
                }
            }
            features.extend(picture);
        }
        (features, places)
    }
}

/// Applies dense layers, with a ReLU after each but the last.
fn forward(layers: &[Layer], mut rows: Vec<f32>) -> Vec<f32> {
    for (number, layer) in layers.iter().enumerate() {
        rows = layer.multiply(&rows);
        if number + 1 < layers.len() {
            rows.iter_mut().for_each(|value| *value = relu(*value));
        }
    }
    rows
}

impl Layer {
    /// Returns a layer of these weights, given as `[input, output]`.
    fn new(inputs: usize, bias: &[f32], weight: impl Fn(usize, usize) -> f32) -> Layer {
        let outputs = bias.len();
        let of = |group: usize, value: &dyn Fn(usize) -> f32| -> Lanes {
            from_fn(|half| {
                let first = group * LANES + half * 4;
                let lanes: [f32; 4] = from_fn(|lane| match first + lane {
                    output if output < outputs => value(output),
                    _ => 0.0,
                });
                lanes.into()
            })
        };
        let groups = 0..outputs.div_ceil(LANES);
        let panel = |group| {
            let rows = (0..inputs).map(|input| of(group, &|output| weight(input, output)));
            rows.collect()
        };
        Layer {
            panels: groups.clone().map(panel).collect(),
            bias: groups
                .map(|group| of(group, &|output| bias[output]))
                .collect(),
            inputs,
            outputs,
        }
    }

    /// Returns rows of `outputs` values for rows of `inputs` values.
    fn multiply(&self, rows: &[f32]) -> Vec<f32> {
        let mut values = vec![0.0; rows.len() / self.inputs * self.outputs];
        for (panel, (weights, bias)) in self.panels.iter().zip(&self.bias).enumerate() {
            let tiles = rows.chunks_exact(PLACES * self.inputs);
            let rest = tiles.remainder();
            let mut row = 0;
            for tile in tiles {
                let pieces = from_fn(|i| &tile[i * self.inputs..][..self.inputs]);
                for sums in accumulate::<PLACES>(pieces, weights, [*bias; PLACES]) {
                    self.put(&mut values, row, panel, sums);
                    row += 1;
                }
            }
            for piece in rest.chunks_exact(self.inputs) {
                let [sums] = accumulate::<1>([piece], weights, [*bias]);
                self.put(&mut values, row, panel, sums);
                row += 1;
            }
        }
        values
    }

    /// Returns a 3 x 3 convolution of a square picture followed by a ReLU; `step` is the stride.
    fn convolve(
        &self,
        picture: &[f32],
        side: usize,
        step: usize,
        padded: &mut Vec<f32>,
    ) -> Vec<f32> {
        let places = side / step;
        let line = picture.len() / side;
        let channels = line / side;
        let padded_line = line + 2 * PADDING * channels;
        padded.clear();
        padded.resize((side + 2 * PADDING) * padded_line, 0.0);
        let inside = padded.chunks_exact_mut(padded_line).skip(PADDING);
        for (inside, line) in inside.zip(picture.chunks_exact(line)) {
            inside[PADDING * channels..][..line.len()].copy_from_slice(line);
        }
        let piece = KERNEL * channels;
        let mut values = vec![0.0; places * places * self.outputs];
        for (panel, (weights, bias)) in self.panels.iter().zip(&self.bias).enumerate() {
            for y in 0..places {
                for x in (0..places).step_by(PLACES) {
                    let mut sums = [*bias; PLACES];
                    for (row, weights) in weights.chunks_exact(piece).enumerate() {
                        let start = (y * step + row) * padded_line + x * step * channels;
                        let pieces = from_fn(|i| &padded[start + i * step * channels..][..piece]);
                        sums = accumulate(pieces, weights, sums);
                    }
                    for (i, sums) in sums.into_iter().enumerate() {
                        self.put(&mut values, y * places + x + i, panel, sums);
                    }
                }
            }
        }
        values.iter_mut().for_each(|value| *value = relu(*value));
        values
    }

    /// Writes the outputs of a panel into a row of outputs.
    fn put(&self, values: &mut [f32], row: usize, panel: usize, sums: Lanes) {
        let count = (self.outputs - panel * LANES).min(LANES);
        let start = row * self.outputs + panel * LANES;
        let sums = sums.map(F32x4::to_array);
        values[start..][..count].copy_from_slice(&sums.as_flattened()[..count]);
    }
}

/// Adds to the sums of each piece its values times the weights.
#[inline(always)]
fn accumulate<const COUNT: usize>(
    pieces: [&[f32]; COUNT],
    weights: &[Lanes],
    mut sums: [Lanes; COUNT],
) -> [Lanes; COUNT] {
    let pieces = pieces.map(|piece| &piece[..weights.len()]);
    for (input, weights) in weights.iter().enumerate() {
        for (sums, piece) in sums.iter_mut().zip(&pieces) {
            let value = F32x4::splat(piece[input]);
            *sums = from_fn(|half| sums[half].plus_product(value, weights[half]));
        }
    }
    sums
}

/// Applies ReLU. Not by `max`, which would hide a NaN.
fn relu(value: f32) -> f32 {
    if value < 0.0 { 0.0 } else { value }
}

/// The tensors of a weights file in Burn's burnpack format: a head of ten bytes, a map of tensors
/// in CBOR, and the values from the next multiple of 256 bytes on, all little-endian.
struct Weights<'a> {
    tensors: BTreeMap<String, TensorEntry>,
    values: &'a [u8],
}

#[derive(Deserialize)]
struct Head {
    tensors: BTreeMap<String, TensorEntry>,
}

#[derive(Deserialize)]
struct TensorEntry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

impl Weights<'_> {
    fn read(file: &[u8]) -> Option<Weights<'_>> {
        let (magic, rest) = file.split_first_chunk()?;
        let (version, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let is_known =
            u32::from_le_bytes(*magic) == 0x4255_524e && u16::from_le_bytes(*version) == 1;
        let length = u32::from_le_bytes(*length) as usize;
        let head: Head = ciborium::from_reader(rest.get(..length)?).ok()?;
        let start = (file.len() - rest.len() + length).next_multiple_of(256);
        is_known.then_some(Weights {
            tensors: head.tensors,
            values: file.get(start..)?,
        })
    }

    /// Returns the values of a tensor, if it has this shape.
    fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ArtifactError> {
        let values = || {
            let entry = self.tensors.get(name)?;
            let (start, end) = entry.data_offsets;
            let bytes = self.values.get(start..end)?;
            let (values, rest) = bytes.as_chunks::<4>();
            let fits = entry.dtype == "F32"
                && entry.shape == shape
                && rest.is_empty()
                && values.len() == shape.iter().product::<usize>();
            fits.then(|| {
                values
                    .iter()
                    .map(|bytes| f32::from_le_bytes(*bytes))
                    .collect()
            })
        };
        let message = || format!("there is no tensor `{name}` of the shape {shape:?}");
        let values: Vec<f32> = values().ok_or_else(|| ArtifactError::Weights(message()))?;
        match values.iter().all(|value| value.is_finite()) {
            true => Ok(values),
            false => Err(ArtifactError::Weights(
                "not all of them are numbers".to_owned(),
            )),
        }
    }

    /// Returns a convolution with its batch normalization folded in; see `folded.rs`.
    fn convolution(
        &self,
        layer: usize,
        channels: usize,
        width: usize,
    ) -> Result<Layer, ArtifactError> {
        let of =
            |name: &str, shape: &[usize]| self.tensor(&format!("blocks.{layer}.{name}"), shape);
        let weight = of("weight", &[width, channels, KERNEL, KERNEL])?;
        let [gamma, beta] = [of("gamma", &[width])?, of("beta", &[width])?];
        let [mean, variance] = [of("mean", &[width])?, of("variance", &[width])?];
        let scale = |output: usize| gamma[output] / (variance[output] + EPSILON as f32).sqrt();
        let bias: Vec<f32> = (0..width)
            .map(|it| beta[it] - mean[it] * scale(it))
            .collect();
        let patch = KERNEL * KERNEL;
        Ok(Layer::new(patch * channels, &bias, |input, output| {
            let (pixel, channel) = (input / channels, input % channels);
            weight[(output * channels + channel) * patch + pixel] * scale(output)
        }))
    }

    /// Returns a dense layer whose inputs are in another order than in the file: `order` has their
    /// positions there.
    fn dense(
        &self,
        name: &str,
        inputs: usize,
        outputs: usize,
        order: impl Fn(usize) -> usize,
    ) -> Result<Layer, ArtifactError> {
        let weight = self.tensor(&format!("{name}.weight"), &[inputs, outputs])?;
        let bias = self.tensor(&format!("{name}.bias"), &[outputs])?;
        Ok(Layer::new(inputs, &bias, |input, output| {
            weight[order(input) * outputs + output]
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::Compute;
    use crate::digits::folded::FoldedNet;

    /// Crops of noise and bars, some alike.
    fn crops() -> Vec<CellCrop> {
        let crop = |number: usize| CellCrop {
            pixels: Box::new(from_fn(|i| {
                let (x, y) = (i % CROP_SIDE, i / CROP_SIDE);
                let bar = (8 + number % 7..12 + number % 11).contains(&x) && y > number % 9;
                let noise = ((i * 2_654_435_761 + number * 40_503) >> 7) % 23;
                if bar {
                    60 + noise as u8
                } else {
                    200 + noise as u8
                }
            })),
            board_contrast: 120.0,
        };
        (0..23).map(crop).collect()
    }

    #[test]
    fn the_logits_agree_with_burn() {
        let artifact = Artifact::built_in().unwrap();
        let crops = crops();
        let crops: Vec<&CellCrop> = crops.iter().collect();
        let plain = PlainNet::new(&artifact).unwrap().answers(&crops).unwrap();
        let net = FoldedNet::new(&artifact.network(Compute::Cpu).unwrap()).unwrap();
        let by_burn = net.answers(&crops).unwrap();
        assert_eq!(plain.logits.len(), crops.len());
        assert_eq!(plain.kinds.len(), crops.len());
        let plain = [plain.logits.as_flattened(), plain.kinds.as_flattened()].concat();
        let by_burn = [by_burn.logits.as_flattened(), by_burn.kinds.as_flattened()].concat();
        for (a, b) in plain.iter().zip(by_burn) {
            assert!((a - b).abs() < 1e-3, "{a} against {b}");
        }
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let artifact = Artifact::built_in().unwrap();
        let whole = &artifact.weights;
        assert!(Weights::read(whole).is_some());
        for length in [0, 9, 10, 200, 1000] {
            assert!(Weights::read(&whole[..length]).is_none(), "{length}");
        }
        let cut = Weights::read(&whole[..whole.len() / 2]).unwrap();
        assert!(cut.dense("hidden", 1, 1, |input| input).is_err());
        assert!(cut.convolution(9, 1, 1).is_err());
    }
}
