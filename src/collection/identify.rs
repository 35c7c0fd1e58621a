//! When two puzzles count as the same.

use crate::canon::Canonizer;
use crate::grid::{Cell, PuzzleLine, Solution};
use crate::solve::{Goal, Limits, Lockstep, Solver, Verdict};

use super::key::Key;

/// What two puzzles share that count as the same. Each kind holds all that the ones before it hold, for puzzles with
/// one solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SameBy {
    /// Every given.
    Exact,
    /// Every given, once the digits of one are renamed.
    Relabeling,
    /// Every given, after one of the 2 x 6^8 x 9! symmetries of the board.
    Puzzle,
    /// The solution, after one of the symmetries of the board.
    Solution,
}

/// Names puzzles, so that those that count as the same have the same name; keeps its solver and buffers.
#[derive(Debug, Default)]
pub struct Identifier {
    canonizer: Canonizer,
    solver: Lockstep,
}

impl Identifier {
    /// Returns the name of each puzzle; `None` where the solution counts and there is not just one.
    pub fn keys(&mut self, lines: &[PuzzleLine], same_by: SameBy) -> Vec<Option<Key>> {
        match same_by {
            SameBy::Exact => lines.iter().map(|line| Some(exact(line))).collect(),
            SameBy::Relabeling => lines.iter().map(|line| Some(relabeled(line))).collect(),
            SameBy::Puzzle => lines.iter().map(|line| Some(self.puzzle(line))).collect(),
            SameBy::Solution => {
                let solutions = self.solutions(lines);
                let keys = solutions.iter();
                keys.map(|solution| Some(self.grid(solution.as_ref()?)))
                    .collect()
            }
        }
    }

    /// Returns the name that a puzzle shares with its images.
    pub fn puzzle(&mut self, line: &PuzzleLine) -> Key {
        Key::of(self.canonizer.minlex_line(line).as_bytes())
    }

    /// Returns the name that a solution shares with its images.
    pub fn grid(&mut self, solution: &Solution) -> Key {
        Key::of(self.canonizer.grid_line(solution).as_bytes())
    }

    /// Returns the solution of each puzzle that has one and no other.
    pub fn solutions(&mut self, lines: &[PuzzleLine]) -> Vec<Option<Solution>> {
        let mut solutions = Vec::with_capacity(lines.len());
        let solver = &mut self.solver;
        solver.solve_lines(lines, Goal::ProveUnique, Limits::NONE, &mut |outcome| {
            solutions.push(match outcome.verdict {
                Verdict::Unique(solution) => Some(solution),
                _ => None,
            });
        });
        solutions
    }
}

/// The name of the givens as they are, however blanks are written.
fn exact(line: &PuzzleLine) -> Key {
    Key::of(&line.as_bytes().map(plain))
}

/// The name of the givens after the digits are numbered in the order in which they come.
fn relabeled(line: &PuzzleLine) -> Key {
    let mut labels = [0; 256];
    let mut last = b'0';
    let mut renamed = [b'.'; Cell::COUNT];
    for (new, &byte) in renamed.iter_mut().zip(line.as_bytes()) {
        let byte = plain(byte);
        if byte == b'.' {
            continue;
        }
        let label = &mut labels[usize::from(byte)];
        if *label == 0 {
            last += 1;
            *label = last;
        }
        *new = *label;
    }
    Key::of(&renamed)
}

/// A cell with blanks written as `.`.
fn plain(byte: u8) -> u8 {
    if matches!(byte, b'1'..=b'9') {
        byte
    } else {
        b'.'
    }
}
