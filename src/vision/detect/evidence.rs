//! How much a quad looks like a board: ridges along its twenty grid lines, none between them.

use super::detector::Polarity;
use crate::vision::flat::{Flat, Grain};
use crate::vision::lattice::Lattice;
use crate::vision::quad::{Point, Quad};
use crate::vision::sample::Source;

/// Canvas pixels a cell.
const CELL: usize = 16;

const GRAIN: Grain = Grain {
    cell: CELL,
    rim: CELL / 2,
    beside: &[2, 3, 5],
};

/// Canvas pixels to either side of a line's place at which it is looked for.
const REACH: i32 = 3;

/// The picture at the sizes that evidence is taken at.
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

    /// The one in which a cell of this size has about as many pixels as on the canvas.
    fn for_cell(&self, cell: f32) -> &Source<'a> {
        let level = ((cell / CELL as f32).log2() + 0.6).max(0.0) as usize;
        &self.0[level.min(self.0.len() - 1)]
    }

    /// Evidence that a board lies under this lattice.
    pub(super) fn evidence(&self, lattice: &Lattice, polarity: Polarity) -> f32 {
        let source = self.for_cell(lattice.corners().cell_side());
        Flat::of(source, lattice, polarity, GRAIN).evidence(REACH)
    }
}

/// The board in cells: ten lines at 0 to 9 in both directions.
pub(crate) fn board_square() -> Quad {
    let corners = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)];
    Quad::new(corners.map(|(x, y)| Point { x, y })).expect("invariant: a square is convex")
}
