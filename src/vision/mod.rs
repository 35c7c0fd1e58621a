//! From a photo to the crops of the cells of every board in it. Knows nothing of digits.

mod crop;
mod quad;

pub use crop::{CROP_SIDE, CellCrop, CellTone, board_contrast, cell_tone};
pub use quad::{Point, Quad};
