//! The small picture of a photo for the report: the gray copy that was read, which is at hand, with
//! the solution drawn into it in colour.

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, Rgb, RgbImage, imageops};

use super::overlay::{self, Solved};
use crate::reader::ReadBoard;
use crate::vision::Photo;

/// Longest side, in pixels.
const SIDE: u32 = 280;
/// Boards of a video that its strip shows, and the longest side of each.
pub(super) const STRIP: usize = 6;
const STRIP_SIDE: u32 = 200;
/// Bytes that a thumbnail should not exceed.
const BYTES: usize = 20_000;
/// JPEG qualities that are tried in turn until it does not.
const QUALITIES: [u8; 3] = [70, 50, 30];

/// A photo as a small JPEG file, with the solutions of these boards; `None` if it has no pixels that
/// can be encoded.
pub(super) fn thumbnail(photo: &Photo, boards: &[&ReadBoard]) -> Option<Vec<u8>> {
    encode(&picture(photo, boards, SIDE))
}

/// The best frame of a board of a video, with its solution.
pub(super) fn still(frame: &Photo, board: &ReadBoard) -> RgbImage {
    let read = board.status.is_read().then_some(board);
    picture(frame, read.as_slice(), STRIP_SIDE)
}

/// Stills side by side, as one small JPEG file; `None` if there is none.
pub(super) fn strip(frames: &[&RgbImage]) -> Option<Vec<u8>> {
    let gap = 4;
    let width = frames.iter().map(|frame| frame.width() + gap).sum::<u32>();
    let height = frames.iter().map(|frame| frame.height()).max()?;
    let mut strip = RgbImage::from_pixel(width - gap, height, Rgb([255; 3]));
    let mut left = 0;
    for &frame in frames {
        imageops::replace(&mut strip, frame, i64::from(left), 0);
        left += frame.width() + gap;
    }
    encode(&strip)
}

fn picture(photo: &Photo, boards: &[&ReadBoard], side: u32) -> RgbImage {
    let mut canvas = DynamicImage::from(photo.thumbnail(side)).into_rgb8();
    for board in boards.iter().filter_map(|board| Solved::of(board)) {
        overlay::draw(&mut canvas, &board, photo.luma().width());
    }
    canvas
}

/// As JPEG, of the best quality that is small enough.
fn encode(canvas: &RgbImage) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for quality in QUALITIES {
        bytes.clear();
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
        encoder.encode_image(canvas).ok()?;
        if bytes.len() <= BYTES {
            break;
        }
    }
    Some(bytes)
}
