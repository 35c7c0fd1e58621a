//! The search: propagate, then guess. A guess is a value in a cell; once refuted, the value is struck and the
//! state goes on from there.

use std::ops::ControlFlow;
use std::sync::Arc;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::super::layout::Layout;
use super::super::mask::Mask;
use super::super::puzzle::{VariantPuzzle, VariantSolution};
use super::super::solver::{
    VariantLedger, VariantOutcome, VariantSolver, VariantVerdict, in_turn, is_same, outcome_of,
};

use super::board::Board;
use super::choose::{Chooser, random_choice};
use super::geometry::Geometry;
use super::propagate::Propagator;
use super::quick::QuickSearch;
use crate::solve::{End, Goal, Limits};

/// Complete, for every layout. Keeps what depends on the layout.
///
/// Boards of up to 100 cells without cages have representations of their own, in which a guess costs a microsecond.
///
/// The work of probing guesses on large boards is not counted as nodes.
#[derive(Clone, Debug, Default)]
pub struct VariantMrv {
    layout: Option<(Arc<Layout>, Geometry)>,
    board: Board,
    propagator: Propagator,
    chooser: Chooser,
    guesses: Vec<Guess>,
    quick: QuickSearch,
}

/// A value tried in a cell.
#[derive(Clone, Copy, Debug)]
struct Guess {
    /// How many candidates were struck before it.
    mark: usize,
    cell: usize,
    value: usize,
}

impl VariantMrv {
    /// A solver ready for its first puzzle.
    pub fn new() -> VariantMrv {
        VariantMrv::default()
    }

    /// The values of each cell that are left before the first guess; `None` if there is no solution.
    pub(in super::super) fn candidates(&mut self, puzzle: &VariantPuzzle) -> Option<Vec<Mask>> {
        let geometry = kept(&mut self.layout, puzzle.layout());
        self.propagator.prepare(geometry);
        let board = &mut self.board;
        let state = board.load(geometry, puzzle);
        let possible = state.is_continue() && self.propagator.run(geometry, board).is_continue();
        possible.then(|| board.values.clone())
    }

    /// A random solution, not uniform among all, within so many nodes.
    pub(in super::super) fn random_solution(
        &mut self,
        puzzle: &VariantPuzzle,
        rng: &mut ChaCha8Rng,
        nodes: u64,
    ) -> VariantVerdict {
        let mut own = ChaCha8Rng::from_rng(rng);
        let limits = Limits::nodes(nodes);
        outcome_of(Goal::FirstSolution, limits, |ledger| {
            self.search(puzzle, ledger, Some(&mut own))
        })
        .verdict
    }

    fn search(
        &mut self,
        puzzle: &VariantPuzzle,
        ledger: &mut VariantLedger,
        mut rng: Option<&mut ChaCha8Rng>,
    ) -> ControlFlow<End> {
        let geometry = kept(&mut self.layout, puzzle.layout());
        let board = &mut self.board;
        self.propagator.prepare(geometry);
        self.chooser.reset(geometry);
        self.guesses.clear();
        ledger.node()?;
        let mut state = board.load(geometry, puzzle);
        loop {
            if state.is_continue() {
                state = self.propagator.run(geometry, board);
            }
            if geometry.side >= LEAST_SLOW_SIDE {
                ledger.check_time()?;
            }
            if state.is_continue() {
                let choice = match &mut rng {
                    Some(rng) => Ok(random_choice(board, rng)),
                    None => self.chooser.choose(geometry, board, &mut self.propagator),
                };
                match choice {
                    Ok(Some((cell, value))) => {
                        ledger.guess()?;
                        ledger.node()?;
                        let mark = board.mark();
                        self.guesses.push(Guess { mark, cell, value });
                        state = board.assign(geometry, cell, value);
                        continue;
                    }
                    Ok(None) => {
                        let solution = VariantSolution::new(puzzle, board.solution());
                        ledger.solution(solution.expect("all rules were propagated"))?;
                    }
                    Err(conflict) => self.chooser.weigh(geometry, conflict),
                }
            } else if let ControlFlow::Break(conflict) = state {
                self.chooser.weigh(geometry, conflict);
            }
            let Some(guess) = self.guesses.pop() else {
                return ControlFlow::Continue(());
            };
            ledger.node()?;
            board.undo(geometry, guess.mark);
            state = board.strike(geometry, guess.cell, guess.value);
        }
    }
}

/// Nodes of boards of this side and more take so long that the clock is looked at in each.
const LEAST_SLOW_SIDE: usize = 10;

/// The tables of this layout; made only if it is not the one of the puzzle before.
fn kept<'a>(kept: &'a mut Option<(Arc<Layout>, Geometry)>, layout: &Arc<Layout>) -> &'a Geometry {
    let known = kept.take().filter(|(known, _)| is_same(known, layout));
    &kept
        .insert(known.unwrap_or_else(|| (layout.clone(), Geometry::new(layout))))
        .1
}

/// Nodes for each solution that is asked for, after which a small board is searched anew with weights: few need as
/// many, and on those the choice of cells without weights may be stuck for hours.
const MOST_QUICK_NODES: u64 = 3_000;

impl VariantSolver for VariantMrv {
    fn solve(&mut self, puzzle: &VariantPuzzle, goal: Goal, limits: Limits) -> VariantOutcome {
        if !QuickSearch::supports(puzzle.layout()) {
            return outcome_of(goal, limits, |ledger| self.search(puzzle, ledger, None));
        }
        let nodes = MOST_QUICK_NODES.saturating_mul(goal.limit() as u64);
        let mut quick = std::mem::take(&mut self.quick);
        let first = |limits| outcome_of(goal, limits, |ledger| quick.search(puzzle, ledger));
        let then = |limits| outcome_of(goal, limits, |ledger| self.search(puzzle, ledger, None));
        let outcome = in_turn(nodes, limits, first, then);
        self.quick = quick;
        outcome
    }
}
