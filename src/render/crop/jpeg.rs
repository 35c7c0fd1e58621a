//! The loss of JPEG compression at low quality, without making a file.

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

/// The orthonormal cosines of the 8-point DCT-II, one per row.
static COSINES: LazyLock<[[f32; 8]; 8]> = LazyLock::new(|| {
    std::array::from_fn(|k| {
        let norm: f32 = if k == 0 { 0.125 } else { 0.25 };
        std::array::from_fn(|n| norm.sqrt() * (PI * (n as f32 + 0.5) * k as f32 / 8.0).cos())
    })
});

/// The same, transposed.
static COSINE_COLUMNS: LazyLock<[[f32; 8]; 8]> =
    LazyLock::new(|| std::array::from_fn(|n| std::array::from_fn(|k| COSINES[k][n])));

/// Replaces a picture with rows of `width` values by its reconstruction from a JPEG of this quality
/// (1 to 100, scaled as the Independent JPEG Group's encoder does), whose blocks begin at `start`.
pub(super) fn recompress(values: &mut [f32], width: usize, quality: f32, start: (usize, usize)) {
    let height = values.len() / width;
    let scale = match quality < 50.0 {
        true => 50.0 / quality.max(1.0),
        false => 2.0 - quality.min(100.0) / 50.0,
    };
    let mut quanta = QUANTA;
    for quantum in &mut quanta {
        *quantum = round(*quantum * scale).clamp(1.0, 255.0);
    }
    let (left, top) = (start.0 % 8, start.1 % 8);
    // The picture grown to whole blocks, its edges repeated.
    let pitch = (left + width).next_multiple_of(8);
    let lines = (top + height).next_multiple_of(8);
    let mut padded = vec![0f32; pitch * lines];
    for (y, line) in padded.chunks_exact_mut(pitch).enumerate() {
        let from = y.saturating_sub(top).min(height - 1);
        let source = &values[from * width..][..width];
        line[..left].fill(source[0]);
        line[left..left + width].copy_from_slice(source);
        line[left + width..].fill(source[width - 1]);
    }
    for strip in padded.chunks_exact_mut(8 * pitch) {
        for x in (0..pitch).step_by(8) {
            let mut block = [0f32; 64];
            for (line, part) in strip.chunks_exact(pitch).zip(block.chunks_exact_mut(8)) {
                for (value, source) in part.iter_mut().zip(&line[x..x + 8]) {
                    *value = source.clamp(0.0, 255.0) - 128.0;
                }
            }
            let mut shares = transform(&block, &COSINES, &COSINE_COLUMNS);
            for (share, quantum) in shares.iter_mut().zip(quanta) {
                *share = round(*share / quantum) * quantum;
            }
            let back = transform(&shares, &COSINE_COLUMNS, &COSINES);
            for (line, part) in strip.chunks_exact_mut(pitch).zip(back.chunks_exact(8)) {
                for (value, back) in line[x..x + 8].iter_mut().zip(part) {
                    *value = back + 128.0;
                }
            }
        }
    }
    for (line, source) in values
        .chunks_exact_mut(width)
        .zip(padded.chunks_exact(pitch).skip(top))
    {
        line.copy_from_slice(&source[left..left + width]);
    }
}

/// Rounds like `f32::round`, for numbers that fit into 23 bits, without a call into the C library.
fn round(value: f32) -> f32 {
    let whole = value as i32 as f32;
    let part = value - whole;
    whole + f32::from(i8::from(part >= 0.5) - i8::from(part <= -0.5))
}

/// Returns `M B Mᵀ`, from the rows of the matrix and its columns.
fn transform(block: &[f32; 64], rows: &[[f32; 8]; 8], columns: &[[f32; 8]; 8]) -> [f32; 64] {
    let mut half = [0f32; 64];
    for (weights, sums) in rows.iter().zip(half.chunks_exact_mut(8)) {
        for (&weight, line) in weights.iter().zip(block.chunks_exact(8)) {
            for (sum, value) in sums.iter_mut().zip(line) {
                *sum += weight * value;
            }
        }
    }
    let mut whole = [0f32; 64];
    for (values, sums) in half.chunks_exact(8).zip(whole.chunks_exact_mut(8)) {
        for (&value, weights) in values.iter().zip(columns) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += value * weight;
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

    #[test]
    fn rounding_agrees_with_the_standard_library() {
        for i in -4000..4000 {
            let value = i as f32 / 8.0;
            for value in [value.next_down(), value, value.next_up()] {
                assert_eq!(round(value), value.round(), "{value}");
            }
        }
    }
}
