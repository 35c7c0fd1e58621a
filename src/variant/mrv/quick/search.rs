//! The search on small boards: propagate, then guess where the fewest values are left.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::super::super::layout::Layout;
use super::super::super::puzzle::{VariantPuzzle, VariantSolution};
use super::super::super::solver::{VariantLedger, is_same};
use super::cells::{CellState, CellTables};
use super::houses::{HouseState, HouseTables};
use super::state::{Contradiction, QuickState};
use crate::solve::End;

/// Whether boards of this layout are so small that `mrv` answers them in microseconds.
pub fn is_quick(layout: &Layout) -> bool {
    CellTables::supports(layout)
}

/// Keeps what depends on the layout.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct QuickSearch {
    kept: Option<(Arc<Layout>, Tables)>,
}

#[derive(Clone, Debug)]
enum Tables {
    Cells(Box<CellTables>),
    Houses(Box<HouseTables>),
}

impl Tables {
    fn new(layout: &Layout) -> Tables {
        if CellTables::supports(layout) {
            Tables::Cells(Box::new(CellTables::new(layout)))
        } else {
            Tables::Houses(Box::new(HouseTables::new(layout)))
        }
    }
}

impl QuickSearch {
    /// Whether there is a representation for boards of this layout.
    pub(in super::super) fn supports(layout: &Layout) -> bool {
        CellTables::supports(layout) || HouseTables::supports(layout)
    }

    /// Comes past all solutions of a puzzle whose layout it supports.
    pub(in super::super) fn search(
        &mut self,
        puzzle: &VariantPuzzle,
        ledger: &mut VariantLedger,
    ) -> ControlFlow<End> {
        let layout = puzzle.layout();
        let known = self.kept.take().filter(|(known, _)| is_same(known, layout));
        let known = known.unwrap_or_else(|| (layout.clone(), Tables::new(layout)));
        let (_, tables) = self.kept.insert(known);
        match (tables, layout.side()) {
            (Tables::Cells(tables), 4) => enter::<CellState<4>>(tables, puzzle, ledger),
            (Tables::Cells(tables), 5) => enter::<CellState<5>>(tables, puzzle, ledger),
            (Tables::Cells(tables), 6) => enter::<CellState<6>>(tables, puzzle, ledger),
            (Tables::Cells(tables), 7) => enter::<CellState<7>>(tables, puzzle, ledger),
            (Tables::Cells(tables), _) => enter::<CellState<8>>(tables, puzzle, ledger),
            (Tables::Houses(tables), 9) => enter::<HouseState<9>>(tables, puzzle, ledger),
            (Tables::Houses(tables), _) => enter::<HouseState<10>>(tables, puzzle, ledger),
        }
    }
}

fn enter<S: QuickState>(
    tables: &S::Tables,
    puzzle: &VariantPuzzle,
    ledger: &mut VariantLedger,
) -> ControlFlow<End> {
    ledger.node()?;
    match S::new(tables, puzzle.givens()) {
        ControlFlow::Continue(state) => descend(state, tables, puzzle, ledger),
        ControlFlow::Break(Contradiction) => ControlFlow::Continue(()),
    }
}

/// The solutions below a state. The depth is that of the guesses at a time, at most one a cell.
fn descend<S: QuickState>(
    mut state: S,
    tables: &S::Tables,
    puzzle: &VariantPuzzle,
    ledger: &mut VariantLedger,
) -> ControlFlow<End> {
    loop {
        if state.propagate(tables).is_break() {
            return ControlFlow::Continue(());
        }
        let Some((cell, value)) = state.choose() else {
            let solution = VariantSolution::new(puzzle, state.solution());
            return ledger.solution(solution.expect("all rules were propagated"));
        };
        ledger.guess()?;
        ledger.node()?;
        let mut guess = state.clone();
        if guess.assign(tables, cell, value).is_continue() {
            descend(guess, tables, puzzle, ledger)?;
        }
        ledger.node()?;
        state.strike(tables, cell, value);
    }
}
