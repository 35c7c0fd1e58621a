//! The complete solver `mrv-sat`: `mrv`, and `sat` for what that does not answer soon.

use std::time::Instant;

use super::mrv::VariantMrv;
use super::puzzle::VariantPuzzle;
use super::sat::VariantSat;
use super::solver::{VariantOutcome, VariantSolver, VariantVerdict};
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
        let start = Instant::now();
        let nodes = MOST_NODES.saturating_mul(goal.limit() as u64);
        let soon = Limits {
            nodes: nodes.min(limits.nodes),
            ..limits
        };
        let first = self.mrv.solve(puzzle, goal, soon);
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
        let mut outcome = self.sat.solve(puzzle, goal, rest);
        outcome.effort.nodes += first.effort.nodes;
        outcome.effort.guesses += first.effort.guesses;
        outcome
    }
}
