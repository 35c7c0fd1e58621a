//! Averages pictures down to a size.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use image::{GrayImage, RgbImage};

/// The picture averaged down to a longest side of `side` pixels; `None` where it is no longer than
/// that as it is.
pub(super) fn shrink_luma(picture: &GrayImage, side: u32) -> Option<GrayImage> {
    let small = shrink(picture.as_raw(), picture.dimensions(), PixelType::U8, side)?;
    let (width, height) = (small.width(), small.height());
    GrayImage::from_raw(width, height, small.into_vec())
}

/// As [`shrink_luma`], in colour.
pub(super) fn shrink_color(picture: &RgbImage, side: u32) -> Option<RgbImage> {
    let small = shrink(
        picture.as_raw(),
        picture.dimensions(),
        PixelType::U8x3,
        side,
    )?;
    let (width, height) = (small.width(), small.height());
    RgbImage::from_raw(width, height, small.into_vec())
}

fn shrink(
    pixels: &[u8],
    (width, height): (u32, u32),
    kind: PixelType,
    side: u32,
) -> Option<Image<'static>> {
    let (longest, side) = (width.max(height), side.max(1));
    if longest <= side {
        return None;
    }
    let fit = |length: u32| {
        let exact = f64::from(length) * f64::from(side) / f64::from(longest);
        (exact.round() as u32).max(1)
    };
    let source = ImageRef::new(width, height, pixels, kind).ok()?;
    let mut small = Image::new(fit(width), fit(height), kind);
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Bilinear));
    Resizer::new().resize(&source, &mut small, &options).ok()?;
    Some(small)
}
