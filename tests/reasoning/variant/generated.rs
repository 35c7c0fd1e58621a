//! The generator, and solvers on generated puzzles.

use std::time::{Duration, Instant};

use sudoku_batch::solve::{Goal, Limits};
use sudoku_batch::variant::{
    Boxes, GenerateError, LayoutKind, VariantGenerator, VariantKind, VariantPuzzle, VariantVerdict,
    fastest,
};

use super::supporting;

#[test]
fn generated_puzzles_have_one_solution_by_every_solver() {
    let plain = |rows, columns| LayoutKind::boxes(Boxes { rows, columns });
    let mut kinds = vec![
        plain(2, 2),
        plain(3, 2),
        plain(3, 3),
        plain(4, 3),
        LayoutKind::jigsaw(5),
        LayoutKind::jigsaw(8),
    ];
    kinds.extend([plain(2, 3), plain(3, 3)].map(|kind| LayoutKind {
        diagonals: true,
        ..kind
    }));
    kinds.extend([plain(2, 2), plain(3, 3)].map(|kind| LayoutKind {
        windows: true,
        ..kind
    }));
    kinds.extend(
        [plain(2, 2), plain(2, 3), plain(3, 3), LayoutKind::jigsaw(7)].map(|kind| LayoutKind {
            cages: Some(4),
            ..kind
        }),
    );
    let mut generator = VariantGenerator::new();
    for layout in kinds {
        for minimal in [false, true] {
            for n in 0..3 {
                let kind = VariantKind { layout, minimal };
                let (puzzle, solution) = generator.puzzle(kind, 5, n).unwrap();
                for spec in supporting(puzzle.layout()) {
                    let outcome = (spec.build)().solve(&puzzle, Goal::ProveUnique, Limits::NONE);
                    let unique = VariantVerdict::Unique(solution.clone());
                    assert_eq!(outcome.verdict, unique, "{} on {kind:?} {n}", spec.name);
                }
                let again = VariantGenerator::new().puzzle(kind, 5, n).unwrap();
                assert_eq!(again, (puzzle.clone(), solution));
                assert_ne!(generator.puzzle(kind, 6, n).unwrap().0, puzzle);
                if minimal {
                    check_minimal(&puzzle);
                }
            }
        }
    }
}

/// Without any one of its givens, a puzzle has several solutions.
fn check_minimal(puzzle: &VariantPuzzle) {
    let mut solver = (fastest(puzzle.layout()).build)();
    for cell in 0..puzzle.layout().cells() {
        let mut givens = puzzle.givens().to_vec();
        if givens[cell].take().is_some() {
            let without = VariantPuzzle::new(puzzle.layout().clone(), givens).unwrap();
            let outcome = solver.solve(&without, Goal::ProveUnique, Limits::NONE);
            assert!(
                matches!(outcome.verdict, VariantVerdict::Multiple(_)),
                "{puzzle:?}"
            );
        }
    }
}

/// Some of the boards between have so many places for a value that a search without weights takes hours.
#[test]
fn no_minimal_jigsaw_takes_forever() {
    let kind = VariantKind {
        layout: LayoutKind::jigsaw(9),
        minimal: true,
    };
    let mut generator = VariantGenerator::new();
    for index in 0..1_000 {
        let (puzzle, _) = generator.puzzle(kind, 1, index).unwrap();
        assert_eq!(puzzle.layout().side(), 9);
    }
}

#[test]
fn generated_large_puzzles_have_one_solution() {
    let boxes = |side| LayoutKind::boxes(Boxes::square(side).unwrap());
    let mut generator = VariantGenerator::new();
    for layout in [boxes(16), LayoutKind::jigsaw(12), boxes(25)] {
        let kind = VariantKind {
            layout,
            minimal: false,
        };
        let start = Instant::now();
        let (puzzle, solution) = generator.puzzle(kind, 0, 0).unwrap();
        assert!(start.elapsed() < Duration::from_secs(60), "{kind:?}");
        let givens = puzzle.givens().iter().flatten().count();
        assert!(givens < puzzle.layout().cells() / 2, "{givens} givens");
        for name in ["mrv", "sat"] {
            let spec = sudoku_batch::variant::find_variant(name).unwrap();
            let outcome = (spec.build)().solve(&puzzle, Goal::ProveUnique, Limits::NONE);
            assert_eq!(
                outcome.verdict,
                VariantVerdict::Unique(solution.clone()),
                "{name}"
            );
        }
    }
}

#[test]
fn impossible_kinds_are_refused() {
    let make = |layout| {
        let kind = VariantKind {
            layout,
            minimal: false,
        };
        VariantGenerator::new().puzzle(kind, 0, 0).unwrap_err()
    };
    assert!(matches!(
        make(LayoutKind::jigsaw(3)),
        GenerateError::Layout(_)
    ));
    assert!(matches!(
        make(LayoutKind::jigsaw(usize::MAX)),
        GenerateError::Layout(_)
    ));
    let windows = LayoutKind {
        windows: true,
        ..LayoutKind::jigsaw(9)
    };
    assert!(matches!(make(windows), GenerateError::Layout(_)));
    let cages = LayoutKind {
        cages: Some(0),
        ..LayoutKind::jigsaw(9)
    };
    assert_eq!(make(cages), GenerateError::Cages { most: 0, side: 9 });
}
