//! What a reader is told of the puzzles it reads, and what it makes of a line.

use std::sync::Arc;

use super::alphabet::Alphabet;
use super::error::FormatError;
use super::layout::{Boxes, Layout};
use super::puzzle::VariantPuzzle;
use super::rules::{Layouts, Rules};
use super::value::Value;
use super::written::{Evidence, Verdict, Written};
use super::{fields, perfect, sumocue, tatham};

/// What is known of puzzles before they are read: the rules that their lines do not tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The boxes; without them, and without regions, boxes are square.
    pub boxes: Option<Boxes>,
    /// The regions of all puzzles: what cells are in a region together. Its other rules are not looked at.
    pub regions: Option<Arc<Layout>>,
    /// Whether both diagonals have all values.
    pub diagonals: bool,
    /// Whether there are the extra boxes of a windoku.
    pub windows: bool,
    /// How values are written, where that is not to be concluded from the lines.
    pub symbols: Option<Alphabet>,
}

/// A puzzle of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantEntry {
    /// The puzzle.
    pub puzzle: VariantPuzzle,
    /// The full board that the line gives as the solution: it keeps the givens, but may break the rules.
    pub expected: Option<Vec<Value>>,
    /// How its values are written.
    pub alphabet: Alphabet,
    /// All other text of the line.
    pub note: String,
}

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
    let end = text.find(['\t', ' ']).unwrap_or(text.len());
    let (id, rest) = text.split_at(end);
    let special = sumocue::split(id)
        .or_else(|| perfect::split(id))
        .or_else(|| tatham::split(id));
    match special {
        Some(parts) => {
            let mut parts = parts?;
            fields::add(&mut parts, rest, line[..indent + end].chars().count())?;
            Ok(parts)
        }
        None => fields::split(text, line[..indent].chars().count()),
    }
}

/// What a line says, part by part.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub(super) rules: Rules,
    /// The givens, as written.
    pub(super) written: Option<Written>,
    /// The givens, where the form has no alphabet.
    pub(super) givens: Option<Vec<Option<Value>>>,
    /// Boards after the first, as written and as text.
    pub(super) boards: Vec<(Written, String)>,
    pub(super) notes: Vec<String>,
}

impl Parts {
    /// What it tells of its alphabet, if it has cells.
    pub(super) fn evidence(&self) -> Option<Evidence> {
        let boards = self.boards.iter().map(|(board, _)| board);
        let mut all = self.written.iter().chain(boards).map(Written::evidence);
        let mut first = all.next()?;
        all.for_each(|other| first.merge(&other));
        Some(first)
    }

    /// The puzzle. Where the line leaves open how it is written, it is as `likely` says.
    pub(super) fn entry(
        mut self,
        reading: &Reading,
        likely: Option<Alphabet>,
        layouts: &mut Layouts,
    ) -> Result<VariantEntry, FormatError> {
        let layout = layouts.get(std::mem::take(&mut self.rules), reading)?;
        let alphabet = match (reading.symbols, self.evidence()) {
            (Some(alphabet), _) => alphabet,
            (None, None) => Alphabet::usual(layout.side()),
            (None, Some(evidence)) => match (evidence.verdict()?, likely) {
                (
                    Verdict {
                        is_certain: false, ..
                    },
                    Some(likely),
                ) => likely,
                (verdict, _) => verdict.alphabet,
            },
        };
        let givens = match (self.givens.take(), &self.written) {
            (Some(givens), _) => givens,
            (None, Some(written)) => written.values(alphabet)?,
            (None, None) => vec![None; layout.cells()],
        };
        let puzzle = VariantPuzzle::new(layout, givens)?;
        let mut expected = None;
        let mut notes = std::mem::take(&mut self.notes);
        for (board, text) in &self.boards {
            match full(&puzzle, board, alphabet).filter(|_| expected.is_none()) {
                Some(values) => expected = Some(values),
                None => notes.push(text.clone()),
            }
        }
        Ok(VariantEntry {
            puzzle,
            expected,
            alphabet,
            note: notes.join(" "),
        })
    }
}

/// The values of a board that has no blanks and keeps the givens.
fn full(puzzle: &VariantPuzzle, board: &Written, alphabet: Alphabet) -> Option<Vec<Value>> {
    if board.side() != puzzle.layout().side() {
        return None;
    }
    // Where numbers stand beside a puzzle in single characters, or the other way, the board tells its own.
    let own = || Some(board.evidence().verdict().ok()?.alphabet);
    let values = board.values(alphabet).ok();
    let values = values.or_else(|| board.values(own()?).ok())?;
    let values = values.into_iter().collect::<Option<Vec<Value>>>()?;
    let mut pairs = puzzle.givens().iter().zip(&values);
    let is_kept = pairs.all(|(given, value)| given.is_none_or(|given| given == *value));
    is_kept.then_some(values)
}
