//! The forms of a puzzle as a line of text, and how they are written.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::alphabet::Alphabet;
use super::cages;
use super::error::CannotHold;
use super::layout::{Boxes, Layout};
use super::puzzle::VariantPuzzle;
use super::reading::Reading;
use super::rules::Rules;
use super::value::Value;
use super::written::is_connected;
use super::{perfect, sumocue, tatham};

/// A form of a puzzle as a line of text. [`parse_line`](super::parse_line) reads all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `cells`: the givens, `.` for blanks; then, after a tab, the solution. Rules stand nowhere.
    Cells,
    /// `numbers`: as [`Format::Cells`], as decimal numbers with commas between them.
    Numbers,
    /// `fields`: the givens, and fields after them, parted by tabs: the regions of a jigsaw, a symbol for each cell
    /// (`regions=` before it where a region is in several pieces), or `boxes=2x3` where boxes are not square; cages
    /// as `9=r1c1,r1c2 5=r1c3,r2c3`; `diagonals`; `windows`; the solution. It holds every puzzle.
    Fields,
    /// `tatham`: a game id of Solo in Simon Tatham's Portable Puzzle Collection.
    Tatham,
    /// `sumocue`: `SumoCueV1=…`, for 9x9 jigsaws and killers.
    SumoCue,
    /// `perfect`: `3x3::k:…`, the killers that Perfect Sudoku, SumoCue and JSudoku exchange.
    Perfect,
}

/// A name that no format has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{0:?} is no format: it must be one of cells, numbers, fields, tatham, sumocue and perfect"
)]
pub struct UnknownFormat(String);

impl Format {
    /// All of them.
    pub const ALL: [Format; 6] = [
        Format::Cells,
        Format::Numbers,
        Format::Fields,
        Format::Tatham,
        Format::SumoCue,
        Format::Perfect,
    ];

    /// What it is called on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Cells => "cells",
            Format::Numbers => "numbers",
            Format::Fields => "fields",
            Format::Tatham => "tatham",
            Format::SumoCue => "sumocue",
            Format::Perfect => "perfect",
        }
    }

    /// The line of a puzzle, without a line end; with its solution, if that is given, as the last field. `told` is what
    /// whoever reads it will be told beside it: read under that, the line is the puzzle again.
    ///
    /// # Errors
    /// See [`CannotHold`].
    pub fn write(
        self,
        puzzle: &VariantPuzzle,
        alphabet: Alphabet,
        solution: Option<&[Value]>,
        told: &Reading,
    ) -> Result<String, CannotHold> {
        let alphabet = match (self, alphabet) {
            (Format::Numbers, alphabet) if alphabet.counts_from_zero() => Alphabet::NumbersFromZero,
            (Format::Numbers, _) => Alphabet::Numbers,
            (_, alphabet) => alphabet,
        };
        let mut line = match self {
            Format::Cells | Format::Numbers => {
                check_cells(puzzle.layout(), told)?;
                write_cells(puzzle.givens(), alphabet)?
            }
            Format::Fields => write_fields(puzzle, alphabet)?,
            Format::Tatham => tatham::write(puzzle)?,
            Format::SumoCue => sumocue::write(puzzle)?,
            Format::Perfect => perfect::write(puzzle)?,
        };
        if let Some(values) = solution {
            let values: Vec<Option<Value>> = values.iter().copied().map(Some).collect();
            line.push('\t');
            line += &write_cells(&values, alphabet)?;
        }
        Ok(line)
    }
}

/// A board as text: `.` for blanks.
///
/// # Errors
/// [`CannotHold::Symbols`].
pub fn write_cells(cells: &[Option<Value>], alphabet: Alphabet) -> Result<String, CannotHold> {
    let side = cells.len().isqrt();
    if side > alphabet.most() {
        return Err(CannotHold::Symbols {
            alphabet,
            side,
            instead: Alphabet::usual(side),
        });
    }
    let symbol = |cell: &Option<Value>| {
        let symbol = cell.and_then(|value| alphabet.symbol(value));
        symbol.unwrap_or_else(|| ".".to_owned())
    };
    let symbols: Vec<String> = cells.iter().map(symbol).collect();
    Ok(symbols.join(if alphabet.is_single() { "" } else { "," }))
}

/// Whether a line of cells, read under what is told, has these rules.
fn check_cells(layout: &Layout, told: &Reading) -> Result<(), CannotHold> {
    let read = Rules {
        side: Some(layout.side()),
        ..Rules::default()
    }
    .layout(told);
    let what = match (&read, layout.boxes()) {
        (Ok(read), _) if read == layout => return Ok(()),
        _ if !layout.cages().is_empty() => "cages".to_owned(),
        _ if layout.has_diagonals() && !told.diagonals => "diagonals".to_owned(),
        _ if layout.has_windows() && !told.windows => "windows".to_owned(),
        (_, Some(boxes)) => format!("boxes {boxes}"),
        (_, None) => "regions".to_owned(),
    };
    Err(CannotHold::Rule {
        format: "a line of cells",
        what,
        instead: "fields",
    })
}

fn write_fields(puzzle: &VariantPuzzle, alphabet: Alphabet) -> Result<String, CannotHold> {
    let layout = puzzle.layout();
    let mut fields = vec![write_cells(puzzle.givens(), alphabet)?];
    match layout.boxes() {
        Some(boxes) if Boxes::square(layout.side()) == Some(boxes) => {}
        Some(boxes) => fields.push(format!("boxes={boxes}")),
        None => fields.push(write_regions(layout)),
    }
    if !layout.cages().is_empty() {
        fields.push(cages::write(layout));
    }
    if layout.has_diagonals() {
        fields.push("diagonals".to_owned());
    }
    if layout.has_windows() {
        fields.push("windows".to_owned());
    }
    Ok(fields.join("\t"))
}

/// The region of each cell, from 1 where there are symbols enough.
pub(super) fn write_regions(layout: &Layout) -> String {
    let first = u32::from(layout.side() < super::value::MOST_SIDE);
    let name = |cell: usize| char::from_digit(layout.region(cell) as u32 + first, 36);
    let names: String = (0..layout.cells()).filter_map(name).collect();
    let is_scattered = |region: usize| {
        let cells = (0..layout.cells()).filter(|cell| layout.region(*cell) == region);
        !is_connected(layout.side(), &cells.collect::<Vec<usize>>())
    };
    let prefix = if (0..layout.side()).any(is_scattered) {
        "regions="
    } else {
        ""
    };
    prefix.to_owned() + &names.to_ascii_uppercase()
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        let mut all = Format::ALL.into_iter();
        all.find(|format| format.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}
