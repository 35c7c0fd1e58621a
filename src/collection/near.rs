//! Puzzles in, their neighbours out: in order, on all threads, in flat memory.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use super::board::Board;
use super::finder::Finder;
use super::neighbours::Removals;
use crate::corpus::{Place, Row, Rows};
use crate::parallel::map_in_order;
use crate::solve::Stop;
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
pub enum NearProblem<E> {
    /// It is no puzzle, or the file cannot be read.
    #[error(transparent)]
    Unreadable(E),
    /// It is a puzzle with no solution or many.
    #[error("{0}: the puzzle has no single solution")]
    NotUnique(Place),
}

/// Writes the neighbours of each puzzle, one a line: in input order, and those of a puzzle in the order of
/// [`Finder::each_after`]. `keep` says which of them, and is asked on all threads; what is cheap is asked before it. A
/// neighbour of several puzzles is written for each of them. Runs in the current rayon pool; looks at `stop` before
/// each choice of givens to take away, and in searches on large boards.
///
/// # Errors
/// See [`StreamError`]. A pipe that was closed at its other end is no error.
pub fn near_all<B: Board>(
    rows: Rows<B>,
    config: NearConfig,
    keep: &(dyn Fn(&B::Puzzle) -> bool + Sync),
    stop: &'static AtomicBool,
    out: &mut (dyn Write + Send),
    on_problem: &mut (dyn FnMut(&NearProblem<B::Error>) + Send),
) -> Result<(NearTally, End), StreamError> {
    let mut tally = NearTally::default();
    let stopped = || stop.load(Ordering::Relaxed);
    let mut is_cut = false;
    let write = |done: Option<Done<B>>| -> io::Result<()> {
        let Some(done) = done.filter(|_| !is_cut) else {
            is_cut = true;
            return Ok(());
        };
        match done {
            Done::Begun => tally.puzzles += 1,
            Done::Found(found) => {
                tally.found += found.found;
                tally.written += found.written;
                out.write_all(found.lines.as_bytes())?;
            }
            Done::Problem(problem) => {
                match &problem {
                    NearProblem::NotUnique(_) => tally.refused += 1,
                    NearProblem::Unreadable(error) if B::is_of_line(error) => tally.bad_lines += 1,
                    NearProblem::Unreadable(_) => tally.broken_files += 1,
                }
                on_problem(&problem);
            }
        }
        Ok(())
    };
    let tasks = tasks::<B>(rows, config.radius, stop).take_while(|_| !stopped());
    let work = |task| {
        let done = work(task, config.minimal, keep, stop);
        // What was searched for last may not be found.
        (!stopped()).then_some(done)
    };
    let written = map_in_order(tasks, work, write);
    let flushed = written.and_then(|()| out.flush());
    match flushed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok((tally, End::Closed)),
        Err(error) => Err(error.into()),
        Ok(()) if stopped() => Ok((tally, End::Interrupted)),
        Ok(()) => Ok((tally, End::Complete)),
    }
}

type CellOf<B> = <<B as Board>::Finder as Finder>::Cell;

/// A piece of work: small enough that the neighbours it finds take little memory.
enum Task<B: Board> {
    Begin,
    Removal {
        puzzle: Arc<B::Puzzle>,
        removed: Vec<CellOf<B>>,
    },
    Problem(NearProblem<B::Error>),
}

/// What came of it.
enum Done<B: Board> {
    Begun,
    Found(Found),
    Problem(NearProblem<B::Error>),
}

/// Neighbours of a puzzle.
#[derive(Default)]
struct Found {
    found: u64,
    written: u64,
    lines: String,
}

/// For each puzzle its beginning and then each choice of givens to take away.
fn tasks<B: Board>(
    rows: Rows<B>,
    radius: usize,
    stop: &'static AtomicBool,
) -> impl Iterator<Item = Task<B>> {
    let mut finder = B::Finder::new(Stop(stop));
    rows.flat_map(move |row| {
        let (first, puzzle) = match row {
            Err(error) => (Task::Problem(NearProblem::Unreadable(error)), None),
            Ok(Row { puzzle, .. }) if finder.is_unique(&puzzle) => {
                (Task::Begin, Some(Arc::new(puzzle)))
            }
            Ok(row) => (Task::Problem(NearProblem::NotUnique(row.place)), None),
        };
        let removals = puzzle.into_iter().flat_map(move |puzzle| {
            let removals = Removals::new(B::Finder::givens(&puzzle), radius);
            removals.map(move |removed| Task::Removal {
                puzzle: Arc::clone(&puzzle),
                removed,
            })
        });
        std::iter::once(first).chain(removals)
    })
}

fn work<B: Board>(
    task: Task<B>,
    is_minimal_only: bool,
    keep: &(dyn Fn(&B::Puzzle) -> bool + Sync),
    stop: &'static AtomicBool,
) -> Done<B> {
    let (puzzle, removed) = match task {
        Task::Begin => return Done::Begun,
        Task::Problem(problem) => return Done::Problem(problem),
        Task::Removal { puzzle, removed } => (puzzle, removed),
    };
    let mut judge = B::Finder::new(Stop(stop));
    let mut found = Found::default();
    B::Finder::new(Stop(stop)).each_after(&puzzle, &removed, &mut |near| {
        found.found += 1;
        if (!is_minimal_only || judge.is_minimal(&near)) && keep(&near) {
            found.written += 1;
            found.lines += &B::line(&near);
            found.lines.push('\n');
        }
    });
    Done::Found(found)
}

#[cfg(test)]
mod tests {
    use super::super::neighbours::Neighbours;
    use super::*;
    use crate::corpus::{Corpora, Corpus};
    use crate::grid::Puzzle;

    const HARD: &str =
        ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";
    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    type Ran = (String, NearTally, Vec<String>);

    fn run(lines: &[&str], config: NearConfig, threads: usize, keep: fn(&Puzzle) -> bool) -> Ran {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let mut out: Vec<u8> = Vec::new();
        let mut problems = Vec::new();
        static STOP: AtomicBool = AtomicBool::new(false);
        let mut file = tempfile::Builder::new().suffix(".txt").tempfile().unwrap();
        writeln!(file, "{}", lines.join("\n")).unwrap();
        let rows = Rows::new(Corpora::new(vec![file.path().to_owned()])).unwrap();
        let ran = pool.build().unwrap().install(|| {
            near_all::<Corpus>(rows, config, &keep, &STOP, &mut out, &mut |problem| {
                problems.push(problem.to_string())
            })
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
            assert!(
                problems[1].ends_with(".txt:3: the puzzle has no single solution"),
                "{problems:?}"
            );
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
