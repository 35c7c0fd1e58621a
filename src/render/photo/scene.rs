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
        let steps = if self.squeeze == 0.0 { 0 } else { 4 };
        for _ in 0..steps {
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
        let mut above = self.row(&back, 0);
        for y in 0..height {
            let below = self.row(&back, y + 1);
            for x in 0..width {
                let at = x as usize;
                let corners = [above[at], above[at + 1], below[at], below[at + 1]];
                let center = Point {
                    x: x as f32 + 0.5,
                    y: y as f32 + 0.5,
                };
                let color = self.color(corners, samples, || back.apply(center));
                let light = self.light(x, y);
                let Rgb(pixel) = image.get_pixel_mut(x, y);
                for c in 0..3 {
                    pixel[c] = (color[c] * light * self.gains[c]).clamp(0.0, 255.0) as u8;
                }
            }
            above = below;
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

    /// Returns the points of the page, in its pixels, below the upper corners of a row of photo pixels.
    fn row(&self, back: &Homography, y: u32) -> Vec<Point> {
        let width = self.page.width();
        let corner = |x: u32| {
            let seen = back.apply(Point {
                x: x as f32,
                y: y as f32,
            });
            let (s, t) = self.bend.flat(seen.x / width, seen.y / width);
            Point {
                x: s * width,
                y: t * width,
            }
        };
        (0..=self.size.0).map(corner).collect()
    }

    /// Returns the color of a photo pixel: the mean of its samples, which lie evenly between its corners on
    /// the page. What changes slowly, light on the page and the table at `seen`, is computed once.
    fn color(&self, corners: [Point; 4], samples: usize, seen: impl FnOnce() -> Point) -> [f32; 3] {
        let (width, height) = (self.page.width(), self.page.height());
        let mut sum = [0.0; 3];
        let mut on_page = 0;
        for k in 0..samples * samples {
            let share = |sub: usize| (sub as f32 + 0.5) / samples as f32;
            let Point { x, y } = between(corners, share(k % samples), share(k / samples));
            if !(x >= 0.0 && y >= 0.0 && x < width && y < height) {
                continue;
            }
            on_page += 1;
            let pattern = match self.moire > 0.0 {
                true => 1.0 + self.moire * ((x * 1.9).sin() * (y * 1.9).sin()),
                false => 1.0,
            };
            let color = bilinear(&self.page.image, x, y);
            for c in 0..3 {
                sum[c] += color[c] * pattern;
            }
        }
        let count = samples * samples;
        if on_page > 0 {
            let light = self.page_light(between(corners, 0.5, 0.5));
            for value in &mut sum {
                *value *= light;
            }
        }
        if on_page < count {
            let table = self.table_color(seen());
            for c in 0..3 {
                sum[c] += table[c] * (count - on_page) as f32;
            }
        }
        for value in &mut sum {
            *value /= count as f32;
        }
        sum
    }

    /// Returns the light at a point of the page: its bends, folds and texture.
    fn page_light(&self, Point { x, y }: Point) -> f32 {
        let s = x / self.page.width();
        let mut light = self.bend.light(s);
        if self.texture > 0.0 {
            light += self.texture * rough_noise(x * 0.05, y * 0.05, self.seed);
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
        light
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
        // The sum of four bytes is close enough to a normal distribution; this is its standard deviation.
        const SPREAD: f32 = 147.8;
        let mut deviate = || {
            let bytes = rng.random::<u32>().to_le_bytes();
            let sum: f32 = bytes.into_iter().map(f32::from).sum();
            (sum - 510.0) * (self.noise / SPREAD)
        };
        for Rgb(pixel) in image.pixels_mut() {
            let gray = deviate();
            for value in pixel {
                *value = (f32::from(*value) + gray + 0.4 * deviate()).clamp(0.0, 255.0) as u8;
            }
        }
    }
}

/// Returns the point at these shares of the way across and down between the corners: top left, top right,
/// bottom left, bottom right.
fn between([a, b, c, d]: [Point; 4], across: f32, down: f32) -> Point {
    let mix = |from: f32, to: f32, share: f32| from + share * (to - from);
    Point {
        x: mix(mix(a.x, b.x, across), mix(c.x, d.x, across), down),
        y: mix(mix(a.y, b.y, across), mix(c.y, d.y, across), down),
    }
}

fn bilinear(image: &RgbImage, x: f32, y: f32) -> [f32; 3] {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let x = (x - 0.5).clamp(0.0, (width - 1) as f32);
    let y = (y - 0.5).clamp(0.0, (height - 1) as f32);
    let (left, top) = (x as usize, y as usize);
    let (right, bottom) = ((left + 1).min(width - 1), (top + 1).min(height - 1));
    let (s, t) = (x - left as f32, y - top as f32);
    let pixel = |x: usize, y: usize| &image.as_raw()[3 * (y * width + x)..][..3];
    let (a, b) = (pixel(left, top), pixel(right, top));
    let (c, d) = (pixel(left, bottom), pixel(right, bottom));
    let mut color = [0.0; 3];
    for k in 0..3 {
        let above = f32::from(a[k]) * (1.0 - s) + f32::from(b[k]) * s;
        let below = f32::from(c[k]) * (1.0 - s) + f32::from(d[k]) * s;
        color[k] = above * (1.0 - t) + below * t;
    }
    color
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
