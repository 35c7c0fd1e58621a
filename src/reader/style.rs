//! What the network sees in the digits of one page, or of one board.
//!
//! The boards of a page are printed alike, so what the network takes a blurred digit for, it takes that digit of the
//! whole page for. So it is with unusual print within a board. Method: the nearest class mean, of the logarithms of the
//! network's probabilities (style-consistent classification: P. Sarkar and G. Nagy, "Style consistent classification of
//! isogenous patterns", 2005).

use crate::digits::Posterior;
use crate::grid::{CellMap, Digit, Puzzle};

/// Number of digits.
const DIGITS: usize = Digit::ALL.len();

/// Fewest digits that make a style.
const FEWEST: usize = 20;

/// Least share of a digit that counts, as a logarithm: the network is never surer.
const LEAST: f32 = -9.2;

/// Number of digits as the network sees clear ones that each mean begins with.
const CLEAR_DIGITS: f32 = 2.0;

/// Least variance around the means, in nats squared.
const LEAST_VARIANCE: f32 = 1.0;

/// Factor of the variance: the shares of a cell are not independent of each other.
const DEPENDENCE: f32 = 4.0;

/// Least evidence that no two digits are taken for each other, in nats: the rules hold as well with a digit for another
/// one all over a page.
const LEAST_EVIDENCE: f32 = 2.0;

/// Logarithms of the shares that the digits have in the posterior of a cell; their mean is 0.
type Shares = [f32; DIGITS];

/// What the network sees in each digit of some boards that are printed alike.
#[derive(Clone, Debug)]
pub(super) struct Style {
    means: [Shares; DIGITS],
    variance: f32,
}

impl Style {
    /// Returns the style of boards, each with what the network saw and what it was read as. `None` where they hold too
    /// few digits, or two digits may be taken for each other.
    pub(super) fn of<'a>(
        boards: impl IntoIterator<Item = (&'a CellMap<Posterior>, &'a Puzzle)>,
    ) -> Option<Style> {
        let mut samples: [Vec<Shares>; DIGITS] = Default::default();
        for (seen, read) in boards {
            let is_seen = |cell| seen[cell].best().is_some();
            for (cell, digit) in read.givens().filter(|(cell, _)| is_seen(*cell)) {
                samples[digit.index()].push(shares(&seen[cell]));
            }
        }
        let count: usize = samples.iter().map(Vec::len).sum();
        if count < FEWEST || evidence(&samples) < LEAST_EVIDENCE {
            return None;
        }
        let means: [Shares; DIGITS] =
            std::array::from_fn(|digit| mean(&samples[digit], digit, CLEAR_DIGITS));
        let of_digit = |(samples, mean): (&Vec<Shares>, &Shares)| {
            samples.iter().map(|it| distance(it, mean)).sum::<f32>()
        };
        let distances: f32 = samples.iter().zip(&means).map(of_digit).sum();
        let variance = (distances / (DIGITS * count) as f32).max(LEAST_VARIANCE);
        Some(Style {
            means,
            variance: variance * DEPENDENCE,
        })
    }

    /// Returns the posteriors of a board, given what the network saw and what it was read as: those of each cell in the
    /// style of the other cells.
    pub(super) fn read_board(seen: &CellMap<Posterior>, read: &Puzzle) -> CellMap<Posterior> {
        CellMap::from_fn(|cell| {
            let mut others = *read;
            others.set(cell, None);
            let style = Style::of([(seen, &others)]);
            style.map_or(seen[cell], |style| style.read(&seen[cell]))
        })
    }

    /// Returns the posterior of a cell of this style. Whether it is blank remains what the network saw, and so does its
    /// kind.
    pub(super) fn read(&self, seen: &Posterior) -> Posterior {
        let shares = shares(seen);
        let likelihood = |mean: &Shares| (-distance(mean, &shares) / (2.0 * self.variance)).exp();
        seen.with_digit_weights(&self.means.map(|mean| likelihood(&mean)))
    }
}

/// Returns the shares of the digits in what the network saw in a cell.
fn shares(seen: &Posterior) -> Shares {
    let digits = &seen.as_array()[1..];
    let sum: f32 = digits.iter().sum();
    let logs: Shares = std::array::from_fn(|i| (digits[i] / sum).ln().max(LEAST));
    let mean = logs.iter().sum::<f32>() / DIGITS as f32;
    logs.map(|log| log - mean)
}

/// Returns the mean of the samples of a digit and of so many clear ones.
fn mean(samples: &[Shares], digit: usize, clear: f32) -> Shares {
    let count = samples.len() as f32 + clear;
    std::array::from_fn(|i| {
        let of_clear = LEAST / DIGITS as f32 - if i == digit { LEAST } else { 0.0 };
        (samples.iter().map(|it| it[i]).sum::<f32>() + clear * of_clear) / count
    })
}

/// Returns the least evidence for a pair of digits, in nats: how much more likely the mean of each is that digit than
/// that they are each other.
fn evidence(samples: &[Vec<Shares>; DIGITS]) -> f32 {
    let seen: Vec<usize> = (0..DIGITS)
        .filter(|digit| !samples[*digit].is_empty())
        .collect();
    let means: [Shares; DIGITS] = std::array::from_fn(|digit| mean(&samples[digit], digit, 0.0));
    let pairs = seen.iter().flat_map(|a| seen.iter().map(move |b| (*a, *b)));
    pairs
        .filter(|(a, b)| a != b)
        .map(|(a, b)| means[a][a] + means[b][b] - means[a][b] - means[b][a])
        .fold(f32::INFINITY, f32::min)
}

/// Returns the square of the distance of two points.
fn distance(a: &Shares, b: &Shares) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::digits::{CellKind, KindPosterior};
    use crate::reader::cells::tests::posterior;

    /// A board of which every digit is given.
    const FULL: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn digit(value: u8) -> Digit {
        Digit::new(value).unwrap()
    }

    /// What a network that takes a 9 for a 3, and nothing for a 9, sees in a digit.
    fn confused(value: u8) -> Posterior {
        match value {
            9 => posterior(&[(3, 0.7), (9, 0.2)]),
            3 => posterior(&[(3, 0.6), (8, 0.3)]),
            _ => posterior(&[(usize::from(value), 0.9)]),
        }
    }

    fn style_of(line: &str, seen: impl Fn(u8) -> Posterior) -> Option<Style> {
        let read: Puzzle = line.parse().unwrap();
        let seen = CellMap::from_fn(|cell| {
            let given = read.given(cell).map(Digit::value);
            given.map_or(posterior(&[(0, 0.99)]), &seen)
        });
        Style::of([(&seen, &read)])
    }

    #[test]
    fn a_digit_seen_as_another_one_all_over_a_page_is_read_as_itself() {
        let style = style_of(FULL, confused).unwrap();
        for value in 1..=9 {
            let read = style.read(&confused(value));
            assert_eq!(read.best(), Some(digit(value)));
            assert!(read.of(Some(digit(value))) > 0.9, "{value}: {read:?}");
        }
    }

    #[test]
    fn each_cell_of_a_board_is_read_in_the_style_of_the_others() {
        let read: Puzzle = FULL.parse().unwrap();
        let seen = CellMap::from_fn(|cell| confused(read.given(cell).unwrap().value()));
        for (cell, posterior) in Style::read_board(&seen, &read).iter() {
            assert_eq!(posterior.best(), read.given(cell), "{cell}");
        }
        // One 9 alone that is seen as a 3 is no evidence of its own.
        let (alone, _) = read.givens().find(|(_, given)| given.value() == 9).unwrap();
        let mut seen = CellMap::from_fn(|cell| {
            posterior(&[(usize::from(read.given(cell).unwrap().value()), 0.9)])
        });
        seen[alone] = confused(9);
        assert_eq!(
            Style::read_board(&seen, &read)[alone].best(),
            Some(digit(3))
        );
    }

    #[test]
    fn two_digits_that_may_be_each_other_make_no_style() {
        let alike = |value| match value {
            3 | 9 => posterior(&[(3, 0.6), (9, 0.3)]),
            _ => confused(value),
        };
        assert!(style_of(FULL, alike).is_none());
        let exchanged = |value| match value {
            3 => posterior(&[(9, 0.9)]),
            9 => posterior(&[(3, 0.9)]),
            _ => confused(value),
        };
        assert!(style_of(FULL, exchanged).is_none());
    }

    #[test]
    fn few_digits_make_no_style_and_a_digit_that_is_missing_is_read_as_it_is_seen() {
        let clear = |value| posterior(&[(usize::from(value), 0.9)]);
        let first = |count: usize| FULL[..count].to_owned() + &".".repeat(81 - count);
        assert!(style_of(&first(FEWEST - 1), clear).is_none());
        assert!(style_of(&first(FEWEST), clear).is_some());
        let style = style_of(&FULL.replace('9', "."), clear).unwrap();
        assert_eq!(style.read(&clear(9)).best(), Some(digit(9)));
    }

    #[test]
    fn a_blank_that_was_read_as_a_digit_by_the_rules_is_no_sample() {
        let read: Puzzle = FULL.parse().unwrap();
        let blank = CellMap::from_fn(|_| posterior(&[(0, 0.99)]));
        assert!(Style::of([(&blank, &read)]).is_none());
    }

    proptest! {
        #[test]
        fn a_style_leaves_the_blank_and_the_kind_and_is_a_probability(
            weights in proptest::array::uniform10(prop_oneof![Just(0.0f32), 0.0f32..1.0]),
            marks in -5.0f32..5.0,
        ) {
            let style = style_of(FULL, confused).unwrap();
            let mut logits = [0.0; 13];
            logits[CellKind::Marks.index()] = marks;
            let kind = KindPosterior::of_logits(&logits).unwrap();
            if let Some(seen) = Posterior::from_weights(weights) {
                let seen = seen.with_kind(kind);
                let read = style.read(&seen);
                prop_assert_eq!(read.of(None), seen.of(None));
                prop_assert_eq!(read.kind(), seen.kind());
                let sum: f32 = read.as_array().iter().sum();
                prop_assert!((sum - 1.0).abs() < 1e-5, "{:?}", read);
                prop_assert!(read.as_array().iter().all(|it| *it >= 0.0));
            }
        }
    }
}
