//! What a JPEG of low quality does to gray values: the loss without the file.

use std::f32::consts::PI;
use std::sync::LazyLock;

/// Luminance quantization of ITU-T T.81, table K.1.
const QUANTA: [f32; 64] = [
    16.0, 11.0, 10.0, 16.0, 24.0, 40.0, 51.0, 61.0, 12.0, 12.0, 14.0, 19.0, 26.0, 58.0, 60.0, 55.0,
    14.0, 13.0, 16.0, 24.0, 40.0, 57.0, 69.0, 56.0, 14.0, 17.0, 22.0, 29.0, 51.0, 87.0, 80.0, 62.0,
    18.0, 22.0, 37.0, 56.0, 68.0, 109.0, 103.0, 77.0, 24.0, 35.0, 55.0, 64.0, 81.0, 104.0, 113.0,
    92.0, 49.0, 64.0, 78.0, 87.0, 103.0, 121.0, 120.0, 101.0, 72.0, 92.0, 95.0, 98.0, 112.0, 100.0,
    103.0, 99.0,
];

/// Rows are the orthonormal cosines of the 8-point DCT-II.
static COSINES: LazyLock<[[f32; 8]; 8]> = LazyLock::new(|| {
    std::array::from_fn(|k| {
        let norm: f32 = if k == 0 { 0.125 } else { 0.25 };
        std::array::from_fn(|n| norm.sqrt() * (PI * (n as f32 + 0.5) * k as f32 / 8.0).cos())
    })
});

/// Replaces a picture of `width` values a row by what is left of it after a JPEG of this quality (1
/// to 100, scaled as the Independent JPEG Group's encoder does), whose blocks begin at `start`.
pub(super) fn recompress(values: &mut [f32], width: usize, quality: f32, start: (usize, usize)) {
    let height = values.len() / width;
    let scale = match quality < 50.0 {
        true => 50.0 / quality.max(1.0),
        false => 2.0 - quality.min(100.0) / 50.0,
    };
    let quanta = QUANTA.map(|quantum| (quantum * scale).round().clamp(1.0, 255.0));
    let blocks = |start: usize, length: usize| {
        (0..)
            .map(move |k| (8 * k) as isize - (start % 8) as isize)
            .take_while(move |&at| at < length as isize)
    };
    for top in blocks(start.1, height) {
        for left in blocks(start.0, width) {
            let at = |i: usize| {
                let x = (left + (i % 8) as isize).clamp(0, width as isize - 1) as usize;
                let y = (top + (i / 8) as isize).clamp(0, height as isize - 1) as usize;
                y * width + x
            };
            let block: [f32; 64] = std::array::from_fn(|i| values[at(i)].clamp(0.0, 255.0) - 128.0);
            let mut shares = transform(&block, &COSINES, false);
            for (share, quantum) in shares.iter_mut().zip(quanta) {
                *share = (*share / quantum).round() * quantum;
            }
            let back = transform(&shares, &COSINES, true);
            for (i, value) in back.into_iter().enumerate() {
                let (x, y) = (left + (i % 8) as isize, top + (i / 8) as isize);
                if x >= 0 && y >= 0 && x < width as isize && y < height as isize {
                    values[at(i)] = value + 128.0;
                }
            }
        }
    }
}

/// `C B Cᵀ`, or the inverse `Cᵀ B C`.
fn transform(block: &[f32; 64], cosines: &[[f32; 8]; 8], inverse: bool) -> [f32; 64] {
    let c = |k: usize, n: usize| {
        if inverse {
            cosines[n][k]
        } else {
            cosines[k][n]
        }
    };
    let mut half = [0f32; 64];
    for k in 0..8 {
        for n in 0..8 {
            let weight = c(k, n);
            for j in 0..8 {
                half[8 * k + j] += weight * block[8 * n + j];
            }
        }
    }
    let mut whole = [0f32; 64];
    for i in 0..8 {
        for n in 0..8 {
            let value = half[8 * i + n];
            for k in 0..8 {
                whole[8 * i + k] += value * c(k, n);
            }
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn high_quality_keeps_the_picture_and_low_quality_does_not() {
        let picture: Vec<f32> = (0..30 * 20).map(|i| (i * 37 % 200) as f32 + 20.0).collect();
        let error = |quality| {
            let mut values = picture.clone();
            recompress(&mut values, 30, quality, (3, 5));
            let apart = values.iter().zip(&picture).map(|(a, b)| (a - b).abs());
            apart.sum::<f32>() / picture.len() as f32
        };
        assert!(error(100.0) < 1.0);
        assert!(error(20.0) > 5.0);
    }
}
