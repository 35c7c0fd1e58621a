//! Resizes pictures, with averaging where they become smaller.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8, U8x3, U8x4};
use fast_image_resize::{FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};
use image::imageops::crop_imm;
use image::math::Rect;
use image::{DynamicImage, GrayImage, RgbImage, RgbaImage};

#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2, RowWeights};

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
    let size = fit(picture.dimensions(), side);
    #[cfg(target_arch = "x86_64")]
    if let Some(sized) = resize_with_avx2(picture, size) {
        return Some(sized);
    }
    resize_with_library(picture, size)
}

/// Returns the picture resized, by the library alone.
fn resize_with_library(picture: &GrayImage, size: (u32, u32)) -> Option<GrayImage> {
    let mut sized = GrayImage::new(size.0, size.1);
    let from = picture.dimensions();
    resize::<U8>(picture.as_raw(), from, &mut sized, size, &options())?;
    Some(sized)
}

/// Returns the same picture as [`resize_with_library`], in half the time: the library makes it lower, and
/// our own kernel makes its rows narrower. `None` where that cannot be done.
#[cfg(target_arch = "x86_64")]
fn resize_with_avx2(picture: &GrayImage, (width, height): (u32, u32)) -> Option<GrayImage> {
    let isa = Avx2::detect()?;
    let weights = triangles(picture.width(), width)?;
    let low = resize_with_library(picture, (picture.width(), height))?;
    GrayImage::from_raw(width, height, isa.weigh_rows(low.as_raw(), &weights))
}

/// Returns the weights of a row of `from` pixels in one of `to` pixels, as the library rounds them: those of a
/// triangle as wide as two of the larger pixels.
#[cfg(target_arch = "x86_64")]
fn triangles(from: u32, to: u32) -> Option<RowWeights> {
    let scale = f64::from(from) / f64::from(to);
    let radius = scale.max(1.0);
    let narrower = 1.0 / radius;
    let triangle = |new: u32| {
        let middle = (f64::from(new) + 0.5) * scale;
        let first = (middle - radius).floor().max(0.0) as u32;
        let end = ((middle + radius).ceil() as u32).min(from);
        let distance = |pixel: u32| (f64::from(pixel) - (middle - 0.5)).abs() * narrower;
        let weights: Vec<f64> = (first..end)
            .map(|pixel| (1.0 - distance(pixel)).max(0.0))
            .collect();
        let sum: f64 = weights.iter().sum();
        let weights: Vec<f64> = weights.into_iter().map(|weight| weight / sum).collect();
        (first as usize, weights)
    };
    let triangles: Vec<_> = (0..to).map(triangle).collect();
    // As many fraction bits as the largest weight leaves.
    let weights = triangles.iter().flat_map(|(_, weights)| weights);
    let largest = weights.copied().fold(0.0, f64::max);
    let units = |weight: f64, precision: u32| (weight * f64::from(1 << precision)).round();
    let is_full = |precision: &u32| units(largest, precision + 1) > f64::from(i16::MAX);
    let precision = (0..=16).find(is_full)?;
    let whole = |(first, weights): (usize, Vec<f64>)| {
        let weights = weights.into_iter();
        let weights = weights.map(|weight| units(weight, precision) as i16);
        (first, weights.collect())
    };
    let values: Vec<_> = triangles.into_iter().map(whole).collect();
    RowWeights::new(from as usize, precision, &values)
}

/// Like [`shrink_luma`], of a gray or coloured picture with 8 bits per channel, opaque.
pub(super) fn shrink(picture: &DynamicImage, side: u32) -> Option<DynamicImage> {
    let size = (picture.width(), picture.height());
    if !is_larger(size, side) {
        return None;
    }
    let (width, height) = fit(size, side);
    let (new, options) = ((width, height), options());
    match picture {
        DynamicImage::ImageLuma8(luma) => resize_luma(luma, side).map(Into::into),
        DynamicImage::ImageRgb8(color) => {
            let mut small = RgbImage::new(width, height);
            resize::<U8x3>(color, size, &mut small, new, &options)?;
            Some(small.into())
        }
        DynamicImage::ImageRgba8(color) => {
            let mut small = RgbaImage::new(width, height);
            resize::<U8x4>(color, size, &mut small, new, &options.use_alpha(false))?;
            Some(small.into())
        }
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn resized_pictures_are_those_of_the_library(
            size in (1u32..300, 1u32..60),
            side in 1u32..400,
            seed: u32,
        ) {
            // Much of it black or white, where rounding could overflow.
            let noise = |x: u32, y: u32| {
                let mixed = (x + 7919 * y).wrapping_add(seed).wrapping_mul(2_654_435_761) >> 12;
                [(mixed >> 2) as u8, 0, 255, 255][mixed as usize % 4]
            };
            let picture = GrayImage::from_fn(size.0, size.1, |x, y| image::Luma([noise(x, y)]));
            let by_library = resize_with_library(&picture, fit(size, side)).unwrap();
            prop_assert_eq!(resize_luma(&picture, side).unwrap(), by_library);
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn usual_sizes_do_not_need_the_library_for_rows() {
        if Avx2::detect().is_none() {
            return;
        }
        for (from, to) in [
            (640, 1280),
            (1600, 800),
            (4032, 1600),
            (3024, 1200),
            (3000, 1000),
        ] {
            assert!(triangles(from, to).is_some(), "{from} to {to}");
        }
    }
}
