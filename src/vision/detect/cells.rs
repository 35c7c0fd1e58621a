//! Boards from their cells: patches of paper of one size, side by side in rows and columns.
//!
//! Needs no outer border and no straight page: from a patch, its neighbours are looked for one step
//! to each side, and from them theirs, each with the step it was reached by.

use super::components::{Component, Components};
use crate::vision::homography::Homography;
use crate::vision::lattice::Lattice;
use crate::vision::membrane::{Membrane, borders};
use crate::vision::quad::Point;

/// Most patches that are looked at.
const MAX_PATCHES: usize = 600;
/// Fewest cells that make a board believable.
const MIN_CELLS: usize = 20;
/// Most boards from one picture.
const MAX_BOARDS: usize = 4;
/// Most patches that a board is grown from.
const MAX_SEEDS: usize = 60;
/// How much a cell that was not seen follows its neighbours.
const STIFFNESS: f32 = 0.2;

/// The lattices of boards whose cells are among the components.
pub(super) fn boards_from_cells(paper: &Components, min_cell: f32, max_cell: f32) -> Vec<Lattice> {
    let mut patches: Vec<Patch> = paper
        .all()
        .iter()
        .filter_map(|component| Patch::of(component, min_cell, max_cell))
        .collect();
    if patches.len() > MAX_PATCHES {
        // The largest are the likeliest.
        patches.sort_by(|a, b| b.side.total_cmp(&a.side));
        patches.truncate(MAX_PATCHES);
    }
    let mut taken = vec![false; patches.len()];
    let mut lattices = Vec::new();
    let mut boards = 0;
    let mut seeds = 0;
    for seed in 0..patches.len() {
        if taken[seed] {
            continue;
        }
        let cells = grow(&patches, seed, &mut taken);
        seeds += usize::from(!cells.is_empty());
        if cells.len() >= MIN_CELLS {
            let found = windows(&cells);
            boards += usize::from(!found.is_empty());
            lattices.extend(found);
        } else {
            // They may be part of a board that another seed sees better.
            for cell in &cells {
                taken[cell.patch] = false;
            }
        }
        if boards == MAX_BOARDS || seeds == MAX_SEEDS {
            break;
        }
    }
    lattices
}

/// A piece of paper that may be a cell.
#[derive(Clone, Copy)]
struct Patch {
    center: Point,
    /// Square root of its area, in pixels.
    side: f32,
}

impl Patch {
    fn of(component: &Component, min: f32, max: f32) -> Option<Patch> {
        let (width, height) = (component.width() as f32, component.height() as f32);
        if width < min || height < min || width > 2.0 * max || height > 2.0 * max {
            return None;
        }
        let side = (component.area as f32).sqrt();
        // A filled parallelogram has an area of the square root of 144 times the determinant of its
        // covariance, whatever its shape; a digit inside takes a part of it.
        let filled = side * side / (12.0 * component.covariance_determinant().max(1e-6).sqrt());
        let slim = width.max(height) / width.min(height);
        ((0.55..1.12).contains(&filled) && side >= min && side <= max && slim < 2.5).then_some(
            Patch {
                center: component.center(),
                side,
            },
        )
    }
}

/// A cell with its place in the board being grown, and the steps to its neighbours.
#[derive(Clone, Copy)]
struct Placed {
    row: i32,
    column: i32,
    patch: usize,
    center: Point,
    right: (f32, f32),
    down: (f32, f32),
}

fn grow(patches: &[Patch], seed: usize, taken: &mut [bool]) -> Vec<Placed> {
    let Some((right, down)) = first_steps(patches, seed, taken) else {
        return Vec::new();
    };
    let mut cells = vec![Placed {
        row: 0,
        column: 0,
        patch: seed,
        center: patches[seed].center,
        right,
        down,
    }];
    let mut places = std::collections::HashSet::from([(0, 0)]);
    taken[seed] = true;
    let mut next = 0;
    while let Some(&cell) = cells.get(next) {
        next += 1;
        for (dr, dc) in [
            (0, 1),
            (0, -1),
            (1, 0),
            (-1, 0),
            (0, 2),
            (0, -2),
            (2, 0),
            (-2, 0),
        ] {
            let (row, column) = (cell.row + dr, cell.column + dc);
            if places.contains(&(row, column)) {
                continue;
            }
            let (sr, sc) = (dr as f32, dc as f32);
            let step = (
                sc * cell.right.0 + sr * cell.down.0,
                sc * cell.right.1 + sr * cell.down.1,
            );
            let expected = Point {
                x: cell.center.x + step.0,
                y: cell.center.y + step.1,
            };
            let length = step.0.hypot(step.1) / (sr.abs() + sc.abs());
            let within = if dr.abs() + dc.abs() == 1 { 0.4 } else { 0.35 };
            let Some(found) = nearest(patches, taken, expected, within * length, length) else {
                continue;
            };
            taken[found] = true;
            places.insert((row, column));
            let center = patches[found].center;
            let count = sr + sc;
            let seen = (
                (center.x - cell.center.x) / count,
                (center.y - cell.center.y) / count,
            );
            let blend =
                |old: (f32, f32)| (0.25 * old.0 + 0.75 * seen.0, 0.25 * old.1 + 0.75 * seen.1);
            cells.push(Placed {
                row,
                column,
                patch: found,
                center,
                right: if dc != 0 {
                    blend(cell.right)
                } else {
                    cell.right
                },
                down: if dr != 0 { blend(cell.down) } else { cell.down },
            });
        }
    }
    cells
}

/// The steps to the right and down from a patch, by its nearest neighbours of like size.
fn first_steps(patches: &[Patch], seed: usize, taken: &[bool]) -> Option<((f32, f32), (f32, f32))> {
    let Patch { center, side } = patches[seed];
    let mut near: Vec<(f32, f32, f32)> = patches
        .iter()
        .enumerate()
        .filter(|&(i, patch)| i != seed && !taken[i] && alike(patch.side, side))
        .map(|(_, patch)| (patch.center.x - center.x, patch.center.y - center.y))
        .map(|(x, y)| (x.hypot(y), x, y))
        .filter(|&(distance, _, _)| distance < 2.2 * side)
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
    (spanned < 1.9 * side * side).then_some((right, down))
}

fn alike(a: f32, b: f32) -> bool {
    a < 1.45 * b && b < 1.45 * a
}

/// The free patch nearest to a place, if it is near enough and of a size that fits the step.
fn nearest(
    patches: &[Patch],
    taken: &[bool],
    place: Point,
    within: f32,
    step: f32,
) -> Option<usize> {
    let distance = |patch: &Patch| (patch.center.x - place.x).hypot(patch.center.y - place.y);
    (0..patches.len())
        .filter(|&i| !taken[i] && patches[i].side < 1.15 * step && patches[i].side > 0.5 * step)
        .map(|i| (distance(&patches[i]), i))
        .filter(|&(distance, _)| distance < within)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, i)| i)
}

/// The boards of nine by nine places that hold the most cells: all of them where fewer rows or
/// columns were seen, since the missing ones may be on either side.
fn windows(cells: &[Placed]) -> Vec<Lattice> {
    let range = |value: fn(&Placed) -> i32| {
        let low = cells.iter().map(value).min().unwrap_or(0);
        let high = cells.iter().map(value).max().unwrap_or(0);
        (low, high)
    };
    let (rows, columns) = (range(|c| c.row), range(|c| c.column));
    let starts = |(low, high): (i32, i32)| {
        let size = high - low + 1;
        if size <= 9 {
            low - (9 - size)..=low
        } else {
            low..=high - 8
        }
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
    found.retain(|&(count, _, _)| count >= MIN_CELLS && count + 4 >= most);
    found.truncate(9);
    found
        .into_iter()
        .filter_map(|(_, row, column)| lattice_through(cells, row, column))
        .collect()
}

/// The lattice of the board whose top left cell is at `(row, column)`: a homography through the
/// centres of the cells, bent to where they are.
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
    let nothing = Membrane {
        offset: [[0f32; 9]; 9],
        weight: [[0f32; 9]; 9],
    };
    let (mut across, mut down) = (nothing.clone(), nothing);
    for (i, j, center) in inside {
        let (at, middle) = (back.apply(center), middle(i, j));
        for (membrane, offset) in [(&mut across, at.x - middle.x), (&mut down, at.y - middle.y)] {
            membrane.offset[i][j] = offset;
            membrane.weight[i][j] = 1.0;
        }
    }
    let at_crossings = |membrane: &Membrane<9>| -> [[f32; 10]; 10] {
        let rows = membrane.at_rest(STIFFNESS).map(|row| borders(&row));
        let columns: [[f32; 10]; 10] =
            std::array::from_fn(|j| borders(&std::array::from_fn(|i| rows[i][j])));
        std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]))
    };
    let (across, down) = (at_crossings(&across), at_crossings(&down));
    let points = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            map.apply(Point {
                x: j as f32 + across[i][j],
                y: i as f32 + down[i][j],
            })
        })
    });
    Lattice::new(points, 0.0)
}
