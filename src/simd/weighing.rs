//! Weighted means of neighbouring bytes, eight at a time: rows of a picture made narrower or wider.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::avx2::Avx2;

/// Number of means that are taken at once, four in each half of a vector.
const LANES: usize = 8;
/// Bytes from which one half of a vector takes its means.
const WINDOW: usize = 16;

/// The bytes of a row, and their weights, of which each value of a new row is the mean.
#[derive(Clone, Debug)]
pub struct RowWeights {
    /// Length of the rows that are read.
    from: usize,
    /// Length of the rows that are written.
    to: usize,
    /// Fraction bits of the weights.
    precision: i32,
    /// Pairs of weights of each value.
    pairs: usize,
    /// Where the bytes of each four values begin.
    starts: Vec<[usize; 2]>,
    /// For each eight values, pair by pair: the places of two bytes for each value.
    places: Vec<[u8; 2 * WINDOW]>,
    /// Likewise, the weights of the two bytes.
    weights: Vec<[i16; WINDOW]>,
}

impl RowWeights {
    /// Returns the weights in this form; `None` where rows are too short for it, or the bytes of
    /// four neighbouring values too far apart. `values` has, for each value of a new row, the first
    /// byte of its mean and the weights from there on, in units of `1 / (1 << precision)`.
    pub fn new(from: usize, precision: u32, values: &[(usize, Vec<i16>)]) -> Option<RowWeights> {
        let most = values.iter().map(|(_, weights)| weights.len()).max()?;
        let pairs = most.div_ceil(2).max(1);
        let mut laid = RowWeights {
            from,
            to: values.len(),
            precision: i32::try_from(precision)
                .ok()
                .filter(|&it| (1..=16).contains(&it))?,
            pairs,
            starts: Vec::new(),
            places: Vec::new(),
            weights: Vec::new(),
        };
        for eight in values.chunks(LANES) {
            let first = laid.places.len();
            laid.places.resize(first + pairs, [u8::MAX; 2 * WINDOW]);
            laid.weights.resize(first + pairs, [0; WINDOW]);
            let mut starts = [0; 2];
            for (half, four) in eight.chunks(LANES / 2).enumerate() {
                let start = four.iter().map(|(first, _)| *first).min()?;
                let start = start.min(from.checked_sub(WINDOW)?);
                starts[half] = start;
                for (lane, (at, weights)) in four.iter().enumerate() {
                    if at.checked_add(weights.len())? > start + WINDOW {
                        return None;
                    }
                    for (number, &weight) in weights.iter().enumerate() {
                        let place = at + number - start;
                        let (pair, side) = (first + number / 2, number % 2);
                        let lane = half * LANES / 2 + lane;
                        laid.places[pair][4 * lane + 2 * side] = place as u8;
                        laid.weights[pair][2 * lane + side] = weight;
                    }
                }
            }
            laid.starts.push(starts);
        }
        Some(laid)
    }
}

impl Avx2 {
    /// Takes the means of each row of a picture, rounded, and at least 0 and at most 255. Returns the
    /// new rows, one after the other; what remains after the last whole row is left out.
    pub fn weigh_rows(self, pixels: &[u8], weights: &RowWeights) -> Vec<u8> {
        let rows = pixels.chunks_exact(weights.from);
        let mut means = vec![0; rows.len() * weights.to];
        for (row, means) in rows.zip(means.chunks_exact_mut(weights.to)) {
            // SAFETY: the token is proof that the CPU has AVX2, and the row is as long as those that
            // the weights were made for.
            unsafe { weigh_row(row, weights, means) };
        }
        means
    }
}

/// Takes the means of one row.
///
/// # Safety
///
/// The row must have the length that the weights were made for.
#[target_feature(enable = "avx2")]
unsafe fn weigh_row(row: &[u8], weights: &RowWeights, means: &mut [u8]) {
    let half = _mm256_set1_epi32(1 << (weights.precision - 1));
    let precision = _mm_cvtsi32_si128(weights.precision);
    let places = weights.places.chunks_exact(weights.pairs);
    let pairs = places.zip(weights.weights.chunks_exact(weights.pairs));
    for ((means, starts), (places, weights)) in
        means.chunks_mut(LANES).zip(&weights.starts).zip(pairs)
    {
        // SAFETY: `RowWeights::new` lets each of these begin at least 16 bytes before the row ends.
        let bytes = starts.map(|start| unsafe { _mm_loadu_si128(row.as_ptr().add(start).cast()) });
        let bytes = _mm256_set_m128i(bytes[1], bytes[0]);
        let mut sum = half;
        for (places, weights) in places.iter().zip(weights) {
            // SAFETY: both have 32 bytes.
            let (places, weights) = unsafe {
                (
                    _mm256_loadu_si256(places.as_ptr().cast()),
                    _mm256_loadu_si256(weights.as_ptr().cast()),
                )
            };
            let two = _mm256_shuffle_epi8(bytes, places);
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(two, weights));
        }
        let mean = _mm256_sra_epi32(sum, precision);
        let mean = _mm256_packus_epi16(_mm256_packs_epi32(mean, mean), mean);
        let four = [
            _mm256_extract_epi32::<0>(mean),
            _mm256_extract_epi32::<4>(mean),
        ];
        let eight = four.map(i32::to_le_bytes);
        let eight = eight.as_flattened();
        means.copy_from_slice(&eight[..means.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn means_match_the_definition_and_nothing_is_read_out_of_bounds() {
        let Some(isa) = Avx2::detect() else { return };
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (mut weighed, mut refused) = (0, 0);
        for _ in 0..if cfg!(miri) { 10 } else { 5_000 } {
            let (from, to) = (rng.random_range(1..60), rng.random_range(1..40));
            let precision = rng.random_range(1..16);
            let most = rng.random_range(1..=from.min(9));
            let apart: usize = rng.random_range(0..6);
            let values: Vec<(usize, Vec<i16>)> = (0..to)
                .map(|value| {
                    let count = rng.random_range(1..=most);
                    let weights = (0..count).map(|_| rng.random()).collect();
                    ((value * apart).min(from - count), weights)
                })
                .collect();
            let Some(weights) = RowWeights::new(from, precision, &values) else {
                refused += 1;
                continue;
            };
            weighed += 1;
            // Two whole rows and a part of a third one.
            let pixels: Vec<u8> = (0..3 * from - 1).map(|_| rng.random()).collect();
            let rows = pixels.chunks_exact(from);
            let means = rows.flat_map(|row| {
                values.iter().map(|(first, weights)| {
                    let bytes = row[*first..].iter().zip(weights);
                    let products =
                        bytes.map(|(&byte, &weight)| i32::from(byte) * i32::from(weight));
                    let sum = products.sum::<i32>() + (1 << (precision - 1));
                    (sum >> precision).clamp(0, 255) as u8
                })
            });
            assert_eq!(
                isa.weigh_rows(&pixels, &weights),
                means.collect::<Vec<u8>>()
            );
        }
        assert!(
            cfg!(miri) || (weighed > 500 && refused > 500),
            "{weighed} {refused}"
        );
    }

    #[test]
    fn weights_that_do_not_fit_are_refused() {
        let fits = |from, precision, values: &[(usize, Vec<i16>)]| {
            RowWeights::new(from, precision, values).is_some()
        };
        let near = vec![(0, vec![1, 1]), (14, vec![1, 1])];
        let far = vec![(0, vec![1, 1]), (15, vec![1, 1])];
        assert!(fits(20, 8, &near));
        assert!(!fits(20, 8, &far), "more than 16 bytes apart");
        assert!(!fits(15, 8, &near[..1]), "a row of 15 bytes");
        assert!(!fits(16, 8, &[(16, vec![1])]), "beyond the end of a row");
        assert!(!fits(16, 8, &[]), "no values");
        assert!(!fits(16, 0, &near) && !fits(16, 17, &near));
        // A huge first byte is no overflow.
        assert!(!fits(16, 8, &[(usize::MAX, vec![1, 1])]));
    }
}
