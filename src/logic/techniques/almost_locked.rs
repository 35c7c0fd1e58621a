//! Almost locked sets: ALS-XZ, ALS-XY-wing, ALS chains, death blossom.

use std::collections::{HashSet, VecDeque};
use std::ops::ControlFlow;

use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, Digit, DigitSet};
use crate::logic::deduction::{AlmostLockedSet, Pattern};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, eliminate};
use crate::logic::technique_id::{ChainName, TechniqueId};

/// ALS-XZ, ALS-XY-wing, ALS chain: two, three or more almost locked sets. Two neighbours share a
/// digit whose places in both see each other, so one of them lacks it (restricted common); no two of
/// these digits in a row are the same. Then the first set or the last one has all of its other
/// digits, and one that both have is eliminated from what sees all its places in both. Two sets joined
/// by two digits have all of the others.
///
/// ALS-XZ is by Bennys on the players' forum, 2005.
#[derive(Clone, Copy, Debug)]
pub struct AlsChain;

/// From a set to another one, by a digit.
#[derive(Clone, Copy)]
struct Joint {
    digit: Digit,
    to: usize,
}

impl Technique for AlsChain {
    fn id(&self) -> TechniqueId {
        TechniqueId::Chain(ChainName::AlsChain)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let sets = grid.almost_locked_sets();
        let joints: Vec<Vec<Joint>> = (0..sets.len())
            .take_while(|_| grid.check_deadline().is_continue())
            .map(|from| joints(grid, sets, from))
            .collect();
        for start in 0..sets.len() {
            grid.check_deadline()?;
            doubly_linked(grid, sets, &joints, start, sink)?;
            let mut exits = DigitSet::EMPTY;
            for joint in &joints[start] {
                if !exits.contains(joint.digit) {
                    exits = exits.with(joint.digit);
                    from_exit(grid, sets, &joints, (start, joint.digit), sink)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// The digits that join this set to others.
fn joints(grid: &CandidateGrid, sets: &[AlmostLockedSet], from: usize) -> Vec<Joint> {
    let mut joints = Vec::new();
    let set = sets[from];
    for digit in set.digits {
        let seen = set.places(digit, grid).common_peers();
        for (to, other) in sets.iter().enumerate() {
            let places = other.places(digit, grid);
            if !places.is_empty() && places.difference(seen).is_empty() {
                joints.push(Joint { digit, to });
            }
        }
    }
    joints
}

/// Eliminates these digits from what sees all their places in these cells.
fn beside(grid: &CandidateGrid, digits: DigitSet, cells: CellSet) -> CandidateSet {
    let eliminated = digits.into_iter().map(|digit| {
        let places = grid.places(digit);
        let seen = places.intersection(cells).common_peers();
        CandidateSet::of(digit, places.intersection(seen))
    });
    eliminated.fold(CandidateSet::EMPTY, |all, set| all.union(&set))
}

/// All chains that leave the first set by this digit; the shortest to each set and digit.
fn from_exit(
    grid: &State,
    sets: &[AlmostLockedSet],
    joints: &[Vec<Joint>],
    (start, exit): (usize, Digit),
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    // Where a set was entered by a digit, the set and digit before.
    let mut from: Vec<[Option<(usize, Digit)>; 9]> = vec![[None; 9]; sets.len()];
    let mut todo = VecDeque::new();
    let leave = |from: &mut Vec<[Option<(usize, Digit)>; 9]>,
                 todo: &mut VecDeque<(usize, Digit)>,
                 set: usize,
                 by: Digit,
                 may: &dyn Fn(Digit) -> bool| {
        for joint in joints[set].iter().filter(|joint| may(joint.digit)) {
            let entry = &mut from[joint.to][joint.digit.index()];
            if joint.to != start && entry.is_none() {
                *entry = Some((set, by));
                todo.push_back((joint.to, joint.digit));
            }
        }
    };
    leave(&mut from, &mut todo, start, exit, &|digit| digit == exit);
    while let Some((end, entry)) = todo.pop_front() {
        grid.check_deadline()?;
        leave(&mut from, &mut todo, end, entry, &|digit| digit != entry);
        let common = sets[start].digits.intersection(sets[end].digits);
        let common = common.without(exit).without(entry);
        let cells = sets[start].cells.union(sets[end].cells);
        let eliminated = beside(grid, common, cells);
        if end < start || eliminated.is_empty() {
            continue;
        }
        let mut path = vec![sets[end]];
        let mut digits = Vec::new();
        let (mut at, mut by) = (end, entry);
        while let Some((before, entered)) = from[at][by.index()] {
            digits.push(by);
            path.push(sets[before]);
            (at, by) = (before, entered);
            if at == start {
                break;
            }
        }
        path.reverse();
        digits.reverse();
        let name = match path.len() {
            2 => ChainName::AlsXz,
            3 => ChainName::AlsXyWing,
            _ => ChainName::AlsChain,
        };
        let one_by_one = common
            .into_iter()
            .map(|digit| beside(grid, DigitSet::only(digit), cells));
        let one_by_one = one_by_one.filter(|part| *part != eliminated);
        for eliminated in [eliminated].into_iter().chain(one_by_one) {
            eliminate(TechniqueId::Chain(name), eliminated, sink, || {
                Pattern::AlsChain {
                    sets: path.clone(),
                    joints: digits.clone(),
                }
            })?;
        }
    }
    ControlFlow::Continue(())
}

/// Two sets joined by two digits.
fn doubly_linked(
    grid: &CandidateGrid,
    sets: &[AlmostLockedSet],
    joints: &[Vec<Joint>],
    start: usize,
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    for (at, one) in joints[start].iter().enumerate() {
        for other in &joints[start][at + 1..] {
            if other.to != one.to || one.to < start {
                continue;
            }
            let [first, second] = [sets[start], sets[one.to]];
            let both = DigitSet::only(one.digit).with(other.digit);
            let eliminated = beside(grid, both, first.cells.union(second.cells))
                .union(&beside(grid, first.digits.difference(both), first.cells))
                .union(&beside(grid, second.digits.difference(both), second.cells));
            eliminate(
                TechniqueId::Chain(ChainName::AlsXz),
                eliminated,
                sink,
                || Pattern::AlsChain {
                    sets: vec![first, second],
                    joints: vec![one.digit, other.digit],
                },
            )?;
        }
    }
    ControlFlow::Continue(())
}

/// Death blossom: each candidate of a cell, the stem, sees all its places in an almost locked set, a
/// petal. Whichever is right, one of the petals is left with the digit that all have in common, so
/// what sees all its places in all of them is eliminated.
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
                    for (chosen, eliminated) in &found {
                        grid.check_deadline()?;
                        for petal in &petals {
                            let places = petal.places(digit, grid);
                            let eliminated = eliminated.intersection(places.common_peers());
                            if !eliminated.is_empty() && seen.insert(eliminated) {
                                let mut chosen = chosen.clone();
                                chosen.push(*petal);
                                next.push((chosen, eliminated));
                            }
                        }
                    }
                    found = next;
                }
                for (petals, eliminated) in found {
                    grid.check_deadline()?;
                    let all = common(grid, stem, &petals);
                    let eliminated = CandidateSet::of(digit, eliminated);
                    if all != eliminated {
                        eliminate(self.id(), all, sink, || Pattern::DeathBlossom {
                            stem,
                            petals: petals.clone(),
                            digit,
                        })?;
                    }
                    eliminate(self.id(), eliminated, sink, || Pattern::DeathBlossom {
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

/// What these petals eliminate of all the digits that they share.
fn common(grid: &CandidateGrid, stem: Cell, petals: &[AlmostLockedSet]) -> CandidateSet {
    let shared = petals.iter().map(|petal| petal.digits);
    let shared = shared.fold(DigitSet::ALL, DigitSet::intersection);
    let cells = petals.iter().map(|petal| petal.cells);
    let cells = cells.fold(CellSet::EMPTY, CellSet::union);
    beside(grid, shared.difference(grid.candidates(stem)), cells)
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
