//! Whether an answer is right, settled outside the clock against a reference.

use std::collections::HashSet;

use thiserror::Error;

use super::answer::{Answer, AnswerKind, Rest};
use crate::grid::{CandidateGrid, Cell, Puzzle, Solution};
use crate::solve::{Bands, Goal, Limits, Mrv, Solver, Verdict};

/// Nodes after which the reference gives up on a puzzle: about a second, and a hundred times what the
/// hardest known puzzles take.
const REFERENCE_NODES: u64 = 1_000_000;

/// The solver whose verdicts a row is checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Referee {
    /// `mrv`, the plainest complete solver.
    Mrv,
    /// `bands`, for rows that share their search with `mrv`.
    Bands,
}

impl Referee {
    /// The referee of the row of this name: one that shares no search with it.
    pub fn of(solver: &str) -> Referee {
        match solver {
            "mrv" | "mrv-lcv" => Referee::Bands,
            _ => Referee::Mrv,
        }
    }

    /// Its name in the roster.
    pub const fn name(self) -> &'static str {
        match self {
            Referee::Mrv => "mrv",
            Referee::Bands => "bands",
        }
    }

    /// What it says of a puzzle: all solutions up to as many as the goal asks for, two at least.
    pub fn reference(self, puzzle: &Puzzle, goal: Goal) -> Reference {
        let goal = match goal {
            Goal::FirstSolution | Goal::ProveUnique => Goal::ProveUnique,
            Goal::Count(limit) if limit.get() < 2 => Goal::ProveUnique,
            count => count,
        };
        let limits = Limits::nodes(REFERENCE_NODES);
        let verdict = match self {
            Referee::Mrv => Mrv::new().solve(puzzle, goal, limits).verdict,
            Referee::Bands => Bands::new().solve(puzzle, goal, limits).verdict,
        };
        match verdict {
            Verdict::Unsolvable => Reference::Known(Vec::new()),
            Verdict::Unique(solution) => Reference::Known(vec![solution]),
            Verdict::Multiple(solutions) => Reference::Known(solutions),
            Verdict::Solved(_) | Verdict::Stuck(_) | Verdict::OutOfBudget => Reference::Unknown,
        }
    }
}

/// What is known of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// All of its solutions, or as many as the goal asks for and at least two.
    Known(Vec<Solution>),
    /// It took too long to find out.
    Unknown,
}

impl Reference {
    /// The solutions that are known.
    fn solutions(&self) -> &[Solution] {
        match self {
            Reference::Known(solutions) => solutions,
            Reference::Unknown => &[],
        }
    }

    /// How many solutions there are, if that is known; two stands for two or more.
    fn count(&self) -> Option<usize> {
        match self {
            Reference::Known(solutions) => Some(solutions.len()),
            Reference::Unknown => None,
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
    #[error("it says that there are several solutions, but does not show different ones")]
    NotDifferent,
    /// Not as many solutions as were asked for, or as there are.
    #[error("it shows {given} solutions, but was to show {expected}")]
    Count {
        /// Solutions that are shown.
        given: usize,
        /// Solutions that there are, up to as many as were asked for.
        expected: usize,
    },
    /// No solution is claimed, and there is one.
    #[error("it says that there is no solution, but there is one")]
    Solvable,
    /// A solver that got stuck has struck a candidate of a solution.
    #[error("it struck a candidate that belongs to a solution")]
    LostSolution,
}

/// Checks an answer against what is known. Where nothing is known, the answer must at least not
/// contradict itself. Giving up and getting stuck are no wrong answers.
///
/// # Errors
/// What is wrong with it.
pub(super) fn check(
    puzzle: &Puzzle,
    goal: Goal,
    answer: &Answer,
    reference: &Reference,
) -> Result<AnswerKind, Wrong> {
    let claim = |holds: bool, wrong: Wrong| if holds { Ok(()) } else { Err(wrong) };
    match answer.kind {
        AnswerKind::Unsolvable => claim(reference.solutions().is_empty(), Wrong::Solvable)?,
        AnswerKind::Solved | AnswerKind::Unique => {
            let solution = Solution::from_ascii(&answer.board).ok_or(Wrong::Rules)?;
            claim(solution.solves(puzzle), Wrong::Givens)?;
            if answer.kind == AnswerKind::Unique {
                claim(reference.count().is_none_or(|n| n < 2), Wrong::NotUnique)?;
            } else {
                claim(goal.limit() == 1, Wrong::NotProven)?;
            }
            let others = reference.count().is_none_or(|count| count > 1);
            let is_possible = others || reference.solutions().contains(&solution);
            claim(is_possible, Wrong::OtherSolution)?;
        }
        AnswerKind::Multiple => {
            if let Rest::Boards(boards) = &answer.rest {
                let keep_givens = boards.iter().all(|board| board.solves(puzzle));
                claim(keep_givens, Wrong::Givens)?;
                let different: HashSet<&Solution> = boards.iter().collect();
                let differ = different.len() == boards.len() && boards.len() >= 2;
                claim(differ, Wrong::NotDifferent)?;
            }
            claim(reference.count().is_none_or(|n| n > 1), Wrong::NotMultiple)?;
            if let (Rest::Boards(boards), Some(count)) = (&answer.rest, reference.count()) {
                let (given, expected) = (boards.len(), count.min(goal.limit().max(2)));
                claim(given == expected, Wrong::Count { given, expected })?;
            }
        }
        AnswerKind::Stuck => {
            if let Rest::Marks(marks) = &answer.rest {
                let mut solutions = reference.solutions().iter();
                claim(solutions.all(|it| keeps(marks, it)), Wrong::LostSolution)?;
            }
        }
        AnswerKind::Timeout | AnswerKind::Wrong => {}
    }
    Ok(answer.kind)
}

/// Whether every digit of the solution is still a candidate.
fn keeps(marks: &CandidateGrid, solution: &Solution) -> bool {
    Cell::all().all(|cell| marks.candidates(cell).contains(solution.digit(cell)))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::grid::{CellSet, Digit};
    use crate::solve::{Effort, Outcome};

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
        let swapped = SOLUTION.replace('1', "x").replace('2', "1");
        solution(&swapped.replace('x', "2"))
    }

    /// The puzzle whose solutions are the solution and [`swapped`], and more.
    fn ambiguous() -> Puzzle {
        puzzle(&SOLUTION.replace(['1', '2'], "."))
    }

    fn unsolvable() -> Puzzle {
        puzzle(&PUZZLE.replacen("53.", "535", 1))
    }

    fn checked(
        puzzle: &Puzzle,
        goal: Goal,
        verdict: Verdict,
        reference: &Reference,
    ) -> Result<(), Wrong> {
        let effort = Effort::default();
        let mut answer = Answer::NONE;
        answer.set(Outcome { verdict, effort });
        check(puzzle, goal, &answer, reference).map(drop)
    }

    fn judged(puzzle: &Puzzle, verdict: Verdict) -> Result<(), Wrong> {
        let goal = Goal::ProveUnique;
        let of = |referee: Referee| {
            let reference = referee.reference(puzzle, goal);
            checked(puzzle, goal, verdict.clone(), &reference)
        };
        assert_eq!(of(Referee::Mrv), of(Referee::Bands));
        of(Referee::Mrv)
    }

    /// All candidates of the board but one.
    fn stuck(puzzle: &Puzzle, without: (usize, u8)) -> Verdict {
        let mut grid = CandidateGrid::new(puzzle).unwrap();
        let cell = Cell::new(without.0).unwrap();
        let digit = Digit::new(without.1).unwrap();
        grid.eliminate(CellSet::only(cell), digit).unwrap();
        Verdict::Stuck(Box::new(grid))
    }

    #[test]
    fn no_row_is_judged_by_its_own_search() {
        for spec in crate::roster::ROSTER {
            assert_ne!(Referee::of(spec.name).name(), spec.name);
        }
        assert_eq!(Referee::of("mrv-lcv"), Referee::Bands);
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
    fn every_wrong_answer_is_found() {
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
            (
                vague,
                Verdict::Multiple(vec![right, right]),
                Wrong::NotDifferent,
            ),
            (vague, Verdict::Multiple(vec![right]), Wrong::NotDifferent),
            (vague, Verdict::Multiple(vec![]), Wrong::NotDifferent),
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
    fn every_solution_that_was_asked_for_must_be_shown_once() {
        let vague = puzzle(&SOLUTION.replace(['1', '2', '3', '4'], "."));
        let count = |limit| Goal::Count(NonZeroUsize::new(limit).unwrap());
        let all = match Mrv::new().solve(&vague, count(999), Limits::NONE).verdict {
            Verdict::Multiple(all) => all,
            verdict => panic!("{verdict:?}"),
        };
        let judged = |goal: Goal, boards: &[Solution]| {
            let reference = Referee::Mrv.reference(&vague, goal);
            checked(&vague, goal, Verdict::Multiple(boards.to_vec()), &reference)
        };
        assert!(all.len() >= 4, "{}", all.len());
        assert_eq!(judged(count(999), &all), Ok(()));
        let (given, expected) = (all.len() - 1, all.len());
        let wrong = Wrong::Count { given, expected };
        assert_eq!(judged(count(999), &all[1..]), Err(wrong));
        assert_eq!(judged(count(3), &all[1..4]), Ok(()));
        let twice = [all[0], all[1], all[0]];
        assert_eq!(judged(count(3), &twice), Err(Wrong::NotDifferent));
        let (given, expected) = (2, 3);
        let wrong = Wrong::Count { given, expected };
        assert_eq!(judged(count(3), &all[..2]), Err(wrong));
        // Two are what the proof asks for, and no more.
        let (given, expected) = (3, 2);
        let wrong = Wrong::Count { given, expected };
        assert_eq!(judged(Goal::ProveUnique, &all[..3]), Err(wrong));
    }

    #[test]
    fn a_second_solution_of_a_unique_puzzle_is_wrong_about_one_of_them() {
        // Only the reference can know; that it is wrong here makes the cases reachable.
        let vague = ambiguous();
        let unique = Reference::Known(vec![swapped()]);
        let none = Reference::Known(Vec::new());
        let check = |verdict, reference| checked(&vague, Goal::ProveUnique, verdict, reference);
        let right = solution(SOLUTION);
        let only = Verdict::Unique(right);
        assert_eq!(check(only.clone(), &unique), Err(Wrong::OtherSolution));
        assert_eq!(check(only, &none), Err(Wrong::OtherSolution));
        let two = Verdict::Multiple(vec![right, swapped()]);
        assert_eq!(check(two.clone(), &unique), Err(Wrong::NotMultiple));
        assert_eq!(check(two, &none), Err(Wrong::NotMultiple));
    }

    #[test]
    fn one_solution_is_enough_where_one_is_asked_for() {
        let goal = Goal::FirstSolution;
        let first = |puzzle: &Puzzle, verdict| {
            let reference = Referee::Mrv.reference(puzzle, goal);
            checked(puzzle, goal, verdict, &reference)
        };
        let right = Verdict::Solved(solution(SOLUTION));
        assert_eq!(first(&puzzle(PUZZLE), right.clone()), Ok(()));
        assert_eq!(first(&ambiguous(), right.clone()), Ok(()));
        assert_eq!(first(&unsolvable(), right), Err(Wrong::Givens));
    }

    #[test]
    fn where_the_reference_gave_up_answers_must_agree_with_themselves() {
        let known = puzzle(PUZZLE);
        let check = |verdict| checked(&known, Goal::ProveUnique, verdict, &Reference::Unknown);
        assert_eq!(check(Verdict::Unsolvable), Ok(()));
        assert_eq!(check(Verdict::Unique(solution(SOLUTION))), Ok(()));
        assert_eq!(check(Verdict::Unique(swapped())), Err(Wrong::Givens));
        assert_eq!(check(stuck(&known, (2, 4))), Ok(()));
    }

    #[test]
    fn a_board_that_breaks_the_rules_is_no_solution() {
        let mut answer = Answer::NONE;
        (answer.kind, answer.solutions) = (AnswerKind::Unique, 1);
        let reference = Reference::Unknown;
        for board in [SOLUTION.replacen('5', "4", 1), PUZZLE.to_owned()] {
            answer.board = board.as_bytes().try_into().unwrap();
            let checked = check(&puzzle(PUZZLE), Goal::ProveUnique, &answer, &reference);
            assert_eq!(checked, Err(Wrong::Rules));
        }
    }
}
