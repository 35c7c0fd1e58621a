//! Almost locked sets, in HoDoKu's order: house by house, each set by its first cell, then its
//! second, and so on; two of them that share no cell, by their numbers.

use std::collections::HashSet;

use super::board::{Board, eliminate, sort, weight};
use crate::grid::{Candidate, CellSet, Digit, DigitSet, House};
use crate::logic::deduction::{AlmostLockedSet, Deduction, Pattern};
use crate::logic::state::almost_locked_in;
use crate::logic::technique_id::{ChainName, TechniqueId};

/// Sets in a chain, at most, less one.
const LONGEST: usize = 50;

/// A set, with what each of its digits does.
struct Set {
    set: AlmostLockedSet,
    /// Its cells with each digit.
    held: [CellSet; 9],
    /// What sees all of these: places of the digit outside the set.
    seen: [CellSet; 9],
}

/// Two sets that cannot both have a digit, the first with the smaller number.
struct Joint {
    sets: [usize; 2],
    first: Digit,
    second: Option<Digit>,
}

/// All sets of a board and how they are joined.
pub(super) struct Sets<'a> {
    board: Board<'a>,
    sets: Vec<Set>,
    joints: Vec<Joint>,
    /// The joints whose first set is this one.
    from: Vec<std::ops::Range<usize>>,
}

impl Sets<'_> {
    pub(super) fn new(board: Board<'_>) -> Sets<'_> {
        let sets = collect(board);
        let mut joints = Vec::new();
        let mut from = Vec::new();
        for (at, one) in sets.iter().enumerate() {
            if board.is_late() {
                break;
            }
            let start = joints.len();
            for (to, other) in sets.iter().enumerate().skip(at + 1) {
                if !one.set.cells.intersection(other.set.cells).is_empty() {
                    continue;
                }
                let common = one.set.digits.intersection(other.set.digits).into_iter();
                let mut joining = common.filter(|digit| {
                    let other = other.held[digit.index()];
                    other.difference(one.seen[digit.index()]).is_empty()
                });
                if let Some(first) = joining.next() {
                    joints.push(Joint {
                        sets: [at, to],
                        first,
                        second: joining.last(),
                    });
                }
            }
            from.push(start..joints.len());
        }
        Sets {
            board,
            sets,
            joints,
            from,
        }
    }

    /// What both sets eliminate by digits they have in common, but for these.
    fn eliminated(&self, [one, other]: [usize; 2], but: DigitSet) -> Vec<Candidate> {
        let [one, other] = [one, other].map(|at| &self.sets[at]);
        let common = one.set.digits.intersection(other.set.digits);
        let digits = common.difference(but).into_iter();
        let eliminated = digits.flat_map(|digit| {
            let seen = one.seen[digit.index()].intersection(other.seen[digit.index()]);
            Candidate::in_cells(digit, seen)
        });
        eliminated.collect()
    }

    /// What the first one eliminates outside the second once it is locked.
    fn locked(&self, [one, other]: [usize; 2], but: DigitSet) -> Vec<Candidate> {
        let [one, other] = [one, other].map(|at| &self.sets[at]);
        let digits = one.set.digits.difference(but).into_iter();
        let eliminated = digits.flat_map(|digit| {
            let seen = one.seen[digit.index()].difference(other.set.cells);
            Candidate::in_cells(digit, seen)
        });
        eliminated.collect()
    }

    pub(super) fn xz(&self) -> Option<Deduction> {
        self.joints.iter().find_map(|joint| {
            let [one, other] = joint.sets;
            let mut eliminated = self.eliminated(joint.sets, DigitSet::only(joint.first));
            let mut digits = vec![joint.first];
            if let Some(second) = joint.second {
                let both = DigitSet::only(joint.first).with(second);
                eliminated.extend(self.eliminated(joint.sets, DigitSet::only(second)));
                eliminated.extend(self.locked([one, other], both));
                eliminated.extend(self.locked([other, one], both));
                digits.push(second);
            }
            self.show(ChainName::AlsXz, eliminated, &joint.sets, digits)
        })
    }

    pub(super) fn xy_wing(&self) -> Option<Deduction> {
        let mut touching = vec![Vec::new(); self.sets.len()];
        for (at, joint) in self.joints.iter().enumerate() {
            for set in joint.sets {
                touching[set].push(at);
            }
        }
        let on_time = |_: &(usize, &Joint)| !self.board.is_late();
        let joints = self.joints.iter().enumerate().take_while(on_time);
        joints.into_iter().find_map(|(at, joint)| {
            let mut later: Vec<usize> = joint
                .sets
                .iter()
                .flat_map(|&set| touching[set].iter().copied().filter(|&other| other > at))
                .collect();
            later.sort_unstable();
            later
                .into_iter()
                .find_map(|other| self.wing(joint, &self.joints[other]))
        })
    }

    fn wing(&self, one: &Joint, other: &Joint) -> Option<Deduction> {
        let single = one.second.is_none() && other.second.is_none();
        if single && one.first == other.first || one.sets == other.sets {
            return None;
        }
        let middle = one.sets.into_iter().find(|set| other.sets.contains(set))?;
        let end = |joint: &Joint| joint.sets.into_iter().find(|&set| set != middle);
        let ends = [end(one)?, end(other)?];
        let [a, b] = ends.map(|at| self.sets[at].set.cells);
        if !a.intersection(b).is_empty() {
            return None;
        }
        let used = [Some(one.first), one.second, Some(other.first), other.second];
        let used: DigitSet = used
            .into_iter()
            .flatten()
            .fold(DigitSet::EMPTY, DigitSet::with);
        let eliminated = self.eliminated(ends, used);
        let joints = distinct(one, other);
        self.show(
            ChainName::AlsXyWing,
            eliminated,
            &[ends[0], middle, ends[1]],
            joints,
        )
    }

    fn show(
        &self,
        name: ChainName,
        eliminated: Vec<Candidate>,
        sets: &[usize],
        joints: Vec<Digit>,
    ) -> Option<Deduction> {
        eliminate(TechniqueId::Chain(name), eliminated, || Pattern::AlsChain {
            sets: sets.iter().map(|&at| self.sets[at].set).collect(),
            joints,
        })
    }

    /// Chains of four or more sets, depth first, with rising numbers.
    pub(super) fn chain(&self) -> Option<Deduction> {
        let mut search = Chains {
            sets: self,
            chain: Vec::new(),
            found: Vec::new(),
        };
        for start in 0..self.sets.len() {
            search.extend(start, start);
        }
        let rank = |(eliminated, sets, _): &(Vec<Candidate>, Vec<usize>, Vec<Digit>)| {
            let most = usize::MAX - eliminated.len();
            (most, weight(eliminated), sets.len(), self.cells(sets))
        };
        let least = search.found.into_iter().min_by_key(rank);
        let (eliminated, sets, joints) = least?;
        self.show(ChainName::AlsChain, eliminated, &sets, joints)
    }

    fn cells(&self, sets: &[usize]) -> usize {
        let sets = sets.iter().map(|&at| self.sets[at].set.cells.len());
        sets.sum()
    }
}

/// A digit of each joint, two that differ.
fn distinct(one: &Joint, other: &Joint) -> Vec<Digit> {
    let of = |joint: &Joint| [Some(joint.first), joint.second].into_iter().flatten();
    let pairs = of(one).flat_map(|a| of(other).map(move |b| [a, b]));
    let mut differing = pairs.filter(|[a, b]| a != b);
    differing.next().map_or(Vec::new(), Vec::from)
}

/// All sets, each once.
fn collect(board: Board<'_>) -> Vec<Set> {
    let mut seen = HashSet::new();
    let mut sets = Vec::new();
    for house in House::all() {
        almost_locked_in(board.state(), house, &mut |set| {
            if seen.insert(set.cells) {
                sets.push(complete(board, set));
            }
        });
    }
    sets
}

fn complete(board: Board<'_>, set: AlmostLockedSet) -> Set {
    let held = Digit::ALL.map(|digit| board.places(digit).intersection(set.cells));
    let seen = Digit::ALL.map(|digit| {
        let seen = held[digit.index()].common_peers();
        if set.digits.contains(digit) {
            board.places(digit).intersection(seen).difference(set.cells)
        } else {
            CellSet::EMPTY
        }
    });
    Set { set, held, seen }
}

/// The joint by which a chain goes on, and which of its digits it uses.
#[derive(Clone, Copy)]
struct Step {
    joint: usize,
    first: bool,
    second: bool,
}

struct Chains<'a> {
    sets: &'a Sets<'a>,
    chain: Vec<Step>,
    found: Vec<(Vec<Candidate>, Vec<usize>, Vec<Digit>)>,
}

impl Chains<'_> {
    fn extend(&mut self, start: usize, at: usize) {
        if self.chain.len() >= LONGEST || self.sets.board.is_late() {
            return;
        }
        let joints = self.sets.from.get(at).cloned().unwrap_or_default();
        for joint in joints {
            for step in self.steps(joint) {
                self.chain.push(step);
                self.check(start);
                let to = self.sets.joints[joint].sets[1];
                self.extend(start, to);
                self.chain.pop();
            }
        }
    }

    /// The ways to use this joint after the last one. Of two digits of the last one only the first
    /// is minded.
    fn steps(&self, joint: usize) -> Vec<Step> {
        let Joint { first, second, .. } = self.sets.joints[joint];
        let step = |first, second| Step {
            joint,
            first,
            second,
        };
        let Some(last) = self.chain.last() else {
            return match second {
                Some(_) => vec![step(true, false), step(false, true)],
                None => vec![step(true, false)],
            };
        };
        let before = &self.sets.joints[last.joint];
        let used = if last.first {
            Some(before.first)
        } else {
            before.second
        };
        let (first, second) = (Some(first) != used, second.is_some() && second != used);
        if first || second {
            vec![step(first, second)]
        } else {
            Vec::new()
        }
    }

    fn digits(&self, step: Step) -> impl Iterator<Item = Digit> {
        let joint = &self.sets.joints[step.joint];
        let first = step.first.then_some(joint.first);
        let second = joint.second.filter(|_| step.second);
        first.into_iter().chain(second)
    }

    fn check(&mut self, start: usize) {
        let (Some(&first), Some(&last), true) =
            (self.chain.first(), self.chain.last(), self.chain.len() >= 3)
        else {
            return;
        };
        let ends = self.digits(first).chain(self.digits(last));
        let but = ends.fold(DigitSet::EMPTY, DigitSet::with);
        let end = self.sets.joints[last.joint].sets[1];
        let mut eliminated = self.sets.eliminated([start, end], but);
        if eliminated.is_empty() {
            return;
        }
        sort(&mut eliminated);
        let to = self
            .chain
            .iter()
            .map(|step| self.sets.joints[step.joint].sets[1]);
        let sets: Vec<usize> = std::iter::once(start).chain(to).collect();
        let joints = self
            .chain
            .iter()
            .filter_map(|&step| self.digits(step).next());
        let joints = joints.collect();
        match self.found.iter_mut().find(|(held, ..)| *held == eliminated) {
            None => self.found.push((eliminated, sets, joints)),
            Some(held) => {
                if self.sets.cells(&held.1) > self.sets.cells(&sets) {
                    *held = (eliminated, sets, joints);
                }
            }
        }
    }
}
