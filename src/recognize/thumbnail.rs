//! The small picture of a photo for the report: the gray copy that was read, which is at hand, with
//! the solution drawn into it in colour.

use image::DynamicImage;
use image::codecs::jpeg::JpegEncoder;

use super::overlay;
use crate::reader::ReadBoard;
use crate::vision::Photo;

/// Longest side, in pixels.
const SIDE: u32 = 280;
/// Bytes that a thumbnail should not exceed.
const BYTES: usize = 20_000;
/// JPEG qualities that are tried in turn until it does not.
const QUALITIES: [u8; 3] = [70, 50, 30];

/// A photo as a small JPEG file, with the solutions of these boards; `None` if it has no pixels that
/// can be encoded.
pub(super) fn thumbnail(photo: &Photo, boards: &[&ReadBoard]) -> Option<Vec<u8>> {
    let mut canvas = DynamicImage::from(photo.thumbnail(SIDE)).into_rgb8();
    for board in boards {
        overlay::draw(&mut canvas, board, photo.luma().width());
    }
    let mut bytes = Vec::new();
    for quality in QUALITIES {
        bytes.clear();
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
        encoder.encode_image(&canvas).ok()?;
        if bytes.len() <= BYTES {
            break;
        }
    }
    Some(bytes)
}
