//! The contrast of a board's digits: ink much fainter than all of them is a stain, and ink as dark as they are is a digit.
//! Where the middle of a cell is empty, what is seen beside it is a line, a fold, or the frame of a block.

use std::ops::{Range, RangeInclusive};

use super::digit_size::{FEWEST, is_sure};
use crate::digits::Posterior;
use crate::grid::CellMap;
use crate::vision::CellCrop;

/// Most sure digits of a board in which faint ink is a stain: a board with more is filled in, maybe with a pencil.
const MOST: usize = 40;

/// Share of the sure digits that may be fainter than the contrast that others are compared with.
const FAINTER: f32 = 0.05;

/// Probabilities of a blank at which the contrast counts.
const DOUBTFUL: Range<f32> = 0.03..0.995;

/// Relative contrast that speaks neither for a digit nor for a blank.
const NEUTRAL: f32 = 0.85;

/// How the logarithm of the odds of a digit grows with the relative contrast, and by how much it may change.
const SLOPE: f32 = 12.0;
const CHANGES: RangeInclusive<f32> = -4.0..=2.0;

/// Contrast of the middle of a cell, relative to that of the digits, below which it is empty.
const EMPTY: f32 = 0.3;

/// Share of the likeliest digit among the digits up to which dark ink is like none of them, and from which on it is
/// like that one.
const CLEAR: Range<f32> = 0.5..0.9;

/// Returns the posteriors of a board, those of doubtful cells by how dark their ink is beside that of its sure digits.
/// The network sees one cell at a time, stretched to full contrast, and so cannot tell a stain from a stroke of print.
///
/// The numbers fit 1,768 doubtful cells of rendered and real photos. Of 831 cells with less than 0.7 of the contrast, in
/// boards that are not filled in, 3 held a digit, where the network expected 117; of 480 with more than all of it that
/// are like one digit, 470, where it expected 380. Of 2,410 cells with an empty middle, in boards in their place and not
/// filled in, none held one, where it expected 43.
pub(super) fn heed_contrast(
    crops: &CellMap<CellCrop>,
    posteriors: &CellMap<Posterior>,
) -> CellMap<Posterior> {
    let is_doubtful = |posterior: &Posterior| DOUBTFUL.contains(&posterior.of(None));
    if !posteriors.as_array().iter().any(is_doubtful) {
        return *posteriors;
    }
    let sure = posteriors.iter().filter(|(_, it)| is_sure(it));
    let mut contrasts: Vec<f32> = sure.map(|(cell, _)| contrast(&crops[cell])).collect();
    if contrasts.len() < FEWEST {
        return *posteriors;
    }
    contrasts.sort_by(f32::total_cmp);
    let usual = contrasts[(FAINTER * (contrasts.len() - 1) as f32).round() as usize];
    let is_filled = contrasts.len() > MOST;
    CellMap::from_fn(|cell| {
        let posterior = posteriors[cell];
        if !is_doubtful(&posterior) {
            return posterior;
        }
        let relative = |contrast: f32| contrast / usual.max(f32::EPSILON);
        let is_empty = || relative(contrast_of_middle(&crops[cell])) < EMPTY;
        let change = match SLOPE * (relative(contrast(&crops[cell])) - NEUTRAL) {
            _ if !is_filled && is_empty() => *CHANGES.start(),
            darker if darker > 0.0 => darker.min(*CHANGES.end()) * clearness(&posterior),
            _ if is_filled => 0.0,
            fainter => fainter.max(*CHANGES.start()),
        };
        posterior.with_digit_odds(change.exp())
    })
}

/// Returns the contrast of a cell's ink in units of the brightness of its paper: shade dims both.
fn contrast(crop: &CellCrop) -> f32 {
    let tone = crop.tone();
    tone.contrast / tone.ground.max(1.0)
}

/// The same of what is in the middle of a cell.
fn contrast_of_middle(crop: &CellCrop) -> f32 {
    crop.tone_of_middle().contrast / crop.tone().ground.max(1.0)
}

/// Returns how far, from 0 to 1, dark ink speaks for a digit: wholly where one is expected anyway, else by how clear it
/// is which one it would be.
fn clearness(posterior: &Posterior) -> f32 {
    if posterior.of(None) < 0.5 {
        return 1.0;
    }
    let digits = &posterior.as_array()[1..];
    let share = digits.iter().copied().fold(0.0, f32::max) / digits.iter().sum::<f32>();
    ((share - CLEAR.start) / (CLEAR.end - CLEAR.start)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Cell, Digit};
    use crate::reader::cells::tests::posterior;
    use crate::vision::CROP_SIDE;

    /// A bar of ink of this gray value.
    fn bar(value: u8) -> CellCrop {
        let is_ink =
            |i: usize| (14..18).contains(&(i % CROP_SIDE)) && (10..22).contains(&(i / CROP_SIDE));
        CellCrop {
            pixels: Box::new(std::array::from_fn(|i| if is_ink(i) { value } else { 220 })),
            board_contrast: 180.0,
        }
    }

    /// What becomes of a cell with ink of this value, blank as likely as a 5, beside so many sure digits of value 40.
    fn heeded(value: u8, digits: usize) -> Posterior {
        heeded_crop(&bar(value), digits)
    }

    /// The same of any cell.
    fn heeded_crop(crop: &CellCrop, digits: usize) -> Posterior {
        let crops = CellMap::from_fn(|cell| match cell.index() {
            80 => crop.clone(),
            _ => bar(40),
        });
        let posteriors = CellMap::from_fn(|cell| match cell.index() {
            80 => posterior(&[(0, 0.5), (5, 0.5)]),
            index if index < digits => posterior(&[(3, 1.0)]),
            _ => posterior(&[(0, 1.0)]),
        });
        let heeded = heed_contrast(&crops, &posteriors);
        let last = Cell::at(8, 8).unwrap();
        for (cell, posterior) in heeded.iter().filter(|(cell, _)| *cell != last) {
            assert_eq!(*posterior, posteriors[cell]);
        }
        heeded[last]
    }

    #[test]
    fn faint_ink_is_a_stain_and_dark_ink_a_digit() {
        let of_digit = |value| heeded(value, 25).of(Digit::new(5));
        assert!(of_digit(150) < 0.06 && of_digit(40) > 0.8 && of_digit(0) > 0.8);
        let neutral = of_digit(220 - (0.85 * 180.0) as u8);
        assert!((0.4..0.6).contains(&neutral), "{neutral}");
        assert_eq!(heeded(150, 25).best(), None);
    }

    #[test]
    fn dark_ink_beside_an_empty_middle_is_no_digit() {
        let beside = |columns: Range<usize>| CellCrop {
            pixels: Box::new(std::array::from_fn(|i| {
                if columns.contains(&(i % CROP_SIDE)) {
                    0
                } else {
                    220
                }
            })),
            board_contrast: 180.0,
        };
        let of_digit = |crop: &CellCrop, digits| heeded_crop(crop, digits).of(Digit::new(5));
        assert!(of_digit(&beside(5..9), 25) < 0.03);
        assert!(of_digit(&beside(5..12), 25) > 0.8);
        assert!(of_digit(&beside(5..9), 60) > 0.8);
    }

    #[test]
    fn dark_ink_that_is_like_no_digit_is_none() {
        let crops = CellMap::from_fn(|_| bar(40));
        let smeared = posterior(&[(0, 0.5), (2, 0.2), (5, 0.15), (7, 0.15)]);
        let posteriors = CellMap::from_fn(|cell| match cell.index() {
            80 => smeared,
            _ => posterior(&[(3, 1.0)]),
        });
        assert_eq!(heed_contrast(&crops, &posteriors), posteriors);
    }

    #[test]
    fn faint_ink_beside_few_digits_or_in_a_filled_board_is_no_stain() {
        let same = posterior(&[(0, 0.5), (5, 0.5)]);
        assert_eq!(heeded(150, 5), same);
        assert_eq!(heeded(150, 60), same);
        assert!(heeded(40, 60).of(None) < 0.2);
    }
}
