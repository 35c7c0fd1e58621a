//! Cuts the cells of a board out of the photo along its lattice.

use image::GrayImage;

use super::crop::{CROP_SIDE, CellCrop, board_contrast, cell_tone};
use super::detect::Polarity;
use super::lattice::Lattice;
use super::quad::Point;
use super::shrink::shrink_luma;
use crate::grid::{Cell, CellMap};

/// Share of a cell that a crop shows beyond each of its borders.
const MARGIN: f32 = 0.06;

/// The crops of all cells, in the board's own reading order, ink dark on light whatever the
/// polarity. Large cells are averaged down first, so that no pixel of the photo is skipped.
pub fn crop_cells(luma: &GrayImage, lattice: &Lattice, polarity: Polarity) -> CellMap<CellCrop> {
    let side = (lattice.corners().area() / 81.0).sqrt();
    let factor = 1.3 * CROP_SIDE as f32 / side;
    let large = side > 1.6 * CROP_SIDE as f32;
    let small = large.then(|| {
        let longest = luma.width().max(luma.height()) as f32;
        shrink_luma(luma, (longest * factor).round() as u32)
    });
    let source = small.as_ref().and_then(Option::as_ref).unwrap_or(luma);
    let scale = source.width() as f32 / luma.width() as f32;
    let pixels = CellMap::from_fn(|cell| cut(source, lattice, cell, scale, polarity));
    let tones = pixels.iter().map(|(_, pixels)| cell_tone(pixels).contrast);
    let contrast = board_contrast(tones.collect());
    pixels.map(|pixels| CellCrop {
        pixels: pixels.clone(),
        board_contrast: contrast,
    })
}

fn cut(
    source: &GrayImage,
    lattice: &Lattice,
    cell: Cell,
    scale: f32,
    polarity: Polarity,
) -> Box<[u8; CROP_SIDE * CROP_SIDE]> {
    let (row, column) = ((cell.index() / 9) as f32, (cell.index() % 9) as f32);
    let mut pixels = Box::new([0u8; CROP_SIDE * CROP_SIDE]);
    let at = |i: usize| {
        let share = (i as f32 + 0.5) / CROP_SIDE as f32;
        (share * (1.0 + 2.0 * MARGIN) - MARGIN).clamp(-MARGIN, 1.0 + MARGIN)
    };
    for (i, line) in pixels.chunks_exact_mut(CROP_SIDE).enumerate() {
        for (j, pixel) in line.iter_mut().enumerate() {
            let Point { x, y } = lattice.point(column + at(j), row + at(i));
            let value = bilinear(source, x * scale, y * scale);
            *pixel = match polarity {
                Polarity::DarkOnLight => value,
                Polarity::LightOnDark => 255 - value,
            };
        }
    }
    pixels
}

/// The gray value at a place, bilinear between the centres of pixels, the border replicated.
fn bilinear(luma: &GrayImage, x: f32, y: f32) -> u8 {
    let (width, height) = (luma.width() as usize, luma.height() as usize);
    let x = (x - 0.5).clamp(0.0, (width - 1) as f32);
    let y = (y - 0.5).clamp(0.0, (height - 1) as f32);
    let (left, top) = (x as usize, y as usize);
    let (right, bottom) = ((left + 1).min(width - 1), (top + 1).min(height - 1));
    let (s, t) = (x - left as f32, y - top as f32);
    let pixels = luma.as_raw();
    let at = |x: usize, y: usize| f32::from(pixels[y * width + x]);
    let above = at(left, top) * (1.0 - s) + at(right, top) * s;
    let below = at(left, bottom) * (1.0 - s) + at(right, bottom) * s;
    (above * (1.0 - t) + below * t + 0.5) as u8
}

/// The board after `quarter_turns` clockwise: cells change their places and turn with it.
pub fn turn_board(crops: &CellMap<CellCrop>, quarter_turns: u8) -> CellMap<CellCrop> {
    // Where, before the turn, the thing was that is at (row, column) of a square after it.
    let before = |side: usize, row: usize, column: usize| match quarter_turns % 4 {
        0 => (row, column),
        1 => (side - 1 - column, row),
        2 => (side - 1 - row, side - 1 - column),
        _ => (column, side - 1 - row),
    };
    let crops = crops.as_array();
    CellMap::from_fn(|cell| {
        let (row, column) = before(9, cell.index() / 9, cell.index() % 9);
        let crop = &crops[row * 9 + column];
        let mut pixels = Box::new([0u8; CROP_SIDE * CROP_SIDE]);
        for (i, pixel) in pixels.iter_mut().enumerate() {
            let (y, x) = before(CROP_SIDE, i / CROP_SIDE, i % CROP_SIDE);
            *pixel = crop.pixels[y * CROP_SIDE + x];
        }
        CellCrop {
            pixels,
            board_contrast: crop.board_contrast,
        }
    })
}
