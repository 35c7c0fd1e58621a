//! JPEG files straight to gray.

use image::GrayImage;
use image::metadata::Orientation;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use super::headers::is_progressive_jpeg;
use super::photo_config::{PhotoConfig, PhotoError, check_size};

/// Decodes a JPEG straight to luma. `None` for the kinds that this decoder refuses (CMYK and the
/// like), which the general one may still read.
pub(super) fn jpeg_luma(
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
