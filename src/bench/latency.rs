//! Times of single puzzles, on one thread, in rounds.
//!
//! The order of the solvers changes from round to round, so that a machine that slows down hits all
//! of them alike. Georges, Buytaert and Eeckhout ("Statistically rigorous Java performance
//! evaluation", 2007) say why repeated, interleaved measurements are needed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::clock::{Clock, nanoseconds};
use super::config::{BenchConfig, Repeat, goal_name};
use super::curve::{ByGuesses, histogram, quantiles};
use super::feed::Chunk;
use super::row::{ROUNDS_KEPT, Row};
use super::tally::{Kind, Tally};
use super::verify::{Reference, Wrong, check};
use super::yardstick::Yardstick;
use crate::grid::{Puzzle, PuzzleLine};
use crate::roster::SolverSpec;
use crate::solve::{Effort, Limits, Outcome, Solver};

/// Warm-up of a solver that has not run yet.
const FIRST_WARM_UP: WarmUp = WarmUp {
    time: Duration::from_millis(100),
    puzzles: 1000,
};
/// Warm-up before each round: caches and branch predictors belong to the solver before.
const WARM_UP: WarmUp = WarmUp {
    time: Duration::from_micros(100),
    puzzles: usize::MAX,
};

/// Time that a round over few puzzles takes, in nanoseconds.
const ROUND_NS: u64 = 10_000_000;

#[derive(Clone, Copy)]
struct WarmUp {
    time: Duration,
    puzzles: usize,
}

/// What is the same for all solvers of a measurement.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) config: &'a BenchConfig,
    pub(super) clock: Clock,
    pub(super) stop: &'a AtomicBool,
}

/// One puzzle of one solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Place of the puzzle in its chunk.
    pub index: usize,
    /// How it was answered.
    pub kind: Kind,
    /// The work it took, and the nanoseconds; not known of an external program.
    pub cost: Option<(Effort, u64)>,
}

/// A wrong answer: the place of the puzzle in its chunk, and what is wrong.
pub(super) type WrongAnswer = (usize, Wrong);

/// A solver and what it has shown on this corpus so far.
pub(super) struct Lane {
    spec: SolverSpec,
    solver: Box<dyn Solver>,
    tally: Tally,
    histogram: Histogram<u64>,
    /// Of the puzzles that were answered, and not wrongly.
    answered: Histogram<u64>,
    by_guesses: ByGuesses,
    spent_ns: u64,
    solves: u64,
    rounds: u64,
    round_ns: Vec<f64>,
    yardstick: Yardstick,
    yardstick_ns: Vec<f64>,
    is_warm: bool,
    /// The budget ran out.
    cut: bool,
    /// Wrong answers of the current chunk.
    pub(super) wrong: Vec<WrongAnswer>,
    /// Every puzzle of the current chunk that was timed for the first time.
    pub(super) samples: Vec<Sample>,
    ends: Vec<Instant>,
    outcomes: Vec<Outcome>,
}

/// Puzzles and what is known of them.
#[derive(Clone, Copy)]
struct Block<'a> {
    /// Place of the first puzzle in the chunk.
    start: usize,
    puzzles: &'a [Puzzle],
    references: &'a [Reference],
}

/// Measures all lanes on a chunk, block by block. Runs on the thread that it is called on. A pass after
/// the first one is for the lanes that have not enough yet.
pub(super) fn measure(
    lanes: &mut [Lane],
    round: &mut u64,
    chunk: &Chunk,
    references: &[Reference],
    is_first_pass: bool,
    setting: Setting<'_>,
) {
    let repeat = setting.config.repeat;
    let wanted = |(place, lane): (usize, &Lane)| {
        let wanted = !lane.cut && (is_first_pass || !lane.has_enough(repeat));
        wanted.then_some(place)
    };
    let wanted: Vec<usize> = lanes.iter().enumerate().filter_map(wanted).collect();
    let size = setting.config.block.max(1);
    let blocks = chunk.puzzles.chunks(size).zip(references.chunks(size));
    for (number, (puzzles, references)) in blocks.enumerate() {
        let block = Block {
            start: number * size,
            puzzles,
            references,
        };
        let mut order = wanted.clone();
        let seed = setting.config.seed.wrapping_add(*round);
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        for lane in order {
            let lane = &mut lanes[lane];
            if !lane.cut && !setting.stop.load(Ordering::Relaxed) {
                lane.round(block, is_first_pass, setting);
            }
        }
        *round += 1;
    }
}

impl Lane {
    pub(super) fn new(spec: SolverSpec) -> Lane {
        Lane {
            solver: (spec.build)(),
            spec,
            tally: Tally::default(),
            histogram: histogram(3),
            answered: histogram(3),
            by_guesses: ByGuesses::default(),
            spent_ns: 0,
            solves: 0,
            rounds: 0,
            round_ns: Vec::new(),
            yardstick: Yardstick::new(),
            yardstick_ns: Vec::new(),
            is_warm: false,
            cut: false,
            wrong: Vec::new(),
            samples: Vec::new(),
            ends: Vec::new(),
            outcomes: Vec::new(),
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.spec.name
    }

    /// Whether the budget has run out.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Whether there are rounds enough to count on.
    pub(super) fn has_enough(&self, repeat: Repeat) -> bool {
        let spent = Duration::from_nanos(self.spent_ns);
        spent >= repeat.enough || self.rounds >= repeat.rounds as u64 && spent >= repeat.least
    }

    /// Forgets what belongs to the pass before, and on a first pass what belongs to the chunk before.
    pub(super) fn start_pass(&mut self, is_first_pass: bool) {
        self.wrong.clear();
        if is_first_pass {
            self.samples.clear();
        }
    }

    /// One round: warms up, times every puzzle of the block, then checks the answers.
    fn round(&mut self, block: Block<'_>, is_first_pass: bool, setting: Setting<'_>) {
        let warm_up = if self.is_warm { WARM_UP } else { FIRST_WARM_UP };
        self.is_warm = true;
        let yardstick_ns = self.yardstick.time();
        self.warm_up(warm_up, block, setting);
        let passes = if is_first_pass {
            1
        } else {
            self.passes(block, setting)
        };
        let start = if self.spec.batch > 1 {
            self.time_at_once(block, passes, setting)
        } else if is_first_pass {
            self.time(block, setting)
        } else {
            self.time_again(block, passes, setting)
        };
        let is_full = self.outcomes.len() >= block.puzzles.len();
        let round_ns = self.settle(start, block, is_first_pass, setting);
        if is_full && self.round_ns.len() < ROUNDS_KEPT {
            self.round_ns.push(round_ns);
            self.yardstick_ns.push(yardstick_ns);
        }
    }

    /// Solves without measuring; the answers of a single puzzle count as much as any.
    fn warm_up(&mut self, warm_up: WarmUp, block: Block<'_>, setting: Setting<'_>) {
        let config = setting.config;
        let end = Instant::now() + warm_up.time;
        let time = config.limits.time;
        let limits = Limits {
            time: Some(time.map_or(warm_up.time, |time| time.min(warm_up.time))),
            ..config.limits
        };
        if self.spec.batch > 1 {
            let puzzles = block.puzzles.iter().take(warm_up.puzzles);
            let lines: Vec<_> = puzzles.map(PuzzleLine::from).collect();
            while Instant::now() < end {
                self.solver
                    .solve_lines(&lines, config.goal, limits, &mut |_| {});
            }
            return;
        }
        let known = block.puzzles.iter().zip(block.references);
        for (puzzle, reference) in known.cycle().take(warm_up.puzzles) {
            let now = Instant::now();
            if now >= end {
                break;
            }
            let outcome = self.solver.solve(puzzle, config.goal, limits);
            let asked = self.spec.held_to(config.goal);
            if let Err(wrong) = check(puzzle, asked, &outcome.verdict, reference) {
                let place = block.puzzles.iter().position(|other| other == puzzle);
                self.wrong.push((block.start + place.unwrap_or(0), wrong));
                self.tally.wrong_again += 1;
                break;
            }
        }
    }

    /// The part on the clock: `ends` and `outcomes` are filled, nothing is looked at.
    fn time(&mut self, block: Block<'_>, setting: Setting<'_>) -> Instant {
        let Setting { config, stop, .. } = setting;
        let (goal, limits) = (config.goal, config.limits);
        self.ends.clear();
        self.outcomes.clear();
        self.ends.reserve(block.puzzles.len());
        self.outcomes.reserve(block.puzzles.len());
        let left = config
            .budget
            .saturating_sub(Duration::from_nanos(self.spent_ns));
        let start = Instant::now();
        let deadline = start.checked_add(left);
        for puzzle in block.puzzles {
            let outcome = self.solver.solve(puzzle, goal, limits);
            let end = Instant::now();
            self.outcomes.push(outcome);
            self.ends.push(end);
            if deadline.is_some_and(|deadline| end >= deadline) {
                self.cut = true;
                break;
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        start
    }

    /// How often a block that was timed before is gone over in a short while, so that a round of few
    /// puzzles is worth its warm-up.
    fn passes(&self, block: Block<'_>, setting: Setting<'_>) -> usize {
        let length = block.puzzles.len();
        let pass_ns = self.spent_ns / self.solves.max(1) * length as u64;
        let fit = usize::try_from(ROUND_NS / pass_ns.max(1)).unwrap_or(usize::MAX);
        fit.min(setting.config.block / length).max(1)
    }

    /// The same for a block that was timed before. Always whole, since easy and hard puzzles must
    /// have equal shares; that it was timed before within the budget bounds it.
    fn time_again(&mut self, block: Block<'_>, passes: usize, setting: Setting<'_>) -> Instant {
        let config = setting.config;
        let length = block.puzzles.len();
        self.ends.clear();
        self.outcomes.clear();
        self.ends.reserve(passes * length);
        self.outcomes.reserve(passes * length);
        let start = Instant::now();
        for puzzle in std::iter::repeat_n(block.puzzles, passes).flatten() {
            self.outcomes
                .push(self.solver.solve(puzzle, config.goal, config.limits));
            self.ends.push(Instant::now());
        }
        start
    }

    /// The same for a solver that gets all puzzles at once. None of them has a time of its own: each
    /// gets an equal share.
    fn time_at_once(&mut self, block: Block<'_>, passes: usize, setting: Setting<'_>) -> Instant {
        let Setting { config, clock, .. } = setting;
        let puzzles = std::iter::repeat_n(block.puzzles, passes).flatten();
        let lines: Vec<_> = puzzles.map(PuzzleLine::from).collect();
        let left = config
            .budget
            .saturating_sub(Duration::from_nanos(self.spent_ns));
        self.ends.clear();
        self.outcomes.clear();
        self.outcomes.reserve(lines.len());
        let outcomes = &mut self.outcomes;
        let start = Instant::now();
        self.solver
            .solve_lines(&lines, config.goal, config.limits, &mut |outcome| {
                outcomes.push(outcome);
            });
        let spent = start.elapsed();
        self.cut |= spent >= left;
        let count = lines.len() as u64;
        let spent_ns = nanoseconds(spent);
        // The look at the clock that is taken off each puzzle's time was not part of it.
        let end = |number| spent_ns * number / count + clock.cost_ns * number;
        let ends = (1..=count).map(|number| start + Duration::from_nanos(end(number)));
        self.ends.extend(ends);
        start
    }

    /// Checks the answers, and enters the times. Gives the nanoseconds a puzzle.
    fn settle(
        &mut self,
        start: Instant,
        block: Block<'_>,
        is_first_pass: bool,
        setting: Setting<'_>,
    ) -> f64 {
        let goal = setting.config.goal;
        let outcomes = std::mem::take(&mut self.outcomes);
        let mut begin = start;
        let mut round_ns = 0;
        let asked = self.spec.held_to(goal);
        for (number, (outcome, &end)) in outcomes.iter().zip(&self.ends).enumerate() {
            let place = number % block.puzzles.len();
            let nanoseconds = setting.clock.without_look(end - begin);
            begin = end;
            round_ns += nanoseconds;
            let (puzzle, reference) = (&block.puzzles[place], &block.references[place]);
            let checked = check(puzzle, asked, &outcome.verdict, reference);
            let kind = match checked {
                Ok(()) => Kind::of(&outcome.verdict),
                Err(_) => Kind::Wrong,
            };
            self.histogram.saturating_record(nanoseconds.max(1));
            if kind.is_answer() {
                self.answered.saturating_record(nanoseconds.max(1));
            }
            if is_first_pass {
                self.tally.add(kind, outcome);
                if self.spec.batch == 1 {
                    self.by_guesses.add(outcome.effort.guesses, nanoseconds);
                }
                self.samples.push(Sample {
                    index: block.start + place,
                    kind,
                    cost: Some((outcome.effort, nanoseconds)),
                });
            }
            if let Err(wrong) = checked {
                self.wrong.push((block.start + place, wrong));
                self.tally.wrong_again += u64::from(!is_first_pass);
            }
        }
        self.spent_ns += round_ns;
        self.solves += outcomes.len() as u64;
        self.rounds += 1;
        let mean_ns = round_ns as f64 / outcomes.len().max(1) as f64;
        self.outcomes = outcomes;
        mean_ns
    }

    /// The row of this corpus, which has so many puzzles.
    pub(super) fn row(&self, corpus: &str, puzzles: u64, config: &BenchConfig) -> Row {
        let covered = self.tally.covered();
        let us = |nanoseconds: u64| (covered > 0).then_some(nanoseconds as f64 / 1e3);
        let quantile = |q| us(self.histogram.value_at_quantile(q));
        let per_solve_s = self.spent_ns as f64 / 1e9 / self.solves.max(1) as f64;
        let row = Row {
            corpus: corpus.to_owned(),
            solver: self.spec.name.to_owned(),
            goal: goal_name(config.goal),
            threads: Some(1),
            puzzles,
            min_us: us(self.histogram.min()),
            median_us: quantile(0.5),
            p90_us: quantile(0.9),
            p99_us: quantile(0.99),
            max_us: us(self.histogram.max()),
            total_s: per_solve_s * covered as f64,
            puzzles_per_s: if self.spent_ns > 0 {
                1.0 / per_solve_s
            } else {
                0.0
            },
            passes: self.solves as f64 / covered.max(1) as f64,
            rounds: self.rounds,
            cut: self.cut && covered < puzzles,
            at_once: self.spec.batch > 1,
            times: quantiles(&self.histogram),
            answered: quantiles(&self.answered),
            by_guesses: self.by_guesses.times(),
            round_ns: self.round_ns.clone(),
            yardstick_ns: self.yardstick_ns.clone(),
            ..Row::default()
        };
        row.with_tally(&self.tally)
    }
}
