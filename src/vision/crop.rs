//! The crop of one cell.

/// Pixels along each side of a crop.
pub const CROP_SIDE: usize = 32;

/// The gray picture of one cell, cut along the lattice with a margin of 6 % of the cell on each
/// side, ink dark on a light ground (a dark screen is inverted when it is cropped).
#[derive(Clone, Debug, PartialEq)]
pub struct CellCrop {
    /// `CROP_SIDE` rows of `CROP_SIDE` gray values.
    pub pixels: Box<[u8]>,
    /// Contrast of the ink of the whole board, in gray values: the 90th percentile over its cells
    /// of the largest distance from a cell's median. It keeps the noise of a blank from being blown up.
    pub board_contrast: f32,
}
