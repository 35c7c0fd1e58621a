//! A line and a block that share out the digits of the cells where they cross.

use std::ops::ControlFlow;

use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, DigitSet, House};
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, strike};
use crate::logic::technique_id::TechniqueId;

/// Sue de Coq: some cells that a line and a block share, some others of the line and some others of
/// the block have as many digits together as they are cells, where a digit of both the line's and the
/// block's cells counts twice. So each is used, and is struck from the rest of the houses in which
/// it stands.
///
/// Found by Sue De Coq, described on the players' forum as "two-sector disjoint subsets", 2005.
#[derive(Clone, Copy, Debug)]
pub struct SueDeCoq;

impl Technique for SueDeCoq {
    fn id(&self) -> TechniqueId {
        TechniqueId::SueDeCoq
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let blanks = grid.blanks();
        for block in House::all().skip(18) {
            for line in House::all().take(18) {
                let shared = line
                    .cells()
                    .intersection(block.cells())
                    .intersection(blanks);
                if shared.len() < 2 {
                    continue;
                }
                let in_line = line.cells().difference(block.cells()).intersection(blanks);
                let in_block = block.cells().difference(line.cells()).intersection(blanks);
                let [in_line, in_block] = [in_line, in_block].map(|cells| choices(grid, cells));
                grid.check_deadline()?;
                for (center, common) in choices(grid, shared) {
                    if center.len() < 2 || common.len() < center.len() + 2 {
                        continue;
                    }
                    for &(a, of_line) in &in_line {
                        for &(b, of_block) in &in_block {
                            let twice = of_line.intersection(of_block);
                            let all = common.union(of_line).union(of_block);
                            let cells = center.len() + a.len() + b.len();
                            if all.len() + twice.len() != cells {
                                continue;
                            }
                            let by_line = all.difference(of_block).union(twice);
                            let by_block = all.difference(of_line).union(twice);
                            let beside_line = line.cells().difference(center.union(a));
                            let beside_block = block.cells().difference(center.union(b));
                            let mut struck = marks(grid, by_line, beside_line).union(&marks(
                                grid,
                                by_block,
                                beside_block,
                            ));
                            struck = struck.union(&marks(grid, twice, center));
                            strike(self.id(), struck, sink, || Pattern::SueDeCoq {
                                houses: [line, block],
                                center,
                                sides: [a, b],
                            })?;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// The candidates of these digits in these cells.
fn marks(grid: &CandidateGrid, digits: DigitSet, cells: CellSet) -> CandidateSet {
    let sets = digits
        .into_iter()
        .map(|digit| CandidateSet::of(digit, grid.places(digit).intersection(cells)));
    sets.fold(CandidateSet::EMPTY, |all, set| all.union(&set))
}

/// All choices of one or more of these cells, with their candidates.
fn choices(grid: &CandidateGrid, cells: CellSet) -> Vec<(CellSet, DigitSet)> {
    let cells: Vec<Cell> = cells.into_iter().collect();
    let choices = 1..1_u32 << cells.len();
    choices
        .map(|choice| {
            let chosen = cells.iter().enumerate();
            let chosen = chosen.filter(|(at, _)| choice >> at & 1 == 1);
            chosen.fold(
                (CellSet::EMPTY, DigitSet::EMPTY),
                |(set, held), (_, &cell)| (set.with(cell), held.union(grid.candidates(cell))),
            )
        })
        .collect()
}
