//! Solutions, hints and explanations of 81 characters.

use std::time::Duration;

use serde::Serialize;

use crate::grid::{Candidate, ParsePuzzleError, Puzzle};
use crate::logic::{Effect, Explanation, HintLevel, NATIVE, Position, Step};
use crate::reader::Status;
use crate::roster::fastest_complete;
use crate::solve::{Deadline, Goal, Limits, Verdict};

/// Most time that a page waits for a solution or an explanation; a few milliseconds are usual.
const TIME: Duration = Duration::from_secs(3);

/// The solutions of a puzzle.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolveAnswer {
    /// The puzzle: 81 characters, `.` for a blank.
    pub puzzle: String,
    /// `solved`, `multiple`, `unsolvable`, or `timeout` where the time did not suffice.
    pub status: Status,
    /// The solution, the first one of several.
    pub solution: Option<String>,
    /// What is wrong where there is not just one solution.
    pub complaint: Option<String>,
    /// The two cells of an unsolvable puzzle that see each other and hold the same digit, if there are such.
    pub clash: Option<[usize; 2]>,
}

/// The easiest next step of a puzzle.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HintAnswer {
    /// What is wrong where there is not just one solution; there is no step then.
    pub complaint: Option<String>,
    /// The step; `None` where no technique finds one.
    pub step: Option<StepAnswer>,
}

/// Every step to the solution.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainAnswer {
    /// What is wrong where there is not just one solution.
    pub complaint: Option<String>,
    /// The steps in order.
    pub steps: Vec<StepAnswer>,
    /// Whether the steps lead to a full board.
    pub is_complete: bool,
}

/// One step of logic.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepAnswer {
    /// Name of the technique.
    pub technique: &'static str,
    /// The digit that is placed; `None` where candidates are struck.
    pub place: Option<CandidateAnswer>,
    /// The candidates that are struck; none where a digit is placed.
    pub eliminate: Vec<CandidateAnswer>,
    /// The cells that the step rests on, from 0, row by row.
    pub because: Vec<usize>,
    /// Where to look, without what is there.
    pub look: String,
    /// The step in short.
    pub notation: String,
    /// The whole argument in sentences.
    pub text: String,
}

/// A digit in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CandidateAnswer {
    /// The cell, from 0, row by row.
    pub cell: usize,
    /// The digit, 1 to 9.
    pub digit: u8,
}

/// Solves a puzzle of 81 characters.
///
/// # Errors
/// [`ParsePuzzleError`] where the text is none.
pub fn solve(cells: &str) -> Result<SolveAnswer, ParsePuzzleError> {
    let puzzle: Puzzle = cells.parse()?;
    let verdict = verdict(&puzzle);
    let position = Position::from(puzzle);
    Ok(SolveAnswer {
        puzzle: puzzle.to_line(),
        status: match verdict {
            Verdict::Unique(_) | Verdict::Solved(_) => Status::Solved,
            Verdict::Multiple(_) => Status::Multiple,
            Verdict::Unsolvable => Status::Unsolvable,
            Verdict::Stuck(_) | Verdict::OutOfBudget => Status::Timeout,
        },
        solution: verdict.solution().map(|solution| solution.to_line()),
        complaint: position.complaint(&verdict),
        clash: position
            .clash()
            .map(|(one, other)| [one.cell.index(), other.index()]),
    })
}

/// Finds the easiest next step of a puzzle of 81 characters.
///
/// # Errors
/// [`ParsePuzzleError`] where the text is none.
pub fn hint(cells: &str) -> Result<HintAnswer, ParsePuzzleError> {
    let position = Position::from(cells.parse::<Puzzle>()?);
    let complaint = complaint(&position);
    let first = || Explanation::first(&NATIVE, &position, Deadline::after(Some(TIME)));
    Ok(HintAnswer {
        step: match complaint {
            None => first().steps.first().map(StepAnswer::of),
            Some(_) => None,
        },
        complaint,
    })
}

/// Explains the way to the solution of a puzzle of 81 characters.
///
/// # Errors
/// [`ParsePuzzleError`] where the text is none.
pub fn explain(cells: &str) -> Result<ExplainAnswer, ParsePuzzleError> {
    let position = Position::from(cells.parse::<Puzzle>()?);
    let complaint = complaint(&position);
    let path = Explanation::new(&NATIVE, &position, Deadline::after(Some(TIME)));
    Ok(ExplainAnswer {
        complaint,
        steps: path.steps.iter().map(StepAnswer::of).collect(),
        is_complete: path.end.is_ok_and(|grid| grid.solution().is_some()),
    })
}

fn verdict(puzzle: &Puzzle) -> Verdict {
    let limits = Limits {
        time: Some(TIME),
        ..Limits::NONE
    };
    let mut solver = (fastest_complete().build)();
    solver.solve(puzzle, Goal::ProveUnique, limits).verdict
}

fn complaint(position: &Position) -> Option<String> {
    match position {
        Position::Puzzle(puzzle) => position.complaint(&verdict(puzzle)),
        Position::Marks(_) => None,
    }
}

impl StepAnswer {
    fn of(step: &Step) -> StepAnswer {
        let argument = step.argument();
        let (place, eliminate) = match &argument.effect {
            Effect::Place(candidate) => (Some((*candidate).into()), Vec::new()),
            Effect::Eliminate(struck) => (None, struck.iter().map(Into::into).collect()),
        };
        let candidates = argument
            .parts()
            .iter()
            .flat_map(|part| part.candidates.iter());
        let mut because: Vec<usize> = candidates.map(|candidate| candidate.cell.index()).collect();
        because.sort_unstable();
        because.dedup();
        StepAnswer {
            technique: argument.technique.name(),
            place,
            eliminate,
            because,
            look: argument.hint(HintLevel::Where),
            notation: argument.notation(),
            text: argument.text(),
        }
    }
}

impl From<Candidate> for CandidateAnswer {
    fn from(Candidate { cell, digit }: Candidate) -> CandidateAnswer {
        CandidateAnswer {
            cell: cell.index(),
            digit: digit.value(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wikipedia's example.
    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn a_puzzle_is_solved_and_a_damaged_one_reports_the_problem() {
        let answer = solve(PUZZLE).unwrap();
        assert_eq!(answer.status, Status::Solved);
        assert_eq!(answer.solution.as_deref(), Some(SOLUTION));
        assert_eq!((answer.complaint, answer.clash), (None, None));

        let clashing = solve(&PUZZLE.replacen("53.", "55.", 1)).unwrap();
        assert_eq!(clashing.status, Status::Unsolvable);
        assert_eq!(clashing.clash, Some([0, 1]));
        assert!(clashing.complaint.unwrap().contains("both 5"));

        let open = solve(&PUZZLE.replacen("53..7", ".....", 1)).unwrap();
        assert_eq!(open.status, Status::Multiple);
        assert!(open.solution.is_some() && open.complaint.is_some());
        assert!(solve("53..7").is_err());
    }

    #[test]
    fn an_empty_board_is_solved_immediately() {
        let answer = solve(&".".repeat(81)).unwrap();
        assert_eq!(answer.status, Status::Multiple);
        assert_eq!(hint(&".".repeat(81)).unwrap().step, None);
    }

    #[test]
    fn a_hint_is_the_first_step_of_the_explanation() {
        let path = explain(PUZZLE).unwrap();
        assert!(path.is_complete && path.complaint.is_none());
        let hint = hint(PUZZLE).unwrap();
        assert_eq!(hint.step.as_ref(), path.steps.first());
        let placed = hint.step.unwrap().place.unwrap();
        let digit = SOLUTION.as_bytes()[placed.cell] - b'0';
        assert_eq!(placed.digit, digit);
    }

    #[test]
    fn every_placed_digit_is_the_one_of_the_solution() {
        let path = explain(PUZZLE).unwrap();
        let placed = path.steps.iter().filter_map(|step| step.place);
        let mut count = 0;
        for CandidateAnswer { cell, digit } in placed {
            assert_eq!(digit, SOLUTION.as_bytes()[cell] - b'0');
            count += 1;
        }
        assert_eq!(count, PUZZLE.matches('.').count());
    }

    #[test]
    fn a_contradictory_puzzle_gets_no_hint() {
        let hint = hint(&PUZZLE.replacen("53.", "55.", 1)).unwrap();
        assert!(hint.step.is_none() && hint.complaint.is_some());
    }
}
