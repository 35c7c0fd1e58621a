//! Draws clean digits onto a photo, in the perspective of their cells.

use image::{Rgb, RgbImage};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::handwriting::Handwriting;
use super::pen::Coverage;
use crate::grid::Digit;
use crate::vision::{Homography, Point, Quad};

/// Style of a digit in its cell.
#[derive(Clone, Debug)]
pub struct DigitInk {
    /// Red, green, blue.
    pub color: [u8; 3],
    /// Share of the color at full ink, 0 to 1.
    pub opacity: f32,
    /// Height of the digit, as a share of the cell.
    pub height: f32,
    /// Width of its strokes, as a share of its height.
    pub weight: f32,
    /// Color of a soft rim around the strokes, which keeps the digit legible on any background.
    pub halo: Option<[u8; 3]>,
}

impl Default for DigitInk {
    fn default() -> Self {
        DigitInk {
            color: [0, 122, 61],
            opacity: 0.92,
            height: 0.6,
            weight: 0.13,
            halo: None,
        }
    }
}

/// Draws a digit into the cell with these corners, in pixels of the image, the digit's own top left
/// first: it is distorted as the cell is. Parts outside of the image are left out.
pub fn draw_digit(image: &mut RgbImage, digit: Digit, cell: &Quad, ink: &DigitInk) {
    let at = |x: f32, y: f32| Point { x, y };
    let unit = Quad::new([at(-0.5, -0.5), at(0.5, -0.5), at(0.5, 0.5), at(-0.5, 0.5)]);
    let Some(map) = unit.and_then(|unit| Homography::between(&unit, cell)) else {
        return;
    };
    let corners = cell.corners();
    let low = |axis: fn(Point) -> f32| corners.into_iter().map(axis).fold(f32::MAX, f32::min);
    let high = |axis: fn(Point) -> f32| corners.into_iter().map(axis).fold(f32::MIN, f32::max);
    let clip = |value: f32, size: u32| value.clamp(0.0, size as f32) as u32;
    let (left, top) = (
        clip(low(|p| p.x).floor(), image.width()),
        clip(low(|p| p.y).floor(), image.height()),
    );
    let (right, bottom) = (
        clip(high(|p| p.x).ceil(), image.width()),
        clip(high(|p| p.y).ceil(), image.height()),
    );
    let place = |p: Point| {
        let center = map.apply(at(ink.height * p.x, ink.height * p.y));
        // Local scale: the side of the square with the area that a small square is mapped to.
        let step = 0.01;
        let across = map.apply(at(ink.height * p.x + step, ink.height * p.y));
        let down = map.apply(at(ink.height * p.x, ink.height * p.y + step));
        let area = (across.x - center.x) * (down.y - center.y)
            - (across.y - center.y) * (down.x - center.x);
        let local = at(center.x - left as f32, center.y - top as f32);
        (local, ink.height * area.abs().sqrt() / step)
    };
    let (width, height) = ((right - left) as usize, (bottom - top) as usize);
    let draw = |weight: f32| {
        let mut coverage = Coverage::new(width, height);
        // A clean hand draws no random numbers that show.
        let rng = &mut ChaCha8Rng::seed_from_u64(0);
        let written = Handwriting::clean(weight).write(digit, rng);
        written.draw(&mut coverage, 1.0, place);
        coverage
    };
    if let Some(halo) = ink.halo {
        blend(
            image,
            (left, top),
            &draw(ink.weight + 0.1),
            halo,
            0.6 * ink.opacity,
        );
    }
    blend(
        image,
        (left, top),
        &draw(ink.weight),
        ink.color,
        ink.opacity,
    );
}

fn blend(
    image: &mut RgbImage,
    (left, top): (u32, u32),
    coverage: &Coverage,
    color: [u8; 3],
    opacity: f32,
) {
    if coverage.width() == 0 {
        return;
    }
    for (row, shares) in coverage.shares().chunks_exact(coverage.width()).enumerate() {
        for (column, &share) in shares.iter().enumerate() {
            if share > 0.0 {
                let Rgb(pixel) = image.get_pixel_mut(left + column as u32, top + row as u32);
                for (value, ink) in pixel.iter_mut().zip(color) {
                    let mixed =
                        f32::from(*value) + (f32::from(ink) - f32::from(*value)) * share * opacity;
                    *value = (mixed + 0.5) as u8;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ink_stays_in_its_cell_and_drawing_off_the_image_does_nothing() {
        let mut image = RgbImage::from_pixel(100, 80, Rgb([255; 3]));
        let cell = |dx: f32| {
            let corners = [(20.0, 10.0), (60.0, 14.0), (58.0, 52.0), (18.0, 50.0)];
            Quad::new(corners.map(|(x, y)| Point { x: x + dx, y })).unwrap()
        };
        draw_digit(&mut image, Digit::ALL[7], &cell(0.0), &DigitInk::default());
        let inked = |x: u32, y: u32| image.get_pixel(x, y).0 != [255; 3];
        let count = (0..80)
            .flat_map(|y| (0..100).map(move |x| (x, y)))
            .filter(|&(x, y)| {
                let inside = cell(0.0).contains(Point {
                    x: x as f32 + 0.5,
                    y: y as f32 + 0.5,
                });
                assert!(inside || !inked(x, y));
                inked(x, y)
            });
        assert!((100..500).contains(&count.count()));
        for dx in [-30.0, 60.0, 500.0, -500.0] {
            draw_digit(&mut image, Digit::ALL[3], &cell(dx), &DigitInk::default());
        }
    }
}
