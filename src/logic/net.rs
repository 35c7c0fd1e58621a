//! What follows from an assumption by singles, with the reason of each claim.

use super::deduction::{Branch, Claim, Implication, Reason};
use crate::grid::{Candidate, CandidateGrid, CandidateSet, Cell, CellSet, Digit};

/// Follows this candidate through naked and hidden singles, the nearest first, until a claim comes
/// up whose contrary has; then what is needed of it. The last claim contradicts an earlier one.
pub(super) fn refutation(grid: &CandidateGrid, candidate: Candidate) -> Option<Branch> {
    let net = Net::followed(grid, candidate, |net| net.contradiction.is_some());
    let ends = net.contradiction?;
    Some(needed(&net.branch, &ends))
}

/// Follows this candidate in the same way until it comes to the falsehood of the other one.
pub(super) fn exclusion(grid: &CandidateGrid, from: Candidate, to: Candidate) -> Option<Branch> {
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

/// The claims that these need, in order; the latest of them comes last.
pub(super) fn needed(branch: &Branch, ends: &[usize]) -> Branch {
    let mut wanted = vec![false; branch.len()];
    for &end in ends {
        wanted[end] = true;
    }
    for at in (0..branch.len()).rev() {
        if wanted[at] {
            for &cause in &branch[at].causes {
                wanted[cause] = true;
            }
        }
    }
    let mut moved = vec![0; branch.len()];
    let mut kept = Branch::new();
    for (at, implication) in branch.iter().enumerate() {
        if wanted[at] {
            moved[at] = kept.len();
            let causes = implication.causes.iter().map(|&cause| moved[cause]);
            kept.push(Implication {
                causes: causes.collect(),
                ..implication.clone()
            });
        }
    }
    kept
}
