//! Lays a digit somewhere, scaled, turned and bent.

use std::borrow::Cow;

use super::fonts::GlyphMask;
use super::strokes::{Coverage, WrittenDigit};
use crate::vision::Point;

/// Where a digit lies and how it is bent. Lengths in pixels.
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
    /// Upright, in the middle of `center`.
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

    /// Lays a printed glyph as ink of this strength, where it is stronger than what lies there.
    pub(in crate::render) fn stamp(&self, ink: &mut Coverage, glyph: &GlyphMask, strength: f32) {
        let mut glyph = Cow::Borrowed(glyph);
        while glyph.height as f32 > 1.7 * self.height && glyph.width > 3 {
            glyph = Cow::Owned(halved(&glyph));
        }
        let [[a, b], [c, d]] = self.axes();
        let determinant = a * d - b * c;
        let across = glyph.width as f32 / (self.width * determinant);
        let down = glyph.height as f32 / (self.height * determinant);
        let reach = 0.75 * self.height.hypot(self.width) + 2.0;
        let range = |center: f32, size: usize| {
            let first = (center - reach).max(0.0) as usize;
            first..((center + reach).max(0.0) as usize).min(size).max(first)
        };
        let (width, height) = (ink.width(), ink.height());
        let columns = range(self.center.x, width);
        for row in range(self.center.y, height) {
            let y = row as f32 + 0.5 - self.center.y;
            for column in columns.clone() {
                let x = column as f32 + 0.5 - self.center.x;
                let near = 1.0 + self.perspective[0] * x + self.perspective[1] * y;
                let (x, y) = (x / near, y / near);
                let u = (d * x - b * y) * across + 0.5 * glyph.width as f32 - 0.5;
                let v = (a * y - c * x) * down + 0.5 * glyph.height as f32 - 0.5;
                let share = sample(&glyph, u, v);
                if share > 0.0 {
                    let pixel = &mut ink.shares_mut()[row * width + column];
                    *pixel = pixel.max(share * strength);
                }
            }
        }
    }

    /// Lays a written digit as ink of this strength.
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

/// Bilinear between the centres of a mask's pixels; nothing outside.
fn sample(glyph: &GlyphMask, u: f32, v: f32) -> f32 {
    let (width, height) = (glyph.width as isize, glyph.height as isize);
    if u <= -1.0 || v <= -1.0 || u >= width as f32 || v >= height as f32 {
        return 0.0;
    }
    let (left, top) = (u.floor(), v.floor());
    let (s, t) = (u - left, v - top);
    let at = |x: isize, y: isize| {
        let inside = x >= 0 && y >= 0 && x < width && y < height;
        if inside {
            f32::from(glyph.shares[(y * width + x) as usize])
        } else {
            0.0
        }
    };
    let (x, y) = (left as isize, top as isize);
    let above = at(x, y) * (1.0 - s) + at(x + 1, y) * s;
    let below = at(x, y + 1) * (1.0 - s) + at(x + 1, y + 1) * s;
    (above * (1.0 - t) + below * t) / 255.0
}

/// The mask at half its size, area-averaged.
fn halved(glyph: &GlyphMask) -> GlyphMask {
    let (width, height) = (glyph.width.div_ceil(2), glyph.height.div_ceil(2));
    let at = |x: usize, y: usize| match x < glyph.width && y < glyph.height {
        true => u32::from(glyph.shares[y * glyph.width + x]),
        false => 0,
    };
    let mean = |i: usize| {
        let (x, y) = (2 * (i % width), 2 * (i / width));
        (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)) / 4
    };
    GlyphMask {
        width,
        height,
        rise: glyph.rise / 2,
        shares: (0..width * height).map(|i| mean(i) as u8).collect(),
    }
}
