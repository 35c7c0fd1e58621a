//! Every row of the roster over one case file: the verdict must be true, whatever the givens.
#![allow(clippy::unwrap_used, missing_docs)]

use sudoku_batch::grid::Puzzle;
use sudoku_batch::roster::ROSTER;
use sudoku_batch::solve::{Budget, Goal, Verdict};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Unsolvable,
    Unique,
    Multiple,
}

/// The first is Arto Inkala's puzzle of 2006, "AI Escargot"; the second the first line of Gordon
/// Royle's list of 17 givens; the others follow from them.
const CASES: &[(&str, Expected, &str)] = &[
    (
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
        Expected::Unique,
        "hard for its search",
    ),
    (
        "................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7...",
        Expected::Unique,
        "seventeen givens",
    ),
];

#[test]
fn verdicts_are_true_for_every_solver() {
    for spec in ROSTER {
        for (line, expected, what) in CASES {
            let puzzle: Puzzle = format!("{line:.>81}").parse().unwrap();
            let mut solver = (spec.build)();
            let outcome = solver.solve(&puzzle, Goal::ProveUnique, Budget::UNLIMITED);
            let found = match outcome.verdict {
                Verdict::Unsolvable => Expected::Unsolvable,
                Verdict::Unique(solution) => {
                    assert!(solution.solves(&puzzle));
                    Expected::Unique
                }
                Verdict::Multiple(pair) => {
                    assert!(pair[0] != pair[1] && pair.iter().all(|s| s.solves(&puzzle)));
                    Expected::Multiple
                }
                other => panic!("{}: {what}: {other:?}", spec.name),
            };
            assert_eq!(found, *expected, "{}: {what}", spec.name);
        }
    }
}
