//! Puzzles of any layout: solved, and written as lines.

use super::key::Key;
use crate::solve::{Goal, Limits, Stop};
use crate::variant::{
    Alphabet, Format, Reading, Value, VariantPuzzle, VariantSolution, VariantVerdict, fastest,
    write_cells,
};

/// Says whether there is one solution; out of budget if `stop` is set.
pub(super) fn verdict(puzzle: &VariantPuzzle, stop: Option<Stop>) -> VariantVerdict {
    let mut solver = (fastest(puzzle.layout()).build)();
    let outcome = solver.solve(puzzle, Goal::ProveUnique, until(stop));
    outcome.verdict
}

/// The solution; `None` if there is not exactly one.
pub(super) fn solution(puzzle: &VariantPuzzle, stop: Option<Stop>) -> Option<VariantSolution> {
    match verdict(puzzle, stop) {
        VariantVerdict::Unique(solution) => Some(solution),
        _ => None,
    }
}

/// The solution as a puzzle; `None` if there is not exactly one.
pub(super) fn solved(puzzle: &VariantPuzzle, stop: Option<Stop>) -> Option<VariantPuzzle> {
    Some(puzzle.solved(&solution(puzzle, stop)?))
}

/// The name that a solution shares with its images.
pub(super) fn grid_key(puzzle: &VariantPuzzle, solution: &VariantSolution) -> Key {
    Key::of(&puzzle.solved(solution).canonical_form())
}

/// The puzzle with its rules as a line, with numbers where the alphabet lacks symbols.
pub(super) fn written(puzzle: &VariantPuzzle, alphabet: Alphabet) -> String {
    let write = |alphabet| Format::Fields.write(puzzle, alphabet, None, &Reading::default());
    let written = write(alphabet).or_else(|_| write(Alphabet::Numbers));
    written.unwrap_or_default()
}

/// A full board as a line, with numbers where the alphabet lacks symbols.
pub(super) fn written_cells(values: &[Value], alphabet: Alphabet) -> String {
    let cells: Vec<Option<Value>> = values.iter().copied().map(Some).collect();
    let written = write_cells(&cells, alphabet);
    let written = written.or_else(|_| write_cells(&cells, Alphabet::Numbers));
    written.unwrap_or_default()
}

/// Limits of a search that `stop` ends.
pub(super) fn until(stop: Option<Stop>) -> Limits {
    Limits {
        stop,
        ..Limits::NONE
    }
}

/// Whether a search was ended.
pub(super) fn is_set(stop: Option<Stop>) -> bool {
    stop.is_some_and(Stop::is_set)
}
