//! Settings of a training run, saved again in the model card.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::kind::CellKind;
use super::logits::CLASSES;
use super::net_config::NetConfig;

/// How strongly crops are distorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Augment {
    /// Not at all.
    None,
    /// Geometry only, half as strong.
    Light,
    /// Geometry, light, blur, noise, line fragments, sometimes inverted.
    #[default]
    Full,
}

/// Settings of a training run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainingConfig {
    /// Passes over the data.
    pub epochs: usize,
    /// Crops per step of the optimizer.
    pub batch_size: usize,
    /// Number of parts of a batch that are computed in parallel, each with its own batch
    /// statistics. It changes the result, so it is a setting and not the number of threads.
    pub shards: usize,
    /// Largest learning rate, reached after the warm-up; then it decays to 0 by half a cosine.
    pub learning_rate: f64,
    /// Number of epochs of linear warm-up.
    pub warmup: f64,
    /// Decoupled weight decay of AdamW.
    pub weight_decay: f32,
    /// Share of hidden units that are dropped.
    pub dropout: f32,
    /// Share of the target's probability that is spread evenly over all classes.
    pub label_smoothing: f32,
    /// How strongly crops are distorted.
    pub augment: Augment,
    /// Number of new crops rendered for each epoch.
    pub rendered: usize,
    /// Share of the puzzles and photos that are held out, at least 0 and below 1.
    pub validation: f32,
    /// Epochs without a lower held-out loss after which training stops; 0 never stops.
    pub patience: usize,
    /// Weight of each class in the loss, the blank first; above 0.
    pub class_weights: [f32; CLASSES],
    /// Times that a crop is drawn per epoch, by the prefix of its source; the longest prefix wins,
    /// 1 where none matches.
    pub source_weights: BTreeMap<String, f32>,
    /// CellKind of the crops whose row does not state it, by the prefix of their source; the longest
    /// prefix wins. `printed` and `written` apply to crops with a digit, `blank` and `marks` to
    /// those without.
    pub source_kinds: BTreeMap<String, CellKind>,
    /// Weight of the losses of the second head, of kinds and of candidates, beside that of the
    /// contents.
    pub kind_weight: f32,
    /// Whether only the second head is trained: all else stays as in the model that training starts
    /// from.
    pub frozen: bool,
    /// Share of the weights of the model that training starts from in those of the result, at least 0 and
    /// below 1, likewise of its temperature and its share of blanks. The more is kept, the better the
    /// result reads what that model read (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
    pub keep: f32,
    /// Prefixes of sources whose crops are left out.
    pub exclude_sources: Vec<String>,
    /// Prefixes of sources whose crops are held out, whatever their puzzle and photo.
    pub validation_sources: Vec<String>,
    /// Share of the puzzles and photos that are held out instead of `validation`, by the prefix of
    /// their source; the longest prefix wins.
    pub validation_shares: BTreeMap<String, f32>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Size of the network.
    pub net: NetConfig,
}

impl Default for TrainingConfig {
    fn default() -> TrainingConfig {
        TrainingConfig {
            epochs: 30,
            batch_size: 128,
            shards: 2,
            learning_rate: 2e-3,
            warmup: 1.0,
            weight_decay: 1e-2,
            dropout: 0.3,
            label_smoothing: 0.02,
            augment: Augment::Full,
            rendered: 0,
            validation: 0.1,
            patience: 0,
            class_weights: [1.0; CLASSES],
            source_weights: BTreeMap::new(),
            source_kinds: [
                ("rendered-font", CellKind::Printed),
                ("rendered-hand", CellKind::Written),
            ]
            .map(|(source, kind)| (source.to_owned(), kind))
            .into(),
            kind_weight: 0.1,
            frozen: false,
            keep: 0.5,
            exclude_sources: Vec::new(),
            validation_sources: Vec::new(),
            validation_shares: BTreeMap::new(),
            seed: 0,
            net: NetConfig::default(),
        }
    }
}

impl TrainingConfig {
    /// Returns the settings for training on rendered crops, of which there are as many as wanted:
    /// ten minutes on two cores.
    pub fn of_rendered_crops() -> TrainingConfig {
        TrainingConfig {
            epochs: 10,
            dropout: 0.2,
            label_smoothing: 0.01,
            rendered: 80_000,
            net: NetConfig {
                widths: vec![20, 40, 80, 80],
                ..NetConfig::default()
            },
            ..TrainingConfig::default()
        }
    }

    /// Returns what is wrong with these settings, if anything is.
    pub(crate) fn problem(&self) -> Option<String> {
        let positive = |value: f64| value.is_finite() && value > 0.0;
        let share = |value: f32| (0.0..1.0).contains(&value);
        if self.epochs == 0 || self.batch_size == 0 || self.shards == 0 {
            Some("epochs, batch_size and shards must be at least 1".to_owned())
        } else if !positive(self.learning_rate) {
            Some(format!(
                "learning_rate must be above 0, not {}",
                self.learning_rate
            ))
        } else if !(self.warmup.is_finite() && self.warmup >= 0.0) {
            Some(format!("warmup must be at least 0, not {}", self.warmup))
        } else if !(self.weight_decay.is_finite() && self.weight_decay >= 0.0) {
            Some(format!(
                "weight_decay must be at least 0, not {}",
                self.weight_decay
            ))
        } else if ![
            self.dropout,
            self.label_smoothing,
            self.validation,
            self.keep,
        ]
        .into_iter()
        .all(share)
        {
            Some(
                "dropout, label_smoothing, validation and keep must be at least 0 and below 1"
                    .to_owned(),
            )
        } else if let Some((source, value)) = self
            .validation_shares
            .iter()
            .find(|(_, value)| !share(**value))
        {
            Some(format!(
                "validation_shares must be at least 0 and below 1, not {value} for `{source}`"
            ))
        } else if let Some(weight) = self
            .class_weights
            .iter()
            .find(|it| !positive((**it).into()))
        {
            Some(format!("class_weights must be above 0, not {weight}"))
        } else if let Some((source, weight)) = self
            .source_weights
            .iter()
            .find(|(_, weight)| !(weight.is_finite() && **weight >= 0.0))
        {
            Some(format!(
                "source_weights must be at least 0, not {weight} for `{source}`"
            ))
        } else if !(self.kind_weight.is_finite() && self.kind_weight >= 0.0) {
            Some(format!(
                "kind_weight must be at least 0, not {}",
                self.kind_weight
            ))
        } else if self.frozen && self.net.kind_units == 0 {
            Some("frozen leaves nothing to learn to a network whose kind_units are 0".to_owned())
        } else if let Some(setting) = self.nameless() {
            Some(format!(
                "{setting} has an empty source, which every source starts with"
            ))
        } else {
            self.net.problem()
        }
    }

    /// Returns the setting in which a source has an empty name.
    fn nameless(&self) -> Option<&'static str> {
        let lists = [
            ("exclude_sources", &self.exclude_sources),
            ("validation_sources", &self.validation_sources),
        ];
        let tables = [
            ("source_weights", &self.source_weights),
            ("validation_shares", &self.validation_shares),
        ];
        if self.source_kinds.contains_key("") {
            return Some("source_kinds");
        }
        let lists = lists
            .into_iter()
            .filter(|(_, it)| it.contains(&String::new()));
        let tables = tables.into_iter().filter(|(_, it)| it.contains_key(""));
        let names = lists.map(|(name, _)| name);
        names.chain(tables.map(|(name, _)| name)).next()
    }

    /// Returns how many times a crop of this source is drawn per epoch.
    pub(crate) fn source_weight(&self, source: &str) -> f32 {
        longest_start(&self.source_weights, source).unwrap_or(1.0)
    }

    /// Returns the kind of crops of this source, with a digit or without one.
    pub(crate) fn source_kind(&self, source: &str, is_digit: bool) -> Option<CellKind> {
        let fitting = self
            .source_kinds
            .iter()
            .filter(|(start, kind)| source.starts_with(*start) && kind.is_digit() == is_digit);
        let longest = fitting.max_by_key(|(start, _)| start.len());
        longest.map(|(_, &kind)| kind)
    }

    /// Returns the share of the photos of this source that are held out.
    pub(crate) fn validation_share(&self, source: &str) -> f32 {
        longest_start(&self.validation_shares, source).unwrap_or(self.validation)
    }
}

/// Returns the value of the longest key that is a prefix of the source.
fn longest_start(values: &BTreeMap<String, f32>, source: &str) -> Option<f32> {
    let fitting = values
        .iter()
        .filter(|(start, _)| source.starts_with(*start));
    fitting
        .max_by_key(|(start, _)| start.len())
        .map(|(_, &value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_invalid_setting_is_named() {
        type Change = fn(&mut TrainingConfig);
        let cases: [(&str, Change); 21] = [
            ("epochs", |it| it.epochs = 0),
            ("batch_size", |it| it.batch_size = 0),
            ("shards", |it| it.shards = 0),
            ("learning_rate", |it| it.learning_rate = f64::NAN),
            ("warmup", |it| it.warmup = -1.0),
            ("weight_decay", |it| it.weight_decay = f32::INFINITY),
            ("dropout", |it| it.dropout = 1.0),
            ("label_smoothing", |it| it.label_smoothing = -0.1),
            ("validation ", |it| it.validation = 1.0),
            ("keep", |it| it.keep = 1.0),
            ("validation_shares", |it| {
                insert(&mut it.validation_shares, "a", 1.0)
            }),
            ("validation_shares", |it| {
                insert(&mut it.validation_shares, "a", -0.1)
            }),
            ("validation_shares", |it| {
                insert(&mut it.validation_shares, "a", f32::NAN)
            }),
            ("validation_shares", |it| {
                insert(&mut it.validation_shares, "", 0.5)
            }),
            ("class_weights", |it| it.class_weights[3] = 0.0),
            ("class_weights", |it| it.class_weights[0] = f32::INFINITY),
            ("source_weights", |it| {
                insert(&mut it.source_weights, "a", -1.0)
            }),
            ("source_weights", |it| {
                insert(&mut it.source_weights, "", 1.0)
            }),
            ("exclude_sources", |it| {
                it.exclude_sources.push(String::new())
            }),
            ("validation_sources", |it| {
                it.validation_sources.push(String::new())
            }),
            ("widths", |it| it.net.widths.clear()),
        ];
        assert_eq!(TrainingConfig::default().problem(), None);
        for (name, change) in cases {
            let mut config = TrainingConfig::default();
            change(&mut config);
            let problem = config.problem().unwrap_or_default();
            assert!(problem.contains(name), "{name}: {problem}");
        }
        let mut fine = TrainingConfig::default();
        insert(&mut fine.validation_shares, "a", 0.0);
        insert(&mut fine.source_weights, "a", 0.0);
        assert_eq!(fine.problem(), None);
    }

    fn insert(values: &mut BTreeMap<String, f32>, source: &str, value: f32) {
        values.insert(source.to_owned(), value);
    }
}
