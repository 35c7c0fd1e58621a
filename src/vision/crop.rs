//! The picture of one cell, and the strength of its ink.

/// Pixels along each side of a crop.
pub const CROP_SIDE: usize = 32;

/// Pixels along the edge of a crop that statistics leave out because of grid lines.
pub const CROP_EDGE: usize = 4;

/// The gray picture of one cell, cut along the lattice with a margin of 6 % of the cell on each
/// side, ink dark on a light background (dark screens are inverted).
#[derive(Clone, Debug, PartialEq)]
pub struct CellCrop {
    /// `CROP_SIDE` rows of `CROP_SIDE` gray values.
    pub pixels: Box<[u8; CROP_SIDE * CROP_SIDE]>,
    /// Contrast of the ink of the whole board, in gray values: see [`board_contrast`]. It prevents
    /// the noise of a blank from being amplified.
    pub board_contrast: f32,
}

/// A square part of a cell, in pixels of its crop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Its middle, from the left and from the top.
    pub middle: [f32; 2],
    /// Length of each side.
    pub side: f32,
}

impl Window {
    /// The whole crop.
    pub const WHOLE: Window = Window {
        middle: [CROP_SIDE as f32 / 2.0; 2],
        side: CROP_SIDE as f32,
    };
}

/// Background and contrast of one cell, in gray values, measured without the crop's edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellTone {
    /// Background: the median gray value.
    pub ground: f32,
    /// Distance from the background to the 2nd or the 98th percentile, whichever is farther.
    pub contrast: f32,
}

impl CellCrop {
    /// Returns background and contrast of this cell.
    pub fn tone(&self) -> CellTone {
        cell_tone(&self.pixels)
    }

    /// Returns background and contrast of the middle of this cell, a third of its sides.
    pub fn tone_of_middle(&self) -> CellTone {
        tone_within(&self.pixels, CROP_SIDE / 3)
    }

    /// Returns by how much its pixels are darker than the background, summed up without the crop's edge.
    pub fn ink(&self) -> f32 {
        let ground = self.tone().ground;
        let inner = CROP_EDGE..CROP_SIDE - CROP_EDGE;
        let rows = self.pixels.chunks_exact(CROP_SIDE);
        rows.skip(CROP_EDGE)
            .take(inner.len())
            .flat_map(|row| &row[inner.clone()])
            .map(|pixel| (ground - f32::from(*pixel)).max(0.0))
            .sum()
    }

    /// Returns the crop that lies this many pixels further right and down, its outermost pixels repeated.
    pub(crate) fn shifted(&self, right: isize, down: isize) -> CellCrop {
        let from = |at: usize, by: isize| at.saturating_add_signed(by).min(CROP_SIDE - 1);
        let mut pixels = self.pixels.clone();
        for (i, pixel) in pixels.iter_mut().enumerate() {
            let (x, y) = (from(i % CROP_SIDE, right), from(i / CROP_SIDE, down));
            *pixel = self.pixels[y * CROP_SIDE + x];
        }
        CellCrop {
            pixels,
            board_contrast: self.board_contrast,
        }
    }
}

/// Returns background and contrast of a cell's pixels.
pub fn cell_tone(pixels: &[u8; CROP_SIDE * CROP_SIDE]) -> CellTone {
    tone_within(pixels, CROP_EDGE)
}

/// The same without an edge of so many pixels.
fn tone_within(pixels: &[u8; CROP_SIDE * CROP_SIDE], edge: usize) -> CellTone {
    let side = CROP_SIDE - 2 * edge;
    let mut histogram = [0u32; 256];
    for row in pixels.chunks_exact(CROP_SIDE).skip(edge).take(side) {
        for &value in &row[edge..edge + side] {
            histogram[value as usize] += 1;
        }
    }
    let count = side.pow(2) as u32;
    let quantile = |share: f32| {
        let rank = (share * (count - 1) as f32).round() as u32;
        let mut below = 0;
        let reached = histogram.iter().position(|&n| {
            below += n;
            below > rank
        });
        reached.unwrap_or(255) as f32
    };
    let ground = quantile(0.5);
    CellTone {
        ground,
        contrast: (ground - quantile(0.02)).max(quantile(0.98) - ground),
    }
}

/// Returns the contrast of a board's ink: the 90th percentile of the contrasts of its cells; 0
/// without cells.
pub fn board_contrast(mut cells: Vec<f32>) -> f32 {
    cells.sort_by(f32::total_cmp);
    match cells.len() {
        0 => 0.0,
        n => cells[((n - 1) as f32 * 0.9).round() as usize],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shifted_crop_lies_elsewhere_and_repeats_its_outermost_pixels() {
        let crop = CellCrop {
            pixels: Box::new(std::array::from_fn(|i| {
                (i % CROP_SIDE + 3 * (i / CROP_SIDE)) as u8
            })),
            board_contrast: 50.0,
        };
        let at = |crop: &CellCrop, x: usize, y: usize| crop.pixels[y * CROP_SIDE + x];
        assert_eq!(crop.shifted(0, 0), crop);
        let moved = crop.shifted(1, -2);
        assert_eq!(moved.board_contrast, 50.0);
        assert_eq!(at(&moved, 4, 9), at(&crop, 5, 7));
        assert_eq!(at(&moved, CROP_SIDE - 1, 9), at(&crop, CROP_SIDE - 1, 7));
        assert_eq!(at(&moved, 4, 1), at(&crop, 5, 0));
    }
}
