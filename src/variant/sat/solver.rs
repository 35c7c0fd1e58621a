//! A board's clauses, given to the engine.

use std::ops::ControlFlow;

use super::super::mrv::VariantMrv;
use super::super::puzzle::{VariantPuzzle, VariantSolution};
use super::super::solver::{VariantLedger, VariantOutcome, VariantSolver, outcome_of};
use super::super::value::Value;
use super::encoding::{Clauses, Encoding, Literal};
use super::engine::{Answer, Engine};
use crate::solve::{Deadline, End, Goal, Limits};

/// Complete, for every layout. Propagates as `mrv` does before the first guess, and encodes what is left.
///
/// A conflict counts as a node and as a guess, a solution and the start as a node each. Solutions that were
/// found are forbidden by a clause each, and the search goes on with all it has learnt.
#[derive(Clone, Debug, Default)]
pub struct VariantSat {
    mrv: VariantMrv,
}

impl VariantSat {
    /// A solver ready for its first puzzle.
    pub fn new() -> VariantSat {
        VariantSat::default()
    }

    fn search(
        &mut self,
        puzzle: &VariantPuzzle,
        limits: Limits,
        ledger: &mut VariantLedger,
    ) -> ControlFlow<End> {
        let deadline = limits.deadline();
        ledger.node()?;
        let Some(values) = self.mrv.candidates(puzzle) else {
            return ControlFlow::Continue(());
        };
        let most = limits.guesses.min(limits.nodes.saturating_sub(1));
        let mut intake = Intake {
            engine: Engine::new(),
            deadline,
            count: 0,
        };
        let encoding = Encoding::new(puzzle.layout(), &values, &mut intake)?;
        let mut engine = intake.engine;
        loop {
            let mut conflicts = 0;
            let answer = engine.solve(|count| {
                conflicts = count;
                count > most || deadline.is_over()
            });
            for _ in 0..conflicts {
                ledger.guess()?;
                ledger.node()?;
            }
            match answer {
                Answer::Stopped => return ControlFlow::Break(End::OutOfBudget),
                Answer::Unsatisfiable => return ControlFlow::Continue(()),
                Answer::Satisfied => {}
            }
            let is_true = |literal: Literal| engine.is_true(literal);
            let found = encoding.values(is_true);
            let solution = found.iter().map(|value| Value::at(*value)).collect();
            let solution = VariantSolution::new(puzzle, solution);
            ledger.node()?;
            ledger.solution(solution.expect("the clauses say all rules"))?;
            let other: Vec<Literal> = found
                .iter()
                .enumerate()
                .filter(|(cell, _)| !values[*cell].is_power_of_two())
                .map(|(cell, value)| -encoding.variable(cell, *value))
                .collect();
            if other.is_empty() {
                return ControlFlow::Continue(());
            }
            engine.add(&other);
        }
    }
}

impl VariantSolver for VariantSat {
    fn solve(&mut self, puzzle: &VariantPuzzle, goal: Goal, limits: Limits) -> VariantOutcome {
        outcome_of(goal, limits, |ledger| self.search(puzzle, limits, ledger))
    }
}

/// Takes clauses into an engine until the deadline.
struct Intake {
    engine: Engine,
    deadline: Deadline,
    count: u64,
}

impl Clauses for Intake {
    type Stop = End;

    fn clause(&mut self, literals: &[Literal]) -> ControlFlow<End> {
        self.count += 1;
        if self.count.is_multiple_of(1024) && self.deadline.is_over() {
            return ControlFlow::Break(End::OutOfBudget);
        }
        self.engine.add(literals);
        ControlFlow::Continue(())
    }
}
