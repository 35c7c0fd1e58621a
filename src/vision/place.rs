//! The place of a board in its photo, from which its cells are cut.

use serde::{Deserialize, Serialize};

use super::cells::{crop_cells, sample, turn_board};
use super::crop::{CROP_SIDE, CellCrop, Window};
use super::detect::{Detection, Polarity, board_square};
use super::homography::Homography;
use super::lattice::{Lattice, is_inside};
use super::photo::Photo;
use super::quad::{Point, Quad};
use super::refine::{RefineConfig, refine};
use crate::grid::{Cell, CellMap, CellSet};

/// Rotation of a board in its photo, in quarter turns clockwise, which reading undoes. In files the
/// angle: 0, 90, 180 or 270 degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u16", try_from = "u16")]
pub struct Rotation(u8);

impl Rotation {
    /// Returns this number of quarter turns clockwise, taken modulo four.
    pub const fn from_quarter_turns(turns: u8) -> Rotation {
        Rotation(turns % 4)
    }

    /// Returns the number of quarter turns clockwise, 0 to 3.
    pub const fn quarter_turns(self) -> u8 {
        self.0
    }

    /// Returns the angle: 0, 90, 180 or 270.
    pub const fn degrees(self) -> u16 {
        self.0 as u16 * 90
    }
}

impl From<Rotation> for u16 {
    fn from(rotation: Rotation) -> u16 {
        rotation.degrees()
    }
}

impl TryFrom<u16> for Rotation {
    type Error = &'static str;

    fn try_from(degrees: u16) -> Result<Rotation, &'static str> {
        match degrees {
            0 | 90 | 180 | 270 => Ok(Rotation((degrees / 90) as u8)),
            _ => Err("a rotation is 0, 90, 180 or 270 degrees"),
        }
    }
}

/// The place of a board in the reading copy of its photo: all that is needed to cut its cells
/// again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoardPlace {
    /// Its grid lines, in reading pixels, in the orientation of the photo.
    pub lattice: Lattice,
    /// Its polarity.
    pub polarity: Polarity,
    /// Its rotation.
    pub rotation: Rotation,
}

/// Fewest pixels of the photo across a window that is worth a closer look: fewer only make a blurred crop.
const LEAST_DETAIL: f32 = 24.0;

/// Largest distance that tracing the grid lines may move a crossing of a board outlined by a
/// person, in cells.
const OUTLINE_REACH: f32 = 0.8;

impl BoardPlace {
    /// Returns the place of a board with corners given by a person: clockwise from the board's own
    /// top left, in pixels of the upright photo. Grid lines are traced where they are visible;
    /// elsewhere the board is assumed to be flat. `None` where the corners are degenerate.
    pub fn from_corners(photo: &Photo, corners: &Quad) -> Option<BoardPlace> {
        let own = corners.scaled(photo.scale())?;
        // As a board that is found: the lattice as it lies in the photo, and which side is up.
        let quad = own.from_top_left();
        let turns = quad.corners().iter().position(|it| *it == own.corners()[0]);
        let flat = Lattice::under(&Homography::between(&board_square(), &quad)?)?;
        let reach = OUTLINE_REACH * quad.cell_side();
        let traced = [Polarity::DarkOnLight, Polarity::LightOnDark].map(|polarity| {
            let outlined = Detection::outlined(quad, polarity);
            let lattice = refine(photo, &outlined, &RefineConfig::default());
            let lattice = lattice.filter(|lattice| lattice.farthest_from(&flat) < reach);
            (lattice, polarity)
        });
        let strength = |lattice: &Option<Lattice>| lattice.as_ref().map_or(-1.0, Lattice::strength);
        let [dark, light] = traced;
        let is_light = strength(&light.0) > strength(&dark.0);
        let (lattice, polarity) = if is_light { light } else { dark };
        Some(BoardPlace {
            lattice: lattice.filter(|it| it.strength() > 0.0).unwrap_or(flat),
            polarity,
            rotation: Rotation::from_quarter_turns(turns.unwrap_or(0) as u8),
        })
    }

    /// Cuts the cells of the board, upright, ink dark on light.
    pub fn cut(&self, photo: &Photo) -> CellMap<CellCrop> {
        let crops = crop_cells(photo, &self.lattice, self.polarity);
        match self.rotation.quarter_turns() {
            0 => crops,
            turns => turn_board(&crops, 4 - turns),
        }
    }

    /// Cuts a window of one cell, upright, at the resolution of a whole crop; `crop` is that of the whole cell. `None` where
    /// the photo has not much more of it than the crop.
    pub fn cut_closer(
        &self,
        photo: &Photo,
        cell: Cell,
        crop: &CellCrop,
        window: Window,
    ) -> Option<CellCrop> {
        let (row, column) = (cell.row() as f32, cell.column() as f32);
        let corner = |right: f32, down: f32| self.point(column + right, row + down);
        let width = self.lattice.corners().cell_side() * window.side / CROP_SIDE as f32;
        let source = photo.copy_for(width);
        if source.scale() * width < LEAST_DETAIL {
            return None;
        }
        // The photo is not shrunk for a single cell, so a crop averages points that lie closer than its pixels.
        let sampled = |window: Window| {
            let mut finer = [0; 4 * CROP_SIDE * CROP_SIDE];
            sample(&source, corner, window, 2 * CROP_SIDE, &mut finer);
            halved(&finer)
        };
        let (whole, mut pixels) = (sampled(Window::WHOLE), sampled(window));
        // The ink of all cells may have another polarity than the lines: see `crop_cells`.
        let differ = |pixel: fn(u8) -> u8| -> u32 {
            let pairs = whole.iter().zip(crop.pixels.iter());
            pairs.map(|(a, b)| u32::from(pixel(*a).abs_diff(*b))).sum()
        };
        if differ(|pixel| !pixel) < differ(|pixel| pixel) {
            pixels.iter_mut().for_each(|pixel| *pixel = !*pixel);
        }
        Some(CellCrop {
            pixels,
            board_contrast: crop.board_contrast,
        })
    }

    /// Returns the position of the point `(column, row)` of the upright board, in reading pixels;
    /// both from 0 to 9.
    pub fn point(&self, column: f32, row: f32) -> Point {
        let (u, v) = match self.rotation.quarter_turns() {
            0 => (column, row),
            1 => (9.0 - row, column),
            2 => (9.0 - column, 9.0 - row),
            _ => (row, 9.0 - column),
        };
        self.lattice.point(u, v)
    }

    /// Returns the cells of the upright board that lie inside the photo except for a fifth at their
    /// borders.
    pub fn visible(&self, photo: &Photo) -> CellSet {
        let size = photo.luma().dimensions();
        let corners = [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)];
        let is_visible = |cell: &Cell| {
            let (row, column) = (cell.row() as f32, cell.column() as f32);
            let mut corners = corners.into_iter();
            corners.all(|(x, y)| is_inside(self.point(column + x, row + y), size))
        };
        Cell::all().filter(is_visible).collect()
    }

    /// Returns the corners in pixels of the upright photo, clockwise from the board's own top left,
    /// clamped to the photo.
    pub fn corners(&self, photo: &Photo) -> [Point; 4] {
        let mut corners = self.lattice.corners().corners();
        corners.rotate_left(usize::from(self.rotation.quarter_turns()));
        let inside = |value: f32, side: u32| (value / photo.scale()).clamp(0.0, side as f32);
        corners.map(|point| Point {
            x: inside(point.x, photo.width()),
            y: inside(point.y, photo.height()),
        })
    }
}

/// Returns a picture of a crop at twice its resolution at half of that: each pixel the mean of four.
fn halved(pixels: &[u8; 4 * CROP_SIDE * CROP_SIDE]) -> Box<[u8; CROP_SIDE * CROP_SIDE]> {
    Box::new(std::array::from_fn(|i| {
        let first = 4 * CROP_SIDE * (i / CROP_SIDE) + 2 * (i % CROP_SIDE);
        let four = [0, 1, 2 * CROP_SIDE, 2 * CROP_SIDE + 1];
        let sum: u16 = four.iter().map(|at| u16::from(pixels[first + at])).sum();
        ((sum + 2) / 4) as u8
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::PhotoConfig;
    use crate::vision::drawn::DrawnBoard;

    /// The place of a board with cells of this width, turned, and its photo: waves without lines, of another length in
    /// each direction.
    fn place(cell: f32, turns: u8) -> (Photo, BoardPlace) {
        let drawn = DrawnBoard::square(20.0, 30.0, cell);
        let side = (9.0 * cell + 60.0) as u32;
        let luma = drawn.draw((side, side), |u, v| {
            128.0 + 60.0 * (6.0 * u).sin() + 40.0 * (4.0 * v + u).cos()
        });
        let place = BoardPlace {
            lattice: drawn.lattice(),
            polarity: Polarity::DarkOnLight,
            rotation: Rotation::from_quarter_turns(turns),
        };
        (Photo::from_luma(luma, &PhotoConfig::default()), place)
    }

    /// Returns the gray value of a crop between its pixels.
    fn between(crop: &CellCrop, x: f32, y: f32) -> f32 {
        let (x, y) = (x - 0.5, y - 0.5);
        let at = |x: f32, y: f32| f32::from(crop.pixels[y as usize * CROP_SIDE + x as usize]);
        let (left, top) = (x.floor(), y.floor());
        let (s, t) = (x - left, y - top);
        let row = |y: f32| (1.0 - s) * at(left, y) + s * at(left + 1.0, y);
        (1.0 - t) * row(top) + t * row(top + 1.0)
    }

    #[test]
    fn a_closer_look_shows_the_window_however_the_board_is_turned_and_whatever_its_polarity() {
        let window = Window {
            middle: [13.0, 18.5],
            side: 19.0,
        };
        for (turns, is_inverted) in [(0, false), (1, false), (2, true), (3, false)] {
            let (photo, mut place) = place(64.0, turns);
            let mut crops = place.cut(&photo);
            if is_inverted {
                crops = crops.map(|crop| CellCrop {
                    pixels: Box::new(crop.pixels.map(|pixel| !pixel)),
                    board_contrast: crop.board_contrast,
                });
                // Whatever that of the lines is.
                place.polarity = Polarity::LightOnDark;
            }
            for (cell, crop) in crops.iter() {
                let closer = place.cut_closer(&photo, cell, crop, window).unwrap();
                assert_eq!(closer.board_contrast, crop.board_contrast);
                for (i, pixel) in closer.pixels.iter().enumerate() {
                    let at = |middle: f32, i: usize| {
                        middle + ((i as f32 + 0.5) / CROP_SIDE as f32 - 0.5) * window.side
                    };
                    let [right, down] = window.middle;
                    let (x, y) = (at(right, i % CROP_SIDE), at(down, i / CROP_SIDE));
                    let expected = between(crop, x, y);
                    let difference = (f32::from(*pixel) - expected).abs();
                    assert!(difference < 4.0, "{turns} {cell} {i}: {difference}");
                }
            }
        }
    }

    #[test]
    fn what_the_photo_does_not_show_is_not_looked_at_closer() {
        let window = Window {
            middle: [16.0; 2],
            side: 20.0,
        };
        for (cell_side, is_shown) in [(30.0, false), (37.0, false), (40.0, true)] {
            let (photo, place) = place(cell_side, 0);
            let crops = place.cut(&photo);
            let cell = Cell::at(3, 4).unwrap();
            let closer = place.cut_closer(&photo, cell, &crops[cell], window);
            assert_eq!(closer.is_some(), is_shown, "{cell_side}");
        }
    }
}
