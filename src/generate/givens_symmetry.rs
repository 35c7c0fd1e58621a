//! Symmetric patterns of givens.

use std::fmt;
use std::str::FromStr;

use crate::grid::{Cell, CellSet, Puzzle};

/// A symmetry of the cells that have a given. The names are those that publishers use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GivensSymmetry {
    /// A half turn about the center: what most newspapers print.
    HalfTurn,
    /// A quarter turn about the center.
    QuarterTurn,
    /// The upper half mirrors the lower one.
    Horizontal,
    /// The left half mirrors the right one.
    Vertical,
    /// Mirrored in the diagonal from the top left.
    Diagonal,
    /// Mirrored in the diagonal from the top right.
    AntiDiagonal,
    /// Both `Horizontal` and `Vertical`.
    BothMirrors,
    /// Both `Diagonal` and `AntiDiagonal`.
    BothDiagonals,
    /// All turns and all mirrors.
    Full,
}

/// Where a symmetry moves a row and a column, on a board whose last row has this number.
type Move = fn(usize, usize, usize) -> [usize; 2];

impl GivensSymmetry {
    /// All of them.
    pub const ALL: [GivensSymmetry; 9] = [
        GivensSymmetry::HalfTurn,
        GivensSymmetry::QuarterTurn,
        GivensSymmetry::Horizontal,
        GivensSymmetry::Vertical,
        GivensSymmetry::Diagonal,
        GivensSymmetry::AntiDiagonal,
        GivensSymmetry::BothMirrors,
        GivensSymmetry::BothDiagonals,
        GivensSymmetry::Full,
    ];

    /// As it is written on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            GivensSymmetry::HalfTurn => "half-turn",
            GivensSymmetry::QuarterTurn => "quarter-turn",
            GivensSymmetry::Horizontal => "horizontal",
            GivensSymmetry::Vertical => "vertical",
            GivensSymmetry::Diagonal => "diagonal",
            GivensSymmetry::AntiDiagonal => "anti-diagonal",
            GivensSymmetry::BothMirrors => "both-mirrors",
            GivensSymmetry::BothDiagonals => "both-diagonals",
            GivensSymmetry::Full => "full",
        }
    }

    /// Moves from which all others of the symmetry follow.
    fn moves(self) -> &'static [Move] {
        match self {
            GivensSymmetry::HalfTurn => &[|row, column, last| [last - row, last - column]],
            GivensSymmetry::QuarterTurn => &[|row, column, last| [column, last - row]],
            GivensSymmetry::Horizontal => &[|row, column, last| [last - row, column]],
            GivensSymmetry::Vertical => &[|row, column, last| [row, last - column]],
            GivensSymmetry::Diagonal => &[|row, column, _| [column, row]],
            GivensSymmetry::AntiDiagonal => &[|row, column, last| [last - column, last - row]],
            GivensSymmetry::BothMirrors => &[
                |row, column, last| [last - row, column],
                |row, column, last| [row, last - column],
            ],
            GivensSymmetry::BothDiagonals => &[
                |row, column, _| [column, row],
                |row, column, last| [last - column, last - row],
            ],
            GivensSymmetry::Full => &[
                |row, column, last| [last - row, column],
                |row, column, _| [column, row],
            ],
        }
    }

    /// The cells that have a given if this one has.
    pub fn orbit(self, cell: Cell) -> CellSet {
        let mut orbit = CellSet::only(cell);
        let mut open = vec![cell];
        while let Some(cell) = open.pop() {
            for go in self.moves() {
                let [row, column] = go(cell.row(), cell.column(), 8);
                let image = Cell::at(row, column).expect("moves stay on the board");
                if !orbit.contains(image) {
                    orbit = orbit.with(image);
                    open.push(image);
                }
            }
        }
        orbit
    }

    /// Whether the givens of a puzzle have it.
    pub fn holds(self, puzzle: &Puzzle) -> bool {
        puzzle.givens().all(|(cell, _)| {
            let mut images = self.orbit(cell).into_iter();
            images.all(|image| puzzle.given(image).is_some())
        })
    }

    /// Whether the cells for which `is_given` returns true have it, on a board of this side. Cells are numbered in
    /// reading order, from 0.
    pub fn holds_on(self, side: usize, is_given: impl Fn(usize) -> bool) -> bool {
        let mut givens = (0..side * side).filter(|cell| is_given(*cell));
        givens.all(|cell| {
            self.moves().iter().all(|go| {
                let [row, column] = go(cell / side, cell % side, side - 1);
                is_given(row * side + column)
            })
        })
    }

    /// All orbits, by their first cells.
    pub fn orbits(self) -> Vec<CellSet> {
        let firsts = Cell::all().filter_map(|cell| {
            let orbit = self.orbit(cell);
            (orbit.into_iter().next() == Some(cell)).then_some(orbit)
        });
        firsts.collect()
    }
}

impl fmt::Display for GivensSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads a name; `rotational` is `half-turn`.
impl FromStr for GivensSymmetry {
    type Err = String;

    fn from_str(name: &str) -> Result<GivensSymmetry, String> {
        let known = GivensSymmetry::ALL
            .into_iter()
            .find(|known| known.name() == name);
        match (known, name) {
            (Some(known), _) => Ok(known),
            (None, "rotational") => Ok(GivensSymmetry::HalfTurn),
            (None, _) => {
                let names = GivensSymmetry::ALL.map(GivensSymmetry::name).join(", ");
                Err(format!("expected one of {names}"))
            }
        }
    }
}
