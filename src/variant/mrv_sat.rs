//! The complete solver `mrv-sat`: `mrv`, and `sat` for what that does not answer soon.

use super::mrv::VariantMrv;
use super::puzzle::VariantPuzzle;
use super::sat::VariantSat;
use super::solver::{VariantOutcome, VariantSolver, in_turn};
use crate::solve::{Goal, Limits};

/// Nodes of `mrv` for each solution that is asked for. Few puzzles of up to 16 x 16 need as many, and on hard killers they
/// take a fifth of the time that `sat` then needs.
const MOST_NODES: u64 = 500;

/// Complete, for every layout. The work of both counts.
#[derive(Clone, Debug, Default)]
pub struct VariantMrvSat {
    mrv: VariantMrv,
    sat: VariantSat,
}

impl VariantMrvSat {
    /// A solver ready for its first puzzle.
    pub fn new() -> VariantMrvSat {
        VariantMrvSat::default()
    }
}

impl VariantSolver for VariantMrvSat {
    fn solve(&mut self, puzzle: &VariantPuzzle, goal: Goal, limits: Limits) -> VariantOutcome {
        let nodes = MOST_NODES.saturating_mul(goal.limit() as u64);
        let VariantMrvSat { mrv, sat } = self;
        let first = |limits| mrv.solve(puzzle, goal, limits);
        in_turn(nodes, limits, first, |limits| {
            sat.solve(puzzle, goal, limits)
        })
    }
}
