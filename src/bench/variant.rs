//! Measuring solvers of boards of other sizes and shapes.

use std::sync::Arc;
use std::time::Duration;

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::answer::AnswerKind;
use super::check::{Reference, Wrong, check};
use super::contender::{Answered, BenchEntry, Contender};
use crate::solve::{Effort, Goal, Limits};
use crate::variant::{
    Alphabet, Format, Reading, Value, VariantEntry, VariantLine, VariantOutcome, VariantPuzzle,
    VariantSolution, VariantSolver, VariantSolverSpec, VariantSymmetry, VariantVerdict,
    find_variant,
};

/// Time after which the reference gives up on a puzzle.
const REFERENCE_TIME: Duration = Duration::from_secs(20);

/// Reference solvers.
const MRV: &str = "mrv";
const SAT: &str = "sat";

impl Contender for VariantSolverSpec {
    type Puzzle = VariantPuzzle;
    type Line = VariantPuzzle;
    type Solver = Box<dyn VariantSolver>;
    type Outcome = VariantOutcome;
    type Answer = VariantAnswer;
    type Solution = VariantSolution;

    fn name(&self) -> &'static str {
        self.name
    }

    fn build(&self) -> Box<dyn VariantSolver> {
        (self.build)()
    }

    fn checked_goal(&self, goal: Goal) -> Goal {
        goal
    }

    fn supports(&self, puzzle: &VariantPuzzle) -> bool {
        (self.supports)(puzzle.layout())
    }

    fn referee(solver: &str) -> &'static str {
        match solver {
            MRV => SAT,
            _ => MRV,
        }
    }

    fn reference(referee: &str, puzzle: &VariantPuzzle, goal: Goal) -> Reference<VariantSolution> {
        let goal = match goal {
            Goal::Count(limit) if limit.get() > 1 => goal,
            _ => Goal::ProveUnique,
        };
        let limits = Limits {
            time: Some(REFERENCE_TIME),
            ..Limits::NONE
        };
        let Ok(spec) = find_variant(referee) else {
            return Reference::Unknown;
        };
        match (spec.build)().solve(puzzle, goal, limits).verdict {
            VariantVerdict::Unsolvable => Reference::Known(Vec::new()),
            VariantVerdict::Unique(solution) => Reference::Known(vec![solution]),
            VariantVerdict::Multiple(solutions) => Reference::Known(solutions),
            VariantVerdict::Solved(_) | VariantVerdict::OutOfBudget => Reference::Unknown,
        }
    }

    fn line(puzzle: &VariantPuzzle) -> VariantPuzzle {
        puzzle.clone()
    }

    fn text(puzzle: &VariantPuzzle) -> String {
        let alphabet = Alphabet::usual(puzzle.layout().side());
        let text = Format::Fields.write(puzzle, alphabet, None, &Reading::default());
        text.expect("fields hold every puzzle")
    }

    /// Transposes the puzzle, and permutes its values where it has no cages.
    fn disguised(puzzle: &VariantPuzzle, random: &mut ChaCha8Rng) -> VariantPuzzle {
        let mut labels: Vec<Value> = puzzle.layout().values().collect();
        if puzzle.layout().cages().is_empty() {
            labels.shuffle(random);
        }
        let symmetry = VariantSymmetry::transpose(labels);
        let layout = symmetry.layout(puzzle.layout()).ok();
        let disguised = layout
            .and_then(|layout| VariantPuzzle::new(Arc::new(layout), symmetry.givens(puzzle)).ok());
        disguised.expect("a puzzle has such a form")
    }

    fn solve_lines(
        solver: &mut Box<dyn VariantSolver>,
        lines: &[VariantPuzzle],
        goal: Goal,
        limits: Limits,
        sink: &mut dyn FnMut(VariantOutcome),
    ) {
        for puzzle in lines {
            sink(solver.solve(puzzle, goal, limits));
        }
    }

    fn check(
        puzzle: &VariantPuzzle,
        goal: Goal,
        answer: &VariantAnswer,
        reference: &Reference<VariantSolution>,
    ) -> Result<AnswerKind, Wrong> {
        let keeps_rules = |solution: &VariantSolution| {
            let again = VariantSolution::new(puzzle, solution.values().to_vec());
            again.map(drop).ok_or(Wrong::Rules)
        };
        if answer.is_broken {
            return Err(Wrong::Rules);
        }
        let shown = (!answer.solutions.is_empty()).then_some(answer.solutions.as_slice());
        check(goal, answer.kind, shown, reference, keeps_rules)
    }

    fn write_line(puzzle: &VariantPuzzle, text: &mut Vec<u8>) {
        text.extend_from_slice(Self::text(puzzle).as_bytes());
    }

    fn read_answer(puzzle: &VariantPuzzle, answer: &[u8], goal: Goal) -> Option<VariantAnswer> {
        let answer = std::str::from_utf8(answer).ok()?.trim();
        let kind = match answer {
            "unsolvable" => AnswerKind::Unsolvable,
            "multiple" => AnswerKind::Multiple,
            "stuck" => AnswerKind::Stuck,
            "timeout" => AnswerKind::Timeout,
            _ => match goal {
                Goal::FirstSolution => AnswerKind::Solved,
                Goal::ProveUnique | Goal::Count(_) => AnswerKind::Unique,
            },
        };
        let mut read = VariantAnswer {
            kind,
            ..VariantAnswer::NONE
        };
        if matches!(kind, AnswerKind::Solved | AnswerKind::Unique) {
            let first = answer.split(['\t', ' ', ',']).next().unwrap_or_default();
            let alphabet = Alphabet::usual(puzzle.layout().side());
            let value = |symbol: char| {
                let symbol = Some(symbol.to_string());
                puzzle
                    .layout()
                    .values()
                    .find(|value| alphabet.symbol(*value) == symbol)
            };
            let values = first.chars().map(value).collect::<Option<Vec<Value>>>()?;
            read.solutions = VariantSolution::new(puzzle, values).into_iter().collect();
            read.is_broken = read.solutions.is_empty();
        }
        Some(read)
    }
}

impl From<VariantLine> for BenchEntry<VariantPuzzle> {
    fn from(line: VariantLine) -> BenchEntry<VariantPuzzle> {
        let VariantEntry {
            puzzle, expected, ..
        } = line.entry;
        let is_wrong = |values| VariantSolution::new(&puzzle, values).is_none();
        BenchEntry {
            has_wrong_solution: expected.is_some_and(is_wrong),
            puzzle,
            place: line.place,
        }
    }
}

/// The answer of a solver of variants.
#[derive(Clone, Debug)]
pub struct VariantAnswer {
    kind: AnswerKind,
    effort: Effort,
    /// The solutions.
    solutions: Vec<VariantSolution>,
    /// Whether an external program gave a board that breaks the rules.
    is_broken: bool,
}

impl Answered<VariantOutcome> for VariantAnswer {
    const NONE: VariantAnswer = VariantAnswer {
        kind: AnswerKind::Timeout,
        effort: Effort {
            guesses: 0,
            nodes: 0,
        },
        solutions: Vec::new(),
        is_broken: false,
    };

    fn set(&mut self, outcome: VariantOutcome) {
        self.effort = outcome.effort;
        self.is_broken = false;
        (self.kind, self.solutions) = match outcome.verdict {
            VariantVerdict::Unsolvable => (AnswerKind::Unsolvable, Vec::new()),
            VariantVerdict::Solved(solution) => (AnswerKind::Solved, vec![solution]),
            VariantVerdict::Unique(solution) => (AnswerKind::Unique, vec![solution]),
            VariantVerdict::Multiple(solutions) => (AnswerKind::Multiple, solutions),
            VariantVerdict::OutOfBudget => (AnswerKind::Timeout, Vec::new()),
        };
    }

    fn kind(&self) -> AnswerKind {
        self.kind
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}
