//! A board flattened along a lattice, and the ridges of its grid lines.
//!
//! A grid line is a ridge: darker than the paper on both of its sides, which the edge of a shadow
//! or of a coloured cell is not.

use super::detect::Polarity;
use super::lattice::Lattice;
use super::quad::Point;
use super::sample::Source;
use crate::simd::{Isa, Kernel, run_with_best};

/// Resolution of a flattened board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grain {
    /// Canvas pixels per cell.
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

    /// Returns the share of a line's piece that a gray value of depth adds, if `full` counts in
    /// full.
    fn share(&self, full: u8) -> f32 {
        1.0 / (self.cell as f32 * f32::from(full))
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
    /// Flattens a board, with ink as dark.
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
            let crossings = lattice.crossings(place(y));
            for (piece, ends) in ends.windows(2).enumerate() {
                let (left, right) = (crossings[piece], crossings[piece + 1]);
                let step = Point {
                    x: (right.x - left.x) / grain.cell as f32,
                    y: (right.y - left.y) / grain.cell as f32,
                };
                let from_left = (place(ends[0]) - piece as f32) * grain.cell as f32;
                let first = Point {
                    x: left.x + from_left * step.x,
                    y: left.y + from_left * step.y,
                };
                source.along(first, step, &mut row[ends[0]..ends[1]]);
            }
        }
        if polarity == Polarity::LightOnDark {
            canvas.iter_mut().for_each(|pixel| *pixel = !*pixel);
        }
        run_with_best(FindRidges {
            canvas: &canvas,
            grain,
        })
    }
}

/// The computation of the ridges of a canvas with dark ink.
struct FindRidges<'a> {
    canvas: &'a [u8],
    grain: Grain,
}

impl<I: Isa> Kernel<I> for FindRidges<'_> {
    type Output = Flat;

    #[inline(always)]
    fn run(self, _: I) -> Flat {
        Flat {
            horizontal: Ridges::across(self.canvas, self.grain),
            vertical: Ridges::down(self.canvas, self.grain),
        }
    }
}

impl Flat {
    /// Returns the score of a board: half the mean over the twenty lines and half the mean of the
    /// weakest five, less most of the ridges in the middles of the cells. Lines may be off by
    /// `reach` canvas pixels.
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
    /// Returns the horizontal ridges of a canvas with dark ink. A ridge counts in full from a third
    /// of the depth of the deep ones on, but only where that is clearly above the noise of the
    /// paper.
    #[inline(always)]
    fn across(canvas: &[u8], grain: Grain) -> Ridges {
        let side = grain.side();
        let mut depths = vec![0u8; side * side];
        for (y, depths) in depths.chunks_exact_mut(side).enumerate() {
            let row = |y: usize| &canvas[y * side..(y + 1) * side];
            for &beside in grain.beside {
                let (above, below) = (
                    row(y.saturating_sub(beside)),
                    row((y + beside).min(side - 1)),
                );
                deepen(depths, row(y), above, below);
            }
        }
        let full = full_depth(depths.iter().step_by(3));
        let shares = |row: &[u8]| {
            let mut shares = [0f32; 9];
            let pieces = row[grain.rim..].chunks_exact(grain.cell);
            for (share, piece) in shares.iter_mut().zip(pieces) {
                let sum: u32 = piece.iter().map(|&depth| u32::from(depth.min(full))).sum();
                *share = sum as f32 * grain.share(full);
            }
            shares
        };
        Ridges {
            rows: depths.chunks_exact(side).map(shares).collect(),
            grain,
        }
    }

    /// Returns the vertical ridges of a canvas: the horizontal ones of its transpose.
    #[inline(always)]
    fn down(canvas: &[u8], grain: Grain) -> Ridges {
        let side = grain.side();
        let rim = grain.beside.iter().copied().max().unwrap_or(0);
        let mut depths = vec![0u8; side * side];
        let mut padded = vec![0u8; side + 2 * rim];
        for (depths, row) in depths.chunks_exact_mut(side).zip(canvas.chunks_exact(side)) {
            padded[..rim].fill(row[0]);
            padded[rim..rim + side].copy_from_slice(row);
            padded[rim + side..].fill(row[side - 1]);
            for &beside in grain.beside {
                let (left, right) = (&padded[rim - beside..], &padded[rim + beside..]);
                deepen(depths, row, &left[..side], &right[..side]);
            }
        }
        let full = full_depth(depths.chunks_exact(side).step_by(3).flatten());
        let mut rows = vec![[0f32; 9]; side];
        let mut sums = vec![0u16; side];
        let pieces = depths[grain.rim * side..].chunks_exact(grain.cell * side);
        for (segment, piece) in pieces.take(9).enumerate() {
            sums.fill(0);
            for row in piece.chunks_exact(side) {
                for (sum, &depth) in sums.iter_mut().zip(row) {
                    *sum += u16::from(depth.min(full));
                }
            }
            for (row, &sum) in rows.iter_mut().zip(&sums) {
                row[segment] = f32::from(sum) * grain.share(full);
            }
        }
        Ridges { rows, grain }
    }

    /// Returns the shares at `offset` canvas pixels below the line at `line` (in cells from the top
    /// line); `None` outside the canvas.
    #[inline]
    pub(super) fn at(&self, line: f32, offset: i32) -> Option<&[f32; 9]> {
        let y = (self.grain.rim as f32 + line * self.grain.cell as f32) as i32 + offset;
        self.rows.get(usize::try_from(y).ok()?)
    }

    /// Returns the mean share of ridge along a line over its nine segments, each at the best offset
    /// within reach.
    pub(super) fn strength(&self, line: f32, reach: i32) -> f32 {
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

/// Raises each depth to that by which a pixel is darker than the pixels on both of its sides.
#[inline(always)]
fn deepen(depths: &mut [u8], here: &[u8], before: &[u8], after: &[u8]) {
    for (((depth, &a), &b), &here) in depths.iter_mut().zip(before).zip(after).zip(here) {
        *depth = (*depth).max(a.min(b).saturating_sub(here));
    }
}

/// Returns the depth at which a ridge counts in full, in gray values, from a sample of depths.
fn full_depth<'a>(depths: impl Iterator<Item = &'a u8>) -> u8 {
    // Most depths are 0: in one histogram each count would wait for the one before it.
    let mut histograms = [[0u32; 4]; 256];
    for (number, &depth) in depths.enumerate() {
        histograms[depth as usize][number % 4] += 1;
    }
    let histogram = histograms.map(|counts| counts.iter().sum::<u32>());
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
    let full = (0.2 * quantile(0.95)).max(1.2 * quantile(0.5) + 3.0);
    full.clamp(5.0, 24.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::drawn::{DrawnBoard, INK, PAPER, on_line, printed};
    use image::GrayImage;
    use proptest::prelude::*;

    const GRAIN: Grain = Grain {
        cell: 24,
        rim: 12,
        beside: &[2, 4, 7],
    };
    const SIZE: (u32, u32) = (300, 300);

    fn board() -> DrawnBoard {
        DrawnBoard::square(30.0, 30.0, 26.0)
    }

    fn flat(picture: &GrayImage, board: &DrawnBoard, polarity: Polarity) -> Flat {
        Flat::of(&Source::whole(picture), &board.lattice(), polarity, GRAIN)
    }

    fn evidence(picture: &GrayImage) -> f32 {
        flat(picture, &board(), Polarity::DarkOnLight).evidence(3)
    }

    #[test]
    fn every_grid_line_is_a_ridge_and_the_paper_between_is_none() {
        let picture = board().draw(SIZE, printed);
        let flat = flat(&picture, &board(), Polarity::DarkOnLight);
        for ridges in [&flat.horizontal, &flat.vertical] {
            for line in 0..10 {
                let row = [-1, 0, 1].map(|offset| ridges.at(line as f32, offset).unwrap());
                for segment in 0..9 {
                    let best = row.iter().map(|row| row[segment]).fold(0.0, f32::max);
                    assert!(best > 0.9, "{line} {segment}: {best}");
                }
            }
            for between in 0..9 {
                let row = ridges.at(between as f32 + 0.5, 0).unwrap();
                // The crossing lines do not count.
                assert!(row.iter().all(|&share| share < 0.1), "{row:?}");
            }
        }
    }

    #[test]
    fn uneven_light_hardly_lowers_the_evidence() {
        let even = evidence(&board().draw(SIZE, printed));
        assert!(even > 0.85, "{even}");
        let gradients: [fn(f64, f64) -> f64; 4] = [
            |u, _| 1.0 - 0.06 * u,
            |u, _| 0.46 + 0.06 * u,
            |_, v| 1.0 - 0.06 * v,
            |u, v| 1.0 - 0.005 * ((u - 4.5).powi(2) + (v - 4.5).powi(2)),
        ];
        for light in gradients {
            let uneven = evidence(&board().draw(SIZE, |u, v| printed(u, v) * light(u, v)));
            assert!((even - uneven).abs() < 0.05, "{even} {uneven}");
        }
    }

    #[test]
    fn a_shadow_a_colored_block_and_a_gradient_are_no_lines() {
        let pictures: [fn(f64, f64) -> f64; 4] = [
            |_, _| PAPER,
            |u, _| if u < 4.0 { INK } else { PAPER },
            |u, v| {
                if (u / 3.0) as i32 == (v / 3.0) as i32 {
                    150.0
                } else {
                    PAPER
                }
            },
            |u, v| 100.0 + 8.0 * u + 4.0 * v,
        ];
        for gray in pictures {
            let found = evidence(&board().draw(SIZE, gray));
            assert!(found < 0.05, "{found}");
        }
    }

    #[test]
    fn evidence_falls_with_each_missing_line_and_with_ink_in_cells() {
        let mut last = evidence(&board().draw(SIZE, printed));
        for missing in 1..9 {
            let some = |u: f64, v: f64| {
                let erased =
                    v > 0.2 && v < f64::from(missing) + 0.2 && (u - u.round()).abs() > 0.05;
                if erased { PAPER } else { printed(u, v) }
            };
            let found = evidence(&board().draw(SIZE, some));
            assert!(found < last - 0.02, "{missing}: {found}, before it {last}");
            last = found;
        }
        let full = evidence(&board().draw(SIZE, printed));
        // Twice as many lines: ruled paper that the board happens to fit.
        let ruled = |u: f64, v: f64| {
            if on_line(u, v) || on_line(u + 0.5, v + 0.5) {
                INK
            } else {
                PAPER
            }
        };
        let ruled = evidence(&board().draw(SIZE, ruled));
        assert!(ruled < full - 0.5, "{ruled} {full}");
    }

    #[test]
    fn light_ink_on_a_dark_ground_is_the_same_board() {
        let picture = board().draw(SIZE, printed);
        let mut inverted = picture.clone();
        image::imageops::invert(&mut inverted);
        let dark = flat(&picture, &board(), Polarity::DarkOnLight);
        let light = flat(&inverted, &board(), Polarity::LightOnDark);
        // Rounding between pixels may go the other way.
        assert!((dark.evidence(3) - light.evidence(3)).abs() < 0.01);
        assert!(flat(&inverted, &board(), Polarity::DarkOnLight).evidence(3) < 0.4);
    }

    #[test]
    fn rows_of_a_picture_are_columns_of_its_transpose() {
        let lopsided = |u: f64, v: f64| {
            if (4.1..4.9).contains(&u) {
                PAPER
            } else {
                printed(u, v)
            }
        };
        let picture = board().draw(SIZE, lopsided);
        let mut transposed = GrayImage::new(SIZE.1, SIZE.0);
        for (x, y, pixel) in picture.enumerate_pixels() {
            transposed.put_pixel(y, x, *pixel);
        }
        let one = flat(&picture, &board(), Polarity::DarkOnLight);
        let other = flat(&transposed, &board(), Polarity::DarkOnLight);
        for (a, b) in [
            (&one.horizontal, &other.vertical),
            (&one.vertical, &other.horizontal),
        ] {
            for (a, b) in a.rows.iter().flatten().zip(b.rows.iter().flatten()) {
                assert!((a - b).abs() < 0.02, "{a} {b}");
            }
        }
        assert!(one.horizontal.strength(2.0, 3) < 0.95);
        assert!(one.vertical.strength(2.0, 3) > 0.95);
    }

    #[test]
    fn a_bent_board_is_flattened() {
        let bent = DrawnBoard::new(
            [(40.0, 30.0), (270.0, 50.0), (280.0, 240.0), (25.0, 260.0)],
            0.5,
        );
        let picture = bent.draw(SIZE, printed);
        let found = flat(&picture, &bent, Polarity::DarkOnLight).evidence(3);
        assert!(found > 0.8, "{found}");
        // The same picture under a straight lattice.
        let straight = DrawnBoard::new(
            [(40.0, 30.0), (270.0, 50.0), (280.0, 240.0), (25.0, 260.0)],
            0.0,
        );
        let found = flat(&picture, &straight, Polarity::DarkOnLight).evidence(3);
        assert!(found < 0.6, "{found}");
    }

    #[test]
    fn rows_outside_the_canvas_are_empty() {
        let picture = board().draw(SIZE, printed);
        let ridges = flat(&picture, &board(), Polarity::DarkOnLight).horizontal;
        let side = GRAIN.side() as i32;
        assert!(ridges.at(0.0, -12).is_some() && ridges.at(0.0, -13).is_none());
        assert!(ridges.at(9.0, side - 9 * 24 - 13).is_some());
        assert!(ridges.at(9.0, side - 9 * 24 - 12).is_none());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn vertical_ridges_are_horizontal_ridges_of_the_transposed_canvas(seed in any::<u32>()) {
            let side = GRAIN.side();
            let noise = |at: usize| ((at as u32).wrapping_mul(2_654_435_761) ^ seed) >> 13;
            let canvas: Vec<u8> = (0..side * side).map(|at| noise(at) as u8).collect();
            let turned: Vec<u8> = (0..side * side)
                .map(|at| canvas[at % side * side + at / side])
                .collect();
            prop_assert_eq!(Ridges::down(&canvas, GRAIN).rows, Ridges::across(&turned, GRAIN).rows);
        }
    }

    proptest! {
        #[test]
        fn the_depth_that_counts_in_full_lies_between_noise_and_ink(
            noise in 0u8..40, ink in 0u8..=255, share in 0usize..30,
        ) {
            let depths: Vec<u8> = (0..3000)
                .map(|k| if k / 3 % 100 < share { ink } else { noise })
                .collect();
            let full = full_depth(depths.iter());
            prop_assert!((5..=24).contains(&full));
            prop_assert!(full > noise.min(16));
        }
    }
}
