//! Solvers of boards of any size and shape, compared with brute force, with each other, with those of the
//! classic board, and with published solutions; and the generator.

mod agreement;
mod generated;
mod limits;
mod published;

use crate::common::data;
use std::collections::HashSet;
use std::num::NonZeroUsize;

use sudoku_batch::solve::{Goal, Limits};
use sudoku_batch::variant::{
    Boxes, Layout, VARIANT_SOLVERS, VariantPuzzle, VariantSolverSpec, VariantVerdict,
};

/// Largest number of solutions that are counted.
const LIMIT: usize = 12;

fn count_goal() -> Goal {
    Goal::Count(NonZeroUsize::new(LIMIT).unwrap())
}

fn boxes(rows: usize, columns: usize) -> Layout {
    Layout::with_boxes(Boxes { rows, columns }).unwrap()
}

fn supporting(layout: &Layout) -> impl Iterator<Item = &'static VariantSolverSpec> {
    VARIANT_SOLVERS
        .iter()
        .filter(|spec| (spec.supports)(layout))
}

/// The number of solutions of a verdict; their type guarantees rules and givens, so only
/// repetition is checked.
fn count(verdict: &VariantVerdict) -> usize {
    match verdict {
        VariantVerdict::Unsolvable => 0,
        VariantVerdict::Unique(_) => 1,
        VariantVerdict::Multiple(solutions) => {
            let different: HashSet<_> = solutions.iter().collect();
            assert_eq!(different.len(), solutions.len(), "a solution twice");
            solutions.len()
        }
        VariantVerdict::Solved(_) | VariantVerdict::OutOfBudget => {
            panic!("the goal was to count: {verdict:?}")
        }
    }
}

/// Checks that all solvers find this number of solutions.
fn check_count(puzzle: &VariantPuzzle, truth: usize) {
    for spec in supporting(puzzle.layout()) {
        let mut solver = (spec.build)();
        let outcome = solver.solve(puzzle, count_goal(), Limits::NONE);
        assert_eq!(count(&outcome.verdict), truth, "{}", spec.name);
        assert!(outcome.effort.nodes > 0, "{}", spec.name);
        let first = solver.solve(puzzle, Goal::FirstSolution, Limits::NONE);
        assert_eq!(
            first.verdict.solution().is_some(),
            truth > 0,
            "{}",
            spec.name
        );
        let unique = solver.solve(puzzle, Goal::ProveUnique, Limits::NONE);
        assert_eq!(count(&unique.verdict), truth.min(2), "{}", spec.name);
    }
}
