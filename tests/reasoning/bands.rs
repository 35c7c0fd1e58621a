//! The solver `bands` on every instruction set of this CPU, against `mrv`.

use std::collections::HashSet;
use std::num::NonZeroUsize;

use proptest::prelude::*;
use sudoku_batch::grid::{Cell, Digit, Puzzle, Solution};
use sudoku_batch::solve::{Bands, Goal, InstructionSet, Limits, Mrv, Outcome, Solver, Verdict};

/// A full board in which each row is the previous one, shifted.
const FULL: &str =
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

fn count(limit: usize) -> Goal {
    Goal::Count(NonZeroUsize::new(limit).unwrap())
}

fn all_sets() -> impl Iterator<Item = (InstructionSet, Bands)> {
    let on = |set| Bands::on(set).map(|solver| (set, solver));
    InstructionSet::ALL.into_iter().filter_map(on)
}

/// Returns the solutions of a verdict; checks that they are valid and distinct.
fn solutions(puzzle: &Puzzle, outcome: &Outcome) -> HashSet<Solution> {
    let found: Vec<Solution> = match &outcome.verdict {
        Verdict::Unsolvable => Vec::new(),
        Verdict::Solved(one) | Verdict::Unique(one) => vec![*one],
        Verdict::Multiple(several) => several.clone(),
        other => panic!("{puzzle:?}: {other:?}"),
    };
    assert!(found.iter().all(|solution| {
        Solution::from_ascii(&solution.to_ascii()).is_some() && solution.solves(puzzle)
    }));
    let set: HashSet<Solution> = found.iter().copied().collect();
    assert_eq!(set.len(), found.len(), "{puzzle:?}: a solution twice");
    set
}

/// Compares all instruction sets with `mrv`, for one solution, two, and this many.
fn check(puzzle: &Puzzle, most: usize) {
    for goal in [Goal::FirstSolution, Goal::ProveUnique, count(most)] {
        let expected = Mrv::new().solve(puzzle, goal, Limits::NONE);
        let expected_set = solutions(puzzle, &expected);
        let mut first: Option<Outcome> = None;
        for (set, mut solver) in all_sets() {
            let found = solver.solve(puzzle, goal, Limits::NONE);
            let found_set = solutions(puzzle, &found);
            assert_eq!(
                std::mem::discriminant(&found.verdict),
                std::mem::discriminant(&expected.verdict),
                "{set}, {goal:?}: {puzzle:?}"
            );
            assert_eq!(found_set.len(), expected_set.len(), "{set}: {puzzle:?}");
            if expected_set.len() < goal.limit() {
                assert_eq!(found_set, expected_set, "{set}: {puzzle:?}");
            }
            // The same search, node by node.
            let first = first.get_or_insert_with(|| found.clone());
            assert_eq!(*first, found, "{set}: {puzzle:?}");
        }
    }
}

/// The board above with rows, columns and digits permuted.
fn shuffled() -> impl Strategy<Value = Vec<Digit>> {
    let lines = || {
        let inside = || Just([0_usize, 1, 2]).prop_shuffle();
        (inside(), inside(), inside(), inside()).prop_map(|(bands, a, b, c)| {
            let orders = [a, b, c];
            let line = move |n: usize| 3 * bands[n / 3] + orders[n / 3][n % 3];
            (0..9).map(line).collect::<Vec<usize>>()
        })
    };
    let digits = Just((1..=9).collect::<Vec<u8>>()).prop_shuffle();
    (lines(), lines(), digits).prop_map(|(rows, columns, digits)| {
        let digit = |row: usize, column: usize| {
            let value = FULL.as_bytes()[9 * rows[row] + columns[column]] - b'1';
            Digit::new(digits[usize::from(value)]).unwrap()
        };
        (0..81).map(|n| digit(n / 9, n % 9)).collect()
    })
}

/// A full board reduced to this many givens.
fn with_givens(least: usize, most: usize) -> impl Strategy<Value = Puzzle> {
    let cells = Just((0..81).collect::<Vec<usize>>()).prop_shuffle();
    (shuffled(), cells, least..=most).prop_map(|(board, cells, givens)| {
        let mut puzzle = Puzzle::empty();
        for &cell in &cells[..givens] {
            puzzle.set(Cell::new(cell).unwrap(), Some(board[cell]));
        }
        puzzle
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn puzzles_with_any_number_of_givens_agree_with_mrv(puzzle in with_givens(0, 40)) {
        check(&puzzle, 100);
    }

    #[test]
    fn puzzles_near_uniqueness_agree_with_mrv(puzzle in with_givens(22, 34)) {
        check(&puzzle, 100);
    }

    #[test]
    fn damaged_puzzles_agree_with_mrv(
        puzzle in with_givens(17, 40),
        wrong in prop::collection::vec((0..81_usize, 1..=9_u8), 1..4),
    ) {
        let mut puzzle = puzzle;
        for (cell, digit) in wrong {
            puzzle.set(Cell::new(cell).unwrap(), Digit::new(digit));
        }
        check(&puzzle, 20);
    }
}

#[test]
fn two_equal_givens_in_a_house_are_refuted_without_a_guess() {
    for cell in Cell::all() {
        for other in cell.peers() {
            let mut puzzle = Puzzle::empty();
            puzzle.set(cell, Digit::new(5));
            puzzle.set(other, Digit::new(5));
            for (set, mut solver) in all_sets() {
                let found = solver.solve(&puzzle, Goal::FirstSolution, Limits::NONE);
                assert_eq!(found.verdict, Verdict::Unsolvable, "{set}: {puzzle:?}");
                assert_eq!(found.effort.guesses, 0, "{set}: {puzzle:?}");
            }
        }
    }
}

#[test]
fn a_band_of_latin_squares_has_each_of_its_solutions_once() {
    // 1, 4 and 7 are blank in the first band, and every Latin square of order 3 fits.
    let puzzle: Puzzle =
        ".23.56.89.56.89.23.89.23.56231564897564897231897231564312645978645978312978312645"
            .parse()
            .unwrap();
    for (set, mut solver) in all_sets() {
        let found = solver.solve(&puzzle, count(100), Limits::NONE);
        assert_eq!(solutions(&puzzle, &found).len(), 12, "{set}");
    }
}

#[test]
fn a_solver_that_reached_a_limit_answers_the_next_puzzle() {
    let hard: Puzzle =
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
            .parse()
            .unwrap();
    for (set, mut solver) in all_sets() {
        let nodes = solver
            .solve(&hard, Goal::ProveUnique, Limits::NONE)
            .effort
            .nodes;
        assert!(nodes > 2, "{set}");
        for limit in 0..nodes {
            let cut = solver.solve(&hard, Goal::ProveUnique, Limits::nodes(limit));
            assert_eq!(cut.verdict, Verdict::OutOfBudget, "{set}, {limit} nodes");
            assert_eq!(cut.effort.nodes, limit, "{set}");
        }
        let found = solver.solve(&hard, Goal::ProveUnique, Limits::nodes(nodes));
        assert!(matches!(found.verdict, Verdict::Unique(_)), "{set}");
    }
}
