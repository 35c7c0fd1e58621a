//! Solves streams of classic puzzles.

use std::io::{self, BufWriter, Write};
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::pipeline::{End, StreamError, run_pipeline};
use crate::corpus::{Corpora, CorpusError, Place};
use crate::grid::{Cell, Puzzle, PuzzleLine, Solution};
use crate::roster::SolverSpec;
use crate::solve::{Goal, Limits, Solver, Verdict};
use crate::variant::{Alphabet, VariantCorpusError};

/// Goal and limits for every puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// The goal.
    pub goal: Goal,
    /// The limits per puzzle.
    pub limits: Limits,
}

impl Ask {
    /// Returns this goal without limits.
    pub const fn unlimited(goal: Goal) -> Ask {
        Ask {
            goal,
            limits: Limits::NONE,
        }
    }
}

/// Sizes of chunks and batches; they affect speed and memory, never the output.
#[derive(Clone, Copy, Debug)]
pub struct StreamConfig {
    /// Number of lines that are solved while the next ones are read and the last answers written;
    /// twice as many are in memory. An interrupted run still finishes them.
    pub chunk: usize,
    /// Number of lines that a thread takes at a time.
    pub batch: usize,
}

impl StreamConfig {
    /// Returns the sizes for a solver; chunks are smaller where an answer may be long.
    pub fn new(solver: &SolverSpec, goal: Goal) -> StreamConfig {
        let batch = solver.batch.max(16);
        let chunk = (16 * batch).max(2048);
        let Goal::Count(limit) = goal else {
            return StreamConfig { chunk, batch };
        };
        let chunk = (65_536 / limit.get()).clamp(16, chunk);
        let batch = if chunk < 256 { 1 } else { 16 };
        StreamConfig { chunk, batch }
    }
}

/// Counts of the lines of a stream by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Puzzles with one solution, or with a first one where no more was asked.
    pub solved: u64,
    /// Puzzles with several solutions.
    pub multiple: u64,
    /// Puzzles without a solution.
    pub unsolvable: u64,
    /// Puzzles on which an incomplete solver got stuck.
    pub stuck: u64,
    /// Puzzles that exceeded their limits.
    pub timeout: u64,
    /// Answers that differ from the solution in the corpus.
    pub disagreements: u64,
    /// Lines that are not puzzles.
    pub bad_lines: u64,
    /// Files that were not read, or not to their end.
    pub broken_files: u64,
}

impl Tally {
    /// Returns the number of puzzles answered, each with a line of output.
    pub fn puzzles(&self) -> u64 {
        self.solved + self.multiple + self.unsolvable + self.stuck + self.timeout
    }

    /// Returns whether every line was a puzzle that was answered, and no answer differs from the
    /// corpus.
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

/// A warning about one line.
#[derive(Debug, Error)]
pub enum Problem {
    /// The line is not a puzzle, or a file is damaged.
    #[error(transparent)]
    Corpus(CorpusError),
    /// The line is not a puzzle of any size.
    #[error(transparent)]
    Variant(VariantCorpusError),
    /// The givens contradict each other.
    #[error("{place}: unsolvable: {why}")]
    Clash {
        /// The line.
        place: Place,
        /// The contradiction.
        why: String,
    },
    /// The chosen solver does not support the rules of the puzzle.
    #[error("{place}: {solver} does not support the rules of this board")]
    Unsupported {
        /// The line.
        place: Place,
        /// The solver.
        solver: &'static str,
    },
    /// The puzzle has several solutions, and 0 was taken for a blank where it may be a value.
    #[error(
        "{place}: several solutions, with 0 as a blank and no {largest}: if 0 is a value, use --symbols {instead}; \
         further boards like this are not reported"
    )]
    Zeros {
        /// The line.
        place: Place,
        /// How the largest value would be written.
        largest: String,
        /// The alphabet in which 0 is a value.
        instead: Alphabet,
    },
    /// The answer differs from the solution in the corpus.
    #[error("{place}: the solution given with the puzzle is not its solution")]
    Disagreement {
        /// The line.
        place: Place,
    },
}

/// Answers every puzzle with one line: the solution; `unsolvable`; `multiple` where the only one is
/// asked for and there are more; the solutions joined by commas where they are counted; `stuck` or
/// `timeout` where the solver gave up.
///
/// An error in a corpus gives no line. Runs in the current rayon pool; checks `stop` once per
/// chunk.
///
/// # Errors
///
/// [`StreamError`]. A pipe closed by its reader is no error.
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
        read_chunk(&mut corpora, config)
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
    let end = run_pipeline(&mut read, solve, &mut write, stop)?;
    Ok((tally, end))
}

/// The lines that a thread takes at a time.
#[derive(Default)]
struct Batch {
    lines: Vec<PuzzleLine>,
    /// Lines with a solution in the corpus, by their index in `lines`.
    expected: Vec<(usize, Place, Puzzle)>,
    errors: Vec<CorpusError>,
}

/// Returns the next batches; empty at the end.
fn read_chunk(corpora: &mut Corpora, config: StreamConfig) -> Vec<Batch> {
    let mut batches = Vec::new();
    let mut left = config.chunk.max(1);
    while left > 0 {
        let batch = read_batch(corpora, config.batch.clamp(1, left));
        let taken = batch.lines.len() + batch.errors.len();
        if taken == 0 {
            break;
        }
        left = left.saturating_sub(taken);
        batches.push(batch);
    }
    batches
}

/// Returns the next `size` puzzles and errors; fewer only at the end.
fn read_batch(corpora: &mut Corpora, size: usize) -> Batch {
    let mut batch = Batch::default();
    while batch.lines.len() + batch.errors.len() < size {
        corpora.take_lines(size - batch.errors.len(), &mut batch.lines);
        if batch.lines.len() + batch.errors.len() == size {
            break;
        }
        match corpora.next() {
            None => break,
            Some(Err(error)) => batch.errors.push(error),
            Some(Ok(entry)) => {
                if let Some(expected) = entry.expected {
                    batch
                        .expected
                        .push((batch.lines.len(), entry.place, expected));
                }
                batch.lines.push(PuzzleLine::from(&entry.puzzle));
            }
        }
    }
    batch
}

/// The answers of a batch.
#[derive(Default)]
struct Answers {
    text: Vec<u8>,
    tally: Tally,
    problems: Vec<Problem>,
}

fn solve(chunk: Vec<Batch>, solver: &SolverSpec, ask: Ask) -> Vec<Answers> {
    chunk
        .into_par_iter()
        .map_init(solver.build, |solver, batch| {
            Answers::of(batch, solver.as_mut(), ask)
        })
        .collect()
}

impl Answers {
    fn of(batch: Batch, solver: &mut dyn Solver, ask: Ask) -> Answers {
        let mut answers = Answers::default();
        answers.text.reserve(batch.lines.len() * (Cell::COUNT + 1));
        let mut lines = batch.lines.iter().enumerate();
        let mut expected = batch.expected.into_iter().peekable();
        solver.solve_lines(&batch.lines, ask.goal, ask.limits, &mut |outcome| {
            answers.verdict(&outcome.verdict, ask.goal);
            let Some((number, line)) = lines.next() else {
                return;
            };
            if let Some((_, place, expected)) = expected.next_if(|(at, ..)| *at == number)
                && !agrees(&outcome.verdict, &line.puzzle(), &expected)
            {
                answers.tally.disagreements += 1;
                answers.problems.push(Problem::Disagreement { place });
            }
        });
        for error in batch.errors {
            match error {
                CorpusError::BadLine { .. } => answers.tally.bad_lines += 1,
                CorpusError::Unreadable { .. } | CorpusError::Broken { .. } => {
                    answers.tally.broken_files += 1;
                }
            }
            answers.problems.push(Problem::Corpus(error));
        }
        answers
    }

    /// Appends the answer as a line, and counts it.
    fn verdict(&mut self, verdict: &Verdict, goal: Goal) {
        match verdict {
            Verdict::Unsolvable => {
                self.tally.unsolvable += 1;
                self.text.extend_from_slice(b"unsolvable");
            }
            Verdict::Solved(solution) | Verdict::Unique(solution) => {
                self.tally.solved += 1;
                self.text.extend_from_slice(&solution.to_ascii());
            }
            Verdict::Multiple(solutions) => {
                self.tally.multiple += 1;
                if let Goal::Count(_) = goal {
                    for (place, solution) in solutions.iter().enumerate() {
                        if place > 0 {
                            self.text.push(b',');
                        }
                        self.text.extend_from_slice(&solution.to_ascii());
                    }
                } else {
                    self.text.extend_from_slice(b"multiple");
                }
            }
            Verdict::Stuck(_) => {
                self.tally.stuck += 1;
                self.text.extend_from_slice(b"stuck");
            }
            Verdict::OutOfBudget => {
                self.tally.timeout += 1;
                self.text.extend_from_slice(b"timeout");
            }
        }
        self.text.push(b'\n');
    }
}

/// Returns whether a verdict agrees with the solution in the corpus; where it is inconclusive,
/// whether that is a solution at all.
fn agrees(verdict: &Verdict, puzzle: &Puzzle, expected: &Puzzle) -> bool {
    match verdict {
        Verdict::Unsolvable => false,
        Verdict::Unique(solution) => solution.to_puzzle() == *expected,
        Verdict::Solved(_) | Verdict::Multiple(_) | Verdict::Stuck(_) | Verdict::OutOfBudget => {
            Solution::of_board(expected).is_some_and(|expected| expected.solves(puzzle))
        }
    }
}
