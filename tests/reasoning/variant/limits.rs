//! The largest boards and cages, and limits.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sudoku_batch::solve::{Goal, Limits};
use sudoku_batch::variant::{
    Boxes, Cage, LayoutKind, Value, VariantGenerator, VariantKind, VariantPuzzle, VariantSolver,
    VariantVerdict,
};

use super::{boxes, check_count, supporting};

/// A cage of 34 cells has more sets of values than are listed.
#[test]
fn the_largest_cages_are_solved() {
    let layout = boxes(6, 6);
    let kind = VariantKind {
        layout: LayoutKind::boxes(Boxes {
            rows: 6,
            columns: 6,
        }),
        minimal: false,
    };
    let (_, solution) = VariantGenerator::new().puzzle(kind, 0, 0).unwrap();
    let cage = Cage {
        sum: solution.values()[..34]
            .iter()
            .map(|value| u32::from(value.get()))
            .sum(),
        cells: (0..34).collect(),
    };
    let layout = Arc::new(layout.and_cages(vec![cage]).unwrap());
    let mut givens: Vec<Option<Value>> = solution.values().iter().copied().map(Some).collect();
    givens[..3].fill(None);
    givens[33..36].fill(None);
    let puzzle = VariantPuzzle::new(layout, givens).unwrap();
    check_count(&puzzle, 1);
}

#[test]
fn limits_are_respected_on_the_largest_board() {
    let puzzle = VariantPuzzle::empty(Arc::new(boxes(6, 6)));
    let allowed = Duration::from_millis(50);
    for spec in supporting(puzzle.layout()) {
        let mut solver: Box<dyn VariantSolver> = (spec.build)();
        // The tables of the layout are made before the clock starts.
        solver.solve(&puzzle, Goal::ProveUnique, Limits::nodes(1));
        let late = (0..5)
            .map(|_| {
                let start = Instant::now();
                let limits = Limits {
                    time: Some(allowed),
                    ..Limits::NONE
                };
                // More than even the slowest machine needs.
                let goal = Goal::Count(NonZeroUsize::MAX);
                let outcome = solver.solve(&puzzle, goal, limits);
                assert_eq!(
                    outcome.verdict,
                    VariantVerdict::OutOfBudget,
                    "{}",
                    spec.name
                );
                start.elapsed().saturating_sub(allowed)
            })
            .min()
            .unwrap();
        assert!(
            late < Duration::from_millis(100),
            "{}: {late:?} late",
            spec.name
        );
        for nodes in [0, 1, 5] {
            let outcome = solver.solve(&puzzle, Goal::ProveUnique, Limits::nodes(nodes));
            assert_eq!(
                outcome.verdict,
                VariantVerdict::OutOfBudget,
                "{}",
                spec.name
            );
            assert!(outcome.effort.nodes <= nodes, "{}", spec.name);
        }
        let limits = Limits {
            guesses: 0,
            ..Limits::NONE
        };
        let outcome = solver.solve(&puzzle, Goal::ProveUnique, limits);
        assert_eq!(outcome.effort.guesses, 0, "{}", spec.name);
    }
}
