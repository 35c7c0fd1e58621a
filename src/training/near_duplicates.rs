//! Near-duplicates: crops of the same picture, found by a perceptual hash, confirmed on the pixels.
//!
//! The hash is the DCT hash of Zauner, "Implementation and Benchmarking of Perceptual Image Hash
//! Functions" (2010). It alone cannot distinguish two printed fives of one font from one five in
//! two pictures, so a pair counts only if the pixels agree, too. Similar hashes are found without
//! comparing all pairs: cut into `BANDS` parts, two hashes that differ in fewer bits than there are
//! parts have a part in common (Manku, Jain and Sarma, "Detecting Near-Duplicates for Web
//! Crawling", 2007).

use std::collections::HashMap;
use std::f32::consts::PI;
use std::sync::LazyLock;

use crate::vision::{CROP_SIDE, CellCrop};

/// Pixels along the edge of a crop that are ignored, because grid lines are the same everywhere.
const EDGE: usize = 4;

/// Pixels along each side that are compared.
const SIDE: usize = CROP_SIDE - 2 * EDGE;

/// Number of frequencies along each axis.
const FREQUENCIES: usize = 8;

/// Number of parts of a hash, eight bits each.
const BANDS: usize = 8;

/// Bits in which the hashes of near-duplicates may differ.
const MOST_BITS: u32 = BANDS as u32 - 1;

/// Least correlation of the pixels of near-duplicates. Copies of one picture in other light,
/// quality or size reach it; of two prints of one digit on one page about one pair in a hundred
/// does.
const LEAST_CORRELATION: f32 = 0.99;

/// Least contrast, relative to the board's: fainter crops are paper, which looks the same
/// everywhere.
const LEAST_CONTRAST: f32 = 0.4;

/// The cosines of the DCT-II, one row per frequency.
static COSINES: LazyLock<[[f32; SIDE]; FREQUENCIES]> = LazyLock::new(|| {
    std::array::from_fn(|k| {
        std::array::from_fn(|n| (PI * (n as f32 + 0.5) * k as f32 / SIDE as f32).cos())
    })
});

/// Light-invariant fingerprint of a crop with ink.
#[derive(Clone, Debug)]
pub(super) struct Fingerprint {
    /// Which low frequencies are above their median.
    hash: u64,
    /// The pixels without the edge, of mean 0 and length 1.
    pixels: Box<[f32; SIDE * SIDE]>,
}

impl Fingerprint {
    /// Returns the fingerprint of a crop; `None` without clear ink: all blanks look the same.
    pub(super) fn of(crop: &CellCrop) -> Option<Fingerprint> {
        if crop.tone().contrast < LEAST_CONTRAST * crop.board_contrast {
            return None;
        }
        let mut pixels = Box::new([0f32; SIDE * SIDE]);
        for (i, value) in pixels.iter_mut().enumerate() {
            let (x, y) = (EDGE + i % SIDE, EDGE + i / SIDE);
            *value = f32::from(crop.pixels[y * CROP_SIDE + x]);
        }
        let mean = pixels.iter().sum::<f32>() / pixels.len() as f32;
        pixels.iter_mut().for_each(|value| *value -= mean);
        let length = pixels.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length < 1.0 {
            return None;
        }
        pixels.iter_mut().for_each(|value| *value /= length);
        Some(Fingerprint {
            hash: hash(&pixels),
            pixels,
        })
    }

    /// Returns whether both show the same picture.
    pub(super) fn is_near(&self, other: &Fingerprint) -> bool {
        let correlation = || -> f32 {
            let pairs = self.pixels.iter().zip(other.pixels.iter());
            pairs.map(|(a, b)| a * b).sum()
        };
        (self.hash ^ other.hash).count_ones() <= MOST_BITS && correlation() >= LEAST_CORRELATION
    }

    /// Returns the parts of the hash. Each takes every eighth frequency, so that none consists of
    /// low ones only, which carry little information.
    fn bands(&self) -> [u8; BANDS] {
        std::array::from_fn(|band| {
            (0..8).fold(0, |key, i| {
                key << 1 | (self.hash >> (BANDS * i + band) & 1) as u8
            })
        })
    }
}

fn hash(pixels: &[f32; SIDE * SIDE]) -> u64 {
    let product = |a: &[f32], b: &[f32; SIDE]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let mut across = [0f32; FREQUENCIES * SIDE];
    for (y, line) in pixels.chunks_exact(SIDE).enumerate() {
        for (k, cosines) in COSINES.iter().enumerate() {
            across[k * SIDE + y] = product(line, cosines);
        }
    }
    let shares: [f32; FREQUENCIES * FREQUENCIES] = std::array::from_fn(|i| {
        let line = &across[i / FREQUENCIES * SIDE..][..SIDE];
        product(line, &COSINES[i % FREQUENCIES])
    });
    let mut sorted = shares;
    sorted.sort_by(f32::total_cmp);
    let median = sorted[sorted.len() / 2];
    shares
        .iter()
        .fold(0, |hash, &share| hash << 1 | u64::from(share > median))
}

/// An index for finding near-duplicates.
#[derive(Debug)]
pub(super) struct FingerprintIndex<'a> {
    fingerprints: &'a [Option<Fingerprint>],
    bands: [HashMap<u8, Vec<usize>>; BANDS],
}

impl<'a> FingerprintIndex<'a> {
    /// Returns an index of these fingerprints.
    pub(super) fn new(fingerprints: &'a [Option<Fingerprint>]) -> FingerprintIndex<'a> {
        let mut bands = [(); BANDS].map(|()| HashMap::<u8, Vec<usize>>::new());
        for (index, fingerprint) in fingerprints.iter().enumerate() {
            let keys = fingerprint.iter().flat_map(Fingerprint::bands);
            for (band, key) in bands.iter_mut().zip(keys) {
                band.entry(key).or_default().push(index);
            }
        }
        FingerprintIndex {
            fingerprints,
            bands,
        }
    }

    /// Returns the first fingerprint that is near this one.
    pub(super) fn first_near(&self, fingerprint: &Fingerprint) -> Option<usize> {
        let buckets = self.bands.iter().zip(fingerprint.bands());
        let candidates = buckets.filter_map(|(band, key)| band.get(&key));
        let is_near = |&&index: &&usize| {
            let other = self.fingerprints[index].as_ref();
            other.is_some_and(|other| fingerprint.is_near(other))
        };
        let firsts = candidates.filter_map(|bucket| bucket.iter().find(is_near));
        firsts.min().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A crop of blots from a few numbers, with noise of this strength.
    fn crop(shape: [u8; 4], light: (f32, f32), noise: u32) -> CellCrop {
        let [a, b, c, d] = shape.map(f32::from);
        let pixel = |i: usize| {
            let (x, y) = ((i % CROP_SIDE) as f32, (i / CROP_SIDE) as f32);
            let wave = (x * (0.1 + 0.05 * a) + b).sin() * (y * (0.1 + 0.05 * c) + d).cos();
            let grain = ((i as u32).wrapping_mul(2_654_435_761) >> 20) % (2 * noise + 1);
            let ink = if wave > 0.2 { light.1 } else { -light.1 };
            let value = light.0 - ink + grain as f32 - noise as f32;
            value.clamp(0.0, 255.0) as u8
        };
        CellCrop {
            pixels: Box::new(std::array::from_fn(pixel)),
            board_contrast: 60.0,
        }
    }

    fn crops() -> impl Strategy<Value = Vec<CellCrop>> {
        let light = (90.0f32..160.0, 30.0f32..80.0);
        let one = (prop::array::uniform4(0u8..3), light, 0u32..8);
        prop::collection::vec(
            one.prop_map(|(s, light, noise)| crop(s, light, noise)),
            2..60,
        )
    }

    proptest! {
        #[test]
        fn the_index_agrees_with_comparing_all_pairs(crops in crops()) {
            let fingerprints: Vec<_> = crops.iter().map(Fingerprint::of).collect();
            let index = FingerprintIndex::new(&fingerprints);
            for fingerprint in fingerprints.iter().flatten() {
                let near = |other: &Option<Fingerprint>| {
                    other.as_ref().is_some_and(|other| fingerprint.is_near(other))
                };
                let expected = fingerprints.iter().position(near);
                prop_assert!(expected.is_some(), "a crop is near to itself");
                prop_assert_eq!(index.first_near(fingerprint), expected);
            }
        }
    }

    #[test]
    fn copies_are_found_despite_light_and_noise_and_other_shapes_are_not() {
        let (mut all, mut found, mut confused) = (0, 0, 0);
        for number in 0..1296 {
            let [a, b, c, d] = [216, 36, 6, 1].map(|power| (number / power % 6) as u8);
            let of = |shape, light, noise| Fingerprint::of(&crop(shape, light, noise));
            let one = of([a, b, c, d], (125.0, 70.0), 0);
            let copy = of([a, b, c, d], (110.0, 50.0), 1);
            let other = of([a + 4, b + 1, c, d], (125.0, 70.0), 1);
            if let (Some(one), Some(copy), Some(other)) = (one, copy, other) {
                all += 1;
                found += usize::from(one.is_near(&copy));
                confused += usize::from(one.is_near(&other));
            }
        }
        assert!(all > 600, "{all}");
        assert!(found * 100 > all * 90, "{found} of {all}");
        assert!(confused * 100 < all, "{confused} of {all}");
    }

    #[test]
    fn paper_has_no_fingerprint() {
        assert!(Fingerprint::of(&crop([1, 1, 1, 1], (200.0, 3.0), 2)).is_none());
        assert!(Fingerprint::of(&crop([1, 1, 1, 1], (200.0, 0.0), 0)).is_none());
    }
}
