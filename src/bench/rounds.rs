//! The rounds of a row: puzzles solved and time taken in each.

use serde::{Deserialize, Serialize};

use crate::statistics::{Interval, Ratio, bootstrap, bootstrap_two, median};

/// Number of entries kept: beyond it, neighbouring rounds are merged.
const KEPT: usize = 1024;
/// Logarithm of the round numbers per block of puzzles; see [`PARTS`].
const PART_FOLDS: u32 = 4;
/// Parts that a block is divided into for a slow row: rounds of their own, numbered consecutively.
pub(super) const PARTS: usize = 1 << PART_FOLDS;

/// A round, or several merged ones; written as a list of five numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u64; 5]", into = "[u64; 5]")]
pub struct Round {
    /// Its number in the run.
    pub number: u64,
    /// Number of puzzles of the block that were solved.
    pub puzzles: u64,
    /// Number of solves: more than puzzles if the block was repeated.
    pub solves: u64,
    /// Time in nanoseconds.
    pub ns: u64,
    /// Nanoseconds of the calibration loop just before.
    pub calibration_ns: u64,
}

impl From<[u64; 5]> for Round {
    fn from([number, puzzles, solves, ns, calibration_ns]: [u64; 5]) -> Round {
        Round {
            number,
            puzzles,
            solves,
            ns,
            calibration_ns,
        }
    }
}

impl From<Round> for [u64; 5] {
    fn from(round: Round) -> [u64; 5] {
        let Round {
            number,
            puzzles,
            solves,
            ns,
            calibration_ns,
        } = round;
        [number, puzzles, solves, ns, calibration_ns]
    }
}

impl Round {
    fn add(&mut self, other: Round) {
        self.puzzles += other.puzzles;
        self.solves += other.solves;
        self.ns += other.ns;
        self.calibration_ns += other.calibration_ns;
    }

    /// Returns the nanoseconds per pass over its puzzles.
    fn pass_ns(&self) -> f64 {
        self.ns as f64 * self.puzzles as f64 / self.solves.max(1) as f64
    }
}

/// The rounds of a row, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rounds {
    /// Logarithm of the largest number of rounds per entry; the entry's number is theirs divided by
    /// it.
    folds: u32,
    entries: Vec<Round>,
}

impl Rounds {
    /// Adds a round; numbers must not fall.
    pub fn add(&mut self, mut round: Round) {
        round.number >>= self.folds;
        match self.entries.last_mut() {
            Some(last) if last.number == round.number => last.add(round),
            _ => self.entries.push(round),
        }
        while self.entries.len() > KEPT {
            self.fold(self.folds + 1);
        }
    }

    /// Appends rounds of another part of the corpus, whose numbers begin at `start`. Rows stay
    /// aligned if all of them do so with the same shape; see [`Rounds::shape`].
    pub(super) fn append(&mut self, mut other: Rounds, (folds, start): (u32, u64)) {
        self.fold(folds);
        other.fold(folds);
        for round in other.entries {
            let number = round.number + start;
            self.entries.push(Round { number, ..round });
        }
        while self.entries.len() > KEPT {
            self.fold(self.folds + 1);
        }
    }

    /// Returns the smallest merging that suits all of these rows, and the first number after the
    /// own ones.
    pub(super) fn shape<'a>(
        own: impl Iterator<Item = &'a Rounds>,
        others: impl Iterator<Item = &'a Rounds>,
    ) -> (u32, u64) {
        let own: Vec<&Rounds> = own.collect();
        let all = own.iter().copied().chain(others);
        let folds = all.map(|rounds| rounds.folds).max().unwrap_or(0);
        let end = |rounds: &&Rounds| {
            let last = rounds.entries.last();
            last.map_or(0, |last| (last.number >> (folds - rounds.folds)) + 1)
        };
        let end = own.iter().map(end).max().unwrap_or(0);
        (
            folds,
            end.next_multiple_of(1 << PART_FOLDS.saturating_sub(folds)),
        )
    }

    /// Merges neighbouring entries until each stands for two to this power of rounds.
    fn fold(&mut self, folds: u32) {
        let shift = folds.saturating_sub(self.folds);
        if shift == 0 {
            return;
        }
        self.folds = folds;
        let mut folded: Vec<Round> = Vec::with_capacity(self.entries.len());
        for mut round in std::mem::take(&mut self.entries) {
            round.number >>= shift;
            match folded.last_mut() {
                Some(last) if last.number == round.number => last.add(round),
                _ => folded.push(round),
            }
        }
        self.entries = folded;
    }

    /// Returns the rounds, merged ones as one.
    pub fn taken(&self) -> impl Iterator<Item = &Round> {
        self.entries.iter()
    }

    /// Returns the number of entries.
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// Returns the time of all rounds, in nanoseconds.
    pub fn spent_ns(&self) -> u64 {
        self.entries.iter().map(|round| round.ns).sum()
    }

    /// Returns the puzzles per second; `None` if nothing was timed.
    pub fn rate(&self) -> Option<f64> {
        let taken = &self.entries;
        let rate = rate(taken.iter());
        rate.is_finite().then_some(rate)
    }

    /// Returns the interval of the rate, if there are enough rounds.
    pub fn rate_interval(&self, seed: u64) -> Option<Interval> {
        let taken = &self.entries;
        bootstrap(taken.len(), seed, |resample| {
            rate(resample.iter().map(|&round| &taken[round]))
        })
    }

    /// Returns whether both took part in the same rounds, with the same number of puzzles in each.
    pub(super) fn is_aligned(&self, other: &Rounds) -> bool {
        let mut pairs = self.entries.iter().zip(&other.entries);
        (self.folds, self.entries.len()) == (other.folds, other.entries.len())
            && pairs.all(|(a, b)| (a.number, a.puzzles) == (b.number, b.puzzles))
    }

    /// Returns the common rounds; if they differ, blocks of puzzles that both solved.
    fn pairs(&self, other: &Rounds) -> Vec<[Round; 2]> {
        if self.is_aligned(other) {
            let pairs = self.entries.iter().zip(&other.entries);
            return pairs.map(|(own, other)| [*own, *other]).collect();
        }
        let (mut own, mut other) = (self.clone(), other.clone());
        let folds = own.folds.max(other.folds).max(PART_FOLDS);
        own.fold(folds);
        other.fold(folds);
        let partner = |round: &Round| {
            let key = |other: &Round| other.number;
            let place = other
                .entries
                .binary_search_by_key(&round.number, key)
                .ok()?;
            let partner = other.entries[place];
            (partner.puzzles == round.puzzles).then_some([*round, partner])
        };
        own.entries.iter().filter_map(partner).collect()
    }

    /// Returns this rate divided by that of a row measured beside it, over the blocks that both
    /// solved; `None` if there is none.
    pub fn ratio_beside(&self, other: &Rounds, seed: u64) -> Option<Ratio> {
        let pairs = self.pairs(other);
        let ratio = |pairs: &mut dyn Iterator<Item = &[Round; 2]>| {
            let (own, other) = pairs.fold((0.0, 0.0), |(a, b), [own, other]| {
                (a + own.pass_ns(), b + other.pass_ns())
            });
            other / own
        };
        let value = ratio(&mut pairs.iter());
        value.is_finite().then(|| Ratio {
            value,
            interval: bootstrap(pairs.len(), seed, |resample| {
                ratio(&mut resample.iter().map(|&pair| &pairs[pair]))
            }),
        })
    }

    /// Returns the same, but over all rounds of both, drawn independently, where too few blocks are
    /// common for an interval; it has one only if both solved as many puzzles.
    pub(super) fn ratio(&self, other: &Rounds, seed: u64) -> Option<Ratio> {
        let beside = self.ratio_beside(other, seed);
        if beside.is_some_and(|ratio| ratio.interval.is_some()) {
            return beside;
        }
        let puzzles = |rounds: &Rounds| -> u64 { rounds.taken().map(|it| it.puzzles).sum() };
        let is_equal = puzzles(self) == puzzles(other);
        let apart = self.ratio_apart(other, seed)?;
        if is_equal {
            return Some(apart);
        }
        let interval = None;
        Some(beside.unwrap_or(Ratio { interval, ..apart }))
    }

    /// Returns this rate divided by that of rounds of another run or another kind, which are drawn
    /// independently.
    pub fn ratio_apart(&self, other: &Rounds, seed: u64) -> Option<Ratio> {
        let (own, other) = (&self.entries, &other.entries);
        let value = rate(own.iter()) / rate(other.iter());
        let counts = [own.len(), other.len()];
        value.is_finite().then(|| Ratio {
            value,
            interval: bootstrap_two(counts, seed, |a, b| {
                let own = rate(a.iter().map(|&round| &own[round]));
                own / rate(b.iter().map(|&round| &other[round]))
            }),
        })
    }

    /// Returns the times of the calibration loop, in nanoseconds; of merged entries the sum.
    pub fn calibration_ns(&self) -> Vec<f64> {
        let times = self.taken().map(|round| round.calibration_ns as f64);
        times.collect()
    }

    /// Returns the median of these; `None` if the loop was not timed.
    pub fn calibration(&self) -> Option<f64> {
        Some(median(&mut self.calibration_ns())).filter(|&ns| ns > 0.0)
    }
}

/// Returns the puzzles per second over these rounds.
fn rate<'a>(rounds: impl Iterator<Item = &'a Round>) -> f64 {
    let add = |(puzzles, ns): (f64, f64), round: &Round| {
        (puzzles + round.puzzles as f64, ns + round.pass_ns())
    };
    let (puzzles, ns) = rounds.fold((0.0, 0.0), add);
    // A clock too coarse for all rounds together may measure no time at all.
    puzzles * 1e9 / ns
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round(puzzles: u64, ns: u64) -> Round {
        Round {
            number: 0,
            puzzles,
            solves: puzzles,
            ns,
            calibration_ns: 100,
        }
    }

    fn of(rounds: impl IntoIterator<Item = Round>) -> Rounds {
        let mut all = Rounds::default();
        for (block, round) in (0..).zip(rounds) {
            let number = block * PARTS as u64;
            all.add(Round { number, ..round });
        }
        all
    }

    #[test]
    fn repeated_passes_over_a_block_count_once_in_the_weight_of_a_round() {
        let thrice = Round {
            solves: 300,
            ..round(100, 3_000)
        };
        assert_eq!(of([thrice]).rate(), of([round(100, 1_000)]).rate());
        // Equal weights, although the first had three passes: 200 puzzles in 3 µs.
        let rate = of([thrice, round(100, 2_000)]).rate().unwrap();
        assert!((rate - 200e9 / 3_000.0).abs() < 1e-3);
        assert_eq!(Rounds::default().rate(), None);
    }

    #[test]
    fn ratios_compare_equal_work_and_cancel_common_slowdowns() {
        let slow = |n: u64| 1 + n % 5;
        let mut own = of((0..40).map(|n| round(100, 1_000 * slow(n))));
        let other = of((0..40).map(|n| round(100, 2_000 * slow(n))));
        let ratio = own.ratio_beside(&other, 0).unwrap();
        let interval = ratio.interval.unwrap();
        assert!((ratio.value - 2.0).abs() < 1e-9 && interval.high - interval.low < 1e-9);
        assert!(ratio.is_difference());
        let alone = own.rate_interval(0).unwrap();
        assert!(alone.high / alone.low > 1.2, "{alone:?}");
        // Rounds that one of them did not finish or did not have are not paired.
        for (block, round) in [(40, round(7, 1)), (42, round(100, 1))] {
            let number = block * PARTS as u64;
            own.add(Round { number, ..round });
        }
        assert_eq!(own.ratio_beside(&other, 0).unwrap(), ratio);
        assert_eq!(own.count(), 42);
    }

    #[test]
    fn partial_rounds_of_a_slow_row_are_paired_by_block() {
        let fast = of((0..12).map(|n| round(64, 1_000 * (1 + n % 3))));
        let mut slow = Rounds::default();
        for (block, part) in (0..12).flat_map(|block| (0..16).map(move |part| (block, part))) {
            let number = block * PARTS as u64 + part;
            let ns = 10_000 * (1 + block % 3);
            slow.add(Round {
                number,
                ..round(4, ns)
            });
        }
        assert_eq!((slow.count(), fast.count()), (192, 12));
        let ratio = slow.ratio_beside(&fast, 0).unwrap();
        assert!((ratio.value - 1.0 / 160.0).abs() < 1e-12);
        assert!(ratio.interval.is_some_and(|it| it.high - it.low < 1e-12));
        // Two blocks are too few to resample, but their parts are not.
        let cut = |rounds: &Rounds, blocks: u64| {
            let mut cut = Rounds::default();
            let kept = rounds
                .taken()
                .filter(|it| it.number < blocks * PARTS as u64);
            kept.for_each(|round| cut.add(*round));
            cut
        };
        let (few, parts) = (cut(&fast, 2), cut(&slow, 2));
        assert!(parts.rate_interval(0).is_some() && few.rate_interval(0).is_none());
        assert_eq!(parts.ratio(&few, 0).unwrap().interval, None);
        let same = parts.ratio(&cut(&slow, 2), 0).unwrap();
        assert!(same.interval.is_some() && !same.is_difference());
        // If one covered less, the ratio has no interval.
        assert_eq!(parts.ratio(&fast, 0).unwrap().interval, None);
    }

    #[test]
    fn noise_is_not_a_difference() {
        let noisy = |seed: u64| {
            let noise = move |n: u64| (n * 7 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55;
            of((0..60).map(|n| round(100, 10_000 + noise(n))))
        };
        let differ = |seed| {
            let ratio = noisy(seed).ratio_apart(&noisy(seed + 1000), seed);
            ratio.unwrap().is_difference()
        };
        let false_alarms = (0..100).filter(|&seed| differ(seed)).count();
        assert!(false_alarms <= 12, "{false_alarms}");
    }

    proptest! {
        #[test]
        fn rounds_are_merged_to_bound_memory_and_keep_the_total_time(count in 1..5000u64, step in 1..4u64) {
            let mut rounds = Rounds::default();
            for number in (0..count).map(|n| n * step) {
                rounds.add(Round { number, ..round(10, 1_000 + number) });
            }
            prop_assert!(rounds.entries.len() <= KEPT);
            let solves: u64 = rounds.taken().map(|round| round.solves).sum();
            prop_assert_eq!(solves, 10 * count);
            let ns: u64 = (0..count).map(|n| 1_000 + n * step).sum();
            prop_assert_eq!(rounds.spent_ns(), ns);
        }

        #[test]
        fn parts_append_to_the_whole(lengths in prop::collection::vec(0..40u64, 1..4)) {
            let total: u64 = lengths.iter().sum();
            let all = |rows: u64| of((0..total).map(|n| round(10 + rows, 1_000 * n + rows)));
            let mut parts = [Rounds::default(), Rounds::default()];
            let mut start = 0;
            for length in lengths {
                let part = |row: u64| {
                    of((start..start + length).map(|n| round(10 + row, 1_000 * n + row)))
                };
                let part = [part(0), part(1)];
                let shape = Rounds::shape(parts.iter(), part.iter());
                for (own, more) in parts.iter_mut().zip(part) {
                    own.append(more, shape);
                }
                start += length;
            }
            prop_assert_eq!(parts, [all(0), all(1)]);
        }
    }
}
