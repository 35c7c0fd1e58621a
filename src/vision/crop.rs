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
}

/// Returns background and contrast of a cell's pixels.
pub fn cell_tone(pixels: &[u8; CROP_SIDE * CROP_SIDE]) -> CellTone {
    let mut histogram = [0u32; 256];
    for row in pixels
        .chunks_exact(CROP_SIDE)
        .skip(CROP_EDGE)
        .take(CROP_SIDE - 2 * CROP_EDGE)
    {
        for &value in &row[CROP_EDGE..CROP_SIDE - CROP_EDGE] {
            histogram[value as usize] += 1;
        }
    }
    let count = (CROP_SIDE - 2 * CROP_EDGE).pow(2) as u32;
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
