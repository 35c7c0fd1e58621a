//! What all complete solvers share: the ledger of a search, and how it becomes a verdict.

use std::ops::ControlFlow;

use super::elimination::Deadline;
use super::solver::{Effort, Goal, Limits, Outcome, Solver, Verdict};
use crate::grid::{Puzzle, PuzzleLine, Solution};

/// Nodes between two looks at the clock, less one: a mask.
const CLOCK: u64 = 63;

/// A complete search: it comes past every solution, each once, until the ledger breaks it off.
pub trait Search: Send {
    /// Enters every node, guess and solution into the ledger, and stops where that breaks.
    fn search(&mut self, puzzle: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End>;
}

/// Why a search stopped before everything was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// As many solutions were found as were asked for.
    Answered,
    /// The next node or guess would have been one too many, or the deadline is over.
    OutOfBudget,
}

/// Work done and solutions found; knows when a search may stop.
#[derive(Clone, Debug)]
pub struct Ledger {
    limits: Limits,
    deadline: Deadline,
    /// Solutions that end the search.
    wanted: usize,
    effort: Effort,
    /// The first solution stands apart, so that a puzzle with one takes no allocation.
    first: Option<Solution>,
    more: Vec<Solution>,
}

impl Ledger {
    /// An empty ledger for this goal; starts the clock.
    pub fn new(goal: Goal, limits: Limits) -> Ledger {
        Ledger {
            limits,
            deadline: Deadline::after(limits.time),
            wanted: goal.limit(),
            effort: Effort::default(),
            first: None,
            more: Vec::new(),
        }
    }

    /// A state of the search is entered.
    #[inline]
    pub fn node(&mut self) -> ControlFlow<End> {
        if self.effort.nodes == self.limits.nodes {
            return ControlFlow::Break(End::OutOfBudget);
        }
        self.effort.nodes += 1;
        if self.effort.nodes & CLOCK == 0 && self.deadline.is_over() {
            return ControlFlow::Break(End::OutOfBudget);
        }
        ControlFlow::Continue(())
    }

    /// A branch is taken while another is left.
    #[inline]
    pub fn guess(&mut self) -> ControlFlow<End> {
        if self.effort.guesses == self.limits.guesses {
            return ControlFlow::Break(End::OutOfBudget);
        }
        self.effort.guesses += 1;
        ControlFlow::Continue(())
    }

    /// A solution is found.
    pub fn solution(&mut self, solution: Solution) -> ControlFlow<End> {
        match self.first {
            None => self.first = Some(solution),
            Some(_) => self.more.push(solution),
        }
        if self.more.len() + 1 < self.wanted {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(End::Answered)
        }
    }

    /// What a search that ended so has found.
    fn close(self, end: ControlFlow<End>) -> Outcome {
        let verdict = match (end, self.first) {
            (ControlFlow::Break(End::OutOfBudget), _) => Verdict::OutOfBudget,
            (_, None) => Verdict::Unsolvable,
            (_, Some(first)) if !self.more.is_empty() => {
                let mut solutions = self.more;
                solutions.insert(0, first);
                Verdict::Multiple(solutions)
            }
            (ControlFlow::Break(End::Answered), Some(only)) => Verdict::Solved(only),
            (ControlFlow::Continue(()), Some(only)) => Verdict::Unique(only),
        };
        Outcome {
            verdict,
            effort: self.effort,
        }
    }
}

impl<S: Search> Solver for S {
    fn solve_lines(
        &mut self,
        lines: &[PuzzleLine],
        goal: Goal,
        limits: Limits,
        sink: &mut dyn FnMut(Outcome),
    ) {
        one_by_one(lines, sink, |puzzle| self.solve(puzzle, goal, limits));
    }

    fn solve(&mut self, puzzle: &Puzzle, goal: Goal, limits: Limits) -> Outcome {
        let mut ledger = Ledger::new(goal, limits);
        let end = self.search(puzzle, &mut ledger);
        ledger.close(end)
    }
}

/// [`Solver::solve_lines`] of a solver that takes one puzzle at a time.
pub fn one_by_one(
    lines: &[PuzzleLine],
    sink: &mut dyn FnMut(Outcome),
    mut solve: impl FnMut(&Puzzle) -> Outcome,
) {
    for line in lines {
        sink(solve(&line.puzzle()));
    }
}
