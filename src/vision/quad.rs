//! Points and convex quadrilaterals in pixel coordinates.

use serde::{Deserialize, Serialize};

/// A point in an image, in pixels: x to the right, y down, `(0, 0)` the top left corner of the top
/// left pixel (whose centre is at `(0.5, 0.5)`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Pixels from the left edge.
    pub x: f32,
    /// Pixels from the top edge.
    pub y: f32,
}

/// A convex quadrilateral: four finite corners, clockwise on the screen, with a positive area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quad([Point; 4]);

impl Quad {
    /// Returns the quad of these corners, if they are finite and convex. Corners that run
    /// counterclockwise are reversed; the first corner stays the first.
    pub fn new(corners: [Point; 4]) -> Option<Quad> {
        let turn = |i: usize| {
            let [a, b, c] = [0, 1, 2].map(|k| corners[(i + k) % 4]);
            (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
        };
        let turns = [0, 1, 2, 3].map(turn);
        if turns.iter().all(|&turn| turn > 0.0 && turn.is_finite()) {
            Some(Quad(corners))
        } else if turns.iter().all(|&turn| turn < 0.0 && turn.is_finite()) {
            let [a, b, c, d] = corners;
            Some(Quad([a, d, c, b]))
        } else {
            None
        }
    }

    /// Returns the corners, clockwise.
    pub const fn corners(&self) -> [Point; 4] {
        self.0
    }

    /// Returns the area in square pixels.
    pub fn area(&self) -> f32 {
        let [a, b, c, d] = self.0;
        ((c.x - a.x) * (d.y - b.y) - (d.x - b.x) * (c.y - a.y)).abs() / 2.0
    }

    /// Returns the side of a cell of a board with these corners, in pixels.
    pub fn cell_side(&self) -> f32 {
        (self.area() / 81.0).sqrt()
    }

    /// Returns the quad with the first corner chosen so that the first side points as nearly to the
    /// right as possible: the top left corner of an upright board.
    pub fn from_top_left(&self) -> Quad {
        let run = |i: usize| {
            let (a, b) = (self.0[i], self.0[(i + 1) % 4]);
            (b.x - a.x) / (b.x - a.x).hypot(b.y - a.y)
        };
        let first = (0..4)
            .max_by(|&i, &j| run(i).total_cmp(&run(j)))
            .unwrap_or(0);
        Quad(std::array::from_fn(|i| self.0[(first + i) % 4]))
    }

    /// Returns whether a point lies inside or on the border.
    pub fn contains(&self, point: Point) -> bool {
        (0..4).all(|i| {
            let (a, b) = (self.0[i], self.0[(i + 1) % 4]);
            (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) >= 0.0
        })
    }

    /// Returns whether all corners are in a picture of this width and height, in pixels.
    pub(super) fn is_within(&self, (width, height): (u32, u32)) -> bool {
        let is_in = |length: u32, at: f32| (0.0..=length as f32).contains(&at);
        self.0
            .iter()
            .all(|it| is_in(width, it.x) && is_in(height, it.y))
    }

    /// Returns the mean of the corners.
    pub fn center(&self) -> Point {
        let sum = |value: fn(&Point) -> f32| self.0.iter().map(value).sum::<f32>() / 4.0;
        Point {
            x: sum(|p| p.x),
            y: sum(|p| p.y),
        }
    }

    /// Returns the quad in an image that is `factor` times as large.
    pub fn scaled(&self, factor: f32) -> Option<Quad> {
        Quad::new(self.0.map(|p| Point {
            x: p.x * factor,
            y: p.y * factor,
        }))
    }

    /// Returns the shortest and the longest side, in pixels.
    pub fn sides(&self) -> (f32, f32) {
        let side = |i: usize| {
            let (a, b) = (self.0[i], self.0[(i + 1) % 4]);
            (b.x - a.x).hypot(b.y - a.y)
        };
        let sides = [0, 1, 2, 3].map(side);
        (
            sides.into_iter().fold(f32::INFINITY, f32::min),
            sides.into_iter().fold(0.0, f32::max),
        )
    }

    /// Returns whether one board is a block or some columns of another: lies in it, and is no larger
    /// than six columns or rows, as seven are near enough to be compared as whole boards.
    pub(super) fn is_part_of(&self, whole: &Quad) -> bool {
        self.area() < 0.7 * whole.area() && self.overlap(whole) > 0.9 * self.area()
    }

    /// Returns how far a corner lies at most from the same corner of another quad along one of the axes, in pixels.
    pub(super) fn farthest_from(&self, other: &Quad) -> f32 {
        let pairs = self.0.iter().zip(other.0);
        let off = pairs.map(|(a, b)| (a.x - b.x).abs().max((a.y - b.y).abs()));
        off.fold(0.0, f32::max)
    }

    /// Returns the area of the intersection, in square pixels: one clipped by the sides of the
    /// other, after Sutherland and Hodgman (1974).
    pub fn overlap(&self, other: &Quad) -> f32 {
        let mut polygon = self.0.to_vec();
        for i in 0..4 {
            let (a, b) = (other.0[i], other.0[(i + 1) % 4]);
            let inside = |p: Point| (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
            let mut clipped = Vec::with_capacity(polygon.len() + 1);
            for (k, &p) in polygon.iter().enumerate() {
                let q = polygon[(k + 1) % polygon.len()];
                let (from, to) = (inside(p), inside(q));
                if from >= 0.0 {
                    clipped.push(p);
                }
                if (from < 0.0) != (to < 0.0) {
                    let t = from / (from - to);
                    clipped.push(Point {
                        x: p.x + t * (q.x - p.x),
                        y: p.y + t * (q.y - p.y),
                    });
                }
            }
            polygon = clipped;
        }
        let twice: f32 = (0..polygon.len())
            .map(|k| {
                let (p, q) = (polygon[k], polygon[(k + 1) % polygon.len()]);
                p.x * q.y - p.y * q.x
            })
            .sum();
        twice.abs() / 2.0
    }
}
