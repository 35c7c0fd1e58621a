//! All threads at once on a corpus.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::config::{Repeat, goal_name};
use super::feed::Chunk;
use super::latency::{Setting, WrongAnswer};
use super::row::{Row, ThroughputRow};
use super::verify::{Reference, check};
use crate::grid::PuzzleLine;
use crate::roster::SolverSpec;
use crate::solve::{Limits, Outcome, Solver};

/// Puzzles that a thread takes at a time, at most.
const BATCH: usize = 64;
/// How long each thread solves before the clock starts: some milliseconds pass until a thread that
/// was asleep has a core of its own.
const WARM_UP: Duration = Duration::from_millis(10);
/// How long the first thread waits for the last one to be ready.
const PATIENCE: Duration = Duration::from_millis(50);

/// Why a worker's lock is always to be had.
const ALONE: &str = "a worker belongs to one thread, and one that panics ends the run";

/// A solver with an instance for each thread, and what they have shown on this corpus so far.
pub(super) struct Crew {
    spec: SolverSpec,
    workers: Vec<Mutex<Worker>>,
    /// Puzzles answered, each once.
    covered: u64,
    /// Answers, those to the same puzzle included.
    solves: u64,
    spent: Duration,
    /// What a pass over the chunk took the last time, in nanoseconds.
    pass_ns: u128,
    wrong: u64,
    cut: bool,
}

struct Worker {
    solver: Box<dyn Solver>,
    /// Place of a puzzle in the chunk, and its answer.
    outcomes: Vec<(usize, Outcome)>,
}

impl Worker {
    /// Solves without being measured or checked.
    fn warm_up(&mut self, chunk: &Chunk, setting: Setting<'_>) {
        let config = setting.config;
        let time = config.limits.time.map_or(WARM_UP, |time| time.min(WARM_UP));
        let limits = Limits {
            time: Some(time),
            ..config.limits
        };
        let end = Instant::now() + WARM_UP;
        for puzzle in chunk.puzzles.iter().cycle() {
            let now = Instant::now();
            if now >= end || setting.stop.load(Ordering::Relaxed) {
                break;
            }
            self.solver.solve(puzzle, config.goal, limits);
        }
    }
}

/// Lets all threads go at once.
struct StartLine {
    missing: AtomicUsize,
}

impl StartLine {
    /// This thread is ready: waits for the others, but not for long, lest one that has panicked
    /// is waited for.
    fn wait(&self) {
        self.missing.fetch_sub(1, Ordering::AcqRel);
        let end = Instant::now() + PATIENCE;
        while self.missing.load(Ordering::Acquire) > 0 && Instant::now() < end {
            std::thread::yield_now();
        }
    }
}

impl Crew {
    /// One instance for each thread of the current rayon pool.
    pub(super) fn new(spec: SolverSpec) -> Crew {
        let worker = || {
            Mutex::new(Worker {
                solver: (spec.build)(),
                outcomes: Vec::new(),
            })
        };
        Crew {
            workers: std::iter::repeat_with(worker)
                .take(rayon::current_num_threads())
                .collect(),
            spec,
            covered: 0,
            solves: 0,
            spent: Duration::ZERO,
            pass_ns: 0,
            wrong: 0,
            cut: false,
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.spec.name
    }

    /// Whether the budget has run out.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Whether a corpus that is shorter than a chunk was gone over long enough.
    pub(super) fn has_enough(&self, repeat: Repeat) -> bool {
        self.spent >= repeat.least
    }

    /// Answers the chunk on all threads of the current rayon pool, then checks the answers. Gives
    /// those that are wrong.
    pub(super) fn run(
        &mut self,
        chunk: &Chunk,
        references: &[Reference],
        is_first_pass: bool,
        setting: Setting<'_>,
    ) -> Vec<WrongAnswer> {
        let (config, goal) = (setting.config, setting.config.goal);
        let (threads, spec) = (self.workers.len(), self.spec);
        let length = chunk.len();
        // Few puzzles are over before all threads have begun: the next time there are more.
        let passes = if is_first_pass {
            1
        } else {
            let missing = config.repeat.least.saturating_sub(self.spent);
            let fit = missing.as_nanos() / self.pass_ns.max(1);
            let fit = usize::try_from(fit).unwrap_or(usize::MAX);
            fit.min(config.chunk / length).max(1)
        };
        let lines: Vec<PuzzleLine> = chunk.puzzles.iter().map(PuzzleLine::from).collect();
        let most = self.spec.batch.max(BATCH);
        let batch = (passes * length / (8 * threads)).clamp(1, most);
        let next = AtomicUsize::new(0);
        let left = config.budget.saturating_sub(self.spent);
        let work = |worker: &mut Worker, start: Instant| {
            let deadline = start.checked_add(left);
            let late = |now: Instant| deadline.is_some_and(|deadline| now >= deadline);
            let mut now = start;
            while !late(now) && !setting.stop.load(Ordering::Relaxed) {
                let first = next.fetch_add(batch, Ordering::Relaxed);
                let last = (passes * length).min(first.saturating_add(batch));
                if first >= last {
                    break;
                }
                let size = if spec.batch > 1 { last - first } else { 1 };
                for first in (first..last).step_by(size) {
                    let places = (first..last.min(first + size)).map(|number| number % length);
                    let lines: Vec<PuzzleLine> = places.clone().map(|at| lines[at]).collect();
                    let (solver, outcomes) = (&mut worker.solver, &mut worker.outcomes);
                    let mut places = places;
                    solver.solve_lines(&lines, goal, config.limits, &mut |outcome| {
                        outcomes.extend(places.next().map(|place| (place, outcome)));
                    });
                    now = Instant::now();
                    if late(now) {
                        break;
                    }
                }
            }
        };
        let line = StartLine {
            missing: AtomicUsize::new(threads),
        };
        let spans = rayon::broadcast(|context| {
            let mut worker = self.workers[context.index()].lock().expect(ALONE);
            if is_first_pass {
                worker.warm_up(chunk, setting);
            }
            worker.outcomes.reserve(2 * passes * length / threads);
            line.wait();
            let start = Instant::now();
            work(&mut worker, start);
            (start, Instant::now())
        });
        let start = spans.iter().map(|&(start, _)| start).min();
        let end = spans.iter().map(|&(_, end)| end).max();
        let spent = end
            .zip(start)
            .map_or(Duration::ZERO, |(end, start)| end - start);
        self.spent += spent;
        self.pass_ns = spent.as_nanos() / passes as u128;
        self.cut |= spent >= left;
        let asked = self.spec.held_to(goal);
        let wrong: Vec<WrongAnswer> = self
            .workers
            .par_iter_mut()
            .flat_map_iter(|worker| &worker.get_mut().expect(ALONE).outcomes)
            .filter_map(|(place, outcome)| {
                let puzzle = &chunk.puzzles[*place];
                let checked = check(puzzle, asked, &outcome.verdict, &references[*place]);
                checked.err().map(|wrong| (*place, wrong))
            })
            .collect();
        for worker in &mut self.workers {
            let outcomes = &mut worker.get_mut().expect(ALONE).outcomes;
            self.solves += outcomes.len() as u64;
            self.covered += if is_first_pass {
                outcomes.len() as u64
            } else {
                0
            };
            outcomes.clear();
        }
        self.wrong += wrong.len() as u64;
        wrong
    }

    /// The row of this corpus, beside the row of one thread.
    pub(super) fn row(&self, one_thread: &Row, setting: Setting<'_>) -> ThroughputRow {
        let seconds = self.spent.as_secs_f64();
        let rate = if seconds > 0.0 {
            self.solves as f64 / seconds
        } else {
            0.0
        };
        let one = one_thread.puzzles_per_s;
        ThroughputRow {
            corpus: one_thread.corpus.clone(),
            solver: self.spec.name.to_owned(),
            goal: goal_name(setting.config.goal),
            threads: self.workers.len(),
            puzzles: self.covered,
            seconds: seconds * self.covered as f64 / self.solves.max(1) as f64,
            puzzles_per_s: rate,
            times_one_thread: (one > 0.0).then(|| rate / one),
            cut: self.cut && self.covered < one_thread.puzzles,
            struck: (self.wrong > 0).then(|| format!("{} wrong answers", self.wrong)),
        }
    }
}
