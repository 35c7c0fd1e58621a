//! Which crops are trained on and which are held out: by puzzle or photo, never by crop.

use rayon::prelude::*;

use super::dataset::CropFolder;
use super::near_duplicates::{Fingerprint, FingerprintIndex};
use crate::digits::artifact::DataCard;
use crate::digits::config::TrainingConfig;
use crate::digits::labeled::LabeledCrop;
use crate::digits::logits::{CLASSES, class_names};

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

/// A held-out crop that shows the same picture as a crop trained on.
#[derive(Clone, Debug, PartialEq)]
pub struct Leak {
    /// The held-out crop.
    pub held_out: LabeledCrop,
    /// The crop trained on.
    pub training: LabeledCrop,
}

impl Leak {
    /// Whether their labels differ: then one of them is wrong.
    pub fn contradicts(&self) -> bool {
        self.held_out.label != self.training.label
    }
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

    /// Leaves the near-duplicates of crops trained on out of the crops held out, and returns them.
    ///
    /// They are not trained on either: their puzzles stay unseen, and sources that are never to be
    /// trained on stay so. Crops without ink are no near-duplicates of anything. Runs on all
    /// threads of the current rayon pool.
    pub fn leave_out_leaks(&mut self) -> Vec<Leak> {
        let fingerprints = |crops: &[LabeledCrop]| -> Vec<Option<Fingerprint>> {
            let crops = crops.par_iter();
            crops.map(|crop| Fingerprint::of(&crop.crop)).collect()
        };
        let trained = fingerprints(&self.training);
        let index = FingerprintIndex::new(&trained);
        let twins: Vec<Option<usize>> = fingerprints(&self.validation)
            .par_iter()
            .map(|fingerprint| index.first_near(fingerprint.as_ref()?))
            .collect();
        let mut clean = twins.iter().map(Option::is_none);
        for card in &mut self.cards {
            let crops = clean.by_ref().take(card.validation);
            card.validation = crops.filter(|clean| *clean).count();
        }
        let mut leaks = Vec::new();
        let held_out = std::mem::take(&mut self.validation);
        for (crop, twin) in held_out.into_iter().zip(&twins) {
            match twin.map(|twin| &self.training[twin]) {
                None => self.validation.push(crop),
                Some(twin) => leaks.push(Leak {
                    held_out: crop,
                    training: twin.clone(),
                }),
            }
        }
        leaks
    }

    /// Names of the classes that no crop to train on shows.
    pub(super) fn missing_classes(&self) -> Vec<String> {
        let mut seen = [false; CLASSES];
        let drawn = self.training.iter().zip(&self.weights);
        for (crop, _) in drawn.filter(|(_, weight)| **weight > 0.0) {
            seen[crop.class()] = true;
        }
        let names = class_names().into_iter().zip(seen);
        let missing = names.filter(|(_, seen)| !seen);
        missing.map(|(name, _)| name).collect()
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
