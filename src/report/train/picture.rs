//! A contact sheet of the worst crops.

use image::{Rgb, RgbImage};

use crate::digits::HardCrop;
use crate::grid::Digit;
use crate::render::{DigitInk, draw_crop, draw_upright, fill};
use crate::vision::CROP_SIDE;

/// Tiles per row.
const COLUMNS: u32 = 10;
/// Pixels of the sheet per pixel of a crop.
const ZOOM: u32 = 3;
/// Pixels along each side of a crop on the sheet.
const CROP: u32 = ZOOM * CROP_SIDE as u32;
/// Pixels along each side of the boxes beside it.
const BOX: u32 = 44;
/// Pixels between a crop and its boxes.
const GAP: u32 = 6;
/// Pixels around a tile.
const MARGIN: u32 = 9;
const TILE: (u32, u32) = (MARGIN + CROP + GAP + BOX + MARGIN, MARGIN + CROP + MARGIN);

const PAPER: Rgb<u8> = Rgb([255; 3]);
const LABEL: [u8; 3] = [0, 110, 60];
const RIGHT: [u8; 3] = [120; 3];
const WRONG: [u8; 3] = [200, 30, 30];

/// A rectangle of the sheet in pixels: left, top, width, height.
pub(super) type Place = (u32, u32, u32, u32);

/// Returns the rectangle of the crop at this index in the sheet of [`worst_picture`].
pub(super) fn crop_place(at: u32) -> Place {
    let (column, row) = (at % COLUMNS, at / COLUMNS);
    let (x, y) = (column * TILE.0 + MARGIN, row * TILE.1 + MARGIN);
    (x, y, CROP, CROP)
}

/// Returns the width and height of the sheet of this many crops.
pub(super) fn sheet_size(crops: usize) -> (u32, u32) {
    let rows = (crops as u32).div_ceil(COLUMNS).max(1);
    (COLUMNS * TILE.0, rows * TILE.1)
}

/// Draws `worst.png`: each crop with two boxes beside it, its label above in green, its reading
/// below in red, or in gray where it is right; a blank is an empty box. Worst first, row by row.
/// The gray values of each crop are stretched, so that dark ones are visible.
pub fn worst_picture(worst: &[HardCrop]) -> RgbImage {
    let (width, height) = sheet_size(worst.len());
    let mut sheet = RgbImage::from_pixel(width, height, PAPER);
    for (hard, at) in worst.iter().zip(0..) {
        let (x, y, ..) = crop_place(at);
        draw_crop(&mut sheet, &hard.labeled.crop, (x, y), ZOOM);
        let beside = x + CROP + GAP;
        content(&mut sheet, (beside, y), hard.labeled.label, LABEL);
        let color = if hard.read == hard.labeled.label {
            RIGHT
        } else {
            WRONG
        };
        content(&mut sheet, (beside, y + CROP - BOX), hard.read, color);
    }
    sheet
}

/// Draws a box with the content of a cell.
fn content(sheet: &mut RgbImage, (x, y): (u32, u32), digit: Option<Digit>, color: [u8; 3]) {
    fill(sheet, (x, y), (BOX, BOX), color);
    fill(sheet, (x + 2, y + 2), (BOX - 4, BOX - 4), PAPER.0);
    let ink = DigitInk {
        color,
        opacity: 1.0,
        ..DigitInk::default()
    };
    if let Some(digit) = digit {
        draw_upright(sheet, digit, (x as f32, y as f32), BOX as f32, &ink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::LabeledCrop;
    use crate::vision::CellCrop;

    #[test]
    fn each_crop_is_drawn_with_its_label_and_reading() {
        let hard = |corner: u8| HardCrop {
            labeled: LabeledCrop {
                crop: CellCrop {
                    pixels: Box::new(std::array::from_fn(|i| if i == 0 { corner } else { 50 })),
                    board_contrast: 1.0,
                },
                label: Digit::new(8),
                kind: None,
                marks: None,
                photo: String::new(),
                puzzle: String::new(),
                source: String::new(),
            },
            read: None,
            confidence: 0.9,
            loss: 3.0,
        };
        let mut worst = vec![hard(50); 12];
        worst[11] = hard(250);
        let sheet = worst_picture(&worst);
        assert_eq!(sheet.dimensions(), (COLUMNS * TILE.0, 2 * TILE.1));
        // The twelfth is the second of the second row.
        let (x, y) = (TILE.0 + MARGIN, TILE.1 + MARGIN);
        assert_eq!(crop_place(11), (x, y, CROP, CROP));
        assert_eq!(sheet.get_pixel(MARGIN, MARGIN).0, [128; 3]);
        assert_eq!(sheet.get_pixel(x + ZOOM - 1, y + ZOOM - 1).0, [255; 3]);
        assert_eq!(sheet.get_pixel(x + CROP - 1, y + CROP - 1).0, [0; 3]);
        assert_eq!(sheet.get_pixel(x + CROP, y).0, PAPER.0);
        let inked = |top: u32| {
            let inside = (0..BOX * BOX).map(|i| (i % BOX, i / BOX));
            let inside =
                inside.filter(|&(x, y)| (4..BOX - 4).contains(&x) && (4..BOX - 4).contains(&y));
            let beside = x + CROP + GAP;
            inside
                .filter(|(dx, dy)| *sheet.get_pixel(beside + dx, y + top + dy) != PAPER)
                .count()
        };
        assert!(inked(0) > 100);
        assert_eq!(inked(CROP - BOX), 0);
        assert_eq!(worst_picture(&[]).height(), TILE.1);
    }
}
