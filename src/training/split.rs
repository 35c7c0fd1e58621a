//! Which crops are trained on and which are held out: by puzzle or photo; where no photo is named, by
//! blocks of neighbors of each label.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::dataset::CropFolder;
use super::near_duplicates::{Fingerprint, FingerprintIndex};
use crate::digits::{CLASSES, DataCard, LabeledCrop, TrainingConfig, class_names};

/// Crops without a photo are held out in blocks of at most this many neighbors of one label, since
/// neighbors in a sheet tend to come from one photo.
const LARGEST_BLOCK: usize = 64;

/// The blocks are smaller where a label would otherwise have fewer of them than this.
const LEAST_BLOCKS: usize = 20;

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
    /// same one for every folder. Of crops without a photo, the share to hold out is taken from
    /// each label: at least one block of neighbors, and never all.
    pub fn add(
        &mut self,
        name: &str,
        mut folder: CropFolder,
        weight: f32,
        config: &TrainingConfig,
    ) {
        let before = (self.training.len(), self.validation.len());
        let crops = &mut folder.crops;
        crops.retain(|crop| !starts_with_any(&crop.source, &config.exclude_sources));
        let held_out = held_out(crops, config);
        for (crop, held_out) in folder.crops.into_iter().zip(held_out) {
            if held_out {
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

    /// Where there are so few puzzles that none was drawn to be held out, holds out the one that
    /// comes first in the draw, provided that another one is left to train on. To be called once
    /// all folders are there.
    pub fn hold_out_one(&mut self, config: &TrainingConfig) {
        if !self.validation.is_empty() {
            return;
        }
        let training = self.training.iter();
        let eligible = training.filter(|crop| config.validation_share(&crop.source) > 0.0);
        let puzzles: BTreeSet<&str> = eligible.map(puzzle).filter(|it| !it.is_empty()).collect();
        let first = puzzles.iter().min_by_key(|puzzle| draw(puzzle, config));
        let Some(first) = first.filter(|_| puzzles.len() > 1) else {
            return;
        };
        let first = first.to_string();
        let crops = std::mem::take(&mut self.training).into_iter();
        let mut crops = crops.zip(std::mem::take(&mut self.weights));
        for card in &mut self.cards {
            for (crop, weight) in crops.by_ref().take(card.training) {
                if puzzle(&crop) == first {
                    self.validation.push(crop);
                    card.validation += 1;
                } else {
                    self.training.push(crop);
                    self.weights.push(weight);
                }
            }
            card.training -= card.validation;
        }
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

/// The puzzle that a crop is of; empty where that is not known.
fn puzzle(crop: &LabeledCrop) -> &str {
    crop.photo.split('/').next().unwrap_or_default()
}

/// Whether each of these crops of one folder is held out.
fn held_out(crops: &[LabeledCrop], config: &TrainingConfig) -> Vec<bool> {
    let mut held_out = vec![false; crops.len()];
    let mut without_photo: BTreeMap<(usize, u32), Vec<usize>> = BTreeMap::new();
    for (index, crop) in crops.iter().enumerate() {
        let share = config.validation_share(&crop.source);
        let puzzle = puzzle(crop);
        if starts_with_any(&crop.source, &config.validation_sources) {
            held_out[index] = true;
        } else if puzzle.is_empty() {
            let alike = without_photo.entry((crop.class(), share.to_bits()));
            alike.or_default().push(index);
        } else {
            held_out[index] = f64::from(draw(puzzle, config)) < f64::from(share) * 2f64.powi(32);
        }
    }
    for ((class, share), indices) in without_photo {
        let size = (indices.len() / LEAST_BLOCKS).clamp(1, LARGEST_BLOCK);
        let mut blocks: Vec<(usize, &[usize])> = indices.chunks(size).enumerate().collect();
        blocks.sort_by_key(|(number, _)| draw(&format!("{class}#{number}"), config));
        for (_, block) in &blocks[..held_out_blocks(blocks.len(), f32::from_bits(share))] {
            block.iter().for_each(|&index| held_out[index] = true);
        }
    }
    held_out
}

/// How many blocks of a label are held out: the share of them, at least one and never all.
fn held_out_blocks(blocks: usize, share: f32) -> usize {
    if share <= 0.0 || blocks < 2 {
        return 0;
    }
    ((blocks as f32 * share).round() as usize).clamp(1, blocks - 1)
}

/// An even random number of the seed and this name.
fn draw(name: &str, config: &TrainingConfig) -> u32 {
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(&config.seed.to_le_bytes())
        .update(name.as_bytes());
    let mut number = [0; 4];
    hasher.finalize_xof().fill(&mut number);
    u32::from_le_bytes(number)
}

fn starts_with_any(source: &str, starts: &[String]) -> bool {
    starts.iter().any(|start| source.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Digit;
    use crate::vision::{CROP_SIDE, CellCrop};
    use proptest::prelude::*;

    fn crop(class: u8, source: u8) -> LabeledCrop {
        LabeledCrop {
            crop: CellCrop {
                pixels: Box::new([0; CROP_SIDE * CROP_SIDE]),
                board_contrast: 0.0,
            },
            label: Digit::new(class),
            photo: String::new(),
            source: format!("source-{source}"),
        }
    }

    proptest! {
        /// A folder named by label is sorted by label; in a sheet labels and sources alternate.
        #[test]
        fn every_label_without_photos_is_on_both_sides_in_its_share(
            counts in prop::collection::vec(10usize..400, CLASSES),
            is_sorted: bool,
            sources in 1u8..4,
            seed: u64,
        ) {
            let crops = |class: usize| (0..counts[class]).map(move |i| (i, class as u8));
            let mut places: Vec<(usize, u8)> = (0..CLASSES).flat_map(crops).collect();
            if !is_sorted {
                places.sort();
            }
            let of = |&(i, class): &(usize, u8)| crop(class, i as u8 % sources);
            let crops: Vec<LabeledCrop> = places.iter().map(of).collect();
            let config = TrainingConfig { seed, ..TrainingConfig::default() };
            let sides = held_out(&crops, &config);
            prop_assert_eq!(&sides, &held_out(&crops, &config));
            for (class, &count) in counts.iter().enumerate() {
                let sides = crops.iter().zip(&sides).filter(|(crop, _)| crop.class() == class);
                let held_out = sides.filter(|(_, held_out)| **held_out).count();
                prop_assert!(0 < held_out && held_out < count);
                let block = (count / LEAST_BLOCKS).max(1);
                prop_assert!(held_out.abs_diff(count / 10) <= block, "{held_out} of {count}");
            }
        }
    }

    #[test]
    fn neighbors_are_held_out_together() {
        let crops: Vec<LabeledCrop> = (0..20_000).map(|_| crop(3, 0)).collect();
        let sides = held_out(&crops, &TrainingConfig::default());
        let blocks = sides.chunks(LARGEST_BLOCK);
        assert!(
            blocks
                .clone()
                .all(|block| block.iter().all(|side| *side == block[0]))
        );
        assert_eq!(blocks.filter(|block| block[0]).count(), 31);
    }

    #[test]
    fn of_few_puzzles_one_is_held_out_in_every_folder() {
        let config = TrainingConfig::default();
        let drawn = |puzzle: &str| f64::from(draw(puzzle, &config)) < 0.1 * 2f64.powi(32);
        let puzzles: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        let few: Vec<&String> = puzzles.iter().filter(|it| !drawn(it)).take(4).collect();
        let folder = |puzzles: &[&String]| CropFolder {
            crops: (0..90)
                .map(|number| LabeledCrop {
                    photo: format!("{}/photo", puzzles[number % puzzles.len()]),
                    ..crop((number % 10) as u8, 0)
                })
                .collect(),
            ..CropFolder::default()
        };
        let split = |folders: &[&[&String]]| {
            let mut split = Split::default();
            for puzzles in folders {
                split.add("folder", folder(puzzles), 1.0, &config);
            }
            assert!(split.validation.is_empty());
            split.hold_out_one(&config);
            let counts = split.cards.iter().map(|it| (it.training, it.validation));
            let sums = counts.fold((0, 0), |sums, it| (sums.0 + it.0, sums.1 + it.1));
            assert_eq!(sums, (split.training.len(), split.validation.len()));
            assert_eq!(split.weights.len(), split.training.len());
            split
        };
        let first = few.iter().min_by_key(|it| draw(it, &config)).unwrap();
        let both = split(&[&few, &few[..3]]);
        assert!(both.validation.iter().all(|crop| puzzle(crop) == **first));
        assert!(both.training.iter().all(|crop| puzzle(crop) != **first));
        assert!(!both.validation.is_empty());
        assert!(split(&[&few[..1]]).validation.is_empty());
    }

    #[test]
    fn nothing_is_held_out_of_a_share_of_nothing_or_of_a_single_crop() {
        let none = TrainingConfig {
            validation: 0.0,
            ..TrainingConfig::default()
        };
        assert_eq!(held_out(&[crop(1, 0), crop(1, 0)], &none), [false; 2]);
        assert_eq!(held_out(&[crop(1, 0)], &TrainingConfig::default()), [false]);
    }
}
