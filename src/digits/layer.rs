//! Convolutions and dense layers for inference, computed in tiles.
//!
//! Pictures are kept with the channels of a pixel side by side, so that a line of a kernel's patch is one piece of the
//! padded picture. A tile takes the pieces of four neighbouring places at once, and as many vectors of outputs as fit
//! into the registers: no matrix of patches is made (implicit matrix product, Chetlur et al. 2014).

use std::array::from_fn;

use super::net_config::KERNEL;
use crate::simd::{Floats, Kernel, MAX_FLOATS};

/// Positions per tile. The side of every picture is a multiple of it.
const PLACES: usize = 4;
/// Pixels of zeros around a picture.
const PADDING: usize = KERNEL / 2;
/// Pixels from one position of a kernel to the next.
const STRIDE: usize = 2;

/// Weights and bias of a convolution or a dense layer, and what is applied to its outputs.
#[derive(Debug)]
pub(super) struct Layer<I: Floats> {
    isa: I,
    panels: Vec<Panel<I>>,
    /// Number of inputs per output: of a convolution those of its whole kernel.
    inputs: usize,
    outputs: usize,
    activation: Activation,
}

/// What is applied to the outputs of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activation {
    None,
    /// Negative numbers become zero.
    Relu,
}

/// Makes negative numbers zero.
#[inline(always)]
pub(super) fn rectify(values: &mut [f32]) {
    // Not by `max`, which would hide a NaN.
    for value in values {
        *value = if *value < 0.0 { 0.0 } else { *value };
    }
}

/// The part of a layer for some vectors of its outputs.
#[derive(Debug)]
struct Panel<I: Floats> {
    /// Index of its first output.
    start: usize,
    /// Vectors of its outputs, the last one padded with zeros.
    bias: Vec<I::Floats>,
    /// The same for each input.
    weights: Vec<I::Floats>,
}

impl<I: Floats> Layer<I> {
    /// Returns a layer of these weights, given as `[input, output]`.
    pub(super) fn new(
        isa: I,
        activation: Activation,
        inputs: usize,
        bias: &[f32],
        weight: impl Fn(usize, usize) -> f32,
    ) -> Layer<I> {
        let outputs = bias.len();
        let vector = |first: usize, value: &dyn Fn(usize) -> f32| {
            let lanes: [f32; MAX_FLOATS] = from_fn(|lane| match first + lane {
                output if output < outputs => value(output),
                _ => 0.0,
            });
            isa.load_floats(&lanes)
        };
        // As few panels as possible, and none of them much smaller than another.
        let vectors = outputs.div_ceil(I::FLOATS);
        let count = vectors.div_ceil(I::TILE);
        let panel = |number: usize| {
            let (first, end) = (number * vectors / count, (number + 1) * vectors / count);
            let starts = (first..end).map(|vector| vector * I::FLOATS);
            let row = |input: usize| {
                let starts = starts.clone();
                starts.map(move |start| (input, start))
            };
            Panel {
                start: first * I::FLOATS,
                bias: starts
                    .clone()
                    .map(|start| vector(start, &|output| bias[output]))
                    .collect(),
                weights: (0..inputs)
                    .flat_map(row)
                    .map(|(input, start)| vector(start, &|output| weight(input, output)))
                    .collect(),
            }
        };
        Layer {
            isa,
            panels: (0..count).map(panel).collect(),
            inputs,
            outputs,
            activation,
        }
    }

    /// Returns rows of `outputs` values for rows of `inputs` values.
    pub(super) fn multiply(&self, rows: &[f32]) -> Vec<f32> {
        self.isa.run(Product { layer: self, rows })
    }

    /// Returns a 3 x 3 convolution of stride 2 of a square picture. `padded` is a buffer.
    pub(super) fn convolve(&self, picture: &[f32], side: usize, padded: &mut Vec<f32>) -> Vec<f32> {
        let line = picture.len() / side;
        let channels = line / side;
        let padded_line = line + 2 * PADDING * channels;
        padded.clear();
        padded.resize((side + 2 * PADDING) * padded_line, 0.0);
        let inside = padded.chunks_exact_mut(padded_line).skip(PADDING);
        for (inside, line) in inside.zip(picture.chunks_exact(line)) {
            inside[PADDING * channels..][..line.len()].copy_from_slice(line);
        }
        self.isa.run(Convolution {
            layer: self,
            padded,
            padded_line,
            channels,
            places: side / STRIDE,
        })
    }

    /// Computes all panels, each compiled for its number of vectors, and then the activation.
    #[inline(always)]
    fn run(&self, rows: usize, compute: impl ByPanel<I>) -> Vec<f32> {
        let mut values = vec![0.0; rows * self.outputs];
        for panel in &self.panels {
            match panel.bias.len() {
                1 => compute.panel::<1>(panel, &mut values),
                2 => compute.panel::<2>(panel, &mut values),
                3 => compute.panel::<3>(panel, &mut values),
                4 => compute.panel::<4>(panel, &mut values),
                _ => compute.panel::<5>(panel, &mut values),
            }
        }
        if self.activation == Activation::Relu {
            rectify(&mut values);
        }
        values
    }

    /// Adds to the sums of each piece its values times the weights.
    #[inline(always)]
    fn accumulate<const COUNT: usize, const VECTORS: usize>(
        &self,
        mut pieces: [&[f32]; COUNT],
        weights: &[[I::Floats; VECTORS]],
        mut sums: [[I::Floats; VECTORS]; COUNT],
    ) -> [[I::Floats; VECTORS]; COUNT] {
        for piece in &mut pieces {
            *piece = &piece[..weights.len()];
        }
        // By index: without optimization at link time, `zip` and closures are calls.
        for (input, weights) in weights.iter().enumerate() {
            for (place, sums) in sums.iter_mut().enumerate() {
                let value = self.isa.splat_float(pieces[place][input]);
                for (vector, sum) in sums.iter_mut().enumerate() {
                    *sum = self.isa.plus_product(*sum, value, weights[vector]);
                }
            }
        }
        sums
    }

    /// Writes the outputs of a panel into a row of outputs.
    #[inline(always)]
    fn put<const VECTORS: usize>(
        &self,
        values: &mut [f32],
        row: usize,
        panel: &Panel<I>,
        sums: &[I::Floats; VECTORS],
    ) {
        let row = &mut values[row * self.outputs..][..self.outputs];
        let mut rest = &mut row[panel.start..];
        for &sum in sums {
            let count = rest.len().min(I::FLOATS);
            self.isa.store_floats(sum, &mut rest[..count]);
            rest = &mut rest[count..];
        }
    }
}

impl<I: Floats> Panel<I> {
    /// Returns the vectors of the bias, of which there are this many.
    #[inline(always)]
    fn bias<const VECTORS: usize>(&self) -> [I::Floats; VECTORS] {
        let mut bias = [self.bias[0]; VECTORS];
        bias.copy_from_slice(&self.bias[..VECTORS]);
        bias
    }
}

/// A computation of the outputs of a layer, panel by panel.
trait ByPanel<I: Floats>: Copy {
    /// Computes the outputs of a panel of this many vectors.
    fn panel<const VECTORS: usize>(self, panel: &Panel<I>, values: &mut [f32]);
}

/// The computation of [`Layer::multiply`].
#[derive(Clone, Copy)]
struct Product<'a, I: Floats> {
    layer: &'a Layer<I>,
    rows: &'a [f32],
}

impl<I: Floats> Kernel<I> for Product<'_, I> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn run(self, _: I) -> Vec<f32> {
        let rows = self.rows.len() / self.layer.inputs;
        self.layer.run(rows, self)
    }
}

impl<I: Floats> ByPanel<I> for Product<'_, I> {
    #[inline(always)]
    fn panel<const VECTORS: usize>(self, panel: &Panel<I>, values: &mut [f32]) {
        let Product { layer, rows } = self;
        let inputs = layer.inputs;
        let weights = panel.weights.as_chunks::<VECTORS>().0;
        let bias = panel.bias();
        let tiles = rows.chunks_exact(PLACES * inputs);
        let rest = tiles.remainder();
        let mut row = 0;
        for tile in tiles {
            let mut pieces = [tile; PLACES];
            for (i, piece) in pieces.iter_mut().enumerate() {
                *piece = &tile[i * inputs..];
            }
            let sums = layer.accumulate::<PLACES, VECTORS>(pieces, weights, [bias; PLACES]);
            for sums in &sums {
                layer.put(values, row, panel, sums);
                row += 1;
            }
        }
        for piece in rest.chunks_exact(inputs) {
            let [sums] = layer.accumulate::<1, VECTORS>([piece], weights, [bias]);
            layer.put(values, row, panel, &sums);
            row += 1;
        }
    }
}

/// The computation of [`Layer::convolve`].
#[derive(Clone, Copy)]
struct Convolution<'a, I: Floats> {
    layer: &'a Layer<I>,
    padded: &'a [f32],
    /// Number of values of a line of the padded picture.
    padded_line: usize,
    channels: usize,
    /// Side of the result.
    places: usize,
}

impl<I: Floats> Kernel<I> for Convolution<'_, I> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn run(self, _: I) -> Vec<f32> {
        self.layer.run(self.places * self.places, self)
    }
}

impl<I: Floats> ByPanel<I> for Convolution<'_, I> {
    #[inline(always)]
    fn panel<const VECTORS: usize>(self, panel: &Panel<I>, values: &mut [f32]) {
        let Convolution {
            layer,
            padded,
            padded_line,
            channels,
            places,
        } = self;
        let piece = KERNEL * channels;
        let weights = panel.weights.as_chunks::<VECTORS>().0;
        let bias = panel.bias();
        for y in 0..places {
            for x in (0..places).step_by(PLACES) {
                let mut sums = [bias; PLACES];
                for (row, weights) in weights.chunks_exact(piece).enumerate() {
                    let start = (y * STRIDE + row) * padded_line + x * STRIDE * channels;
                    let mut pieces = [padded; PLACES];
                    for (i, piece) in pieces.iter_mut().enumerate() {
                        *piece = &padded[start + i * STRIDE * channels..];
                    }
                    sums = layer.accumulate(pieces, weights, sums);
                }
                for (i, sums) in sums.iter().enumerate() {
                    layer.put(values, y * places + x + i, panel, sums);
                }
            }
        }
    }
}
