//! Stroke digits: clean ones for overlays, handwritten ones for training. No font is needed for
//! either.

mod allographs;
mod draw;
mod handwriting;
mod pen;

pub use allographs::{allograph_count, skeleton};
pub use draw::{DigitInk, draw_digit};
pub use handwriting::{Handwriting, WrittenDigit};
pub use pen::Coverage;
