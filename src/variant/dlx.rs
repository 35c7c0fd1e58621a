//! The complete solver `dlx`: a board without cages as an exact cover, by dancing links.
//!
//! An option is a value in a cell. It covers the constraint that the cell holds a value, and for each house
//! of the cell the constraint that the house holds that value; cells on diagonals and in windows are in more
//! houses than others. Every house has as many cells as there are values, so all constraints must be covered.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::layout::Layout;
use super::links::{Links, Visit};
use super::puzzle::{VariantPuzzle, VariantSolution};
use super::solver::{VariantLedger, VariantOutcome, VariantSolver, is_same, outcome_of};
use super::value::Value;
use crate::solve::{End, Goal, Limits};

/// Complete, for every layout without cages. Keeps the links of the empty board.
#[derive(Clone, Debug, Default)]
pub struct VariantDancingLinks {
    kept: Option<Kept>,
}

/// What is kept for the next puzzle of the same layout.
#[derive(Clone, Debug)]
struct Kept {
    layout: Arc<Layout>,
    /// The links of the empty board.
    empty: Links,
    links: Links,
}

impl Kept {
    fn new(layout: &Arc<Layout>) -> Kept {
        let (side, cells) = (layout.side(), layout.cells());
        let mut houses_of = vec![Vec::new(); cells];
        for (number, house) in layout.houses().iter().enumerate() {
            for &cell in &house.cells {
                houses_of[cell].push(number);
            }
        }
        let option = |candidate: usize| {
            let (cell, value) = (candidate / side, candidate % side);
            let houses = houses_of[cell].iter();
            let covered = houses.map(|house| cells + house * side + value);
            std::iter::once(cell).chain(covered).collect::<Vec<usize>>()
        };
        let constraints = cells + layout.houses().len() * side;
        let links = Links::new(constraints, (0..cells * side).map(option));
        Kept {
            layout: layout.clone(),
            empty: links.clone(),
            links,
        }
    }
}

impl VariantDancingLinks {
    /// A solver ready for its first puzzle.
    pub fn new() -> VariantDancingLinks {
        VariantDancingLinks::default()
    }

    /// Whether it can answer puzzles of this layout: sums are no exact cover.
    pub fn supports(layout: &Layout) -> bool {
        layout.cages().is_empty()
    }

    fn search(&mut self, puzzle: &VariantPuzzle, ledger: &mut VariantLedger) -> ControlFlow<End> {
        let kept = self.kept.take();
        let kept = kept.filter(|kept| is_same(&kept.layout, puzzle.layout()));
        let kept = self
            .kept
            .insert(kept.unwrap_or_else(|| Kept::new(puzzle.layout())));
        let side = kept.layout.side();
        kept.links.restore(&kept.empty);
        for (cell, given) in puzzle.givens().iter().enumerate() {
            let option = given.map(|value| cell * side + value.index());
            if option.is_some_and(|option| kept.links.take(option).is_err()) {
                return ledger.node();
            }
        }
        kept.links.search(&mut Board { puzzle, ledger })
    }
}

impl VariantSolver for VariantDancingLinks {
    /// # Panics
    /// If the layout has cages.
    fn solve(&mut self, puzzle: &VariantPuzzle, goal: Goal, limits: Limits) -> VariantOutcome {
        assert!(
            VariantDancingLinks::supports(puzzle.layout()),
            "dlx knows no cages"
        );
        outcome_of(goal, limits, |ledger| self.search(puzzle, ledger))
    }
}

/// Enters what the links find into a ledger.
struct Board<'a> {
    puzzle: &'a VariantPuzzle,
    ledger: &'a mut VariantLedger,
}

impl Visit for Board<'_> {
    type Stop = End;

    fn node(&mut self) -> ControlFlow<End> {
        self.ledger.node()
    }

    fn guess(&mut self) -> ControlFlow<End> {
        self.ledger.guess()
    }

    fn cover(&mut self, options: &[usize]) -> ControlFlow<End> {
        let side = self.puzzle.layout().side();
        let mut values = vec![Value::at(0); options.len()];
        for option in options {
            values[option / side] = Value::at(option % side);
        }
        let solution = VariantSolution::new(self.puzzle, values);
        self.ledger
            .solution(solution.expect("each house holds each value by its constraints"))
    }
}
