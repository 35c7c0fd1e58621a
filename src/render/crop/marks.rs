//! Marks in a cell that are no digit of the puzzle.

use rand::{Rng, RngExt};

use super::app_marks::AppMarks;
use super::canvas::{Canvas, S, SIDE};
use super::config::{MarkConfig, Span};
use super::content::{DrawnMarks, any_digit, any_place, mirrored};
use crate::grid::{Digit, DigitSet};
use crate::render::fonts::FontSet;
use crate::render::normal::normal;
use crate::render::placement::Placement;
use crate::render::strokes::{Coverage, Handwriting};
use crate::vision::Point;

/// Draws marks with these fonts and writers.
pub(super) struct Marks<'a> {
    pub(super) config: &'a MarkConfig,
    pub(super) fonts: &'a FontSet,
    /// Number of writers.
    pub(super) writers: u64,
}

impl Marks<'_> {
    /// Draws the marks of a cell, beside a digit or in a `blank`; returns the candidates.
    pub(super) fn draw_marks(
        &self,
        ink: &mut Coverage,
        blank: bool,
        rng: &mut impl Rng,
    ) -> DrawnMarks {
        let config = self.config;
        let mut drawn = DrawnMarks::default();
        let is_of_app = blank && config.app.draw(rng);
        if is_of_app {
            let (config, fonts) = (self.config, self.fonts);
            drawn = AppMarks { config, fonts }.draw(ink, rng);
        }
        if blank && config.specks.draw(rng) {
            for _ in 0..rng.random_range(1..4) {
                let from = any_place(S, 5.0, rng);
                let to = Point {
                    x: from.x + 11.0 * rng.random_range(-1.0..1.0f32),
                    y: from.y + 11.0 * rng.random_range(-1.0..1.0f32),
                };
                let radius = config.speck_radius.draw(rng) * S;
                ink.draw_line(&[from, to], &[radius; 2], config.speck_ink.draw(rng));
            }
        }
        if config.show_through.draw(rng) {
            self.draw_show_through(ink, rng);
        }
        if !is_of_app && config.candidates.draw(rng) {
            let written = rng.random();
            for _ in 0..rng.random_range(1..5) {
                let height = config.candidate_height.draw(rng) * S;
                let mut center = any_place(S, 0.5 * height + 2.0, rng);
                if !blank {
                    let edge = 0.08 * S + 0.5 * height;
                    center.y = if rng.random() { edge } else { S - edge };
                }
                let strength = config.candidate_ink.draw(rng);
                let digit = any_digit(rng);
                drawn.digits = drawn.digits.with(digit);
                self.draw_small(ink, digit, center, height, written, strength, rng);
            }
        }
        if blank && !is_of_app && config.candidate_row.draw(rng) {
            drawn.digits = drawn.digits.union(self.draw_candidate_row(ink, rng));
        }
        if blank && !is_of_app && config.candidate_grid.draw(rng) {
            let height = config.candidate_grid_height.draw(rng) * S;
            let strength = config.candidate_grid_ink.draw(rng);
            let share = rng.random_range(0.15..0.9);
            let face = self.fonts.draw(rng).map(|(_, face)| face);
            for digit in Digit::ALL {
                if rng.random_bool(share) {
                    drawn.digits = drawn.digits.with(digit);
                    let at = |k: usize| S * (0.5 + 0.29 * (k as f32 - 1.0));
                    let center = Point {
                        x: at(digit.index() % 3),
                        y: at(digit.index() / 3),
                    };
                    match face {
                        Some(face) => {
                            let mask = &face.masks[digit.index()];
                            let width = height * mask.width as f32 / mask.height as f32;
                            Placement::upright(center, height, width).stamp(ink, mask, strength);
                        }
                        None => self.draw_small(ink, digit, center, height, true, strength, rng),
                    }
                }
            }
        }
        if config.neighbour.draw(rng) {
            let along = rng.random_range(0.1..0.9) * S;
            let depth = config.neighbour_depth.step(rng) * S;
            let (a, b) = (along, along + rng.random_range(-9.0..9.0f32));
            let (from, to) = match rng.random_range(0..4) {
                0 => ((a, -3.0), (b, depth)),
                1 => ((a, S + 3.0), (b, S - depth)),
                2 => ((-3.0, a), (depth, b)),
                _ => ((S + 3.0, a), (S - depth, b)),
            };
            let points = [from, to].map(|(x, y)| Point { x, y });
            let radius = config.neighbour_radius.draw(rng) * S;
            ink.draw_line(&points, &[radius; 2], config.neighbour_ink.draw(rng));
        }
        drawn
    }

    /// Draws the other side of thin paper showing through: a mirrored digit, soft and faint.
    fn draw_show_through(&self, ink: &mut Coverage, rng: &mut impl Rng) {
        let digit = any_digit(rng);
        let mut behind = Canvas::new(SIDE, 0.0);
        let mut layer = Coverage::new(SIDE, SIDE);
        let height = self.config.show_through_height.draw(rng) * S;
        let center = any_place(S, 0.2 * S, rng);
        match self.fonts.draw(rng) {
            Some((_, face)) => {
                let mask = mirrored(&face.masks[digit.index()]);
                let width = height * mask.width as f32 / mask.height as f32;
                Placement::upright(center, height, width).stamp(&mut layer, &mask, 1.0);
            }
            None => {
                let written = Handwriting::of_writer(rng.random()).write(digit, rng);
                let width = -height * written.width();
                Placement::upright(center, height, width).write(&mut layer, &written, 1.0);
            }
        }
        behind.values.copy_from_slice(layer.shares());
        behind.blur(self.config.show_through_blur.step(rng) * S);
        let strength = self.config.show_through_ink.draw(rng);
        for (share, behind) in ink.shares_mut().iter_mut().zip(&behind.values) {
            *share = share.max(behind * strength);
        }
    }

    /// Draws two to four written candidates side by side: large, but no digit of the puzzle.
    fn draw_candidate_row(&self, ink: &mut Coverage, rng: &mut impl Rng) -> DigitSet {
        let config = self.config;
        let count = rng.random_range(2..5usize);
        let height = config.candidate_row_height.draw(rng) * S;
        let step = (height * Span::new(0.5, 0.75).draw(rng)).min(0.84 * S / count as f32);
        let half = 0.5 * step * count as f32;
        let mut at = |low: f32| Span::new(low, (S - low).max(low)).draw(rng);
        let middle = at(half + 0.06 * S);
        let level = at(0.5 * height + 0.06 * S);
        let strength = config.candidate_row_ink.draw(rng);
        let hand = Handwriting::of_writer(rng.random_range(0..self.writers.max(1)));
        let mut digits = DigitSet::EMPTY;
        for k in 0..count {
            let digit = any_digit(rng);
            digits = digits.with(digit);
            let written = hand.write(digit, rng);
            let center = Point {
                x: middle - half + step * (k as f32 + 0.5) + 0.4 * normal(rng),
                y: level + 0.8 * normal(rng),
            };
            let width = (height * written.width()).min(0.95 * step);
            Placement::upright(center, height, width).write(ink, &written, strength);
        }
        digits
    }

    #[allow(clippy::too_many_arguments)]
    fn draw_small(
        &self,
        ink: &mut Coverage,
        digit: Digit,
        center: Point,
        height: f32,
        written: bool,
        strength: f32,
        rng: &mut impl Rng,
    ) {
        match self.fonts.draw(rng).filter(|_| !written) {
            Some((_, face)) => {
                let mask = &face.masks[digit.index()];
                let width = height * mask.width as f32 / mask.height as f32;
                Placement::upright(center, height, width).stamp(ink, mask, strength);
            }
            None => {
                let written = Handwriting::of_writer(rng.random()).write(digit, rng);
                let width = height * written.width();
                Placement::upright(center, height, width).write(ink, &written, strength);
            }
        }
    }
}
