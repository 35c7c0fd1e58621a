//! Jigsaws and killers as SumoCue keeps them: `SumoCueV1=12J0+0J0=0J1…`.
//!
//! `SumoCueV1`, a `D` where the diagonals have all values, then an entry for each of the 81 cells: `=` and a sum in the
//! first cell of a cage, `+` and the number of that cell, from 0, in its other cells, and `J` and the number of the
//! region where the board is a jigsaw. A sum of 0 is a cell without a cage, and a cage of one cell a given. Described
//! by Ruud van der Werf in the forum of SudoCue, <http://www.sudocue.net/forum/viewtopic.php?f=1&t=519>.

use std::fmt::Write as _;

use super::cages::PlacedCage;
use super::error::{CannotHold, FormatError};
use super::layout::Boxes;
use super::parts::Parts;
use super::puzzle::VariantPuzzle;
use super::rules::Rules;
use super::value::Value;
use super::written::side_of;

const WHAT: &str = "a SumoCue line";
const HEAD: &str = "SumoCueV1";
/// SumoCue knows no other boards.
const SIDE: usize = 9;

/// Splits a line of this form; `None` where it has another.
pub(super) fn split(text: &str) -> Option<Result<Parts, FormatError>> {
    let head = text.get(..HEAD.len())?;
    head.eq_ignore_ascii_case(HEAD)
        .then(|| cells(text, HEAD.len()))
}

/// One entry: its sign, its number and its region.
struct Entry {
    is_first: bool,
    number: u32,
    region: Option<u32>,
}

fn cells(text: &str, start: usize) -> Result<Parts, FormatError> {
    let mut rest = &text[start..];
    let diagonals = rest.starts_with(['D', 'd']);
    if diagonals {
        rest = &rest[1..];
    }
    let mut entries = Vec::new();
    while !rest.is_empty() {
        let column = text.len() - rest.len() + 1;
        let (entry, after) = entry(rest).ok_or(FormatError::Part {
            what: WHAT,
            column,
            expected: "a cell: = and a sum, or + and the number of a cell, and perhaps J and the number of a region",
        })?;
        entries.push(entry);
        rest = after;
    }
    let side = side_of(entries.len()).ok_or(FormatError::Cells {
        found: entries.len(),
    })?;
    let place = |cell: usize| (cell / side, cell % side);
    let mut givens = vec![None; entries.len()];
    let mut cages: Vec<PlacedCage> = Vec::new();
    for (cell, entry) in entries.iter().enumerate() {
        if !entry.is_first || entry.number == 0 {
            continue;
        }
        let others = |(at, other): (usize, &Entry)| {
            (!other.is_first && other.number as usize == cell).then(|| place(at))
        };
        let others = entries.iter().enumerate().filter_map(others);
        let cells: Vec<(usize, usize)> = std::iter::once(place(cell)).chain(others).collect();
        let value = u8::try_from(entry.number).ok().and_then(Value::new);
        match value.filter(|value| cells.len() == 1 && usize::from(value.get()) <= side) {
            Some(value) => givens[cell] = Some(value),
            None => cages.push(PlacedCage {
                sum: entry.number,
                cells,
            }),
        }
    }
    let lost = entries.iter().position(|entry| {
        let first = entries.get(entry.number as usize);
        !entry.is_first && first.is_none_or(|first| !first.is_first || first.number == 0)
    });
    if let Some(cell) = lost {
        return Err(FormatError::Whole {
            what: WHAT,
            why: format!(
                "row {}, column {} is in the cage of cell {}, which begins no cage",
                cell / side + 1,
                cell % side + 1,
                entries[cell].number
            ),
        });
    }
    let regions: Vec<u32> = entries.iter().filter_map(|entry| entry.region).collect();
    if !regions.is_empty() && regions.len() != entries.len() {
        return Err(FormatError::Whole {
            what: WHAT,
            why: "some cells have a region (J and a number) and others have none".to_owned(),
        });
    }
    Ok(Parts {
        rules: Rules {
            side: Some(side),
            diagonals,
            regions: (!regions.is_empty()).then_some(regions),
            cages: (!cages.is_empty()).then_some(cages),
            ..Rules::default()
        },
        givens: Some(givens),
        ..Parts::default()
    })
}

/// The entry a text begins with, and what comes after it.
fn entry(text: &str) -> Option<(Entry, &str)> {
    let is_first = text.starts_with('=');
    let (number, rest) = number(text.strip_prefix(['=', '+'])?)?;
    let (region, rest) = match rest.strip_prefix(['J', 'j']) {
        Some(rest) => {
            let (region, rest) = self::number(rest)?;
            (Some(region), rest)
        }
        None => (None, rest),
    };
    let entry = Entry {
        is_first,
        number,
        region,
    };
    Some((entry, rest))
}

fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit());
    let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
    Some((digits.parse().ok()?, rest))
}

/// The line of a jigsaw or a killer. A cage of one cell becomes a given.
pub(super) fn write(puzzle: &VariantPuzzle) -> Result<String, CannotHold> {
    let layout = puzzle.layout();
    let no_room = |what: &str| CannotHold::Rule {
        format: WHAT,
        what: what.to_owned(),
        instead: "fields",
    };
    if layout.side() != SIDE {
        return Err(no_room("boards that are not 9x9"));
    }
    if layout.has_windows() {
        return Err(no_room("windows"));
    }
    let given = |cell: &usize| puzzle.givens()[*cell].is_some();
    let mut cages = layout.cages().iter();
    if cages.any(|cage| cage.cells.iter().any(given)) {
        return Err(no_room("givens in cages"));
    }
    let is_jigsaw = layout.boxes() != Boxes::square(SIDE);
    let mut entries: Vec<String> = puzzle
        .givens()
        .iter()
        .map(|given| format!("={}", given.map_or(0, Value::get)))
        .collect();
    for cage in layout.cages() {
        for cell in &cage.cells {
            entries[*cell] = format!("+{}", cage.cells[0]);
        }
        entries[cage.cells[0]] = format!("={}", cage.sum);
    }
    let mut line = HEAD.to_owned();
    if layout.has_diagonals() {
        line.push('D');
    }
    for (cell, entry) in entries.iter().enumerate() {
        line += entry;
        if is_jigsaw {
            let _ = write!(line, "J{}", layout.region(cell));
        }
    }
    Ok(line)
}
