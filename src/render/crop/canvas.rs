//! A small square gray picture, and effects of cameras.

use rand::Rng;

/// Side of the picture before the effects of the camera, in pixels.
pub(super) const SIDE: usize = 64;
/// [`SIDE`] as a float.
pub(super) const S: f32 = SIDE as f32;

/// Largest blur, as a share of the side.
const MOST_BLUR: f32 = 0.5;

/// Gray values, 0 black to 255 white, row by row; not clamped until the end.
#[derive(Clone, Debug)]
pub(super) struct Canvas {
    pub(super) side: usize,
    pub(super) values: Vec<f32>,
}

impl Canvas {
    pub(super) fn new(side: usize, value: f32) -> Canvas {
        Canvas {
            side,
            values: vec![value; side * side],
        }
    }

    /// Adds a function of the position to each pixel, both coordinates -0.5 to 0.5.
    pub(super) fn add(&mut self, value: impl Fn(f32, f32) -> f32) {
        let side = self.side;
        let at = |i: usize| (i as f32 + 0.5) / side as f32 - 0.5;
        let places: Vec<f32> = (0..side).map(at).collect();
        for (line, &y) in self.values.chunks_exact_mut(side).zip(&places) {
            for (pixel, &x) in line.iter_mut().zip(&places) {
                *pixel += value(x, y);
            }
        }
    }

    /// Applies a Gaussian blur with this standard deviation in pixels, the border replicated.
    pub(super) fn blur(&mut self, sigma: f32) {
        let sigma = sigma.min(MOST_BLUR * self.side as f32);
        if sigma < 0.3 {
            return;
        }
        let radius = (2.6 * sigma).ceil() as usize;
        let mut kernel: Vec<f32> = (0..=2 * radius)
            .map(|i| (-0.5 * ((i as f32 - radius as f32) / sigma).powi(2)).exp())
            .collect();
        let sum: f32 = kernel.iter().sum();
        kernel.iter_mut().for_each(|weight| *weight /= sum);
        let side = self.side;
        let mut padded = vec![0f32; side + 2 * radius];
        for line in self.values.chunks_exact_mut(side) {
            padded[..radius].fill(line[0]);
            padded[radius..radius + side].copy_from_slice(line);
            padded[radius + side..].fill(line[side - 1]);
            weigh(line, &kernel, |shift| &padded[shift..shift + side]);
        }
        let source = self.values.clone();
        for (row, line) in self.values.chunks_exact_mut(side).enumerate() {
            weigh(line, &kernel, |shift| {
                let from = (row + shift).saturating_sub(radius).min(side - 1);
                &source[from * side..(from + 1) * side]
            });
        }
    }

    /// Applies motion blur: the mean along a line of this length in pixels, at this angle.
    pub(super) fn smear(&mut self, length: f32, angle: f32) {
        let side = self.side as isize;
        let taps = (length.ceil() as usize).clamp(2, 9);
        let steps: Vec<(isize, isize)> = (0..taps)
            .map(|i| {
                let t = (i as f32 / (taps - 1) as f32 - 0.5) * length;
                (
                    (t * angle.cos()).round() as isize,
                    (t * angle.sin()).round() as isize,
                )
            })
            .collect();
        let source = self.values.clone();
        let (size, most) = (self.side, self.side as isize - 1);
        // Rows with their ends repeated: a step is never longer than a row.
        let mut padded = vec![0f32; 3 * size * size];
        for (wide, line) in padded
            .chunks_exact_mut(3 * size)
            .zip(source.chunks_exact(size))
        {
            wide[..size].fill(line[0]);
            wide[size..2 * size].copy_from_slice(line);
            wide[2 * size..].fill(line[size - 1]);
        }
        let even = vec![1.0; taps];
        for (y, line) in self.values.chunks_exact_mut(size).enumerate() {
            weigh(line, &even, |k| {
                let (dx, dy) = steps[k];
                let from = (y as isize + dy).clamp(0, most) as usize;
                let start = (side + dx.clamp(-side, side)) as usize;
                &padded[3 * size * from + start..][..size]
            });
            line.iter_mut().for_each(|value| *value /= taps as f32);
        }
    }

    /// Sharpens: amplifies differences from the neighbourhood by this share.
    pub(super) fn sharpen(&mut self, amount: f32) {
        let mut soft = self.clone();
        soft.blur(1.4);
        for (value, soft) in self.values.iter_mut().zip(&soft.values) {
            *value += amount * (*value - soft);
        }
    }

    /// Returns the picture at another size: averaged when it shrinks, bilinear when it grows.
    pub(super) fn resized(&self, side: usize) -> Canvas {
        if side == self.side {
            return self.clone();
        }
        let taps = Taps::new(self.side, side);
        let mut rows = vec![0f32; self.side * side];
        for (line, row) in self
            .values
            .chunks_exact(self.side)
            .zip(rows.chunks_exact_mut(side))
        {
            match taps.count {
                2 => taps.across::<2>(line, row),
                3 => taps.across::<3>(line, row),
                4 => taps.across::<4>(line, row),
                5 => taps.across::<5>(line, row),
                _ => {
                    for ((first, weights), value) in taps.iter().zip(row) {
                        *value = product(weights, &line[first..]);
                    }
                }
            }
        }
        let mut values = vec![0f32; side * side];
        for ((first, weights), line) in taps.iter().zip(values.chunks_exact_mut(side)) {
            weigh(line, weights, |k| {
                &rows[(first + k) * side..(first + k + 1) * side]
            });
        }
        Canvas { side, values }
    }

    /// Adds approximately normal noise with this standard deviation.
    pub(super) fn add_noise(&mut self, deviation: f32, rng: &mut impl Rng) {
        if deviation <= 0.0 {
            return;
        }
        // Sum of four 16-bit uniform numbers: variance 4/12 of their range squared.
        let scale = deviation * 3f32.sqrt() / 65536.0;
        let mut bytes = [0; 8 * 64];
        for part in self.values.chunks_mut(bytes.len() / 8) {
            rng.fill_bytes(&mut bytes[..8 * part.len()]);
            for (value, bits) in part.iter_mut().zip(bytes.as_chunks::<8>().0) {
                let [a, b, c, d, e, f, g, h] = *bits;
                let two = |bytes| {
                    let bits = u32::from_le_bytes(bytes);
                    (bits & 0xffff) + (bits >> 16)
                };
                let sum = two([a, b, c, d]) + two([e, f, g, h]);
                *value += (sum as i32 as f32 - 131_070.0) * scale;
            }
        }
    }
}

/// Replaces a line by the weighted sum of others, given by their index: the terms of every pixel in
/// the order of the weights.
fn weigh<'a>(line: &mut [f32], weights: &[f32], other: impl Fn(usize) -> &'a [f32]) {
    let mut start = 0;
    while start < line.len() {
        start += match line.len() - start {
            32.. => weigh_part::<32>(line, start, weights, &other),
            8.. => weigh_part::<8>(line, start, weights, &other),
            4.. => weigh_part::<4>(line, start, weights, &other),
            _ => weigh_part::<1>(line, start, weights, &other),
        };
    }
}

/// Computes the part of [`weigh`] that begins here, and returns its length: so short that its sums
/// stay in registers.
fn weigh_part<'a, const LENGTH: usize>(
    line: &mut [f32],
    start: usize,
    weights: &[f32],
    other: &impl Fn(usize) -> &'a [f32],
) -> usize {
    let mut sums = [0f32; LENGTH];
    for (k, &weight) in weights.iter().enumerate() {
        for (sum, value) in sums.iter_mut().zip(&other(k)[start..start + LENGTH]) {
            *sum += weight * value;
        }
    }
    line[start..start + LENGTH].copy_from_slice(&sums);
    LENGTH
}

fn product(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// For each pixel of a new side: the first old pixel that contributes to it, and the weights.
struct Taps {
    firsts: Vec<usize>,
    /// Weights per pixel; unused ones are 0.
    count: usize,
    weights: Vec<f32>,
}

impl Taps {
    fn new(from: usize, to: usize) -> Taps {
        let ratio = from as f32 / to as f32;
        let count = if from.is_multiple_of(to) {
            (from / to).max(2)
        } else if ratio > 1.0 {
            (ratio.ceil() as usize + 1).min(from)
        } else {
            2
        };
        let mut taps = Taps {
            firsts: Vec::with_capacity(to),
            count,
            weights: vec![0.0; count * to],
        };
        for (i, weights) in taps.weights.chunks_exact_mut(count).enumerate() {
            let first = if ratio > 1.0 {
                let (low, high) = (i as f32 * ratio, ((i + 1) as f32 * ratio).min(from as f32));
                let weight = |k: usize| (high.min((k + 1) as f32) - low.max(k as f32)).max(0.0);
                let last = (high.ceil() as usize).min(from);
                let sum: f32 = (low as usize..last).map(weight).sum();
                let first = (low as usize).min(from - count);
                for (value, k) in weights.iter_mut().zip(first..last) {
                    *value = weight(k) / sum;
                }
                first
            } else {
                let center = ((i as f32 + 0.5) * ratio - 0.5).clamp(0.0, (from - 1) as f32);
                let first = (center as usize).min(from - 2);
                let t = center - first as f32;
                weights.copy_from_slice(&[1.0 - t, t]);
                first
            };
            taps.firsts.push(first);
        }
        taps
    }

    fn iter(&self) -> impl Iterator<Item = (usize, &[f32])> {
        let weights = self.weights.chunks_exact(self.count);
        self.firsts.iter().copied().zip(weights)
    }

    /// Resamples a line by `COUNT` weights per pixel.
    fn across<const COUNT: usize>(&self, line: &[f32], row: &mut [f32]) {
        let (weights, _) = self.weights.as_chunks::<COUNT>();
        for ((&first, weights), value) in self.firsts.iter().zip(weights).zip(row) {
            *value = product(weights, &line[first..first + COUNT]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blurring_and_resizing_keep_the_mean_of_a_ramp() {
        let mut canvas = Canvas::new(64, 100.0);
        canvas.add(|x, y| 40.0 * x - 20.0 * y);
        let mean = |canvas: &Canvas| canvas.values.iter().sum::<f32>() / canvas.values.len() as f32;
        for sigma in [0.5, 1.0, 3.3] {
            canvas.blur(sigma);
            assert!((mean(&canvas) - 100.0).abs() < 0.1);
        }
        for side in [17, 32, 56, 64, 100] {
            assert!((mean(&canvas.resized(side)) - 100.0).abs() < 0.2, "{side}");
            assert_eq!(canvas.resized(side).values.len(), side * side);
        }
    }
}
