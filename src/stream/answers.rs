//! Puzzles in, solutions out.

use std::io::{self, BufWriter, Write};
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use thiserror::Error;

use super::pump::{End, StreamError, pump};
use crate::corpus::{Corpora, CorpusError, Entry, Place};
use crate::grid::{Cell, Puzzle, Solution};
use crate::roster::SolverSpec;
use crate::solve::{Goal, Limits, Lockstep, Reply, Solver, Verdict};

/// What is asked of every puzzle, and what it may cost.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// How many solutions are looked for.
    pub goal: Goal,
    /// The work that one puzzle may take.
    pub limits: Limits,
}

impl Ask {
    /// This goal, however long it takes.
    pub const fn unlimited(goal: Goal) -> Ask {
        Ask {
            goal,
            limits: Limits::NONE,
        }
    }
}

/// How a stream is cut; it changes speed and memory, never the output.
#[derive(Clone, Copy, Debug)]
pub struct StreamConfig {
    /// Lines that are solved while the next ones are read and the last answers written; twice as
    /// many are in memory. An interrupted run still finishes them.
    pub chunk: usize,
    /// Lines that a thread takes at a time.
    pub batch: usize,
}

impl StreamConfig {
    /// What suits a solver, in smaller chunks where an answer may be long.
    pub fn new(solver: &SolverSpec, goal: Goal) -> StreamConfig {
        let config = match solver.lines {
            Some(_) => StreamConfig {
                chunk: 16_384,
                batch: 1024,
            },
            None => StreamConfig {
                chunk: 2048,
                batch: 16,
            },
        };
        let Goal::Count(limit) = goal else {
            return config;
        };
        let chunk = (65_536 / limit.get()).clamp(16, config.chunk);
        let batch = if chunk < 256 { 1 } else { 16 };
        StreamConfig { chunk, batch }
    }
}

/// What became of the lines of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Puzzles with one solution, or with a first one where no more was asked.
    pub solved: u64,
    /// Puzzles with several solutions.
    pub multiple: u64,
    /// Puzzles without a solution.
    pub unsolvable: u64,
    /// Puzzles on which a solver that is not complete did not get further.
    pub stuck: u64,
    /// Puzzles that took more than their budget.
    pub timeout: u64,
    /// Answers that differ from the solution that the corpus gives.
    pub disagreements: u64,
    /// Lines that are no puzzles.
    pub bad_lines: u64,
    /// Files that were not read, or not to their end.
    pub broken_files: u64,
}

impl Tally {
    /// How many puzzles were answered, each on a line of the output.
    pub fn puzzles(&self) -> u64 {
        self.solved + self.multiple + self.unsolvable + self.stuck + self.timeout
    }

    /// Whether every line was a puzzle that was answered, and every answer the expected one.
    pub fn is_clean(&self) -> bool {
        self.stuck + self.timeout + self.disagreements + self.bad_lines + self.broken_files == 0
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.solved += other.solved;
        self.multiple += other.multiple;
        self.unsolvable += other.unsolvable;
        self.stuck += other.stuck;
        self.timeout += other.timeout;
        self.disagreements += other.disagreements;
        self.bad_lines += other.bad_lines;
        self.broken_files += other.broken_files;
    }
}

/// Something to tell the user about one line.
#[derive(Debug, Error)]
pub enum Problem {
    /// It is no puzzle, or a file is broken.
    #[error(transparent)]
    Corpus(CorpusError),
    /// The solution that the corpus gives is not the answer.
    #[error("{place}: the solution given with the puzzle is not its solution")]
    Disagreement {
        /// The line.
        place: Place,
    },
}

/// Answers every puzzle with one line: the solution; `unsolvable`; `multiple` where the only one is
/// asked for and there are more; the solutions joined by commas where they are counted; `stuck` or
/// `timeout` where the solver gave up. An error in a corpus gives no line. Runs in the current rayon
/// pool; looks at `stop` once a chunk.
///
/// # Errors
/// See [`StreamError`]. A pipe that was closed at its other end is no error.
pub fn answer_all(
    mut corpora: Corpora,
    solver: &SolverSpec,
    ask: Ask,
    config: StreamConfig,
    stop: &AtomicBool,
    out: &mut (dyn Write + Send),
    on_problem: &mut (dyn FnMut(&Problem) + Send),
) -> Result<(Tally, End), StreamError> {
    let mut out = BufWriter::with_capacity(64 * 1024, out);
    let mut read = || {
        if stop.load(Ordering::Relaxed) {
            return Vec::new();
        }
        read_chunk(&mut corpora, solver, config)
    };
    let mut tally = Tally::default();
    let mut write = |answers: Vec<Answers>| -> io::Result<()> {
        for batch in &answers {
            tally += batch.tally;
            batch.problems.iter().for_each(&mut *on_problem);
            out.write_all(&batch.text)?;
        }
        out.flush()
    };
    let solve = |chunk| solve(chunk, solver, ask);
    let end = pump(&mut read, solve, &mut write, stop)?;
    Ok((tally, end))
}

/// What a thread takes at a time.
enum Batch {
    /// Puzzles that are lines of 81 cells and nothing else, for a solver of lines.
    Lines(Vec<[u8; Cell::COUNT]>),
    Entries(Vec<Result<Entry, CorpusError>>),
}

/// The next batches; none at the end.
fn read_chunk(corpora: &mut Corpora, solver: &SolverSpec, config: StreamConfig) -> Vec<Batch> {
    let batch = config.batch.max(1);
    let mut room = config.chunk.max(1);
    let mut batches = Vec::new();
    let mut entries = Vec::new();
    while room > 0 {
        if solver.lines.is_some() {
            let lines = corpora.take_lines(batch.min(room));
            if !lines.is_empty() {
                room -= lines.len();
                if !entries.is_empty() {
                    batches.push(Batch::Entries(std::mem::take(&mut entries)));
                }
                batches.push(Batch::Lines(lines));
                continue;
            }
        }
        let Some(entry) = corpora.next() else {
            break;
        };
        room -= 1;
        entries.push(entry);
        if entries.len() == batch {
            batches.push(Batch::Entries(std::mem::take(&mut entries)));
        }
    }
    if !entries.is_empty() {
        batches.push(Batch::Entries(entries));
    }
    batches
}

/// What became of a batch.
#[derive(Default)]
struct Answers {
    text: Vec<u8>,
    tally: Tally,
    problems: Vec<Problem>,
}

/// A solver as it is fed.
enum Worker {
    Lines(Lockstep),
    Puzzles(Box<dyn Solver>),
}

fn solve(chunk: Vec<Batch>, solver: &SolverSpec, ask: Ask) -> Vec<Answers> {
    let worker = || match solver.lines {
        Some(build) => Worker::Lines(build()),
        None => Worker::Puzzles((solver.build)()),
    };
    chunk
        .into_par_iter()
        .map_init(worker, |worker, batch| {
            let mut answers = Answers::default();
            match (batch, worker) {
                (Batch::Lines(lines), Worker::Lines(solver)) => answers.lines(&lines, solver, ask),
                (Batch::Entries(entries), Worker::Lines(solver)) => {
                    answers.entries(entries, solver, ask);
                }
                (Batch::Entries(entries), Worker::Puzzles(solver)) => {
                    answers.entries(entries, solver.as_mut(), ask);
                }
                (Batch::Lines(_), Worker::Puzzles(_)) => {
                    unreachable!("lines are read for solvers of lines only")
                }
            }
            answers
        })
        .collect()
}

impl Answers {
    fn lines(&mut self, lines: &[[u8; Cell::COUNT]], solver: &mut Lockstep, ask: Ask) {
        let lines: Vec<&[u8; Cell::COUNT]> = lines.iter().collect();
        self.text.reserve(lines.len() * (Cell::COUNT + 1));
        let replies = solver.solve_lines(&lines, ask.goal, ask.limits);
        for (reply, _) in replies.iter() {
            match reply {
                Reply::Unsolvable => self.unsolvable(),
                Reply::Solved(solution) | Reply::Unique(solution) => {
                    self.tally.solved += 1;
                    self.text.extend_from_slice(solution);
                }
                Reply::Multiple(first, more) => {
                    self.multiple(ask.goal, std::iter::once(first).chain(more).copied());
                }
                Reply::OutOfBudget => self.out_of_budget(),
            }
            self.text.push(b'\n');
        }
    }

    fn entries(
        &mut self,
        entries: Vec<Result<Entry, CorpusError>>,
        solver: &mut dyn Solver,
        ask: Ask,
    ) {
        let puzzles = entries.iter().flatten().map(|entry| entry.puzzle);
        let puzzles: Vec<Puzzle> = puzzles.collect();
        let outcomes = solver.solve_all(&puzzles, ask.goal, ask.limits);
        let mut verdicts = outcomes.into_iter().map(|outcome| outcome.verdict);
        for entry in entries {
            match entry {
                Ok(entry) => {
                    let verdict = verdicts.next().expect("a verdict for each puzzle");
                    self.verdict(&verdict, entry, ask.goal);
                }
                Err(error) => {
                    match error {
                        CorpusError::BadLine { .. } => self.tally.bad_lines += 1,
                        CorpusError::Unreadable { .. } | CorpusError::Broken { .. } => {
                            self.tally.broken_files += 1;
                        }
                    }
                    self.problems.push(Problem::Corpus(error));
                }
            }
        }
    }

    fn verdict(&mut self, verdict: &Verdict, entry: Entry, goal: Goal) {
        match verdict {
            Verdict::Unsolvable => self.unsolvable(),
            Verdict::Solved(solution) | Verdict::Unique(solution) => {
                self.tally.solved += 1;
                self.text.extend_from_slice(&solution.to_ascii());
            }
            Verdict::Multiple(solutions) => {
                self.multiple(goal, solutions.iter().map(Solution::to_ascii));
            }
            Verdict::Stuck(_) => {
                self.tally.stuck += 1;
                self.text.extend_from_slice(b"stuck");
            }
            Verdict::OutOfBudget => self.out_of_budget(),
        }
        self.text.push(b'\n');
        if let Some(expected) = entry.expected
            && !agrees(verdict, &entry.puzzle, &expected)
        {
            self.tally.disagreements += 1;
            self.problems
                .push(Problem::Disagreement { place: entry.place });
        }
    }

    fn unsolvable(&mut self) {
        self.tally.unsolvable += 1;
        self.text.extend_from_slice(b"unsolvable");
    }

    fn out_of_budget(&mut self) {
        self.tally.timeout += 1;
        self.text.extend_from_slice(b"timeout");
    }

    fn multiple(&mut self, goal: Goal, solutions: impl Iterator<Item = [u8; Cell::COUNT]>) {
        self.tally.multiple += 1;
        match goal {
            Goal::Count(_) => {
                for (place, solution) in solutions.enumerate() {
                    if place > 0 {
                        self.text.push(b',');
                    }
                    self.text.extend_from_slice(&solution);
                }
            }
            Goal::FirstSolution | Goal::ProveUnique => self.text.extend_from_slice(b"multiple"),
        }
    }
}

/// Whether a verdict goes with the solution that the corpus gives; where it says little, whether
/// that is a solution at all.
fn agrees(verdict: &Verdict, puzzle: &Puzzle, expected: &Puzzle) -> bool {
    match verdict {
        Verdict::Unsolvable => false,
        Verdict::Unique(solution) => solution.to_puzzle() == *expected,
        Verdict::Solved(_) | Verdict::Multiple(_) | Verdict::Stuck(_) | Verdict::OutOfBudget => {
            Solution::of_board(expected).is_some_and(|expected| expected.solves(puzzle))
        }
    }
}
