//! The place of a board in its photo, from which its cells are cut.

use serde::{Deserialize, Serialize};

use super::cells::{crop_cells, turn_board};
use super::crop::CellCrop;
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
