//! Labeled data for training and measuring: rendered crops and photos, and crops from real photos.

mod sheets;
mod synth;

pub use sheets::{CropSheets, OutputError};
pub use synth::{SynthSummary, synth_crops};
