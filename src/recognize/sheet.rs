//! The cells of the boards of a photo as one picture: 9 by 9 crops a board, the right way up, one
//! board below the other.

use std::io::{self, Write};

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, GrayImage, ImageEncoder, Luma};

use crate::grid::Cell;
use crate::reader::ReadBoard;
use crate::vision::CROP_SIDE;

/// Pixels along each side of a board.
const BOARD_SIDE: u32 = 9 * CROP_SIDE as u32;
/// JPEG quality of the picture that people look at.
const QUALITY: u8 = 70;

/// As PNG: the pixels that the network saw, to learn from.
pub(super) fn write_exact(writer: &mut dyn Write, boards: &[ReadBoard]) -> io::Result<()> {
    write(PngEncoder::new(writer), boards)
}

/// As JPEG, a third of the size: to look at.
pub(super) fn write_small(writer: &mut dyn Write, boards: &[ReadBoard]) -> io::Result<()> {
    write(JpegEncoder::new_with_quality(writer, QUALITY), boards)
}

/// Contrast of the ink of a board, in gray values.
pub(super) fn contrast(board: &ReadBoard) -> f32 {
    board.crops.as_array()[0].board_contrast
}

fn write(encoder: impl ImageEncoder, boards: &[ReadBoard]) -> io::Result<()> {
    let height = BOARD_SIDE * boards.len() as u32;
    let sheet = GrayImage::from_fn(BOARD_SIDE, height, |x, y| {
        let board = &boards[(y / BOARD_SIDE) as usize];
        let (x, y) = (x as usize, (y % BOARD_SIDE) as usize);
        let cell = Cell::at(y / CROP_SIDE, x / CROP_SIDE).expect("the pixel is on the board");
        let crop = &board.crops[cell];
        Luma([crop.pixels[y % CROP_SIDE * CROP_SIDE + x % CROP_SIDE]])
    });
    encoder
        .write_image(&sheet, BOARD_SIDE, height, ExtendedColorType::L8)
        .map_err(io::Error::other)
}
