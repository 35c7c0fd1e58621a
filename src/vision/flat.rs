//! A board flattened along a lattice, and the ridges of its grid lines.
//!
//! A grid line is a ridge: darker than the paper on both of its sides, so that the edge of a shadow
//! or of a coloured cell is none.

use super::detect::Polarity;
use super::lattice::Lattice;
use super::quad::Point;
use super::sample::Source;

/// How finely a board is flattened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grain {
    /// Canvas pixels a cell.
    pub(super) cell: usize,
    /// Canvas pixels beyond the outer lines.
    pub(super) rim: usize,
    /// Distances from the middle of a line to the paper beside it, in canvas pixels: for thin and
    /// for thick lines.
    pub(super) beside: &'static [usize],
}

impl Grain {
    const fn side(&self) -> usize {
        9 * self.cell + 2 * self.rim
    }
}

/// The ridges of a flattened board in both directions.
pub(super) struct Flat {
    /// Of the horizontal lines.
    pub(super) horizontal: Ridges,
    /// Of the vertical lines.
    pub(super) vertical: Ridges,
}

impl Flat {
    /// Flattens a board; its ink becomes dark.
    pub(super) fn of(source: &Source, lattice: &Lattice, polarity: Polarity, grain: Grain) -> Flat {
        let side = grain.side();
        let mut canvas = vec![0u8; side * side];
        let place = |pixel: usize| (pixel as f32 + 0.5 - grain.rim as f32) / grain.cell as f32;
        // Straight pieces of a row: the rim belongs to the cell beside it.
        let ends: [usize; 10] = std::array::from_fn(|piece| match piece {
            0 => 0,
            9 => side,
            piece => grain.rim + piece * grain.cell,
        });
        for (y, row) in canvas.chunks_exact_mut(side).enumerate() {
            let v = place(y);
            for piece in ends.windows(2) {
                let (first, last) = (
                    lattice.point(place(piece[0]), v),
                    lattice.point(place(piece[1] - 1), v),
                );
                let steps = (piece[1] - piece[0] - 1) as f32;
                let step = Point {
                    x: (last.x - first.x) / steps,
                    y: (last.y - first.y) / steps,
                };
                source.along(first, step, &mut row[piece[0]..piece[1]]);
            }
        }
        if polarity == Polarity::LightOnDark {
            canvas.iter_mut().for_each(|pixel| *pixel = !*pixel);
        }
        let mut turned = vec![0u8; side * side];
        for (x, turned) in turned.chunks_exact_mut(side).enumerate() {
            for (pixel, row) in turned.iter_mut().zip(canvas.chunks_exact(side)) {
                *pixel = row[x];
            }
        }
        Flat {
            horizontal: Ridges::of(&canvas, grain),
            vertical: Ridges::of(&turned, grain),
        }
    }
}

impl Flat {
    /// Evidence that this is a board: half the mean over the twenty lines and half the mean of the
    /// weakest five, less most of what is found in the middles of the cells. Lines may be `reach`
    /// canvas pixels off.
    pub(super) fn evidence(&self, reach: i32) -> f32 {
        let mut lines = Vec::with_capacity(20);
        let mut middles = 0.0;
        for ridges in [&self.horizontal, &self.vertical] {
            lines.extend((0..10).map(|line| ridges.strength(line as f32, reach)));
            let between = (0..9).map(|line| ridges.strength(line as f32 + 0.5, reach));
            middles += between.sum::<f32>();
        }
        lines.sort_by(f32::total_cmp);
        let mean = lines.iter().sum::<f32>() / 20.0;
        let weakest = lines[..5].iter().sum::<f32>() / 5.0;
        0.5 * mean + 0.5 * weakest - 0.7 * middles / 18.0
    }
}

/// The share of ridge along each cell-long piece of each canvas row, 0 to 1.
pub(super) struct Ridges {
    rows: Vec<[f32; 9]>,
    grain: Grain,
}

impl Ridges {
    /// The horizontal ridges of a canvas with dark ink. A ridge counts in full from a third of the
    /// depth of the deep ones on, but only where that is clearly above the noise of the paper.
    fn of(canvas: &[u8], grain: Grain) -> Ridges {
        let side = grain.side();
        let mut depths = vec![0u8; side * side];
        for (y, depths) in depths.chunks_exact_mut(side).enumerate() {
            let row = |y: usize| &canvas[y * side..(y + 1) * side];
            let here = row(y);
            for &beside in grain.beside {
                let (above, below) = (
                    row(y.saturating_sub(beside)),
                    row((y + beside).min(side - 1)),
                );
                for (((depth, &a), &b), &here) in depths.iter_mut().zip(above).zip(below).zip(here)
                {
                    *depth = (*depth).max(a.min(b).saturating_sub(here));
                }
            }
        }
        let full = full_depth(&depths);
        let scale = 1.0 / (grain.cell as f32 * f32::from(full));
        let shares = |row: &[u8]| {
            let mut shares = [0f32; 9];
            for (share, piece) in shares
                .iter_mut()
                .zip(row[grain.rim..].chunks_exact(grain.cell))
            {
                let sum: u32 = piece.iter().map(|&depth| u32::from(depth.min(full))).sum();
                *share = sum as f32 * scale;
            }
            shares
        };
        Ridges {
            rows: depths.chunks_exact(side).map(shares).collect(),
            grain,
        }
    }

    /// The shares at `offset` canvas pixels below the place `line` (in cells from the top line);
    /// `None` outside the canvas.
    #[inline]
    pub(super) fn at(&self, line: f32, offset: i32) -> Option<&[f32; 9]> {
        let y = (self.grain.rim as f32 + line * self.grain.cell as f32) as i32 + offset;
        self.rows.get(usize::try_from(y).ok()?)
    }

    /// Mean over nine segments of the ridge along each, at the best offset within reach.
    fn strength(&self, line: f32, reach: i32) -> f32 {
        let mut best = [0f32; 9];
        for shares in (-reach..=reach).filter_map(|offset| self.at(line, offset)) {
            for (best, share) in best.iter_mut().zip(shares) {
                *best = best.max(*share);
            }
        }
        let sure = |share: &f32| (share / 0.9).min(1.0).powi(2);
        best.iter().map(sure).sum::<f32>() / 9.0
    }
}

/// How deep a ridge must be to count in full, in gray values.
fn full_depth(depths: &[u8]) -> u8 {
    let mut histogram = [0u32; 256];
    for &depth in depths.iter().step_by(3) {
        histogram[depth as usize] += 1;
    }
    let total: u32 = histogram.iter().sum();
    let quantile = |share: f32| {
        let rank = (total as f32 * share) as u32;
        let mut below = 0;
        let reached = histogram.iter().position(|&count| {
            below += count;
            below > rank
        });
        reached.unwrap_or(255) as f32
    };
    let full = (0.2 * quantile(0.95)).max(2.0 * quantile(0.6) + 3.0);
    full.clamp(5.0, 24.0) as u8
}
