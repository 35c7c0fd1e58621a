//! The complete solver `mrv-lcv`: `mrv` with the textbook's other two orders.
//!
//! Of the cells with the fewest candidates it takes the most constraining one, which sees the most
//! blanks (the degree heuristic: Brélaz, "New methods to color the vertices of a graph", 1979). It
//! tries the least constraining digit first, which the fewest blanks that see the cell could hold
//! (Haralick and Elliott, 1980).

use std::ops::ControlFlow;

use super::search::{End, Ledger, Search};
use super::search_state::SearchState;
use crate::grid::{Cell, CellSet, Digit, DigitSet, Puzzle};

/// Complete: every puzzle gets a true verdict. Keeps nothing between puzzles.
#[derive(Clone, Debug, Default)]
pub struct MrvLcv {}

impl MrvLcv {
    /// A solver ready for its first puzzle.
    pub fn new() -> MrvLcv {
        MrvLcv {}
    }
}

impl Search for MrvLcv {
    fn search(&mut self, puzzle: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End> {
        match SearchState::new(puzzle) {
            Some(mut root) => enter(&mut root, ledger),
            None => ledger.node(),
        }
    }
}

/// Visits every solution below this state. Recursion is as deep as there are guesses on the way to
/// a solution: each fills a cell, so fewer than 81.
fn enter(state: &mut SearchState, ledger: &mut Ledger) -> ControlFlow<End> {
    ledger.node()?;
    if state.place_singles().is_err() {
        return ControlFlow::Continue(());
    }
    let Some(cell) = most_constraining(state) else {
        return ledger.solution(state.solution());
    };
    let (order, count) = least_constraining_first(state, cell);
    for (at, &digit) in order[..count].iter().enumerate() {
        if at + 1 == count {
            state.place(cell, digit);
            return enter(state, ledger);
        }
        ledger.guess()?;
        let mut guess = state.clone();
        guess.place(cell, digit);
        enter(&mut guess, ledger)?;
    }
    ControlFlow::Continue(())
}

/// Of the blanks with the fewest candidates, the first of those that see the most blanks.
fn most_constraining(state: &SearchState) -> Option<Cell> {
    let blanks = state.blanks();
    let degree = |cell: Cell| cell.peers().intersection(blanks).len();
    let mut cells = state.with_fewest_candidates().into_iter();
    let first = cells.next()?;
    Some(cells.fold(first, |best, cell| {
        if degree(cell) > degree(best) {
            cell
        } else {
            best
        }
    }))
}

/// The candidates of a cell, those first that the fewest cells it sees could hold, and how many
/// there are.
fn least_constraining_first(state: &SearchState, cell: Cell) -> ([Digit; 9], usize) {
    let lost = |digit: Digit| -> CellSet { state.places(digit).intersection(cell.peers()) };
    let candidates: DigitSet = state.candidates(cell);
    let mut order = Digit::ALL;
    for (slot, digit) in order.iter_mut().zip(candidates) {
        *slot = digit;
    }
    order[..candidates.len()].sort_by_key(|&digit| lost(digit).len());
    (order, candidates.len())
}
