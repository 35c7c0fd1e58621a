//! Sampling a gray picture between its pixels.

use std::borrow::Cow;

use image::GrayImage;

use super::quad::Point;
use super::shrink::shrink_luma;

/// Fractional bits of a coordinate while sampling.
const FRACTION: u32 = 16;

/// A gray picture averaged down, if need be, to suit the detail it is sampled at.
pub(super) struct Source<'a> {
    luma: Cow<'a, GrayImage>,
    /// Its pixels per pixel of the picture it came from.
    scale: f32,
}

impl<'a> Source<'a> {
    /// The picture as it is.
    pub(super) const fn whole(luma: &'a GrayImage) -> Source<'a> {
        Source {
            luma: Cow::Borrowed(luma),
            scale: 1.0,
        }
    }

    /// The picture for sampling a board whose cells are `cell` pixels wide at `samples` a cell: one
    /// in which steps between samples skip no pixel.
    pub(super) fn for_cells(luma: &'a GrayImage, cell: f32, samples: f32) -> Source<'a> {
        let longest = luma.width().max(luma.height());
        let side = (longest as f32 * 1.3 * samples / cell).round();
        let small = (cell > 1.6 * samples)
            .then(|| shrink_luma(luma, side as u32))
            .flatten();
        match small {
            Some(small) => Source {
                scale: small.width() as f32 / luma.width() as f32,
                luma: Cow::Owned(small),
            },
            None => Source::whole(luma),
        }
    }

    /// Half the size: each pixel the mean of four. `None` below two pixels.
    pub(super) fn halved(&self) -> Option<Source<'static>> {
        let (width, height) = (self.luma.width() / 2, self.luma.height() / 2);
        if width == 0 || height == 0 {
            return None;
        }
        let rows = self.luma.as_raw().chunks_exact(self.luma.width() as usize);
        let mut pixels = Vec::with_capacity((width * height) as usize);
        for (above, below) in rows.clone().step_by(2).zip(rows.skip(1).step_by(2)) {
            pixels.extend(
                above
                    .chunks_exact(2)
                    .zip(below.chunks_exact(2))
                    .map(|(a, b)| {
                        let sum =
                            u16::from(a[0]) + u16::from(a[1]) + u16::from(b[0]) + u16::from(b[1]);
                        ((sum + 2) / 4) as u8
                    }),
            );
        }
        Some(Source {
            luma: Cow::Owned(GrayImage::from_raw(width, height, pixels)?),
            scale: 0.5 * self.scale,
        })
    }

    /// Gray values at places that start at `start` of the original picture and are `step` apart:
    /// bilinear between the centres of pixels, the border replicated.
    pub(super) fn along(&self, start: Point, step: Point, values: &mut [u8]) {
        let (width, height) = (self.luma.width() as usize, self.luma.height() as usize);
        let pixels = self.luma.as_raw();
        let one = (1i64 << FRACTION) as f32;
        let fixed = |value: f32| (value * one) as i32;
        let (mut x, mut y) = (
            fixed(start.x * self.scale - 0.5),
            fixed(start.y * self.scale - 0.5),
        );
        let (dx, dy) = (fixed(step.x * self.scale), fixed(step.y * self.scale));
        let mask = (1 << FRACTION) - 1;
        let inside = |x: i32, y: i32| {
            x >= 0
                && y >= 0
                && ((x >> FRACTION) as usize) < width - 1
                && ((y >> FRACTION) as usize) < height - 1
        };
        for value in values {
            let (cx, cy) = if inside(x, y) {
                (x, y)
            } else {
                (
                    x.clamp(0, ((width - 1) << FRACTION) as i32),
                    y.clamp(0, ((height - 1) << FRACTION) as i32),
                )
            };
            let (left, top) = ((cx >> FRACTION) as usize, (cy >> FRACTION) as usize);
            let (right, down) = (
                usize::from(left + 1 < width),
                width * usize::from(top + 1 < height),
            );
            let (s, t) = ((cx & mask) >> 8, (cy & mask) >> 8);
            let at = top * width + left;
            let pixel = |i: usize| i32::from(pixels[i]);
            let above = pixel(at) * 256 + s * (pixel(at + right) - pixel(at));
            let below = pixel(at + down) * 256 + s * (pixel(at + down + right) - pixel(at + down));
            *value = ((above * 256 + t * (below - above) + (1 << 15)) >> 16) as u8;
            x = x.wrapping_add(dx);
            y = y.wrapping_add(dy);
        }
    }
}
