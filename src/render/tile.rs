//! Draws crops and digits on contact sheets for people.

use image::{Rgb, RgbImage};

use super::strokes::{DigitInk, draw_digit};
use crate::grid::Digit;
use crate::vision::{CROP_SIDE, CellCrop, Point, Quad};

/// Draws a crop `zoom` times as large at this top left corner, its gray values stretched so that
/// dark ones are visible. It must lie within the sheet.
pub fn draw_crop(sheet: &mut RgbImage, crop: &CellCrop, (left, top): (u32, u32), zoom: u32) {
    let side = CROP_SIDE as u32;
    for (value, at) in stretched(&*crop.pixels).zip(0..) {
        let corner = (left + at % side * zoom, top + at / side * zoom);
        fill(sheet, corner, (zoom, zoom), [value; 3]);
    }
}

/// Draws a digit upright in the square with this top left corner.
pub fn draw_upright(
    sheet: &mut RgbImage,
    digit: Digit,
    (left, top): (f32, f32),
    side: f32,
    ink: &DigitInk,
) {
    let corners = [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)];
    let square = Quad::new(corners.map(|(x, y)| Point {
        x: left + x,
        y: top + y,
    }));
    if let Some(square) = square {
        draw_digit(sheet, digit, &square, ink);
    }
}

/// Fills the rectangle with this top left corner, width and height, which must lie within the
/// sheet.
pub fn fill(
    sheet: &mut RgbImage,
    (left, top): (u32, u32),
    (width, height): (u32, u32),
    color: [u8; 3],
) {
    for y in top..top + height {
        for x in left..left + width {
            sheet.put_pixel(x, y, Rgb(color));
        }
    }
}

/// Returns gray values stretched around the middle of their range to the full scale, but at most
/// fourfold, so that the noise of a blank stays noise.
fn stretched(pixels: &[u8]) -> impl Iterator<Item = u8> {
    let (low, high) = pixels.iter().fold((u8::MAX, 0), |(low, high), &pixel| {
        (low.min(pixel), high.max(pixel))
    });
    let middle = (f32::from(low) + f32::from(high)) / 2.0;
    let scale = 255.0 / f32::from(high.saturating_sub(low)).max(64.0);
    let stretch = move |pixel: &u8| (127.5 + (f32::from(*pixel) - middle) * scale).round() as u8;
    pixels.iter().map(stretch)
}
