//! The 3 x 3 convolution of pictures of 4 x 4 pixels with a quarter of the products: the minimal filter F(4 x 4, 3 x 3)
//! of Winograd (1980), with the matrices of Lavin and Gray (2016).
//!
//! Rows and columns of a picture and of a kernel are each taken to six numbers, whose 36 products are taken back to the
//! rows and columns of the result. What is a product of numbers for one channel is one of matrices for all channels.

use super::layer::{Activation, Layer, rectify};
use super::net_config::KERNEL;
use crate::simd::{Floats, Kernel};

/// Pixels along each side of a picture.
const SIDE: usize = 4;
/// Numbers that a row or a column is taken to.
const TERMS: usize = 6;

/// Takes a row of a picture, with a zero at each end, to its terms: the columns for these zeros are left out.
const PICTURE: [[f32; SIDE]; TERMS] = [
    [0.0, -5.0, 0.0, 1.0],
    [-4.0, -4.0, 1.0, 1.0],
    [4.0, -4.0, -1.0, 1.0],
    [-2.0, -1.0, 2.0, 1.0],
    [2.0, -1.0, -2.0, 1.0],
    [4.0, 0.0, -5.0, 0.0],
];

/// Takes a row of a kernel to its terms.
const FILTER: [[f32; KERNEL]; TERMS] = [
    [1.0 / 4.0, 0.0, 0.0],
    [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
    [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
    [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
    [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
    [0.0, 0.0, 1.0],
];

/// Takes terms to a row of the result.
const RESULT: [[f32; TERMS]; SIDE] = [
    [1.0, 1.0, 1.0, 1.0, 1.0, 0.0],
    [0.0, 1.0, -1.0, 2.0, -2.0, 0.0],
    [0.0, 1.0, 1.0, 4.0, 4.0, 0.0],
    [0.0, 1.0, -1.0, 8.0, -8.0, 1.0],
];

/// A convolution of pictures of 4 x 4 pixels, zeros around them, whose negative results become zero.
#[derive(Debug)]
pub(super) struct Winograd<I: Floats> {
    isa: I,
    /// The products of the terms, row by row.
    products: Vec<Layer<I>>,
    bias: Vec<f32>,
    channels: usize,
}

impl<I: Floats> Winograd<I> {
    /// Returns a convolution of these weights, given as `[input, output]`; the inputs are the channels of the first pixel of the
    /// kernel, then those of the next.
    pub(super) fn new(
        isa: I,
        channels: usize,
        bias: &[f32],
        weight: impl Fn(usize, usize) -> f32,
    ) -> Winograd<I> {
        let outputs = bias.len();
        let mut terms = vec![vec![0.0; channels * outputs]; TERMS * TERMS];
        for channel in 0..channels {
            for output in 0..outputs {
                let kernel =
                    std::array::from_fn(|pixel| weight(pixel * channels + channel, output));
                for (terms, term) in terms.iter_mut().zip(of_kernel(&kernel)) {
                    terms[channel * outputs + output] = term;
                }
            }
        }
        let none = vec![0.0; outputs];
        let product = |weights: Vec<f32>| {
            Layer::new(isa, Activation::None, channels, &none, |channel, output| {
                weights[channel * outputs + output]
            })
        };
        Winograd {
            isa,
            products: terms.into_iter().map(product).collect(),
            bias: bias.to_vec(),
            channels,
        }
    }

    /// Returns the results for some pictures, given and returned one after the other, with the channels of a pixel side
    /// by side.
    pub(super) fn convolve(&self, pictures: &[f32]) -> Vec<f32> {
        let count = pictures.len() / (SIDE * SIDE * self.channels);
        if count == 0 {
            return Vec::new();
        }
        let pictures_apart = |channels: usize| Layout {
            place: channels,
            picture: SIDE * SIDE * channels,
        };
        let terms_apart = |channels: usize| Layout {
            place: count * channels,
            picture: channels,
        };
        let terms = self.isa.run(Transform {
            matrix: &PICTURE,
            channels: self.channels,
            count,
            values: pictures,
            from: pictures_apart(self.channels),
            sums: vec![0.0; TERMS * TERMS * count * self.channels],
            to: terms_apart(self.channels),
        });
        let rows = terms.chunks_exact(count * self.channels);
        let outputs = self.bias.len();
        let mut products = Vec::with_capacity(TERMS * TERMS * count * outputs);
        for (product, rows) in self.products.iter().zip(rows) {
            products.extend(product.multiply(rows));
        }
        let mut results = self.isa.run(Transform {
            matrix: &RESULT,
            channels: outputs,
            count,
            values: &products,
            from: terms_apart(outputs),
            sums: self.bias.repeat(SIDE * SIDE * count),
            to: pictures_apart(outputs),
        });
        rectify(&mut results);
        results
    }
}

/// Returns the terms of a kernel, row by row.
fn of_kernel(kernel: &[f32; KERNEL * KERNEL]) -> [f32; TERMS * TERMS] {
    std::array::from_fn(|term| {
        let (down, across) = (&FILTER[term / TERMS], &FILTER[term % TERMS]);
        let pixel = |at: usize| down[at / KERNEL] * across[at % KERNEL] * kernel[at];
        (0..KERNEL * KERNEL).map(pixel).sum()
    })
}

/// Adds a multiple of some values.
#[inline(always)]
fn add(sums: &mut [f32], factor: f32, values: &[f32]) {
    if factor != 0.0 {
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += factor * value;
        }
    }
}

/// How far apart the numbers of the places of a picture lie, and those of the pictures; those of all channels lie side by side.
#[derive(Clone, Copy)]
struct Layout {
    place: usize,
    picture: usize,
}

impl Layout {
    #[inline(always)]
    fn at(self, place: usize, picture: usize) -> usize {
        place * self.place + picture * self.picture
    }
}

/// The computation of `matrix * values * transposed matrix`, added to sums, for each picture and channel.
struct Transform<'a, const FROM: usize, const TO: usize> {
    matrix: &'a [[f32; FROM]; TO],
    channels: usize,
    /// Number of pictures.
    count: usize,
    values: &'a [f32],
    from: Layout,
    sums: Vec<f32>,
    to: Layout,
}

impl<I: Floats, const FROM: usize, const TO: usize> Kernel<I> for Transform<'_, FROM, TO> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn run(mut self, _: I) -> Vec<f32> {
        let channels = self.channels;
        let mut half = vec![0.0; TO * FROM * channels];
        for picture in 0..self.count {
            half.fill(0.0);
            for (i, factors) in self.matrix.iter().enumerate() {
                for j in 0..FROM {
                    let sums = &mut half[(i * FROM + j) * channels..][..channels];
                    for (k, &factor) in factors.iter().enumerate() {
                        let at = self.from.at(k * FROM + j, picture);
                        add(sums, factor, &self.values[at..][..channels]);
                    }
                }
            }
            for (i, row) in half.chunks_exact(FROM * channels).enumerate() {
                for (j, factors) in self.matrix.iter().enumerate() {
                    let at = self.to.at(i * TO + j, picture);
                    let sums = &mut self.sums[at..][..channels];
                    for (&factor, values) in factors.iter().zip(row.chunks_exact(channels)) {
                        add(sums, factor, values);
                    }
                }
            }
        }
        self.sums
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::digits::random::normal;
    use crate::simd::Portable;

    #[test]
    fn the_results_are_those_of_the_definition() {
        let (channels, outputs, count) = (5, 3, 7);
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        let mut numbers =
            |count: usize| -> Vec<f32> { (0..count).map(|_| normal(&mut rng)).collect() };
        let pictures = numbers(count * SIDE * SIDE * channels);
        let weights = numbers(KERNEL * KERNEL * channels * outputs);
        let bias = numbers(outputs);
        let weight = |input: usize, output: usize| weights[input * outputs + output];
        let found = Winograd::new(Portable, channels, &bias, weight).convolve(&pictures);
        assert_eq!(found.len(), count * SIDE * SIDE * outputs);
        assert!(
            Winograd::new(Portable, channels, &bias, weight)
                .convolve(&[])
                .is_empty()
        );
        for (at, found) in found.into_iter().enumerate() {
            let (place, output) = (at / outputs, at % outputs);
            let (picture, y, x) = (place / 16, place / 4 % 4, place % 4);
            let mut sum = bias[output];
            for pixel in 0..KERNEL * KERNEL {
                let (row, column) = (y + pixel / KERNEL, x + pixel % KERNEL);
                if (1..=SIDE).contains(&row) && (1..=SIDE).contains(&column) {
                    let place = picture * 16 + (row - 1) * SIDE + column - 1;
                    sum += (0..channels)
                        .map(|channel| {
                            pictures[place * channels + channel]
                                * weight(pixel * channels + channel, output)
                        })
                        .sum::<f32>();
                }
            }
            assert!((found - sum.max(0.0)).abs() < 1e-4, "{found} against {sum}");
        }
    }
}
