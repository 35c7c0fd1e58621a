//! The clauses of a board, given to the solver BatSat (S. Cruanes and M. Haraki, after MiniSat by N. Eén and
//! N. Sörensson).

use std::cell::Cell;
use std::ops::ControlFlow;

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, Var, clause, lbool};

use super::super::mrv::VariantMrv;
use super::super::puzzle::{VariantPuzzle, VariantSolution};
use super::super::solver::{VariantLedger, VariantOutcome, VariantSolver, outcome_of};
use super::super::value::Value;
use super::encoding::{Clauses, Encoding, Literal};
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
        let limit = Limit {
            deadline,
            conflicts: Cell::new(0),
            most: limits.guesses.min(limits.nodes.saturating_sub(1)),
        };
        let mut engine = Engine {
            solver: Solver::new(options(), limit),
            clause: Vec::new(),
            count: 0,
        };
        let encoding = Encoding::new(puzzle.layout(), &values, &mut engine)?;
        loop {
            let result = engine.solver.solve_limited(&[]);
            for _ in 0..engine.solver.cb().conflicts.take() {
                ledger.guess()?;
                ledger.node()?;
            }
            if result == lbool::UNDEF {
                return ControlFlow::Break(End::OutOfBudget);
            }
            if result == lbool::FALSE {
                return ControlFlow::Continue(());
            }
            let is_true = |literal: Literal| {
                engine
                    .solver
                    .value_var(Var::unsafe_from_idx(literal as u32 - 1))
                    == lbool::TRUE
            };
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
            engine.clause(&other)?;
        }
    }
}

impl VariantSolver for VariantSat {
    fn solve(&mut self, puzzle: &VariantPuzzle, goal: Goal, limits: Limits) -> VariantOutcome {
        outcome_of(goal, limits, |ledger| self.search(puzzle, limits, ledger))
    }
}

/// Slower decay of activities, and restarts that become rarer: a quarter less time on six hard 25x25 boards.
/// Fewer learnt clauses, though quicker to go through, doubled it.
fn options() -> SolverOpts {
    SolverOpts {
        var_decay: 0.99,
        luby_restart: false,
        ..SolverOpts::default()
    }
}

/// Stops the solver at a limit.
struct Limit {
    deadline: Deadline,
    /// Conflicts since they were last entered into the ledger.
    conflicts: Cell<u64>,
    /// How many there may be.
    most: u64,
}

impl Callbacks for Limit {
    fn on_new_clause(&mut self, _: &[Lit], source: clause::Kind) {
        if source == clause::Kind::Learnt {
            self.conflicts.set(self.conflicts.get() + 1);
        }
    }

    fn stop(&self) -> bool {
        self.conflicts.get() > self.most || self.deadline.is_over()
    }
}

/// Takes clauses.
struct Engine {
    solver: Solver<Limit>,
    clause: Vec<Lit>,
    count: u64,
}

impl Clauses for Engine {
    type Stop = End;

    fn clause(&mut self, literals: &[Literal]) -> ControlFlow<End> {
        self.count += 1;
        if self.count.is_multiple_of(1024) && self.solver.cb().deadline.is_over() {
            return ControlFlow::Break(End::OutOfBudget);
        }
        self.clause.clear();
        for &literal in literals {
            let variable = self.solver.var_of_int(literal.unsigned_abs() - 1);
            self.clause.push(Lit::new(variable, literal > 0));
        }
        self.solver.add_clause_reuse(&mut self.clause);
        ControlFlow::Continue(())
    }
}
