//! Accuracy, loss and temperature of a network on labeled crops.
//!
//! Temperature scaling after Guo et al., "On Calibration of Modern Neural Networks", 2017.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::confusion::ConfusionMatrix;
use super::hard::HardCrop;
use super::kinds::{KindEvaluation, kind_loss};
use super::reliability::Reliability;
use crate::digits::answers::Answers;
use crate::digits::labeled::LabeledCrop;
use crate::digits::logits::{CLASSES, Logits, best, class_names, softmax};
use crate::grid::Digit;

/// Range of temperatures for the search.
const TEMPERATURES: (f32, f32) = (0.2, 5.0);

/// Results on held-out crops.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Number of crops.
    pub crops: usize,
    /// Share read correctly, blanks included.
    pub accuracy: f32,
    /// Share of the crops with a digit that were read correctly.
    pub digit_accuracy: f32,
    /// Recall of each class, by its name.
    pub recall: BTreeMap<String, f32>,
    /// Precision of each class, by its name.
    #[serde(default)]
    pub precision: BTreeMap<String, f32>,
    /// Accuracy by source, and its number of crops.
    pub sources: BTreeMap<String, (f32, usize)>,
    /// Mean negative log-probability of the label, in nats, at temperature 1.
    pub loss: f32,
    /// The same at the temperature of the card.
    pub loss_calibrated: f32,
    /// Expected calibration error at temperature 1.
    pub calibration_error: f32,
    /// The same at the temperature of the card.
    pub calibration_error_calibrated: f32,
    /// Results of the second head, where the network has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinds: Option<KindEvaluation>,
}

/// Outputs of the network for labeled crops.
#[derive(Debug)]
pub(crate) struct Readings<'a> {
    /// The crops.
    pub(crate) crops: &'a [LabeledCrop],
    /// The outputs, in the same order.
    pub(crate) answers: Answers,
}

impl Readings<'_> {
    fn pairs(&self) -> impl Iterator<Item = (&Logits, usize)> {
        self.answers
            .logits
            .iter()
            .zip(self.crops.iter().map(LabeledCrop::class))
    }

    /// Returns the mean negative log-probability of the label, in nats.
    pub(crate) fn loss(&self, temperature: f32) -> f32 {
        let sum: f64 = self
            .pairs()
            .map(|(logits, label)| f64::from(loss(logits, label, temperature)))
            .sum();
        (sum / self.crops.len().max(1) as f64) as f32
    }

    /// Returns the same for the second head; 0 where there is none.
    pub(crate) fn kind_loss(&self) -> f32 {
        kind_loss(self.crops, &self.answers.kinds)
    }

    /// Returns the share of crops whose most probable class is the label.
    pub(crate) fn accuracy(&self) -> f32 {
        let right = self
            .pairs()
            .filter(|(logits, label)| best(logits) == *label);
        right.count() as f32 / self.crops.len().max(1) as f32
    }

    /// Returns how often each label was read as each class.
    pub(crate) fn confusion(&self) -> ConfusionMatrix {
        let mut matrix = ConfusionMatrix::default();
        for (logits, label) in self.pairs() {
            matrix.add(label, best(logits));
        }
        matrix
    }

    /// Returns the temperature of least loss, by golden-section search over its logarithm: the loss
    /// is convex in the inverse temperature, so it has one minimum.
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

    /// Returns the reliability table at this temperature.
    pub(crate) fn reliability(&self, temperature: f32) -> Reliability {
        let mut table = Reliability::new(temperature);
        for (logits, label) in self.pairs() {
            let class = best(logits);
            table.add(softmax(logits, temperature)[class], class == label);
        }
        table
    }

    /// Returns the crops of greatest loss, worst first, at most `count`.
    pub(crate) fn worst(&self, temperature: f32, count: usize) -> Vec<HardCrop> {
        let mut losses: Vec<(f32, usize)> = self
            .pairs()
            .map(|(logits, label)| loss(logits, label, temperature))
            .zip(0..)
            .collect();
        losses.sort_by(|(a, i), (b, j)| b.total_cmp(a).then(i.cmp(j)));
        losses.truncate(count);
        let hard = |(loss, index): (f32, usize)| {
            let logits = &self.answers.logits[index];
            let class = best(logits);
            HardCrop {
                labeled: self.crops[index].clone(),
                read: Digit::new(class as u8),
                confidence: softmax(logits, temperature)[class],
                loss,
            }
        };
        losses.into_iter().map(hard).collect()
    }

    /// Returns the results at this temperature, for the card.
    pub(crate) fn evaluate(&self, temperature: f32) -> Evaluation {
        let confusion = self.confusion();
        let blanks: usize = (0..CLASSES).map(|read| confusion.count(0, read)).sum();
        let digits = confusion.total() - blanks;
        let digits_right = confusion.correct() - confusion.count(0, 0);
        let by_class = |share: &dyn Fn(usize) -> Option<f32>| {
            let names = class_names().into_iter().enumerate();
            names
                .filter_map(|(class, name)| Some((name, share(class)?)))
                .collect()
        };
        let mut sources: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (crop, logits) in self.crops.iter().zip(&self.answers.logits) {
            let counts = sources.entry(crop.source_group().to_owned()).or_default();
            counts.0 += usize::from(best(logits) == crop.class());
            counts.1 += 1;
        }
        Evaluation {
            crops: self.crops.len(),
            accuracy: self.accuracy(),
            digit_accuracy: digits_right as f32 / digits.max(1) as f32,
            recall: by_class(&|class| confusion.recall(class)),
            precision: by_class(&|class| confusion.precision(class)),
            sources: sources
                .into_iter()
                .map(|(name, (right, all))| (name, (right as f32 / all as f32, all)))
                .collect(),
            loss: self.loss(1.0),
            loss_calibrated: self.loss(temperature),
            calibration_error: self.reliability(1.0).error(),
            calibration_error_calibrated: self.reliability(temperature).error(),
            kinds: KindEvaluation::of(self.crops, &self.answers.kinds),
        }
    }
}

/// Returns the negative log-probability of the label, in nats.
fn loss(logits: &Logits, label: usize, temperature: f32) -> f32 {
    let probability = softmax(logits, temperature)[label];
    -probability.max(f32::MIN_POSITIVE).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
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
            kind: None,
            marks: None,
            photo: String::new(),
            puzzle: String::new(),
            source: "test-1".to_owned(),
        });
        let mut logits = [0.0; CLASSES];
        logits[1] = 6.0;
        (crops.collect(), vec![logits; 400])
    }

    fn answers(logits: Vec<Logits>) -> Answers {
        Answers {
            logits,
            kinds: Vec::new(),
        }
    }

    #[test]
    fn the_fitted_temperature_calibrates_an_overconfident_reader() {
        let (crops, logits) = overconfident();
        let readings = Readings {
            crops: &crops,
            answers: answers(logits),
        };
        let temperature = readings.temperature();
        assert!(temperature > 1.2, "{temperature}");
        assert!(readings.reliability(temperature).error() < 0.01);
        assert!(readings.reliability(1.0).error() > 0.2);
        for other in [0.9 * temperature, 1.1 * temperature] {
            assert!(readings.loss(temperature) <= readings.loss(other));
        }
    }

    #[test]
    fn the_evaluation_counts_labels_and_sources() {
        let (crops, logits) = overconfident();
        let evaluation = Readings {
            crops: &crops,
            answers: answers(logits),
        }
        .evaluate(1.0);
        assert_eq!(evaluation.recall.get("1"), Some(&1.0));
        assert_eq!(evaluation.recall.get("7"), Some(&0.0));
        assert_eq!(evaluation.recall.get("blank"), None);
        assert_eq!(evaluation.precision.get("1"), Some(&0.75));
        assert_eq!(evaluation.precision.get("7"), None);
        assert_eq!(evaluation.sources.get("test"), Some(&(0.75, 400)));
    }

    #[test]
    fn the_worst_crops_have_the_highest_loss_with_ties_in_order() {
        let (crops, mut logits) = overconfident();
        logits[8][1] = 9.0;
        logits[5][1] = -1.0;
        let worst = Readings {
            crops: &crops,
            answers: answers(logits),
        }
        .worst(1.0, 102);
        assert_eq!(worst.len(), 102);
        assert!(worst.is_sorted_by(|a, b| a.loss >= b.loss));
        // A 7 read as a 1 with more certainty, then the other 7s, then the 1 that was misread.
        assert!(worst[0].loss > 9.0 && worst[1].loss < 9.0);
        assert!(
            worst[..100]
                .iter()
                .all(|hard| hard.labeled.label == Digit::new(7))
        );
        assert_eq!(worst[100].read, None);
        assert_eq!(worst[101].read, Digit::new(1));
    }
}
