//! A cell, and for each of its candidates an almost locked set that it would lock.

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, Digit, DigitSet};
use crate::logic::almost_locked::{AlmostLockedSet, common_peers};
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, strike};
use crate::logic::technique_id::TechniqueId;

/// Death blossom: each candidate of a cell, the stem, sees all its places in an almost locked set, a
/// petal. Whichever is right, one of the petals is left with the digit that all have in common, so
/// what sees all its places in all of them is struck.
///
/// Described by Mike Barker on the players' forum.
#[derive(Clone, Copy, Debug)]
pub struct DeathBlossom;

/// Petals, one for each candidate of the stem so far, and what all see of the common digit.
type Petals = (Vec<AlmostLockedSet>, CellSet);

impl Technique for DeathBlossom {
    fn id(&self) -> TechniqueId {
        TechniqueId::DeathBlossom
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let sets = grid.almost_locked_sets();
        for stem in grid.blanks() {
            for digit in Digit::ALL {
                if grid.candidates(stem).contains(digit) {
                    continue;
                }
                let mut found: Vec<Petals> = vec![(Vec::new(), grid.places(digit).without(stem))];
                for by_stem in grid.candidates(stem) {
                    let petals = petals(grid, sets, stem, by_stem, digit);
                    let mut seen = HashSet::new();
                    let mut next = Vec::new();
                    for (chosen, struck) in &found {
                        grid.check_deadline()?;
                        for petal in &petals {
                            let places = petal.places(digit, grid);
                            let struck = struck.intersection(common_peers(places));
                            if !struck.is_empty() && seen.insert(struck) {
                                let mut chosen = chosen.clone();
                                chosen.push(*petal);
                                next.push((chosen, struck));
                            }
                        }
                    }
                    found = next;
                }
                for (petals, struck) in found {
                    grid.check_deadline()?;
                    let all = common(grid, stem, &petals);
                    let struck = CandidateSet::of(digit, struck);
                    if all != struck {
                        strike(self.id(), all, sink, || Pattern::DeathBlossom {
                            stem,
                            petals: petals.clone(),
                            digit,
                        })?;
                    }
                    strike(self.id(), struck, sink, || Pattern::DeathBlossom {
                        stem,
                        petals,
                        digit,
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// What these petals strike of all the digits that they share.
fn common(grid: &CandidateGrid, stem: Cell, petals: &[AlmostLockedSet]) -> CandidateSet {
    let shared = petals.iter().map(|petal| petal.digits);
    let shared = shared.fold(DigitSet::ALL, DigitSet::intersection);
    let cells = petals.iter().map(|petal| petal.cells);
    let cells = cells.fold(CellSet::EMPTY, CellSet::union);
    let struck = shared
        .difference(grid.candidates(stem))
        .into_iter()
        .map(|digit| {
            let seen = common_peers(grid.places(digit).intersection(cells));
            CandidateSet::of(digit, grid.places(digit).intersection(seen))
        });
    struck.fold(CandidateSet::EMPTY, |all, set| all.union(&set))
}

/// The almost locked sets with this digit that the stem's one would lock.
fn petals(
    grid: &CandidateGrid,
    sets: &[AlmostLockedSet],
    stem: Cell,
    by_stem: Digit,
    digit: Digit,
) -> Vec<AlmostLockedSet> {
    let locks = |set: &&AlmostLockedSet| {
        let near = set
            .places(by_stem, grid)
            .difference(stem.peers())
            .is_empty();
        let holds = set.digits.contains(by_stem) && set.digits.contains(digit);
        holds && near && !set.cells.contains(stem)
    };
    sets.iter().filter(locks).copied().collect()
}
