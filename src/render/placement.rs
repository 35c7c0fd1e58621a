//! Draws a digit at some place, scaled, rotated and distorted.

use std::borrow::Cow;

use super::face::GlyphMask;
use super::strokes::{Coverage, WrittenDigit};
use crate::vision::Point;

/// Number of pixels of a row that are processed at once.
const RUN: usize = 16;

/// Position and distortion of a digit. Lengths are in pixels.
#[derive(Clone, Copy, Debug)]
pub(in crate::render) struct Placement {
    /// The middle of its box.
    pub(in crate::render) center: Point,
    pub(in crate::render) height: f32,
    pub(in crate::render) width: f32,
    /// Radians, clockwise.
    pub(in crate::render) turn: f32,
    pub(in crate::render) shear: f32,
    /// Change of scale for each pixel to the right and down.
    pub(in crate::render) perspective: [f32; 2],
}

impl Placement {
    /// Returns an upright placement, centred at `center`.
    pub(in crate::render) fn upright(center: Point, height: f32, width: f32) -> Placement {
        Placement {
            center,
            height,
            width,
            turn: 0.0,
            shear: 0.0,
            perspective: [0.0; 2],
        }
    }

    fn axes(&self) -> [[f32; 2]; 2] {
        let (sin, cos) = self.turn.sin_cos();
        [[cos, self.shear - sin], [sin, cos]]
    }

    /// Draws a printed glyph as ink of this strength, where it is stronger than the ink already
    /// there.
    pub(in crate::render) fn stamp(&self, ink: &mut Coverage, glyph: &GlyphMask, strength: f32) {
        let mut glyph = Cow::Borrowed(glyph);
        while glyph.height as f32 > 1.7 * self.height && glyph.width > 3 {
            glyph = Cow::Owned(halved(&glyph));
        }
        let [[a, b], [c, d]] = self.axes();
        let determinant = a * d - b * c;
        let across = glyph.width as f32 / (self.width * determinant);
        let down = glyph.height as f32 / (self.height * determinant);
        let glyph = PaddedGlyph::new(&glyph);
        let (width, height) = (ink.width(), ink.height());
        let [low, high] = self.bounds(1.0 / glyph.width as f32, 1.0 / glyph.height as f32);
        let range = |low: f32, high: f32, size: usize| {
            let first = low.max(0.0) as usize;
            first..(high.max(0.0) as usize).min(size).max(first)
        };
        let columns = range(low.x, high.x, width);
        for row in range(low.y, high.y, height) {
            let y = row as f32 + 0.5 - self.center.y;
            let line = &mut ink.shares_mut()[row * width..(row + 1) * width];
            // Three passes over a few pixels: the first and the last run on several at once.
            for start in columns.clone().step_by(RUN) {
                let part = &mut line[start..columns.end.min(start + RUN)];
                let mut places = [[0f32; 2]; RUN];
                for (place, column) in places[..part.len()].iter_mut().zip(start as i32..) {
                    let x = column as f32 + 0.5 - self.center.x;
                    let near = 1.0 + self.perspective[0] * x + self.perspective[1] * y;
                    let (x, y) = (x / near, y / near);
                    *place = [
                        (d * x - b * y) * across + 0.5 * glyph.width as f32 - 0.5,
                        (a * y - c * x) * down + 0.5 * glyph.height as f32 - 0.5,
                    ];
                }
                let mut shares = [0f32; RUN];
                for (share, [u, v]) in shares[..part.len()].iter_mut().zip(places) {
                    *share = glyph.sample(u, v);
                }
                for (pixel, share) in part.iter_mut().zip(shares) {
                    *pixel = pixel.max(share / 255.0 * strength);
                }
            }
        }
    }

    /// Returns two corners of an upright box around the digit's box, enlarged by these shares, half
    /// on each side.
    fn bounds(&self, wider: f32, higher: f32) -> [Point; 2] {
        let [[a, b], [c, d]] = self.axes();
        let (half_width, half_height) = (
            0.5 * self.width * (1.0 + wider),
            0.5 * self.height * (1.0 + higher),
        );
        let far = 0.75 * self.height.hypot(self.width) + 2.0;
        let (mut low, mut high) = ([far; 2], [-far; 2]);
        for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            let (x, y) = (x * half_width, y * half_height);
            let (x, y) = (a * x + b * y, c * x + d * y);
            let near = 1.0 - self.perspective[0] * x - self.perspective[1] * y;
            for (axis, value) in [x / near, y / near].into_iter().enumerate() {
                low[axis] = low[axis].min(value - 1.0);
                high[axis] = high[axis].max(value + 2.0);
            }
        }
        [low, high].map(|[x, y]| Point {
            x: self.center.x + x.clamp(-far, far),
            y: self.center.y + y.clamp(-far, far),
        })
    }

    /// Draws a handwritten digit as ink of this strength.
    pub(in crate::render) fn write(&self, ink: &mut Coverage, digit: &WrittenDigit, strength: f32) {
        let [[a, b], [c, d]] = self.axes();
        let aspect = self.width / (self.height * digit.width());
        digit.draw(ink, strength, |p| {
            let (x, y) = (p.x * self.height * aspect, p.y * self.height);
            let (x, y) = (a * x + b * y, c * x + d * y);
            let near = 1.0 / (1.0 - self.perspective[0] * x - self.perspective[1] * y);
            let at = Point {
                x: self.center.x + x * near,
                y: self.center.y + y * near,
            };
            (at, self.height * near)
        });
    }
}

/// A mask with a rim of zeros, one pixel wide.
struct PaddedGlyph {
    /// Without the rim.
    width: usize,
    height: usize,
    shares: Vec<f32>,
}

impl PaddedGlyph {
    fn new(glyph: &GlyphMask) -> PaddedGlyph {
        let pitch = glyph.width + 2;
        let mut shares = vec![0.0; pitch * (glyph.height + 2)];
        let lines = shares.chunks_exact_mut(pitch).skip(1);
        for (line, values) in lines.zip(glyph.shares.chunks_exact(glyph.width)) {
            for (share, &value) in line[1..].iter_mut().zip(values) {
                *share = f32::from(value);
            }
        }
        PaddedGlyph {
            width: glyph.width,
            height: glyph.height,
            shares,
        }
    }

    /// Returns the coverage, 0 to 255: bilinear between the centres of the mask's pixels; 0
    /// outside.
    fn sample(&self, u: f32, v: f32) -> f32 {
        if u <= -1.0 || v <= -1.0 || u >= self.width as f32 || v >= self.height as f32 {
            return 0.0;
        }
        // Both are above -1: a cast rounds them down, but for the one below 0.
        let floor = |value: f32| value as isize - isize::from(value < 0.0);
        let (left, top) = (floor(u), floor(v));
        let (s, t) = (u - left as f32, v - top as f32);
        let at = (top + 1) as usize * (self.width + 2) + (left + 1) as usize;
        let pitch = self.width + 2;
        let shares = &self.shares[at..at + pitch + 2];
        let two = |at: usize| shares[at] * (1.0 - s) + shares[at + 1] * s;
        let (above, below) = (two(0), two(pitch));
        above * (1.0 - t) + below * t
    }
}

/// Returns the mask at half its size, area-averaged.
fn halved(glyph: &GlyphMask) -> GlyphMask {
    let (width, height) = (glyph.width.div_ceil(2), glyph.height.div_ceil(2));
    let mut sums = vec![0u16; width * height];
    for (y, line) in glyph.shares.chunks_exact(glyph.width).enumerate() {
        let sums = &mut sums[y / 2 * width..][..width];
        let (pairs, odd) = line.as_chunks();
        for (sum, &[a, b]) in sums.iter_mut().zip(pairs) {
            *sum += u16::from(a) + u16::from(b);
        }
        if let ([last], Some(sum)) = (odd, sums.last_mut()) {
            *sum += u16::from(*last);
        }
    }
    GlyphMask {
        width,
        height,
        rise: glyph.rise / 2,
        shares: sums.into_iter().map(|sum| (sum / 4) as u8).collect(),
    }
}
