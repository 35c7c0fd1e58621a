//! Resizes pictures, with averaging where they become smaller.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8, U8x3};
use fast_image_resize::{FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};
use image::imageops::crop_imm;
use image::math::Rect;
use image::{GrayImage, RgbImage};

/// Returns the picture shrunk to a longest side of `side` pixels; `None` where it is no longer than
/// that already.
pub(super) fn shrink_luma(picture: &GrayImage, side: u32) -> Option<GrayImage> {
    is_larger(picture.dimensions(), side)
        .then(|| resize_luma(picture, side))
        .flatten()
}

/// Returns the size of a picture with a longest side of at most `side` pixels.
pub(super) fn shrunk_size(size: (u32, u32), side: u32) -> (u32, u32) {
    match is_larger(size, side) {
        true => fit(size, side),
        false => size,
    }
}

/// Returns a part of the picture as it would be if the whole were resized to this size.
pub(super) fn shrink_part(picture: &GrayImage, size: (u32, u32), part: Rect) -> GrayImage {
    let Rect {
        x,
        y,
        width,
        height,
    } = part;
    if size == picture.dimensions() {
        return crop_imm(picture, x, y, width, height).to_image();
    }
    let span = |from: u32, length: u32, whole: u32, sized: u32| {
        let place =
            |at: u32| f64::from(whole).min(f64::from(at) * f64::from(whole) / f64::from(sized));
        (place(from), place(from + length) - place(from))
    };
    let (left, across) = span(x, width, picture.width(), size.0);
    let (top, down) = span(y, height, picture.height(), size.1);
    let mut sized = GrayImage::new(width, height);
    // It fails only for parts that reach beyond the picture or are empty, which stay black.
    let _ = resize::<U8>(
        picture.as_raw(),
        picture.dimensions(),
        &mut sized,
        (width, height),
        &options().crop(left, top, across, down),
    );
    sized
}

/// Returns the picture resized to a longest side of `side` pixels, larger or smaller.
pub(super) fn resize_luma(picture: &GrayImage, side: u32) -> Option<GrayImage> {
    let (width, height) = fit(picture.dimensions(), side);
    let mut sized = GrayImage::new(width, height);
    resize::<U8>(
        picture.as_raw(),
        picture.dimensions(),
        &mut sized,
        (width, height),
        &options(),
    )?;
    Some(sized)
}

/// Like [`shrink_luma`], in colour.
pub(crate) fn shrink_color(picture: &RgbImage, side: u32) -> Option<RgbImage> {
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
        &options(),
    )?;
    Some(small)
}

fn is_larger((width, height): (u32, u32), side: u32) -> bool {
    width.max(height) > side.max(1)
}

/// Returns the size with a longest side of `side` pixels, and at least one pixel each way.
fn fit((width, height): (u32, u32), side: u32) -> (u32, u32) {
    let scale = f64::from(side.max(1)) / f64::from(width.max(height).max(1));
    let fit = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
    (fit(width), fit(height))
}

/// Resizes a picture of a given pixel type: the library's call that finds it at run time would
/// compile all fifteen types.
fn resize<P: PixelTrait>(
    from: &[u8],
    (width, height): (u32, u32),
    to: &mut [u8],
    (new_width, new_height): (u32, u32),
    options: &ResizeOptions,
) -> Option<()> {
    let source = TypedImageRef::<P>::from_buffer(width, height, from).ok()?;
    let mut sized = TypedImage::<P>::from_buffer(new_width, new_height, to).ok()?;
    Resizer::new()
        .resize_typed(&source, &mut sized, options)
        .ok()
}

/// Averages where a picture becomes smaller.
fn options() -> ResizeOptions {
    ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Bilinear))
}
