//! Brings pictures to a size, averaging where that is smaller.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8, U8x3};
use fast_image_resize::{FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};
use image::{GrayImage, RgbImage};

/// The picture averaged down to a longest side of `side` pixels; `None` where it is no longer than
/// that as it is.
pub(super) fn shrink_luma(picture: &GrayImage, side: u32) -> Option<GrayImage> {
    is_larger(picture.dimensions(), side)
        .then(|| resize_luma(picture, side))
        .flatten()
}

/// The picture at a longest side of `side` pixels, larger or smaller.
pub(super) fn resize_luma(picture: &GrayImage, side: u32) -> Option<GrayImage> {
    let (width, height) = fit(picture.dimensions(), side);
    let mut sized = GrayImage::new(width, height);
    resize::<U8>(
        picture.as_raw(),
        picture.dimensions(),
        &mut sized,
        (width, height),
        options(),
    )?;
    Some(sized)
}

/// A part of a picture averaged down to `scale` times its size, and where in the whole picture at that
/// scale it begins. The part goes from its left and top to its right and bottom, in pixels.
pub(super) fn shrink_part(
    picture: &GrayImage,
    scale: f64,
    [left, top, right, bottom]: [f32; 4],
) -> Option<(GrayImage, [u32; 2])> {
    let span = |first: f32, last: f32, length: u32| {
        let end = (f64::from(length) * scale).floor().max(1.0);
        let first = (f64::from(first) * scale).floor().clamp(0.0, end - 1.0);
        let last = (f64::from(last) * scale).ceil().clamp(first + 1.0, end);
        (first, last - first)
    };
    let (x, width) = span(left, right, picture.width());
    let (y, height) = span(top, bottom, picture.height());
    let [left, top] = [x, y].map(|length| length / scale);
    // Rounding must not lead out of the picture.
    let wide = (width / scale).min(f64::from(picture.width()) - left);
    let high = (height / scale).min(f64::from(picture.height()) - top);
    let mut small = GrayImage::new(width as u32, height as u32);
    let size = small.dimensions();
    resize::<U8>(
        picture.as_raw(),
        picture.dimensions(),
        &mut small,
        size,
        options().crop(left, top, wide, high),
    )?;
    Some((small, [x as u32, y as u32]))
}

/// As [`shrink_luma`], in colour.
pub(super) fn shrink_color(picture: &RgbImage, side: u32) -> Option<RgbImage> {
    if !is_larger(picture.dimensions(), side) {
        return None;
    }
    let (width, height) = fit(picture.dimensions(), side);
    let mut small = RgbImage::new(width, height);
    resize::<U8x3>(
        picture.as_raw(),
        picture.dimensions(),
        &mut small,
        (width, height),
        options(),
    )?;
    Some(small)
}

fn is_larger((width, height): (u32, u32), side: u32) -> bool {
    width.max(height) > side.max(1)
}

/// The size with a longest side of `side` pixels, and nowhere less than one.
fn fit((width, height): (u32, u32), side: u32) -> (u32, u32) {
    let scale = f64::from(side.max(1)) / f64::from(width.max(height).max(1));
    let fit = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
    (fit(width), fit(height))
}

fn options() -> ResizeOptions {
    ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Bilinear))
}

/// By the kind of pixel: the library's call that finds it out at run time compiles all fifteen.
fn resize<P: PixelTrait>(
    from: &[u8],
    (width, height): (u32, u32),
    to: &mut [u8],
    (new_width, new_height): (u32, u32),
    options: ResizeOptions,
) -> Option<()> {
    let source = TypedImageRef::<P>::from_buffer(width, height, from).ok()?;
    let mut sized = TypedImage::<P>::from_buffer(new_width, new_height, to).ok()?;
    Resizer::new()
        .resize_typed(&source, &mut sized, &options)
        .ok()
}
