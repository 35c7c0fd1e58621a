//! The complete solver `mrv`: fewest candidates first, with forward checking. The oracle of all tests.
//!
//! The idea is the textbook's (Haralick and Elliott, "Increasing tree search efficiency for
//! constraint satisfaction problems", 1980): a placed digit is struck from the cells that see it at
//! once, and the search goes on where the fewest ways are left. Between two guesses every naked
//! and hidden single is placed. What is kept is, for each digit, the set of cells that may hold
//! it, so that singles of all cells are found by a few operations on whole sets.

use std::ops::ControlFlow;

use super::search_state::SearchState;
use super::solver::{Budget, Effort, Goal, Outcome, Solver, Verdict};
use crate::grid::{Puzzle, Solution};

/// Complete: every puzzle gets a true verdict, however few or contradictory its givens are. Keeps
/// nothing between puzzles and allocates nothing, except for the pair in [`Verdict::Multiple`].
#[derive(Clone, Debug, Default)]
pub struct Mrv {}

/// The solutions of one puzzle, as far as they were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// Different solutions, in the order of the search.
    pub solutions: Vec<Solution>,
    /// Whether the search stopped because its budget ran out: there may be more solutions then,
    /// even below the limit.
    pub out_of_budget: bool,
    /// The work it took.
    pub effort: Effort,
}

impl Mrv {
    /// A solver ready for its first puzzle.
    pub fn new() -> Mrv {
        Mrv {}
    }

    /// The first `limit` solutions, or all if there are no more than that.
    pub fn solutions(&mut self, puzzle: &Puzzle, limit: usize, budget: Budget) -> Enumeration {
        let mut solutions = Vec::new();
        let (end, effort) = search(puzzle, budget, |solution| {
            if solutions.len() < limit {
                solutions.push(solution);
            }
            if solutions.len() < limit {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        Enumeration {
            solutions,
            out_of_budget: end == End::OutOfBudget,
            effort,
        }
    }
}

impl Solver for Mrv {
    fn solve(&mut self, puzzle: &Puzzle, goal: Goal, budget: Budget) -> Outcome {
        let mut first = None;
        let mut second = None;
        let (end, effort) = search(puzzle, budget, |solution| {
            if first.is_none() {
                first = Some(solution);
                if goal == Goal::ProveUnique {
                    return ControlFlow::Continue(());
                }
            } else {
                second = Some(solution);
            }
            ControlFlow::Break(())
        });
        let verdict = match (end, first, second) {
            (End::OutOfBudget, ..) => Verdict::OutOfBudget,
            (_, None, _) => Verdict::Unsolvable,
            (_, Some(first), Some(second)) => Verdict::Multiple(Box::new([first, second])),
            (End::Stopped, Some(only), None) => Verdict::Solved(only),
            (End::Exhausted, Some(only), None) => Verdict::Unique(only),
        };
        Outcome { verdict, effort }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Everything was seen.
    Exhausted,
    /// The visitor had enough.
    Stopped,
    /// The next node would have been one too many.
    OutOfBudget,
}

/// Shows every solution to `visit`, until it breaks.
fn search(
    puzzle: &Puzzle,
    budget: Budget,
    visit: impl FnMut(Solution) -> ControlFlow<()>,
) -> (End, Effort) {
    let mut search = Search {
        visit,
        budget,
        effort: Effort::default(),
    };
    let end = match SearchState::new(puzzle) {
        Some(mut root) => search.enter(&mut root),
        None => search.count_node(),
    };
    let end = match end {
        ControlFlow::Continue(()) => End::Exhausted,
        ControlFlow::Break(end) => end,
    };
    (end, search.effort)
}

struct Search<V> {
    visit: V,
    budget: Budget,
    effort: Effort,
}

impl<V: FnMut(Solution) -> ControlFlow<()>> Search<V> {
    /// Visits every solution below this state. Recursion is as deep as there are guesses on the
    /// way to a solution: each fills a cell, so fewer than 81.
    fn enter(&mut self, state: &mut SearchState) -> ControlFlow<End> {
        self.count_node()?;
        if state.place_singles().is_err() {
            return ControlFlow::Continue(());
        }
        let Some((cell, digits)) = state.fewest_candidates() else {
            return match (self.visit)(state.solution()) {
                ControlFlow::Continue(()) => ControlFlow::Continue(()),
                ControlFlow::Break(()) => ControlFlow::Break(End::Stopped),
            };
        };
        let mut left = digits;
        for digit in digits {
            left = left.without(digit);
            if left.is_empty() {
                state.place(cell, digit);
                return self.enter(state);
            }
            self.effort.guesses += 1;
            let mut guess = state.clone();
            guess.place(cell, digit);
            self.enter(&mut guess)?;
        }
        ControlFlow::Continue(())
    }

    fn count_node(&mut self) -> ControlFlow<End> {
        if self.effort.nodes == self.budget.nodes {
            return ControlFlow::Break(End::OutOfBudget);
        }
        self.effort.nodes += 1;
        ControlFlow::Continue(())
    }
}
