//! AVIF pictures: photos of recent phones and of websites.
//!
//! Both the container and the AV1 stream in it state a size; the decoder goes by the latter. Both
//! are checked before anything is decoded: otherwise a file of a few kilobytes could claim to be a
//! thumbnail and take gigabytes.

use image::metadata::Orientation;
use image::{DynamicImage, RgbImage};
use oxideav_av1::{ObuIter, ObuType, SequenceHeader, parse_sequence_header};
use oxideav_avif::{AvifError, DecodeOptions, ITEM_TYPE_AV01};

use super::photo_config::{PhotoConfig, PhotoError, check_size};

/// Returns a picture of 8 bits per channel, rotated and mirrored as the file says, without its
/// alpha; the first frame of an animation.
///
/// # Errors
///
/// [`PhotoError`], before decoding where the picture is too large.
pub(super) fn decode_avif(
    bytes: &[u8],
    config: &PhotoConfig,
) -> Result<(DynamicImage, Orientation), PhotoError> {
    let limit = config.max_color_pixels;
    let info = oxideav_avif::info(bytes).map_err(refused)?;
    check_size(info.width.into(), info.height.into(), limit)?;
    check_streams(bytes, limit)?;
    let options = DecodeOptions::default()
        .with_max_width(None)
        .with_max_height(None)
        .with_max_pixels(Some(limit));
    let picture = oxideav_avif::decode_with(bytes, &options).map_err(refused)?;
    let (width, height) = (picture.width(), picture.height());
    let colors = picture.try_to_rgb8().map_err(refused)?;
    let picture = RgbImage::from_raw(width, height, colors);
    let picture = picture.ok_or_else(|| PhotoError::Damaged("its size is wrong".to_owned()))?;
    if picture.is_empty() {
        return Err(PhotoError::Damaged("it has no pixels".to_owned()));
    }
    Ok((picture.into(), Orientation::NoTransforms))
}

fn refused(error: AvifError) -> PhotoError {
    match error {
        AvifError::Unsupported(_) => PhotoError::Unsupported {
            format: "AVIF of this kind",
            advice: "convert them to PNG: `ffmpeg -i photo.avif photo.png`",
        },
        error => PhotoError::Damaged(error.to_string()),
    }
}

/// Checks the size that each AV1 stream of the file claims: those of pictures, tiles and alpha, the samples of an
/// animation, and the headers that stand apart from them.
fn check_streams(bytes: &[u8], limit: u64) -> Result<(), PhotoError> {
    for record in configuration_records(bytes) {
        check_stream(record, limit)?;
    }
    if let Ok(file) = oxideav_avif::parse_header(bytes) {
        let coded = file.meta.items.iter();
        for item in coded.filter(|item| item.item_type == ITEM_TYPE_AV01) {
            // What lies beyond the end of the file is for the decoder to refuse.
            if let Ok(stream) = file.item_data(item.id) {
                check_stream(&stream, limit)?;
            }
        }
    }
    if let Ok(animation) = oxideav_avif::parse_avis(bytes) {
        for sample in &animation.samples {
            if let Ok(stream) = oxideav_avif::sample_bytes(bytes, sample) {
                check_stream(stream, limit)?;
            }
        }
    }
    Ok(())
}

/// Returns the content of each `av1C` box, wherever it is: the part behind its four bytes of flags,
/// which may hold a sequence header.
fn configuration_records(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let places = bytes.windows(4).enumerate();
    let places = places.filter(|(_, name)| name == b"av1C");
    places.filter_map(|(place, _)| {
        let start = place.checked_sub(4)?;
        let length = u32::from_be_bytes(*bytes[start..].first_chunk()?) as usize;
        let end = start.saturating_add(length).min(bytes.len());
        bytes.get(place + 8..end)
    })
}

fn check_stream(stream: &[u8], limit: u64) -> Result<(), PhotoError> {
    for unit in ObuIter::new(stream).map_while(Result::ok) {
        if unit.obu_type == ObuType::SequenceHeader
            && let Ok(header) = parse_sequence_header(unit.payload)
        {
            check_header(&header, limit)?;
        }
    }
    Ok(())
}

fn check_header(header: &SequenceHeader, limit: u64) -> Result<(), PhotoError> {
    let width = u64::from(header.max_frame_width_minus_1) + 1;
    let height = u64::from(header.max_frame_height_minus_1) + 1;
    check_size(width, height, limit)?;
    // A frame of a stream that is no mere still picture may name a size of its own, which the decoder takes as far as
    // its field goes: each side up to the next power of two, if the encoder did not waste bits.
    if !header.reduced_still_picture_header {
        let most = |bits_minus_1: u8| 2 << bits_minus_1;
        let width = most(header.frame_width_bits_minus_1);
        let height = most(header.frame_height_bits_minus_1);
        check_size(width, height, limit.saturating_mul(4))?;
    }
    Ok(())
}
