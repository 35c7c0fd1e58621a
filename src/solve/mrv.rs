//! The complete solver `mrv`: minimum remaining values, with forward checking. The oracle of all
//! tests.
//!
//! The textbook's method (Haralick and Elliott, "Increasing tree search efficiency for constraint
//! satisfaction problems", 1980): a placed digit is removed from the cells that see it at once, and
//! the search branches on the cell with the fewest candidates. Between two guesses every naked and
//! hidden single is placed. The state is, for each digit, the set of cells that may hold it, so
//! that singles of all cells are found by a few operations on whole sets.

use std::ops::ControlFlow;

use super::fewest_first::{Order, search};
use super::search::{End, Ledger, Search};
use super::search_state::SearchState;
use crate::grid::{Cell, CellSet, Digit, Puzzle};

/// The solver `mrv`. Complete: every puzzle gets a true verdict, however few or contradictory its
/// givens are. Keeps nothing between puzzles.
#[derive(Clone, Debug, Default)]
pub struct Mrv {}

impl Mrv {
    /// Returns a solver ready for its first puzzle.
    pub fn new() -> Mrv {
        Mrv {}
    }
}

impl Search for Mrv {
    fn search(&mut self, puzzle: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End> {
        search::<Mrv>(puzzle, ledger)
    }
}

/// Takes cells in reading order, digits ascending.
impl Order for Mrv {
    fn cell(_: &SearchState, fewest: CellSet) -> Option<Cell> {
        fewest.into_iter().next()
    }

    fn digits(state: &SearchState, cell: Cell) -> impl Iterator<Item = Digit> {
        state.candidates(cell).into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{CellMap, DigitSet, Solution};
    use crate::solve::{Effort, Goal, Limits, Outcome, Solver, Verdict};
    use proptest::prelude::*;

    /// "AI Escargot" by Arto Inkala, 2006.
    const HARD: &str =
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
    const FULL: &str =
        "162857493534129678789643521475312986913586742628794135356478219241935867897261354";

    fn puzzle(line: &str) -> Puzzle {
        line.parse().unwrap()
    }

    fn prove(puzzle: &Puzzle) -> Outcome {
        Mrv::new().solve(puzzle, Goal::ProveUnique, Limits::NONE)
    }

    /// Counts solutions up to a limit by trying every digit in every blank, in reading order, and
    /// checking the whole board each time: slow, but obviously correct.
    fn count_by_trial(board: &mut Puzzle, limit: usize) -> usize {
        if !board.is_consistent() {
            return 0;
        }
        let Some(blank) = Cell::all().find(|&cell| board.given(cell).is_none()) else {
            return 1;
        };
        let mut count = 0;
        for digit in Digit::ALL {
            board.set(blank, Some(digit));
            count += count_by_trial(board, limit - count);
            if count == limit {
                break;
            }
        }
        board.set(blank, None);
        count
    }

    /// Whether the solutions of a verdict keep the givens.
    fn check(puzzle: &Puzzle, verdict: &Verdict) -> usize {
        match verdict {
            Verdict::Unsolvable => 0,
            Verdict::Solved(solution) | Verdict::Unique(solution) => {
                assert!(solution.solves(puzzle));
                1
            }
            Verdict::Multiple(pair) => {
                assert_ne!(pair[0], pair[1]);
                assert!(pair.iter().all(|solution| solution.solves(puzzle)));
                2
            }
            verdict => panic!("{verdict:?}"),
        }
    }

    proptest! {
        #[test]
        fn verdicts_and_counts_agree_with_brute_force(
            blanks in prop::collection::vec(0..81_usize, 0..34),
            changed in prop::option::of((0..81_usize, 1..=9_u8)),
        ) {
            let mut puzzle = puzzle(FULL);
            for blank in blanks {
                puzzle.set(Cell::new(blank).unwrap(), None);
            }
            if let Some((cell, digit)) = changed {
                puzzle.set(Cell::new(cell).unwrap(), Digit::new(digit));
            }
            let truth = count_by_trial(&mut puzzle.clone(), 5);
            prop_assert_eq!(check(&puzzle, &prove(&puzzle).verdict), truth.min(2));
            let first = Mrv::new().solve(&puzzle, Goal::FirstSolution, Limits::NONE);
            prop_assert_eq!(check(&puzzle, &first.verdict), truth.min(1));
        }

        #[test]
        fn transposing_and_relabeling_transform_the_solution(
            digits in Just((0..9).collect::<Vec<usize>>()).prop_shuffle(),
            blanks in prop::collection::vec(0..81_usize, 0..81),
        ) {
            let mut puzzle = puzzle(HARD);
            for blank in blanks {
                let cell = Cell::new(blank).unwrap();
                puzzle.set(cell, Digit::from_ascii(FULL.as_bytes()[blank]));
            }
            let turned = |cell: Cell| Cell::at(cell.column(), cell.row()).unwrap();
            let renamed = |digit: Digit| Digit::ALL[digits[digit.index()]];
            let image = Puzzle::from_givens(CellMap::from_fn(|cell| {
                puzzle.given(turned(cell)).map(renamed)
            }));
            let Verdict::Unique(solution) = prove(&puzzle).verdict else {
                panic!("givens of one solution were added to a puzzle that has one");
            };
            let expected = CellMap::from_fn(|cell| renamed(solution.digit(turned(cell))));
            let found = prove(&image).verdict;
            prop_assert_eq!(found, Verdict::Unique(Solution::new(expected).unwrap()));
        }
    }

    #[test]
    fn contradictory_givens_are_unsolvable_in_one_node() {
        for (first, second) in [("1.1", 78), ("1........1", 71), ("1.........1", 70)] {
            let outcome = prove(&puzzle(&format!("{first}{}", ".".repeat(second))));
            assert_eq!(outcome.verdict, Verdict::Unsolvable);
            assert_eq!(
                outcome.effort,
                Effort {
                    guesses: 0,
                    nodes: 1
                }
            );
        }
    }

    #[test]
    fn up_to_sixteen_givens_never_have_one_solution() {
        let mut puzzle = Puzzle::empty();
        for (cell, digit) in Cell::all().step_by(5).zip(FULL.bytes().step_by(5)).take(17) {
            assert!(puzzle.given_count() <= 16);
            assert_eq!(check(&puzzle, &prove(&puzzle).verdict), 2);
            puzzle.set(cell, Digit::from_ascii(digit));
        }
    }

    #[test]
    fn a_full_board_takes_no_guess() {
        let outcome = prove(&puzzle(FULL));
        assert_eq!(
            outcome.effort,
            Effort {
                guesses: 0,
                nodes: 1
            }
        );
        assert_eq!(check(&puzzle(FULL), &outcome.verdict), 1);
    }

    #[test]
    fn a_limit_of_exactly_the_required_nodes_is_enough() {
        let effort = prove(&puzzle(HARD)).effort;
        assert!(effort.guesses > 0 && effort.nodes > effort.guesses);
        for nodes in 0..=effort.nodes {
            let outcome = Mrv::new().solve(&puzzle(HARD), Goal::ProveUnique, Limits::nodes(nodes));
            let enough = nodes == effort.nodes;
            assert_eq!(outcome.verdict == Verdict::OutOfBudget, !enough);
            assert_eq!(outcome.effort.nodes, nodes);
        }
    }

    #[test]
    fn guesses_are_branches_with_an_alternative() {
        // A square of four cells with two digits in two arrangements: one choice, two boards.
        let mut board = puzzle(FULL);
        let square: Vec<Cell> = Cell::all()
            .filter(|&cell| pair_square(cell).is_some())
            .take(1)
            .flat_map(|cell| pair_square(cell).unwrap())
            .collect();
        for &cell in &square {
            board.set(cell, None);
        }
        let outcome = prove(&board);
        assert_eq!(check(&board, &outcome.verdict), 2);
        assert_eq!(
            outcome.effort,
            Effort {
                guesses: 1,
                nodes: 3
            }
        );
    }

    /// Four cells of two rows, two columns and two blocks that hold only two digits, if this cell
    /// is the first of such.
    fn pair_square(corner: Cell) -> Option<[Cell; 4]> {
        let digit = |cell: Cell| Digit::from_ascii(FULL.as_bytes()[cell.index()]);
        Cell::all().find_map(|opposite| {
            let right = Cell::at(corner.row(), opposite.column())?;
            let below = Cell::at(opposite.row(), corner.column())?;
            let cells = [corner, right, below, opposite];
            let blocks: std::collections::HashSet<_> = cells.iter().map(|c| c.block()).collect();
            let digits: DigitSet = cells.iter().filter_map(|&cell| digit(cell)).collect();
            let apart = corner.row() < opposite.row() && corner.column() < opposite.column();
            (apart && blocks.len() == 2 && digits.len() == 2).then_some(cells)
        })
    }
}
