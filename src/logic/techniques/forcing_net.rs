//! What follows from candidates by singles: nothing that can be, or the same from each of several.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CandidateSet, Cell, CellMap, CellSet, Digit, DigitSet, House};
use crate::logic::deduction::{Branch, ForcingKind, Pattern};
use crate::logic::net::{exclusion, refutation};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, eliminate, held};
use crate::logic::technique_id::{ForcingName, TechniqueId};
use crate::solve::Trial;

/// Forcing nets through naked and hidden singles.
#[derive(Clone, Copy, Debug)]
pub enum ForcingNet {
    /// If the candidate were right, what follows would exclude itself. Cells with few candidates are
    /// looked at first.
    Contradiction {
        /// How many rounds of singles are followed.
        rounds: usize,
    },
    /// One of the candidates of a cell, or of the places of a digit in a house, is right, and what
    /// follows from each of them eliminates the same. Where one of them contradicts itself nothing is
    /// looked for.
    Verity,
}

impl Technique for ForcingNet {
    fn id(&self) -> TechniqueId {
        TechniqueId::Forcing(match self {
            ForcingNet::Contradiction { .. } => ForcingName::NetContradiction,
            ForcingNet::Verity => ForcingName::NetVerity,
        })
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        match *self {
            ForcingNet::Contradiction { rounds } => self.contradictions(grid, rounds, sink),
            ForcingNet::Verity => self.verities(grid, sink),
        }
    }
}

impl ForcingNet {
    fn contradictions(&self, grid: &State, rounds: usize, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let trial = Trial::new(grid);
        let mut blanks: Vec<Cell> = grid.blanks().into_iter().collect();
        blanks.sort_by_key(|&cell| grid.candidates(cell).len());
        for cell in blanks {
            for digit in grid.candidates(cell) {
                grid.check_deadline()?;
                let candidate = Candidate { cell, digit };
                if !trial.refutes_within(rounds, candidate) {
                    continue;
                }
                if let Some(branch) = refutation(grid, candidate) {
                    let kind = ForcingKind::Contradiction;
                    let eliminated = CandidateSet::only(candidate);
                    let branches = vec![branch];
                    eliminate(self.id(), eliminated, sink, || Pattern::Forcing {
                        kind,
                        branches,
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn verities(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let trial = Trial::new(grid);
        let mut left = CellMap::from_fn(|_| [None; 9]);
        for cell in grid.blanks() {
            for digit in grid.candidates(cell) {
                left[cell][digit.index()] = trial.place(Candidate { cell, digit }).ok();
            }
        }
        let of_cells = grid.blanks().into_iter().map(|cell| {
            let starts = Candidate::in_cell(cell, grid.candidates(cell)).collect();
            (ForcingKind::Cell(cell), starts)
        });
        let of_houses = House::all().flat_map(|house| {
            Digit::ALL.into_iter().map(move |digit| {
                let places = grid.places(digit).intersection(house.cells());
                let places = places.intersection(grid.blanks());
                let starts: Vec<Candidate> = Candidate::in_cells(digit, places).collect();
                (ForcingKind::House(house), starts)
            })
        });
        let starts = of_cells.chain(of_houses);
        for (kind, starts) in starts.filter(|(_, starts)| !starts.is_empty()) {
            let ends = starts.iter().map(|at| left[at.cell][at.digit.index()]);
            let all = |all: CandidateSet, end: Option<CandidateSet>| Some(all.union(&end?));
            let mut ends = ends;
            let Some(ends) = ends.try_fold(CandidateSet::EMPTY, all) else {
                continue;
            };
            let all = held(grid, CellSet::ALL, DigitSet::ALL);
            for candidate in all.difference(&ends).iter() {
                grid.check_deadline()?;
                let branches: Option<Vec<Branch>> = starts
                    .iter()
                    .map(|&start| exclusion(grid, start, candidate))
                    .collect();
                if let Some(branches) = branches {
                    let eliminated = CandidateSet::only(candidate);
                    eliminate(self.id(), eliminated, sink, || Pattern::Forcing {
                        kind,
                        branches,
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
