//! The 10 x 10 crossings of a board's grid lines, and the interpolation between them.

use serde::{Deserialize, Serialize};

use super::homography::Homography;
use super::quad::{Point, Quad};

/// The crossings of a board's grid lines, in reading pixels. Follows a page that is not flat. In
/// files: `x` and `y` of each crossing, row by row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Vec<f32>", try_from = "Vec<f32>")]
pub struct Lattice {
    /// Row by row from the top: `points[i][j]` is where horizontal line `i` crosses vertical line
    /// `j`.
    points: [[Point; 10]; 10],
    strength: f32,
}

impl Lattice {
    /// Returns the lattice of these crossings, if they are finite and its four corners convex.
    pub fn new(points: [[Point; 10]; 10], strength: f32) -> Option<Lattice> {
        let finite = points
            .iter()
            .flatten()
            .all(|p| p.x.is_finite() && p.y.is_finite());
        Quad::new(outer(&points))
            .filter(|_| finite)
            .map(|_| Lattice { points, strength })
    }

    /// Returns the regular lattice under a homography, each crossing displaced by `across` and
    /// `down`, in cells, before it is mapped.
    pub(super) fn bent(
        map: &Homography,
        across: &[[f32; 10]; 10],
        down: &[[f32; 10]; 10],
    ) -> Option<Lattice> {
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

    /// Returns the lattice of a flat board: `map` takes cells to the right and down to pixels.
    pub(super) fn under(map: &Homography) -> Option<Lattice> {
        let still = [[0.0; 10]; 10];
        Lattice::bent(map, &still, &still)
    }

    /// Returns the position of the point `(u, v)` of the board: `u` columns from its left border
    /// and `v` rows from its top, each from 0 to 9; bilinear inside a cell, extrapolated a little
    /// outside the board.
    #[inline]
    pub fn point(&self, u: f32, v: f32) -> Point {
        let (column, row) = (u.clamp(0.0, 8.0) as usize, v.clamp(0.0, 8.0) as usize);
        let (s, t) = (u - column as f32, v - row as f32);
        let [above, below] = [&self.points[row], &self.points[row + 1]];
        let [a, b, c, d] = [
            above[column],
            above[column + 1],
            below[column],
            below[column + 1],
        ];
        let mix = |a: f32, b: f32, c: f32, d: f32| {
            (1.0 - t) * ((1.0 - s) * a + s * b) + t * ((1.0 - s) * c + s * d)
        };
        Point {
            x: mix(a.x, b.x, c.x, d.x),
            y: mix(a.y, b.y, c.y, d.y),
        }
    }

    /// Returns where a horizontal line, `v` rows below the top of the board, crosses the ten vertical ones.
    #[inline]
    pub(super) fn crossings(&self, v: f32) -> [Point; 10] {
        let row = v.clamp(0.0, 8.0) as usize;
        let t = v - row as f32;
        let (above, below) = (&self.points[row], &self.points[row + 1]);
        std::array::from_fn(|j| Point {
            x: (1.0 - t) * above[j].x + t * below[j].x,
            y: (1.0 - t) * above[j].y + t * below[j].y,
        })
    }

    /// Returns the crossings, row by row.
    pub const fn points(&self) -> &[[Point; 10]; 10] {
        &self.points
    }

    /// Returns the outer corners, clockwise from the top left of the board as it lies in the photo.
    pub fn corners(&self) -> Quad {
        Quad::new(outer(&self.points)).expect("invariant: checked on construction")
    }

    /// Returns the lattice in a picture that is `factor` times as large.
    pub(super) fn scaled(&self, factor: f32) -> Option<Lattice> {
        let scaled = |p: Point| Point {
            x: p.x * factor,
            y: p.y * factor,
        };
        Lattice::new(self.points.map(|row| row.map(scaled)), self.strength)
    }

    /// Returns the predicted lattice after as much time as has passed since `before`, if each
    /// crossing continues its motion; the present one where that is no lattice.
    pub fn ahead(&self, before: &Lattice) -> Lattice {
        let on = |i: usize, j: usize| {
            let (now, before) = (self.points[i][j], before.points[i][j]);
            Point {
                x: 2.0 * now.x - before.x,
                y: 2.0 * now.y - before.y,
            }
        };
        let points = std::array::from_fn(|i| std::array::from_fn(|j| on(i, j)));
        Lattice::new(points, self.strength).unwrap_or_else(|| self.clone())
    }

    /// Returns the lattice shifted by this many pixels.
    pub fn moved(&self, by: Point) -> Lattice {
        let moved = |p: Point| Point {
            x: p.x + by.x,
            y: p.y + by.y,
        };
        let points = self.points.map(|row| row.map(moved));
        Lattice::new(points, self.strength).unwrap_or_else(|| self.clone())
    }

    /// Returns the lattice shifted by a row or column inwards, where its outermost one lies outside
    /// a picture of this size.
    pub(super) fn moved_into(&self, size: (u32, u32)) -> Option<Lattice> {
        let is_outside = |u: f32, v: f32| !is_inside(self.point(u, v), size);
        let middles = || (0..9u8).map(|k| f32::from(k) + 0.5);
        let column = |u: f32| middles().all(|v| is_outside(u, v));
        let row = |v: f32| middles().all(|u| is_outside(u, v));
        let step = |first: bool, last: bool| f32::from(u8::from(first)) - f32::from(u8::from(last));
        let (across, down) = (step(column(0.5), column(8.5)), step(row(0.5), row(8.5)));
        if (across, down) == (0.0, 0.0) {
            return None;
        }
        self.shifted(across, down)
    }

    /// Returns the lattice shifted by this many cells to the right and down; `None` where that is no lattice.
    pub fn shifted(&self, right: f32, down: f32) -> Option<Lattice> {
        let on = |i: usize, j: usize| self.point(j as f32 + right, i as f32 + down);
        let points = std::array::from_fn(|i| std::array::from_fn(|j| on(i, j)));
        Lattice::new(points, self.strength)
    }

    /// Returns the largest distance of a crossing from that of another lattice, in pixels.
    pub(super) fn farthest_from(&self, other: &Lattice) -> f32 {
        let pairs = self
            .points
            .iter()
            .flatten()
            .zip(other.points.iter().flatten());
        pairs
            .map(|(a, b)| (a.x - b.x).hypot(a.y - b.y))
            .fold(0.0, f32::max)
    }

    /// Returns the same lattice with another strength.
    pub(super) fn with_strength(self, strength: f32) -> Lattice {
        Lattice { strength, ..self }
    }

    /// Returns the evidence for the twenty grid lines, as in `Detection::score`.
    pub const fn strength(&self) -> f32 {
        self.strength
    }
}

impl From<Lattice> for Vec<f32> {
    fn from(lattice: Lattice) -> Vec<f32> {
        let points = lattice.points.as_flattened().iter();
        points.flat_map(|point| [point.x, point.y]).collect()
    }
}

impl TryFrom<Vec<f32>> for Lattice {
    type Error = &'static str;

    /// Restores a lattice; its strength is not part of a file.
    fn try_from(numbers: Vec<f32>) -> Result<Lattice, &'static str> {
        let numbers: [f32; 200] = numbers
            .try_into()
            .map_err(|_| "a lattice has 100 crossings")?;
        let point = |at: usize| Point {
            x: numbers[at],
            y: numbers[at + 1],
        };
        let row = |i: usize| std::array::from_fn(|j| point(20 * i + 2 * j));
        Lattice::new(std::array::from_fn(row), 0.0).ok_or("the crossings are no lattice")
    }
}

/// Returns whether a point lies in a picture of this size.
pub(super) fn is_inside(point: Point, (width, height): (u32, u32)) -> bool {
    (0.0..width as f32).contains(&point.x) && (0.0..height as f32).contains(&point.y)
}

fn outer(points: &[[Point; 10]; 10]) -> [Point; 4] {
    [points[0][0], points[0][9], points[9][9], points[9][0]]
}
