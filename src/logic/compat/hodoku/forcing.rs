//! Forcing chains and nets: what the tables of consequences prove, and which of it HoDoKu picks: a digit
//! for the first cell, if one is found, or else the elimination of the first candidate.

use super::board::{Board, eliminate};
use super::evidence::BranchBuilder;
use super::tables::{Links, Table, candidate, claim, holds};
use crate::grid::{Candidate, Cell, CellSet, Digit, House};
use crate::logic::deduction::{
    Branch, Claim, Claim as CandidateClaim, Deduction, ForcingKind, Implication, Pattern, Reason,
};
use crate::logic::technique::place;
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

/// All places of each digit that follow as right, or as wrong.
type Places = [CellSet; 9];

/// What follows from a claim about a candidate.
pub(super) struct Consequences {
    pub(super) start: Candidate,
    pub(super) right: Places,
    pub(super) wrong: Places,
}

/// Why a step is right.
#[derive(Clone, Debug)]
pub(super) enum Proof {
    /// From this claim all of these follow, which contradict each other in the end.
    Contradiction(Claim, Clash),
    /// From each of these claims the last one follows.
    Verity(ForcingKind, Vec<Claim>, Claim),
}

/// How claims contradict each other.
#[derive(Clone, Debug)]
pub(super) enum Clash {
    /// The contrary of the assumption.
    Contrary,
    /// A candidate is right and wrong.
    Both(Candidate),
    /// A cell has two digits.
    Digits(Cell, [Digit; 2]),
    /// A digit stands twice in a house.
    Twice(House, [Candidate; 2]),
    /// A cell has no candidate left.
    Empty(Cell),
    /// A digit has no place left in a house.
    Homeless(House, Digit),
}

/// A step, and why it is right.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// What it says of a candidate.
    pub(super) shows: Claim,
    pub(super) proof: Proof,
}

/// All that the consequences show, in the order HoDoKu sees it.
pub(super) fn findings(
    board: Board<'_>,
    right: &[Consequences],
    wrong: &[Consequences],
    see: &mut dyn FnMut(Finding),
) {
    for (on, off) in right.iter().zip(wrong) {
        if board.is_late() {
            return;
        }
        contradictions(board, on, true, see);
        contradictions(board, off, false, see);
    }
    for (on, off) in right.iter().zip(wrong) {
        let starts = [Claim::right(on.start), Claim::wrong(on.start)];
        let apart = CellSet::only(on.start.cell);
        verities(
            [on, off].into_iter(),
            ForcingKind::Double,
            &starts,
            apart,
            see,
        );
    }
    let starting = |candidates: Vec<Candidate>, kind: ForcingKind, see: &mut dyn FnMut(Finding)| {
        let from = right.iter().filter(|one| candidates.contains(&one.start));
        let starts: Vec<Claim> = candidates.iter().copied().map(Claim::right).collect();
        verities(from, kind, &starts, CellSet::EMPTY, see);
    };
    for cell in board.blanks() {
        if board.is_late() {
            return;
        }
        let all = Candidate::in_cell(cell, board.marks(cell)).collect();
        starting(all, ForcingKind::Cell(cell), see);
    }
    for house in House::all() {
        if board.is_late() {
            return;
        }
        for digit in Digit::ALL {
            let places = board.places_in(digit, house);
            let all: Vec<Candidate> = Candidate::in_cells(digit, places).collect();
            if !all.is_empty() {
                starting(all, ForcingKind::House(house), see);
            }
        }
    }
}

/// What follows from all of these.
fn verities<'a>(
    from: impl Iterator<Item = &'a Consequences>,
    kind: ForcingKind,
    starts: &[Claim],
    apart: CellSet,
    see: &mut dyn FnMut(Finding),
) {
    let mut right = [CellSet::ALL; 9];
    let mut wrong = [CellSet::ALL; 9];
    for one in from {
        for at in 0..9 {
            right[at] = right[at].intersection(one.right[at]);
            wrong[at] = wrong[at].intersection(one.wrong[at]);
        }
    }
    for (holds, places) in [(true, right), (false, wrong)] {
        for (digit, cells) in Digit::ALL.into_iter().zip(places) {
            for candidate in Candidate::in_cells(digit, cells.difference(apart)) {
                let shows = Claim { candidate, holds };
                let proof = Proof::Verity(kind, starts.to_vec(), shows);
                see(Finding { shows, proof });
            }
        }
    }
}

/// What contradicts itself among the consequences of one claim.
fn contradictions(
    board: Board<'_>,
    from: &Consequences,
    assumed: bool,
    see: &mut dyn FnMut(Finding),
) {
    let Consequences {
        start,
        right,
        wrong,
    } = from;
    let assumption = Claim {
        candidate: *start,
        holds: assumed,
    };
    let shows = assumption.contrary();
    let mut clash = |clash: Clash| {
        let proof = Proof::Contradiction(assumption, clash);
        see(Finding { shows, proof });
    };
    let contrary = if assumed { wrong } else { right };
    if contrary[start.digit.index()].contains(start.cell) {
        clash(Clash::Contrary);
    }
    for digit in Digit::ALL {
        let both = right[digit.index()].intersection(wrong[digit.index()]);
        if let Some(cell) = both.first() {
            clash(Clash::Both(Candidate { cell, digit }));
        }
    }
    for one in Digit::ALL {
        for other in Digit::ALL.into_iter().filter(|&other| other > one) {
            let both = right[one.index()].intersection(right[other.index()]);
            if let Some(cell) = both.first() {
                clash(Clash::Digits(cell, [one, other]));
            }
        }
    }
    for kind in 0..3 {
        for digit in Digit::ALL {
            for house in House::all().skip(9 * kind).take(9) {
                let twice = right[digit.index()].intersection(house.cells());
                let mut cells = Candidate::in_cells(digit, twice);
                if let (Some(one), Some(other)) = (cells.next(), cells.next()) {
                    clash(Clash::Twice(house, [one, other]));
                }
            }
        }
    }
    for cell in board.blanks() {
        let mut digits = board.marks(cell).into_iter();
        let eliminated = digits.all(|digit| wrong[digit.index()].contains(cell));
        if eliminated && !right.iter().any(|cells| cells.contains(cell)) {
            clash(Clash::Empty(cell));
        }
    }
    for kind in 0..3 {
        for digit in Digit::ALL {
            for house in House::all().skip(9 * kind).take(9) {
                let places = board.allowed(digit).intersection(house.cells());
                let gone = places.difference(wrong[digit.index()]).is_empty();
                if gone && !places.is_empty() {
                    clash(Clash::Homeless(house, digit));
                }
            }
        }
    }
}

/// Of all findings the one that HoDoKu takes: digits before eliminations, the first cell, the shortest.
#[derive(Default)]
pub(super) struct Choice {
    best: Option<(usize, bool, Finding)>,
}

impl Choice {
    /// Sees one more; its length is asked for only where it decides.
    pub(super) fn see(&mut self, finding: Finding, length: impl Fn(&Finding) -> usize) {
        let rank = |finding: &Finding| {
            let Candidate { cell, digit } = finding.shows.candidate;
            let digit = if finding.shows.holds {
                0
            } else {
                digit.index() + 1
            };
            (!finding.shows.holds, cell, digit)
        };
        let kind = |finding: &Finding| matches!(finding.proof, Proof::Verity(..));
        let better = match &self.best {
            None => true,
            Some((held_length, held_kind, held)) => match rank(&finding).cmp(&rank(held)) {
                std::cmp::Ordering::Less => true,
                std::cmp::Ordering::Greater => false,
                std::cmp::Ordering::Equal => {
                    let compares = !finding.shows.holds || *held_kind == kind(&finding);
                    compares && length(&finding) < *held_length
                }
            },
        };
        if better {
            self.best = Some((length(&finding), kind(&finding), finding));
        }
    }

    pub(super) fn take(self) -> Option<Finding> {
        self.best.map(|(_, _, finding)| finding)
    }
}

/// The claims that must be followed to, by the assumption that they follow from.
pub(super) fn ends(board: Board<'_>, proof: &Proof) -> Vec<(Claim, Claim)> {
    match proof {
        Proof::Verity(_, starts, end) => starts.iter().map(|&start| (start, *end)).collect(),
        Proof::Contradiction(start, clash) => {
            let ends = match clash {
                Clash::Contrary => vec![start.contrary()],
                Clash::Both(one) => vec![Claim::wrong(*one), Claim::right(*one)],
                Clash::Digits(cell, digits) => {
                    let both = digits.map(|digit| Claim::right(Candidate { cell: *cell, digit }));
                    both.to_vec()
                }
                Clash::Twice(_, both) => both.map(Claim::right).to_vec(),
                Clash::Empty(cell) => {
                    let all = Candidate::in_cell(*cell, board.marks(*cell));
                    all.map(Claim::wrong).collect()
                }
                Clash::Homeless(house, digit) => {
                    let all = Candidate::in_cells(*digit, board.places_in(*digit, *house));
                    all.map(Claim::wrong).collect()
                }
            };
            ends.into_iter().map(|end| (*start, end)).collect()
        }
    }
}
