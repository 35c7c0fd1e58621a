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

    /// Moves of cells from which all others of the symmetry follow.
    fn moves(self) -> &'static [fn(usize, usize) -> [usize; 2]] {
        match self {
            GivensSymmetry::HalfTurn => &[|row, column| [8 - row, 8 - column]],
            GivensSymmetry::QuarterTurn => &[|row, column| [column, 8 - row]],
            GivensSymmetry::Horizontal => &[|row, column| [8 - row, column]],
            GivensSymmetry::Vertical => &[|row, column| [row, 8 - column]],
            GivensSymmetry::Diagonal => &[|row, column| [column, row]],
            GivensSymmetry::AntiDiagonal => &[|row, column| [8 - column, 8 - row]],
            GivensSymmetry::BothMirrors => &[
                |row, column| [8 - row, column],
                |row, column| [row, 8 - column],
            ],
            GivensSymmetry::BothDiagonals => &[
                |row, column| [column, row],
                |row, column| [8 - column, 8 - row],
            ],
            GivensSymmetry::Full => &[|row, column| [8 - row, column], |row, column| [column, row]],
        }
    }

    /// The cells that have a given if this one has.
    pub fn orbit(self, cell: Cell) -> CellSet {
        let mut orbit = CellSet::only(cell);
        let mut open = vec![cell];
        while let Some(cell) = open.pop() {
            for go in self.moves() {
                let [row, column] = go(cell.row(), cell.column());
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
