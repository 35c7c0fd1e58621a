//! Contact sheets: many crops in one picture.

use std::path::Path;

use image::{ImageFormat, Rgb, RgbImage};

use crate::files::{WriteError, write_whole};
use crate::grid::Digit;
use crate::render::{Coverage, DigitInk, draw_crop, draw_upright};
use crate::vision::{CROP_SIDE, CellCrop, Point};

/// Pixels of the sheet per pixel of a crop.
const ZOOM: u32 = 2;

/// Pixels between two crops.
const GAP: u32 = 8;

/// Height of the number in front of a row.
const LARGE: f32 = 40.0;

/// Pixels along each side of a crop on the sheet.
const SIDE: u32 = ZOOM * CROP_SIDE as u32;

/// Color of numbers.
const INK: [u8; 3] = [70; 3];

/// A row of crops, with a number in front of it.
pub(super) struct SheetRow<'a> {
    pub(super) heading: String,
    pub(super) crops: Vec<&'a CellCrop>,
}

/// Writes rows of crops as a PNG.
pub(super) fn write_contact_sheet(path: &Path, rows: &[SheetRow<'_>]) -> Result<(), WriteError> {
    let sheet = contact_sheet(rows);
    let mut png = std::io::Cursor::new(Vec::new());
    let encoded = sheet.write_to(&mut png, ImageFormat::Png);
    let encoded = encoded.map_err(std::io::Error::other);
    encoded
        .and_then(|()| write_whole(path, |out| out.write_all(png.get_ref())))
        .map_err(WriteError::of(path))
}

fn contact_sheet(rows: &[SheetRow<'_>]) -> RgbImage {
    let columns = rows.iter().map(|row| row.crops.len()).max().unwrap_or(0) as u32;
    let is_headed = rows.iter().any(|row| !row.heading.is_empty());
    let left = GAP + if is_headed { LARGE as u32 + GAP } else { 0 };
    let pitch = SIDE + GAP;
    let size = (
        left + columns * (SIDE + GAP),
        GAP + rows.len() as u32 * pitch,
    );
    let mut sheet = RgbImage::from_pixel(size.0.max(1), size.1, Rgb([255; 3]));
    for (index, row) in rows.iter().enumerate() {
        let top = GAP + index as u32 * pitch;
        let middle = top as f32 + (SIDE as f32 - LARGE) / 2.0;
        draw_number(&mut sheet, &row.heading, (GAP as f32, middle), LARGE);
        for (column, crop) in row.crops.iter().enumerate() {
            let x = left + column as u32 * (SIDE + GAP);
            draw_crop(&mut sheet, crop, (x, top), ZOOM);
        }
    }
    sheet
}

/// Draws decimal digits at this top left corner. No font is needed.
fn draw_number(sheet: &mut RgbImage, number: &str, (left, top): (f32, f32), height: f32) {
    let ink = DigitInk {
        color: INK,
        opacity: 1.0,
        height: 0.9,
        weight: 0.12,
        halo: None,
    };
    let pitch = 0.64 * height;
    let mut x = left;
    for value in number.bytes().filter(u8::is_ascii_digit) {
        let middle = x + pitch / 2.0;
        match Digit::new(value - b'0') {
            Some(digit) => draw_upright(sheet, digit, (middle - height / 2.0, top), height, &ink),
            None => draw_zero(sheet, (middle, top + height / 2.0), height),
        }
        x += pitch;
    }
}

fn draw_zero(sheet: &mut RgbImage, middle: (f32, f32), height: f32) {
    let side = height.ceil() as usize + 2;
    let mut ink = Coverage::new(side, side);
    let center = side as f32 / 2.0;
    let ring: Vec<Point> = (0..=24)
        .map(|i| {
            let (sin, cos) = (i as f32 / 24.0 * std::f32::consts::TAU).sin_cos();
            Point {
                x: center + 0.22 * height * cos,
                y: center + 0.39 * height * sin,
            }
        })
        .collect();
    ink.draw_line(&ring, &vec![0.055 * height; ring.len()], 1.0);
    let (left, top) = ((middle.0 - center) as u32, (middle.1 - center) as u32);
    for (i, &share) in ink.shares().iter().enumerate() {
        let (x, y) = (left + (i % side) as u32, top + (i / side) as u32);
        if let Some(Rgb(pixel)) = sheet.get_pixel_mut_checked(x, y) {
            for (value, color) in pixel.iter_mut().zip(INK) {
                *value = (f32::from(*value) * (1.0 - share) + f32::from(color) * share) as u8;
            }
        }
    }
}
