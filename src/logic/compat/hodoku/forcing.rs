//! Forcing chains and nets, as HoDoKu picks them: all that the tables show is collected.

use super::board::{Board, eliminate, place};
use super::evidence::BranchBuilder;
use super::findings::{Choice, Clash, Consequences, Finding, Proof, ends, findings};
use super::tables::{Links, Table, candidate, claim, holds};
use crate::grid::{Candidate, CellSet};
use crate::logic::deduction::{
    Branch, Claim as CandidateClaim, Deduction, ForcingKind, Implication, Pattern, Reason,
};
use crate::logic::technique_id::{ForcingName, TechniqueId};

/// The step of a finding; the evidence follows each claim to its end.
fn step(
    board: Board<'_>,
    finding: Finding,
    follow: &dyn Fn(CandidateClaim, &[CandidateClaim]) -> Branch,
    names: [ForcingName; 2],
) -> Option<Deduction> {
    let Finding { shows, proof } = finding;
    let (name, kind, branches) = match &proof {
        Proof::Verity(kind, ..) => {
            let ends = ends(board, &proof).into_iter();
            let branches = ends.map(|(start, end)| follow(start, &[end])).collect();
            (names[1], *kind, branches)
        }
        Proof::Contradiction(start, clash) => {
            let ends = ends(board, &proof).into_iter().map(|(_, end)| end);
            let ends: Vec<CandidateClaim> = ends.collect();
            let branches = against(*start, clash, &ends, follow);
            (names[0], ForcingKind::Contradiction, branches)
        }
    };
    let technique = TechniqueId::Forcing(name);
    let pattern = Pattern::Forcing { kind, branches };
    if shows.holds {
        return Some(place(technique, shows.candidate, pattern));
    }
    eliminate(technique, vec![shows.candidate], || pattern)
}

/// One branch that ends in the contrary of its start, or two that end in contraries.
fn against(
    start: CandidateClaim,
    clash: &Clash,
    ends: &[CandidateClaim],
    follow: &dyn Fn(CandidateClaim, &[CandidateClaim]) -> Branch,
) -> Vec<Branch> {
    let Some((last, others)) = ends.split_last() else {
        return Vec::new();
    };
    let reason = match clash {
        Clash::Contrary => return vec![follow(start, &[*last])],
        Clash::Both(_) => return vec![follow(start, others), follow(start, &[*last])],
        Clash::Digits(..) => Reason::SameCell,
        Clash::Twice(house, _) => Reason::SameHouse(*house),
        Clash::Empty(cell) => Reason::LastCandidate(*cell),
        Clash::Homeless(house, _) => Reason::LastPlace(*house),
    };
    let mut branch = follow(start, others);
    let causes = others.iter().filter_map(|other| {
        let mut known = branch.iter();
        known.position(|implication| implication.claim == *other)
    });
    let causes = causes.collect();
    branch.push(Implication {
        claim: last.contrary(),
        causes,
        reason,
    });
    vec![branch, follow(start, &[*last])]
}

/// The step that HoDoKu's forcing chains show first.
pub(super) fn forcing_chain(board: Board<'_>) -> Option<Deduction> {
    let names = [ForcingName::ChainContradiction, ForcingName::ChainVerity];
    first(board, &Links::new(board, true), false, names)
}

/// The step that HoDoKu's forcing nets show first.
pub(super) fn forcing_net(board: Board<'_>) -> Option<Deduction> {
    let names = [ForcingName::NetContradiction, ForcingName::NetVerity];
    first(board, &Links::ahead(board), true, names)
}

fn first(board: Board<'_>, links: &Links, net: bool, names: [ForcingName; 2]) -> Option<Deduction> {
    let candidates = board.candidates();
    let tables = [true, false].map(|holds| {
        let on_time = candidates.iter().take_while(|_| !board.is_late());
        let tables = on_time.map(|&start| links.table(claim(start, holds)));
        tables.collect::<Vec<Table>>()
    });
    let [right, wrong] = [0, 1].map(|at| {
        let starts = candidates.iter().zip(&tables[at]);
        let all = starts.map(|(&start, table)| consequences(start, table));
        all.collect::<Vec<Consequences>>()
    });
    if board.is_late() {
        return None;
    }
    let table = |start: CandidateClaim| {
        let at = candidates
            .iter()
            .position(|&candidate| candidate == start.candidate)?;
        tables[usize::from(!start.holds)].get(at)
    };
    let length = |finding: &Finding| {
        let chains = ends(board, &finding.proof).into_iter();
        let lengths = chains.filter_map(|(start, end)| {
            let chain = table(start)?.chain(claim(end.candidate, end.holds));
            Some(chain.len())
        });
        lengths.sum()
    };
    let mut choice = Choice::default();
    findings(board, &right, &wrong, &mut |finding| {
        choice.see(finding, length);
    });
    if board.is_late() {
        return None;
    }
    let follow = |start: CandidateClaim, ends: &[CandidateClaim]| {
        let mut builder = BranchBuilder::new(board, links, start, net);
        for end in ends {
            if let Some(table) = table(start) {
                builder.follow(&table.chain(claim(end.candidate, end.holds)));
            }
        }
        builder.branch
    };
    step(board, choice.take()?, &follow, names)
}

fn consequences(start: Candidate, table: &Table) -> Consequences {
    let mut right = [CellSet::EMPTY; 9];
    let mut wrong = [CellSet::EMPTY; 9];
    for &one in &table.claims {
        if let Some(Candidate { cell, digit }) = candidate(one) {
            let side = if holds(one) { &mut right } else { &mut wrong };
            side[digit.index()] = side[digit.index()].with(cell);
        }
    }
    Consequences {
        start,
        right,
        wrong,
    }
}
