//! The rounds of a row: what it solved in each, and in what time.

use serde::{Deserialize, Serialize};

use super::statistics::{Interval, Ratio, bootstrap, bootstrap_two, median};

/// Entries that are kept: past them, neighbouring rounds become one entry.
const KEPT: usize = 1024;

/// A round, or several neighbouring ones; written as a list of four numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u64; 4]", into = "[u64; 4]")]
pub struct Round {
    /// Puzzles of the block that were solved.
    pub puzzles: u64,
    /// How often one of them was solved: more, if the block was gone over several times.
    pub solves: u64,
    /// Nanoseconds that it took.
    pub ns: u64,
    /// Nanoseconds that the calibration loop took just before.
    pub calibration_ns: u64,
}

impl From<[u64; 4]> for Round {
    fn from([puzzles, solves, ns, calibration_ns]: [u64; 4]) -> Round {
        Round {
            puzzles,
            solves,
            ns,
            calibration_ns,
        }
    }
}

impl From<Round> for [u64; 4] {
    fn from(round: Round) -> [u64; 4] {
        let Round {
            puzzles,
            solves,
            ns,
            calibration_ns,
        } = round;
        [puzzles, solves, ns, calibration_ns]
    }
}

impl Round {
    fn add(&mut self, other: Round) {
        self.puzzles += other.puzzles;
        self.solves += other.solves;
        self.ns += other.ns;
        self.calibration_ns += other.calibration_ns;
    }

    /// Nanoseconds for each of its puzzles once.
    fn pass_ns(&self) -> f64 {
        self.ns as f64 * self.puzzles as f64 / self.solves.max(1) as f64
    }
}

/// The rounds of a row by their number in the run; those that it took no part in are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rounds {
    /// Each entry stands for two to this power of rounds.
    folds: u32,
    entries: Vec<Round>,
}

impl Rounds {
    /// Enters the round of this number.
    pub fn add(&mut self, number: u64, round: Round) {
        loop {
            let place = usize::try_from(number >> self.folds).unwrap_or(usize::MAX);
            if place < KEPT {
                if self.entries.len() <= place {
                    self.entries.resize(place + 1, Round::default());
                }
                self.entries[place].add(round);
                return;
            }
            self.fold(self.folds + 1);
        }
    }

    /// Appends rounds of another part of the corpus. Rows stay aligned if all of them do so with the
    /// same `start`, the number of the first appended round, and `folds`; see [`Rounds::shape`].
    pub(super) fn append(&mut self, mut other: Rounds, (folds, start): (u32, usize)) {
        self.fold(folds);
        other.fold(folds);
        self.entries.resize(start, Round::default());
        self.entries.extend(other.entries);
        while self.entries.len() > KEPT {
            self.fold(self.folds + 1);
        }
    }

    /// The coarseness and the number of entries that all of these rows fit in.
    pub(super) fn shape<'a>(
        own: impl Iterator<Item = &'a Rounds>,
        others: impl Iterator<Item = &'a Rounds>,
    ) -> (u32, usize) {
        let own: Vec<&Rounds> = own.collect();
        let all = own.iter().copied().chain(others);
        let folds = all.map(|rounds| rounds.folds).max().unwrap_or(0);
        let length = |rounds: &&Rounds| {
            let shift = folds - rounds.folds;
            (rounds.entries.len() + (1 << shift) - 1) >> shift
        };
        (folds, own.iter().map(length).max().unwrap_or(0))
    }

    /// Makes entries of neighbours until each stands for two to this power of rounds.
    fn fold(&mut self, folds: u32) {
        while self.folds < folds {
            let pairs = self.entries.chunks(2).map(|pair| {
                let mut sum = pair[0];
                pair[1..].iter().for_each(|round| sum.add(*round));
                sum
            });
            self.entries = pairs.collect();
            self.folds += 1;
        }
    }

    /// Entries in which the row took part.
    pub fn taken(&self) -> impl Iterator<Item = &Round> {
        self.entries.iter().filter(|round| round.solves > 0)
    }

    /// How many these are.
    pub fn count(&self) -> usize {
        self.taken().count()
    }

    /// Time of all rounds, in nanoseconds.
    pub fn spent_ns(&self) -> u64 {
        self.entries.iter().map(|round| round.ns).sum()
    }

    /// Puzzles a second; nothing if nothing was timed.
    pub fn rate(&self) -> Option<f64> {
        let taken: Vec<Round> = self.taken().copied().collect();
        let rate = rate(taken.iter());
        rate.is_finite().then_some(rate)
    }

    /// The interval of the rate, if there were rounds enough.
    pub fn rate_interval(&self, seed: u64) -> Option<Interval> {
        let taken: Vec<Round> = self.taken().copied().collect();
        bootstrap(taken.len(), seed, |resample| {
            rate(resample.iter().map(|&round| &taken[round]))
        })
    }

    /// Whether both took part in the same rounds, with the same number of puzzles in each.
    pub(super) fn is_aligned(&self, other: &Rounds) -> bool {
        let mut pairs = self.entries.iter().zip(&other.entries);
        (self.folds, self.entries.len()) == (other.folds, other.entries.len())
            && pairs.all(|(a, b)| a.puzzles == b.puzzles)
    }

    /// This rate over that of a row that was measured beside it, over the rounds in which both solved
    /// the same puzzles; nothing if there is none.
    pub fn ratio_beside(&self, other: &Rounds, seed: u64) -> Option<Ratio> {
        let (mut own, mut other) = (self.clone(), other.clone());
        let folds = own.folds.max(other.folds);
        own.fold(folds);
        other.fold(folds);
        let pairs = own.entries.iter().zip(&other.entries);
        let equal = pairs.filter(|(a, b)| a.puzzles == b.puzzles && a.puzzles > 0);
        let pairs: Vec<[f64; 2]> = equal.map(|(a, b)| [a.pass_ns(), b.pass_ns()]).collect();
        let ratio = |pairs: &mut dyn Iterator<Item = &[f64; 2]>| {
            let (own, other) = pairs.fold((0.0, 0.0), |(a, b), [x, y]| (a + x, b + y));
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

    /// This rate over that of rounds of another run or another kind, which are drawn independently.
    pub fn ratio_apart(&self, other: &Rounds, seed: u64) -> Option<Ratio> {
        let own: Vec<Round> = self.taken().copied().collect();
        let other: Vec<Round> = other.taken().copied().collect();
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

    /// Times of the calibration loop, in nanoseconds: a mean for each entry.
    pub fn calibration_ns(&self) -> Vec<f64> {
        let rounds = 1u64 << self.folds.min(63);
        let taken = self.taken();
        taken
            .map(|round| round.calibration_ns as f64 / rounds as f64)
            .collect()
    }

    /// The median of these; nothing if the loop was not timed.
    pub fn calibration(&self) -> Option<f64> {
        Some(median(&mut self.calibration_ns())).filter(|&ns| ns > 0.0)
    }
}

/// Puzzles a second over these rounds.
fn rate<'a>(rounds: impl Iterator<Item = &'a Round>) -> f64 {
    let add = |(puzzles, ns): (f64, f64), round: &Round| {
        (puzzles + round.puzzles as f64, ns + round.pass_ns())
    };
    let (puzzles, ns) = rounds.fold((0.0, 0.0), add);
    // A clock too coarse for all rounds together may tell no time at all.
    puzzles * 1e9 / ns
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round(puzzles: u64, ns: u64) -> Round {
        Round {
            puzzles,
            solves: puzzles,
            ns,
            calibration_ns: 100,
        }
    }

    fn of(rounds: impl IntoIterator<Item = Round>) -> Rounds {
        let mut all = Rounds::default();
        for (number, round) in (0..).zip(rounds) {
            all.add(number, round);
        }
        all
    }

    #[test]
    fn passes_over_a_block_count_as_one_in_the_weight_of_a_round() {
        let thrice = Round {
            solves: 300,
            ..round(100, 3_000)
        };
        assert_eq!(of([thrice]).rate(), of([round(100, 1_000)]).rate());
        // Equal weights, though the first was gone over three times: 200 puzzles in 3 µs.
        let rate = of([thrice, round(100, 2_000)]).rate().unwrap();
        assert!((rate - 200e9 / 3_000.0).abs() < 1e-3);
        assert_eq!(Rounds::default().rate(), None);
    }

    #[test]
    fn a_ratio_takes_equal_work_of_both_and_cancels_what_slowed_both_down() {
        let slow = |n: u64| 1 + n % 5;
        let mut own = of((0..40).map(|n| round(100, 1_000 * slow(n))));
        let other = of((0..40).map(|n| round(100, 2_000 * slow(n))));
        let ratio = own.ratio_beside(&other, 0).unwrap();
        let interval = ratio.interval.unwrap();
        assert!((ratio.value - 2.0).abs() < 1e-9 && interval.high - interval.low < 1e-9);
        assert!(ratio.is_difference());
        let alone = own.rate_interval(0).unwrap();
        assert!(alone.high / alone.low > 1.2, "{alone:?}");
        // Rounds in which one of them stopped early, or was missing, have no partner.
        own.add(40, round(7, 1));
        own.add(42, round(100, 1));
        assert_eq!(own.ratio_beside(&other, 0).unwrap(), ratio);
        assert_eq!(own.count(), 42);
    }

    #[test]
    fn chance_is_no_difference() {
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
        fn memory_is_bounded_and_no_time_is_lost(count in 1..5000u64, step in 1..4u64) {
            let mut rounds = Rounds::default();
            for number in (0..count).map(|n| n * step) {
                rounds.add(number, round(10, 1_000 + number));
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
