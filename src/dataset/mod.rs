//! Labeled data for training and measuring: rendered crops and photos, and crops from real photos.

mod contact_sheet;
mod corrections;
mod filled;
mod harvest;
mod inputs;
mod photos;
mod recut;
mod review;
mod review_error;
mod sheets;
mod stats;
mod synth;
mod videos;

pub use corrections::{AppliedCorrections, apply_corrections};
pub use harvest::{HarvestConfig, HarvestSummary, Skipped, harvest};
pub use inputs::photos_with_truth;
pub use photos::synth_photos;
pub use review::{Review, ReviewSummary, review};
pub use review_error::ReviewError;
pub use sheets::CropSheets;
pub use stats::{CropStats, LeakCount, Tally, count_leaks, leaks_csv, write_class_samples};
pub use synth::{SynthSummary, synth_crops};
pub use videos::{SynthVideosError, synth_videos};
