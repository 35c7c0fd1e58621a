//! Puzzles in, their neighbours out: in order, on all threads, in flat memory.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use super::neighbours::{Neighbours, Removals};
use crate::corpus::{CorpusError, Entry, Place};
use crate::grid::{Cell, Puzzle};
use crate::parallel::map_in_order;
use crate::stream::{End, StreamError};

/// Which neighbours are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct NearConfig {
    /// How many givens are taken away, and how many added.
    pub radius: usize,
    /// Whether only those are wanted that have several solutions without any one of their givens.
    pub minimal: bool,
}

impl Default for NearConfig {
    fn default() -> NearConfig {
        NearConfig {
            radius: 1,
            minimal: false,
        }
    }
}

/// What a run came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct NearTally {
    /// Puzzles with one solution, whose neighbours were looked for.
    pub puzzles: u64,
    /// Puzzles with no solution or many, which were left out.
    pub refused: u64,
    /// Neighbours with one solution.
    pub found: u64,
    /// Those of them that were wanted, and written.
    pub written: u64,
    /// Lines that are no puzzles.
    pub bad_lines: u64,
    /// Files that were not read, or not to their end.
    pub broken_files: u64,
}

impl NearTally {
    /// Whether every line was a puzzle with one solution.
    pub fn is_clean(&self) -> bool {
        self.refused + self.bad_lines + self.broken_files == 0
    }
}

/// Why a line of a corpus has no neighbours.
#[derive(Debug, Error)]
pub enum NearProblem {
    /// It is no puzzle, or the file cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// It is a puzzle with no solution or many.
    #[error("{0}: the puzzle has no single solution")]
    NotUnique(Place),
}

/// Writes the neighbours of each puzzle, one a line: in input order, and those of a puzzle in the order of
/// [`Neighbours::each`]. `keep` says which of them, and is asked on all threads; what is cheap is asked before it. A neighbour
/// of several puzzles is written for each of them. Runs in the current rayon pool; looks at `stop` before
/// each choice of givens to take away.
///
/// # Errors
/// See [`StreamError`]. A pipe that was closed at its other end is no error.
pub fn near_all(
    entries: impl Iterator<Item = Result<Entry, CorpusError>> + Send,
    config: NearConfig,
    keep: &(dyn Fn(&Puzzle) -> bool + Sync),
    stop: &AtomicBool,
    out: &mut (dyn Write + Send),
    on_problem: &mut (dyn FnMut(&NearProblem) + Send),
) -> Result<(NearTally, End), StreamError> {
    let mut tally = NearTally::default();
    let write = |done: Done| -> io::Result<()> {
        match done {
            Done::Begun => tally.puzzles += 1,
            Done::Found { found, lines } => {
                tally.found += found;
                tally.written += (lines.len() / LINE) as u64;
                out.write_all(&lines)?;
            }
            Done::Problem(problem) => {
                match &problem {
                    NearProblem::NotUnique(_) => tally.refused += 1,
                    NearProblem::Corpus(CorpusError::BadLine { .. }) => tally.bad_lines += 1,
                    NearProblem::Corpus(_) => tally.broken_files += 1,
                }
                on_problem(&problem);
            }
        }
        Ok(())
    };
    let tasks = tasks(entries, config.radius).take_while(|_| !stop.load(Ordering::Relaxed));
    let written = map_in_order(tasks, |task| work(task, config.minimal, keep), write);
    let flushed = written.and_then(|()| out.flush());
    match flushed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok((tally, End::Closed)),
        Err(error) => Err(error.into()),
        Ok(()) if stop.load(Ordering::Relaxed) => Ok((tally, End::Interrupted)),
        Ok(()) => Ok((tally, End::Complete)),
    }
}

/// Bytes of a puzzle with its line feed.
const LINE: usize = Cell::COUNT + 1;

/// A piece of work: small enough that the neighbours it finds take little memory.
enum Task {
    Begin,
    Removal { puzzle: Puzzle, removed: Vec<Cell> },
    Problem(NearProblem),
}

/// What came of it.
enum Done {
    Begun,
    Found { found: u64, lines: Vec<u8> },
    Problem(NearProblem),
}

/// For each puzzle its beginning and then each choice of givens to take away.
fn tasks(
    entries: impl Iterator<Item = Result<Entry, CorpusError>>,
    radius: usize,
) -> impl Iterator<Item = Task> {
    let mut finder = Neighbours::new();
    entries.flat_map(move |entry| {
        let (first, puzzle) = match entry {
            Err(error) => (Task::Problem(error.into()), None),
            Ok(entry) if finder.is_unique(&entry.puzzle) => (Task::Begin, Some(entry.puzzle)),
            Ok(entry) => (Task::Problem(NearProblem::NotUnique(entry.place)), None),
        };
        let removals = puzzle.into_iter().flat_map(move |puzzle| {
            let removals = Removals::new(&puzzle, radius);
            removals.map(move |removed| Task::Removal { puzzle, removed })
        });
        std::iter::once(first).chain(removals)
    })
}

fn work(task: Task, is_minimal_only: bool, keep: &(dyn Fn(&Puzzle) -> bool + Sync)) -> Done {
    let (puzzle, removed) = match task {
        Task::Begin => return Done::Begun,
        Task::Problem(problem) => return Done::Problem(problem),
        Task::Removal { puzzle, removed } => (puzzle, removed),
    };
    let mut judge = Neighbours::new();
    let mut lines = Vec::new();
    let mut found = 0;
    Neighbours::new().each_after(&puzzle, &removed, &mut |near| {
        found += 1;
        if (!is_minimal_only || judge.is_minimal(&near)) && keep(&near) {
            lines.extend_from_slice(near.to_line().as_bytes());
            lines.push(b'\n');
        }
    });
    Done::Found { found, lines }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const HARD: &str =
        ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";
    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn place(line: u64) -> Place {
        let file: Arc<str> = "list.txt".into();
        Place { file, line }
    }

    fn entries(lines: &[&str]) -> Vec<Result<Entry, CorpusError>> {
        let entries = lines
            .iter()
            .zip(1..)
            .map(|(line, number)| match line.parse() {
                Ok(puzzle) => Ok(Entry {
                    puzzle,
                    place: place(number),
                    note: String::new(),
                    expected: None,
                    row: None,
                }),
                Err(_) => Err(CorpusError::BadLine {
                    place: place(number),
                    why: crate::corpus::BadLine::Rows { rows: 1 },
                }),
            });
        entries.collect()
    }

    type Ran = (String, NearTally, Vec<String>);

    fn run(lines: &[&str], config: NearConfig, threads: usize, keep: fn(&Puzzle) -> bool) -> Ran {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let mut out: Vec<u8> = Vec::new();
        let mut problems = Vec::new();
        let stop = AtomicBool::new(false);
        let ran = pool.build().unwrap().install(|| {
            near_all(
                entries(lines).into_iter(),
                config,
                &keep,
                &stop,
                &mut out,
                &mut |problem| problems.push(problem.to_string()),
            )
        });
        let (tally, end) = ran.unwrap();
        assert_eq!(end, End::Complete);
        (String::from_utf8(out).unwrap(), tally, problems)
    }

    #[test]
    fn lines_follow_the_order_of_puzzles_on_any_number_of_threads() {
        let mut expected = String::new();
        for line in [HARD, EASY] {
            Neighbours::new().each(&line.parse().unwrap(), 1, &mut |near| {
                expected += &near.to_line();
                expected += "\n";
            });
        }
        let many = ".".repeat(81);
        for threads in [1, 3] {
            let lines = [HARD, "bad", &many, EASY];
            let config = NearConfig::default();
            let (text, tally, problems) = run(&lines, config, threads, |_| true);
            assert_eq!(text, expected);
            let found = expected.lines().count() as u64;
            let wanted = NearTally {
                puzzles: 2,
                refused: 1,
                found,
                written: found,
                bad_lines: 1,
                broken_files: 0,
            };
            assert_eq!(tally, wanted);
            assert_eq!(problems.len(), 2);
            assert_eq!(problems[1], "list.txt:3: the puzzle has no single solution");
        }
    }

    #[test]
    fn only_requested_output_is_written() {
        let config = NearConfig {
            minimal: true,
            ..NearConfig::default()
        };
        let (text, tally, _) = run(&[HARD, EASY], config, 2, |puzzle| puzzle.given_count() < 25);
        assert!(
            tally.written > 0 && tally.written < tally.found,
            "{tally:?}"
        );
        let mut judge = Neighbours::new();
        for line in text.lines() {
            let puzzle: Puzzle = line.parse().unwrap();
            assert!(judge.is_unique(&puzzle) && judge.is_minimal(&puzzle));
            assert_eq!(puzzle.given_count(), 21);
        }
    }
}
