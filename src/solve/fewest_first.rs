//! The search that `mrv` and `mrv-lcv` share: singles, then a branch in a cell with the fewest
//! candidates. They differ in which of several such cells they take, and in the order of its
//! digits.

use std::ops::ControlFlow;

use super::search::{End, Ledger};
use super::search_state::SearchState;
use crate::grid::{Cell, CellSet, Digit, Puzzle};

/// The order of cells and digits.
pub(super) trait Order {
    /// Returns one of these blanks, which have the fewest candidates.
    fn cell(state: &SearchState, fewest: CellSet) -> Option<Cell>;

    /// Returns the candidates of this cell, each once.
    fn digits(state: &SearchState, cell: Cell) -> impl Iterator<Item = Digit>;
}

/// Visits every solution of a puzzle.
pub(super) fn search<O: Order>(puzzle: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End> {
    match SearchState::new(puzzle) {
        Some(mut root) => enter::<O>(&mut root, ledger),
        None => ledger.node(),
    }
}

/// Visits every solution below this state. Recursion is as deep as there are guesses on the way to
/// a solution: each fills a cell, so fewer than 81.
fn enter<O: Order>(state: &mut SearchState, ledger: &mut Ledger) -> ControlFlow<End> {
    ledger.node()?;
    if state.place_singles().is_err() {
        return ControlFlow::Continue(());
    }
    let Some(cell) = O::cell(state, state.with_fewest_candidates()) else {
        return ledger.solution(state.solution());
    };
    let mut digits = O::digits(state, cell).peekable();
    while let Some(digit) = digits.next() {
        if digits.peek().is_none() {
            drop(digits);
            state.place(cell, digit);
            return enter::<O>(state, ledger);
        }
        ledger.guess()?;
        let mut guess = state.clone();
        guess.place(cell, digit);
        enter::<O>(&mut guess, ledger)?;
    }
    ControlFlow::Continue(())
}
