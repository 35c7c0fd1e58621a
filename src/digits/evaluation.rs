//! How good a network is on crops it was not trained on: confusion matrix, recall, calibration.
//!
//! Temperature scaling and the expected calibration error (15 bins) after Guo et al., "On
//! Calibration of Modern Neural Networks", 2017.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::labeled::LabeledCrop;
use super::logits::{CLASSES, Logits, best, class_names, softmax};

/// Bins of the expected calibration error.
const BINS: usize = 15;
/// Temperatures that are tried, and the steps of the search between them.
const TEMPERATURES: (f32, f32) = (0.2, 5.0);

/// How often a crop of each label was read as each class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfusionMatrix {
    counts: [[usize; CLASSES]; CLASSES],
}

impl ConfusionMatrix {
    /// Counts one crop.
    pub fn add(&mut self, label: usize, read: usize) {
        self.counts[label][read] += 1;
    }

    /// Crops of this label that were read as this class.
    pub fn count(&self, label: usize, read: usize) -> usize {
        self.counts[label][read]
    }

    /// All crops counted.
    pub fn total(&self) -> usize {
        self.counts.iter().flatten().sum()
    }

    /// Crops read right.
    pub fn correct(&self) -> usize {
        (0..CLASSES).map(|class| self.counts[class][class]).sum()
    }

    /// Share of this label's crops that were read right; `None` where there are none.
    pub fn recall(&self, label: usize) -> Option<f32> {
        let all: usize = self.counts[label].iter().sum();
        (all > 0).then(|| self.counts[label][label] as f32 / all as f32)
    }

    /// As CSV: a row a label, a column a class.
    pub fn to_csv(&self) -> String {
        let names = class_names();
        let mut csv = format!("label,{}\n", names.join(","));
        for (name, row) in names.iter().zip(&self.counts) {
            let row: Vec<String> = row.iter().map(usize::to_string).collect();
            // Writing into a string cannot fail.
            let _ = writeln!(csv, "{name},{}", row.join(","));
        }
        csv
    }
}

/// Results on held-out crops.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Crops read.
    pub crops: usize,
    /// Share read right, blanks included.
    pub accuracy: f32,
    /// Share of the crops with a digit that were read right.
    pub digit_accuracy: f32,
    /// Share read right of each label, by the name of its class.
    pub recall: BTreeMap<String, f32>,
    /// Share read right of each source, and how many crops it has.
    pub sources: BTreeMap<String, (f32, usize)>,
    /// Mean negative log-probability of the label, in nats, at temperature 1.
    pub loss: f32,
    /// The same at the temperature of the card.
    pub loss_calibrated: f32,
    /// Expected calibration error at temperature 1.
    pub calibration_error: f32,
    /// The same at the temperature of the card.
    pub calibration_error_calibrated: f32,
}

/// What the network said about labeled crops.
#[derive(Debug)]
pub(crate) struct Readings<'a> {
    /// The crops.
    pub(crate) crops: &'a [LabeledCrop],
    /// Ten logits each, in the same order.
    pub(crate) logits: Vec<Logits>,
}

impl Readings<'_> {
    fn pairs(&self) -> impl Iterator<Item = (&Logits, usize)> {
        self.logits
            .iter()
            .zip(self.crops.iter().map(LabeledCrop::class))
    }

    /// Mean negative log-probability of the label, in nats.
    pub(crate) fn loss(&self, temperature: f32) -> f32 {
        let sum: f64 = self
            .pairs()
            .map(|(logits, label)| {
                let probability = softmax(logits, temperature)[label];
                -f64::from(probability.max(f32::MIN_POSITIVE).ln())
            })
            .sum();
        (sum / self.crops.len().max(1) as f64) as f32
    }

    /// Share of crops whose most probable class is the label.
    pub(crate) fn accuracy(&self) -> f32 {
        let right = self
            .pairs()
            .filter(|(logits, label)| best(logits) == *label);
        right.count() as f32 / self.crops.len().max(1) as f32
    }

    /// How often each label was read as each class.
    pub(crate) fn confusion(&self) -> ConfusionMatrix {
        let mut matrix = ConfusionMatrix::default();
        for (logits, label) in self.pairs() {
            matrix.add(label, best(logits));
        }
        matrix
    }

    /// The temperature of least loss, by golden-section search over its logarithm: the loss is
    /// convex in the inverse temperature, so it has one minimum.
    pub(crate) fn temperature(&self) -> f32 {
        let ratio = (5f32.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (TEMPERATURES.0.ln(), TEMPERATURES.1.ln());
        while high - low > 1e-3 {
            let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
            if self.loss(a.exp()) < self.loss(b.exp()) {
                high = b;
            } else {
                low = a;
            }
        }
        ((low + high) / 2.0).exp()
    }

    /// Mean distance between confidence and accuracy over bins of confidence.
    pub(crate) fn calibration_error(&self, temperature: f32) -> f32 {
        let mut bins = [(0usize, 0usize, 0.0f32); BINS];
        for (logits, label) in self.pairs() {
            let class = best(logits);
            let confidence = softmax(logits, temperature)[class];
            let bin = ((confidence * BINS as f32) as usize).min(BINS - 1);
            bins[bin].0 += 1;
            bins[bin].1 += usize::from(class == label);
            bins[bin].2 += confidence;
        }
        let distance: f32 = bins
            .iter()
            .map(|&(_, right, confidence)| (right as f32 - confidence).abs())
            .sum();
        distance / self.crops.len().max(1) as f32
    }

    /// Everything a card says about these readings.
    pub(crate) fn evaluate(&self, temperature: f32) -> Evaluation {
        let confusion = self.confusion();
        let blanks: usize = (0..CLASSES).map(|read| confusion.count(0, read)).sum();
        let digits = confusion.total() - blanks;
        let digits_right = confusion.correct() - confusion.count(0, 0);
        let recalls = class_names().into_iter().enumerate();
        let mut sources: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (crop, logits) in self.crops.iter().zip(&self.logits) {
            let counts = sources.entry(crop.source_group().to_owned()).or_default();
            counts.0 += usize::from(best(logits) == crop.class());
            counts.1 += 1;
        }
        Evaluation {
            crops: self.crops.len(),
            accuracy: self.accuracy(),
            digit_accuracy: digits_right as f32 / digits.max(1) as f32,
            recall: recalls
                .filter_map(|(class, name)| Some((name, confusion.recall(class)?)))
                .collect(),
            sources: sources
                .into_iter()
                .map(|(name, (right, all))| (name, (right as f32 / all as f32, all)))
                .collect(),
            loss: self.loss(1.0),
            loss_calibrated: self.loss(temperature),
            calibration_error: self.calibration_error(1.0),
            calibration_error_calibrated: self.calibration_error(temperature),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Digit;
    use crate::vision::CellCrop;

    /// A reader that is right three times in four but always says 98 %.
    fn overconfident() -> (Vec<LabeledCrop>, Vec<Logits>) {
        let crop = CellCrop {
            pixels: Box::new([0; 1024]),
            board_contrast: 1.0,
        };
        let crops = (0..400).map(|i| LabeledCrop {
            crop: crop.clone(),
            label: Digit::new(if i % 4 == 0 { 7 } else { 1 }),
            photo: String::new(),
            source: "test-1".to_owned(),
        });
        let mut logits = [0.0; CLASSES];
        logits[1] = 6.0;
        (crops.collect(), vec![logits; 400])
    }

    #[test]
    fn the_fitted_temperature_calibrates_an_overconfident_reader() {
        let (crops, logits) = overconfident();
        let readings = Readings {
            crops: &crops,
            logits,
        };
        let temperature = readings.temperature();
        assert!(temperature > 1.2, "{temperature}");
        assert!(readings.calibration_error(temperature) < 0.01);
        assert!(readings.calibration_error(1.0) > 0.2);
        for other in [0.9 * temperature, 1.1 * temperature] {
            assert!(readings.loss(temperature) <= readings.loss(other));
        }
    }

    #[test]
    fn the_evaluation_counts_labels_and_sources() {
        let (crops, logits) = overconfident();
        let evaluation = Readings {
            crops: &crops,
            logits,
        }
        .evaluate(1.0);
        assert_eq!(evaluation.recall.get("1"), Some(&1.0));
        assert_eq!(evaluation.recall.get("7"), Some(&0.0));
        assert_eq!(evaluation.recall.get("blank"), None);
        assert_eq!(evaluation.sources.get("test"), Some(&(0.75, 400)));
    }
}
