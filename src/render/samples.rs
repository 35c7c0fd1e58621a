//! Samples of real handwriting, for cells that are rendered.

use rand::{Rng, RngExt};

use super::face::GlyphMask;
use crate::grid::Digit;
use crate::vision::{CROP_EDGE, CROP_SIDE, CellCrop};

/// Share of full ink up to which a pixel is paper.
const PAPER: f32 = 0.2;

/// Share of full ink, of 255, from which on a pixel belongs to the box of a digit.
const INK: u8 = 64;

/// Number of consecutive samples that are taken for those of one writer.
const PER_WRITER: usize = 50;

/// Handwritten digits, cut from crops.
#[derive(Clone, Debug, Default)]
pub struct HandwritingSamples {
    /// The number and the mask of each sample, by digit.
    masks: [Vec<(usize, GlyphMask)>; 9],
}

impl HandwritingSamples {
    /// Returns the digits of these crops, dark on light; crops without ink are left out. Neighbours are
    /// taken to be of one writer.
    pub fn new<'a>(crops: impl IntoIterator<Item = (Digit, &'a CellCrop)>) -> HandwritingSamples {
        let mut samples = HandwritingSamples::default();
        for (number, (digit, crop)) in crops.into_iter().enumerate() {
            let mask = mask(crop).map(|mask| (number, mask));
            samples.masks[digit.index()].extend(mask);
        }
        samples
    }

    /// Draws a sample of this digit, with its writer; `None` if there is none.
    pub(in crate::render) fn draw(
        &self,
        digit: Digit,
        rng: &mut impl Rng,
    ) -> Option<(usize, &GlyphMask)> {
        let masks = &self.masks[digit.index()];
        if masks.is_empty() {
            return None;
        }
        let (number, mask) = &masks[rng.random_range(0..masks.len())];
        Some((number / PER_WRITER, mask))
    }

    /// Returns whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.masks.iter().all(Vec::is_empty)
    }
}

/// Returns the ink of a crop, cut to its box.
fn mask(crop: &CellCrop) -> Option<GlyphMask> {
    let tone = crop.tone();
    let share = |pixel: &u8| {
        let ink = (tone.ground - f32::from(*pixel)) / tone.contrast;
        ((ink - PAPER) / (1.0 - PAPER) * 255.0) as u8
    };
    let shares: Vec<u8> = crop.pixels.iter().map(share).collect();
    let is_inside = |at: usize| (CROP_EDGE..CROP_SIDE - CROP_EDGE).contains(&at);
    let is_inked =
        |&at: &usize| shares[at] >= INK && is_inside(at % CROP_SIDE) && is_inside(at / CROP_SIDE);
    let inked = (0..shares.len()).filter(is_inked);
    let (left, right) = bounds(inked.clone().map(|at| at % CROP_SIDE))?;
    let (top, bottom) = bounds(inked.map(|at| at / CROP_SIDE))?;
    let rows = shares.chunks_exact(CROP_SIDE).take(bottom + 1).skip(top);
    Some(GlyphMask {
        width: right - left + 1,
        height: bottom - top + 1,
        rise: (bottom - top + 1) as i32,
        shares: rows.flat_map(|row| &row[left..=right]).copied().collect(),
    })
}

fn bounds(places: impl Iterator<Item = usize> + Clone) -> Option<(usize, usize)> {
    Some((places.clone().min()?, places.max()?))
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// A bar of ink on light paper, with a grid line on its left.
    fn crop(columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> CellCrop {
        let pixels = std::array::from_fn(|at| {
            let (column, row) = (at % CROP_SIDE, at / CROP_SIDE);
            let is_inked = columns.contains(&column) && rows.contains(&row);
            if is_inked || column == 2 { 20 } else { 220 }
        });
        CellCrop {
            pixels: Box::new(pixels),
            board_contrast: 200.0,
        }
    }

    #[test]
    fn samples_are_cut_to_their_ink_and_drawn_by_digit() {
        let [bar, beam, blank] = [crop(12..16, 6..26), crop(5..27, 14..18), crop(0..0, 0..0)];
        let [one, seven, two] = [1, 7, 2].map(|digit| Digit::new(digit).unwrap());
        let samples = HandwritingSamples::new([(one, &bar), (seven, &beam), (two, &blank)]);
        let rng = &mut ChaCha8Rng::seed_from_u64(1);
        for (digit, width, height) in [(one, 4, 20), (seven, 22, 4)] {
            let (writer, mask) = samples.draw(digit, rng).unwrap();
            assert_eq!((writer, mask.width, mask.height), (0, width, height));
            assert!(mask.shares.iter().all(|&share| share == 255));
        }
        assert_eq!(samples.draw(two, rng), None);
        assert!(!samples.is_empty() && HandwritingSamples::default().is_empty());
    }
}
