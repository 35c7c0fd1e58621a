//! The search on small boards: place singles, then guess where the fewest values are left.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::super::super::layout::Layout;
use super::super::super::puzzle::{VariantPuzzle, VariantSolution};
use super::super::super::solver::{VariantLedger, is_same};
use super::state::State;
use super::tables::{MOST_CELLS, Tables};
use crate::solve::End;

/// Whether boards of this layout are so small that `mrv` answers them in microseconds.
pub fn is_quick(layout: &Layout) -> bool {
    layout.cells() <= MOST_CELLS && layout.cages().is_empty()
}

/// Keeps what depends on the layout.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct BitboardSearch {
    kept: Option<(Arc<Layout>, Tables)>,
}

impl BitboardSearch {
    /// Comes past all solutions of a puzzle that [`fits`].
    pub(in super::super) fn search(
        &mut self,
        puzzle: &VariantPuzzle,
        ledger: &mut VariantLedger,
    ) -> ControlFlow<End> {
        let layout = puzzle.layout();
        let known = self.kept.take().filter(|(known, _)| is_same(known, layout));
        let known = known.unwrap_or_else(|| (layout.clone(), Tables::new(layout)));
        let (_, tables) = self.kept.insert(known);
        match layout.side() {
            4 => enter::<4>(tables, puzzle, ledger),
            5 => enter::<5>(tables, puzzle, ledger),
            6 => enter::<6>(tables, puzzle, ledger),
            7 => enter::<7>(tables, puzzle, ledger),
            _ => enter::<8>(tables, puzzle, ledger),
        }
    }
}

fn enter<const SIDE: usize>(
    tables: &Tables,
    puzzle: &VariantPuzzle,
    ledger: &mut VariantLedger,
) -> ControlFlow<End> {
    ledger.node()?;
    match State::<SIDE>::new(tables, puzzle.givens()) {
        ControlFlow::Continue(state) => descend(state, tables, puzzle, ledger),
        ControlFlow::Break(_) => ControlFlow::Continue(()),
    }
}

/// The solutions below a state. The depth is that of the guesses at a time, at most one a cell.
fn descend<const SIDE: usize>(
    mut state: State<SIDE>,
    tables: &Tables,
    puzzle: &VariantPuzzle,
    ledger: &mut VariantLedger,
) -> ControlFlow<End> {
    loop {
        if state.place_singles(tables).is_break() {
            return ControlFlow::Continue(());
        }
        let Some((cell, value)) = state.choose() else {
            let solution = VariantSolution::new(puzzle, state.solution(tables));
            return ledger.solution(solution.expect("all rules were propagated"));
        };
        ledger.guess()?;
        ledger.node()?;
        let mut guess = state;
        if guess.assign(tables, cell, value).is_continue() {
            descend(guess, tables, puzzle, ledger)?;
        }
        ledger.node()?;
        state.strike(cell, value);
    }
}
