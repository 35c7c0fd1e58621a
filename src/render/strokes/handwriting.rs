//! Synthetic handwriting: which forms a writer uses, and how slanted and steady they are.

use std::f32::consts::TAU;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::allographs::{allograph_count, arabic_skeleton, skeleton};
use super::pen::Coverage;
use crate::grid::Digit;
use crate::render::normal::normal;
use crate::vision::Point;

/// The habits of one synthetic writer. The same habits with other random numbers give the small
/// differences between two digits of one person.
#[derive(Clone, Debug)]
pub struct Handwriting {
    /// Arabic-Indic digits instead of European ones, in one form.
    is_arabic: bool,
    /// Form of each digit, as in [`skeleton`].
    allographs: [usize; 9],
    /// Shift to the right over the digit's height, in heights.
    slant: f32,
    /// Factor of the width.
    aspect: f32,
    /// Standard deviation of each control point, in heights.
    unrest: f32,
    /// Amplitude of a slow wave added to the whole digit, in heights.
    wave: f32,
    /// Standard deviation of the rotation of a whole digit, in radians.
    sway: f32,
    /// Radius of the pen's tip, in heights.
    tip: f32,
    /// Share by which pressure varies the line's width.
    pressure: f32,
}

/// A digit as written once: its lines with the pen's radius at each point. Unit: the digit's
/// height; the middle of its box is the origin, y runs down.
#[derive(Clone, Debug)]
pub struct WrittenDigit {
    lines: Vec<(Vec<Point>, Vec<f32>)>,
    width: f32,
}

impl Handwriting {
    /// Returns the habits of this writer.
    pub fn of_writer(writer: u64) -> Handwriting {
        let rng = &mut ChaCha8Rng::seed_from_u64(writer ^ 0x7772_6974_6572);
        Handwriting {
            is_arabic: false,
            allographs: Digit::ALL.map(|digit| rng.random_range(0..allograph_count(digit))),
            slant: 0.07 + 0.13 * normal(rng),
            aspect: rng.random_range(0.72..1.25),
            unrest: rng.random_range(0.006f32..0.034),
            wave: rng.random_range(0.0..0.03),
            sway: rng.random_range(0.01..0.09),
            tip: rng.random_range(0.026f32..0.085),
            pressure: rng.random_range(0.0..0.45),
        }
    }

    /// Returns the writer of [`crate::render::draw_digit`], without any variation.
    pub fn clean(weight: f32) -> Handwriting {
        Handwriting {
            is_arabic: false,
            allographs: [0; 9],
            slant: 0.0,
            aspect: 1.0,
            unrest: 0.0,
            wave: 0.0,
            sway: 0.0,
            tip: weight / 2.0,
            pressure: 0.0,
        }
    }

    /// Returns a printer of Arabic-Indic digits: heavy or light, narrow or wide.
    pub(in crate::render) fn arabic_print(rng: &mut impl Rng) -> Handwriting {
        Handwriting {
            is_arabic: true,
            slant: rng.random_range(-0.04..0.12),
            aspect: rng.random_range(0.85..1.2),
            ..Handwriting::clean(rng.random_range(0.1..0.18))
        }
    }

    /// Writes a digit once.
    pub fn write(&self, digit: Digit, rng: &mut impl Rng) -> WrittenDigit {
        // Now and then a writer uses another form than usual.
        let usual = self.allographs[digit.index()];
        let allograph = match self.unrest > 0.0 && rng.random_bool(0.08) {
            true => rng.random_range(0..allograph_count(digit)),
            false => usual,
        };
        let (sin, cos) = (self.sway * normal(rng)).sin_cos();
        let aspect = self.aspect * (1.0 + 3.0 * self.unrest * normal(rng));
        let phase = [0; 4].map(|_| rng.random_range(0.0..TAU));
        let wave = |t: f32, k: usize| self.wave * (phase[k] + t * (3.0 + k as f32)).sin();
        let moved = |point: Point| {
            let x = aspect * (point.x + self.unrest * normal(rng));
            let y = point.y - 0.5 + self.unrest * normal(rng);
            let x = x - self.slant * y + wave(y, 0) + wave(x, 1);
            let y = y + wave(x, 2) + wave(y, 3);
            Point {
                x: cos * x - sin * y,
                y: sin * x + cos * y,
            }
        };
        let lines = match self.is_arabic {
            true => arabic_skeleton(digit, moved),
            false => skeleton(digit, allograph, moved),
        };
        let beat = rng.random_range(1.5..5.0f32);
        let lines = lines.into_iter().map(|line| {
            let start = rng.random_range(0.0..TAU);
            let radius = |i: usize| {
                let t = i as f32 / line.len() as f32;
                self.tip * (1.0 + self.pressure * (start + beat * t).sin())
            };
            let radii = (0..line.len()).map(radius).collect();
            (line, radii)
        });
        WrittenDigit::centered(lines.collect())
    }
}

impl WrittenDigit {
    fn centered(mut lines: Vec<(Vec<Point>, Vec<f32>)>) -> WrittenDigit {
        let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
        for (line, radii) in &lines {
            for (point, &radius) in line.iter().zip(radii) {
                for (axis, value) in [point.x, point.y].into_iter().enumerate() {
                    low[axis] = low[axis].min(value - radius);
                    high[axis] = high[axis].max(value + radius);
                }
            }
        }
        let scale = 1.0 / (high[1] - low[1]).max(1e-3);
        for (line, radii) in &mut lines {
            for point in line {
                point.x = (point.x - (low[0] + high[0]) / 2.0) * scale;
                point.y = (point.y - (low[1] + high[1]) / 2.0) * scale;
            }
            radii.iter_mut().for_each(|radius| *radius *= scale);
        }
        WrittenDigit {
            lines,
            width: (high[0] - low[0]) * scale,
        }
    }

    /// Returns the width of the inked box; its height is 1.
    pub fn width(&self) -> f32 {
        self.width
    }

    /// Draws the digit into `ink`; `place` maps each point to pixels and to pixels per unit at that
    /// point.
    pub fn draw(&self, ink: &mut Coverage, strength: f32, place: impl Fn(Point) -> (Point, f32)) {
        for (line, radii) in &self.lines {
            let placed: Vec<(Point, f32)> = line.iter().map(|&point| place(point)).collect();
            let points: Vec<Point> = placed.iter().map(|placed| placed.0).collect();
            let radii: Vec<f32> = placed
                .iter()
                .zip(radii)
                .map(|((_, scale), radius)| (scale * radius).max(0.35))
                .collect();
            ink.draw_line(&points, &radii, strength);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_writer_and_random_numbers_give_the_same_strokes() {
        let written = |writer, seed| {
            let mut ink = Coverage::new(40, 40);
            let rng = &mut ChaCha8Rng::seed_from_u64(seed);
            let place = |p: Point| {
                (
                    Point {
                        x: 20.0 + 30.0 * p.x,
                        y: 20.0 + 30.0 * p.y,
                    },
                    30.0,
                )
            };
            Handwriting::of_writer(writer)
                .write(Digit::ALL[4], rng)
                .draw(&mut ink, 1.0, place);
            ink
        };
        assert_eq!(written(3, 1), written(3, 1));
        assert_ne!(written(3, 1), written(3, 2));
        assert_ne!(written(3, 1), written(4, 1));
    }
}
