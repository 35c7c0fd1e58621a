//! Accuracy of the second head on kinds and candidates.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::digits::kind::{CellKind, KINDS, KindLogits, KindPosterior};
use crate::digits::labeled::LabeledCrop;
use crate::digits::logits::softmax;
use crate::grid::Digit;

/// Results of the second head on held-out crops.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KindEvaluation {
    /// Crops of which the kind is known.
    pub crops: usize,
    /// Share of them whose kind was recognized.
    pub accuracy: f32,
    /// Recall of each kind, and its number of crops.
    pub recall: BTreeMap<CellKind, (f32, usize)>,
    /// Accuracy by source, and its number of crops with a known kind.
    pub sources: BTreeMap<String, (f32, usize)>,
    /// Crops with pencil marks of which the candidates are known.
    pub marked: usize,
    /// Share of their candidates, nine per crop, that were recognized.
    pub candidates: f32,
    /// Share of these crops of which all nine were recognized.
    pub marks_exact: f32,
}

/// Number of correct answers, and of all.
type Counts = (usize, usize);

fn share((right, all): Counts) -> f32 {
    right as f32 / all.max(1) as f32
}

fn add(counts: &mut Counts, is_right: bool) {
    counts.0 += usize::from(is_right);
    counts.1 += 1;
}

impl KindEvaluation {
    /// Returns the results of the second head on these crops; `None` where it gave none, or no kind
    /// is known.
    pub(super) fn of(crops: &[LabeledCrop], kinds: &[KindLogits]) -> Option<KindEvaluation> {
        let pairs = crops.iter().zip(kinds);
        let mut kinds: BTreeMap<CellKind, Counts> = BTreeMap::new();
        let mut sources: BTreeMap<String, Counts> = BTreeMap::new();
        let (mut all, mut candidates, mut exact) =
            (Counts::default(), Counts::default(), Counts::default());
        for (crop, logits) in pairs {
            let posterior = KindPosterior::of_logits(logits)?;
            if let Some(kind) = crop.kind {
                let is_right = posterior.best() == kind;
                add(&mut all, is_right);
                add(kinds.entry(kind).or_default(), is_right);
                add(
                    sources.entry(crop.source_group().to_owned()).or_default(),
                    is_right,
                );
            }
            if let Some(marks) = crop.marks {
                let predicted = posterior.candidates();
                for digit in Digit::ALL {
                    add(
                        &mut candidates,
                        marks.contains(digit) == predicted.contains(digit),
                    );
                }
                add(&mut exact, marks == predicted);
            }
        }
        (all.1 > 0).then(|| KindEvaluation {
            crops: all.1,
            accuracy: share(all),
            recall: kinds
                .into_iter()
                .map(|(kind, it)| (kind, (share(it), it.1)))
                .collect(),
            sources: sources
                .into_iter()
                .map(|(name, it)| (name, (share(it), it.1)))
                .collect(),
            marked: exact.1,
            candidates: share(candidates),
            marks_exact: share(exact),
        })
    }
}

/// Returns the mean negative log-probability of the kinds, plus that of the candidates per crop
/// with marks, in nats; 0 where there is no second head.
pub(super) fn kind_loss(crops: &[LabeledCrop], kinds: &[KindLogits]) -> f32 {
    let pairs = crops.iter().zip(kinds);
    let (mut kinds, mut marks) = ((0.0, 0), (0.0, 0));
    for (crop, logits) in pairs {
        let (of_kinds, of_candidates) = logits.split_at(KINDS);
        if let (Some(kind), Some(of_kinds)) = (crop.kind, of_kinds.first_chunk::<KINDS>()) {
            let probability = softmax(of_kinds, 1.0)[kind.index()];
            kinds.0 -= f64::from(probability.max(f32::MIN_POSITIVE).ln());
            kinds.1 += 1;
        }
        if let Some(known) = crop.marks {
            for (digit, &logit) in Digit::ALL.into_iter().zip(of_candidates) {
                let logit = if known.contains(digit) { -logit } else { logit };
                // ln(1 + e^x) without overflow.
                marks.0 += f64::from(logit.max(0.0) + (-logit.abs()).exp().ln_1p());
            }
            marks.1 += 1;
        }
    }
    let mean = |(sum, count): (f64, usize)| sum / count.max(1) as f64;
    (mean(kinds) + mean(marks)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::kind::KIND_OUTPUTS;
    use crate::grid::DigitSet;
    use crate::vision::CellCrop;

    fn crop(kind: Option<CellKind>, marks: u16) -> LabeledCrop {
        LabeledCrop {
            crop: CellCrop {
                pixels: Box::new([0; 1024]),
                board_contrast: 1.0,
            },
            label: None,
            kind,
            marks: Some(DigitSet::from_bits(marks)).filter(|marks| !marks.is_empty()),
            photo: String::new(),
            puzzle: String::new(),
            source: "test-1".to_owned(),
        }
    }

    /// The output of a head that sees marks of 1 and 3 everywhere.
    fn said(crops: &[LabeledCrop]) -> Vec<KindLogits> {
        let mut kinds = [-4.0; KIND_OUTPUTS];
        (kinds[1], kinds[4], kinds[6]) = (4.0, 4.0, 4.0);
        vec![kinds; crops.len()]
    }

    fn evaluated(crops: &[LabeledCrop]) -> Option<KindEvaluation> {
        KindEvaluation::of(crops, &said(crops))
    }

    fn lost(crops: &[LabeledCrop]) -> f32 {
        kind_loss(crops, &said(crops))
    }

    #[test]
    fn crops_of_unknown_kind_and_unknown_marks_are_not_counted() {
        let unknown = [crop(None, 0), crop(None, 0)];
        assert_eq!(evaluated(&unknown), None);
        assert_eq!(lost(&unknown), 0.0);
        let one = [crop(Some(CellKind::Marks), 0), crop(None, 0)];
        let evaluation = evaluated(&one).unwrap();
        assert_eq!((evaluation.crops, evaluation.marked), (1, 0));
        assert_eq!(evaluation.recall[&CellKind::Marks], (1.0, 1));
    }

    #[test]
    fn kinds_and_candidates_are_counted_separately() {
        let crops = [
            crop(Some(CellKind::Marks), 0b101),
            crop(Some(CellKind::Marks), 0b111),
            crop(Some(CellKind::Printed), 0),
        ];
        let evaluation = evaluated(&crops).unwrap();
        assert_eq!((evaluation.crops, evaluation.marked), (3, 2));
        assert!((evaluation.accuracy - 2.0 / 3.0).abs() < 1e-6);
        assert!((evaluation.candidates - 17.0 / 18.0).abs() < 1e-6);
        assert_eq!(evaluation.marks_exact, 0.5);
        assert_eq!(evaluation.sources["test"].1, 3);
        let right = lost(&crops[..1]);
        let wrong = lost(&crops[1..]);
        assert!(right < 0.2 && wrong > 4.0, "{right} {wrong}");
    }
}
