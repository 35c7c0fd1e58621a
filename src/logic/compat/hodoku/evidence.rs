//! The evidence of forcing chains and nets: claim by claim, each with its causes.

use super::board::Board;
use super::lookahead::{Lookahead, seen_by};
use super::tables::{Claim, Links, candidate, holds};
use crate::grid::{Candidate, Cell, CellSet, Digit, House};
use crate::logic::deduction::{Branch, Claim as CandidateClaim, Implication, Reason, needed};
use crate::logic::technique_id::TechniqueId;

/// Puts chains of claims, with groups among them, into the claims about candidates that evidence is
/// made of.
pub(super) struct BranchBuilder<'a> {
    board: Board<'a>,
    links: &'a Links,
    /// Whether claims follow by several links.
    net: bool,
    pub(super) branch: Branch,
}

impl BranchBuilder<'_> {
    /// A branch that begins with this assumption.
    pub(super) fn new<'a>(
        board: Board<'a>,
        links: &'a Links,
        start: CandidateClaim,
        net: bool,
    ) -> BranchBuilder<'a> {
        let assumed = Implication {
            claim: start,
            causes: Vec::new(),
            reason: Reason::Assumed,
        };
        BranchBuilder {
            board,
            links,
            net,
            branch: vec![assumed],
        }
    }

    fn place(&self, claim: CandidateClaim) -> Option<usize> {
        let mut known = self.branch.iter();
        known.position(|implication| implication.claim == claim)
    }

    fn add(&mut self, claim: CandidateClaim, causes: Vec<usize>, reason: Reason) {
        if self.place(claim).is_none() {
            self.branch.push(Implication {
                claim,
                causes,
                reason,
            });
        }
    }

    /// The places of the wrong candidates that a claim stands for.
    fn wrong(&self, one: Claim) -> Vec<usize> {
        let (digit, cells) = self.links.digit_and_cells(one);
        let claims = Candidate::in_cells(digit, cells).map(CandidateClaim::wrong);
        claims.filter_map(|claim| self.place(claim)).collect()
    }

    /// Adds what leads along this chain.
    pub(super) fn follow(&mut self, chain: &[Claim]) {
        // What made a group right: candidates that are wrong, and the house.
        let mut grouped: Option<(Vec<usize>, House)> = None;
        for link in chain.windows(2) {
            let [from, to] = [link[0], link[1]];
            if let (true, Some(first), Some(last)) = (self.net, candidate(from), candidate(to)) {
                let claim_of = |candidate, claim| CandidateClaim {
                    candidate,
                    holds: holds(claim),
                };
                self.look_ahead(claim_of(first, from), claim_of(last, to));
                continue;
            }
            let (digit, cells) = self.links.digit_and_cells(to);
            let (_, before) = self.links.digit_and_cells(from);
            match (holds(to), candidate(to)) {
                (true, Some(right)) => {
                    let reason = self.only_left(right, before);
                    let causes = self.wrong(from);
                    self.add(CandidateClaim::right(right), causes, reason);
                }
                (true, None) => {
                    let house = self.shared(digit, cells.union(before));
                    grouped = house.map(|house| (self.wrong(from), house));
                }
                (false, _) => {
                    let (causes, technique) = match (candidate(from), &grouped) {
                        (Some(right), _) => {
                            let cause = self.place(CandidateClaim::right(right));
                            (cause.into_iter().collect(), None)
                        }
                        (None, Some((causes, house))) => {
                            let technique = if house.index() >= 18 {
                                TechniqueId::Pointing
                            } else {
                                TechniqueId::Claiming
                            };
                            (causes.clone(), Some(technique))
                        }
                        (None, None) => continue,
                    };
                    for wrong in Candidate::in_cells(digit, cells) {
                        let reason = match technique {
                            Some(technique) => Reason::Technique(technique),
                            None => seen(wrong.cell, before),
                        };
                        self.add(CandidateClaim::wrong(wrong), causes.clone(), reason);
                    }
                }
            }
        }
    }

    /// Says what leads from one claim to the other by singles.
    fn look_ahead(&mut self, start: CandidateClaim, end: CandidateClaim) {
        let ahead = Lookahead::new(self.board, start).implications;
        let end = ahead.iter().position(|one| one.claim == end);
        let ahead = needed(&ahead, end.as_slice());
        for one in &ahead {
            let causes = one.causes.iter();
            let causes = causes.filter_map(|&cause| self.place(ahead[cause].claim));
            let causes = causes.collect();
            self.add(one.claim, causes, one.reason.clone());
        }
    }

    /// Why a candidate is right once those cells lack its digit, or its cell another one.
    fn only_left(&self, right: Candidate, before: CellSet) -> Reason {
        if before == CellSet::only(right.cell) {
            return Reason::LastCandidate(right.cell);
        }
        match self.shared(right.digit, before.with(right.cell)) {
            Some(house) => Reason::LastPlace(house),
            None => Reason::LastCandidate(right.cell),
        }
    }

    /// The house that has no other places for the digit than these.
    fn shared(&self, digit: Digit, cells: CellSet) -> Option<House> {
        House::all().find(|&house| self.board.places_in(digit, house) == cells)
    }
}

/// Why a candidate of this cell is wrong if one of those cells is right.
fn seen(cell: Cell, before: CellSet) -> Reason {
    before
        .first()
        .map_or(Reason::SameCell, |before| seen_by(before, cell))
}
