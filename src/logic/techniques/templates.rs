//! All ways in which a digit can fill the board.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CandidateSet, CellSet, Digit, Lines};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, eliminate};
use crate::logic::technique_id::TechniqueId;

/// Templates: of all ways to put a digit once into each house, those that its candidates allow. A
/// cell in all of them takes the digit, and a cell in none of them does not. What one digit takes is
/// left out for the others.
#[derive(Clone, Copy, Debug)]
pub enum Templates {
    /// Cells in all of them.
    Set,
    /// Cells in none of them.
    Delete,
}

impl Technique for Templates {
    fn id(&self) -> TechniqueId {
        match self {
            Templates::Set => TechniqueId::TemplateSet,
            Templates::Delete => TechniqueId::TemplateDelete,
        }
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let settled = settle(grid);
        grid.check_deadline()?;
        for (digit, reached) in Digit::ALL.into_iter().zip(settled) {
            let places = grid.places(digit);
            if reached.some.is_empty() {
                continue;
            }
            let pattern = Pattern::Templates { digit };
            match self {
                Templates::Set => {
                    for cell in reached.all.difference(grid.placed()) {
                        sink(Deduction {
                            technique: self.id(),
                            effect: Effect::Place(Candidate { cell, digit }),
                            pattern: pattern.clone(),
                        })?;
                    }
                }
                Templates::Delete => {
                    let eliminated = CandidateSet::of(digit, places.difference(reached.some));
                    eliminate(self.id(), eliminated, sink, || pattern)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// For each digit, what its templates have in common, and together. A cell in all templates of a
/// digit is in none of another's, which may leave fewer of these.
fn settle(grid: &State) -> [Reached; 9] {
    let mut places = Digit::ALL.map(|digit| grid.places(digit));
    loop {
        let reached = places.map(|places| {
            let mut reached = Reached {
                all: CellSet::ALL,
                some: CellSet::EMPTY,
            };
            let _ = extend(grid, places, 0, CellSet::EMPTY, &mut reached);
            reached
        });
        // Where a digit has no template there is no solution, and nothing more to learn.
        if reached.iter().any(|reached| reached.some.is_empty()) {
            return reached;
        }
        let before = places;
        for (digit, places) in places.iter_mut().enumerate() {
            for (other, reached) in reached.iter().enumerate() {
                if other != digit {
                    *places = places.difference(reached.all);
                }
            }
        }
        if places == before {
            return reached;
        }
    }
}

/// What the templates seen so far have in common, and together.
struct Reached {
    all: CellSet,
    some: CellSet,
}

/// Goes through the templates with these cells in the rows above.
fn extend(
    grid: &State,
    places: CellSet,
    row: usize,
    chosen: CellSet,
    reached: &mut Reached,
) -> ControlFlow<()> {
    let Some(house) = Lines::Rows.houses().nth(row) else {
        reached.all = reached.all.intersection(chosen);
        reached.some = reached.some.union(chosen);
        return ControlFlow::Continue(());
    };
    if row == 4 {
        grid.check_deadline()?;
    }
    for cell in places.intersection(house.cells()) {
        let places = places.difference(cell.peers());
        extend(grid, places, row + 1, chosen.with(cell), reached)?;
    }
    ControlFlow::Continue(())
}
