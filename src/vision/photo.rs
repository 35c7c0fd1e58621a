//! Opens a photo of any supported format, detected by its content: upright, gray, at reading size.

use image::imageops::crop_imm;
use image::math::Rect;
use image::metadata::Orientation;
use image::{GrayImage, ImageFormat};

use super::crop::CROP_SIDE;
use super::decoded::{DecodedPhoto, luma_of_rgb, luma_of_rgba};
use super::finer::{Finer, upright};
use super::format::{Format, format_of};
use super::jpeg::jpeg_luma;
use super::photo_config::{PhotoConfig, PhotoError};
use super::sample::Source;
use super::shrink::shrink_luma;

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
        Photo::open(bytes, config).map(|(photo, _)| photo)
    }

    /// Does the same, and returns what was decoded for it, too. A JPEG is mostly decoded to gray
    /// alone, and nothing is returned of it.
    ///
    /// # Errors
    ///
    /// As [`Photo::from_bytes`].
    pub fn open(
        bytes: &[u8],
        config: &PhotoConfig,
    ) -> Result<(Photo, Option<DecodedPhoto>), PhotoError> {
        let format = format_of(bytes)?;
        if format == Format::Known(ImageFormat::Jpeg)
            && let Some((luma, orientation)) = jpeg_luma(bytes, config)?
        {
            return Ok((Photo::of(luma, orientation, config), None));
        }
        let decoded = DecodedPhoto::of_format(bytes, format, config)?;
        let (luma, orientation) = decoded.luma();
        Ok((Photo::of(luma, orientation, config), Some(decoded)))
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
        Photo::from_gray(width, height, luma_of_rgb(pixels), config)
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
        Photo::from_gray(width, height, luma_of_rgba(pixels), config)
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
