//! Pictures as JPEG files.

use image::{GrayImage, RgbImage};
use jpeg_encoder::{ColorType, Encoder, EncodingError, SamplingFactor};

/// A colour picture as a JPEG file of this quality, 1 to 100. Colours keep their resolution: the digits of a
/// solution are thin.
///
/// # Errors
/// [`EncodingError`] where a side is zero or more than 65,535 pixels long.
pub(super) fn of_color(picture: &RgbImage, quality: u8) -> Result<Vec<u8>, EncodingError> {
    encode(
        picture.as_raw(),
        picture.dimensions(),
        (ColorType::Rgb, SamplingFactor::R_4_4_4),
        quality,
    )
}

/// As [`of_color`], of a photo: colours at half the resolution, as cameras write them.
///
/// # Errors
/// As [`of_color`].
pub(super) fn of_photo(photo: &RgbImage, quality: u8) -> Result<Vec<u8>, EncodingError> {
    encode(
        photo.as_raw(),
        photo.dimensions(),
        (ColorType::Rgb, SamplingFactor::R_4_2_0),
        quality,
    )
}

/// A gray picture as a JPEG file of this quality, 1 to 100.
///
/// # Errors
/// As [`of_color`].
pub(super) fn of_gray(picture: &GrayImage, quality: u8) -> Result<Vec<u8>, EncodingError> {
    encode(
        picture.as_raw(),
        picture.dimensions(),
        (ColorType::Luma, SamplingFactor::R_4_4_4),
        quality,
    )
}

fn encode(
    pixels: &[u8],
    (width, height): (u32, u32),
    (color, sampling): (ColorType, SamplingFactor),
    quality: u8,
) -> Result<Vec<u8>, EncodingError> {
    // Zero is refused by the encoder, and so stands for what is too long.
    let [width, height] = [width, height].map(|side| u16::try_from(side).unwrap_or(0));
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, quality);
    encoder.set_sampling_factor(sampling);
    encoder.encode(pixels, width, height, color)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Luma, Rgb};

    #[test]
    fn a_jpeg_round_trip_loses_only_what_the_quality_implies() {
        let gray = GrayImage::from_fn(37, 21, |x, y| Luma([(5 * x + 2 * y) as u8]));
        let color = RgbImage::from_fn(37, 21, |x, y| Rgb([(6 * x) as u8, 200, (9 * y) as u8]));
        let pairs = [
            (gray.as_raw(), of_gray(&gray, 90).unwrap()),
            (color.as_raw(), of_color(&color, 90).unwrap()),
            (color.as_raw(), of_photo(&color, 90).unwrap()),
        ];
        for (pixels, jpeg) in pairs {
            let back = image::load_from_memory(&jpeg).unwrap();
            assert_eq!((back.width(), back.height()), (37, 21));
            assert_eq!(back.as_bytes().len(), pixels.len());
            let off = back
                .as_bytes()
                .iter()
                .zip(pixels)
                .map(|(a, b)| a.abs_diff(*b));
            assert!(off.max().is_some_and(|off| off < 24));
        }
    }

    #[test]
    fn a_picture_without_pixels_or_too_long_is_refused() {
        assert!(of_color(&RgbImage::new(0, 9), 70).is_err());
        assert!(of_gray(&GrayImage::new(70_000, 1), 70).is_err());
    }
}
