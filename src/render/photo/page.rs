//! A flat page in color, with drawing operations.

use ab_glyph::{Font, FontVec, PxScale, ScaleFont, point};
use image::{Rgb, RgbImage};

use crate::render::face::GlyphMask;
use crate::render::placement::Placement;
use crate::render::strokes::{Coverage, WrittenDigit};
use crate::vision::Point;

/// Red, green, blue.
pub(super) type Color = [u8; 3];

/// A page before it is photographed. Coordinates are in pixels of the page.
pub(super) struct Page {
    pub(super) image: RgbImage,
}

impl Page {
    pub(super) fn new(width: u32, height: u32, paper: Color) -> Page {
        Page {
            image: RgbImage::from_pixel(width, height, Rgb(paper)),
        }
    }

    pub(super) fn width(&self) -> f32 {
        self.image.width() as f32
    }

    pub(super) fn height(&self) -> f32 {
        self.image.height() as f32
    }

    /// Fills a rectangle, its edges rounded to pixels, with at least one pixel each way.
    pub(super) fn fill(&mut self, [left, top, right, bottom]: [f32; 4], color: Color) {
        let range = |low: f32, high: f32, size: u32| {
            let first = low.round().clamp(0.0, size as f32) as u32;
            let end = high.round().max(low.round() + 1.0).clamp(0.0, size as f32) as u32;
            first..end
        };
        for y in range(top, bottom, self.image.height()) {
            for x in range(left, right, self.image.width()) {
                self.image.put_pixel(x, y, Rgb(color));
            }
        }
    }

    /// Draws the four sides of a rectangle, inwards.
    pub(super) fn frame(&mut self, [left, top, right, bottom]: [f32; 4], width: f32, color: Color) {
        self.fill([left, top, right, top + width], color);
        self.fill([left, bottom - width, right, bottom], color);
        self.fill([left, top, left + width, bottom], color);
        self.fill([right - width, top, right, bottom], color);
    }

    /// Draws a disk.
    pub(super) fn disk(&mut self, center: Point, radius: f32, color: Color) {
        self.ink(center, 2.0 * radius + 4.0, color, 1.0, |ink, middle| {
            ink.draw_line(&[middle], &[radius], 1.0);
        });
    }

    /// Draws a line of text from `x` on, on a baseline; returns its width. Characters that the font
    /// lacks are left out.
    pub(super) fn text(
        &mut self,
        font: &FontVec,
        size: f32,
        (x, baseline): (f32, f32),
        color: Color,
        text: &str,
    ) -> f32 {
        let scale = PxScale::from(size);
        let scaled = font.as_scaled(scale);
        let mut cursor = x;
        for character in text.chars() {
            let id = scaled.glyph_id(character);
            let glyph = id.with_scale_and_position(scale, point(cursor, baseline));
            if let Some(outline) = font.outline_glyph(glyph) {
                let bounds = outline.px_bounds();
                outline.draw(|dx, dy, share| {
                    let (x, y) = (
                        bounds.min.x as i64 + i64::from(dx),
                        bounds.min.y as i64 + i64::from(dy),
                    );
                    self.blend(x, y, color, share);
                });
            }
            cursor += scaled.h_advance(id);
        }
        cursor - x
    }

    /// Draws a printed digit, its box centred.
    pub(super) fn glyph(&mut self, mask: &GlyphMask, center: Point, height: f32, color: Color) {
        let width = height * mask.width as f32 / mask.height as f32;
        self.ink(
            center,
            2.0 * height.max(width),
            color,
            1.0,
            |ink, middle| {
                Placement::upright(middle, height, width).stamp(ink, mask, 1.0);
            },
        );
    }

    /// Draws a handwritten digit, its box centred.
    pub(super) fn written(
        &mut self,
        digit: &WrittenDigit,
        center: Point,
        height: f32,
        color: Color,
        opacity: f32,
    ) {
        let width = height * digit.width();
        self.ink(
            center,
            2.0 * height.max(width),
            color,
            opacity,
            |ink, middle| {
                Placement::upright(middle, height, width).write(ink, digit, 1.0);
            },
        );
    }

    /// Lets `draw` draw ink into a square of this side around `center`; it gets the centre's
    /// position in the square.
    pub(super) fn ink(
        &mut self,
        center: Point,
        side: f32,
        color: Color,
        opacity: f32,
        draw: impl FnOnce(&mut Coverage, Point),
    ) {
        let (left, top) = (
            (center.x - side / 2.0).floor(),
            (center.y - side / 2.0).floor(),
        );
        let size = side.ceil() as usize + 2;
        let mut ink = Coverage::new(size, size);
        let middle = Point {
            x: center.x - left,
            y: center.y - top,
        };
        draw(&mut ink, middle);
        for (i, &share) in ink.shares().iter().enumerate() {
            let (x, y) = (
                left as i64 + (i % size) as i64,
                top as i64 + (i / size) as i64,
            );
            self.blend(x, y, color, share * opacity);
        }
    }

    fn blend(&mut self, x: i64, y: i64, color: Color, share: f32) {
        let inside =
            x >= 0 && y >= 0 && x < self.image.width().into() && y < self.image.height().into();
        if inside && share > 0.0 {
            let Rgb(pixel) = self.image.get_pixel_mut(x as u32, y as u32);
            for (value, ink) in pixel.iter_mut().zip(color) {
                *value = (f32::from(*value) * (1.0 - share) + f32::from(ink) * share + 0.5) as u8;
            }
        }
    }
}
