//! Killers as Perfect Sudoku and SumoCue exchange them: `3x3::k:5888:2817:…`.
//!
//! Fields with a colon after each: the boxes, `d` for diagonals, `k` for a killer, then a number for each cell: 256
//! times the sum of its cage, and the number of the cage. 0 is a cell without a cage. Described by Ruud van der Werf
//! in the forum of SudoCue, <http://www.sudocue.net/forum/viewtopic.php?f=1&t=519>.

use std::fmt::Write as _;

use super::cages::PlacedCage;
use super::error::{CannotHold, FormatError};
use super::layout::Boxes;
use super::parts::Parts;
use super::puzzle::VariantPuzzle;
use super::rules::Rules;

const WHAT: &str = "a Perfect Sudoku line";
/// Cages have numbers below this; sums are multiples of it.
const CAGES: u32 = 256;

/// Splits a line of this form; `None` where it has another.
pub(super) fn split(text: &str) -> Option<Result<Parts, FormatError>> {
    let (boxes, rest) = text.split_once(':')?;
    let boxes = boxes.parse().ok()?;
    let (diagonals, rest) = rest.split_once(':')?;
    let (killer, rest) = rest.split_once(':')?;
    if !matches!(diagonals, "" | "d" | "D") || !matches!(killer, "k" | "K") {
        return None;
    }
    let column = text.len() - rest.len();
    Some(cells(boxes, !diagonals.is_empty(), rest, column))
}

fn cells(
    boxes: Boxes,
    diagonals: bool,
    text: &str,
    mut column: usize,
) -> Result<Parts, FormatError> {
    let side = boxes.side();
    if boxes.rows != boxes.columns {
        return Err(FormatError::Whole {
            what: WHAT,
            why: format!("it has boxes {boxes}, and this form is only known with square ones"),
        });
    }
    let mut cages: Vec<(u32, PlacedCage)> = Vec::new();
    let mut found = 0;
    for field in text.strip_suffix(':').unwrap_or(text).split(':') {
        let is_number = field.bytes().all(|byte| byte.is_ascii_digit());
        let number = field.parse::<u32>().ok().filter(|_| is_number);
        let number = number.ok_or(FormatError::Part {
            what: WHAT,
            column: column + 1,
            expected: "a number",
        })?;
        let place = (found / side.max(1), found % side.max(1));
        found += 1;
        column += field.chars().count() + 1;
        let (sum, name) = (number / CAGES, number % CAGES);
        match cages.iter_mut().find(|(other, _)| *other == name) {
            _ if number == 0 => {}
            Some((_, cage)) if cage.sum != sum => {
                return Err(FormatError::Whole {
                    what: WHAT,
                    why: format!("cage {name} has the sums {} and {sum}", cage.sum),
                });
            }
            Some((_, cage)) => cage.cells.push(place),
            None => {
                let cells = vec![place];
                cages.push((name, PlacedCage { sum, cells }));
            }
        }
    }
    if found != side * side {
        return Err(FormatError::Whole {
            what: WHAT,
            why: format!(
                "found {found} cells, and boxes {boxes} make {}",
                side * side
            ),
        });
    }
    Ok(Parts {
        rules: Rules {
            side: Some(side),
            boxes: Some(boxes),
            diagonals,
            cages: Some(cages.into_iter().map(|(_, cage)| cage).collect()),
            ..Rules::default()
        },
        givens: Some(vec![None; side * side]),
        ..Parts::default()
    })
}

/// The line of a killer.
pub(super) fn write(puzzle: &VariantPuzzle) -> Result<String, CannotHold> {
    let layout = puzzle.layout();
    let no_room = |what: &str| CannotHold::Rule {
        format: WHAT,
        what: what.to_owned(),
        instead: "fields",
    };
    let boxes = layout.boxes().ok_or_else(|| no_room("regions"))?;
    if boxes.rows != boxes.columns {
        return Err(no_room("boxes that are not square"));
    }
    if layout.has_windows() {
        return Err(no_room("windows"));
    }
    if puzzle.givens().iter().any(Option::is_some) {
        return Err(no_room("givens"));
    }
    if layout.cages().is_empty() {
        return Err(no_room("boards without cages"));
    }
    if layout.cages().len() > CAGES as usize {
        return Err(no_room("more than 256 cages"));
    }
    let mut numbers = vec![0; layout.cells()];
    for (name, cage) in (0..).zip(layout.cages()) {
        for cell in &cage.cells {
            numbers[*cell] = cage.sum * CAGES + name;
        }
    }
    let diagonals = if layout.has_diagonals() { "d" } else { "" };
    let mut line = format!("{boxes}:{diagonals}:k:");
    for number in numbers {
        let _ = write!(line, "{number}:");
    }
    Ok(line)
}
