//! What stands on a line, before it is a puzzle.

use super::alphabet::Alphabet;
use super::error::FormatError;
use super::puzzle::VariantPuzzle;
use super::reading::{Reading, VariantEntry};
use super::rules::{Layouts, Rules};
use super::value::Value;
use super::written::{Evidence, Verdict, Written};

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
        let layout = layouts.get(std::mem::take(&mut self.rules), reading);
        let layout = layout.map_err(|error| match (&error, &self.written) {
            (FormatError::Boxes { .. }, Some(board)) if board.is_samurai() => FormatError::Samurai,
            _ => error,
        })?;
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
        let blank_zeros = |board: &Written| board.has_blank_zeros(alphabet);
        Ok(VariantEntry {
            has_blank_zeros: self.written.as_ref().is_some_and(blank_zeros),
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
