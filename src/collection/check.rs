//! Whether puzzles are what a collection promises: one solution, and no given too many.

use std::fmt;

use super::each::{ReadTally, Watch, each_of, lines_of};
use crate::corpus::{Row, Rows};
use crate::grid::{Cell, CellSet, Digit, House, Puzzle, PuzzleLine};
use crate::solve::{Goal, Limits, Lockstep, Solver, Verdict};
use crate::stream::{End, StreamError};

/// Rows that a thread takes at a time: each is solved once for each of its givens.
const BATCH: usize = 128;

/// How many solutions a puzzle has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solutions {
    /// None, and two givens say so at once.
    Clash(Clash),
    /// None.
    None,
    /// One.
    One,
    /// Two or more.
    Many,
}

/// Two equal givens in a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    house: House,
    digit: Digit,
    cells: (Cell, Cell),
}

impl Clash {
    /// Returns the first clash of a puzzle, rows before columns before blocks.
    pub fn of(puzzle: &Puzzle) -> Option<Clash> {
        House::all().find_map(|house| {
            let mut seen = [None; 9];
            house.cells().into_iter().find_map(|cell| {
                let digit = puzzle.given(cell)?;
                let first = seen[digit.index()].replace(cell)?;
                Some(Clash {
                    house,
                    digit,
                    cells: (first, cell),
                })
            })
        })
    }
}

/// "row 4 has 7 twice: r4c1 and r4c9".
impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Clash {
            house,
            digit,
            cells: (first, second),
        } = self;
        write!(f, "{house} has {digit} twice: {first} and {second}")
    }
}

/// What a check finds of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality {
    /// How many solutions it has.
    pub solutions: Solutions,
    /// Givens any one of which can be left out with the solution still the only one; empty unless there is one
    /// solution. A puzzle with one solution and none of these is minimal.
    pub redundant: CellSet,
}

impl Quality {
    /// Whether there is one solution and no given can be left out.
    pub fn is_minimal(&self) -> bool {
        self.solutions == Solutions::One && self.redundant.is_empty()
    }
}

/// Checks puzzles with `lockstep`: all of them, then each of those with one solution without each of its givens.
pub fn check(solver: &mut Lockstep, lines: &[PuzzleLine]) -> Vec<Quality> {
    let puzzles: Vec<Puzzle> = lines.iter().map(PuzzleLine::puzzle).collect();
    let mut solutions = Vec::with_capacity(lines.len());
    let mut number = puzzles.iter();
    solver.solve_lines(lines, Goal::ProveUnique, Limits::NONE, &mut |outcome| {
        let clash = number.next().and_then(Clash::of);
        solutions.push(match (outcome.verdict, clash) {
            (Verdict::Unique(_), _) => Solutions::One,
            (Verdict::Unsolvable, Some(clash)) => Solutions::Clash(clash),
            (Verdict::Unsolvable, None) => Solutions::None,
            _ => Solutions::Many,
        });
    });
    let mut qualities: Vec<Quality> = solutions
        .into_iter()
        .map(|solutions| Quality {
            solutions,
            redundant: CellSet::EMPTY,
        })
        .collect();
    let mut without = Vec::new();
    let mut asked = Vec::new();
    for (place, puzzle) in puzzles.iter().enumerate() {
        if qualities[place].solutions != Solutions::One {
            continue;
        }
        for (cell, _) in puzzle.givens() {
            let mut rest = *puzzle;
            rest.set(cell, None);
            without.push(PuzzleLine::from(&rest));
            asked.push((place, cell));
        }
    }
    let mut asked = asked.into_iter();
    solver.solve_lines(&without, Goal::ProveUnique, Limits::NONE, &mut |outcome| {
        let Some((place, cell)) = asked.next() else {
            return;
        };
        if let Verdict::Unique(_) = outcome.verdict {
            let quality = &mut qualities[place];
            quality.redundant = quality.redundant.with(cell);
        }
    });
    qualities
}

/// Checks each row, and hands it over with what was found, in order.
///
/// # Errors
/// See [`StreamError`].
pub fn check_all(
    rows: Rows,
    watch: &mut Watch<'_>,
    sink: impl FnMut(Row, Quality) -> std::io::Result<()> + Send,
) -> Result<(ReadTally, End), StreamError> {
    let work = |rows: &[Row]| Some(check(&mut Lockstep::new(), &lines_of(rows)));
    each_of(rows, BATCH, watch, work, sink)
}
