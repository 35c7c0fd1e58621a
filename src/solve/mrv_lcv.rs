//! The complete solver `mrv-lcv`: `mrv` with the textbook's other two orders.
//!
//! Of the cells with the fewest candidates it takes the most constraining one, which sees the most
//! blanks (the degree heuristic: Brélaz, "New methods to color the vertices of a graph", 1979). It
//! tries the least constraining digit first, which the fewest blanks that see the cell could hold
//! (Haralick and Elliott, 1980).

use std::ops::ControlFlow;

use super::fewest_first::{Order, search};
use super::search::{End, Ledger, Search};
use super::search_state::SearchState;
use crate::grid::{Cell, CellSet, Digit, Puzzle};

/// The solver `mrv-lcv`. Complete: every puzzle gets a true verdict. Keeps nothing between puzzles.
#[derive(Clone, Debug, Default)]
pub struct MrvLcv {}

impl MrvLcv {
    /// Returns a solver ready for its first puzzle.
    pub fn new() -> MrvLcv {
        MrvLcv {}
    }
}

impl Search for MrvLcv {
    fn search(&mut self, puzzle: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End> {
        search::<MrvLcv>(puzzle, ledger)
    }
}

/// Takes the most constraining cell, the first of several; then the least constraining digit.
impl Order for MrvLcv {
    fn cell(state: &SearchState, fewest: CellSet) -> Option<Cell> {
        let blanks = state.blanks();
        let degree = |cell: Cell| cell.peers().intersection(blanks).len();
        fewest.into_iter().reduce(|best, cell| {
            if degree(cell) > degree(best) {
                cell
            } else {
                best
            }
        })
    }

    fn digits(state: &SearchState, cell: Cell) -> impl Iterator<Item = Digit> {
        let lost = |digit: &Digit| state.places(*digit).intersection(cell.peers()).len();
        let candidates = state.candidates(cell);
        let mut order = Digit::ALL;
        for (slot, digit) in order.iter_mut().zip(candidates) {
            *slot = digit;
        }
        order[..candidates.len()].sort_by_key(lost);
        order.into_iter().take(candidates.len())
    }
}
