//! Boards drawn by a formula, for the tests of this module: every position is known exactly.

use image::{GrayImage, Luma};

use super::detect::board_square;
use super::homography::Homography;
use super::lattice::Lattice;
use super::quad::{Point, Quad};

/// Gray value of the paper.
pub(super) const PAPER: f64 = 215.0;
/// Gray value of the lines.
pub(super) const INK: f64 = 45.0;

/// A board in a picture: its rows are bent, then a homography is applied.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawnBoard {
    map: Homography,
    back: Homography,
    /// Distance of the middle of each row below its ends, in cells.
    bend: f64,
}

impl DrawnBoard {
    /// Returns the board with these corners (of its unbent frame), clockwise from the top left.
    pub(super) fn new(corners: [(f32, f32); 4], bend: f64) -> DrawnBoard {
        let quad = Quad::new(corners.map(|(x, y)| Point { x, y })).unwrap();
        let map = Homography::between(&board_square(), &quad).unwrap();
        DrawnBoard {
            map,
            back: map.inverse().unwrap(),
            bend,
        }
    }

    /// Returns a flat board with sides parallel to those of the picture.
    pub(super) fn square(left: f32, top: f32, cell: f32) -> DrawnBoard {
        let (right, bottom) = (left + 9.0 * cell, top + 9.0 * cell);
        DrawnBoard::new(
            [(left, top), (right, top), (right, bottom), (left, bottom)],
            0.0,
        )
    }

    fn sag(&self, u: f64) -> f64 {
        self.bend * (std::f64::consts::PI * u / 9.0).sin()
    }

    /// Returns the pixel of the point `(u, v)` of the board, in cells from its top left.
    pub(super) fn place(&self, u: f64, v: f64) -> Point {
        self.map.apply(Point {
            x: u as f32,
            y: (v + self.sag(u)) as f32,
        })
    }

    /// Returns the true lattice.
    pub(super) fn lattice(&self) -> Lattice {
        let points =
            std::array::from_fn(|i| std::array::from_fn(|j| self.place(j as f64, i as f64)));
        Lattice::new(points, 0.0).unwrap()
    }

    /// Returns the point of the board at this pixel.
    pub(super) fn seen_at(&self, x: f64, y: f64) -> (f64, f64) {
        let at = self.back.apply(Point {
            x: x as f32,
            y: y as f32,
        });
        let u = f64::from(at.x);
        (u, f64::from(at.y) - self.sag(u))
    }

    /// Returns a picture of this board, whose gray values are a function of the point of the board;
    /// each pixel is the mean of 4 x 4 points.
    pub(super) fn draw(
        &self,
        (width, height): (u32, u32),
        gray: impl Fn(f64, f64) -> f64,
    ) -> GrayImage {
        GrayImage::from_fn(width, height, |x, y| {
            let mut sum = 0.0;
            for k in 0..16 {
                let (dx, dy) = (f64::from(k % 4), f64::from(k / 4));
                let (u, v) = self.seen_at(
                    f64::from(x) + (dx + 0.5) / 4.0,
                    f64::from(y) + (dy + 0.5) / 4.0,
                );
                sum += gray(u, v);
            }
            Luma([(sum / 16.0).round().clamp(0.0, 255.0) as u8])
        })
    }
}

/// Returns whether `(u, v)` is on a grid line: 0.05 cells wide, 0.1 around blocks.
pub(super) fn on_line(u: f64, v: f64) -> bool {
    let on = |along: f64, across: f64| {
        let line = along.round();
        let half = if line.rem_euclid(3.0) == 0.0 {
            0.05
        } else {
            0.025
        };
        (0.0..=9.0).contains(&line)
            && (along - line).abs() <= half
            && (-0.05..=9.05).contains(&across)
    };
    on(u, v) || on(v, u)
}

/// Returns the gray value of dark lines on light paper.
pub(super) fn printed(u: f64, v: f64) -> f64 {
    if on_line(u, v) { INK } else { PAPER }
}
