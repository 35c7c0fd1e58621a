//! A frame of a video, and its colours where something is drawn into it.

use std::ops::Range;

use image::{GrayImage, Rgb, RgbImage};

use super::y4m::{Header, Planes};

/// One frame: what is seen of it at full size.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its number in the video, from 0.
    pub number: u64,
    /// When it is shown, in seconds from the start.
    pub time: f64,
    width: u32,
    height: u32,
    pub(super) planes: Planes,
}

impl Frame {
    pub(super) fn new(number: u64, time: f64, header: &Header, planes: Planes) -> Frame {
        Frame {
            number,
            time,
            width: header.width,
            height: header.height,
            planes,
        }
    }

    /// Returns the width and the height of the frame in pixels.
    pub const fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Takes the gray picture out of the frame.
    pub fn into_luma(self) -> GrayImage {
        let luma = GrayImage::from_raw(self.width, self.height, self.planes.luma);
        luma.expect("invariant: one byte a pixel")
    }

    /// Draws into a part of the frame. `canvas` has the size of the frame; `draw` finds the colours of the frame in it
    /// within these columns and rows, which are the only ones that are put back. Pixels that it leaves as they are, are
    /// the same afterwards.
    pub fn draw(
        &mut self,
        canvas: &mut RgbImage,
        columns: Range<u32>,
        rows: Range<u32>,
        draw: impl FnOnce(&mut RgbImage),
    ) {
        debug_assert_eq!(canvas.dimensions(), self.size());
        self.make_420();
        // Colours are shared by two columns and two rows.
        let whole = |range: Range<u32>, side: u32| range.start / 2 * 2..range.end.min(side);
        let (columns, rows) = (whole(columns, self.width), whole(rows, self.height));
        for y in rows.clone() {
            for x in columns.clone() {
                canvas.put_pixel(x, y, self.pixel(x, y));
            }
        }
        draw(canvas);
        for y in rows.step_by(2) {
            for x in columns.clone().step_by(2) {
                self.put_four(canvas, x, y);
            }
        }
    }

    /// Puts back four pixels that share their colour, if one of them has changed.
    fn put_four(&mut self, canvas: &RgbImage, x: u32, y: u32) {
        let (right, below) = ((x + 1).min(self.width - 1), (y + 1).min(self.height - 1));
        let four = [(x, y), (right, y), (x, below), (right, below)];
        if four
            .iter()
            .all(|&(x, y)| *canvas.get_pixel(x, y) == self.pixel(x, y))
        {
            return;
        }
        let mut sum = [0; 3];
        for (x, y) in four {
            let [red, green, blue] = canvas.get_pixel(x, y).0.map(i32::from);
            let luma = (LUMA[0] * red + LUMA[1] * green + LUMA[2] * blue + HALF) >> BITS;
            self.planes.luma[(y * self.width + x) as usize] = luma as u8;
            for (sum, value) in sum.iter_mut().zip([red, green, blue]) {
                *sum += value;
            }
        }
        let (at, plane) = self.place_of_color(x, y);
        for (at, weights) in [(at, BLUE), (plane + at, RED)] {
            let value = weights.iter().zip(sum).map(|(weight, sum)| weight * sum);
            let value = 128 + ((value.sum::<i32>() + 4 * HALF) >> (BITS + 2));
            self.planes.chroma[at] = value.clamp(0, 255) as u8;
        }
    }

    /// The colour of a pixel, of full range.
    fn pixel(&self, x: u32, y: u32) -> Rgb<u8> {
        let luma = i32::from(self.planes.luma[(y * self.width + x) as usize]);
        let (at, plane) = self.place_of_color(x, y);
        let [blue, red] = [at, plane + at].map(|at| i32::from(self.planes.chroma[at]) - 128);
        let [r, g, b] = [
            TO_RED * red,
            -TO_GREEN[0] * blue - TO_GREEN[1] * red,
            TO_BLUE * blue,
        ];
        Rgb([r, g, b].map(|more| (luma + ((more + HALF) >> BITS)).clamp(0, 255) as u8))
    }

    /// Where the first colour of a pixel is, and how many values one has.
    fn place_of_color(&self, x: u32, y: u32) -> (usize, usize) {
        let half = self.width.div_ceil(2) as usize;
        let at = (y / 2) as usize * half + (x / 2) as usize;
        (at, half * self.height.div_ceil(2) as usize)
    }

    /// Makes a frame gray that does not have the usual planes of colour.
    pub(super) fn make_420(&mut self) {
        let (_, plane) = self.place_of_color(0, 0);
        if self.planes.chroma.len() != 2 * plane {
            self.planes.chroma = vec![128; 2 * plane];
        }
    }
}

/// Bits after the point in the weights of JPEG's matrix.
const BITS: u32 = 14;
const HALF: i32 = 1 << (BITS - 1);
const LUMA: [i32; 3] = [4899, 9617, 1868];
const BLUE: [i32; 3] = [-2765, -5427, 8192];
const RED: [i32; 3] = [8192, -6860, -1332];
const TO_RED: i32 = 22970;
const TO_GREEN: [i32; 2] = [5638, 11700];
const TO_BLUE: i32 = 29032;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_changes_only_its_own_area() {
        for (width, height) in [(16, 12), (15, 11)] {
            let header = Header::new(width, height, (25, 1));
            let colors = width.div_ceil(2) * height.div_ceil(2);
            let planes = Planes {
                luma: (0..width * height).map(|it| (it * 7 % 256) as u8).collect(),
                chroma: (0..2 * colors).map(|it| (it * 13 % 256) as u8).collect(),
            };
            let before = Frame::new(0, 0.0, &header, planes);
            let mut frame = before.clone();
            let mut canvas = RgbImage::new(width, height);
            frame.draw(&mut canvas, 5..width, 3..height, |_| {});
            assert_eq!(frame.planes.luma, before.planes.luma);
            assert_eq!(frame.planes.chroma, before.planes.chroma);
            let (blue, last) = (Rgb([0, 98, 190]), (width - 1, height - 1));
            frame.draw(&mut canvas, 5..width, 3..height, |canvas| {
                for (x, y) in [(6, 4), (7, 4), (6, 5), (7, 5), last] {
                    canvas.put_pixel(x, y, blue);
                }
            });
            let near = |a: Rgb<u8>| a.0.iter().zip(blue.0).all(|(a, b)| a.abs_diff(b) < 3);
            assert!(near(frame.pixel(6, 4)) && near(frame.pixel(7, 5)));
            let changed = frame.planes.luma.iter().zip(&before.planes.luma);
            let changed = changed.filter(|(a, b)| a != b).count();
            // The last pixel may share its colour with others, whose luma is computed again.
            assert!((5..=8).contains(&changed), "{changed}");
        }
    }

    #[test]
    fn a_gray_frame_gets_colour_where_something_is_drawn() {
        let header = Header::new(8, 8, (25, 1));
        let planes = Planes {
            luma: vec![200; 64],
            chroma: Vec::new(),
        };
        let mut frame = Frame::new(0, 0.0, &header, planes);
        let mut canvas = RgbImage::new(8, 8);
        frame.draw(&mut canvas, 0..8, 0..8, |canvas| {
            assert_eq!(canvas.get_pixel(3, 3), &Rgb([200; 3]));
            for (x, y) in [(2, 2), (3, 2), (2, 3), (3, 3)] {
                canvas.put_pixel(x, y, Rgb([255, 0, 0]));
            }
        });
        let Rgb([r, g, b]) = frame.pixel(2, 2);
        assert!(r > 250 && g < 5 && b < 5, "{r} {g} {b}");
        assert_eq!(frame.pixel(5, 5), Rgb([200; 3]));
    }
}
