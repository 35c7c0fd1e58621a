//! Renders one crop from a seed: paper, ink, light, camera, in this order.

use std::f32::consts::TAU;

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::canvas::{Canvas, S, SIDE};
use super::config::CropConfig;
use super::content::{GridLine, any_digit, any_place, outline, thicker, thinner};
use super::jpeg::recompress;
use super::marks::Marks;
use crate::grid::{Digit, DigitSet};
use crate::render::face::GlyphMask;
use crate::render::fonts::FontSet;
use crate::render::normal::normal;
use crate::render::placement::Placement;
use crate::render::samples::HandwritingSamples;
use crate::render::strokes::{Coverage, Handwriting};
use crate::vision::{CROP_SIDE, CellCrop, Point};

/// Height in pixels of the photo that a digit needs to be legible.
const LEGIBLE_HEIGHT: f32 = 7.0;

/// Contrast to the paper, in gray values, that a digit needs to be legible.
const LEGIBLE_CONTRAST: f32 = 16.0;

/// Smallest number of pixels across a crop in the photo, whatever the configuration says.
const LEAST_RESOLUTION: usize = 4;

/// Renders labeled crops; the same configuration, fonts, seed and index give the same crop.
#[derive(Clone, Debug)]
pub struct CropRenderer {
    config: CropConfig,
    fonts: FontSet,
    samples: HandwritingSamples,
}

/// A rendered crop with its label.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedCrop {
    /// The picture.
    pub crop: CellCrop,
    /// The digit in it.
    pub label: Option<Digit>,
    /// Whether that digit is written by hand.
    pub is_written: bool,
    /// The candidates in it, where there is no digit.
    pub marks: DigitSet,
    /// Family of the font, writer, or index of a blank's group: similar crops share it, so that a
    /// split by group does not leak.
    pub group: String,
}

/// A digit and its size in the cell.
struct Figure {
    digit: Digit,
    is_written: bool,
    group: String,
    /// As a share of the crop.
    height: f32,
}

impl CropRenderer {
    /// Returns a renderer with these effects and fonts; without any font all digits are
    /// handwritten.
    pub fn new(config: CropConfig, fonts: FontSet) -> CropRenderer {
        CropRenderer {
            config,
            fonts,
            samples: HandwritingSamples::default(),
        }
    }

    /// Returns the renderer with samples of handwriting.
    pub fn with_handwriting(self, samples: HandwritingSamples) -> CropRenderer {
        CropRenderer { samples, ..self }
    }

    /// Returns the crop at this index in the sequence of this seed.
    pub fn render(&self, seed: u64, index: u64) -> RenderedCrop {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(index);
        let mut ink = Coverage::new(SIDE, SIDE);
        let tone = &self.config.tone;
        let paper = match tone.dim.draw(rng) {
            true => tone.dim_paper.draw(rng),
            false => tone.paper.draw(rng),
        };
        let contrast = tone.contrast.draw(rng) * paper;
        let cell = self.draw_lines(&mut ink, rng);
        let figure = match self.config.content.blank.draw(rng) {
            true => None,
            false => Some(self.draw_figure(&mut ink, contrast, rng)),
        };
        let marks = Marks {
            config: &self.config.marks,
            fonts: &self.fonts,
            writers: self.config.content.writers,
        };
        let marks = marks.draw_marks(&mut ink, figure.is_none(), rng);
        let mut canvas = self.lay_ink(&ink, paper, contrast, &cell, rng);
        self.light(&mut canvas, rng);
        let height = figure.as_ref().map(|figure| figure.height);
        let height = height.or(marks.height);
        let pixels = self.photograph(canvas, contrast, height, rng);
        let (label, is_written, marks, group) = match figure {
            Some(Figure {
                digit,
                is_written,
                group,
                ..
            }) => (Some(digit), is_written, DigitSet::EMPTY, group),
            None => (None, false, marks.digits, format!("blank-{}", index % 100)),
        };
        RenderedCrop {
            crop: CellCrop {
                pixels,
                board_contrast: contrast * tone.board.draw(rng),
            },
            label,
            is_written,
            marks,
            group,
        }
    }

    /// Draws the lines around the cell; returns left, right, top and bottom of the cell in pixels.
    fn draw_lines(&self, ink: &mut Coverage, rng: &mut impl Rng) -> [f32; 4] {
        let config = &self.config.lines;
        let margin = config.margin * S;
        let dashed = config.dashed.draw(rng);
        let dash = dashed.then(|| (config.dash.step(rng) * S, config.dash_gap.step(rng) * S));
        let line = |level: bool, at: f32, tilt: f32, rng: &mut _| GridLine {
            level,
            at,
            tilt: tilt * S * normal(rng),
            bow: config.bow * S * normal(rng),
            width: S * config.widths.choose(rng).copied().unwrap_or(0.024),
            strength: config.ink.draw(rng),
            dash,
        };
        let sides = [
            (false, margin),
            (false, S - margin),
            (true, margin),
            (true, S - margin),
        ];
        let cell = sides.map(|(level, at)| {
            let at = at + config.jitter * S * normal(rng);
            let line = line(level, at, config.tilt, rng);
            if !config.missing.draw(rng) {
                line.draw(ink);
            }
            at
        });
        if config.stray.draw(rng) {
            let near = config.stray_margin.draw(rng) * S;
            let at = if rng.random() { near } else { S - near };
            line(rng.random(), at, 0.06, rng).draw(ink);
        }
        cell
    }

    fn draw_figure(&self, ink: &mut Coverage, contrast: f32, rng: &mut impl Rng) -> Figure {
        let config = &self.config.content;
        let digit = any_digit(rng);
        let face = match config.written.draw(rng) {
            true => None,
            false => self.fonts.draw(rng),
        };
        let (offset, height) = match face {
            None => (config.written_offset, config.written_height),
            Some(_) if config.small.draw(rng) => (config.offset, config.small_height),
            Some(_) => (config.offset, config.height),
        };
        let height = height.draw(rng);
        let mut placement = Placement {
            center: Point {
                x: S / 2.0 + offset * S * normal(rng),
                y: S / 2.0 + offset * S * normal(rng),
            },
            height: height * S,
            width: 0.0,
            turn: config.turn * normal(rng),
            shear: config.shear * normal(rng),
            perspective: [0; 2].map(|_| config.perspective / S * rng.random_range(-1.0..1.0f32)),
        };
        let legible = LEGIBLE_CONTRAST / contrast;
        let Some((family, face)) = face else {
            let strength = |rng: &mut _| config.written_ink.draw(rng).max(legible);
            if !self.samples.is_empty()
                && config.sampled.draw(rng)
                && let Some((writer, mask)) = self.samples.draw(digit, rng)
            {
                let aspect = mask.width as f32 / mask.height as f32;
                placement.width = (placement.height * aspect).clamp(2.5, 0.92 * S);
                placement.stamp(ink, mask, strength(rng));
                return Figure {
                    digit,
                    is_written: true,
                    group: format!("hand-sample-{writer}"),
                    height,
                };
            }
            let writer = rng.random_range(0..config.writers.max(1));
            let written = Handwriting::of_writer(writer).write(digit, rng);
            placement.width = (placement.height * written.width()).min(0.92 * S);
            placement.write(ink, &written, strength(rng));
            return Figure {
                digit,
                is_written: true,
                group: format!("hand-{writer}"),
                height,
            };
        };
        let mask = &face.masks[digit.index()];
        let aspect = mask.width as f32 / mask.height as f32 * config.aspect.draw(rng);
        placement.width = (placement.height * aspect).clamp(2.5, 0.86 * S);
        let strength = config.ink.draw(rng).max(legible);
        let reweighed;
        let mask = if config.reweighed.draw(rng) {
            reweighed = thinner(mask);
            // A hairline would vanish.
            if is_inked(&reweighed) {
                &reweighed
            } else {
                mask
            }
        } else if config.reweighed.draw(rng) {
            reweighed = thicker(mask);
            &reweighed
        } else if height > 0.5 && config.outlined.draw(rng) {
            reweighed = outline(mask);
            &reweighed
        } else {
            mask
        };
        placement.stamp(ink, mask, strength);
        Figure {
            digit,
            is_written: false,
            group: format!("font-{family}"),
            height,
        }
    }

    /// Lays ink on paper, with the tint of the cell and the paper's unevenness.
    fn lay_ink(
        &self,
        ink: &Coverage,
        paper: f32,
        contrast: f32,
        &[left, right, top, bottom]: &[f32; 4],
        rng: &mut impl Rng,
    ) -> Canvas {
        let tone = &self.config.tone;
        let mut canvas = Canvas::new(SIDE, paper);
        for (value, share) in canvas.values.iter_mut().zip(ink.shares()) {
            *value -= share * contrast;
        }
        if tone.tinted.draw(rng) {
            let tint = tone.tint.draw(rng) * contrast;
            let inside = rng.random_bool(0.6);
            canvas.add(|x, y| {
                let (x, y) = ((x + 0.5) * S, (y + 0.5) * S);
                let within = x > left && x < right && y > top && y < bottom;
                if within == inside { -tint } else { 0.0 }
            });
        }
        if tone.halftone.draw(rng) {
            let (pitch, depth) = (
                tone.halftone_pitch.draw(rng) * S,
                tone.halftone_ink * contrast,
            );
            let (sin, cos) = rng.random_range(0.0..TAU).sin_cos();
            let wave = |t: f32| (t * S / pitch * TAU).sin();
            let level = rng.random_range(0.0..0.8);
            canvas.add(|x, y| {
                let dots = wave(cos * x - sin * y) * wave(sin * x + cos * y);
                if dots > level { -depth } else { 0.0 }
            });
        }
        let texture = self.config.light.texture.draw(rng) * paper;
        if texture > 1.0 {
            let mut coarse = Canvas::new(10, 0.0);
            coarse.add_noise(texture, rng);
            let fine = coarse.resized(SIDE);
            for (value, more) in canvas.values.iter_mut().zip(&fine.values) {
                *value += more;
            }
        }
        canvas
    }

    /// Applies the light and shadows on the cell.
    fn light<R: Rng>(&self, canvas: &mut Canvas, rng: &mut R) {
        let config = &self.config.light;
        let mut light = Canvas::new(SIDE, 1.0);
        let [across, down] = [0; 2].map(|_| config.slope * rng.random_range(-1.0..1.0f32));
        light.add(|x, y| across * x + down * y);
        // A line through the crop: distance of a place from it, its normal at a random angle.
        let line = |rng: &mut R| {
            let (sin, cos) = rng.random_range(0.0..TAU).sin_cos();
            let off = rng.random_range(-0.4..0.4f32);
            move |x: f32, y: f32| cos * x + sin * y - off
        };
        if config.shadow.draw(rng) {
            let depth = config.shadow_depth.draw(rng);
            let soft = config.shadow_softness.draw(rng);
            let distance = line(rng);
            light.add(|x, y| -depth * (0.5 + distance(x, y) / soft).clamp(0.0, 1.0));
        }
        if config.fold.draw(rng) {
            let bright = rng.random_bool(0.25);
            let depth = config.fold_depth.draw(rng) * if bright { -0.6 } else { 1.0 };
            let width = config.fold_width.draw(rng);
            let distance = line(rng);
            // One side of a fold often lies a little darker.
            let step = 0.3 * depth * rng.random::<f32>();
            light.add(|x, y| {
                let t = distance(x, y);
                let side = if t > 0.0 { step } else { 0.0 };
                -depth * exp(-0.5 * (t / width).powi(2)) - side
            });
        }
        if config.moire.draw(rng) {
            let (sin, cos) = rng.random_range(0.0..TAU).sin_cos();
            let beats = config.moire_beats.step(rng);
            let depth = config.moire_depth.step(rng);
            light.add(|x, y| depth * (beats * (cos * x + sin * y)).sin());
        }
        for (value, light) in canvas.values.iter_mut().zip(&light.values) {
            *value *= light.max(0.05);
        }
        if config.glare.draw(rng) {
            let at = any_place(1.0, 0.0, rng);
            let strength = config.glare_strength.step(rng);
            let width = config.glare_width.step(rng);
            let mut veil = Canvas::new(SIDE, 0.0);
            veil.add(|x, y| {
                let apart = (x + 0.5 - at.x).powi(2) + (y + 0.5 - at.y).powi(2);
                strength * exp(-0.5 * apart / (width * width))
            });
            // The nearer to white, the less of the ink is left.
            for (value, veil) in canvas.values.iter_mut().zip(&veil.values) {
                *value += veil * (250.0 - *value).max(0.0);
            }
        }
    }

    /// Applies blur, resolution, noise and compression; `height` is that of the digit, which must
    /// stay legible.
    fn photograph(
        &self,
        mut canvas: Canvas,
        contrast: f32,
        height: Option<f32>,
        rng: &mut impl Rng,
    ) -> Box<[u8; CROP_SIDE * CROP_SIDE]> {
        let config = &self.config.camera;
        let most = height.map_or(f32::MAX, |height| 0.11 * height);
        let blur = config.blurs.choose(rng).copied().unwrap_or(0.0).min(most);
        canvas.blur(blur * S);
        if config.motion.draw(rng) {
            let length = config.motion_length.draw(rng).min(1.6 * most);
            canvas.smear(length * S, rng.random_range(0.0..TAU));
        }
        let least = height.map_or(0, |height| (LEGIBLE_HEIGHT / height).ceil() as usize);
        let resolution = config.resolutions.choose(rng).copied().unwrap_or(CROP_SIDE);
        let mut photo = canvas.resized(resolution.max(least).clamp(LEAST_RESOLUTION, SIDE));
        if config.sharpened.draw(rng) {
            photo.sharpen(config.sharpening.step(rng));
        }
        let noise = config.noises.choose(rng).copied().unwrap_or(0.0);
        photo.add_noise(noise * (contrast / 120.0 + 0.3), rng);
        if config.jpeg.draw(rng) {
            let start = (rng.random_range(0..8), rng.random_range(0..8));
            let side = photo.side;
            recompress(
                &mut photo.values,
                side,
                config.jpeg_quality.draw(rng),
                start,
            );
        }
        let crop = photo.resized(CROP_SIDE);
        let inverted = self.config.tone.inverted.draw(rng);
        let mut pixels = Box::new([0u8; CROP_SIDE * CROP_SIDE]);
        for (pixel, value) in pixels.iter_mut().zip(&crop.values) {
            let value = (value.clamp(0.0, 255.0) + 0.5) as u8;
            *pixel = if inverted { 255 - value } else { value };
        }
        pixels
    }
}

/// Returns `f32::exp`, with a shortcut below -104, where it is 0.
fn exp(value: f32) -> f32 {
    if value < -104.0 { 0.0 } else { value.exp() }
}

fn is_inked(mask: &GlyphMask) -> bool {
    let inked = mask.shares.iter().filter(|&&share| share > 128).count();
    inked * 12 > mask.shares.len()
}
