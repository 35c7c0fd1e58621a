//! Sampling a gray picture between its pixels.

use std::borrow::Cow;

use image::GrayImage;

use super::shrink::shrink_luma;

/// A gray picture averaged down, if need be, to suit the detail it is sampled at.
pub(super) struct Source<'a> {
    luma: Cow<'a, GrayImage>,
    /// Its pixels per pixel of the picture it came from.
    scale: f32,
}

impl<'a> Source<'a> {
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
            None => Source {
                luma: Cow::Borrowed(luma),
                scale: 1.0,
            },
        }
    }

    /// The gray value at a place of the original picture, bilinear between the centres of pixels,
    /// the border replicated.
    #[inline(always)]
    pub(super) fn at(&self, x: f32, y: f32) -> u8 {
        let (width, height) = (self.luma.width() as usize, self.luma.height() as usize);
        let x = (x * self.scale - 0.5).clamp(0.0, (width - 1) as f32);
        let y = (y * self.scale - 0.5).clamp(0.0, (height - 1) as f32);
        let (left, top) = (x as usize, y as usize);
        let (right, bottom) = ((left + 1).min(width - 1), (top + 1).min(height - 1));
        let (s, t) = (x - left as f32, y - top as f32);
        let pixels = self.luma.as_raw();
        let pixel = |x: usize, y: usize| f32::from(pixels[y * width + x]);
        let above = pixel(left, top) + s * (pixel(right, top) - pixel(left, top));
        let below = pixel(left, bottom) + s * (pixel(right, bottom) - pixel(left, bottom));
        (above + t * (below - above) + 0.5) as u8
    }
}
