//! Opens a photo of any supported format, detected by its content: upright, gray, at reading size.

use std::io::Cursor;

use image::imageops::crop_imm;
use image::math::Rect;
use image::metadata::Orientation;
use image::{
    DynamicImage, GrayImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbImage,
};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use super::crop::CROP_SIDE;
use super::finer::{Finer, upright};
use super::format::{Format, decode_avif, decode_heic, decode_jxl, format_of};
use super::headers::{claims_missing_values, is_progressive_jpeg, webp_frames};
use super::photo_config::{PhotoConfig, PhotoError, check_size};
use super::sample::Source;
use super::shrink::{shrink_color, shrink_luma};

/// A photo, upright by its EXIF orientation, as the gray copy that everything is read from.
///
/// ```
/// use sudoku_batch::vision::{Photo, PhotoConfig};
///
/// // From a file, or from pixels that are in memory already: one byte each, row by row.
/// let bytes = std::fs::read("datasets/photos/000-newspaper.jpg")?;
/// let opened = Photo::from_bytes(&bytes, &PhotoConfig::default())?;
/// let blank = Photo::from_gray(640, 480, vec![255; 640 * 480], &PhotoConfig::default())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Photo {
    luma: GrayImage,
    scale: f32,
    width: u32,
    height: u32,
    finer: Option<Finer>,
}

/// Side of a cell, in reading pixels, below which a board is read from the finer copy.
const SMALL_CELL: f32 = 24.0;

impl Photo {
    /// Opens a photo by its content. The EXIF orientation is applied, but it is only a hint:
    /// cameras get it wrong.
    ///
    /// # Errors
    ///
    /// [`PhotoError`]; the limits of `config` are checked before any pixel is allocated.
    pub fn from_bytes(bytes: &[u8], config: &PhotoConfig) -> Result<Photo, PhotoError> {
        let format = format_of(bytes)?;
        let quick = match format {
            Format::Known(ImageFormat::Jpeg) => jpeg_luma(bytes, config)?,
            _ => None,
        };
        let (luma, orientation) = match quick {
            Some(opened) => opened,
            None => {
                let (picture, orientation) = decode(bytes, format, config)?;
                (luma_over_white(picture), orientation)
            }
        };
        Ok(Photo::of(luma, orientation, config))
    }

    /// Makes a photo of an upright gray picture.
    pub fn from_luma(luma: GrayImage, config: &PhotoConfig) -> Photo {
        Photo::of(luma, Orientation::NoTransforms, config)
    }

    /// Makes a photo of the pixels of an upright gray picture: one byte per pixel, row by row from
    /// the top left.
    ///
    /// # Errors
    ///
    /// [`PhotoError::Buffer`] unless there are `width` times `height` bytes, and at least one.
    pub fn from_gray(
        width: u32,
        height: u32,
        pixels: Vec<u8>,
        config: &PhotoConfig,
    ) -> Result<Photo, PhotoError> {
        check_buffer(width, height, 1, pixels.len())?;
        let luma = GrayImage::from_raw(width, height, pixels);
        let luma = luma.expect("invariant: one byte a pixel");
        Ok(Photo::from_luma(luma, config))
    }

    /// Makes a photo of the pixels of an upright colour picture: red, green and blue of each pixel,
    /// one byte each, row by row from the top left.
    ///
    /// # Errors
    ///
    /// [`PhotoError::Buffer`] unless there are three times `width` times `height` bytes, and at
    /// least one pixel.
    pub fn from_rgb(
        width: u32,
        height: u32,
        pixels: &[u8],
        config: &PhotoConfig,
    ) -> Result<Photo, PhotoError> {
        check_buffer(width, height, 3, pixels.len())?;
        let luma = pixels
            .chunks_exact(3)
            .map(|pixel| luma_of(pixel[0], pixel[1], pixel[2]));
        Photo::from_gray(width, height, luma.collect(), config)
    }

    /// Makes a photo of the pixels of an upright colour picture: red, green, blue and alpha of each
    /// pixel, one byte each, row by row from the top left. Alpha is ignored.
    ///
    /// # Errors
    ///
    /// [`PhotoError::Buffer`] unless there are four times `width` times `height` bytes, and at
    /// least one pixel.
    pub fn from_rgba(
        width: u32,
        height: u32,
        pixels: &[u8],
        config: &PhotoConfig,
    ) -> Result<Photo, PhotoError> {
        check_buffer(width, height, 4, pixels.len())?;
        let luma = pixels
            .chunks_exact(4)
            .map(|pixel| luma_of(pixel[0], pixel[1], pixel[2]));
        Photo::from_gray(width, height, luma.collect(), config)
    }

    fn of(decoded: GrayImage, orientation: Orientation, config: &PhotoConfig) -> Photo {
        let full = decoded.width();
        let (luma, finer) = match shrink_luma(&decoded, config.reading_side) {
            Some(luma) if config.finer_side > config.reading_side => {
                let finer = Finer::new(decoded, orientation, config.finer_side);
                (luma, Some(finer))
            }
            Some(luma) => (luma, None),
            None => (decoded, None),
        };
        let scale = luma.width() as f32 / full as f32;
        let shape = luma.dimensions();
        let luma = upright(luma, orientation);
        let unscaled = |side: u32| (side as f32 / scale).round() as u32;
        let (width, height) = if luma.dimensions() == shape {
            (unscaled(shape.0), unscaled(shape.1))
        } else {
            (unscaled(shape.1), unscaled(shape.0))
        };
        Photo {
            luma,
            scale,
            width,
            height,
            finer,
        }
    }

    /// Returns the size of the copy in which to look for a board with cells of this size, in reading
    /// pixels, and its pixels per reading pixel.
    pub(super) fn copy_size_for(&self, cell: f32) -> ((u32, u32), f32) {
        let size = self.finer_for(cell).map(Finer::size);
        let size = size.unwrap_or(self.luma.dimensions());
        (size, size.0 as f32 / self.luma.width() as f32)
    }

    /// Returns a part of that copy.
    pub(super) fn part_for(&self, cell: f32, part: Rect) -> GrayImage {
        match self.finer_for(cell) {
            Some(finer) => finer.part(part),
            None => crop_imm(&self.luma, part.x, part.y, part.width, part.height).to_image(),
        }
    }

    fn finer_for(&self, cell: f32) -> Option<&Finer> {
        self.finer.as_ref().filter(|_| cell < SMALL_CELL)
    }

    /// Returns the picture for sampling a board with cells of this size; its coordinates are
    /// reading pixels.
    pub(super) fn source_for(&self, cell: f32) -> Source<'_> {
        self.copy_for(cell).for_cells(cell, CROP_SIDE as f32)
    }

    /// Returns the same picture, not averaged down however large the cells are.
    pub(super) fn copy_for(&self, cell: f32) -> Source<'_> {
        let copy = self.finer_for(cell).map_or(&self.luma, Finer::copy);
        let scale = copy.width() as f32 / self.luma.width() as f32;
        Source::of_copy(copy, scale)
    }

    /// Returns the reading copy: gray, upright, at most `reading_side` pixels long.
    pub const fn luma(&self) -> &GrayImage {
        &self.luma
    }

    /// Returns the reading copy at most `side` pixels long.
    pub fn thumbnail(&self, side: u32) -> GrayImage {
        shrink_luma(&self.luma, side).unwrap_or_else(|| self.luma.clone())
    }

    /// Returns the reading pixels per pixel of the upright photo; at most 1.
    pub const fn scale(&self) -> f32 {
        self.scale
    }

    /// Returns the width of the upright photo in pixels.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height of the upright photo in pixels.
    pub const fn height(&self) -> u32 {
        self.height
    }
}

/// Returns the upright photo in colour for drawing on, transparent parts white; shrunk to
/// `max_side`, if given.
///
/// # Errors
///
/// As [`Photo::from_bytes`].
pub fn open_color(
    bytes: &[u8],
    config: &PhotoConfig,
    max_side: Option<u32>,
) -> Result<RgbImage, PhotoError> {
    let format = format_of(bytes)?;
    let (picture, orientation) = decode(bytes, format, config)?;
    let mut color = color_over_white(picture);
    if let Some(side) = max_side {
        color = shrink_color(&color, side).unwrap_or(color);
    }
    let mut picture = DynamicImage::ImageRgb8(color);
    picture.apply_orientation(orientation);
    Ok(picture.into_rgb8())
}

/// Decodes a JPEG straight to luma. `None` for the kinds that this decoder refuses (CMYK and the
/// like), which the general one may still read.
fn jpeg_luma(
    bytes: &[u8],
    config: &PhotoConfig,
) -> Result<Option<(GrayImage, Orientation)>, PhotoError> {
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .set_strict_mode(false)
        .jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    if decoder.decode_headers().is_err() {
        return Ok(None);
    }
    let Some((width, height)) = decoder.dimensions() else {
        return Ok(None);
    };
    if !matches!(
        decoder.input_colorspace(),
        Some(ColorSpace::Luma | ColorSpace::YCbCr)
    ) {
        return Ok(None);
    }
    let limit = match is_progressive_jpeg(bytes) {
        true => config.max_color_pixels.min(config.max_luma_pixels),
        false => config.max_luma_pixels,
    };
    check_size(width as u64, height as u64, limit)?;
    let mut pixels = vec![0u8; width * height];
    if decoder.output_buffer_size() != Some(pixels.len())
        || decoder.decode_into(&mut pixels).is_err()
    {
        return Ok(None);
    }
    let orientation = decoder
        .exif()
        .and_then(|chunk| Orientation::from_exif_chunk(chunk))
        .unwrap_or(Orientation::NoTransforms);
    let Some(luma) = GrayImage::from_raw(width as u32, height as u32, pixels) else {
        return Ok(None);
    };
    check_rows(bytes, &luma, config.max_missing_rows)?;
    Ok(Some((luma, orientation)))
}

/// Checks that a JPEG without an end marker has no long run of uniformly gray last rows, which the
/// decoder leaves where the data stopped.
fn check_rows(bytes: &[u8], luma: &GrayImage, allowed: f32) -> Result<(), PhotoError> {
    let tail = &bytes[bytes.len().saturating_sub(64)..];
    if tail.windows(2).any(|pair| pair == [0xff, 0xd9]) {
        return Ok(());
    }
    let width = luma.width() as usize;
    let pixels = luma.as_raw();
    let last = pixels.last().copied().unwrap_or_default();
    let flat = pixels
        .rchunks_exact(width)
        .take_while(|row| row.iter().all(|&value| value == last))
        .count();
    let rows = luma.height() as usize;
    if flat as f32 > allowed * rows as f32 {
        return Err(PhotoError::Truncated((100 * (rows - flat) / rows) as u32));
    }
    Ok(())
}

fn check_buffer(width: u32, height: u32, channels: u64, bytes: usize) -> Result<(), PhotoError> {
    let expected = (u64::from(width) * u64::from(height)).saturating_mul(channels);
    if expected == 0 || expected != bytes as u64 {
        return Err(PhotoError::Buffer {
            width,
            height,
            bytes,
        });
    }
    Ok(())
}

/// Decodes a picture of any format; the first frame of an animation.
fn decode(
    bytes: &[u8],
    format: Format,
    config: &PhotoConfig,
) -> Result<(DynamicImage, Orientation), PhotoError> {
    let format = match format {
        Format::Known(format) => format,
        Format::Heic => return decode_heic(bytes, config),
        Format::Avif => return decode_avif(bytes, config),
        Format::Jxl => return decode_jxl(bytes, config),
    };
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

/// Returns one channel of a pixel over white paper.
fn over_white(value: u8, alpha: u8) -> u8 {
    let (value, alpha) = (u32::from(value), u32::from(alpha));
    ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
}

/// Returns the luma of a colour by ITU-R BT.601, as in JPEG.
fn luma_of(r: u8, g: u8, b: u8) -> u8 {
    ((77 * u32::from(r) + 150 * u32::from(g) + 29 * u32::from(b) + 128) >> 8) as u8
}

fn luma_over_white(picture: DynamicImage) -> GrayImage {
    let (width, height) = (picture.width(), picture.height());
    let pixels: Vec<u8> = match picture {
        DynamicImage::ImageLuma8(luma) => return luma,
        DynamicImage::ImageLumaA8(_) | DynamicImage::ImageLumaA16(_) => picture
            .into_luma_alpha8()
            .pixels()
            .map(|p| over_white(p.0[0], p.0[1]))
            .collect(),
        DynamicImage::ImageLuma16(_) => return picture.into_luma8(),
        picture if picture.color().has_alpha() => picture
            .into_rgba8()
            .pixels()
            .map(|p| over_white(luma_of(p.0[0], p.0[1], p.0[2]), p.0[3]))
            .collect(),
        picture => picture
            .into_rgb8()
            .pixels()
            .map(|p| luma_of(p.0[0], p.0[1], p.0[2]))
            .collect(),
    };
    GrayImage::from_raw(width, height, pixels).expect("invariant: one byte a pixel")
}

fn color_over_white(picture: DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.into_rgb8();
    }
    let picture = picture.into_rgba8();
    let mut color = RgbImage::new(picture.width(), picture.height());
    let pixels = picture.as_chunks::<4>().0;
    for (color, &[r, g, b, a]) in color.as_chunks_mut::<3>().0.iter_mut().zip(pixels) {
        *color = [r, g, b].map(|value| over_white(value, a));
    }
    color
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    /// Rows of one pixel, dark in one half of the picture only, which a smaller copy cannot show.
    fn fine_rows() -> GrayImage {
        GrayImage::from_fn(3000, 2000, |x, y| match (x < 1500, y % 2) {
            (true, 0) => Luma([0]),
            _ => Luma([200]),
        })
    }

    #[test]
    fn small_boards_are_seen_at_full_resolution() {
        let config = PhotoConfig::default();
        let upright = Photo::from_luma(fine_rows(), &config);
        let turned = Photo::of(fine_rows(), Orientation::Rotate90, &config);
        for (photo, at, size) in [
            (upright, (500, 700), (3000, 2000)),
            (turned, (1300, 500), (2000, 3000)),
        ] {
            let two = |x, y| Rect {
                x,
                y,
                width: 2,
                height: 2,
            };
            let (same, scale) = photo.copy_size_for(40.0);
            assert_eq!((same, scale), (photo.luma().dimensions(), 1.0));
            let part = photo.part_for(40.0, two(at.0 / 2, at.1 / 2));
            assert!(part.get_pixel(0, 0).0[0].abs_diff(100) < 30);
            let (finer, scale) = photo.copy_size_for(12.0);
            assert_eq!(finer, size);
            assert!((scale * photo.scale() - 1.0).abs() < 1e-3, "{scale}");
            let part = photo.part_for(12.0, two(at.0, at.1));
            let pixels = [0, 1].map(|step| match photo.width() {
                3000 => part.get_pixel(0, step).0[0],
                _ => part.get_pixel(step, 0).0[0],
            });
            assert!(pixels == [0, 200] || pixels == [200, 0], "{pixels:?}");
        }
    }

    #[test]
    fn photos_of_reading_size_and_frames_have_one_copy() {
        let small = Photo::from_luma(GrayImage::new(1600, 900), &PhotoConfig::default());
        let frame = Photo::from_luma(fine_rows(), &PhotoConfig::of_frames());
        for photo in [small, frame] {
            assert_eq!(photo.copy_size_for(1.0).1, 1.0);
        }
    }
}
