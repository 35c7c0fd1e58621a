//! Common part of all complete solvers: the ledger of a search, and its verdict.

use std::ops::ControlFlow;

use super::deadline::Deadline;
use super::solver::{Effort, Goal, Limits, Outcome, Solver, Verdict};
use crate::grid::{Puzzle, PuzzleLine, Solution};

/// Mask of the number of nodes between two checks of the clock.
const CLOCK: u64 = 63;

/// A complete search: it visits every solution once, until the ledger stops it.
pub trait Search: Send {
    /// Searches, entering every node, guess and solution into the ledger; stops where that breaks.
    fn search(&mut self, puzzle: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End>;
}

/// Why a search stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// As many solutions were found as were asked for.
    Answered,
    /// The next node or guess would exceed its limit, or the deadline has passed.
    OutOfBudget,
}

/// Work done and solutions found; decides when a search may stop. Generic over the solution, so
/// that boards of other sizes share it.
#[derive(Clone, Debug)]
pub struct Ledger<S = Solution> {
    limits: Limits,
    deadline: Deadline,
    /// Number of solutions that end the search.
    wanted: usize,
    effort: Effort,
    /// The first solution is stored apart, so that a puzzle with one takes no allocation.
    first: Option<S>,
    more: Vec<S>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found<S> {
    /// A limit was reached before the goal was answered.
    OutOfBudget,
    /// There is no solution.
    Nothing,
    /// A solution; the search stopped there.
    First(S),
    /// The only solution.
    Only(S),
    /// Two or more, in the order they were found.
    Several(Vec<S>),
}

impl<S> Ledger<S> {
    /// Returns an empty ledger for this goal; starts the clock.
    pub fn new(goal: Goal, limits: Limits) -> Ledger<S> {
        Ledger {
            limits,
            deadline: limits.deadline(),
            wanted: goal.limit(),
            effort: Effort::default(),
            first: None,
            more: Vec::new(),
        }
    }

    /// Counts a state of the search that is entered. Breaks at a limit.
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

    /// Checks the clock: for searches whose nodes take so long that one check in a few dozen is not
    /// enough.
    pub fn check_time(&self) -> ControlFlow<End> {
        if self.deadline.is_over() {
            ControlFlow::Break(End::OutOfBudget)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Counts a branch that is taken while another is left. Breaks at a limit.
    #[inline]
    pub fn guess(&mut self) -> ControlFlow<End> {
        if self.effort.guesses == self.limits.guesses {
            return ControlFlow::Break(End::OutOfBudget);
        }
        self.effort.guesses += 1;
        ControlFlow::Continue(())
    }

    /// Adds a solution. Breaks when there are as many as were asked for.
    pub fn solution(&mut self, solution: S) -> ControlFlow<End> {
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

    /// Returns what a search that ended this way has found, and the work it took.
    pub fn close(self, end: ControlFlow<End>) -> (Found<S>, Effort) {
        let found = match (end, self.first) {
            (ControlFlow::Break(End::OutOfBudget), _) => Found::OutOfBudget,
            (_, None) => Found::Nothing,
            (_, Some(first)) if !self.more.is_empty() => {
                let mut solutions = self.more;
                solutions.insert(0, first);
                Found::Several(solutions)
            }
            (ControlFlow::Break(End::Answered), Some(only)) => Found::First(only),
            (ControlFlow::Continue(()), Some(only)) => Found::Only(only),
        };
        (found, self.effort)
    }
}

impl From<Found<Solution>> for Verdict {
    fn from(found: Found<Solution>) -> Verdict {
        match found {
            Found::OutOfBudget => Verdict::OutOfBudget,
            Found::Nothing => Verdict::Unsolvable,
            Found::First(solution) => Verdict::Solved(solution),
            Found::Only(solution) => Verdict::Unique(solution),
            Found::Several(solutions) => Verdict::Multiple(solutions),
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
        let (found, effort) = ledger.close(end);
        Outcome {
            verdict: found.into(),
            effort,
        }
    }
}

/// Implements [`Solver::solve_lines`] for a solver that takes one puzzle at a time.
pub fn one_by_one(
    lines: &[PuzzleLine],
    sink: &mut dyn FnMut(Outcome),
    mut solve: impl FnMut(&Puzzle) -> Outcome,
) {
    for line in lines {
        sink(solve(&line.puzzle()));
    }
}
