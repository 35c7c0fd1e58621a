//! One of our solvers on all threads: rounds of a few thousand puzzles, in batches of milliseconds.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::clock::nanoseconds;
use super::config::Repeat;
use super::contender::{Answered, Contender};
use super::event::WrongAnswer;
use super::measurement::AllThreads;
use super::rounds::{Round, Rounds};
use super::work::{Context, FIRST_WARM_UP, Turn, WARM_UP, Work};
use crate::solve::Goal;

/// Number of puzzles in a round.
pub(super) const BLOCK: usize = 4096;
/// Largest number of solves in a round that repeats its block.
const MOST: usize = 4 * BLOCK;
/// Target time of a round, in nanoseconds, as far as that many puzzles allow.
const ROUND_NS: f64 = 5_000_000.0;
/// Target time of a batch, in nanoseconds.
const BATCH_NS: f64 = 2_000_000.0;
/// Largest number of puzzles in a batch.
const BATCH: usize = 1024;
/// How long the first thread waits for the last one to be ready.
const PATIENCE: Duration = Duration::from_millis(50);

/// Why locking cannot fail.
const ALONE: &str = "a thread that panics ends the run";

/// A solver with an instance for each thread.
pub(super) struct Team<C: Contender> {
    spec: C,
    asked: (Goal, &'static str),
    solvers: Vec<Mutex<C::Solver>>,
    is_warm: bool,
    pub(super) measured: AllThreads,
    /// Wrong answers since the last report.
    pub(super) wrong: Vec<WrongAnswer>,
}

/// Barrier that starts all threads at once.
struct StartLine {
    missing: AtomicUsize,
}

impl StartLine {
    /// Marks this thread as ready and waits for the others, for a limited time in case one has
    /// panicked.
    fn wait(&self) {
        self.missing.fetch_sub(1, Ordering::AcqRel);
        let end = Instant::now() + PATIENCE;
        while self.missing.load(Ordering::Acquire) > 0 && Instant::now() < end {
            std::thread::yield_now();
        }
    }
}

impl<C: Contender> Team<C> {
    /// Returns one instance for each thread of the current rayon pool.
    pub(super) fn new(spec: C, goal: Goal) -> Team<C> {
        let threads = rayon::current_num_threads();
        let solvers = std::iter::repeat_with(|| Mutex::new(spec.build()));
        Team {
            spec,
            asked: (spec.checked_goal(goal), C::referee(spec.name())),
            solvers: solvers.take(threads).collect(),
            is_warm: false,
            measured: AllThreads {
                threads,
                ..AllThreads::default()
            },
            wrong: Vec::new(),
        }
    }

    /// Returns the least number of puzzles in a part of a round that keeps the threads busy.
    pub(super) fn least(&self) -> usize {
        8 * self.solvers.len()
    }

    pub(super) fn name(&self) -> &'static str {
        self.spec.name()
    }

    /// Returns whether there are enough rounds.
    pub(super) fn has_enough(&self, repeat: Repeat) -> bool {
        let spent = Duration::from_nanos(self.measured.rounds.spent_ns());
        let rounds = self.measured.rounds.count();
        spent >= repeat.enough || rounds >= repeat.rounds && spent >= repeat.least
    }

    /// Times the puzzles of a round on all threads of the current rayon pool; `one_thread` are the
    /// rounds on one thread.
    pub(super) fn round(
        &mut self,
        turn: &Turn,
        one_thread: &Rounds,
        work: &Work<'_, C>,
        context: Context<'_>,
    ) {
        if context.is_stopped() {
            return;
        }
        let places = &turn.places;
        let (goal, limits) = (context.config.goal, context.config.limits);
        let threads = self.solvers.len();
        let pace_ns = one_thread.rate().map_or(0.0, |rate| 1e9 / rate);
        let fit = ROUND_NS * threads as f64 / (pace_ns * places.len() as f64).max(1.0);
        let passes = (fit as usize).clamp(1, (MOST / places.len()).max(1));
        let order = turn.passes(passes, context.config.seed);
        let lines = work.lines_at(&order);
        let mut answers: Vec<C::Answer> = Vec::new();
        answers.resize_with(lines.len(), || C::Answer::NONE);
        let even = (lines.len() / (8 * threads)).max(1);
        let batch = ((BATCH_NS / pace_ns.max(1.0)) as usize).clamp(1, BATCH.min(even));
        let warm_up = if self.is_warm { WARM_UP } else { FIRST_WARM_UP };
        self.is_warm = true;

        let batches = Mutex::new(lines.chunks(batch).zip(answers.chunks_mut(batch)));
        let done = AtomicUsize::new(0);
        let line = StartLine {
            missing: AtomicUsize::new(threads),
        };
        let spans = rayon::broadcast(|thread| {
            let mut solver = self.solvers[thread.index()].lock().expect(ALONE);
            work.warm_up(&mut solver, warm_up, context);
            line.wait();
            let start = Instant::now();
            while !context.is_stopped() {
                let next = batches.lock().expect(ALONE).next();
                let Some((lines, answers)) = next else { break };
                let mut answers = answers.iter_mut();
                C::solve_lines(&mut solver, lines, goal, limits, &mut |outcome| {
                    if let Some(answer) = answers.next() {
                        answer.set(outcome);
                    }
                });
                done.fetch_add(lines.len(), Ordering::Relaxed);
            }
            (start, Instant::now())
        });

        // What was stopped is no round.
        if done.into_inner() < lines.len() {
            return;
        }
        let start = spans.iter().map(|&(start, _)| start).min();
        let end = spans.iter().map(|&(_, end)| end).max();
        let spent = end.zip(start).map(|(end, start)| end - start);
        let known = self.wrong.len();
        work.check(&order, &answers, self.asked, &mut self.wrong);
        self.measured.wrong += (self.wrong.len() - known) as u64;
        let puzzles = places.len() as u64;
        self.measured.puzzles += if turn.is_first { puzzles } else { 0 };
        let round = Round {
            number: turn.number,
            puzzles,
            solves: lines.len() as u64,
            ns: nanoseconds(spent.unwrap_or_default()).max(1),
            calibration_ns: 0,
        };
        self.measured.rounds.add(round);
    }
}
