//! The solver `lockstep`: batches in lanes; single puzzles by `bands`.

use std::fmt;

use super::engine::{Batch, Engine, Record, Records};
use crate::grid::{Puzzle, PuzzleLine, Solution};
use crate::simd;
use crate::solve::bands::Bands;
use crate::solve::instruction_set::InstructionSet;
use crate::solve::solver::{Goal, Limits, Outcome, Solver, Verdict};

/// The solver `lockstep`: many puzzles at a time; see the module.
pub struct Lockstep {
    instructions: InstructionSet,
    batch: Box<dyn Batch>,
    single: Bands,
}

impl Default for Lockstep {
    fn default() -> Lockstep {
        Lockstep::new()
    }
}

impl fmt::Debug for Lockstep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lockstep({})", self.instructions)
    }
}

impl Lockstep {
    /// Returns a solver on the widest vectors that this CPU has.
    pub fn new() -> Lockstep {
        let best = InstructionSet::ALL.into_iter().find_map(Lockstep::on);
        best.expect("every CPU runs the portable instructions")
    }

    /// Returns a solver on these instructions, if this CPU has them.
    pub fn on(instructions: InstructionSet) -> Option<Lockstep> {
        let batch: Box<dyn Batch> = match instructions {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => Box::new(Engine::new(simd::Avx512::detect()?)),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => Box::new(Engine::new(simd::Avx2::detect()?)),
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => Box::new(Engine::new(simd::Neon::detect()?)),
            #[cfg(target_arch = "wasm32")]
            InstructionSet::Simd128 => Box::new(Engine::new(simd::Simd128::detect()?)),
            InstructionSet::Portable => Box::new(Engine::new(simd::Portable)),
            _ => return None,
        };
        Some(Lockstep {
            instructions,
            batch,
            single: Bands::new(),
        })
    }

    /// Returns the instructions that it runs on.
    pub fn instructions(&self) -> InstructionSet {
        self.instructions
    }
}

impl Solver for Lockstep {
    /// Solves the puzzles in lanes. The answers depend on each puzzle alone. Which of several
    /// solutions are found first, and the effort by a few per cent, depend on the other puzzles
    /// too: a lane that waits for its turn is swept once more.
    fn solve_lines(
        &mut self,
        lines: &[PuzzleLine],
        goal: Goal,
        limits: Limits,
        sink: &mut dyn FnMut(Outcome),
    ) {
        let records = self.batch.solve(lines, goal.limit(), limits);
        for record in &records.puzzles {
            sink(Outcome {
                verdict: verdict(record, records, goal),
                effort: record.effort,
            });
        }
    }

    /// Solves a single puzzle by [`Bands`], which takes less time than filling the lanes.
    fn solve(&mut self, puzzle: &Puzzle, goal: Goal, limits: Limits) -> Outcome {
        self.single.solve(puzzle, goal, limits)
    }
}

/// Returns the verdict of a puzzle.
fn verdict(record: &Record, records: &Records, goal: Goal) -> Verdict {
    let first = || Solution::of_checked_ascii(&record.first);
    match record.found {
        _ if record.out_of_budget => Verdict::OutOfBudget,
        0 => Verdict::Unsolvable,
        1 if goal.limit() == 1 => Verdict::Solved(first()),
        1 => Verdict::Unique(first()),
        _ => Verdict::Multiple(records.solutions(record)),
    }
}
