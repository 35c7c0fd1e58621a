//! Measuring solvers of the classic board.

use rand_chacha::ChaCha8Rng;

use super::answer::AnswerKind;
use super::check::{Reference, Wrong, check};
use super::contender::{Answered, BenchEntry, Contender};
use crate::corpus::Entry;
use crate::grid::{CandidateGrid, Cell, Puzzle, PuzzleLine, Solution};
use crate::roster::SolverSpec;
use crate::solve::{Bands, Effort, Goal, Limits, Mrv, Outcome, Solver, Verdict, random_symmetry};

/// Nodes after which the reference gives up on a puzzle: about a second, and a hundred times what
/// the hardest known puzzles take.
const REFERENCE_NODES: u64 = 1_000_000;

/// Reference solvers: the plainest complete one, and one for rows that share their search with it.
const MRV: &str = "mrv";
const BANDS: &str = "bands";

impl Contender for SolverSpec {
    type Puzzle = Puzzle;
    type Line = PuzzleLine;
    type Solver = Box<dyn Solver>;
    type Outcome = Outcome;
    type Answer = Answer;
    type Solution = Solution;

    fn name(&self) -> &'static str {
        self.name
    }

    fn build(&self) -> Box<dyn Solver> {
        (self.build)()
    }

    fn checked_goal(&self, goal: Goal) -> Goal {
        SolverSpec::checked_goal(self, goal)
    }

    fn referee(solver: &str) -> &'static str {
        match solver {
            "mrv" | "mrv-lcv" => BANDS,
            _ => MRV,
        }
    }

    fn reference(referee: &str, puzzle: &Puzzle, goal: Goal) -> Reference<Solution> {
        let goal = match goal {
            Goal::FirstSolution | Goal::ProveUnique => Goal::ProveUnique,
            Goal::Count(limit) if limit.get() < 2 => Goal::ProveUnique,
            count => count,
        };
        let limits = Limits::nodes(REFERENCE_NODES);
        let outcome = match referee {
            BANDS => Bands::new().solve(puzzle, goal, limits),
            _ => Mrv::new().solve(puzzle, goal, limits),
        };
        match outcome.verdict {
            Verdict::Unsolvable => Reference::Known(Vec::new()),
            Verdict::Unique(solution) => Reference::Known(vec![solution]),
            Verdict::Multiple(solutions) => Reference::Known(solutions),
            Verdict::Solved(_) | Verdict::Stuck(_) | Verdict::OutOfBudget => Reference::Unknown,
        }
    }

    fn line(puzzle: &Puzzle) -> PuzzleLine {
        puzzle.into()
    }

    fn text(puzzle: &Puzzle) -> String {
        puzzle.to_line()
    }

    fn disguised(puzzle: &Puzzle, random: &mut ChaCha8Rng) -> PuzzleLine {
        PuzzleLine::from(&random_symmetry(random).puzzle(puzzle))
    }

    fn solve_lines(
        solver: &mut Box<dyn Solver>,
        lines: &[PuzzleLine],
        goal: Goal,
        limits: Limits,
        sink: &mut dyn FnMut(Outcome),
    ) {
        solver.solve_lines(lines, goal, limits, sink);
    }

    fn check(
        puzzle: &Puzzle,
        goal: Goal,
        answer: &Answer,
        reference: &Reference<Solution>,
    ) -> Result<AnswerKind, Wrong> {
        let solves = |solution: &Solution| match solution.solves(puzzle) {
            true => Ok(()),
            false => Err(Wrong::Givens),
        };
        let only;
        let shown = match (&answer.rest, answer.kind) {
            (Rest::Boards(boards), _) => Some(boards.as_slice()),
            (_, AnswerKind::Solved | AnswerKind::Unique) => {
                only = [Solution::from_ascii(&answer.board).ok_or(Wrong::Rules)?];
                Some(only.as_slice())
            }
            _ => None,
        };
        if let Rest::Marks(marks) = &answer.rest
            && !reference.solutions().iter().all(|it| keeps(marks, it))
        {
            return Err(Wrong::LostSolution);
        }
        check(goal, answer.kind, shown, reference, solves)
    }

    fn write_line(line: &PuzzleLine, text: &mut Vec<u8>) {
        text.extend_from_slice(line.as_bytes());
    }

    fn read_answer(_: &PuzzleLine, answer: &[u8], goal: Goal) -> Option<Answer> {
        read_answer(answer, goal)
    }
}

impl From<Entry> for BenchEntry<Puzzle> {
    fn from(entry: Entry) -> BenchEntry<Puzzle> {
        let solves = |expected: &Puzzle| {
            Solution::of_board(expected).is_some_and(|board| board.solves(&entry.puzzle))
        };
        BenchEntry {
            has_wrong_solution: entry.expected.is_some_and(|expected| !solves(&expected)),
            puzzle: entry.puzzle,
            place: entry.place,
        }
    }
}

/// The answer to a puzzle, compact because it is stored for every puzzle while the clock runs: 81
/// bytes and a count. Boards beyond the first and the candidates of a solver that got stuck are
/// moved, not copied, to be checked later.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The first solution, if there is one.
    board: [u8; Cell::COUNT],
    /// Number of solutions.
    solutions: usize,
    /// The claim; never [`AnswerKind::Wrong`], which is decided later.
    kind: AnswerKind,
    effort: Effort,
    rest: Rest,
}

/// The part of an answer beside its first board.
#[derive(Clone, Debug)]
enum Rest {
    Nothing,
    /// All solutions, the first one included.
    Boards(Vec<Solution>),
    /// The remaining candidates.
    Marks(Box<CandidateGrid>),
}

impl Answered<Outcome> for Answer {
    const NONE: Answer = Answer {
        board: [b'.'; Cell::COUNT],
        solutions: 0,
        kind: AnswerKind::Timeout,
        effort: Effort {
            guesses: 0,
            nodes: 0,
        },
        rest: Rest::Nothing,
    };

    #[inline]
    fn set(&mut self, outcome: Outcome) {
        self.effort = outcome.effort;
        self.rest = Rest::Nothing;
        let mut one = |kind, solution: &Solution| {
            (self.board, self.solutions, self.kind) = (solution.to_ascii(), 1, kind);
        };
        match outcome.verdict {
            Verdict::Unique(solution) => one(AnswerKind::Unique, &solution),
            Verdict::Solved(solution) => one(AnswerKind::Solved, &solution),
            Verdict::Multiple(solutions) => {
                if let Some(first) = solutions.first() {
                    self.board = first.to_ascii();
                }
                (self.solutions, self.kind) = (solutions.len(), AnswerKind::Multiple);
                self.rest = Rest::Boards(solutions);
            }
            Verdict::Unsolvable => (self.solutions, self.kind) = (0, AnswerKind::Unsolvable),
            Verdict::Stuck(marks) => {
                (self.solutions, self.kind) = (0, AnswerKind::Stuck);
                self.rest = Rest::Marks(marks);
            }
            Verdict::OutOfBudget => (self.solutions, self.kind) = (0, AnswerKind::Timeout),
        }
    }

    fn kind(&self) -> AnswerKind {
        self.kind
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}

fn read_answer(line: &[u8], goal: Goal) -> Option<Answer> {
    let line = line.trim_ascii();
    let kind = match line {
        b"unsolvable" => AnswerKind::Unsolvable,
        b"multiple" => AnswerKind::Multiple,
        b"stuck" => AnswerKind::Stuck,
        b"timeout" => AnswerKind::Timeout,
        _ => {
            let board = *line.first_chunk::<{ Cell::COUNT }>()?;
            let is_full = board.iter().all(|byte| matches!(byte, b'1'..=b'9'));
            let after = line.get(Cell::COUNT);
            let is_whole = after.is_none_or(|byte| !byte.is_ascii_digit());
            let kind = match goal {
                Goal::FirstSolution => AnswerKind::Solved,
                Goal::ProveUnique | Goal::Count(_) => AnswerKind::Unique,
            };
            let solutions = 1;
            return (is_full && is_whole).then_some(Answer {
                board,
                solutions,
                kind,
                ..Answer::NONE
            });
        }
    };
    Some(Answer {
        kind,
        ..Answer::NONE
    })
}

/// Returns whether every digit of the solution is still a candidate.
fn keeps(marks: &CandidateGrid, solution: &Solution) -> bool {
    Cell::all().all(|cell| marks.candidates(cell).contains(solution.digit(cell)))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::grid::{CellSet, Digit};

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

    /// The solution with two digits swapped everywhere.
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
        reference: &Reference<Solution>,
    ) -> Result<(), Wrong> {
        let effort = Effort::default();
        let mut answer = Answer::NONE;
        answer.set(Outcome { verdict, effort });
        SolverSpec::check(puzzle, goal, &answer, reference).map(drop)
    }

    fn judged(puzzle: &Puzzle, verdict: Verdict) -> Result<(), Wrong> {
        let goal = Goal::ProveUnique;
        let of = |referee: &str| {
            let reference = SolverSpec::reference(referee, puzzle, goal);
            checked(puzzle, goal, verdict.clone(), &reference)
        };
        assert_eq!(of(MRV), of(BANDS));
        of(MRV)
    }

    /// All candidates of the board except one.
    fn stuck(puzzle: &Puzzle, without: (usize, u8)) -> Verdict {
        let mut grid = CandidateGrid::new(puzzle).unwrap();
        let cell = Cell::new(without.0).unwrap();
        let digit = Digit::new(without.1).unwrap();
        grid.eliminate(CellSet::only(cell), digit).unwrap();
        Verdict::Stuck(Box::new(grid))
    }

    #[test]
    fn no_row_is_checked_against_its_own_search() {
        for spec in crate::roster::ROSTER {
            assert_ne!(SolverSpec::referee(spec.name), spec.name);
        }
        assert_eq!(SolverSpec::referee("mrv-lcv"), BANDS);
    }

    #[test]
    fn correct_answers_pass() {
        let known = puzzle(PUZZLE);
        assert_eq!(judged(&known, Verdict::Unique(solution(SOLUTION))), Ok(()));
        let two = vec![solution(SOLUTION), swapped()];
        assert_eq!(judged(&ambiguous(), Verdict::Multiple(two)), Ok(()));
        assert_eq!(judged(&unsolvable(), Verdict::Unsolvable), Ok(()));
        assert_eq!(judged(&known, Verdict::OutOfBudget), Ok(()));
        // Cell 2 is a 4 in the solution, so candidate 1 can be eliminated.
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
            // Cell 7 is 1 in one solution and 2 in the other: both must remain.
            (vague, stuck(&vague, (7, 1)), Wrong::LostSolution),
            (vague, stuck(&vague, (7, 2)), Wrong::LostSolution),
        ] {
            assert_eq!(judged(&puzzle, verdict.clone()), Err(wrong), "{verdict:?}");
        }
    }

    #[test]
    fn every_requested_solution_must_be_listed_once() {
        let vague = puzzle(&SOLUTION.replace(['1', '2', '3', '4'], "."));
        let count = |limit| Goal::Count(NonZeroUsize::new(limit).unwrap());
        let all = match Mrv::new().solve(&vague, count(999), Limits::NONE).verdict {
            Verdict::Multiple(all) => all,
            verdict => panic!("{verdict:?}"),
        };
        let judged = |goal: Goal, boards: &[Solution]| {
            let reference = SolverSpec::reference(MRV, &vague, goal);
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
        // The proof needs only two.
        let (given, expected) = (3, 2);
        let wrong = Wrong::Count { given, expected };
        assert_eq!(judged(Goal::ProveUnique, &all[..3]), Err(wrong));
    }

    #[test]
    fn two_solutions_of_a_unique_puzzle_include_a_wrong_one() {
        // Only the reference can decide this; a wrong reference makes these cases reachable.
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
    fn one_solution_is_enough_if_one_is_requested() {
        let goal = Goal::FirstSolution;
        let first = |puzzle: &Puzzle, verdict| {
            let reference = SolverSpec::reference(MRV, puzzle, goal);
            checked(puzzle, goal, verdict, &reference)
        };
        let right = Verdict::Solved(solution(SOLUTION));
        assert_eq!(first(&puzzle(PUZZLE), right.clone()), Ok(()));
        assert_eq!(first(&ambiguous(), right.clone()), Ok(()));
        assert_eq!(first(&unsolvable(), right), Err(Wrong::Givens));
    }

    #[test]
    fn without_a_reference_answers_must_be_consistent() {
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
            let checked =
                SolverSpec::check(&puzzle(PUZZLE), Goal::ProveUnique, &answer, &reference);
            assert_eq!(checked, Err(Wrong::Rules));
        }
    }

    #[test]
    fn answer_lines_are_parsed_or_rejected() {
        let digits = "123456789".repeat(9);
        let kind = |line: &str, goal| {
            let answer = read_answer(line.as_bytes(), goal);
            answer.map(|answer| (answer.kind, answer.solutions))
        };
        for line in [
            digits.clone(),
            format!(" {digits}\r\n"),
            format!("{digits},{digits}"),
        ] {
            let unique = Some((AnswerKind::Unique, 1));
            assert_eq!(kind(&line, Goal::ProveUnique), unique);
            let solved = Some((AnswerKind::Solved, 1));
            assert_eq!(kind(&line, Goal::FirstSolution), solved);
        }
        let unsolvable = Some((AnswerKind::Unsolvable, 0));
        assert_eq!(kind("unsolvable\n", Goal::ProveUnique), unsolvable);
        for line in [
            "",
            "no",
            &digits[1..],
            &digits.replace('1', "."),
            &format!("{digits}1"),
        ] {
            assert_eq!(kind(line, Goal::ProveUnique), None, "{line}");
        }
    }
}
