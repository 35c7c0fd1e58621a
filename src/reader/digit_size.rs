//! The size of a board's digits: printed ink of their height, in their place in the cell, is a digit and no pencil mark, and
//! smaller ink that may be a mark is one.

use std::ops::RangeInclusive;

use super::ink::Ink;
use crate::digits::{CellKind, Posterior};
use crate::grid::CellMap;
use crate::statistics::{median, quantile};
use crate::vision::CellCrop;

/// Probability from which on a cell holds a digit for sure, so that its size counts.
const SURE: f32 = 0.95;

/// Fewest such cells that tell the size and the contrast of digits.
pub(super) const FEWEST: usize = 6;

/// Smallest and largest height of a digit, relative to the median of the sure ones.
const HEIGHTS: RangeInclusive<f64> = 0.85..=1.15;

/// The heights of this share of the sure digits, from the smallest and from the largest, say nothing of the others: some
/// digits are broken, or touch a line.
const ODD: f64 = 0.05;

/// Largest distance of its middle from the median of theirs, across and down, in pixels of the crop.
const ASIDE: [f64; 2] = [2.0, 1.5];

/// Least contrast of a digit, relative to the median of theirs.
const LEAST_CONTRAST: f64 = 0.5;

/// Least contrast of a pencil mark, relative to the same; largest height relative to the smallest digits; least
/// probability of marks, and largest probability of a blank, at which it counts; and the factor of the odds of a digit.
const MARK_CONTRAST: f64 = 0.25;
const MARK_HEIGHT: f64 = 0.8;
const MAYBE_MARKS: f32 = 0.05;
const MAYBE_BLANK: f32 = 0.995;
const MARK_ODDS: f32 = 0.05;

/// Returns the posteriors of a board, those of cells with ink like its sure digits without pencil marks, and those of
/// smaller ink that may be a mark with little belief in a digit. The network sees one cell at a time: a 5 in the middle of
/// its cell may be the pencil mark 5 for it, and a single pencil mark a digit. Beside the digits of its board, it is not.
///
/// What is small is told only where all digits are of one height, and not in handwriting. Of 377 such cells of rendered and
/// real photos none held a digit, where the network expected 23.
pub(super) fn heed_size(
    crops: &CellMap<CellCrop>,
    posteriors: &CellMap<Posterior>,
) -> CellMap<Posterior> {
    let inks = CellMap::from_fn(|cell| match is_sure(&posteriors[cell]) {
        true => Ink::of(&crops[cell], 0.0),
        false => None,
    });
    let sure: Vec<Ink> = inks.iter().filter_map(|(_, ink)| *ink).collect();
    if sure.len() < FEWEST {
        return *posteriors;
    }
    let usual = |of: fn(&Ink) -> f64| median(&mut sure.iter().map(of).collect::<Vec<f64>>());
    let usual = Ink {
        height: usual(|ink| ink.height),
        middle: [usual(|ink| ink.middle[0]), usual(|ink| ink.middle[1])],
        contrast: usual(|ink| ink.contrast),
    };
    let mut heights: Vec<f64> = sure.iter().map(|ink| ink.height).collect();
    heights.sort_by(f64::total_cmp);
    let [smallest, largest] = [ODD, 1.0 - ODD].map(|share| quantile(&heights, share));
    let is_even = [smallest, largest]
        .iter()
        .all(|height| HEIGHTS.contains(&(height / usual.height)));
    CellMap::from_fn(|cell| {
        let posterior = &posteriors[cell];
        let may_be_mark = is_even && may_be_mark(posterior);
        // Most cells are blank: their noise is not measured.
        let least = if may_be_mark {
            MARK_CONTRAST
        } else {
            LEAST_CONTRAST
        };
        let ink = inks[cell].or_else(|| Ink::of(&crops[cell], least * usual.contrast));
        match ink {
            Some(ink) if is_like(&ink, &usual) => posterior.without_marks(),
            Some(ink) if may_be_mark && ink.height <= MARK_HEIGHT * smallest => {
                posterior.with_digit_odds(MARK_ODDS)
            }
            _ => *posterior,
        }
    })
}

/// Returns whether a cell holds a digit for sure.
pub(super) fn is_sure(posterior: &Posterior) -> bool {
    posterior.of(None) <= 1.0 - SURE
}

/// Returns whether a cell is doubtful and may hold pencil marks.
fn may_be_mark(posterior: &Posterior) -> bool {
    let marks = posterior.kind().map(|kind| kind.of(CellKind::Marks));
    !is_sure(posterior)
        && posterior.of(None) < MAYBE_BLANK
        && marks.is_some_and(|marks| marks >= MAYBE_MARKS)
}

/// Returns whether ink is of the size, in the place and of the contrast of the usual one.
fn is_like(ink: &Ink, usual: &Ink) -> bool {
    ink.contrast >= LEAST_CONTRAST * usual.contrast
        && HEIGHTS.contains(&(ink.height / usual.height))
        && (0..2).all(|i| (ink.middle[i] - usual.middle[i]).abs() <= ASIDE[i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::KindPosterior;
    use crate::grid::{Cell, Digit};
    use crate::vision::CROP_SIDE;

    /// A bar of ink, four pixels wide, in this place.
    fn bar(left: usize, top: usize, height: usize) -> CellCrop {
        let is_ink = |i: usize| {
            (left..left + 4).contains(&(i % CROP_SIDE))
                && (top..top + height).contains(&(i / CROP_SIDE))
        };
        CellCrop {
            pixels: Box::new(std::array::from_fn(|i| if is_ink(i) { 40 } else { 220 })),
            board_contrast: 180.0,
        }
    }

    /// A cell that holds a 5, or pencil marks with this probability.
    fn five_or_marks(marks: f32) -> Posterior {
        let mut weights = [0.0; 10];
        (weights[0], weights[5]) = (marks, 1.0 - marks);
        let mut kinds = [-20.0; 13];
        kinds[CellKind::Marks.index()] = marks.ln();
        kinds[CellKind::Printed.index()] = (1.0 - marks).ln();
        let kind = KindPosterior::of_logits(&kinds).unwrap();
        Posterior::from_weights(weights).unwrap().with_kind(kind)
    }

    #[test]
    fn what_is_like_the_sure_digits_is_no_mark_and_anything_else_may_be() {
        let cases = [
            (bar(14, 10, 12), true),
            (bar(15, 10, 11), true),
            // Smaller, taller, aside, higher up, at the edge.
            (bar(14, 10, 10), false),
            (bar(14, 8, 16), false),
            (bar(19, 10, 12), false),
            (bar(14, 6, 12), false),
            (bar(0, 10, 12), false),
        ];
        for (number, (crop, is_digit)) in cases.into_iter().enumerate() {
            let crops = CellMap::from_fn(|cell| match cell.index() {
                80 => crop.clone(),
                _ => bar(14, 10, 12),
            });
            let posteriors =
                CellMap::from_fn(|cell| five_or_marks(if cell.index() == 80 { 0.9 } else { 0.01 }));
            let heeded = heed_size(&crops, &posteriors);
            let last = Cell::all().last().unwrap();
            assert_eq!(heeded[last].best().is_some(), is_digit, "{number}");
            assert_eq!(is_digit, heeded[last] != posteriors[last], "{number}");
        }
    }

    #[test]
    fn small_ink_that_may_be_a_mark_is_one_beside_digits_of_one_height() {
        // Heights of the digits in turn, of the last cell's ink, and whether it is taken for a mark.
        let cases = [
            ([12, 12], 9, true),
            ([12, 12], 6, true),
            ([12, 12], 10, false),
            ([10, 16], 6, false),
        ];
        for (heights, height, is_mark) in cases {
            let crops = CellMap::from_fn(|cell| match cell.index() {
                80 => bar(14, 10, height),
                index => bar(14, 10, heights[index % 2]),
            });
            for (marks, counts) in [(0.4, true), (0.03, false), (0.9999, false)] {
                let posteriors = CellMap::from_fn(|cell| {
                    five_or_marks(if cell.index() == 80 { marks } else { 0.01 })
                });
                let heeded = heed_size(&crops, &posteriors);
                let last = Cell::all().last().unwrap();
                let is_less = heeded[last].of(None) > posteriors[last].of(None);
                assert_eq!(is_less, is_mark && counts, "{heights:?} {height} {marks}");
            }
        }
    }

    #[test]
    fn too_few_sure_digits_say_nothing() {
        let crops = CellMap::from_fn(|_| bar(14, 10, 12));
        let posteriors =
            CellMap::from_fn(|cell| five_or_marks(if cell.index() < 5 { 0.01 } else { 0.9 }));
        assert_eq!(heed_size(&crops, &posteriors), posteriors);
    }

    #[test]
    fn without_marks_a_cell_is_no_less_a_digit_and_its_digits_keep_their_order() {
        for marks in [0.001, 0.3, 0.7, 0.99] {
            let before = five_or_marks(marks);
            let after = before.without_marks();
            assert!(after.of(None) <= before.of(None), "{marks}");
            assert_eq!(after.best(), Digit::new(5), "{marks}");
            let sum: f32 = after.as_array().iter().sum();
            assert!((sum - 1.0).abs() < 1e-5, "{marks}: {sum}");
        }
        let unknown = Posterior::blank(0.9);
        assert_eq!(unknown.without_marks(), unknown);
    }
}
