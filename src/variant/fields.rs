//! Lines of cells, and of fields after them: regions, boxes, cages, diagonals, windows and the solution.

use super::cages;
use super::error::FormatError;
use super::parts::Parts;
use super::written::{BETWEEN_NUMBERS, Written, is_cell, is_number, side_of};

/// What a field may be set off with, where fields are not parted by tabs.
const BETWEEN_FIELDS: [char; 5] = [' ', ',', ';', '|', '"'];

/// The longest symbol of a list of numbers.
const LONGEST_NUMBER: usize = 2;

/// Splits a line that begins with cells, regions or cages, and that stands after so many characters.
pub(super) fn split(text: &str, column: usize) -> Result<Parts, FormatError> {
    let (first, rest) = split_first(text)?;
    let mut parts = Parts::default();
    if cages::is_start(first) {
        parts.rules.cages = Some(cages::parse(first, column)?);
        add(
            &mut parts,
            rest,
            column + text[..text.len() - rest.len()].chars().count(),
        )?;
        return Ok(parts);
    }
    let board = Written::new(first).ok_or_else(|| no_board(first, column))?;
    parts.rules.side = Some(board.side());
    match board.regions() {
        Some(regions) => parts.rules.regions = Some(regions),
        None => parts.written = Some(board),
    }
    add(
        &mut parts,
        rest,
        column + text[..text.len() - rest.len()].chars().count(),
    )?;
    Ok(parts)
}

/// The first field, and what comes after it.
fn split_first(text: &str) -> Result<(&str, &str), FormatError> {
    if let Some(end) = text.find('\t') {
        return Ok((text[..end].trim(), &text[end..]));
    }
    let end = text
        .find(['\t', ' ', ',', ';', '#', '|'])
        .unwrap_or(text.len());
    if cages::is_start(text) {
        return Ok(text.split_at(cages::end(text)));
    }
    if end > LONGEST_NUMBER {
        return Ok(text.split_at(end));
    }
    let end = text.find([';', '#', '|']).unwrap_or(text.len());
    let mut ends = Vec::new();
    let mut at = 0;
    for token in text[..end].split(BETWEEN_NUMBERS) {
        at += token.len();
        if !token.is_empty() {
            if !is_number(token) {
                break;
            }
            ends.push(at);
        }
        at += 1;
    }
    // One board, or a board and its solution: no square is twice another.
    let one = [ends.len(), ends.len() / 2]
        .into_iter()
        .find(|cells| side_of(*cells).is_some() && ends.len().is_multiple_of(*cells));
    match one.and_then(|cells| ends.get(cells - 1)) {
        Some(end) => Ok(text.split_at(*end)),
        None if ends.len() > 1 => Err(FormatError::Cells { found: ends.len() }),
        None => Ok(text.split_at(text.find(BETWEEN_FIELDS).unwrap_or(text.len()))),
    }
}

/// Why a first field is no board.
fn no_board(field: &str, column: usize) -> FormatError {
    let bad = field.chars().enumerate().find(|(_, c)| !is_cell(*c));
    match bad {
        Some((index, character)) if !field.contains(BETWEEN_NUMBERS) => FormatError::Character {
            column: column + index + 1,
            character,
        },
        Some(_) => {
            let tokens = field
                .split(BETWEEN_NUMBERS)
                .filter(|token| !token.is_empty());
            let mut at = 0;
            for token in field.split(BETWEEN_NUMBERS) {
                if !token.is_empty() && !is_number(token) {
                    return FormatError::Part {
                        what: "a list of numbers",
                        column: column + at + 1,
                        expected: "a number or a blank (one of . 0 * _ -)",
                    };
                }
                at += token.chars().count() + 1;
            }
            FormatError::Cells {
                found: tokens.count(),
            }
        }
        None => FormatError::Cells {
            found: field.chars().count(),
        },
    }
}

/// Adds the fields after the puzzle, which begin after so many characters of the line.
///
/// A field of as many symbols as the board has cells is its regions if it could be (see [`Written::regions`]), and
/// a solution if it has no blanks. What has none of the forms below is a note.
pub(super) fn add(parts: &mut Parts, text: &str, column: usize) -> Result<(), FormatError> {
    if text.contains('\t') {
        let mut at = column;
        for field in text.split('\t') {
            let indent = field.len() - field.trim_start().len();
            if !add_field(parts, field.trim(), at + indent)? {
                add_note(parts, field);
            }
            at += field.chars().count() + 1;
        }
        return Ok(());
    }
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(BETWEEN_FIELDS);
        let end = if rest.starts_with('#') {
            0
        } else if cages::is_start(rest) {
            cages::end(rest)
        } else {
            word_end(rest, parts.rules.side)
        };
        let (field, after) = rest.split_at(end);
        let at = column + text[..text.len() - rest.len()].chars().count();
        if field.is_empty() || !add_field(parts, field, at)? {
            add_note(parts, rest);
            return Ok(());
        }
        rest = after;
    }
}

/// Where the first word ends, or the list of numbers that is a board.
fn word_end(text: &str, side: Option<usize>) -> usize {
    let end = text.find(BETWEEN_FIELDS).unwrap_or(text.len());
    if end > LONGEST_NUMBER {
        return end;
    }
    let tokens = text.split(BETWEEN_NUMBERS);
    let mut at = 0;
    let mut found = 0;
    for token in tokens {
        at += token.len();
        if !token.is_empty() {
            if !is_number(token) {
                break;
            }
            found += 1;
            if Some(found) == side.map(|side| side * side) {
                return at;
            }
        }
        at += 1;
    }
    end
}

fn add_note(parts: &mut Parts, text: &str) {
    let note = text.trim_start_matches(['#', ' ', ',', ';', '|']).trim();
    if !note.is_empty() {
        parts.notes.push(note.to_owned());
    }
}

/// Adds a field, if it has one of the known forms.
fn add_field(parts: &mut Parts, field: &str, column: usize) -> Result<bool, FormatError> {
    if cages::is_start(field) {
        let found = cages::parse(field, column)?;
        return once(parts.rules.cages.replace(found).is_none(), "cages");
    }
    match field.to_ascii_lowercase().as_str() {
        "diagonals" | "diagonal" => {
            parts.rules.diagonals = true;
            return Ok(true);
        }
        "windows" | "windoku" => {
            parts.rules.windows = true;
            return Ok(true);
        }
        _ => {}
    }
    if let Some(name) = field.strip_prefix("boxes=") {
        let boxes = name.parse().map_err(|_| FormatError::Part {
            what: "the boxes",
            column: column + 7,
            expected: "rows and columns of a box, as in boxes=2x3",
        })?;
        return once(parts.rules.boxes.replace(boxes).is_none(), "boxes");
    }
    if let Some(regions) = field.strip_prefix("regions=") {
        let regions = Written::new(regions).and_then(|board| Some((board.side(), board.names()?)));
        let (side, regions) = regions.ok_or(FormatError::Part {
            what: "the regions",
            column: column + 9,
            expected: "a symbol for each cell of the board",
        })?;
        parts.rules.side.get_or_insert(side);
        return once(parts.rules.regions.replace(regions).is_none(), "regions");
    }
    let Some(board) = Written::new(field) else {
        return Ok(false);
    };
    if *parts.rules.side.get_or_insert(board.side()) != board.side() {
        return Ok(false);
    }
    let is_alone = parts.written.is_none() && parts.givens.is_none();
    match board.regions() {
        Some(regions) => once(parts.rules.regions.replace(regions).is_none(), "regions"),
        None if is_alone && board.evidence().leaves_blanks() => {
            parts.written = Some(board);
            Ok(true)
        }
        None => {
            parts.boards.push((board, field.to_owned()));
            Ok(true)
        }
    }
}

fn once(is_first: bool, what: &'static str) -> Result<bool, FormatError> {
    if is_first {
        Ok(true)
    } else {
        Err(FormatError::Twice { what })
    }
}
