//! From a page to a photo: bending, position, light, camera.

use image::{Rgb, RgbImage};
use rand::{Rng, RngExt};

use super::noise::{rough_noise, smooth_noise};
use super::page::Page;
use crate::vision::{Homography, Point, Quad};

/// Bending of a page like an open book, with waves. Lengths are shares of the page's width.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bend {
    /// Whether the spine is the right edge, not the left one.
    pub(super) spine_right: bool,
    /// Rise of the lines of the page towards the spine.
    pub(super) rise: f32,
    /// Distance from the spine up to which the page is bent.
    pub(super) reach: f32,
    /// Share of the width that is lost at the spine.
    pub(super) squeeze: f32,
    /// Height of the waves.
    pub(super) wave: f32,
    /// Waves over the page.
    pub(super) waves: f32,
}

impl Bend {
    pub(super) const FLAT: Bend = Bend {
        spine_right: false,
        rise: 0.0,
        reach: 0.3,
        squeeze: 0.0,
        wave: 0.0,
        waves: 1.0,
    };

    /// Returns the position of a point of the flat page in the plane, both in widths of the page.
    fn bent(&self, s: f32, t: f32) -> (f32, f32) {
        let d = if self.spine_right { 1.0 - s } else { s };
        let fade = (-d / self.reach).exp();
        let x = d + self.squeeze * self.reach * (fade - 1.0);
        let x = if self.spine_right { 1.0 - x } else { x };
        (x, t + self.lift(d, fade))
    }

    fn lift(&self, d: f32, fade: f32) -> f32 {
        self.rise * fade + self.wave * (std::f32::consts::TAU * self.waves * d).sin()
    }

    /// Returns the point of the page at this position.
    fn flat(&self, x: f32, y: f32) -> (f32, f32) {
        let target = if self.spine_right { 1.0 - x } else { x };
        let mut d = target;
        for _ in 0..4 {
            let fade = (-d / self.reach).exp();
            let error = d + self.squeeze * self.reach * (fade - 1.0) - target;
            d -= error / (1.0 - self.squeeze * fade).max(0.1);
        }
        let fade = (-d / self.reach).exp();
        let s = if self.spine_right { 1.0 - d } else { d };
        (s, y - self.lift(d, fade))
    }

    /// Returns the light on the page, 0 to 1: less where it turns down to the spine.
    fn light(&self, s: f32) -> f32 {
        let d = if self.spine_right { 1.0 - s } else { s };
        1.0 - (5.0 * self.rise).min(0.6) * (-d.max(0.0) / (0.45 * self.reach)).exp()
    }
}

/// A soft or hard edge between light and shadow, in photo coordinates from -0.5 to 0.5.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shadow {
    pub(super) angle: f32,
    pub(super) offset: f32,
    pub(super) softness: f32,
    pub(super) depth: f32,
}

/// A fold across the page, in page coordinates from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fold {
    pub(super) level: bool,
    pub(super) at: f32,
    pub(super) width: f32,
    pub(super) depth: f32,
}

/// Background under the page.
#[derive(Clone, Copy, Debug)]
pub(super) enum Table {
    Wood([f32; 3]),
    Cloth([f32; 3]),
    Plain([f32; 3]),
}

/// All settings between the page and the file.
pub(super) struct Scene {
    pub(super) page: Page,
    /// Size of the photo in pixels.
    pub(super) size: (u32, u32),
    /// Map from the plane of the page, in page pixels, to the photo.
    pub(super) projection: Homography,
    pub(super) bend: Bend,
    pub(super) table: Table,
    pub(super) shadows: Vec<Shadow>,
    pub(super) folds: Vec<Fold>,
    /// Change of light from one side of the photo to the other, right and down.
    pub(super) slope: [f32; 2],
    /// Loss of light in the corners.
    pub(super) vignette: f32,
    /// Gain of each color.
    pub(super) gains: [f32; 3],
    /// Unevenness of the paper.
    pub(super) texture: f32,
    /// Depth of a screen's pixel pattern.
    pub(super) moire: f32,
    /// Standard deviation of the blur, in pixels of the photo.
    pub(super) blur: f32,
    /// Standard deviation of the noise, in gray values.
    pub(super) noise: f32,
    pub(super) seed: u32,
}

impl Scene {
    /// Returns the position of a quad of the page in the photo; `None` where it is no longer
    /// convex.
    pub(super) fn place(&self, quad: &Quad) -> Option<Quad> {
        let width = self.page.width();
        Quad::new(quad.corners().map(|corner| {
            let (x, y) = self.bend.bent(corner.x / width, corner.y / width);
            self.projection.apply(Point {
                x: x * width,
                y: y * width,
            })
        }))
    }

    /// Renders the photo.
    pub(super) fn photograph(&self, rng: &mut impl Rng) -> RgbImage {
        let (width, height) = self.size;
        let mut image = RgbImage::new(width, height);
        let Some(back) = self.projection.inverse() else {
            return image;
        };
        let samples = self.samples(&back);
        for (x, y, pixel) in image.enumerate_pixels_mut() {
            let mut sum = [0f32; 3];
            for k in 0..samples * samples {
                let at =
                    |pixel: u32, sub: usize| pixel as f32 + (sub as f32 + 0.5) / samples as f32;
                let seen = back.apply(Point {
                    x: at(x, k % samples),
                    y: at(y, k / samples),
                });
                let color = self.color(seen);
                (0..3).for_each(|c| sum[c] += color[c]);
            }
            let light = self.light(x, y) / (samples * samples) as f32;
            *pixel =
                Rgb([0, 1, 2].map(|c| (sum[c] * light * self.gains[c]).clamp(0.0, 255.0) as u8));
        }
        let mut image = match self.blur > 0.25 {
            true => image::imageops::fast_blur(&image, self.blur),
            false => image,
        };
        self.add_noise(&mut image, rng);
        image
    }

    /// Returns the number of samples along each side of a photo pixel, so that no pixel of the page
    /// is skipped.
    fn samples(&self, back: &Homography) -> usize {
        let (x, y) = (self.size.0 as f32 / 2.0, self.size.1 as f32 / 2.0);
        let a = back.apply(Point { x, y });
        let b = back.apply(Point { x: x + 1.0, y });
        ((b.x - a.x).hypot(b.y - a.y).ceil() as usize).clamp(1, 4)
    }

    fn color(&self, seen: Point) -> [f32; 3] {
        let width = self.page.width();
        let (s, t) = self.bend.flat(seen.x / width, seen.y / width);
        let (x, y) = (s * width, t * width);
        if !(x >= 0.0 && y >= 0.0 && x < width && y < self.page.height()) {
            return self.table_color(seen);
        }
        let color = bilinear(&self.page.image, x, y);
        let mut light = self.bend.light(s);
        if self.texture > 0.0 {
            light += self.texture * rough_noise(x * 0.05, y * 0.05, self.seed);
        }
        if self.moire > 0.0 {
            light += self.moire * ((x * 1.9).sin() * (y * 1.9).sin());
        }
        for fold in &self.folds {
            let d = if fold.level {
                y / self.page.height()
            } else {
                s
            } - fold.at;
            let near = (-0.5 * (d / fold.width).powi(2)).exp();
            light -= fold.depth * near + if d > 0.0 { 0.25 * fold.depth } else { 0.0 };
        }
        color.map(|value| value * light)
    }

    fn table_color(&self, seen: Point) -> [f32; 3] {
        let (x, y) = (seen.x.clamp(-1e5, 1e5), seen.y.clamp(-1e5, 1e5));
        let (color, light) = match self.table {
            Table::Wood(color) => {
                let grain = rough_noise(x * 0.002, y * 0.03, self.seed);
                let board = if ((y + 2e5) / 260.0) % 1.0 < 0.012 {
                    -0.3
                } else {
                    0.0
                };
                (color, 1.0 + 0.22 * grain + board)
            }
            Table::Cloth(color) => {
                let weave = (x * 0.35).sin() * (y * 0.35).sin();
                (
                    color,
                    1.0 + 0.12 * weave + 0.2 * rough_noise(x * 0.01, y * 0.01, self.seed),
                )
            }
            Table::Plain(color) => (
                color,
                1.0 + 0.06 * smooth_noise(x * 0.004, y * 0.004, self.seed),
            ),
        };
        color.map(|value| value * light)
    }

    fn light(&self, x: u32, y: u32) -> f32 {
        let across = x as f32 / self.size.0 as f32 - 0.5;
        let down = y as f32 / self.size.1 as f32 - 0.5;
        let mut light = 1.0 + self.slope[0] * across + self.slope[1] * down;
        light -= self.vignette * (across * across + down * down) * 2.0;
        for shadow in &self.shadows {
            let (sin, cos) = shadow.angle.sin_cos();
            let wobble = 0.02 * smooth_noise(7.0 * across, 7.0 * down, self.seed);
            let depth = cos * across + sin * down - shadow.offset + wobble;
            light *= 1.0 - shadow.depth * (0.5 + depth / shadow.softness).clamp(0.0, 1.0);
        }
        light.max(0.02)
    }

    fn add_noise(&self, image: &mut RgbImage, rng: &mut impl Rng) {
        if self.noise <= 0.0 {
            return;
        }
        let mut deviate = || {
            let sum: f32 = (0..3).map(|_| rng.random_range(-1.0..1.0f32)).sum();
            sum * self.noise
        };
        for Rgb(pixel) in image.pixels_mut() {
            let gray = deviate();
            for value in pixel {
                *value = (f32::from(*value) + gray + 0.4 * deviate()).clamp(0.0, 255.0) as u8;
            }
        }
    }
}

fn bilinear(image: &RgbImage, x: f32, y: f32) -> [f32; 3] {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let x = (x - 0.5).clamp(0.0, (width - 1) as f32);
    let y = (y - 0.5).clamp(0.0, (height - 1) as f32);
    let (left, top) = (x as usize, y as usize);
    let (right, bottom) = ((left + 1).min(width - 1), (top + 1).min(height - 1));
    let (s, t) = (x - left as f32, y - top as f32);
    let raw = image.as_raw();
    [0, 1, 2].map(|c| {
        let at = |x: usize, y: usize| f32::from(raw[3 * (y * width + x) + c]);
        let above = at(left, top) * (1.0 - s) + at(right, top) * s;
        let below = at(left, bottom) * (1.0 - s) + at(right, bottom) * s;
        above * (1.0 - t) + below * t
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bent_page_can_be_flattened_again() {
        let bend = Bend {
            spine_right: true,
            rise: 0.08,
            reach: 0.25,
            squeeze: 0.5,
            wave: 0.01,
            waves: 1.3,
        };
        for i in 0..100 {
            let (s, t) = (i as f32 / 100.0, 0.3 + 0.01 * i as f32);
            let (x, y) = bend.bent(s, t);
            let (back_s, back_t) = bend.flat(x, y);
            assert!(
                (back_s - s).abs() < 1e-3 && (back_t - t).abs() < 1e-3,
                "{s} {back_s}"
            );
        }
    }
}
