//! A line of text, in whichever of the forms it is.

use super::error::FormatError;
use super::parts::Parts;
use super::reading::{Reading, VariantEntry};
use super::rules::Layouts;
use super::{cages, fields, perfect, sumocue, tatham};

/// The puzzle of a line. These forms are told apart by what they look like:
///
/// - cells, one character each or numbers with commas or spaces between them, and fields after them: see
///   [`Format::Fields`](super::Format::Fields),
/// - game ids of Simon Tatham's Solo: `3x3:a1b2…`,
/// - killers in the form of Perfect Sudoku (`3x3::k:…`) and in that of SumoCue (`SumoCueV1=…`),
/// - cages alone, and regions alone: a board without givens.
///
/// # Errors
/// See [`FormatError`].
pub fn parse_line(line: &str, reading: &Reading) -> Result<VariantEntry, FormatError> {
    split_line(line)?.entry(reading, None, &mut Layouts::default())
}

/// What stands on a line, of whichever form it is.
pub(super) fn split_line(line: &str) -> Result<Parts, FormatError> {
    let indent = line.len() - line.trim_start().len();
    let text = line.trim();
    if text.is_empty() {
        return Err(FormatError::Empty);
    }
    let (id, rest) = text.split_at(first_word(text));
    match id_parts(id) {
        Some(parts) => {
            let mut parts = parts?;
            let end = indent + id.len();
            fields::add(&mut parts, rest, line[..end].chars().count())?;
            Ok(parts)
        }
        None => fields::split(text, line[..indent].chars().count()),
    }
}

fn first_word(text: &str) -> usize {
    text.find(['\t', ' ']).unwrap_or(text.len())
}

/// What an id says that other programs know a puzzle by; `None` where the text is none.
fn id_parts(id: &str) -> Option<Result<Parts, FormatError>> {
    sumocue::split(id)
        .or_else(|| perfect::split(id))
        .or_else(|| tatham::split(id))
}

/// Whether a line begins like an id of another program or a cage, damaged or not: not like cells.
pub(super) fn has_own_form(text: &str) -> bool {
    cages::is_start(text) || id_parts(&text[..first_word(text)]).is_some()
}
