//! Crops rendered for training: new ones in every epoch.

use rayon::prelude::*;

use super::hold_out::is_drawn;
use crate::digits::{CellKind, DataCard, LabeledCrop, TrainingConfig, mix};
use crate::render::{CropRenderer, RenderedCrop};

/// Largest number of held-out crops.
const MOST_HELD_OUT: usize = 6000;
/// Number of crops that identify a rendering.
const SAMPLE: usize = 200;

/// Rendered crops. Whole groups of them (writers, font families, kinds of blanks) are held out.
#[derive(Clone, Debug)]
pub(super) struct RenderedCrops {
    renderer: CropRenderer,
    config: TrainingConfig,
}

impl RenderedCrops {
    /// Returns the source of `config.rendered` crops per epoch, by its seed.
    pub(super) fn new(renderer: CropRenderer, config: &TrainingConfig) -> RenderedCrops {
        RenderedCrops {
            renderer,
            config: config.clone(),
        }
    }

    /// Returns the crops to train on in an epoch, from 1; on all threads of the current rayon pool.
    pub(super) fn of_epoch(&self, epoch: usize) -> Vec<LabeledCrop> {
        let crops = self.sequence(epoch as u64, self.config.rendered);
        crops.filter(|crop| !self.is_held_out(crop)).collect()
    }

    /// Returns the crops to hold out: of groups that no epoch shows.
    pub(super) fn held_out(&self) -> Vec<LabeledCrop> {
        let crops = self.sequence(0, self.config.rendered);
        let mut held_out: Vec<_> = crops.filter(|crop| self.is_held_out(crop)).collect();
        held_out.truncate(MOST_HELD_OUT);
        held_out
    }

    /// Returns this many blanks, split into those to train on and those to hold out.
    pub(super) fn blanks(&self, count: usize) -> (Vec<LabeledCrop>, Vec<LabeledCrop>) {
        let mut blanks: Vec<LabeledCrop> = Vec::new();
        for part in 0.. {
            if blanks.len() >= count {
                break;
            }
            let crops = self.sequence(part, count);
            blanks.par_extend(crops.filter(|crop| crop.label.is_none()));
        }
        blanks.truncate(count);
        blanks.into_iter().partition(|crop| !self.is_held_out(crop))
    }

    /// Returns their entry in the model card, with the numbers trained on and held out.
    pub(super) fn card(&self, training: usize, validation: usize) -> DataCard {
        let mut hasher = blake3::Hasher::new();
        for crop in self.sequence(0, SAMPLE).collect::<Vec<_>>() {
            hasher.update(&crop.crop.pixels[..]);
            hasher.update(&[crop.class() as u8]);
        }
        DataCard {
            name: "rendered".to_owned(),
            hash: hasher.finalize().to_string(),
            weight: 1.0,
            training,
            validation,
        }
    }

    fn sequence(&self, epoch: u64, count: usize) -> impl ParallelIterator<Item = LabeledCrop> {
        let seed = mix(self.config.seed, epoch);
        let crops = (0..count as u64).into_par_iter();
        crops.map(move |index| self.renderer.render(seed, index).into())
    }

    fn is_held_out(&self, crop: &LabeledCrop) -> bool {
        is_drawn(&crop.photo, self.config.validation, &self.config)
    }
}

impl From<RenderedCrop> for LabeledCrop {
    fn from(rendered: RenderedCrop) -> LabeledCrop {
        let group = rendered.group.split('-').next().unwrap_or_default();
        let marks = Some(rendered.marks).filter(|marks| !marks.is_empty());
        let kind = match (rendered.label, rendered.is_written, marks) {
            (Some(_), false, _) => CellKind::Printed,
            (Some(_), true, _) => CellKind::Written,
            (None, _, Some(_)) => CellKind::Marks,
            (None, _, None) => CellKind::Blank,
        };
        LabeledCrop {
            source: format!("rendered-{group}"),
            crop: rendered.crop,
            label: rendered.label,
            kind: Some(kind),
            marks,
            photo: rendered.group,
            puzzle: String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::render::{CropConfig, FontSet};

    fn rendered(seed: u64) -> RenderedCrops {
        let config = TrainingConfig {
            rendered: 1500,
            seed,
            ..TrainingConfig::default()
        };
        let renderer = CropRenderer::new(CropConfig::default(), FontSet::default());
        RenderedCrops::new(renderer, &config)
    }

    #[test]
    fn epochs_differ_and_share_no_group_with_what_is_held_out() {
        let crops = rendered(1);
        let held_out = crops.held_out();
        let groups: BTreeSet<&str> = held_out.iter().map(|crop| &*crop.photo).collect();
        let share = held_out.len() as f32 / 1500.0;
        assert!((0.05..0.2).contains(&share), "{share}");
        let epochs = [1, 2].map(|epoch| crops.of_epoch(epoch));
        for epoch in &epochs {
            assert!(epoch.len() > 1200, "{}", epoch.len());
            assert!(epoch.iter().all(|crop| !groups.contains(&*crop.photo)));
        }
        assert_ne!(epochs[0], epochs[1]);
        assert_eq!(
            epochs[0],
            rendered(1).of_epoch(1),
            "an epoch is always the same"
        );
    }

    #[test]
    fn crops_know_their_kind_and_those_with_marks_their_candidates() {
        let crops = rendered(5).of_epoch(1);
        for kind in CellKind::ALL
            .into_iter()
            .filter(|kind| *kind != CellKind::Printed)
        {
            let count = crops.iter().filter(|it| it.kind == Some(kind)).count();
            assert!(count > 50, "{count} {kind}");
        }
        for crop in &crops {
            assert_eq!(
                crop.label.is_some(),
                crop.kind.is_some_and(CellKind::is_digit)
            );
            assert_eq!(crop.marks.is_some(), crop.kind == Some(CellKind::Marks));
        }
    }

    #[test]
    fn exactly_the_requested_number_of_blanks_is_rendered() {
        let (training, held_out) = rendered(3).blanks(700);
        assert_eq!(training.len() + held_out.len(), 700);
        assert!(!held_out.is_empty() && held_out.len() < 200);
        let mut all = training.iter().chain(&held_out);
        assert!(all.all(|crop| crop.label.is_none()));
    }

    #[test]
    fn the_card_hash_depends_on_the_seed() {
        let hash = |seed| rendered(seed).card(0, 0).hash;
        assert_eq!(hash(1), hash(1));
        assert_ne!(hash(1), hash(2));
    }
}
