//! The pixels of a picture file, as far as they are worth keeping beside the gray copy that is read.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{
    DynamicImage, GrayImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbImage,
    RgbaImage,
};

use super::finer::is_on_its_side;
use super::format::{Format, decode_avif, decode_heic, decode_jxl, format_of};
use super::headers::{claims_missing_values, webp_frames};
use super::jpeg::jpeg_luma;
use super::photo_config::{PhotoConfig, PhotoError, check_size};
use super::shrink::shrink;

/// The pixels of a photo, in colour where its file has colours, transparent parts over white paper.
#[derive(Clone, Debug)]
pub struct DecodedPhoto {
    /// Gray, or in colour and opaque, with 8 bits per channel; not upright yet.
    pixels: DynamicImage,
    orientation: Orientation,
}

impl DecodedPhoto {
    /// Decodes a picture file; a JPEG that is too large for colour in gray.
    ///
    /// # Errors
    ///
    /// As [`Photo::from_bytes`](super::Photo::from_bytes).
    pub fn from_bytes(bytes: &[u8], config: &PhotoConfig) -> Result<DecodedPhoto, PhotoError> {
        let format = format_of(bytes)?;
        let decoded = DecodedPhoto::of_format(bytes, format, config);
        match (&decoded, format) {
            (Err(PhotoError::TooLarge { .. }), Format::Known(ImageFormat::Jpeg)) => {
                let gray = jpeg_luma(bytes, config)?;
                let gray = gray.map(|(luma, orientation)| DecodedPhoto {
                    pixels: luma.into(),
                    orientation,
                });
                gray.map_or(decoded, Ok)
            }
            _ => decoded,
        }
    }

    /// Decodes a picture file of this format; the first frame of an animation.
    pub(super) fn of_format(
        bytes: &[u8],
        format: Format,
        config: &PhotoConfig,
    ) -> Result<DecodedPhoto, PhotoError> {
        let (pixels, orientation) = match format {
            Format::Known(format) => decode(bytes, format, config)?,
            Format::Heic => decode_heic(bytes, config)?,
            Format::Avif => decode_avif(bytes, config)?,
            Format::Jxl => decode_jxl(bytes, config)?,
        };
        Ok(DecodedPhoto {
            pixels: over_white(pixels),
            orientation,
        })
    }

    /// Returns the gray values as they lie in the file, and how to turn them upright.
    pub(super) fn luma(&self) -> (GrayImage, Orientation) {
        let (width, height) = (self.pixels.width(), self.pixels.height());
        let values = match &self.pixels {
            DynamicImage::ImageLuma8(luma) => luma.as_raw().clone(),
            DynamicImage::ImageRgb8(color) => luma_of_rgb(color),
            DynamicImage::ImageRgba8(color) => luma_of_rgba(color),
            other => other.to_luma8().into_raw(),
        };
        let luma = GrayImage::from_raw(width, height, values);
        let luma = luma.expect("invariant: one byte a pixel");
        (luma, self.orientation)
    }

    /// Returns the width and the height of the upright photo, in pixels.
    pub fn size(&self) -> (u32, u32) {
        let (width, height) = (self.pixels.width(), self.pixels.height());
        match is_on_its_side(self.orientation) {
            true => (height, width),
            false => (width, height),
        }
    }

    /// Returns the upright photo for drawing on, its longest side at most `max_side`, if given.
    pub fn color(&self, max_side: Option<u32>) -> RgbImage {
        let small = max_side.and_then(|side| shrink(&self.pixels, side));
        let color = match small.as_ref().unwrap_or(&self.pixels) {
            DynamicImage::ImageRgb8(color) => color.clone(),
            DynamicImage::ImageLuma8(luma) => {
                of_pixels(luma.dimensions(), luma.iter(), |&v| [v; 3])
            }
            DynamicImage::ImageRgba8(color) => {
                let pixels = color.as_chunks().0.iter();
                of_pixels(color.dimensions(), pixels, |&[r, g, b, _]| [r, g, b])
            }
            other => other.to_rgb8(),
        };
        let mut color = DynamicImage::ImageRgb8(color);
        color.apply_orientation(self.orientation);
        color.into_rgb8()
    }
}

/// Makes a picture of the colours of these pixels.
fn of_pixels<P>(
    (width, height): (u32, u32),
    pixels: impl Iterator<Item = P>,
    color: impl Fn(P) -> [u8; 3],
) -> RgbImage {
    let mut picture = RgbImage::new(width, height);
    for (to, pixel) in picture.as_chunks_mut().0.iter_mut().zip(pixels) {
        *to = color(pixel);
    }
    picture
}

/// Decodes a picture in a format of `image`.
fn decode(
    bytes: &[u8],
    format: ImageFormat,
    config: &PhotoConfig,
) -> Result<(DynamicImage, Orientation), PhotoError> {
    let damaged = |error: ImageError| PhotoError::Damaged(error.to_string());
    if format == ImageFormat::Tiff && claims_missing_values(bytes) {
        return Err(PhotoError::Damaged("it is cut short".to_owned()));
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(config.max_color_pixels.saturating_mul(8));
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    check_size(u64::from(width), u64::from(height), config.max_color_pixels)?;
    if format == ImageFormat::WebP {
        for (width, height) in webp_frames(bytes) {
            check_size(u64::from(width), u64::from(height), config.max_color_pixels)?;
        }
    }
    if width == 0 || height == 0 {
        return Err(PhotoError::Damaged("it has no pixels".to_owned()));
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    Ok((picture, orientation))
}

/// Returns the picture with 8 bits per channel, over white paper: gray, or in colour and opaque.
fn over_white(picture: DynamicImage) -> DynamicImage {
    match picture {
        DynamicImage::ImageLuma8(_) | DynamicImage::ImageRgb8(_) => picture,
        DynamicImage::ImageLuma16(_) => picture.into_luma8().into(),
        DynamicImage::ImageLumaA8(_) | DynamicImage::ImageLumaA16(_) => {
            let picture = picture.into_luma_alpha8();
            let (width, height) = picture.dimensions();
            let pixels = picture.as_chunks().0.iter();
            let values = pixels.map(|&[value, alpha]| channel_over_white(value, alpha));
            let luma = GrayImage::from_raw(width, height, values.collect());
            luma.expect("invariant: one byte a pixel").into()
        }
        _ if picture.color().has_alpha() => {
            let mut picture = picture.into_rgba8();
            make_opaque(&mut picture);
            picture.into()
        }
        _ => picture.into_rgb8().into(),
    }
}

fn make_opaque(picture: &mut RgbaImage) {
    let pixels = picture.as_chunks_mut::<4>().0;
    // Most pictures have no transparent part, and whether there is one is seen in no time.
    if pixels.iter().fold(255, |all, [.., alpha]| all & alpha) == 255 {
        return;
    }
    for [r, g, b, alpha] in pixels {
        for value in [r, g, b] {
            *value = channel_over_white(*value, *alpha);
        }
        *alpha = 255;
    }
}

/// Returns one channel of a pixel over white paper.
fn channel_over_white(value: u8, alpha: u8) -> u8 {
    let (value, alpha) = (u32::from(value), u32::from(alpha));
    ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
}

/// Returns the luma of each pixel of three bytes: red, green, blue.
pub(super) fn luma_of_rgb(bytes: &[u8]) -> Vec<u8> {
    let pixels = bytes.as_chunks().0.iter();
    pixels.map(|&[r, g, b]| luma_of(r, g, b)).collect()
}

/// Returns the luma of each pixel of four bytes: red, green, blue, alpha, which is ignored.
pub(super) fn luma_of_rgba(bytes: &[u8]) -> Vec<u8> {
    let pixels = bytes.as_chunks().0.iter();
    pixels.map(|&[r, g, b, _]| luma_of(r, g, b)).collect()
}

/// Returns the luma of a colour by ITU-R BT.601, as in JPEG.
fn luma_of(r: u8, g: u8, b: u8) -> u8 {
    ((77 * u32::from(r) + 150 * u32::from(g) + 29 * u32::from(b) + 128) >> 8) as u8
}
