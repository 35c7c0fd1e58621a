//! Whether an answer is right, settled outside the clock against a reference.

use thiserror::Error;

use crate::grid::{Cell, Puzzle, Solution};
use crate::solve::{Goal, Limits, Mrv, Solver, Verdict};

/// Nodes after which the reference gives up on a puzzle: about a second, and a hundred times what the
/// hardest known puzzles take.
const REFERENCE_NODES: u64 = 1_000_000;

/// What is known of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// It has no solution.
    Unsolvable,
    /// It has just this one.
    Unique(Solution),
    /// It has at least these two.
    Multiple([Solution; 2]),
    /// It took too long to find out.
    Unknown,
}

impl Reference {
    /// What `mrv` says of the puzzle, the oracle of all solvers.
    pub fn of(puzzle: &Puzzle) -> Reference {
        let budget = Limits::nodes(REFERENCE_NODES);
        match Mrv::new().solve(puzzle, Goal::ProveUnique, budget).verdict {
            Verdict::Unsolvable => Reference::Unsolvable,
            Verdict::Unique(solution) => Reference::Unique(solution),
            Verdict::Multiple(solutions) => match solutions[..] {
                [first, second, ..] => Reference::Multiple([first, second]),
                _ => Reference::Unknown,
            },
            Verdict::Solved(_) | Verdict::Stuck(_) | Verdict::OutOfBudget => Reference::Unknown,
        }
    }

    /// The solutions that are known.
    fn solutions(&self) -> &[Solution] {
        match self {
            Reference::Unique(only) => std::slice::from_ref(only),
            Reference::Multiple(two) => two,
            Reference::Unsolvable | Reference::Unknown => &[],
        }
    }
}

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Wrong {
    /// A board that changes a given.
    #[error("its solution does not keep the givens")]
    Givens,
    /// A board with a digit twice in a house.
    #[error("its solution breaks the rules")]
    Rules,
    /// A board that the reference excludes.
    #[error("its solution is not that of the reference")]
    OtherSolution,
    /// One solution is called the only one, and there are more.
    #[error("it says that its solution is the only one, but there are more")]
    NotUnique,
    /// A solution where the only one was asked for.
    #[error("it gives a solution and does not say whether it is the only one")]
    NotProven,
    /// Several solutions are claimed, and there is one or none.
    #[error("it says that there are several solutions, but there are not")]
    NotMultiple,
    /// Several solutions are claimed, and the same is shown twice, or fewer than two.
    #[error("it says that there are several solutions, but does not show two different ones")]
    NotTwo,
    /// No solution is claimed, and there is one.
    #[error("it says that there is no solution, but there is one")]
    Solvable,
    /// A solver that got stuck has struck a candidate of a solution.
    #[error("it struck a candidate that belongs to a solution")]
    LostSolution,
}

/// Holds an answer against what is known. Where nothing is known, the answer must at least not
/// contradict itself. Running out of budget and getting stuck are no wrong answers.
///
/// # Errors
/// What is wrong with it.
pub fn check(
    puzzle: &Puzzle,
    goal: Goal,
    verdict: &Verdict,
    reference: &Reference,
) -> Result<(), Wrong> {
    let claim = |holds: bool, wrong: Wrong| if holds { Ok(()) } else { Err(wrong) };
    match verdict {
        Verdict::Unsolvable => claim(reference.solutions().is_empty(), Wrong::Solvable),
        Verdict::Solved(solution) => {
            claim(solution.solves(puzzle), Wrong::Givens)?;
            claim(goal.limit() == 1, Wrong::NotProven)?;
            claim(may_be(solution, reference), Wrong::OtherSolution)
        }
        Verdict::Unique(solution) => {
            claim(solution.solves(puzzle), Wrong::Givens)?;
            let several = matches!(reference, Reference::Multiple(_));
            claim(!several, Wrong::NotUnique)?;
            claim(may_be(solution, reference), Wrong::OtherSolution)
        }
        Verdict::Multiple(solutions) => {
            let keep_givens = solutions.iter().all(|solution| solution.solves(puzzle));
            claim(keep_givens, Wrong::Givens)?;
            let different = solutions
                .iter()
                .enumerate()
                .all(|(place, solution)| !solutions[..place].contains(solution));
            claim(different && solutions.len() >= 2, Wrong::NotTwo)?;
            let excluded = matches!(reference, Reference::Unique(_) | Reference::Unsolvable);
            claim(!excluded, Wrong::NotMultiple)
        }
        Verdict::Stuck(grid) => {
            let kept = |solution: &Solution| {
                Cell::all().all(|cell| grid.candidates(cell).contains(solution.digit(cell)))
            };
            claim(reference.solutions().iter().all(kept), Wrong::LostSolution)
        }
        Verdict::OutOfBudget => Ok(()),
    }
}

/// Whether the reference leaves room for a solution that keeps the givens.
fn may_be(solution: &Solution, reference: &Reference) -> bool {
    match reference {
        Reference::Unsolvable => false,
        Reference::Unique(only) => solution == only,
        Reference::Multiple(_) | Reference::Unknown => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{CandidateGrid, Digit};

    /// From Wikipedia's article on Sudoku.
    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn puzzle(line: &str) -> Puzzle {
        line.parse().unwrap()
    }

    fn solution(line: &str) -> Solution {
        Solution::of_board(&puzzle(line)).unwrap()
    }

    /// The solution with two digits changed for each other everywhere.
    fn swapped() -> Solution {
        solution(
            &SOLUTION
                .replace('1', "x")
                .replace('2', "1")
                .replace('x', "2"),
        )
    }

    /// The puzzle whose solutions are the solution and [`swapped`], and more.
    fn ambiguous() -> Puzzle {
        puzzle(&SOLUTION.replace(['1', '2'], "."))
    }

    fn unsolvable() -> Puzzle {
        puzzle(&PUZZLE.replacen("53.", "535", 1))
    }

    fn judged(puzzle: &Puzzle, verdict: Verdict) -> Result<(), Wrong> {
        check(puzzle, Goal::ProveUnique, &verdict, &Reference::of(puzzle))
    }

    /// All candidates of the board but one.
    fn stuck(puzzle: &Puzzle, without: (usize, u8)) -> Verdict {
        let mut grid = CandidateGrid::new(puzzle).unwrap();
        let cell = Cell::new(without.0).unwrap();
        let digit = Digit::new(without.1).unwrap();
        grid.eliminate(crate::grid::CellSet::only(cell), digit)
            .unwrap();
        Verdict::Stuck(Box::new(grid))
    }

    #[test]
    fn true_answers_pass() {
        let known = puzzle(PUZZLE);
        assert_eq!(judged(&known, Verdict::Unique(solution(SOLUTION))), Ok(()));
        let two = vec![solution(SOLUTION), swapped()];
        assert_eq!(judged(&ambiguous(), Verdict::Multiple(two)), Ok(()));
        assert_eq!(judged(&unsolvable(), Verdict::Unsolvable), Ok(()));
        assert_eq!(judged(&known, Verdict::OutOfBudget), Ok(()));
        // Cell 2 is a 4 in the solution; that it may be a 1 can be struck.
        assert_eq!(judged(&known, stuck(&known, (2, 1))), Ok(()));
    }

    #[test]
    fn every_lie_is_found() {
        let (known, vague, none) = (puzzle(PUZZLE), ambiguous(), unsolvable());
        let (right, other) = (solution(SOLUTION), swapped());
        for (puzzle, verdict, wrong) in [
            (known, Verdict::Unique(other), Wrong::Givens),
            (known, Verdict::Solved(other), Wrong::Givens),
            (known, Verdict::Solved(right), Wrong::NotProven),
            (known, Verdict::Unsolvable, Wrong::Solvable),
            (vague, Verdict::Unsolvable, Wrong::Solvable),
            (vague, Verdict::Unique(right), Wrong::NotUnique),
            (known, Verdict::Multiple(vec![right, other]), Wrong::Givens),
            (vague, Verdict::Multiple(vec![right, right]), Wrong::NotTwo),
            (vague, Verdict::Multiple(vec![right]), Wrong::NotTwo),
            (vague, Verdict::Multiple(vec![]), Wrong::NotTwo),
            (none, Verdict::Unique(right), Wrong::Givens),
            (known, stuck(&known, (2, 4)), Wrong::LostSolution),
            // Cell 7 is 1 in the one solution and 2 in the other: both must stay.
            (vague, stuck(&vague, (7, 1)), Wrong::LostSolution),
            (vague, stuck(&vague, (7, 2)), Wrong::LostSolution),
        ] {
            assert_eq!(judged(&puzzle, verdict.clone()), Err(wrong), "{verdict:?}");
        }
    }

    #[test]
    fn a_second_solution_of_a_unique_puzzle_is_a_lie_about_one_of_them() {
        // Only the reference can know; that it is wrong here makes the cases reachable.
        let vague = ambiguous();
        let unique = Reference::Unique(swapped());
        let check = |verdict, reference| check(&vague, Goal::ProveUnique, &verdict, reference);
        let right = solution(SOLUTION);
        assert_eq!(
            check(Verdict::Unique(right), &unique),
            Err(Wrong::OtherSolution)
        );
        assert_eq!(
            check(Verdict::Unique(right), &Reference::Unsolvable),
            Err(Wrong::OtherSolution)
        );
        let two = Verdict::Multiple(vec![right, swapped()]);
        assert_eq!(check(two.clone(), &unique), Err(Wrong::NotMultiple));
        assert_eq!(check(two, &Reference::Unsolvable), Err(Wrong::NotMultiple));
    }

    #[test]
    fn one_solution_is_enough_where_one_is_asked_for() {
        let first = |puzzle: &Puzzle, verdict| {
            check(
                puzzle,
                Goal::FirstSolution,
                &verdict,
                &Reference::of(puzzle),
            )
        };
        let right = Verdict::Solved(solution(SOLUTION));
        assert_eq!(first(&puzzle(PUZZLE), right.clone()), Ok(()));
        assert_eq!(first(&ambiguous(), right.clone()), Ok(()));
        assert_eq!(first(&unsolvable(), right), Err(Wrong::Givens));
    }

    #[test]
    fn where_the_reference_gave_up_answers_must_agree_with_themselves() {
        let known = puzzle(PUZZLE);
        let check = |verdict| check(&known, Goal::ProveUnique, &verdict, &Reference::Unknown);
        assert_eq!(check(Verdict::Unsolvable), Ok(()));
        assert_eq!(check(Verdict::Unique(solution(SOLUTION))), Ok(()));
        assert_eq!(check(Verdict::Unique(swapped())), Err(Wrong::Givens));
        assert_eq!(check(stuck(&known, (2, 4))), Ok(()));
    }

    #[test]
    fn boards_with_a_repeated_digit_or_a_blank_are_no_solutions() {
        assert!(Solution::of_board(&puzzle(SOLUTION)).is_some());
        assert!(Solution::of_board(&puzzle(&SOLUTION.replacen('5', "4", 1))).is_none());
        assert!(Solution::of_board(&puzzle(PUZZLE)).is_none());
    }
}
