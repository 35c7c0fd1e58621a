//! How much a quad looks like a board: ridges along its twenty grid lines, none between them.

use super::detector::Polarity;
use crate::vision::flat::{Flat, Grain, Ridges};
use crate::vision::homography::Homography;
use crate::vision::lattice::Lattice;
use crate::vision::quad::{Point, Quad};
use crate::vision::sample::Source;

/// Canvas pixels a cell.
const CELL: usize = 16;

const GRAIN: Grain = Grain {
    cell: CELL,
    rim: CELL / 2,
    beside: &[2, 3],
};

/// Canvas pixels to either side of a line's place at which it is looked for.
const REACH: i32 = 3;

/// The picture at the sizes that evidence is taken at.
pub(super) struct Pyramid<'a>(Vec<Source<'a>>);

impl<'a> Pyramid<'a> {
    pub(super) fn new(whole: Source<'a>) -> Pyramid<'a> {
        let mut levels = vec![whole];
        for _ in 0..2 {
            if let Some(half) = levels[levels.len() - 1].halved() {
                levels.push(half);
            }
        }
        Pyramid(levels)
    }

    /// The smallest one in which a cell of this size still has all the canvas's pixels.
    fn for_cell(&self, cell: f32) -> &Source<'a> {
        let level = (cell / (1.1 * CELL as f32)).log2().floor().max(0.0) as usize;
        &self.0[level.min(self.0.len() - 1)]
    }

    /// Evidence that `quad` is the outline of a board: half the mean over the twenty lines and half
    /// the mean of the weakest five, less most of what is found in the middles of the cells.
    pub(super) fn evidence(&self, quad: &Quad, polarity: Polarity) -> f32 {
        let lattice =
            Homography::between(&board_square(), quad).and_then(|map| Lattice::under(&map));
        let Some(lattice) = lattice else { return 0.0 };
        let source = self.for_cell((quad.area() / 81.0).sqrt());
        let flat = Flat::of(source, &lattice, polarity, GRAIN);
        let mut lines = Vec::with_capacity(20);
        let mut middles = 0.0;
        for ridges in [&flat.horizontal, &flat.vertical] {
            lines.extend((0..10).map(|line| strength(ridges, line as f32)));
            middles += (0..9)
                .map(|line| strength(ridges, line as f32 + 0.5))
                .sum::<f32>();
        }
        lines.sort_by(f32::total_cmp);
        let mean = lines.iter().sum::<f32>() / 20.0;
        let weakest = lines[..5].iter().sum::<f32>() / 5.0;
        0.5 * mean + 0.5 * weakest - 0.7 * middles / 18.0
    }
}

/// The board in cells: ten lines at 0 to 9 in both directions.
pub(crate) fn board_square() -> Quad {
    let corners = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)];
    Quad::new(corners.map(|(x, y)| Point { x, y })).expect("invariant: a square is convex")
}

/// Mean over nine segments of the ridge along each, at the best offset within reach.
fn strength(ridges: &Ridges, line: f32) -> f32 {
    let mut best = [0f32; 9];
    for offset in -REACH..=REACH {
        if let Some(shares) = ridges.at(line, offset) {
            for (best, share) in best.iter_mut().zip(shares) {
                *best = best.max(*share);
            }
        }
    }
    best.iter().map(|share| share.min(0.9) / 0.9).sum::<f32>() / 9.0
}
