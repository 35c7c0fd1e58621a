//! Posterior probabilities of one cell.

use super::kind::{CellKind, KindPosterior};
use crate::grid::Digit;

/// Probabilities of a blank and of each digit: ten non-negative numbers that sum to 1. Where the
/// network predicts it, also the kind of the cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posterior {
    contents: [f32; 10],
    kind: Option<KindPosterior>,
}

/// Largest share of the digits' probability that pencil marks can take: no misreading is
/// impossible.
const LARGEST_SHARE: f32 = 0.995;

/// Probability of pencil marks above which a cell is less and less believed to hold a digit.
const DOUBTFUL_MARKS: f32 = 0.5;

impl Posterior {
    /// Normalizes ten weights, the blank first, then the digits in order. `None` where a weight is
    /// negative or not finite, or all are zero.
    pub fn from_weights(weights: [f32; 10]) -> Option<Posterior> {
        let sum: f32 = weights.iter().sum();
        let valid = weights.iter().all(|&weight| weight >= 0.0) && sum.is_finite() && sum > 0.0;
        valid.then(|| Posterior {
            contents: weights.map(|weight| weight / sum),
            kind: None,
        })
    }

    /// Returns the posterior with the kind of its cell. Pencil marks are no digit: the likelier
    /// they are, the more of the digits' probability goes to the blank.
    #[must_use]
    pub(crate) fn with_kind(mut self, kind: KindPosterior) -> Posterior {
        let share = (kind.of(CellKind::Marks) - DOUBTFUL_MARKS) / (1.0 - DOUBTFUL_MARKS);
        if share > 0.0 {
            let digits = 1.0 - share.min(LARGEST_SHARE);
            let before = self.contents[0];
            self.contents[1..].iter_mut().for_each(|it| *it *= digits);
            self.contents[0] = before + (1.0 - before) * (1.0 - digits);
        }
        self.kind = Some(kind);
        self
    }

    /// Returns the posterior if the cell holds no pencil marks: what was believed to be marks is a digit, and only what
    /// was believed to be nothing is blank.
    #[must_use]
    pub(crate) fn without_marks(&self) -> Posterior {
        let before = self.contents[0];
        let Some(kind) = &self.kind else {
            return *self;
        };
        let others = (1.0 - kind.of(CellKind::Marks)).max(f32::EPSILON);
        let blank = kind.of(CellKind::Blank) / others;
        let blank = blank.max((1.0 - LARGEST_SHARE) * before);
        if blank >= before || before >= 1.0 {
            return *self;
        }
        let mut weights = self.contents.map(|it| it * (1.0 - blank) / (1.0 - before));
        weights[0] = blank;
        self.reweighted(weights)
    }

    /// Returns the posterior with the odds of a digit against a blank multiplied by this factor; the kind stays.
    #[must_use]
    pub(crate) fn with_digit_odds(&self, factor: f32) -> Posterior {
        let mut weights = self.contents;
        weights[1..].iter_mut().for_each(|it| *it *= factor);
        self.reweighted(weights)
    }

    /// Returns the posterior with these weights, if they are valid; the kind stays.
    fn reweighted(&self, weights: [f32; 10]) -> Posterior {
        let posterior = Posterior::from_weights(weights).unwrap_or(*self);
        Posterior {
            kind: self.kind,
            ..posterior
        }
    }

    /// Returns the mean of this posterior and others of the same cell, with the kind of this one.
    #[must_use]
    pub(crate) fn mean_with(&self, others: impl IntoIterator<Item = Posterior>) -> Posterior {
        let mut weights = self.contents;
        for other in others {
            for (weight, more) in weights.iter_mut().zip(other.contents) {
                *weight += more;
            }
        }
        self.reweighted(weights)
    }

    /// Returns the posterior with the mean of the shares that its digits and those of another one have among the digits;
    /// the blank and the kind stay.
    #[must_use]
    pub(crate) fn with_digits_of(&self, other: &Posterior) -> Posterior {
        let [digits, others] = [self, other].map(|it| it.contents[1..].iter().sum::<f32>());
        self.with_digit_weights(&std::array::from_fn(|i| {
            self.contents[i + 1] / digits + other.contents[i + 1] / others
        }))
    }

    /// Returns the posterior with its probability of a digit shared out by these weights, if they can be; the blank and
    /// the kind stay.
    #[must_use]
    pub(crate) fn with_digit_weights(&self, weights: &[f32; 9]) -> Posterior {
        let digits: f32 = self.contents[1..].iter().sum();
        let sum: f32 = weights.iter().sum();
        let mut shared = *self;
        for (content, weight) in shared.contents[1..].iter_mut().zip(weights) {
            *content = digits * weight / sum;
        }
        match sum.is_finite() && sum > 0.0 {
            true => shared,
            false => *self,
        }
    }

    /// Returns the probabilities of the kinds; `None` where the network does not predict them.
    pub const fn kind(&self) -> Option<&KindPosterior> {
        self.kind.as_ref()
    }

    /// Returns the posterior of a cell that is blank with this probability; the rest is spread
    /// evenly over the digits.
    ///
    /// # Panics
    ///
    /// If the probability is not between 0 and 1.
    pub fn blank(probability: f32) -> Posterior {
        assert!((0.0..=1.0).contains(&probability), "a probability");
        let mut weights = [(1.0 - probability) / 9.0; 10];
        weights[0] = probability;
        Posterior {
            contents: weights,
            kind: None,
        }
    }

    /// Returns the probability of this content; `None` is a blank.
    pub fn of(&self, content: Option<Digit>) -> f32 {
        self.contents[content.map_or(0, |digit| digit.value() as usize)]
    }

    /// Returns the most probable content; among equals the blank, then the smallest digit.
    pub fn best(&self) -> Option<Digit> {
        let mut best = None;
        for digit in Digit::ALL {
            if self.of(Some(digit)) > self.of(best) {
                best = Some(digit);
            }
        }
        best
    }

    /// Returns the ten probabilities, the blank first.
    pub const fn as_array(&self) -> &[f32; 10] {
        &self.contents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_of_each_probability_and_of_the_first_kind() {
        let mut weights = [0.0; 10];
        weights[3] = 1.0;
        let three = Posterior::from_weights(weights).unwrap();
        let kind = KindPosterior::of_logits(&[4.0; 13]);
        let blank = Posterior {
            kind,
            ..Posterior::blank(1.0)
        };
        let mean = blank.mean_with([three, blank, three]);
        assert_eq!(mean.of(None), 0.5);
        assert_eq!(mean.of(Digit::new(3)), 0.5);
        assert_eq!(mean.kind(), blank.kind());
        assert_eq!(blank.mean_with([]), blank);
    }

    #[test]
    fn odds_of_a_digit_change_by_their_factor_and_digits_keep_their_shares() {
        let before = Posterior::from_weights([0.5, 0.0, 0.3, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let before = before.unwrap();
        let after = before.with_digit_odds(3.0);
        assert!((after.of(None) - 0.25).abs() < 1e-6);
        assert!((after.of(Digit::new(2)) - 0.45).abs() < 1e-6);
        assert!((after.of(Digit::new(3)) - 0.3).abs() < 1e-6);
        assert_eq!(before.with_digit_odds(1.0), before);
        assert_eq!(before.with_digit_odds(f32::NAN), before);
    }

    #[test]
    fn digits_of_another_look_share_what_the_blank_leaves() {
        let posterior = |weights: &[(usize, f32)]| {
            let mut all = [0.0; 10];
            let shares = weights.iter();
            shares.for_each(|(class, weight)| all[*class] = *weight);
            Posterior::from_weights(all).unwrap()
        };
        let first = posterior(&[(0, 0.5), (3, 0.25), (8, 0.25)]);
        let closer = posterior(&[(0, 0.2), (3, 0.6), (5, 0.2)]);
        let mixed = first.with_digits_of(&closer);
        let expected = posterior(&[(0, 0.5), (3, 0.3125), (5, 0.0625), (8, 0.125)]);
        for (mixed, expected) in mixed.as_array().iter().zip(expected.as_array()) {
            assert!((mixed - expected).abs() < 1e-6);
        }
        assert_eq!(first.with_digits_of(&Posterior::blank(1.0)), first);
    }
}
