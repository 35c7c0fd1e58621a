//! Common input of all rows of a measurement: the puzzles, their order, the warm-up, the
//! references.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::answer::AnswerKind;
use super::check::Reference;
use super::clock::Clock;
use super::config::BenchConfig;
use super::contender::Contender;
use super::event::WrongAnswer;
use super::reader::Chunk;
use super::rounds::PARTS;
use crate::solve::{Goal, Limits};

/// Number of puzzles of the warm-up: others than those that are timed.
const WARM_UP_PUZZLES: usize = 1024;
/// Largest number of puzzles per call of the warm-up.
const WARM_UP_CALL: usize = 32;
/// Warm-up before every round, because caches and branch predictors were used by another row.
pub(super) const WARM_UP: Duration = Duration::from_micros(200);
/// Warm-up before the first round of a row.
pub(super) const FIRST_WARM_UP: Duration = Duration::from_millis(100);

/// Target time of a round over few puzzles, in nanoseconds.
pub(super) const ROUND_NS: f64 = 10_000_000.0;

/// Time above which a round is divided, so that a slow row has enough rounds and can be stopped.
const LONG_NS: f64 = 50_000_000.0;

/// Common settings of all rows and corpora.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) config: &'a BenchConfig,
    pub(super) clock: Clock,
    pub(super) stop: &'a AtomicBool,
}

impl Context<'_> {
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A round: its number in the run, and the indices of its puzzles in the chunk.
pub(super) struct Turn {
    pub(super) number: u64,
    pub(super) places: Vec<usize>,
    /// Whether it is the first one over these puzzles.
    pub(super) is_first: bool,
}

impl Turn {
    /// Returns the indices that a row has time for, at `pace_ns` nanoseconds each: one round, or
    /// parts of at least `least` puzzles, if all of them would take long.
    pub(super) fn parts(&self, reached: usize, pace_ns: f64, least: usize) -> Vec<Turn> {
        let places = self.places.iter().copied();
        let places: Vec<usize> = places.filter(|&place| place < reached).collect();
        let size = match pace_ns * places.len() as f64 {
            ns if ns > LONG_NS => places.len().div_ceil(PARTS).max(least),
            _ => places.len().max(1),
        };
        let parts = (self.number * PARTS as u64..).zip(places.chunks(size));
        let part = |(number, places): (u64, &[usize])| Turn {
            number,
            places: places.to_vec(),
            is_first: self.is_first,
        };
        parts.map(part).collect()
    }

    /// Returns its indices, repeated `passes` times; each time after the first in another order.
    pub(super) fn passes(&self, passes: usize, seed: u64) -> Vec<usize> {
        let mut order = self.places.clone();
        for pass in 1..passes {
            let mut again = self.places.clone();
            again.shuffle(&mut seeded(seed, self.number, pass as u64));
            order.extend(again);
        }
        order
    }
}

/// A chunk, prepared for measuring.
pub(super) struct Work<'a, C: Contender> {
    pub(super) chunk: &'a Chunk<C::Puzzle>,
    /// The puzzles as passed to solvers.
    pub(super) lines: Vec<C::Line>,
    /// Puzzles equivalent to those of the chunk, for the warm-up: as hard, and none of them is
    /// timed.
    pub(super) warm_up: Vec<C::Line>,
    /// The verdicts of each reference solver on the puzzles.
    references: Vec<(&'static str, Vec<Reference<C::Solution>>)>,
}

impl<C: Contender> Work<'_, C> {
    /// Solves the puzzles by the reference solvers, on all threads of the current rayon pool.
    pub(super) fn new<'a>(
        chunk: &'a Chunk<C::Puzzle>,
        mut referees: Vec<&'static str>,
        config: &BenchConfig,
        number: u64,
    ) -> Work<'a, C> {
        referees.sort_unstable();
        referees.dedup();
        let references = referees.into_iter().map(|referee| {
            let puzzles = chunk.puzzles.par_iter();
            let reference = puzzles.map(|puzzle| C::reference(referee, puzzle, config.goal));
            (referee, reference.collect())
        });
        let references = references.collect();
        let mut random = seeded(config.seed, number, u64::MAX);
        let puzzles = chunk.puzzles.iter().cycle().take(WARM_UP_PUZZLES);
        let disguised = |puzzle| C::disguised(puzzle, &mut random);
        let warm_up = puzzles.map(disguised).collect();
        Work {
            chunk,
            lines: chunk.puzzles.iter().map(C::line).collect(),
            warm_up,
            references,
        }
    }

    /// Returns the puzzles at these indices, as passed to solvers.
    pub(super) fn lines_at(&self, places: &[usize]) -> Vec<C::Line> {
        places
            .iter()
            .map(|&place| self.lines[place].clone())
            .collect()
    }

    /// Checks answers to the puzzles at these indices. Wrong ones are recorded with their indices.
    pub(super) fn check(
        &self,
        places: &[usize],
        answers: &[C::Answer],
        (asked, referee): (Goal, &'static str),
        wrong: &mut Vec<WrongAnswer>,
    ) -> Vec<AnswerKind> {
        let mut known = self.references.iter();
        let known = known.find(|(name, _)| *name == referee);
        let references = known.map_or(&[][..], |(_, references)| references);
        let mut kind = |(&place, answer): (&usize, &C::Answer)| {
            let puzzle = &self.chunk.puzzles[place];
            let reference = references.get(place).unwrap_or(&Reference::Unknown);
            let checked = C::check(puzzle, asked, answer, reference);
            wrong.extend(checked.err().map(|why| (place, why)));
            checked.unwrap_or(AnswerKind::Wrong)
        };
        places.iter().zip(answers).map(&mut kind).collect()
    }

    /// Warms up the solver for this time with puzzles that are not timed, ignoring its answers.
    pub(super) fn warm_up(&self, solver: &mut C::Solver, time: Duration, context: Context<'_>) {
        let config = context.config;
        let limits = Limits {
            time: Some(config.limits.time.map_or(time, |limit| limit.min(time))),
            ..config.limits
        };
        let end = Instant::now() + time;
        for lines in self.warm_up_calls() {
            if Instant::now() >= end || context.is_stopped() {
                break;
            }
            C::solve_lines(solver, lines, config.goal, limits, &mut |_| {});
        }
    }

    /// Returns the puzzles of the warm-up in calls that double in length, so that a slow row is
    /// stopped after a few puzzles; endlessly repeated.
    pub(super) fn warm_up_calls(&self) -> impl Iterator<Item = &[C::Line]> {
        let lines = &self.warm_up;
        let next = |(start, length): &(usize, usize)| {
            let start = (start + length) % lines.len();
            Some((start, (2 * length).min(WARM_UP_CALL)))
        };
        let calls = std::iter::successors(Some((0, 1)), next);
        calls.map(|(start, length)| &lines[start..(start + length).min(lines.len())])
    }
}

/// Returns a random generator for this purpose in this round.
pub(super) fn seeded(seed: u64, round: u64, purpose: u64) -> ChaCha8Rng {
    let mut bytes = [0; 32];
    for (part, number) in bytes.chunks_mut(8).zip([seed, round, purpose]) {
        part.copy_from_slice(&number.to_le_bytes());
    }
    ChaCha8Rng::from_seed(bytes)
}

/// Returns the numbers below `count` in an order drawn by seed.
pub(super) fn shuffled(count: usize, seed: u64, round: u64, purpose: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.shuffle(&mut seeded(seed, round, purpose));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(count: usize) -> Turn {
        Turn {
            number: 3,
            places: (0..count).rev().collect(),
            is_first: true,
        }
    }

    #[test]
    fn orders_are_complete_vary_by_round_and_depend_on_the_seed() {
        let orders: Vec<Vec<usize>> = (0..50).map(|round| shuffled(6, 1, round, 0)).collect();
        for order in &orders {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4, 5]);
        }
        // Every row is first, and last, in about one sixth of the rounds.
        for row in 0..6 {
            let first = orders.iter().filter(|order| order[0] == row).count();
            assert!(
                (2..=16).contains(&first),
                "row {row} is first {first} times"
            );
        }
        assert_eq!(shuffled(6, 1, 7, 0), orders[7]);
        assert_ne!(shuffled(60, 1, 7, 0), shuffled(60, 2, 7, 0));
        assert_ne!(shuffled(60, 1, 7, 0), shuffled(60, 1, 7, 1));
    }

    #[test]
    fn each_pass_has_every_puzzle_once_in_its_own_order() {
        let turn = turn(40);
        let order = turn.passes(3, 0);
        let passes: Vec<&[usize]> = order.chunks(40).collect();
        assert_eq!(passes[0], turn.places);
        assert!(passes[1] != passes[0] && passes[2] != passes[1]);
        for pass in passes {
            let mut sorted = pass.to_vec();
            sorted.sort_unstable();
            assert!(sorted.iter().copied().eq(0..40));
        }
        assert_eq!(order, turn.passes(3, 0));
    }

    #[test]
    fn only_slow_rounds_are_divided() {
        let lengths = |reached, pace_ns, least| -> Vec<(u64, usize)> {
            let parts = turn(40).parts(reached, pace_ns, least);
            parts
                .iter()
                .map(|part| (part.number, part.places.len()))
                .collect()
        };
        assert_eq!(lengths(40, 1e3, 1), [(48, 40)]);
        assert_eq!(lengths(0, 1e9, 1), []);
        let parts = lengths(40, 1e9, 1);
        assert_eq!((parts.len(), parts[0], parts[13]), (14, (48, 3), (61, 1)));
        assert_eq!(lengths(3, 1e9, 1), [(48, 1), (49, 1), (50, 1)]);
        assert_eq!(lengths(40, 1e9, 30), [(48, 30), (49, 10)]);
    }
}
