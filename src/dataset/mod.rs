//! Labeled data for training and measuring: rendered crops and photos, and crops from real photos.

mod harvest;
mod photos;
mod sheets;
mod synth;

pub use harvest::{HarvestConfig, HarvestSummary, Harvester, Skipped, harvest, photos_with_truth};
pub use photos::synth_photos;
pub use sheets::{CropSheets, OutputError};
pub use synth::{SynthSummary, synth_crops};
