//! The cells of the boards of a photo as one picture: 9 by 9 crops a board, the right way up, one
//! board below the other.

use std::io::{self, Write};

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, GrayImage, ImageEncoder};

use super::jpeg;
use crate::reader::ReadBoard;
use crate::vision::CROP_SIDE;

/// Pixels along each side of a board.
const BOARD_SIDE: u32 = 9 * CROP_SIDE as u32;
/// JPEG quality of the picture that people look at.
const QUALITY: u8 = 70;

/// As PNG: the pixels that the network saw, to learn from.
pub(super) fn write_exact(writer: &mut dyn Write, boards: &[ReadBoard]) -> io::Result<()> {
    let sheet = sheet(boards);
    PngEncoder::new(writer)
        .write_image(&sheet, sheet.width(), sheet.height(), ExtendedColorType::L8)
        .map_err(io::Error::other)
}

/// As JPEG, a third of the size: to look at.
pub(super) fn write_small(writer: &mut dyn Write, boards: &[ReadBoard]) -> io::Result<()> {
    let bytes = jpeg::of_gray(&sheet(boards), QUALITY).map_err(io::Error::other)?;
    writer.write_all(&bytes)
}

/// Contrast of the ink of a board, in gray values.
pub(super) fn contrast(board: &ReadBoard) -> f32 {
    board.crops.as_array()[0].board_contrast
}

fn sheet(boards: &[ReadBoard]) -> GrayImage {
    let mut sheet = GrayImage::new(BOARD_SIDE, BOARD_SIDE * boards.len() as u32);
    let line = CROP_SIDE * BOARD_SIDE as usize;
    for (row, pixels) in sheet.chunks_exact_mut(line).enumerate() {
        let board = &boards[row / 9];
        for (y, pixels) in pixels.chunks_exact_mut(BOARD_SIDE as usize).enumerate() {
            for (column, pixels) in pixels.chunks_exact_mut(CROP_SIDE).enumerate() {
                let crop = &board.crops.as_array()[row % 9 * 9 + column];
                pixels.copy_from_slice(&crop.pixels[y * CROP_SIDE..][..CROP_SIDE]);
            }
        }
    }
    sheet
}
