//! Pencil marks as apps and puzzle books print them: each at its place of three rows of three, in a
//! row in the middle, or in the corners; small or so large that they touch, bold, in a color of
//! their own.

use rand::{Rng, RngExt};

use super::canvas::S;
use super::config::MarkConfig;
use super::content::{DrawnMarks, thicker};
use crate::grid::{Digit, DigitSet};
use crate::render::face::Face;
use crate::render::fonts::FontSet;
use crate::render::normal::normal;
use crate::render::placement::Placement;
use crate::render::strokes::{Coverage, Handwriting};
use crate::vision::Point;

/// Distance of a corner's mark from the middle of the cell, as a share of the side.
const CORNER: f32 = 0.27;

/// Places of marks in corners, in the order in which apps fill them: unit steps from the middle.
const CORNERS: [(f32, f32); 8] = [
    (-1.0, -1.0),
    (1.0, -1.0),
    (-1.0, 1.0),
    (1.0, 1.0),
    (0.0, -1.0),
    (0.0, 1.0),
    (-1.0, 0.0),
    (1.0, 0.0),
];

/// Arrangement of the marks of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::render) enum Arrangement {
    /// Each at its place of three rows of three.
    Grid,
    /// In a row in the middle.
    Row,
    /// In the corners.
    Corners,
}

impl Arrangement {
    pub(in crate::render) fn draw(rng: &mut impl Rng) -> Arrangement {
        match rng.random_range(0..10) {
            0..6 => Arrangement::Grid,
            6..8 => Arrangement::Row,
            _ => Arrangement::Corners,
        }
    }
}

/// Draws printed marks of one cell.
pub(super) struct AppMarks<'a> {
    pub(super) config: &'a MarkConfig,
    pub(super) fonts: &'a FontSet,
}

impl AppMarks<'_> {
    /// Draws the marks of a cell, at least one.
    pub(super) fn draw(&self, ink: &mut Coverage, rng: &mut impl Rng) -> DrawnMarks {
        let pen = Pen {
            face: self.fonts.draw(rng).map(|(_, face)| face),
            bold: self.config.app_bold.draw(rng),
            strength: self.config.app_ink.draw(rng),
        };
        let [x, y] = [0; 2].map(|_| S * 0.5 + 0.012 * S * normal(rng));
        let size = self.config.app_height.draw(rng);
        let arrangement = Arrangement::draw(rng);
        pen.marks(ink, Point { x, y }, S, (size, arrangement), rng)
    }
}

/// Style of the marks of a cell.
pub(in crate::render) struct Pen<'a> {
    /// The font; our own strokes where there is none.
    pub(in crate::render) face: Option<&'a Face>,
    pub(in crate::render) bold: bool,
    pub(in crate::render) strength: f32,
}

impl Pen<'_> {
    /// Draws random marks into a cell with this centre and side. Their height is a share of the
    /// side; it is reduced where marks would not fit.
    pub(in crate::render) fn marks(
        &self,
        ink: &mut Coverage,
        middle: Point,
        side: f32,
        (size, arrangement): (f32, Arrangement),
        rng: &mut impl Rng,
    ) -> DrawnMarks {
        let at = |x: f32, y: f32| Point {
            x: middle.x + side * x,
            y: middle.y + side * y,
        };
        let (digits, height) = match arrangement {
            Arrangement::Grid => {
                let digits = some_digits(rng);
                // Marks that are spread farther may be larger.
                let step = rng.random_range(0.25..0.325f32);
                let height = size.min(1.1 * step) * side;
                for digit in digits {
                    let place = |k: usize| step * (k as f32 - 1.0);
                    let center = at(place(digit.index() % 3), place(digit.index() / 3));
                    self.stamp(ink, digit, center, height, 0.95 * step * side, rng);
                }
                (digits, height)
            }
            Arrangement::Row => {
                let digits = few_digits(2, 6, rng);
                let count = digits.len() as f32;
                let height = (1.1 * size).min(0.36) * side;
                let step = (0.62 * height).min(0.84 * side / count);
                for (digit, k) in digits.into_iter().zip(0..) {
                    let along = step * (k as f32 + 0.5 - 0.5 * count) / side;
                    self.stamp(ink, digit, at(along, 0.0), height, 0.92 * step, rng);
                }
                (digits, height)
            }
            Arrangement::Corners => {
                let digits = few_digits(1, 5, rng);
                let height = size.min(0.3) * side;
                for (digit, (x, y)) in digits.into_iter().zip(CORNERS) {
                    let center = at(CORNER * x, CORNER * y);
                    self.stamp(ink, digit, center, height, 0.3 * side, rng);
                }
                (digits, height)
            }
        };
        DrawnMarks {
            digits,
            height: Some(height / side),
        }
    }

    /// Draws one mark. Lengths are in pixels.
    fn stamp(
        &self,
        ink: &mut Coverage,
        digit: Digit,
        center: Point,
        height: f32,
        widest: f32,
        rng: &mut impl Rng,
    ) {
        let Some(face) = self.face else {
            let written = Handwriting::clean(if self.bold { 0.22 } else { 0.14 }).write(digit, rng);
            let width = (height * written.width()).min(widest);
            Placement::upright(center, height, width).write(ink, &written, self.strength);
            return;
        };
        let heavy;
        let mask = match self.bold {
            true => {
                heavy = thicker(&thicker(&face.masks[digit.index()]));
                &heavy
            }
            false => &face.masks[digit.index()],
        };
        let width = (height * mask.width as f32 / mask.height as f32).min(widest);
        Placement::upright(center, height, width).stamp(ink, mask, self.strength);
    }
}

/// Draws a random set of digits, at least one: a few, most, or all nine.
fn some_digits(rng: &mut impl Rng) -> DigitSet {
    match rng.random_range(0..10) {
        0 => DigitSet::ALL,
        1..4 => few_digits(1, 3, rng),
        _ => {
            let share = rng.random_range(0.15..0.85);
            let chosen = Digit::ALL.into_iter().filter(|_| rng.random_bool(share));
            let chosen: DigitSet = chosen.collect();
            match chosen.is_empty() {
                true => few_digits(1, 3, rng),
                false => chosen,
            }
        }
    }
}

/// Draws a random set of at least `least` and fewer than `most` digits.
fn few_digits(least: usize, most: usize, rng: &mut impl Rng) -> DigitSet {
    let count = rng.random_range(least..most);
    let mut digits = DigitSet::EMPTY;
    while digits.len() < count {
        digits = digits.with(Digit::ALL[rng.random_range(0..9)]);
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn marks_leave_ink_at_their_positions() {
        let config = MarkConfig::default();
        let fonts = FontSet::default();
        let marks = AppMarks {
            config: &config,
            fonts: &fonts,
        };
        let mut seen = DigitSet::EMPTY;
        for seed in 0..60 {
            let rng = &mut ChaCha8Rng::seed_from_u64(seed);
            let mut ink = Coverage::new(S as usize, S as usize);
            let drawn = marks.draw(&mut ink, rng);
            assert!(!drawn.digits.is_empty());
            seen = seen.union(drawn.digits);
            let most = ink.shares().iter().copied().fold(0.0, f32::max);
            assert!(most > 0.2, "{most}");
            let height = drawn.height.unwrap();
            assert!((0.1..0.4).contains(&height), "{height}");
        }
        assert_eq!(seen, DigitSet::ALL);
    }
}
