//! What follows from candidates by singles: nothing that can be, or the same from each of several.

use std::ops::ControlFlow;

use crate::grid::{
    Candidate, CandidateGrid, CandidateSet, Cell, CellMap, CellSet, Digit, DigitSet, House,
};
use crate::logic::deduction::{Branch, Claim, ForcingKind, Implication, Pattern, Reason, needed};
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

/// Follows this candidate through naked and hidden singles, the nearest first, until a claim comes
/// up whose contrary has; then what is needed of it. The last claim contradicts an earlier one.
fn refutation(grid: &CandidateGrid, candidate: Candidate) -> Option<Branch> {
    let net = Net::followed(grid, candidate, |net| net.contradiction.is_some());
    let ends = net.contradiction?;
    Some(needed(&net.branch, &ends))
}

/// Follows this candidate in the same way until it comes to the falsehood of the other one.
fn exclusion(grid: &CandidateGrid, from: Candidate, to: Candidate) -> Option<Branch> {
    let net = Net::followed(grid, from, |net| net.off.contains(to));
    let end = net.number[to.digit.index()][to.cell.index()];
    net.off.contains(to).then(|| needed(&net.branch, &[end]))
}

impl<'a> Net<'a> {
    /// What follows from this candidate, up to where it is enough.
    fn followed(
        grid: &'a CandidateGrid,
        candidate: Candidate,
        is_enough: impl Fn(&Net<'_>) -> bool,
    ) -> Net<'a> {
        let mut net = Net {
            places: Digit::ALL.map(|digit| grid.places(digit).difference(grid.placed())),
            grid,
            branch: Vec::new(),
            on: CandidateSet::EMPTY,
            off: CandidateSet::EMPTY,
            number: [[0; Cell::COUNT]; 9],
            contradiction: None,
        };
        net.claim(candidate, true, Vec::new(), Reason::Assumed);
        let mut next = 0;
        while next < net.branch.len() && !is_enough(&net) {
            let Claim { candidate, holds } = net.branch[next].claim;
            if holds {
                net.rise(candidate, next);
            } else {
                net.fall(candidate);
            }
            next += 1;
        }
        net
    }
}

struct Net<'a> {
    grid: &'a CandidateGrid,
    /// The blank cells that have each digit, before the assumption.
    places: [CellSet; 9],
    branch: Branch,
    on: CandidateSet,
    off: CandidateSet,
    /// Where in the branch a candidate is claimed for the first time.
    number: [[usize; Cell::COUNT]; 9],
    /// The claims that exclude each other.
    contradiction: Option<[usize; 2]>,
}

impl Net<'_> {
    fn claim(&mut self, candidate: Candidate, holds: bool, causes: Vec<usize>, reason: Reason) {
        let (same, contrary) = if holds {
            (&mut self.on, &self.off)
        } else {
            (&mut self.off, &self.on)
        };
        if same.contains(candidate) || self.contradiction.is_some() {
            return;
        }
        *same = same.with(candidate);
        let number = &mut self.number[candidate.digit.index()][candidate.cell.index()];
        let now = self.branch.len();
        self.branch.push(Implication {
            claim: Claim { candidate, holds },
            causes,
            reason,
        });
        if contrary.contains(candidate) {
            self.contradiction = Some([*number, now]);
        } else {
            *number = now;
        }
    }

    /// What a candidate that is right excludes.
    fn rise(&mut self, Candidate { cell, digit }: Candidate, from: usize) {
        for other in self.grid.candidates(cell).without(digit) {
            let candidate = Candidate { cell, digit: other };
            self.claim(candidate, false, vec![from], Reason::SameCell);
        }
        let seen = self.places[digit.index()].intersection(cell.peers());
        for peer in seen {
            let shared = peer.houses().into_iter().find(|h| h.cells().contains(cell));
            if let Some(house) = shared {
                let candidate = Candidate { cell: peer, digit };
                self.claim(candidate, false, vec![from], Reason::SameHouse(house));
            }
        }
    }

    /// Whether a cell or a house has one candidate left without this one.
    fn fall(&mut self, Candidate { cell, digit }: Candidate) {
        let mut left = self.grid.candidates(cell).into_iter().filter(|&digit| {
            let candidate = Candidate { cell, digit };
            !self.off.contains(candidate)
        });
        if let (Some(last), None) = (left.next(), left.next()) {
            let gone = self.grid.candidates(cell).without(last).into_iter();
            let causes = gone.map(|other| self.number[other.index()][cell.index()]);
            let causes = causes.collect();
            let candidate = Candidate { cell, digit: last };
            self.claim(candidate, true, causes, Reason::LastCandidate(cell));
        }
        for house in cell.houses() {
            let held = self.places[digit.index()].intersection(house.cells());
            if let Some(last) = held.difference(self.off.places(digit)).single() {
                let gone = held.without(last).into_iter();
                let causes = gone.map(|other| self.number[digit.index()][other.index()]);
                let causes = causes.collect();
                let candidate = Candidate { cell: last, digit };
                self.claim(candidate, true, causes, Reason::LastPlace(house));
            }
        }
    }
}
