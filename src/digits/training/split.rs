//! Which crops are trained on and which are held out: by puzzle or photo, never by crop.

use super::dataset::CropFolder;
use crate::digits::artifact::DataCard;
use crate::digits::config::TrainingConfig;
use crate::digits::labeled::LabeledCrop;

/// Crops without a photo are held out in blocks of this many neighbors, since neighbors in a sheet
/// tend to come from one photo.
const BLOCK: usize = 64;

/// Crops to train on and crops held out.
#[derive(Clone, Debug, Default)]
pub struct Split {
    /// Trained on.
    pub training: Vec<LabeledCrop>,
    /// How often each of them is drawn an epoch: 2.5 is two or three times.
    pub weights: Vec<f32>,
    /// Held out.
    pub validation: Vec<LabeledCrop>,
    /// The folders they came from.
    pub cards: Vec<DataCard>,
}

impl Split {
    /// Adds the crops of a folder, drawn `weight` times an epoch, times the weight of their source.
    ///
    /// All crops of a puzzle (the part of `photo` before the first `/`) go to the same side, the
    /// same one for every folder.
    pub fn add(&mut self, name: &str, folder: CropFolder, weight: f32, config: &TrainingConfig) {
        let before = (self.training.len(), self.validation.len());
        for (index, crop) in folder.crops.into_iter().enumerate() {
            let starts = |sources: &[String]| {
                let mut starts = sources.iter();
                starts.any(|start| crop.source.starts_with(start))
            };
            if starts(&config.exclude_sources) {
                continue;
            }
            if starts(&config.validation_sources) || is_held_out(&crop, index, config) {
                self.validation.push(crop);
            } else {
                self.weights
                    .push(weight * config.source_weight(&crop.source));
                self.training.push(crop);
            }
        }
        self.cards.push(DataCard {
            name: name.to_owned(),
            hash: folder.hash,
            weight,
            training: self.training.len() - before.0,
            validation: self.validation.len() - before.1,
        });
    }
}

fn is_held_out(crop: &LabeledCrop, index: usize, config: &TrainingConfig) -> bool {
    let group = match crop.photo.split('/').next() {
        Some(puzzle) if !puzzle.is_empty() => puzzle.to_owned(),
        _ => format!("{}#{}", crop.source, index / BLOCK),
    };
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(&config.seed.to_le_bytes())
        .update(group.as_bytes());
    let mut number = [0; 4];
    hasher.finalize_xof().fill(&mut number);
    // Compared as 32-bit fractions of 1.
    f64::from(u32::from_le_bytes(number))
        < f64::from(config.validation_share(&crop.source)) * 2f64.powi(32)
}
