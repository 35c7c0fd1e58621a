//! A closer look at digits that are small in their cells.
//!
//! A crop shows a cell in 32 pixels, of which a digit by hand may take ten; the photo has more of it.

use super::ink::Ink;
use crate::digits::Posterior;
use crate::grid::Cell;
use crate::vision::{BoardPlace, CROP_SIDE, CellCrop, Photo, Window};

/// Height of the ink in a closer look, in pixels of the crop: that of most printed digits in their cells.
const HEIGHT: f64 = 18.0;

/// Heights of small ink, in pixels of the crop: less is noise, and a closer look at more gains nothing.
const SMALL: std::ops::RangeInclusive<f64> = 6.0..=15.0;

/// Least contrast of its cell, relative to that of the board.
const LEAST_CONTRAST: f32 = 0.25;

/// Probability of the best content from which on a cell needs no closer look.
const SURE: f32 = 0.95;

/// Returns whether a closer look may say more about a cell: it may hold one of several digits.
pub(super) fn is_doubtful(posterior: &Posterior) -> bool {
    posterior.of(posterior.best()) < SURE
}

/// Returns the closer look at a cell of this crop; `None` where its ink is not small, or the photo has no more of it.
pub(super) fn closer(
    photo: &Photo,
    place: &BoardPlace,
    cell: Cell,
    crop: &CellCrop,
) -> Option<CellCrop> {
    let ink = Ink::of(crop, f64::from(LEAST_CONTRAST * crop.board_contrast))?;
    // `Ink` counts pixels, a window the space between them.
    let window = Window {
        middle: ink.middle.map(|at| at as f32 + 0.5),
        side: (CROP_SIDE as f64 * ink.height / HEIGHT) as f32,
    };
    match SMALL.contains(&ink.height) {
        true => place.cut_closer(photo, cell, crop, window),
        false => None,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use image::{GrayImage, Luma};

    use super::*;
    use crate::grid::CellMap;
    use crate::vision::{Lattice, PhotoConfig, Point, Polarity, Rotation};

    /// A board in a photo.
    pub(crate) struct Drawn {
        pub(crate) photo: Photo,
        pub(crate) place: BoardPlace,
        pub(crate) crops: CellMap<CellCrop>,
    }

    const CELL: u32 = 60;

    /// Returns a board with a bar of this height, in cells, in every cell, and of other heights in some.
    pub(crate) fn bars(height: f32, others: impl IntoIterator<Item = (Cell, f32)>) -> Drawn {
        let others: Vec<(Cell, f32)> = others.into_iter().collect();
        let luma = GrayImage::from_fn(11 * CELL, 11 * CELL, |x, y| {
            let cell = Cell::at(
                (y / CELL).wrapping_sub(1) as usize,
                (x / CELL).wrapping_sub(1) as usize,
            );
            let other = others.iter().find(|(other, _)| Some(*other) == cell);
            let height = other.map_or(height, |(_, height)| *height);
            let at = |pixel: u32| (pixel % CELL) as f32 / CELL as f32 - 0.5;
            let is_bar = cell.is_some() && at(x).abs() < 0.05 && at(y).abs() < height / 2.0;
            Luma([if is_bar { 40 } else { 220 }])
        });
        let photo = Photo::from_luma(luma, &PhotoConfig::default());
        let point = |i: usize| ((i as u32 + 1) * CELL) as f32;
        let points = std::array::from_fn(|i| {
            std::array::from_fn(|j| Point {
                x: point(j),
                y: point(i),
            })
        });
        let place = BoardPlace {
            lattice: Lattice::new(points, 1.0).unwrap(),
            polarity: Polarity::DarkOnLight,
            rotation: Rotation::default(),
        };
        let crops = place.cut(&photo);
        Drawn {
            photo,
            place,
            crops,
        }
    }

    #[test]
    fn small_ink_becomes_as_tall_as_a_printed_digit_and_other_ink_is_left() {
        let cell = Cell::at(5, 2).unwrap();
        for (height, is_small) in [
            (0.0, false),
            (0.1, false),
            (0.3, true),
            (0.42, true),
            (0.6, false),
        ] {
            let Drawn {
                photo,
                place,
                crops,
            } = bars(height, []);
            let closer = closer(&photo, &place, cell, &crops[cell]);
            assert_eq!(closer.is_some(), is_small, "{height}");
            if let Some(closer) = closer {
                let ink = Ink::of(&closer, 0.0).unwrap();
                assert!((ink.height - HEIGHT).abs() <= 2.0, "{height}: {ink:?}");
                assert!(
                    ink.middle.iter().all(|at| (at - 15.5).abs() <= 1.0),
                    "{height}: {ink:?}"
                );
            }
        }
    }
}
