//! Brings pictures to a size, averaging where that is smaller.

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

/// The picture at a longest side of `side` pixels, larger or smaller.
pub(super) fn resize_luma(picture: &GrayImage, side: u32) -> Option<GrayImage> {
    let sized = resize(picture.as_raw(), picture.dimensions(), PixelType::U8, side)?;
    let (width, height) = (sized.width(), sized.height());
    GrayImage::from_raw(width, height, sized.into_vec())
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
    (width.max(height) > side.max(1))
        .then(|| resize(pixels, (width, height), kind, side.max(1)))
        .flatten()
}

fn resize(
    pixels: &[u8],
    (width, height): (u32, u32),
    kind: PixelType,
    side: u32,
) -> Option<Image<'static>> {
    let fit = |length: u32| {
        let exact = f64::from(length) * f64::from(side) / f64::from(width.max(height));
        (exact.round() as u32).max(1)
    };
    let source = ImageRef::new(width, height, pixels, kind).ok()?;
    let mut sized = Image::new(fit(width), fit(height), kind);
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Bilinear));
    Resizer::new().resize(&source, &mut sized, &options).ok()?;
    Some(sized)
}
