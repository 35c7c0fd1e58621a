//! The training loss: cross entropy of contents and kinds, and binary cross entropy of each
//! candidate, each over the crops for which it is known.

use burn::tensor::{Device, Tensor, TensorData, activation};

use crate::digits::{
    CLASSES, KIND_OUTPUTS, KINDS, LabeledCrop, TrainedAnswers, TrainingConfig, best,
};
use crate::grid::Digit;

/// Number of crops of a batch with known answers.
pub(super) struct Known {
    /// Sum of the weights of their classes.
    weight: f32,
    /// Number of crops of a known kind.
    kinds: usize,
    /// Number of crops of known marks.
    marks: usize,
}

impl Known {
    pub(super) fn of<'a>(
        crops: impl Iterator<Item = &'a LabeledCrop>,
        config: &TrainingConfig,
    ) -> Known {
        let mut known = Known {
            weight: 0.0,
            kinds: 0,
            marks: 0,
        };
        for crop in crops {
            known.weight += config.class_weights[crop.class()];
            known.kinds += usize::from(crop.kind.is_some());
            known.marks += usize::from(crop.marks.is_some());
        }
        known
    }
}

/// Targets for the crops of a shard.
pub(super) struct Targets {
    /// `[n, 10]`: smoothed, multiplied by the weight of the class.
    contents: Tensor<2>,
    /// `[n, 4]`: a row of zeros where the kind is not known.
    kinds: Tensor<2>,
    /// `[n, 9]` each: which candidates are marked, and for which this is known.
    marks: [Tensor<2>; 2],
    classes: Vec<usize>,
    known_kinds: Vec<Option<usize>>,
    weight: f64,
}

/// Sums over crops: of a shard, then of an epoch.
#[derive(Default)]
pub(super) struct Pass {
    pub(super) loss: f64,
    pub(super) weight: f64,
    pub(super) right: usize,
    /// Number of crops with a known content.
    pub(super) judged: usize,
    pub(super) crops: usize,
}

impl Pass {
    pub(super) fn loss(&self) -> f32 {
        (self.loss / self.weight.max(f64::MIN_POSITIVE)) as f32
    }

    pub(super) fn accuracy(&self) -> f32 {
        self.right as f32 / self.judged.max(1) as f32
    }

    pub(super) fn crops(&self) -> usize {
        self.crops
    }

    pub(super) fn add(&mut self, other: &Pass) {
        self.loss += other.loss;
        self.weight += other.weight;
        self.right += other.right;
        self.judged += other.judged;
        self.crops += other.crops;
    }
}

/// Losses of a shard.
pub(super) struct Losses {
    /// The loss to minimize: those of the shards of a batch add up.
    pub(super) total: Tensor<1>,
    pub(super) pass: Pass,
}

impl Targets {
    pub(super) fn new<'a>(
        crops: impl Iterator<Item = &'a LabeledCrop>,
        config: &TrainingConfig,
        device: &Device,
    ) -> Targets {
        let (mut contents, mut kinds) = (Vec::new(), Vec::new());
        let mut marks = [Vec::new(), Vec::new()];
        let (mut classes, mut known_kinds) = (Vec::new(), Vec::new());
        let mut weight_of_all = 0.0;
        for crop in crops {
            let label = crop.class();
            let weight = config.class_weights[label];
            weight_of_all += f64::from(weight);
            let smoothing = config.label_smoothing;
            let mut row = [weight * smoothing / CLASSES as f32; CLASSES];
            row[label] += weight * (1.0 - smoothing);
            contents.extend(row);
            let kind = crop.kind.map(|kind| kind.index());
            kinds.extend((0..KINDS).map(|index| f32::from(u8::from(kind == Some(index)))));
            for digit in Digit::ALL {
                let is_marked = crop.marks.is_some_and(|marks| marks.contains(digit));
                marks[0].push(f32::from(u8::from(is_marked)));
                marks[1].push(f32::from(u8::from(crop.marks.is_some())));
            }
            classes.push(label);
            known_kinds.push(kind);
        }
        let n = classes.len();
        let tensor = |values: Vec<f32>| {
            let columns = values.len() / n;
            Tensor::<2>::from_data(TensorData::new(values, [n, columns]), device)
        };
        Targets {
            contents: tensor(contents),
            kinds: tensor(kinds),
            marks: marks.map(tensor),
            classes,
            known_kinds,
            weight: weight_of_all,
        }
    }

    /// Returns the losses of these outputs. In the mean over a batch a crop counts by the weight of
    /// its class.
    pub(super) fn losses(
        self,
        answers: &TrainedAnswers,
        known: &Known,
        config: &TrainingConfig,
    ) -> Losses {
        let weight = known.weight.max(f32::MIN_POSITIVE);
        let mut pass = Pass {
            weight: self.weight,
            crops: self.classes.len(),
            ..Pass::default()
        };
        let mut parts: Vec<Tensor<1>> = Vec::new();
        if let Some(logits) = &answers.logits {
            let likelihood = activation::log_softmax(logits.clone(), 1) * self.contents;
            parts.push(likelihood.sum().neg().div_scalar(weight));
            let rows = values(logits.clone().without_autodiff());
            let rows = rows.as_chunks::<CLASSES>().0.iter();
            pass.judged = self.classes.len();
            pass.right = rows
                .zip(&self.classes)
                .filter(|(row, class)| best(row) == **class)
                .count();
        }
        if let Some(outputs) = &answers.kinds {
            let kinds = outputs.clone().narrow(1, 0, KINDS);
            let likelihood = activation::log_softmax(kinds, 1) * self.kinds;
            let share = config.kind_weight / known.kinds.max(1) as f32;
            parts.push(likelihood.sum().neg().mul_scalar(share));
            let logits = outputs.clone().narrow(1, KINDS, KIND_OUTPUTS - KINDS);
            let [marked, is_known] = self.marks;
            // ln(1 + e^x) without overflow.
            let softplus =
                (logits.clone().abs().neg().exp() + 1.0).log() + activation::relu(logits.clone());
            let loss = (softplus - logits * marked) * is_known;
            let share = config.kind_weight / known.marks.max(1) as f32;
            parts.push(loss.sum().mul_scalar(share));
            if answers.logits.is_none() {
                let rows = values(outputs.clone().without_autodiff());
                let rows = rows.as_chunks::<KIND_OUTPUTS>().0.iter();
                for (row, kind) in rows.zip(&self.known_kinds) {
                    let better = |a, b| if row[b] > row[a] { b } else { a };
                    let predicted = (0..KINDS).fold(0, better);
                    pass.judged += usize::from(kind.is_some());
                    pass.right += usize::from(*kind == Some(predicted));
                }
            }
        }
        let total = parts.into_iter().reduce(|sum, part| sum + part);
        let total = total.expect("a network answers something");
        let mean = values(total.clone().without_autodiff())[0];
        pass.loss = f64::from(mean) * f64::from(known.weight);
        Losses { total, pass }
    }
}

/// Returns the values of a tensor, row by row.
pub(super) fn values<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    let data = tensor.into_data();
    data.as_slice::<f32>()
        .expect("the network computes in f32")
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::CellKind;
    use crate::grid::DigitSet;
    use crate::vision::CellCrop;

    fn crop(label: u8, kind: Option<CellKind>, marks: u16) -> LabeledCrop {
        LabeledCrop {
            crop: CellCrop {
                pixels: Box::new([0; 1024]),
                board_contrast: 1.0,
            },
            label: Digit::new(label),
            kind,
            marks: Some(DigitSet::from_bits(marks)).filter(|marks| !marks.is_empty()),
            photo: String::new(),
            puzzle: String::new(),
            source: String::new(),
        }
    }

    /// The loss of a second head with these outputs for each crop, without the first head.
    fn loss(crops: &[LabeledCrop], outputs: [f32; KIND_OUTPUTS]) -> (f32, Pass) {
        let config = TrainingConfig {
            kind_weight: 1.0,
            ..TrainingConfig::default()
        };
        let device = Device::flex().autodiff();
        let rows = TensorData::new(outputs.repeat(crops.len()), [crops.len(), KIND_OUTPUTS]);
        let answers = TrainedAnswers {
            logits: None,
            kinds: Some(Tensor::from_data(rows, &device)),
            statistics: Vec::new(),
        };
        let targets = Targets::new(crops.iter(), &config, &device);
        let known = Known::of(crops.iter(), &config);
        let losses = targets.losses(&answers, &known, &config);
        (values(losses.total.without_autodiff())[0], losses.pass)
    }

    #[test]
    fn unknown_labels_add_no_loss() {
        let mut outputs = [0.0; KIND_OUTPUTS];
        (outputs[3], outputs[5]) = (9.0, 9.0);
        let (unknown, pass) = loss(&[crop(3, None, 0), crop(0, None, 0)], outputs);
        assert_eq!((unknown, pass.judged, pass.crops), (0.0, 0, 2));
        let (right, pass) = loss(
            &[crop(3, Some(CellKind::Written), 0), crop(0, None, 0)],
            outputs,
        );
        assert!(right < 1e-3, "{right}");
        assert_eq!((pass.judged, pass.right), (1, 1));
        let (wrong, pass) = loss(&[crop(3, Some(CellKind::Printed), 0)], outputs);
        assert!((wrong - 9.0).abs() < 0.01, "{wrong}");
        assert_eq!((pass.judged, pass.right), (1, 0));
    }

    #[test]
    fn wrong_candidates_increase_the_loss() {
        let mut outputs = [-9.0; KIND_OUTPUTS];
        (outputs[1], outputs[KINDS]) = (9.0, 9.0);
        let (right, _) = loss(&[crop(0, Some(CellKind::Marks), 0b1)], outputs);
        assert!(right < 0.01, "{right}");
        let (wrong, _) = loss(&[crop(0, Some(CellKind::Marks), 0b11)], outputs);
        assert!((wrong - 9.0).abs() < 0.01, "{wrong}");
    }
}
