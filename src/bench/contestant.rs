//! One of our solvers on one thread: single puzzles for the times, blocks for the rate.
//!
//! Georges, Buytaert and Eeckhout ("Statistically rigorous Java performance evaluation", 2007)
//! explain why repeated, interleaved measurements are needed.

use std::slice;
use std::time::{Duration, Instant};

use rand::seq::SliceRandom;

use super::answer::AnswerKind;
use super::clock::{CalibrationLoop, nanoseconds};
use super::config::{Repeat, goal_name};
use super::contender::{Answered, Contender};
use super::event::{Sample, WrongAnswer};
use super::measurement::SolverMeasurement;
use super::reader::Chunk;
use super::rounds::Round;
use super::work::{Context, FIRST_WARM_UP, ROUND_NS, Turn, WARM_UP, Work, seeded};
use crate::solve::Goal;
use crate::statistics::median;

/// Largest number of repeats of a single puzzle; always an odd number.
const MOST_REPEATS: u64 = 15;
/// Time for the repeats of a block, in nanoseconds: puzzles of slow solvers are timed once.
const REPEATS_NS: u64 = 20_000_000;

/// A solver and its results on this corpus so far.
pub(super) struct Contestant<C: Contender> {
    spec: C,
    /// The goal that its answers are checked against.
    asked: Goal,
    pub(super) referee: &'static str,
    solver: C::Solver,
    is_warm: bool,
    calibration: CalibrationLoop,
    pub(super) measurement: SolverMeasurement,
    /// Nanoseconds of single puzzles, once each, and of their repeats.
    alone_ns: u64,
    repeats_ns: u64,
    /// Number of puzzles of the corpus that were timed alone.
    alone_count: u64,
    /// Number of puzzles of the chunk that it reached.
    pub(super) reached: usize,
    /// These puzzles, with their first answers.
    pub(super) samples: Vec<Sample>,
    /// Wrong answers since the last report.
    pub(super) wrong: Vec<WrongAnswer>,
    answers: Vec<C::Answer>,
}

impl<C: Contender> Contestant<C> {
    pub(super) fn new(spec: C, goal: Goal) -> Contestant<C> {
        let referee = C::referee(spec.name());
        Contestant {
            asked: spec.checked_goal(goal),
            referee,
            solver: spec.build(),
            spec,
            is_warm: false,
            calibration: CalibrationLoop::new(),
            measurement: SolverMeasurement {
                solver: spec.name().to_owned(),
                goal: goal_name(goal),
                referee: referee.to_owned(),
                ..SolverMeasurement::default()
            },
            alone_ns: 0,
            repeats_ns: 0,
            alone_count: 0,
            reached: 0,
            samples: Vec::new(),
            wrong: Vec::new(),
            answers: Vec::new(),
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.spec.name()
    }

    /// Drops the results of the chunk before.
    pub(super) fn start_chunk(&mut self) {
        self.reached = 0;
        self.samples.clear();
    }

    /// Invalidates the row, if there is a puzzle whose rules the solver does not support.
    pub(super) fn look_at(&mut self, chunk: &Chunk<C::Puzzle>) {
        let mut lines = chunk.puzzles.iter().zip(&chunk.lines);
        let unknown = lines.find(|(puzzle, _)| !self.spec.supports(puzzle));
        if let Some((_, line)) = unknown.filter(|_| self.measurement.failure.is_none()) {
            self.measurement.failure = Some(format!("it does not know the rules of line {line}"));
        }
    }

    /// Returns whether it takes no part in further rounds.
    pub(super) fn is_out(&self) -> bool {
        self.measurement.cut || self.measurement.failure.is_some()
    }

    /// Returns the nanoseconds per single puzzle.
    pub(super) fn pace_ns(&self) -> f64 {
        self.alone_ns as f64 / self.alone_count.max(1) as f64
    }

    /// Returns whether there are enough rounds.
    pub(super) fn has_enough(&self, repeat: Repeat, budget: Duration) -> bool {
        let spent = Duration::from_nanos(self.measurement.rounds.spent_ns());
        let rounds = self.measurement.rounds.count();
        self.reached == 0
            || spent >= repeat.enough.min(budget / 2)
            || rounds >= repeat.rounds && spent >= repeat.least
    }

    fn warm_up(&mut self, work: &Work<'_, C>, context: Context<'_>) {
        let time = if self.is_warm { WARM_UP } else { FIRST_WARM_UP };
        self.is_warm = true;
        work.warm_up(&mut self.solver, time, context);
    }

    /// Times the puzzles at these neighbouring places, one call for each, until half of the budget
    /// is spent; then repeatedly in other orders, as long as that takes milliseconds and within a
    /// quarter of the budget. The time of a puzzle is the median of its repeats.
    pub(super) fn time_alone(&mut self, turn: &Turn, work: &Work<'_, C>, context: Context<'_>) {
        if self.is_out() || context.is_stopped() {
            return;
        }
        self.warm_up(work, context);
        let half = context.config.budget / 2;
        let left = half.saturating_sub(Duration::from_nanos(self.alone_ns));
        let mut order = turn.places.to_vec();
        let mut times: Vec<Vec<f64>> = vec![Vec::new(); order.len()];
        let (first, ended) = self.pass(&order, left, work, context);
        self.measurement.cut |= ended;
        order.truncate(first.len());
        let pass_ns: u64 = first.iter().sum();
        self.alone_ns += pass_ns;
        self.alone_count += first.len() as u64;
        self.reached += first.len();
        let samples = order.iter().zip(&self.answers).zip(&first);
        let samples = samples.map(|((&index, answer), _)| Sample {
            index,
            kind: answer.kind(),
            cost: Some((answer.effort(), 0)),
        });
        let begun = self.samples.len();
        self.samples.extend(samples);
        for (place, ns) in first.into_iter().enumerate() {
            times[place].push(ns as f64);
        }
        let checked = self.check_alone(&order, work);
        for (sample, kind) in self.samples[begun..].iter_mut().zip(checked) {
            sample.kind = kind;
        }
        let left = nanoseconds(half / 2).saturating_sub(self.repeats_ns);
        let repeats = REPEATS_NS.min(left) / pass_ns.max(1);
        let start = order.first().copied().unwrap_or(0);
        for repeat in 1..(repeats.clamp(1, MOST_REPEATS) - 1) | 1 {
            if context.is_stopped() {
                break;
            }
            let random = &mut seeded(context.config.seed, turn.number, repeat);
            order.shuffle(random);
            let (again, _) = self.pass(&order, Duration::MAX, work, context);
            self.repeats_ns += again.iter().sum::<u64>();
            for (place, ns) in order.iter().zip(again) {
                times[place - start].push(ns as f64);
            }
            self.check_alone(&order, work);
        }
        for (sample, times) in self.samples[begun..].iter_mut().zip(&mut times) {
            let ns = median(times) as u64;
            let (repeats, is_answered) = (times.len() as u64, sample.kind.is_answer());
            if let Some((effort, sample_ns)) = &mut sample.cost {
                *sample_ns = ns;
                let guesses = effort.guesses;
                let times = &mut self.measurement.times;
                times.add(is_answered, guesses, ns, repeats);
            }
        }
    }

    /// Times puzzles in this order, one call for each. Returns the nanoseconds of each, and whether
    /// the time was up before all were done.
    fn pass(
        &mut self,
        places: &[usize],
        left: Duration,
        work: &Work<'_, C>,
        context: Context<'_>,
    ) -> (Vec<u64>, bool) {
        let (goal, limits) = (context.config.goal, context.config.limits);
        let lines = work.lines_at(places);
        self.answers.clear();
        self.answers.resize_with(lines.len(), || C::Answer::NONE);
        let mut ends = Vec::with_capacity(lines.len());
        let start = Instant::now();
        let deadline = start.checked_add(left);
        let mut is_up = false;
        for (line, answer) in lines.iter().zip(&mut self.answers) {
            let mut sink = |outcome| answer.set(outcome);
            let line = slice::from_ref(line);
            C::solve_lines(&mut self.solver, line, goal, limits, &mut sink);
            let end = Instant::now();
            ends.push(end);
            is_up = deadline.is_some_and(|deadline| end >= deadline);
            if is_up || context.is_stopped() {
                break;
            }
        }
        let begins = std::iter::once(start).chain(ends.iter().copied());
        let times = ends.iter().zip(begins).map(|(&end, begin)| end - begin);
        let times: Vec<u64> = times.map(|time| context.clock.without_look(time)).collect();
        let is_short = times.len() < places.len();
        (times, is_up && is_short)
    }

    /// Times the puzzles of a round in one call. A few puzzles are repeated in several orders, so
    /// that a round is worth its warm-up.
    pub(super) fn round(&mut self, turn: &Turn, work: &Work<'_, C>, context: Context<'_>) {
        if context.is_stopped() {
            return;
        }
        let (goal, limits) = (context.config.goal, context.config.limits);
        let count = turn.places.len();
        let fit = ROUND_NS / (self.pace_ns() * count as f64).max(1.0);
        let passes = (fit as usize).clamp(1, (context.config.block / count).max(1));
        let order = turn.passes(passes, context.config.seed);
        let lines = work.lines_at(&order);
        self.answers.clear();
        self.answers.resize_with(lines.len(), || C::Answer::NONE);
        let calibration_ns = self.calibration.time();
        self.warm_up(work, context);

        let mut answers = self.answers.iter_mut();
        let mut sink = |outcome| {
            if let Some(answer) = answers.next() {
                answer.set(outcome);
            }
        };
        let start = Instant::now();
        C::solve_lines(&mut self.solver, &lines, goal, limits, &mut sink);
        let spent = start.elapsed();

        let kinds = self.check(&order, work);
        let round = Round {
            number: turn.number,
            puzzles: count as u64,
            solves: lines.len() as u64,
            ns: context.clock.without_look(spent),
            calibration_ns,
        };
        let (is_first, answers) = (turn.is_first, &self.answers);
        self.measurement.add_round(round, is_first, &kinds, answers);
    }

    /// Checks answers to single puzzles like [`Contestant::check`]. They are counted when they come
    /// in blocks: here only errors are added.
    fn check_alone(&mut self, places: &[usize], work: &Work<'_, C>) -> Vec<AnswerKind> {
        let kinds = self.check(places, work);
        let wrong = kinds.iter().filter(|kind| **kind == AnswerKind::Wrong);
        self.measurement.tally.wrong_again += wrong.count() as u64;
        kinds
    }

    /// Checks the answers to the puzzles at these places, outside the timed region.
    fn check(&mut self, places: &[usize], work: &Work<'_, C>) -> Vec<AnswerKind> {
        let asked = (self.asked, self.referee);
        work.check(places, &self.answers, asked, &mut self.wrong)
    }
}
