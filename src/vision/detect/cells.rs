//! Finds boards by their cells: patches of paper of one size in rows and columns.
//!
//! Needs no outer border and no flat page: from each patch, its neighbours are looked for one step
//! to each side, and from them theirs, each with the step by which it was reached.

use std::collections::HashMap;
use std::ops::Range;

use super::evidence::board_square;
use super::polygon::{Moments, convex_hull};
use crate::vision::homography::Homography;
use crate::vision::lattice::Lattice;
use crate::vision::quad::{Point, Quad};
use crate::vision::smooth_field::{SmoothField, borders};

/// Largest number of patches.
const MAX_PATCHES: usize = 600;
/// Fewest cells of a board.
const MIN_CELLS: usize = 20;
/// Fewest blocks of a board found by blocks.
const MIN_BLOCKS: usize = 7;
/// Number of cells from which on a board counts as nearly complete.
const NEARLY_ALL: usize = 60;
/// Number of cells from which on a board cannot have a row too many.
const ALL_BUT_A_FEW: usize = 76;
/// Largest number of boards per picture.
const MAX_BOARDS: usize = 4;
/// Largest number of patches from which a board is grown.
const MAX_SEEDS: usize = 60;
/// Weight of the neighbours for a cell that was not seen.
const STIFFNESS: f32 = 0.2;

/// A board found by its cells.
pub(super) struct Mesh {
    pub(super) lattice: Lattice,
    /// Number of the 81 cells that were seen.
    pub(super) cells: usize,
}

/// The boards found by patches.
#[derive(Default)]
pub(super) struct Boards {
    /// Boards whose cells are among the patches.
    pub(super) meshes: Vec<Mesh>,
    /// Outlines of boards whose nine blocks are among the patches: where thin lines are too faint
    /// to separate cells.
    pub(super) of_blocks: Vec<Quad>,
}

/// Returns the boards whose cells or blocks are among the patches.
pub(super) fn boards_of(patches: &[Patch]) -> Boards {
    let mut patches = patches.to_vec();
    // The largest first: they are the likeliest.
    patches.sort_by(|a, b| b.side.total_cmp(&a.side));
    patches.truncate(MAX_PATCHES);
    let mut taken = vec![false; patches.len()];
    let mut tried = taken.clone();
    let mut found = Boards::default();
    let mut boards = 0;
    let mut seeds = 0;
    for seed in 0..patches.len() {
        if taken[seed] || tried[seed] {
            continue;
        }
        let cells = grow(&patches, seed, &mut taken);
        seeds += usize::from(!cells.is_empty());
        if cells.len() >= MIN_CELLS {
            let meshes = windows(&cells);
            boards += usize::from(!meshes.is_empty());
            found.meshes.extend(meshes);
        } else if cells.len() >= MIN_BLOCKS {
            found.of_blocks.extend(outline_of_blocks(&cells));
        }
        for cell in &cells {
            // Part of a board may be grown askew: another seed may see it better.
            taken[cell.patch] = cells.len() >= NEARLY_ALL;
            tried[cell.patch] |= cells.len() >= MIN_CELLS;
        }
        if boards == MAX_BOARDS || seeds == MAX_SEEDS {
            break;
        }
    }
    found
}

/// Merges the patches of several thresholds, each kept once.
pub(super) fn merged(mut patches: Vec<Patch>) -> Vec<Patch> {
    patches.sort_by(|a, b| a.center.x.total_cmp(&b.center.x));
    let mut once: Vec<Patch> = Vec::with_capacity(patches.len());
    for patch in patches {
        let near = 0.2 * patch.side;
        let twin = once
            .iter()
            .rev()
            .take_while(|known| patch.center.x - known.center.x < near)
            .any(|known| {
                (patch.center.y - known.center.y).abs() < near && alike(known.side, patch.side)
            });
        if !twin {
            once.push(patch);
        }
    }
    once
}

/// A connected patch of paper that may be a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    center: Point,
    /// Square root of the area of its hull, in pixels.
    side: f32,
}

impl Patch {
    /// Returns the patch of this outline and area, in pixels, if its side is among `sides` and its
    /// hull is nearly a parallelogram: that has an area of the square root of 144 times the
    /// determinant of its covariance, whatever its shape. A digit takes a part of the paper, but
    /// not of the hull, even where it touches a line.
    pub(super) fn new(outline: Vec<Point>, area: f32, sides: &Range<f32>) -> Option<Patch> {
        let hull = Moments::of(&convex_hull(outline))?;
        let side = hull.area.sqrt();
        let square = hull.area / (12.0 * hull.covariance_determinant.max(1e-6).sqrt());
        ((0.9..1.07).contains(&square) && sides.contains(&side) && area > 0.3 * hull.area)
            .then_some(Patch {
                center: hull.center,
                side,
            })
    }
}

/// A cell with its row and column in the board being grown.
#[derive(Clone, Copy)]
struct Placed {
    row: i32,
    column: i32,
    patch: usize,
    center: Point,
}

/// A board being grown from one cell.
struct Growth<'a> {
    patches: &'a [Patch],
    cells: Vec<Placed>,
    places: HashMap<(i32, i32), usize>,
    right: Point,
    down: Point,
}

/// Steps to the four sides, and twice as far where a cell is missing.
const STEPS: [(i32, i32); 8] = [
    (0, 1),
    (0, -1),
    (1, 0),
    (-1, 0),
    (0, 2),
    (0, -2),
    (2, 0),
    (-2, 0),
];

/// Rounds of growing, the most certain first: how far a cell may be from its expected position, in
/// cells, and how many of the steps are tried.
const ROUNDS: [(f32, usize); 4] = [(0.15, 4), (0.25, 4), (0.4, 4), (0.35, 8)];

impl Growth<'_> {
    fn run(&mut self, taken: &mut [bool]) {
        for (within, steps) in ROUNDS {
            let sides = self.usual_side();
            let mut next = 0;
            while let Some(&cell) = self.cells.get(next) {
                next += 1;
                for &(rows, columns) in &STEPS[..steps] {
                    let place = (cell.row + rows, cell.column + columns);
                    if self.places.contains_key(&place) {
                        continue;
                    }
                    let (unit, count) = (
                        (rows.signum(), columns.signum()),
                        rows.abs().max(columns.abs()),
                    );
                    let step = self.step(&cell, unit);
                    let expected = Point {
                        x: cell.center.x + count as f32 * step.x,
                        y: cell.center.y + count as f32 * step.y,
                    };
                    let length = step.x.hypot(step.y);
                    let found = nearest(
                        self.patches,
                        taken,
                        expected,
                        within * length,
                        0.78 * sides * length..1.3 * sides * length,
                    );
                    if let Some(found) = found {
                        taken[found] = true;
                        self.place(place, found);
                    }
                }
            }
        }
    }

    /// Returns the typical side of a patch relative to the step to the next one; the rest is the
    /// width of the lines. Pieces of cells cut by a digit have less.
    fn usual_side(&self) -> f32 {
        let share = |cell: &Placed| {
            let step = self.step(cell, (0, 1));
            self.patches[cell.patch].side / step.x.hypot(step.y)
        };
        let mut shares: Vec<f32> = self.cells.iter().map(share).collect();
        shares.sort_by(f32::total_cmp);
        shares[shares.len() / 2].clamp(0.55, 1.0)
    }

    fn place(&mut self, (row, column): (i32, i32), patch: usize) {
        self.places.insert((row, column), self.cells.len());
        self.cells.push(Placed {
            row,
            column,
            patch,
            center: self.patches[patch].center,
        });
    }

    /// Returns the step from a cell to its neighbour on one side: the mean of the step that led
    /// here from the opposite side and of the same steps of adjacent cells; else that of the seed.
    fn step(&self, cell: &Placed, (rows, columns): (i32, i32)) -> Point {
        let at = |row: i32, column: i32| {
            let place = (cell.row + row, cell.column + column);
            self.places.get(&place).map(|&i| self.cells[i].center)
        };
        let beside = |side: i32| {
            let (row, column) = (side * columns, side * rows);
            Some((at(row, column)?, at(row + rows, column + columns)?))
        };
        let opposite = at(-rows, -columns).map(|from| (from, cell.center));
        let (mut sum, mut count) = (Point { x: 0.0, y: 0.0 }, 0.0);
        for (from, to) in [opposite, beside(1), beside(-1)].into_iter().flatten() {
            sum.x += to.x - from.x;
            sum.y += to.y - from.y;
            count += 1.0;
        }
        if count > 0.0 {
            return Point {
                x: sum.x / count,
                y: sum.y / count,
            };
        }
        let (rows, columns) = (rows as f32, columns as f32);
        Point {
            x: columns * self.right.x + rows * self.down.x,
            y: columns * self.right.y + rows * self.down.y,
        }
    }
}

/// Returns the cells that can be reached from one patch; none where it has no similar neighbours.
fn grow(patches: &[Patch], seed: usize, taken: &mut [bool]) -> Vec<Placed> {
    let Some((right, down)) = first_steps(patches, seed, taken) else {
        return Vec::new();
    };
    let mut growth = Growth {
        patches,
        cells: Vec::new(),
        places: HashMap::new(),
        right,
        down,
    };
    taken[seed] = true;
    growth.place((0, 0), seed);
    growth.run(taken);
    growth.cells
}

/// Returns the steps to the right and down from a patch, by its nearest neighbours of similar size.
fn first_steps(patches: &[Patch], seed: usize, taken: &[bool]) -> Option<(Point, Point)> {
    let Patch { center, side } = patches[seed];
    let mut near: Vec<(f32, f32, f32)> = patches
        .iter()
        .enumerate()
        .filter(|&(i, patch)| i != seed && !taken[i] && alike(patch.side, side))
        .map(|(_, patch)| (patch.center.x - center.x, patch.center.y - center.y))
        .filter(|&(x, y)| x * x + y * y < (2.2 * side).powi(2))
        .map(|(x, y)| (x.hypot(y), x, y))
        .collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    near.truncate(8);
    let &(_, x, y) = near.first()?;
    // Turned by quarters until it points right.
    let (x, y) = [(x, y), (-y, x), (-x, -y), (y, -x)]
        .into_iter()
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    let towards = |x: f32, y: f32| {
        near.iter()
            .filter(|&&(distance, nx, ny)| (x * nx + y * ny).abs() > 0.8 * distance * x.hypot(y))
            .map(|&(_, nx, ny)| {
                let sign = (x * nx + y * ny).signum();
                (sign * nx, sign * ny)
            })
            .next()
    };
    let (right, down) = (towards(x, y)?, towards(-y, x)?);
    // Steps along the diagonals span twice a cell.
    let spanned = right.0 * down.1 - right.1 * down.0;
    let length = right.0.hypot(right.1).max(down.0.hypot(down.1));
    // And they pass a cell half way.
    let crossed = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
        .iter()
        .map(|(r, d)| {
            (
                0.5 * (r * right.0 + d * down.0),
                0.5 * (r * right.1 + d * down.1),
            )
        })
        .any(|(x, y)| {
            patches.iter().any(|patch| {
                let (px, py) = (patch.center.x - center.x - x, patch.center.y - center.y - y);
                px * px + py * py < (0.2 * length).powi(2) && 2.0 * patch.side > side
            })
        });
    let beside = [right, down, (-right.0, -right.1), (-down.0, -down.1)]
        .iter()
        .filter(|step| {
            near.iter()
                .any(|n| (n.1 - step.0).hypot(n.2 - step.1) < 0.3 * length)
        })
        .count();
    let point = |(x, y): (f32, f32)| Point { x, y };
    (spanned < 2.2 * side * side && beside >= 3 && !crossed).then_some((point(right), point(down)))
}

fn alike(a: f32, b: f32) -> bool {
    a < 1.45 * b && b < 1.45 * a
}

/// Returns the free patch nearest to a point, if it is near enough and its side among `sides`.
fn nearest(
    patches: &[Patch],
    taken: &[bool],
    place: Point,
    within: f32,
    sides: Range<f32>,
) -> Option<usize> {
    let squared = |patch: &Patch| {
        let (x, y) = (patch.center.x - place.x, patch.center.y - place.y);
        x * x + y * y
    };
    (0..patches.len())
        .map(|i| (squared(&patches[i]), i))
        .filter(|&(squared, i)| {
            squared < within * within && !taken[i] && sides.contains(&patches[i].side)
        })
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, i)| i)
}

/// Returns the boards of nine by nine positions that hold the most cells: all of them where fewer
/// rows or columns were seen, since the missing ones may be on either side.
fn windows(cells: &[Placed]) -> Vec<Mesh> {
    let range = |value: fn(&Placed) -> i32| {
        let low = cells.iter().map(value).min().unwrap_or(0);
        let high = cells.iter().map(value).max().unwrap_or(0);
        (low, high)
    };
    let (rows, columns) = (range(|c| c.row), range(|c| c.column));
    // An outer row may be missing, and something beside the board may look like one more.
    let slack = i32::from(cells.len() < ALL_BUT_A_FEW);
    let starts = |(low, high): (i32, i32)| {
        let (first, last) = (low.min(high - 8), low.max(high - 8));
        first - slack..=last + slack
    };
    if rows.1 - rows.0 < 4 || columns.1 - columns.0 < 4 {
        return Vec::new();
    }
    let mut found: Vec<(usize, i32, i32)> = Vec::new();
    for row in starts(rows) {
        for column in starts(columns) {
            let inside = |c: &&Placed| {
                (row..row + 9).contains(&c.row) && (column..column + 9).contains(&c.column)
            };
            found.push((cells.iter().filter(inside).count(), row, column));
        }
    }
    found.sort_by_key(|&(count, row, column)| (std::cmp::Reverse(count), row, column));
    let most = found.first().map_or(0, |best| best.0);
    found.retain(|&(count, _, _)| count >= MIN_CELLS && count + 6 >= most);
    found.truncate(9);
    found
        .into_iter()
        .filter_map(|(count, row, column)| {
            Some(Mesh {
                lattice: lattice_through(cells, row, column)?,
                cells: count,
            })
        })
        .collect()
}

/// Returns the outline of a board with these blocks in three rows and three columns.
fn outline_of_blocks(blocks: &[Placed]) -> Option<Quad> {
    let first = |place: fn(&Placed) -> i32| blocks.iter().map(place).min();
    let (row, column) = (first(|b| b.row)?, first(|b| b.column)?);
    let within = |b: &Placed| b.row < row + 3 && b.column < column + 3;
    if !blocks.iter().all(within) {
        return None;
    }
    let pairs = blocks.iter().map(|b| {
        let middle = Point {
            x: (3 * (b.column - column)) as f32 + 1.5,
            y: (3 * (b.row - row)) as f32 + 1.5,
        };
        (middle, b.center, 1.0)
    });
    Homography::fit(pairs)?.apply_quad(&board_square())
}

/// Returns the lattice of the board whose top left cell is at `(row, column)`: a homography through
/// the centres of the cells, warped to fit them.
fn lattice_through(cells: &[Placed], row: i32, column: i32) -> Option<Lattice> {
    let inside: Vec<(usize, usize, Point)> = cells
        .iter()
        .filter(|c| (row..row + 9).contains(&c.row) && (column..column + 9).contains(&c.column))
        .map(|c| {
            (
                (c.row - row) as usize,
                (c.column - column) as usize,
                c.center,
            )
        })
        .collect();
    let middle = |i: usize, j: usize| Point {
        x: j as f32 + 0.5,
        y: i as f32 + 0.5,
    };
    let map = Homography::fit(
        inside
            .iter()
            .map(|&(i, j, center)| (middle(i, j), center, 1.0)),
    )?;
    let back = map.inverse()?;
    let nothing = SmoothField {
        offset: [[0f32; 9]; 9],
        weight: [[0f32; 9]; 9],
    };
    let (mut across, mut down) = (nothing.clone(), nothing);
    for (i, j, center) in inside {
        let (at, middle) = (back.apply(center), middle(i, j));
        for (field, offset) in [(&mut across, at.x - middle.x), (&mut down, at.y - middle.y)] {
            field.offset[i][j] = offset;
            field.weight[i][j] = 1.0;
        }
    }
    let at_crossings = |field: &SmoothField<9>| -> [[f32; 10]; 10] {
        let rows = field.at_rest(STIFFNESS).map(|row| borders(&row));
        let columns: [[f32; 10]; 10] =
            std::array::from_fn(|j| borders(&std::array::from_fn(|i| rows[i][j])));
        std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]))
    };
    let (across, down) = (at_crossings(&across), at_crossings(&down));
    Lattice::bent(&map, &across, &down)
}
