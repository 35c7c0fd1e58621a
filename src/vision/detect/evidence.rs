//! Scores a quad as a board: ridges along its twenty grid lines, none between them.

use super::detector::Polarity;
use crate::vision::flat::{Flat, Grain};
use crate::vision::lattice::Lattice;
use crate::vision::quad::{Point, Quad};
use crate::vision::sample::Source;

/// Canvas pixels per cell.
const CELL: usize = 16;

const GRAIN: Grain = Grain {
    cell: CELL,
    rim: CELL / 2,
    beside: &[2, 3, 5],
};

/// Canvas pixels to either side of a line's expected position.
const REACH: i32 = 3;

/// The picture at several sizes.
pub(super) struct Pyramid<'a>(Vec<Source<'a>>);

impl<'a> Pyramid<'a> {
    pub(super) fn new(whole: Source<'a>) -> Pyramid<'a> {
        let mut levels = vec![whole];
        for _ in 0..3 {
            if let Some(half) = levels[levels.len() - 1].halved() {
                levels.push(half);
            }
        }
        Pyramid(levels)
    }

    /// Returns the size at which such a cell has about as many pixels as on the canvas.
    fn for_cell(&self, cell: f32) -> &Source<'a> {
        let level = ((cell / CELL as f32).log2() + 0.6).max(0.0) as usize;
        &self.0[level.min(self.0.len() - 1)]
    }

    /// Returns the evidence that there is a board under this lattice.
    pub(super) fn evidence(&self, lattice: &Lattice, polarity: Polarity) -> f32 {
        let source = self.for_cell(lattice.corners().cell_side());
        Flat::of(source, lattice, polarity, GRAIN).evidence(REACH)
    }
}

/// Returns the board in units of cells: ten lines at 0 to 9 in both directions.
pub(crate) fn board_square() -> Quad {
    let corners = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)];
    Quad::new(corners.map(|(x, y)| Point { x, y })).expect("invariant: a square is convex")
}
