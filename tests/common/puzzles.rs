//! Puzzle files in tests.
#![allow(
    clippy::unwrap_used,
    missing_docs,
    dead_code,
    unreachable_pub,
    unused_imports
)]

use std::path::{Path, PathBuf};

use sudoku_batch::corpus::Corpus;
use sudoku_batch::grid::{Puzzle, PuzzleLine};
use sudoku_batch::solve::{Goal, Limits, Outcome, Solver};

pub use super::data::data_folder;

/// A puzzle file of the project.
pub fn own(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("datasets/puzzles")
        .join(file)
}

/// The folder of known corpora; prints a note if it is missing.
pub fn corpora() -> Option<PathBuf> {
    data_folder("puzzles")
}

/// All puzzles of a file.
pub fn puzzles_in(path: &Path) -> Vec<Puzzle> {
    let entries = Corpus::open(path).unwrap();
    entries.map(|entry| entry.unwrap().puzzle).collect()
}

/// The outcomes of these puzzles, passed to the solver as lines in one call.
pub fn outcomes(
    solver: &mut (impl Solver + ?Sized),
    puzzles: &[Puzzle],
    goal: Goal,
    limits: Limits,
) -> Vec<Outcome> {
    let lines: Vec<PuzzleLine> = puzzles.iter().map(PuzzleLine::from).collect();
    let mut outcomes = Vec::new();
    solver.solve_lines(&lines, goal, limits, &mut |outcome| outcomes.push(outcome));
    assert_eq!(outcomes.len(), puzzles.len());
    outcomes
}

/// The outcome of a puzzle, passed to the solver as a line.
pub fn outcome(
    solver: &mut (impl Solver + ?Sized),
    puzzle: &Puzzle,
    goal: Goal,
    limits: Limits,
) -> Outcome {
    let mut outcomes = outcomes(solver, &[*puzzle], goal, limits);
    outcomes.remove(0)
}
