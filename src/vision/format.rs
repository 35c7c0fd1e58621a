//! Detects the format of a picture file by its first bytes, and decodes the formats that `image`
//! does not.

use image::metadata::Orientation;
use image::{DynamicImage, ImageFormat};

#[cfg(feature = "avif")]
pub(super) use super::avif::decode_avif;
use super::photo_config::{PhotoConfig, PhotoError};

/// A picture format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A format of `image`.
    Known(ImageFormat),
    /// HEIF with HEVC in it: photos of an iPhone.
    Heic,
    /// HEIF with AV1 in it.
    Avif,
    /// JPEG XL.
    Jxl,
}

/// Brands of HEIC files.
const HEIC: [&[u8; 4]; 8] = [
    b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1",
];
const AVIF: [&[u8; 4]; 2] = [b"avif", b"avis"];

/// Returns the format of a file by its first bytes.
pub(super) fn format_of(bytes: &[u8]) -> Result<Format, PhotoError> {
    if bytes.is_empty() {
        return Err(PhotoError::Empty);
    }
    if bytes.get(4..8) == Some(b"ftyp") {
        return iso_media(bytes);
    }
    if bytes.starts_with(b"\xFF\x0A") || bytes.starts_with(b"\0\0\0\x0CJXL \r\n\x87\n") {
        return Ok(Format::Jxl);
    }
    if bytes.starts_with(b"%PDF-") {
        return Err(PhotoError::Document);
    }
    let format = image::guess_format(bytes).map_err(|_| PhotoError::Unknown)?;
    if format.reading_enabled() {
        Ok(Format::Known(format))
    } else {
        Err(PhotoError::Unsupported {
            format: format.to_mime_type(),
            advice: "convert them to JPEG or PNG",
        })
    }
}

/// Returns the format of a HEIF file by its brands: the first one may be that of the container
/// alone; the others tell the content.
fn iso_media(bytes: &[u8]) -> Result<Format, PhotoError> {
    let length = bytes.first_chunk().map_or(0, |it| u32::from_be_bytes(*it));
    let end = bytes.len().min(length as usize).max(12);
    let brands = bytes.get(8..end).unwrap_or_default();
    let has = |known: &[&[u8; 4]]| {
        let mut brands = brands.chunks_exact(4);
        brands.any(|brand| known.iter().any(|known| brand == *known))
    };
    if has(&AVIF) {
        Ok(Format::Avif)
    } else if has(&HEIC) {
        Ok(Format::Heic)
    } else {
        Err(PhotoError::Unknown)
    }
}

/// Returns a HEIC picture, rotated as the file says.
#[cfg(feature = "heic")]
pub(super) fn decode_heic(
    bytes: &[u8],
    config: &PhotoConfig,
) -> Result<(DynamicImage, Orientation), PhotoError> {
    use heic_decoder::HeifError;

    let damaged = |error: HeifError| match error {
        HeifError::Unsupported(_) => PhotoError::Unsupported {
            format: "HEIC of this kind",
            advice: "convert them to JPEG: `heif-convert photo.heic photo.jpg`",
        },
        error => PhotoError::Damaged(error.to_string()),
    };
    let info = heic_decoder::probe(bytes).map_err(damaged)?;
    let (width, height) = (info.coded_width as u64, info.coded_height as u64);
    super::photo_config::check_size(width, height, config.max_color_pixels)?;
    let picture = heic_decoder::decode(bytes).map_err(damaged)?;
    let picture = picture.to_rgb8().map_err(damaged)?;
    let (width, height) = (picture.width as u32, picture.height as u32);
    let picture = image::RgbImage::from_raw(width, height, picture.data);
    let picture = picture.ok_or_else(|| PhotoError::Damaged("its size is wrong".to_owned()))?;
    Ok((picture.into(), Orientation::NoTransforms))
}

#[cfg(not(feature = "heic"))]
pub(super) fn decode_heic(
    _bytes: &[u8],
    _config: &PhotoConfig,
) -> Result<(DynamicImage, Orientation), PhotoError> {
    Err(PhotoError::Unsupported {
        format: "HEIC",
        advice: "build it with `--features heic`, or convert them: `heif-convert photo.heic photo.jpg`",
    })
}

#[cfg(not(feature = "avif"))]
pub(super) fn decode_avif(
    _bytes: &[u8],
    _config: &PhotoConfig,
) -> Result<(DynamicImage, Orientation), PhotoError> {
    Err(PhotoError::Unsupported {
        format: "AVIF",
        advice: "build it with `--features avif`, or convert them: `ffmpeg -i photo.avif photo.png`",
    })
}

/// Returns a JPEG XL picture, rotated as the file says; the first frame of an animation.
#[cfg(feature = "jxl")]
pub(super) fn decode_jxl(
    bytes: &[u8],
    config: &PhotoConfig,
) -> Result<(DynamicImage, Orientation), PhotoError> {
    use image::{ImageDecoder, ImageError, Limits};

    let damaged = |error: ImageError| PhotoError::Damaged(error.to_string());
    let decoder = jxl_oxide::integration::JxlDecoder::new(bytes);
    let mut decoder = decoder.map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    super::photo_config::check_size(width.into(), height.into(), config.max_color_pixels)?;
    let mut limits = Limits::default();
    // Its planes are of 32 bits, and it keeps several of each channel.
    limits.max_alloc = Some(config.max_color_pixels.saturating_mul(64));
    decoder.set_limits(limits).map_err(damaged)?;
    let picture = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    Ok((picture, Orientation::NoTransforms))
}

#[cfg(not(feature = "jxl"))]
pub(super) fn decode_jxl(
    _bytes: &[u8],
    _config: &PhotoConfig,
) -> Result<(DynamicImage, Orientation), PhotoError> {
    Err(PhotoError::Unsupported {
        format: "JPEG XL",
        advice: "build it with `--features jxl`, or convert them: `djxl photo.jxl photo.png`",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn container(brands: &[&[u8]]) -> Vec<u8> {
        let mut bytes = vec![0, 0, 0, 8 + 4 * brands.len() as u8];
        bytes.extend(b"ftyp");
        brands.iter().for_each(|brand| bytes.extend(*brand));
        bytes
    }

    #[test]
    fn a_heif_file_is_recognized_by_its_brands() {
        let of = |brands: &[&[u8]]| format_of(&container(brands));
        assert_eq!(of(&[b"heic", b"\0\0\0\0", b"mif1"]).unwrap(), Format::Heic);
        assert_eq!(of(&[b"mif1", b"\0\0\0\0", b"heic"]).unwrap(), Format::Heic);
        for brands in [
            [b"avif", b"\0\0\0\0", b"mif1"],
            [b"mif1", b"\0\0\0\0", b"avif"],
        ] {
            assert_eq!(of(&brands.map(|it| &it[..])).unwrap(), Format::Avif);
        }
        assert!(matches!(of(&[b"isom"]), Err(PhotoError::Unknown)));
        assert!(matches!(
            format_of(b"\0\0\0\x0cftyp"),
            Err(PhotoError::Unknown)
        ));
    }

    #[test]
    fn truncated_files_are_damaged_without_a_crash() {
        let config = PhotoConfig::default();
        let heic = container(&[b"heic", b"\0\0\0\0"]);
        assert!(decode_heic(&heic, &config).is_err());
        let avif = container(&[b"avif", b"\0\0\0\0"]);
        assert!(decode_avif(&avif, &config).is_err());
        assert!(decode_jxl(b"\xFF\x0A", &config).is_err());
    }
}
