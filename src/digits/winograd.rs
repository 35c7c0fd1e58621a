//! The 3 x 3 convolution of pictures of 4 x 4 pixels with a quarter of the products: the minimal filter F(4 x 4, 3 x 3)
//! of Winograd (1980), with the matrices of Lavin and Gray (2016).
//!
//! Rows and columns of a picture and of a kernel are each taken to six numbers, whose 36 products are taken back to the
//! rows and columns of the result. What is a product of numbers for one channel is one of matrices for all channels.

use super::layer::{Activation, Layer};
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
        let terms = self.isa.run(ToTerms {
            pictures,
            channels: self.channels,
            count,
        });
        let rows = terms.chunks_exact(count * self.channels);
        let mut products = Vec::with_capacity(terms.len() / self.channels * self.bias.len());
        for (product, rows) in self.products.iter().zip(rows) {
            products.extend(product.multiply(rows));
        }
        self.isa.run(ToResults {
            products: &products,
            bias: &self.bias,
            count,
        })
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

/// The computation of the terms of pictures: `[TERMS, TERMS, picture, channel]`.
struct ToTerms<'a> {
    pictures: &'a [f32],
    channels: usize,
    count: usize,
}

impl<I: Floats> Kernel<I> for ToTerms<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn run(self, _: I) -> Vec<f32> {
        let ToTerms {
            pictures,
            channels,
            count,
        } = self;
        let mut terms = vec![0.0; TERMS * TERMS * count * channels];
        let mut half = vec![0.0; TERMS * SIDE * channels];
        for (number, picture) in pictures.chunks_exact(SIDE * SIDE * channels).enumerate() {
            half.fill(0.0);
            for (i, row) in half.chunks_exact_mut(SIDE * channels).enumerate() {
                for (y, line) in picture.chunks_exact(SIDE * channels).enumerate() {
                    add(row, PICTURE[i][y], line);
                }
            }
            for (i, row) in half.chunks_exact(SIDE * channels).enumerate() {
                for (j, factors) in PICTURE.iter().enumerate() {
                    let at = ((i * TERMS + j) * count + number) * channels;
                    for (x, pixel) in row.chunks_exact(channels).enumerate() {
                        add(&mut terms[at..][..channels], factors[x], pixel);
                    }
                }
            }
        }
        terms
    }
}

/// The computation of results: `[picture, SIDE, SIDE, output]`.
struct ToResults<'a> {
    products: &'a [f32],
    bias: &'a [f32],
    count: usize,
}

impl<I: Floats> Kernel<I> for ToResults<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn run(self, _: I) -> Vec<f32> {
        let ToResults {
            products,
            bias,
            count,
        } = self;
        let outputs = bias.len();
        let mut results = Vec::with_capacity(count * SIDE * SIDE * outputs);
        let mut half = vec![0.0; SIDE * TERMS * outputs];
        for number in 0..count {
            half.fill(0.0);
            for (y, row) in half.chunks_exact_mut(TERMS * outputs).enumerate() {
                for (j, sums) in row.chunks_exact_mut(outputs).enumerate() {
                    for (i, factors) in RESULT[y].iter().enumerate() {
                        let at = ((i * TERMS + j) * count + number) * outputs;
                        add(sums, *factors, &products[at..][..outputs]);
                    }
                }
            }
            for row in half.chunks_exact(TERMS * outputs) {
                for factors in &RESULT {
                    let start = results.len();
                    results.extend_from_slice(bias);
                    for (j, terms) in row.chunks_exact(outputs).enumerate() {
                        add(&mut results[start..], factors[j], terms);
                    }
                }
            }
        }
        // Not by `max`, which would hide a NaN.
        for value in &mut results {
            *value = if *value < 0.0 { 0.0 } else { *value };
        }
        results
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
