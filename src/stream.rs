//! Puzzles in, answers out: in input order, on all threads, in flat memory.

use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use thiserror::Error;

use crate::corpus::{CorpusError, Entry, Place};
use crate::grid::{Cell, CellMap, Digit, Puzzle, Solution};
use crate::roster::SolverSpec;
use crate::solve::{Budget, Goal, Mrv, Solver, Verdict};

/// What is asked of every puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The first solution found.
    First,
    /// The only solution; `multiple` where there are more.
    Unique,
    /// Up to so many solutions.
    Count(NonZeroUsize),
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
    pub fn for_ask(ask: Ask) -> StreamConfig {
        let config = StreamConfig::default();
        let Ask::Count(limit) = ask else {
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
        self.solved + self.multiple + self.unsolvable
    }

    /// Whether every line was a puzzle, and every answer the expected one.
    pub fn is_clean(&self) -> bool {
        self.disagreements + self.bad_lines + self.broken_files == 0
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.solved += other.solved;
        self.multiple += other.multiple;
        self.unsolvable += other.unsolvable;
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
    /// Only `mrv` goes on after the second solution.
    #[error("the solver {solver} does not count solutions; `mrv` does")]
    CannotCount {
        /// The solver that was asked.
        solver: &'static str,
    },
    /// The answers cannot be written.
    #[error("cannot write the answers: {0}")]
    Write(#[from] io::Error),
}

/// Answers every entry with one line: the solution; `unsolvable`; `multiple` where the only one is
/// asked for and there are more; the solutions joined by commas where they are counted. An error
/// among the entries gives no line. Runs in the current rayon pool; looks at `stop` once a chunk.
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
    if matches!(ask, Ask::Count(_)) && solver.name != "mrv" {
        return Err(StreamError::CannotCount {
            solver: solver.name,
        });
    }
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
            || Worker::new(solver, ask),
            |worker, batch| {
                let mut answers = Answers::default();
                for item in batch {
                    worker.answer(item, &mut answers);
                }
                answers
            },
        )
        .collect()
}

/// A solver on one thread, and what it is asked.
enum Worker {
    Decides(Box<dyn Solver>, Goal),
    Counts(Mrv, NonZeroUsize),
}

/// An answer; `solutions` is empty where it is `multiple`, or where there is none.
enum Answer {
    Unsolvable,
    Multiple,
    One(Solution),
    Several(Vec<Solution>),
}

impl Worker {
    fn new(solver: &SolverSpec, ask: Ask) -> Worker {
        match ask {
            Ask::First => Worker::Decides((solver.build)(), Goal::FirstSolution),
            Ask::Unique => Worker::Decides((solver.build)(), Goal::ProveUnique),
            Ask::Count(limit) => Worker::Counts(Mrv::new(), limit),
        }
    }

    fn answer(&mut self, item: Result<Entry, CorpusError>, answers: &mut Answers) {
        let Answers {
            text,
            tally,
            problems,
        } = answers;
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
        let answer = self.solve(&entry.puzzle);
        match &answer {
            Answer::Unsolvable => {
                tally.unsolvable += 1;
                text.extend_from_slice(b"unsolvable");
            }
            Answer::Multiple => {
                tally.multiple += 1;
                text.extend_from_slice(b"multiple");
            }
            Answer::One(solution) => {
                tally.solved += 1;
                push(text, solution);
            }
            Answer::Several(solutions) => {
                tally.multiple += 1;
                for (place, solution) in solutions.iter().enumerate() {
                    if place > 0 {
                        text.push(b',');
                    }
                    push(text, solution);
                }
            }
        }
        text.push(b'\n');
        if let Some(expected) = entry.expected
            && !answer.agrees(&entry.puzzle, &expected)
        {
            tally.disagreements += 1;
            problems.push(Problem::Disagreement { place: entry.place });
        }
    }

    fn solve(&mut self, puzzle: &Puzzle) -> Answer {
        match self {
            Worker::Decides(solver, goal) => {
                match solver.solve(puzzle, *goal, Budget::UNLIMITED).verdict {
                    Verdict::Solved(solution) | Verdict::Unique(solution) => Answer::One(solution),
                    Verdict::Multiple(_) => Answer::Multiple,
                    Verdict::Unsolvable => Answer::Unsolvable,
                    Verdict::OutOfBudget => unreachable!("the budget has no limit"),
                }
            }
            Worker::Counts(solver, limit) => {
                let found = solver.solutions(puzzle, limit.get(), Budget::UNLIMITED);
                match found.solutions.as_slice() {
                    [] => Answer::Unsolvable,
                    [only] => Answer::One(*only),
                    _ => Answer::Several(found.solutions),
                }
            }
        }
    }
}

impl Answer {
    /// Whether it goes with the solution that the corpus gives.
    fn agrees(&self, puzzle: &Puzzle, expected: &Puzzle) -> bool {
        match self {
            Answer::Unsolvable => false,
            Answer::One(solution) if solution.to_puzzle() == *expected => true,
            _ => solution(expected).is_some_and(|expected| expected.solves(puzzle)),
        }
    }
}

/// The full board as a solution, if it is one.
fn solution(board: &Puzzle) -> Option<Solution> {
    let full = Cell::all().all(|cell| board.given(cell).is_some());
    let digit = |cell| board.given(cell).unwrap_or(Digit::ALL[0]);
    full.then(|| CellMap::from_fn(digit))
        .and_then(Solution::new)
}

fn push(text: &mut Vec<u8>, solution: &Solution) {
    text.extend(Cell::all().map(|cell| solution.digit(cell).to_ascii()));
}
