//! Splits crops into those trained on and those held out: by puzzle and photo; where neither is
//! known, by blocks of neighbors of each label.

use std::borrow::Cow;

use rayon::prelude::*;

use super::dataset::CropFolder;
use super::hold_out::{held_out, starts_with_any};
use super::near_duplicates::{Fingerprint, FingerprintIndex};
use super::rendered::RenderedCrops;
use crate::digits::{CLASSES, DataCard, LabeledCrop, TrainingConfig, class_names};
use crate::render::CropRenderer;

/// A folder of crops to be split.
#[derive(Clone, Debug)]
pub struct DataFolder {
    /// Its name in the model card.
    pub name: String,
    /// Its crops.
    pub folder: CropFolder,
    /// Times that each crop is drawn per epoch, multiplied by the weight of its source.
    pub weight: f32,
}

/// Crops to train on and crops held out.
#[derive(Clone, Debug, Default)]
pub struct Split {
    /// Crops to train on.
    pub training: Vec<LabeledCrop>,
    /// Times that each of them is drawn per epoch: 2.5 is two or three times.
    pub weights: Vec<f32>,
    /// Crops held out.
    pub validation: Vec<LabeledCrop>,
    /// Their sources, for the model card.
    pub cards: Vec<DataCard>,
    /// Crops that are rendered anew for every epoch.
    pub(super) rendered: Option<RenderedCrops>,
}

/// A held-out crop that is a near-duplicate of a crop trained on.
#[derive(Clone, Debug, PartialEq)]
pub struct Leak {
    /// The held-out crop.
    pub held_out: LabeledCrop,
    /// The crop trained on.
    pub training: LabeledCrop,
}

impl Leak {
    /// Returns whether their labels differ: then one of them is wrong.
    pub fn contradicts(&self) -> bool {
        self.held_out.label != self.training.label
    }
}

impl Split {
    /// Splits the crops of these folders, without those of excluded sources.
    ///
    /// All crops of a puzzle, in any folder, and all crops of a photo go to the same side. A crop
    /// without a puzzle goes with its photo, known by its whole name. The share to hold out is that
    /// of the crop's source, the largest one where sources share a puzzle. Where there are so few
    /// puzzles and photos that none is drawn to be held out, the first one of the draw is, provided
    /// that another one is left to train on. Of crops without a puzzle and a photo, the share is
    /// taken from each label of a folder: at least one block of neighbors, and never all.
    ///
    /// Crops of `validation_sources` are held out in any case, regardless of their puzzle.
    pub fn new(mut folders: Vec<DataFolder>, config: &TrainingConfig) -> Split {
        for folder in &mut folders {
            let crops = &mut folder.folder.crops;
            crops.retain(|crop| !starts_with_any(&crop.source, &config.exclude_sources));
            for crop in crops.iter_mut().filter(|crop| crop.kind.is_none()) {
                crop.kind = config.source_kind(&crop.source, crop.label.is_some());
            }
        }
        let crops: Vec<&[LabeledCrop]> = folders.iter().map(|it| &*it.folder.crops).collect();
        let held_out = held_out(&crops, config);
        let mut split = Split::default();
        for (data, held_out) in folders.into_iter().zip(held_out) {
            let before = (split.training.len(), split.validation.len());
            for (crop, held_out) in data.folder.crops.into_iter().zip(held_out) {
                if held_out {
                    split.validation.push(crop);
                } else {
                    let weight = data.weight * config.source_weight(&crop.source);
                    split.weights.push(weight);
                    split.training.push(crop);
                }
            }
            split.cards.push(DataCard {
                name: data.name,
                hash: data.folder.hash,
                weight: data.weight,
                training: split.training.len() - before.0,
                validation: split.validation.len() - before.1,
            });
        }
        split
    }

    /// Adds crops that are rendered anew for every epoch, [`TrainingConfig::rendered`] of them,
    /// except for held-out groups. On all threads of the current rayon pool.
    #[must_use]
    pub fn with_rendered(mut self, renderer: CropRenderer, config: &TrainingConfig) -> Split {
        let rendered = RenderedCrops::new(renderer, config);
        let held_out = rendered.held_out();
        let card = rendered.card(config.rendered, held_out.len());
        self.cards.push(card);
        self.validation.extend(held_out);
        self.rendered = Some(rendered);
        self
    }

    /// Returns the number of rendered blanks to add to crops that show digits only, as crops of
    /// filled boards do: two for every three digits, as on boards in use. 0 where there are blanks.
    pub fn lacking_blanks(&self) -> usize {
        let is_blank = |crop: &LabeledCrop| crop.label.is_none();
        match self.rendered.is_some() || self.training.iter().any(is_blank) {
            true => 0,
            false => 2 * self.training.len() / 3,
        }
    }

    /// Adds this many rendered blanks. On all threads of the current rayon pool.
    #[must_use]
    pub fn with_blanks(
        mut self,
        count: usize,
        renderer: CropRenderer,
        config: &TrainingConfig,
    ) -> Split {
        let rendered = RenderedCrops::new(renderer, config);
        let (training, validation) = rendered.blanks(count);
        self.cards
            .push(rendered.card(training.len(), validation.len()));
        self.training.extend(training);
        self.weights.resize(self.training.len(), 1.0);
        self.validation.extend(validation);
        self
    }

    /// Returns the crops of an epoch, and how many times each is drawn.
    pub(super) fn of_epoch(&self, epoch: usize) -> (Cow<'_, [LabeledCrop]>, Cow<'_, [f32]>) {
        let Some(rendered) = &self.rendered else {
            return (
                self.training.as_slice().into(),
                self.weights.as_slice().into(),
            );
        };
        let (mut crops, mut weights) = (self.training.clone(), self.weights.clone());
        crops.extend(rendered.of_epoch(epoch));
        weights.resize(crops.len(), 1.0);
        (crops.into(), weights.into())
    }

    /// Returns the share of blanks among the crops as they are drawn in training: each counts as
    /// often as it is drawn, multiplied by the weight of its class in the loss. Above 0 and below
    /// 1.
    pub(super) fn trained_blanks(&self, config: &TrainingConfig) -> f32 {
        let (mut blanks, mut all) = (0.0, 0.0);
        // Every epoch has as many blanks as the first, but for chance.
        let (crops, weights) = self.of_epoch(1);
        for (crop, &weight) in crops.iter().zip(&*weights) {
            let drawn = f64::from(weight) * f64::from(config.class_weights[crop.class()]);
            all += drawn;
            if crop.label.is_none() {
                blanks += drawn;
            }
        }
        // No prior is certain, however the weights are chosen.
        ((blanks / all) as f32).clamp(1e-6, 1.0 - 1e-6)
    }

    /// Removes the near-duplicates of crops trained on from the crops held out, and returns them.
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

    /// Returns the names of the classes without a crop to train on.
    pub(super) fn missing_classes(&self) -> Vec<String> {
        let mut seen = [false; CLASSES];
        let (crops, weights) = self.of_epoch(1);
        let drawn = crops.iter().zip(&*weights);
        for (crop, _) in drawn.filter(|(_, weight)| **weight > 0.0) {
            seen[crop.class()] = true;
        }
        let names = class_names().into_iter().zip(seen);
        let missing = names.filter(|(_, seen)| !seen);
        missing.map(|(name, _)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::CellKind;
    use crate::grid::Digit;
    use crate::vision::{CROP_SIDE, CellCrop};

    fn crop(class: u8, source: u8) -> LabeledCrop {
        LabeledCrop {
            crop: CellCrop {
                pixels: Box::new([0; CROP_SIDE * CROP_SIDE]),
                board_contrast: 0.0,
            },
            label: Digit::new(class),
            kind: None,
            marks: None,
            photo: String::new(),
            puzzle: String::new(),
            source: format!("source-{source}"),
        }
    }

    fn folders(crops: Vec<Vec<LabeledCrop>>) -> Vec<DataFolder> {
        let folder = |crops| DataFolder {
            name: "folder".to_owned(),
            folder: CropFolder {
                crops,
                ..CropFolder::default()
            },
            weight: 1.0,
        };
        crops.into_iter().map(folder).collect()
    }

    #[test]
    fn one_of_few_puzzles_is_held_out_in_every_folder() {
        let config = TrainingConfig {
            validation: 1e-9,
            ..TrainingConfig::default()
        };
        let folder = |puzzles: usize| -> Vec<LabeledCrop> {
            let crop = |number: usize| LabeledCrop {
                puzzle: format!("puzzle{}", number % puzzles),
                ..crop(0, 0)
            };
            (0..90).map(crop).collect()
        };
        let both = Split::new(folders(vec![folder(4), folder(3)]), &config);
        let held_out = both.validation[0].puzzle.clone();
        assert!(both.validation.iter().all(|crop| crop.puzzle == held_out));
        assert!(both.training.iter().all(|crop| crop.puzzle != held_out));
        let counts = both.cards.iter().map(|it| (it.training, it.validation));
        let sums = counts.fold((0, 0), |sums, it| (sums.0 + it.0, sums.1 + it.1));
        assert_eq!(sums, (both.training.len(), both.validation.len()));
        assert_eq!(both.weights.len(), both.training.len());
        let one = Split::new(folders(vec![folder(1)]), &config);
        assert!(one.validation.is_empty());
    }

    #[test]
    fn boards_of_photos_named_by_relative_and_absolute_paths_are_held_out_by_puzzle() {
        for prefix in ["photos/", "/tmp/photos/", ""] {
            let crop = |number: usize| LabeledCrop {
                photo: format!("{prefix}{}.jpg", number / 81),
                puzzle: format!("puzzle{}", number / 81),
                ..crop((number % 10) as u8, 0)
            };
            let crops = (0..20 * 81).map(crop).collect();
            let split = Split::new(folders(vec![crops]), &TrainingConfig::default());
            assert!(!split.validation.is_empty(), "{prefix}");
            assert_eq!(split.validation.len() % 81, 0, "{prefix}");
        }
    }

    #[test]
    fn the_source_supplies_missing_kinds() {
        let mut config = TrainingConfig::default();
        let kinds = [
            ("source", CellKind::Printed),
            ("source-1", CellKind::Written),
            ("source-2", CellKind::Marks),
        ];
        config.source_kinds = kinds.map(|(source, kind)| (source.to_owned(), kind)).into();
        let said = LabeledCrop {
            kind: Some(CellKind::Blank),
            ..crop(0, 2)
        };
        let crops = vec![
            crop(5, 0),
            crop(5, 1),
            crop(5, 2),
            crop(0, 1),
            crop(0, 2),
            said,
        ];
        let split = Split::new(folders(vec![crops]), &config);
        let mut kinds: Vec<_> = split
            .training
            .iter()
            .chain(&split.validation)
            .map(|it| it.kind)
            .collect();
        kinds.sort();
        let mut expected = vec![
            Some(CellKind::Printed),
            Some(CellKind::Written),
            Some(CellKind::Printed),
            None,
            Some(CellKind::Marks),
            Some(CellKind::Blank),
        ];
        expected.sort();
        assert_eq!(kinds, expected);
    }

    #[test]
    fn blanks_are_counted_by_draws_times_class_weight() {
        let mut config = TrainingConfig {
            validation: 0.0,
            ..TrainingConfig::default()
        };
        let crops = || vec![crop(0, 0), crop(1, 0), crop(2, 1), crop(3, 1)];
        let blanks = |config: &TrainingConfig, weight: f32| {
            let mut folders = folders(vec![crops(), vec![crop(0, 0)]]);
            folders[1].weight = weight;
            Split::new(folders, config).trained_blanks(config)
        };
        assert!((blanks(&config, 0.0) - 1.0 / 4.0).abs() < 1e-6);
        assert!((blanks(&config, 3.0) - 4.0 / 7.0).abs() < 1e-6);
        config.source_weights.insert("source-1".to_owned(), 2.0);
        assert!((blanks(&config, 0.0) - 1.0 / 6.0).abs() < 1e-6);
        config.class_weights[0] = 5.0;
        assert!((blanks(&config, 0.0) - 5.0 / 10.0).abs() < 1e-6);
    }
}
