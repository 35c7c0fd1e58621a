//! The trait every solver of variants implements, and what it answers.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use super::layout::Layout;
use super::puzzle::{VariantPuzzle, VariantSolution};
use crate::solve::{Effort, End, Found, Goal, Ledger, Limits};

/// What a solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariantVerdict {
    /// There is no solution. Givens that clash have none; [`VariantPuzzle::clash`] names the clash.
    Unsolvable,
    /// A solution; whether there is another was not asked.
    Solved(VariantSolution),
    /// The only solution, proven.
    Unique(VariantSolution),
    /// Two or more different solutions, in the order they were found: as many as the goal asked for, or all
    /// if there are fewer.
    Multiple(Vec<VariantSolution>),
    /// A limit was reached first; nothing is known.
    OutOfBudget,
}

impl VariantVerdict {
    /// The solution, or the first of several.
    pub fn solution(&self) -> Option<&VariantSolution> {
        match self {
            VariantVerdict::Solved(solution) | VariantVerdict::Unique(solution) => Some(solution),
            VariantVerdict::Multiple(solutions) => solutions.first(),
            VariantVerdict::Unsolvable | VariantVerdict::OutOfBudget => None,
        }
    }
}

impl From<Found<VariantSolution>> for VariantVerdict {
    fn from(found: Found<VariantSolution>) -> VariantVerdict {
        match found {
            Found::OutOfBudget => VariantVerdict::OutOfBudget,
            Found::Nothing => VariantVerdict::Unsolvable,
            Found::First(solution) => VariantVerdict::Solved(solution),
            Found::Only(solution) => VariantVerdict::Unique(solution),
            Found::Several(solutions) => VariantVerdict::Multiple(solutions),
        }
    }
}

/// A verdict and the work behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantOutcome {
    /// What was found.
    pub verdict: VariantVerdict,
    /// The work it took.
    pub effort: Effort,
}

/// Work done and solutions found on a board of any size.
pub(super) type VariantLedger = Ledger<VariantSolution>;

/// Runs a search that enters what it finds into a ledger.
pub(super) fn outcome_of(
    goal: Goal,
    limits: Limits,
    search: impl FnOnce(&mut VariantLedger) -> ControlFlow<End>,
) -> VariantOutcome {
    let mut ledger = Ledger::new(goal, limits);
    let end = search(&mut ledger);
    let (found, effort) = ledger.close(end);
    VariantOutcome {
        verdict: found.into(),
        effort,
    }
}

/// The answer of `first` within so many nodes, or else that of `then` with what is left of the limits. The work of both
/// counts.
pub(super) fn in_turn(
    nodes: u64,
    limits: Limits,
    first: impl FnOnce(Limits) -> VariantOutcome,
    then: impl FnOnce(Limits) -> VariantOutcome,
) -> VariantOutcome {
    let start = Instant::now();
    let soon = Limits {
        nodes: nodes.min(limits.nodes),
        ..limits
    };
    let first = first(soon);
    let is_open = first.verdict == VariantVerdict::OutOfBudget;
    if !is_open || first.effort.nodes < nodes {
        return first;
    }
    let rest = Limits {
        nodes: limits.nodes.saturating_sub(first.effort.nodes),
        guesses: limits.guesses.saturating_sub(first.effort.guesses),
        time: limits.time.map(|time| time.saturating_sub(start.elapsed())),
        ..limits
    };
    let mut outcome = then(rest);
    outcome.effort.nodes += first.effort.nodes;
    outcome.effort.guesses += first.effort.guesses;
    outcome
}

/// Whether two layouts are the same; most often they are the same in memory.
pub(super) fn is_same(one: &Arc<Layout>, other: &Arc<Layout>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

/// Answers puzzles of the layouts it supports: any givens, contradictory and too few included, get a true
/// answer. What depends on the layout only is kept from one puzzle to the next.
///
/// ```
/// use std::sync::Arc;
/// use sudoku_batch::solve::{Goal, Limits};
/// use sudoku_batch::variant::{Boxes, Layout, Value, VariantPuzzle, VariantVerdict, fastest};
///
/// let layout = Arc::new(Layout::with_boxes(Boxes { rows: 2, columns: 2 })?);
/// let givens = "1.....2...3....4".chars().map(|given| {
///     given.to_digit(10).and_then(|digit| Value::new(digit as u8))
/// });
/// let puzzle = VariantPuzzle::new(layout.clone(), givens.collect())?;
/// let mut solver = (fastest(&layout).build)();
/// let outcome = solver.solve(&puzzle, Goal::ProveUnique, Limits::NONE);
/// assert!(matches!(outcome.verdict, VariantVerdict::Unique(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait VariantSolver: Send {
    /// Answers the goal for one puzzle, whose layout it must support.
    fn solve(&mut self, puzzle: &VariantPuzzle, goal: Goal, limits: Limits) -> VariantOutcome;
}
