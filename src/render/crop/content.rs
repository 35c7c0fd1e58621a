//! What is printed and written in a cell, as a layer of ink.

use rand::{Rng, RngExt};

use super::config::Span;
use crate::grid::Digit;
use crate::render::fonts::GlyphMask;
use crate::render::strokes::{Coverage, WrittenDigit};
use crate::vision::Point;

/// Where a digit lies and how it is bent. Lengths in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// The middle of its box.
    pub(super) center: Point,
    pub(super) height: f32,
    pub(super) width: f32,
    /// Radians, clockwise.
    pub(super) turn: f32,
    pub(super) shear: f32,
    /// Change of scale for each pixel to the right and down.
    pub(super) perspective: [f32; 2],
}

impl Placement {
    /// Upright, in the middle of `center`.
    pub(super) fn upright(center: Point, height: f32, width: f32) -> Placement {
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
    pub(super) fn stamp(&self, ink: &mut Coverage, glyph: &GlyphMask, strength: f32) {
        let mut glyph = std::borrow::Cow::Borrowed(glyph);
        while glyph.height as f32 > 1.7 * self.height && glyph.width > 3 {
            glyph = std::borrow::Cow::Owned(halved(&glyph));
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
    pub(super) fn write(&self, ink: &mut Coverage, digit: &WrittenDigit, strength: f32) {
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

/// The mask with its strokes a pixel thicker on each side.
pub(super) fn thicker(glyph: &GlyphMask) -> GlyphMask {
    morphed(glyph, 1, u8::max, 0)
}

/// The mask with its strokes a pixel thinner on each side.
pub(super) fn thinner(glyph: &GlyphMask) -> GlyphMask {
    morphed(glyph, 0, u8::min, 0)
}

/// Only the rim of the strokes.
pub(super) fn outline(glyph: &GlyphMask) -> GlyphMask {
    let mut rim = thicker(glyph);
    let inner = thinner(glyph);
    for (y, line) in inner.shares.chunks_exact(inner.width).enumerate() {
        for (x, &share) in line.iter().enumerate() {
            let pixel = &mut rim.shares[(y + 1) * (inner.width + 2) + x + 1];
            *pixel = pixel.saturating_sub(share);
        }
    }
    rim
}

/// The mask mirrored left to right.
pub(super) fn mirrored(glyph: &GlyphMask) -> GlyphMask {
    let mut mirrored = glyph.clone();
    mirrored
        .shares
        .chunks_exact_mut(glyph.width)
        .for_each(<[u8]>::reverse);
    mirrored
}

/// A 3 x 3 extreme, on a mask grown by `grow` pixels on each side; `outside` stands beyond it.
fn morphed(glyph: &GlyphMask, grow: usize, extreme: fn(u8, u8) -> u8, outside: u8) -> GlyphMask {
    let (width, height) = (glyph.width + 2 * grow, glyph.height + 2 * grow);
    let at = |x: usize, y: usize| {
        let (x, y) = (x.wrapping_sub(grow), y.wrapping_sub(grow));
        if x < glyph.width && y < glyph.height {
            glyph.shares[y * glyph.width + x]
        } else {
            outside
        }
    };
    let near = |v: usize| [v.wrapping_sub(1), v, v + 1];
    let mut across = vec![0u8; width * height];
    for (i, value) in across.iter_mut().enumerate() {
        let (x, y) = (i % width, i / width);
        let [a, b, c] = near(x).map(|x| at(x, y));
        *value = extreme(extreme(a, b), c);
    }
    let pick = |x: usize, y: usize| {
        if y < height {
            across[y * width + x]
        } else {
            outside
        }
    };
    let down = |i: usize| {
        let [a, b, c] = near(i / width).map(|y| pick(i % width, y));
        extreme(extreme(a, b), c)
    };
    GlyphMask {
        width,
        height,
        rise: glyph.rise + grow as i32,
        shares: (0..width * height).map(down).collect(),
    }
}

/// A straight, tilted or bowed line across the whole layer, near `at` pixels from the top
/// (`level`) or from the left.
pub(super) struct GridLine {
    pub(super) level: bool,
    pub(super) at: f32,
    /// Distance of either end from `at`, in opposite directions.
    pub(super) tilt: f32,
    /// Distance of the middle from the straight line.
    pub(super) bow: f32,
    pub(super) width: f32,
    pub(super) strength: f32,
    /// Length of a dash and of the gap behind it; none for a full line.
    pub(super) dash: Option<(f32, f32)>,
}

impl GridLine {
    pub(super) fn draw(&self, ink: &mut Coverage) {
        let side = ink.width() as f32;
        let point = |s: f32| {
            let t = s / side;
            let off = self.at + self.tilt * (2.0 * t - 1.0) + self.bow * 4.0 * t * (1.0 - t);
            match self.level {
                true => Point { x: s, y: off },
                false => Point { x: off, y: s },
            }
        };
        let radius = self.width / 2.0;
        let mut piece = |from: f32, to: f32| {
            let points = [point(from), point((from + to) / 2.0), point(to)];
            ink.draw_line(&points, &[radius; 3], self.strength);
        };
        match self.dash {
            None if self.bow.abs() < 0.3 => piece(-8.0, side + 8.0),
            None => {
                piece(-8.0, side / 2.0);
                piece(side / 2.0, side + 8.0);
            }
            Some((dash, gap)) => {
                let mut from = -4.0;
                while from < side + 4.0 {
                    piece(from, from + dash);
                    from += dash + gap;
                }
            }
        }
    }
}

/// Any digit.
pub(super) fn any_digit(rng: &mut impl Rng) -> Digit {
    Digit::ALL[rng.random_range(0..Digit::ALL.len())]
}

/// A place in a square of this side, that far from its edges.
pub(super) fn any_place(side: f32, margin: f32, rng: &mut impl Rng) -> Point {
    let span = Span::new(margin, side - margin);
    Point {
        x: span.draw(rng),
        y: span.draw(rng),
    }
}

/// Close to a normal deviate: the sum of four uniform ones, never beyond 3.5.
pub(super) fn normal(rng: &mut impl Rng) -> f32 {
    let sum: f32 = (0..4).map(|_| rng.random::<f32>()).sum();
    (sum - 2.0) * 3f32.sqrt()
}
