//! Bilinear sampling of a gray picture along a line, eight points at a time.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::avx2::Avx2;

/// Fraction bits of a coordinate.
const FRACTION: i32 = 16;
/// Number of points that are sampled at once.
const LANES: usize = 8;

impl Avx2 {
    /// Samples a picture at points that begin at `start` and are `step` apart, and returns the
    /// number of values written: a multiple of eight. Points are `[x, y]` in pixels with 16
    /// fraction bits; a value is the bilinear mean of the pixel there, the next one and the two
    /// below, with weights of eight bits.
    ///
    /// None are written if a point may lie outside, or too near to the end of the picture.
    pub fn sample_along(
        self,
        pixels: &[u8],
        width: usize,
        start: [i32; 2],
        step: [i32; 2],
        values: &mut [u8],
    ) -> usize {
        let count = values.len() / LANES * LANES;
        let steps = i64::try_from(count).unwrap_or(i64::MAX).saturating_sub(1);
        let ends = |axis: usize| {
            let (first, step) = (i64::from(start[axis]), i64::from(step[axis]));
            let last = first.saturating_add(step.saturating_mul(steps));
            (first.min(last), first.max(last))
        };
        let ((left, right), (top, bottom)) = (ends(0), ends(1));
        let pixel = |place: i64| usize::try_from(place >> FRACTION).ok();
        // Between the ends of a line there is nothing farther out. Four bytes are read where two are needed.
        let end = || {
            let row = pixel(bottom)?.checked_add(1)?;
            row.checked_mul(width)?
                .checked_add(pixel(right)?)?
                .checked_add(4)
        };
        let fits = end().is_some_and(|end| end <= pixels.len());
        // Places and indices are numbers of 32 bits.
        let is_small = right.max(bottom) <= i64::from(i32::MAX)
            && i32::try_from(pixels.len()).is_ok()
            && i32::try_from(width).is_ok();
        if count == 0 || left < 0 || top < 0 || !fits || !is_small {
            return 0;
        }
        let blocks = values.as_chunks_mut().0;
        // SAFETY: the token is proof that the CPU has AVX2, and all places were found to be inside.
        unsafe { sample_blocks(pixels.as_ptr(), width as i32, start, step, blocks) };
        count
    }
}

/// Samples blocks of eight points, one after the other.
///
/// # Safety
///
/// Four bytes must be readable at the pixel of each point and at the one below it.
#[target_feature(enable = "avx2")]
unsafe fn sample_blocks(
    pixels: *const u8,
    width: i32,
    mut start: [i32; 2],
    step: [i32; 2],
    blocks: &mut [[u8; LANES]],
) {
    for values in blocks {
        // SAFETY: as the caller says.
        *values = unsafe { sample_block(pixels, width, start, step) };
        for (start, step) in start.iter_mut().zip(step) {
            *start = start.wrapping_add(step.wrapping_mul(LANES as i32));
        }
    }
}

/// Samples eight points.
///
/// # Safety
///
/// As of [`sample_blocks`].
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn sample_block(
    pixels: *const u8,
    width: i32,
    start: [i32; 2],
    step: [i32; 2],
) -> [u8; LANES] {
    let number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    let along = |axis: usize| {
        let steps = _mm256_mullo_epi32(number, _mm256_set1_epi32(step[axis]));
        _mm256_add_epi32(_mm256_set1_epi32(start[axis]), steps)
    };
    let (x, y) = (along(0), along(1));
    let rows = _mm256_mullo_epi32(_mm256_srli_epi32::<FRACTION>(y), _mm256_set1_epi32(width));
    let at = _mm256_add_epi32(rows, _mm256_srli_epi32::<FRACTION>(x));
    let below = _mm256_add_epi32(at, _mm256_set1_epi32(width));
    // SAFETY: the caller says that these bytes are readable.
    let [above, below] =
        [at, below].map(|at| unsafe { _mm256_i32gather_epi32::<1>(pixels.cast(), at) });
    // The first two bytes of each lane as numbers of 16 bits.
    let two = _mm_setr_epi8(0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13, -1);
    let two = _mm256_broadcastsi128_si256(two);
    let weight = |place| _mm256_and_si256(_mm256_srli_epi32::<8>(place), _mm256_set1_epi32(255));
    let (s, t) = (weight(x), weight(y));
    // The weight of the left pixel in the lower half of a lane, that of the right one in the upper.
    let across = _mm256_or_si256(
        _mm256_sub_epi32(_mm256_set1_epi32(256), s),
        _mm256_slli_epi32::<16>(s),
    );
    let mixed = |row| _mm256_madd_epi16(_mm256_shuffle_epi8(row, two), across);
    let (above, below) = (mixed(above), mixed(below));
    let down = _mm256_mullo_epi32(t, _mm256_sub_epi32(below, above));
    let sum = _mm256_add_epi32(_mm256_slli_epi32::<8>(above), down);
    let value = _mm256_srli_epi32::<16>(_mm256_add_epi32(sum, _mm256_set1_epi32(1 << 15)));
    let bytes = _mm_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    let bytes = _mm256_shuffle_epi8(value, _mm256_broadcastsi128_si256(bytes));
    let halves = [
        _mm256_extract_epi32::<0>(bytes).to_le_bytes(),
        _mm256_extract_epi32::<4>(bytes).to_le_bytes(),
    ];
    let mut values = [0; LANES];
    values.copy_from_slice(halves.as_flattened());
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const ONE: i32 = 1 << FRACTION;

    /// The gray value at a place, by the definition.
    fn value(pixels: &[u8], width: usize, [x, y]: [i32; 2]) -> u8 {
        let at = (y >> FRACTION) as usize * width + (x >> FRACTION) as usize;
        let [s, t] = [x, y].map(|place| i64::from(place >> 8 & 255));
        let row = |at: usize| i64::from(pixels[at]) * (256 - s) + i64::from(pixels[at + 1]) * s;
        ((row(at) * (256 - t) + row(at + width) * t + (1 << 15)) >> 16) as u8
    }

    #[test]
    fn samples_match_the_definition_and_nothing_is_read_out_of_bounds() {
        let Some(isa) = Avx2::detect() else { return };
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let (mut sampled, mut refused) = (0, 0);
        for _ in 0..if cfg!(miri) { 10 } else { 20_000 } {
            let (width, height) = (rng.random_range(1..40), rng.random_range(1..40));
            let pixels: Vec<u8> = (0..width * height).map(|_| rng.random()).collect();
            let mut place = |side: usize| rng.random_range(-2 * ONE..(side as i32 + 2) * ONE);
            let start = [place(width), place(height)];
            let step = [(); 2].map(|()| rng.random_range(-2 * ONE..2 * ONE));
            let mut values = vec![0; rng.random_range(0..40)];
            let done = isa.sample_along(&pixels, width, start, step, &mut values);
            assert!(done == 0 || done == values.len() / LANES * LANES);
            for (number, &found) in (0..).zip(&values[..done]) {
                let at = [0, 1].map(|axis| start[axis] + number * step[axis]);
                // After the end of a row the next one starts.
                assert_eq!(found, value(&pixels, width, at));
            }
            sampled += usize::from(done > 0);
            refused += usize::from(done == 0 && values.len() >= LANES);
        }
        assert!(
            cfg!(miri) || (sampled > 500 && refused > 500),
            "{sampled} {refused}"
        );
    }

    #[test]
    fn positions_beyond_32_bits_are_refused() {
        let Some(isa) = Avx2::detect() else { return };
        let pixels = vec![7; 80_000 * 3];
        let mut values = [0; 16];
        for (start, step) in [
            ([i32::MAX - ONE, 0], [ONE, 0]),
            ([i32::MAX, i32::MAX], [i32::MAX, i32::MAX]),
            ([0, 0], [i32::MIN, 0]),
            ([i32::MIN, 0], [0, 0]),
        ] {
            assert_eq!(
                isa.sample_along(&pixels, 80_000, start, step, &mut values),
                0
            );
        }
        assert_eq!(
            isa.sample_along(&pixels, usize::MAX, [0, ONE], [0, 0], &mut values),
            0
        );
        assert_eq!(isa.sample_along(&[], 0, [0, 0], [0, 0], &mut values), 0);
    }
}
