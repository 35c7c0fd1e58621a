//! Puzzles whose givens stand in given cells.
//!
//! Digits of a random full board mostly leave many solutions. One digit after the other is changed, and what leaves
//! no more solutions than before is kept, until one is left: a random descent, as players of the "patterns game" of
//! the forums do it.

use std::fmt;
use std::str::FromStr;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::bottom_up::fill;
use super::prover::Prover;
use crate::grid::{Cell, CellSet, DigitSet, House, ParsePuzzleError, Puzzle};
use crate::solve::Verdict;

/// Cells that have a given: at least 17, and such that one solution is not ruled out by two lines of a band or stack
/// without givens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GivensPattern(CellSet);

/// Solutions that are counted at most.
const COUNTED: usize = 400;
/// Changes before a new start, and starts before it is given up.
const CHANGES: usize = 1500;
const STARTS: usize = 40;

impl GivensPattern {
    /// The cells.
    pub fn cells(&self) -> CellSet {
        self.0
    }

    /// A puzzle with givens in these cells and one solution; `None` if none was found for long.
    pub(super) fn puzzle(&self, prover: &mut Prover, rng: &mut ChaCha8Rng) -> Option<Puzzle> {
        (0..STARTS).find_map(|_| self.descend(prover, rng))
    }

    fn descend(&self, prover: &mut Prover, rng: &mut ChaCha8Rng) -> Option<Puzzle> {
        let solution = fill(prover, rng).solution;
        let cells: Vec<Cell> = self.0.into_iter().collect();
        let mut puzzle = Puzzle::empty();
        for &cell in &cells {
            puzzle.set(cell, Some(solution.digit(cell)));
        }
        let mut fewest = count(&puzzle, COUNTED, prover);
        for _ in 0..CHANGES {
            if fewest == 1 {
                return Some(puzzle);
            }
            let cell = cells[rng.random_range(0..cells.len())];
            let seen: DigitSet = cell
                .peers()
                .into_iter()
                .chain([cell])
                .filter_map(|cell| puzzle.given(cell))
                .collect();
            let free = DigitSet::ALL.difference(seen);
            if free.is_empty() {
                continue;
            }
            let digit = free.into_iter().nth(rng.random_range(0..free.len()));
            let before = puzzle;
            puzzle.set(cell, digit);
            // One more than now is as bad as any more.
            let solutions = count(&puzzle, (fewest + 1).min(COUNTED), prover);
            if solutions == 0 || solutions > fewest {
                puzzle = before;
            } else {
                fewest = solutions;
            }
        }
        None
    }
}

/// How many solutions there are, up to a limit.
fn count(puzzle: &Puzzle, limit: usize, prover: &mut Prover) -> usize {
    match prover.many(puzzle, limit) {
        Verdict::Multiple(solutions) => solutions.len(),
        Verdict::Unique(_) | Verdict::Solved(_) => 1,
        _ => 0,
    }
}

/// Why no puzzle can have its givens in these cells.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Not 81 cells.
    #[error(transparent)]
    Line(#[from] ParsePuzzleError),
    /// Every puzzle with one solution has 17 givens or more (McGuire, Tugemann and Civario, 2012).
    #[error("a pattern of {0} cells: no puzzle with fewer than 17 givens has a single solution")]
    TooFew(usize),
    /// Two lines that can change places.
    #[error("{0} and {1} have no given, so their digits can change places")]
    Swap(House, House),
}

/// Reads 81 characters: `.`, `0`, `*`, `_` and `-` are blanks, anything else is a given.
impl FromStr for GivensPattern {
    type Err = PatternError;

    fn from_str(line: &str) -> Result<GivensPattern, PatternError> {
        let found = line.chars().count();
        if found != Cell::COUNT {
            return Err(ParsePuzzleError::Length { found }.into());
        }
        let given = |&(_, character): &(Cell, char)| !".0*_-".contains(character);
        let cells: CellSet = Cell::all()
            .zip(line.chars())
            .filter(given)
            .map(|(cell, _)| cell)
            .collect();
        if cells.len() < 17 {
            return Err(PatternError::TooFew(cells.len()));
        }
        let empty = |house: &House| house.cells().intersection(cells).is_empty();
        for third in 0..6 {
            let lines = House::all().skip(3 * third).take(3).filter(empty);
            if let [one, other, ..] = lines.collect::<Vec<House>>()[..] {
                return Err(PatternError::Swap(one, other));
            }
        }
        Ok(GivensPattern(cells))
    }
}

/// 81 characters, `x` for a given.
impl fmt::Display for GivensPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = |cell| if self.0.contains(cell) { 'x' } else { '.' };
        f.write_str(&Cell::all().map(mark).collect::<String>())
    }
}
