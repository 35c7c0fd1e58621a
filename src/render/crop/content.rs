//! Printed and written content of a cell, as a layer of ink.

use rand::{Rng, RngExt};

use super::config::Span;
use crate::grid::{Digit, DigitSet};
use crate::render::face::GlyphMask;
use crate::render::strokes::Coverage;
use crate::vision::Point;

/// The candidates that were drawn into a cell.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::render) struct DrawnMarks {
    pub(super) digits: DigitSet,
    /// Their height as a share of the crop, if they must stay legible.
    pub(super) height: Option<f32>,
}

/// Returns the mask with its strokes thickened by a pixel on each side.
pub(super) fn thicker(glyph: &GlyphMask) -> GlyphMask {
    morphed(glyph, 1, u8::max, 0)
}

/// Returns the mask with its strokes thinned by a pixel on each side.
pub(super) fn thinner(glyph: &GlyphMask) -> GlyphMask {
    morphed(glyph, 0, u8::min, 0)
}

/// Returns the rim of the strokes.
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

/// Returns the mask mirrored left to right.
pub(super) fn mirrored(glyph: &GlyphMask) -> GlyphMask {
    let mut mirrored = glyph.clone();
    mirrored
        .shares
        .chunks_exact_mut(glyph.width)
        .for_each(<[u8]>::reverse);
    mirrored
}

/// Returns the 3 x 3 minimum or maximum of a mask padded by `grow` pixels on each side; `outside`
/// is the value beyond it.
fn morphed(
    glyph: &GlyphMask,
    grow: usize,
    extreme: impl Fn(u8, u8) -> u8,
    outside: u8,
) -> GlyphMask {
    let (width, height) = (glyph.width + 2 * grow, glyph.height + 2 * grow);
    // The mask with what is beyond it, then the extremes of each row, then those of each column.
    let pitch = width + 2;
    let mut padded = vec![outside; pitch * (height + 2)];
    let lines = padded.chunks_exact_mut(pitch).skip(1 + grow);
    for (line, values) in lines.zip(glyph.shares.chunks_exact(glyph.width)) {
        line[1 + grow..][..glyph.width].copy_from_slice(values);
    }
    let mut across = vec![outside; width * (height + 2)];
    for (line, values) in across
        .chunks_exact_mut(width)
        .zip(padded.chunks_exact(pitch))
    {
        three(
            line,
            [&values[..width], &values[1..=width], &values[2..]],
            &extreme,
        );
    }
    let mut shares = vec![0; width * height];
    let (above, level, below) = (&across[..], &across[width..], &across[2 * width..]);
    three(&mut shares, [above, level, below], &extreme);
    GlyphMask {
        width,
        height,
        rise: glyph.rise + grow as i32,
        shares,
    }
}

/// Returns the extreme of three values, for each value.
fn three(line: &mut [u8], [a, b, c]: [&[u8]; 3], extreme: impl Fn(u8, u8) -> u8) {
    for (((value, &a), &b), &c) in line.iter_mut().zip(a).zip(b).zip(c) {
        *value = extreme(extreme(a, b), c);
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
    /// Length of a dash and of the gap after it; `None` for a solid line.
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
                    // However short they are to be, there is an end.
                    from += (dash + gap).max(0.5);
                }
            }
        }
    }
}

/// Draws a random digit.
pub(super) fn any_digit(rng: &mut impl Rng) -> Digit {
    Digit::ALL[rng.random_range(0..Digit::ALL.len())]
}

/// Draws a random point in a square of this side, at least `margin` from its edges.
pub(super) fn any_place(side: f32, margin: f32, rng: &mut impl Rng) -> Point {
    let span = Span::new(margin, side - margin);
    Point {
        x: span.draw(rng),
        y: span.draw(rng),
    }
}
