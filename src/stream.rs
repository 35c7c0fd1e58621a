//! Puzzles in, answers out: in input order, on all threads, in flat memory.

use std::io::{self, BufWriter, Write};
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::prelude::*;
use thiserror::Error;

use crate::corpus::{CorpusError, Entry, Place};
use crate::grid::{Cell, Puzzle, Solution};
use crate::roster::SolverSpec;
use crate::solve::{Goal, Limits, Solver, Verdict};

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

impl Default for StreamConfig {
    fn default() -> StreamConfig {
        StreamConfig {
            chunk: 2048,
            batch: 16,
        }
    }
}

impl StreamConfig {
    /// The default, in smaller chunks where an answer may be long.
    pub fn for_goal(goal: Goal) -> StreamConfig {
        let config = StreamConfig::default();
        let Goal::Count(limit) = goal else {
            return config;
        };
        let chunk = (65_536 / limit.get()).clamp(config.batch, config.chunk);
        let batch = if chunk < 256 { 1 } else { config.batch };
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

/// How a stream came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The corpus was read to its end.
    Complete,
    /// It was asked to stop; all that was begun is answered.
    Interrupted,
    /// Nobody reads the answers any more.
    Closed,
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

/// Why a stream ended early.
#[derive(Debug, Error)]
pub enum StreamError {
    /// The answers cannot be written.
    #[error("cannot write the answers: {0}")]
    Write(#[from] io::Error),
}

/// Answers every entry with one line: the solution; `unsolvable`; `multiple` where the only one is
/// asked for and there are more; the solutions joined by commas where they are counted; `stuck` or
/// `timeout` where the solver gave up. An error among the entries gives no line. Runs in the current rayon pool; looks at `stop` once a chunk.
///
/// # Errors
/// See [`StreamError`]. A pipe that was closed at its other end is no error.
pub fn answer_all<I>(
    entries: I,
    solver: &SolverSpec,
    ask: Ask,
    config: StreamConfig,
    stop: &AtomicBool,
    out: &mut (dyn Write + Send),
    on_problem: &mut (dyn FnMut(&Problem) + Send),
) -> Result<(Tally, End), StreamError>
where
    I: Iterator<Item = Result<Entry, CorpusError>> + Send,
{
    let mut out = BufWriter::with_capacity(64 * 1024, out);
    let mut entries = entries.fuse();
    let mut read = || -> Chunk {
        if stop.load(Ordering::Relaxed) {
            return Chunk::new();
        }
        let batch = || -> Batch { entries.by_ref().take(config.batch.max(1)).collect() };
        std::iter::repeat_with(batch)
            .take(config.chunk.div_ceil(config.batch.max(1)).max(1))
            .take_while(|batch| !batch.is_empty())
            .collect()
    };
    let mut tally = Tally::default();
    let mut write = |answers: &[Answers]| -> io::Result<()> {
        for batch in answers {
            tally += batch.tally;
            batch.problems.iter().for_each(&mut *on_problem);
            out.write_all(&batch.text)?;
        }
        out.flush()
    };
    let mut chunk = read();
    let mut answers = Vec::new();
    let written = loop {
        if chunk.is_empty() {
            break write(&answers);
        }
        let solved = || solve(chunk, solver, ask);
        let (solved, next) = rayon::join(solved, || write(&answers).map(|()| read()));
        answers = solved;
        match next {
            Ok(next) => chunk = next,
            Err(error) => break Err(error),
        }
    };
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok((tally, End::Closed)),
        Err(error) => Err(error.into()),
        Ok(()) if stop.load(Ordering::Relaxed) => Ok((tally, End::Interrupted)),
        Ok(()) => Ok((tally, End::Complete)),
    }
}

type Batch = Vec<Result<Entry, CorpusError>>;
type Chunk = Vec<Batch>;

/// What became of a batch.
#[derive(Default)]
struct Answers {
    text: Vec<u8>,
    tally: Tally,
    problems: Vec<Problem>,
}

fn solve(chunk: Chunk, solver: &SolverSpec, ask: Ask) -> Vec<Answers> {
    chunk
        .into_par_iter()
        .map_init(
            || (solver.build)(),
            |solver, batch| {
                let mut answers = Answers::default();
                for item in batch {
                    answers.add(item, solver.as_mut(), ask);
                }
                answers
            },
        )
        .collect()
}

impl Answers {
    fn add(&mut self, item: Result<Entry, CorpusError>, solver: &mut dyn Solver, ask: Ask) {
        let Answers {
            text,
            tally,
            problems,
        } = self;
        let entry = match item {
            Ok(entry) => entry,
            Err(error) => {
                match error {
                    CorpusError::BadLine { .. } => tally.bad_lines += 1,
                    CorpusError::Unreadable { .. } | CorpusError::Broken { .. } => {
                        tally.broken_files += 1;
                    }
                }
                problems.push(Problem::Corpus(error));
                return;
            }
        };
        let outcome = solver.solve(&entry.puzzle, ask.goal, ask.limits.from(Instant::now()));
        match &outcome.verdict {
            Verdict::Unsolvable => {
                tally.unsolvable += 1;
                text.extend_from_slice(b"unsolvable");
            }
            Verdict::Solved(solution) | Verdict::Unique(solution) => {
                tally.solved += 1;
                push(text, solution);
            }
            Verdict::Multiple(solutions) => {
                tally.multiple += 1;
                match ask.goal {
                    Goal::Count(_) => push_all(text, solutions),
                    Goal::FirstSolution | Goal::ProveUnique => text.extend_from_slice(b"multiple"),
                }
            }
            Verdict::Stuck(_) => {
                tally.stuck += 1;
                text.extend_from_slice(b"stuck");
            }
            Verdict::OutOfBudget => {
                tally.timeout += 1;
                text.extend_from_slice(b"timeout");
            }
        }
        text.push(b'\n');
        if let Some(expected) = entry.expected
            && !agrees(&outcome.verdict, &entry.puzzle, &expected)
        {
            tally.disagreements += 1;
            problems.push(Problem::Disagreement { place: entry.place });
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

fn push(text: &mut Vec<u8>, solution: &Solution) {
    text.extend(Cell::all().map(|cell| solution.digit(cell).to_ascii()));
}

fn push_all(text: &mut Vec<u8>, solutions: &[Solution]) {
    for (place, solution) in solutions.iter().enumerate() {
        if place > 0 {
            text.push(b',');
        }
        push(text, solution);
    }
}
