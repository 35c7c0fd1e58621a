//! Pictures of a photo for the report. The small one is the gray copy that was read, which is at hand,
//! with the solution drawn into it in colour; the large one, of photos that a person should look at, is
//! the photo itself.

use std::path::Path;

use image::{Rgb, RgbImage, imageops};

use super::jpeg;
use super::overlay;
use super::photo::LargePhoto;
use crate::files::{WriteError, write_bytes};
use crate::reader::ReadBoard;
use crate::vision::{DecodedPhoto, Photo};

/// Longest side, in pixels.
const SIDE: u32 = 280;
/// Boards of a video that its strip shows, and the longest side of each.
pub(super) const STRIP: usize = 6;
const STRIP_SIDE: u32 = 200;
/// Longest side of a large picture, in pixels, and its JPEG quality.
const LARGE_SIDE: u32 = 1280;
const LARGE_QUALITY: u8 = 75;
/// Bytes that a thumbnail should not exceed.
const BYTES: usize = 20_000;
/// JPEG qualities that are tried in turn until it does not.
const QUALITIES: [u8; 3] = [70, 50, 30];

/// A photo as a small JPEG file, with the solutions of these boards and the outlines of those in doubt; `None` if it has
/// no pixels that can be encoded.
pub(super) fn thumbnail(photo: &Photo, boards: &[ReadBoard]) -> Option<Vec<u8>> {
    encode(&picture(photo, boards, SIDE))
}

/// Writes a photo, upright and without anything drawn into it, as `large/{content}.jpg` of a folder. Returns nothing
/// where it has no pixels that can be encoded.
///
/// # Errors
/// [`WriteError`] where the file cannot be written.
pub fn write_large(
    folder: &Path,
    content: &str,
    photo: &DecodedPhoto,
) -> Result<Option<LargePhoto>, WriteError> {
    let Ok(jpeg) = jpeg::of_photo(&photo.color(Some(LARGE_SIDE)), LARGE_QUALITY) else {
        return Ok(None);
    };
    let file = format!("large/{content}.jpg");
    let path = folder.join(&file);
    write_bytes(&path, &jpeg).map_err(WriteError::of(&path))?;
    let (width, height) = photo.size();
    Ok(Some(LargePhoto {
        file,
        width,
        height,
    }))
}

/// The best frame of a board of a video, with its solution.
pub(super) fn still(frame: &Photo, board: &ReadBoard) -> RgbImage {
    picture(frame, std::slice::from_ref(board), STRIP_SIDE)
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

fn picture(photo: &Photo, boards: &[ReadBoard], side: u32) -> RgbImage {
    let mut canvas = overlay::gray_canvas(photo, side);
    for board in boards {
        overlay::draw_board(&mut canvas, board, false, photo.luma().width());
    }
    canvas
}

/// As JPEG, of the best quality that is small enough.
fn encode(canvas: &RgbImage) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for quality in QUALITIES {
        bytes = jpeg::of_color(canvas, quality).ok()?;
        if bytes.len() <= BYTES {
            break;
        }
    }
    Some(bytes)
}
