//! Compares saved training runs: which model reads its held-out crops better, and where not.

use serde::Serialize;

use super::summary::TrainingSummary;
use crate::settings::{Setting, differing};

/// Comparison of runs. Lists with one entry per run are in the order of the runs; the others are
/// compared with the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainingSideBySide {
    /// Names of the runs.
    pub runs: Vec<String>,
    /// Their summaries.
    pub summaries: Vec<TrainingSummary>,
    /// Settings that are not the same in all of them.
    pub settings: Vec<Setting>,
    /// For each run but the first, a summary of the comparison.
    pub verdicts: Vec<ModelVerdict>,
}

/// Comparison of a model with that of the first run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelVerdict {
    /// Name of the run.
    pub run: String,
    /// Why the two were not measured on the same crops, if they were not.
    pub apart: Option<&'static str>,
    /// Difference in accuracy on the held-out crops from the first run.
    pub accuracy: f32,
    /// Difference in held-out loss at the temperature of the card from the first run.
    pub loss: f32,
    /// Classes and sources with a lower accuracy, the largest difference first.
    pub weaker: Vec<Weakness>,
}

/// A class or source that a model reads worse than another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Weakness {
    /// `label 7`, or `source mnist`.
    pub what: String,
    /// Accuracy of the first run.
    pub first: f32,
    /// Accuracy of this run.
    pub own: f32,
}

impl TrainingSideBySide {
    /// Compares named runs with the first of them.
    pub fn new(runs: &[(&str, &TrainingSummary)]) -> TrainingSideBySide {
        let config = |run: &TrainingSummary| {
            serde_json::to_value(&run.card.config).expect("the settings are plain data")
        };
        let configs: Vec<_> = runs.iter().map(|(_, run)| config(run)).collect();
        let pairs = runs.first().into_iter();
        let pairs = pairs.flat_map(|(_, first)| runs[1..].iter().map(move |run| (*first, run)));
        TrainingSideBySide {
            runs: runs.iter().map(|(name, _)| (*name).to_owned()).collect(),
            summaries: runs.iter().map(|(_, run)| (*run).clone()).collect(),
            settings: differing(&configs),
            verdicts: pairs
                .map(|(first, (name, run))| verdict(name, first, run))
                .collect(),
        }
    }
}

fn verdict(name: &str, first: &TrainingSummary, run: &TrainingSummary) -> ModelVerdict {
    let (old, new) = (&first.card.validation, &run.card.validation);
    let share = |what: String, first: f32, own: f32| Weakness { what, first, own };
    let labels = new.recall.iter().filter_map(|(label, own)| {
        let first = old.recall.get(label)?;
        Some(share(format!("label {label}"), *first, *own))
    });
    let sources = new.sources.iter().filter_map(|(source, (own, _))| {
        let (first, _) = old.sources.get(source)?;
        Some(share(format!("source {source}"), *first, *own))
    });
    let both = labels.chain(sources);
    let mut weaker: Vec<Weakness> = both.filter(|share| share.own < share.first).collect();
    weaker.sort_by(|a, b| (b.first - b.own).total_cmp(&(a.first - a.own)));
    ModelVerdict {
        run: name.to_owned(),
        apart: why_apart(first, run),
        accuracy: new.accuracy - old.accuracy,
        loss: new.loss_calibrated - old.loss_calibrated,
        weaker,
    }
}

/// Returns why two runs did not hold out the same crops: the data, or the settings of the split.
fn why_apart(first: &TrainingSummary, run: &TrainingSummary) -> Option<&'static str> {
    let data = |run: &TrainingSummary| {
        let data = run.card.data.iter();
        let data = data.map(|data| (data.hash.clone(), data.validation));
        data.collect::<Vec<_>>()
    };
    let choice = |run: &TrainingSummary| {
        let config = run.card.config.clone();
        (
            config.seed,
            config.validation,
            config.exclude_sources,
            config.validation_sources,
            config.validation_shares,
        )
    };
    if data(first) != data(run) {
        Some("other data were held out")
    } else if choice(first) != choice(run) {
        Some("other crops of the data were held out")
    } else {
        None
    }
}
