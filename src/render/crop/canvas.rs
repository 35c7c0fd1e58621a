//! A small square gray picture and what cameras do to it.

use rand::Rng;

/// Side of the picture that is drawn before the camera takes it, in pixels.
pub(super) const SIDE: usize = 64;
/// [`SIDE`] as a number to draw with.
pub(super) const S: f32 = SIDE as f32;

/// Gray values, 0 black to 255 white, row by row; values beyond stay until the end.
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

    /// Adds to each pixel a value of its place, both coordinates -0.5 to 0.5.
    pub(super) fn add(&mut self, value: impl Fn(f32, f32) -> f32) {
        let side = self.side;
        let at = |i: usize| (i as f32 + 0.5) / side as f32 - 0.5;
        for (row, line) in self.values.chunks_exact_mut(side).enumerate() {
            let y = at(row);
            for (column, pixel) in line.iter_mut().enumerate() {
                *pixel += value(at(column), y);
            }
        }
    }

    /// Gaussian blur with this standard deviation in pixels, the border replicated.
    pub(super) fn blur(&mut self, sigma: f32) {
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
            line.fill(0.0);
            for (shift, &weight) in kernel.iter().enumerate() {
                for (value, source) in line.iter_mut().zip(&padded[shift..]) {
                    *value += weight * source;
                }
            }
        }
        let source = std::mem::replace(&mut self.values, vec![0.0; side * side]);
        for (row, line) in self.values.chunks_exact_mut(side).enumerate() {
            for (shift, &weight) in kernel.iter().enumerate() {
                let from = (row + shift).saturating_sub(radius).min(side - 1);
                let other = &source[from * side..(from + 1) * side];
                for (value, source) in line.iter_mut().zip(other) {
                    *value += weight * source;
                }
            }
        }
    }

    /// The mean along a line of this length in pixels, at this angle.
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
        for (i, value) in self.values.iter_mut().enumerate() {
            let (x, y) = (i as isize % side, i as isize / side);
            let sum: f32 = steps
                .iter()
                .map(|(dx, dy)| {
                    let (x, y) = ((x + dx).clamp(0, side - 1), (y + dy).clamp(0, side - 1));
                    source[(y * side + x) as usize]
                })
                .sum();
            *value = sum / taps as f32;
        }
    }

    /// Raises what differs from the neighbourhood, by this share.
    pub(super) fn sharpen(&mut self, amount: f32) {
        let mut soft = self.clone();
        soft.blur(1.4);
        for (value, soft) in self.values.iter_mut().zip(&soft.values) {
            *value += amount * (*value - soft);
        }
    }

    /// The picture at another size: area means when it shrinks, bilinear when it grows.
    pub(super) fn resized(&self, side: usize) -> Canvas {
        if side == self.side {
            return self.clone();
        }
        let taps = weights(self.side, side);
        let mut rows = vec![0f32; self.side * side];
        for (line, row) in self
            .values
            .chunks_exact(self.side)
            .zip(rows.chunks_exact_mut(side))
        {
            for ((first, weights), value) in taps.iter().zip(row) {
                *value = weights
                    .iter()
                    .zip(&line[*first..])
                    .map(|(w, v)| w * v)
                    .sum();
            }
        }
        let mut values = vec![0f32; side * side];
        for ((first, weights), line) in taps.iter().zip(values.chunks_exact_mut(side)) {
            for (k, weight) in weights.iter().enumerate() {
                let source = &rows[(first + k) * side..(first + k + 1) * side];
                for (value, source) in line.iter_mut().zip(source) {
                    *value += weight * source;
                }
            }
        }
        Canvas { side, values }
    }

    /// Adds close to normal noise with this standard deviation.
    pub(super) fn add_noise(&mut self, deviation: f32, rng: &mut impl Rng) {
        if deviation <= 0.0 {
            return;
        }
        // Sum of four 16-bit uniform numbers: variance 4/12 of their range squared.
        let scale = deviation * 3f32.sqrt() / 65536.0;
        for value in &mut self.values {
            let bits = rng.next_u64();
            let sum: u64 = (0..4).map(|i| bits >> (16 * i) & 0xffff).sum();
            *value += (sum as f32 - 131_070.0) * scale;
        }
    }
}

/// For each pixel of the new side: the first old pixel it is made of, and the weights.
fn weights(from: usize, to: usize) -> Vec<(usize, Vec<f32>)> {
    let ratio = from as f32 / to as f32;
    (0..to)
        .map(|i| {
            if ratio > 1.0 {
                let (low, high) = (i as f32 * ratio, ((i + 1) as f32 * ratio).min(from as f32));
                let first = low as usize;
                let last = (high.ceil() as usize).min(from);
                let weight = |k: usize| (high.min((k + 1) as f32) - low.max(k as f32)).max(0.0);
                let sum: f32 = (first..last).map(weight).sum();
                (first, (first..last).map(|k| weight(k) / sum).collect())
            } else {
                let center = ((i as f32 + 0.5) * ratio - 0.5).clamp(0.0, (from - 1) as f32);
                let first = (center as usize).min(from - 2);
                let t = center - first as f32;
                (first, vec![1.0 - t, t])
            }
        })
        .collect()
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
