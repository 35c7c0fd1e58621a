//! Forcing chains, as HoDoKu picks them: what all tables show is collected, and the step for the
//! first cell is taken, if one places a digit, or else the one for the first candidate.

use super::board::Board;
use super::found::Found;
use super::lookahead::{Lookahead, seen_by};
use super::tables::{Claim, Links, Table, candidate, candidates, claim, holds};
use crate::grid::{Candidate, Cell, CellSet, Digit, House};
use crate::logic::deduction::{Pattern, TechniqueId};
use crate::logic::forcing::{Branch, Claim as Said, ForcingKind, ForcingName, Implication, Reason};

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
    Contradiction(Said, Clash),
    /// From each of these claims the last one follows.
    Verity(ForcingKind, Vec<Said>, Said),
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
    pub(super) says: Said,
    pub(super) proof: Proof,
}

/// All that the consequences show, in the order HoDoKu sees it.
pub(super) fn findings(
    board: &Board,
    right: &[Consequences],
    wrong: &[Consequences],
    see: &mut dyn FnMut(Finding),
) {
    for (on, off) in right.iter().zip(wrong) {
        contradictions(board, on, true, see);
        contradictions(board, off, false, see);
    }
    for (on, off) in right.iter().zip(wrong) {
        let starts = [true, false].map(|holds| Said {
            candidate: on.start,
            holds,
        });
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
        let starts: Vec<Said> = candidates
            .iter()
            .map(|&candidate| Said {
                candidate,
                holds: true,
            })
            .collect();
        verities(from, kind, &starts, CellSet::EMPTY, see);
    };
    for cell in board.blanks() {
        let digits = board.marks(cell).into_iter();
        let all = digits.map(|digit| Candidate { cell, digit }).collect();
        starting(all, ForcingKind::Cell(cell), see);
    }
    for house in House::all() {
        for digit in Digit::ALL {
            let cells = board.places_in(digit, house).into_iter();
            let all: Vec<Candidate> = cells.map(|cell| Candidate { cell, digit }).collect();
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
    starts: &[Said],
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
            for cell in cells.difference(apart) {
                let says = Said {
                    candidate: Candidate { cell, digit },
                    holds,
                };
                let proof = Proof::Verity(kind, starts.to_vec(), says);
                see(Finding { says, proof });
            }
        }
    }
}

/// What contradicts itself among the consequences of one claim.
fn contradictions(board: &Board, from: &Consequences, assumed: bool, see: &mut dyn FnMut(Finding)) {
    let Consequences {
        start,
        right,
        wrong,
    } = from;
    let says = Said {
        candidate: *start,
        holds: !assumed,
    };
    let assumption = Said {
        candidate: *start,
        holds: assumed,
    };
    let mut clash = |clash: Clash| {
        let proof = Proof::Contradiction(assumption, clash);
        see(Finding { says, proof });
    };
    let contrary = if assumed { wrong } else { right };
    if contrary[start.digit.index()].contains(start.cell) {
        clash(Clash::Contrary);
    }
    for digit in Digit::ALL {
        let both = right[digit.index()].intersection(wrong[digit.index()]);
        if let Some(cell) = both.into_iter().next() {
            clash(Clash::Both(Candidate { cell, digit }));
        }
    }
    for one in Digit::ALL {
        for other in Digit::ALL.into_iter().filter(|&other| other > one) {
            let both = right[one.index()].intersection(right[other.index()]);
            if let Some(cell) = both.into_iter().next() {
                clash(Clash::Digits(cell, [one, other]));
            }
        }
    }
    for kind in 0..3 {
        for digit in Digit::ALL {
            for house in House::all().skip(9 * kind).take(9) {
                let twice = right[digit.index()].intersection(house.cells());
                let mut cells = twice.into_iter().map(|cell| Candidate { cell, digit });
                if let (Some(one), Some(other)) = (cells.next(), cells.next()) {
                    clash(Clash::Twice(house, [one, other]));
                }
            }
        }
    }
    for cell in board.blanks() {
        let mut digits = board.marks(cell).into_iter();
        let struck = digits.all(|digit| wrong[digit.index()].contains(cell));
        if struck && !right.iter().any(|cells| cells.contains(cell)) {
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

/// Of all findings the one that HoDoKu takes: digits before strikes, the first cell, the shortest.
#[derive(Default)]
pub(super) struct Choice {
    best: Option<(usize, bool, Finding)>,
}

impl Choice {
    /// Sees one more; its length is asked for only where it decides.
    pub(super) fn see(&mut self, finding: Finding, length: impl Fn(&Finding) -> usize) {
        let rank = |finding: &Finding| {
            let Candidate { cell, digit } = finding.says.candidate;
            let digit = if finding.says.holds {
                0
            } else {
                digit.index() + 1
            };
            (!finding.says.holds, cell, digit)
        };
        let kind = |finding: &Finding| matches!(finding.proof, Proof::Verity(..));
        let better = match &self.best {
            None => true,
            Some((held_length, held_kind, held)) => match rank(&finding).cmp(&rank(held)) {
                std::cmp::Ordering::Less => true,
                std::cmp::Ordering::Greater => false,
                std::cmp::Ordering::Equal => {
                    let compares = !finding.says.holds || *held_kind == kind(&finding);
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
pub(super) fn ends(board: &Board, proof: &Proof) -> Vec<(Said, Said)> {
    let said = |candidate: Candidate, holds: bool| Said { candidate, holds };
    match proof {
        Proof::Verity(_, starts, end) => starts.iter().map(|&start| (start, *end)).collect(),
        Proof::Contradiction(start, clash) => {
            let ends = match clash {
                Clash::Contrary => vec![said(start.candidate, !start.holds)],
                Clash::Both(one) => vec![said(*one, false), said(*one, true)],
                Clash::Digits(cell, digits) => {
                    let digits = digits.iter();
                    let both = digits.map(|&digit| said(Candidate { cell: *cell, digit }, true));
                    both.collect()
                }
                Clash::Twice(_, both) => both.iter().map(|&one| said(one, true)).collect(),
                Clash::Empty(cell) => {
                    let digits = board.marks(*cell).into_iter();
                    let all = digits.map(|digit| said(Candidate { cell: *cell, digit }, false));
                    all.collect()
                }
                Clash::Homeless(house, digit) => {
                    let cells = board.places_in(*digit, *house).into_iter();
                    let all = cells.map(|cell| {
                        let digit = *digit;
                        said(Candidate { cell, digit }, false)
                    });
                    all.collect()
                }
            };
            ends.into_iter().map(|end| (*start, end)).collect()
        }
    }
}

/// The step of a finding; the evidence follows each claim to its end.
pub(super) fn step(
    board: &Board,
    finding: Finding,
    follow: &dyn Fn(Said, &[Said]) -> Branch,
    names: [ForcingName; 2],
) -> Option<Found> {
    let Finding { says, proof } = finding;
    let (name, kind, branches) = match &proof {
        Proof::Verity(kind, ..) => {
            let ends = ends(board, &proof).into_iter();
            let branches = ends.map(|(start, end)| follow(start, &[end])).collect();
            (names[1], *kind, branches)
        }
        Proof::Contradiction(start, clash) => {
            let ends = ends(board, &proof).into_iter().map(|(_, end)| end);
            let ends: Vec<Said> = ends.collect();
            let branches = against(*start, clash, &ends, follow);
            (names[0], ForcingKind::Contradiction, branches)
        }
    };
    let technique = TechniqueId::Forcing(name);
    let pattern = Pattern::Forcing { kind, branches };
    if says.holds {
        return Some(Found::place(technique, says.candidate, pattern));
    }
    Found::strike(technique, vec![says.candidate], || pattern)
}

/// One branch that ends in the contrary of its start, or two that end in contraries.
fn against(
    start: Said,
    clash: &Clash,
    ends: &[Said],
    follow: &dyn Fn(Said, &[Said]) -> Branch,
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
        let mut said = branch.iter();
        said.position(|implication| implication.claim == *other)
    });
    let causes = causes.collect();
    branch.push(Implication {
        claim: Said {
            candidate: last.candidate,
            holds: !last.holds,
        },
        causes,
        reason,
    });
    vec![branch, follow(start, &[*last])]
}

/// The step that HoDoKu's forcing chains show first.
pub(super) fn forcing_chain(board: &Board) -> Option<Found> {
    let names = [ForcingName::ChainContradiction, ForcingName::ChainVerity];
    first(board, &Links::new(board, true), false, names)
}

/// The step that HoDoKu's forcing nets show first.
pub(super) fn forcing_net(board: &Board) -> Option<Found> {
    let names = [ForcingName::NetContradiction, ForcingName::NetVerity];
    first(board, &Links::ahead(board), true, names)
}

fn first(board: &Board, links: &Links, net: bool, names: [ForcingName; 2]) -> Option<Found> {
    let candidates = candidates(board);
    let tables = [true, false].map(|holds| {
        let tables = candidates.iter();
        let tables = tables.map(|&start| links.table(claim(start, holds)));
        tables.collect::<Vec<Table>>()
    });
    let [right, wrong] = [0, 1].map(|at| {
        let starts = candidates.iter().zip(&tables[at]);
        let all = starts.map(|(&start, table)| consequences(start, table));
        all.collect::<Vec<Consequences>>()
    });
    let table = |start: Said| {
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
    let follow = |start: Said, ends: &[Said]| {
        let mut teller = Teller::new(board, links, start, net);
        for end in ends {
            if let Some(table) = table(start) {
                teller.tell(&table.chain(claim(end.candidate, end.holds)));
            }
        }
        teller.branch
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

/// Puts chains of claims, with groups among them, into the claims about candidates that evidence is
/// made of.
struct Teller<'a> {
    board: &'a Board,
    links: &'a Links,
    /// Whether claims follow by several links.
    net: bool,
    branch: Branch,
}

impl Teller<'_> {
    fn new<'a>(board: &'a Board, links: &'a Links, start: Said, net: bool) -> Teller<'a> {
        let assumed = Implication {
            claim: start,
            causes: Vec::new(),
            reason: Reason::Assumed,
        };
        Teller {
            board,
            links,
            net,
            branch: vec![assumed],
        }
    }

    fn place(&self, claim: Said) -> Option<usize> {
        let mut said = self.branch.iter();
        said.position(|implication| implication.claim == claim)
    }

    fn say(&mut self, claim: Said, causes: Vec<usize>, reason: Reason) {
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
        let said = cells.into_iter().map(|cell| Said {
            candidate: Candidate { cell, digit },
            holds: false,
        });
        said.filter_map(|said| self.place(said)).collect()
    }

    fn tell(&mut self, chain: &[Claim]) {
        // What made a group right: candidates that are wrong, and the house.
        let mut grouped: Option<(Vec<usize>, House)> = None;
        for link in chain.windows(2) {
            let [from, to] = [link[0], link[1]];
            if let (true, Some(first), Some(last)) = (self.net, candidate(from), candidate(to)) {
                let said = |candidate, claim| Said {
                    candidate,
                    holds: holds(claim),
                };
                self.look_ahead(said(first, from), said(last, to));
                continue;
            }
            let (digit, cells) = self.links.digit_and_cells(to);
            let (_, before) = self.links.digit_and_cells(from);
            match (holds(to), candidate(to)) {
                (true, Some(right)) => {
                    let claim = Said {
                        candidate: right,
                        holds: true,
                    };
                    let reason = self.only_left(right, before);
                    let causes = self.wrong(from);
                    self.say(claim, causes, reason);
                }
                (true, None) => {
                    let house = self.shared(digit, cells.union(before));
                    grouped = house.map(|house| (self.wrong(from), house));
                }
                (false, _) => {
                    let (causes, technique) = match (candidate(from), &grouped) {
                        (Some(right), _) => {
                            let claim = Said {
                                candidate: right,
                                holds: true,
                            };
                            (self.place(claim).into_iter().collect(), None)
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
                    for cell in cells {
                        let claim = Said {
                            candidate: Candidate { cell, digit },
                            holds: false,
                        };
                        let reason = match technique {
                            Some(technique) => Reason::Technique(technique),
                            None => seen(cell, before),
                        };
                        self.say(claim, causes.clone(), reason);
                    }
                }
            }
        }
    }

    /// Says what leads from one claim to the other by singles.
    fn look_ahead(&mut self, start: Said, end: Said) {
        let ahead = Lookahead::new(self.board, start).said;
        let mut needed = vec![false; ahead.len()];
        for (at, one) in ahead.iter().enumerate().rev() {
            needed[at] |= one.claim == end;
            if needed[at] {
                for &cause in &one.causes {
                    needed[cause] = true;
                }
            }
        }
        for (one, _) in ahead.iter().zip(needed).filter(|(_, needed)| *needed) {
            let causes = one.causes.iter();
            let causes = causes.filter_map(|&cause| self.place(ahead[cause].claim));
            let causes = causes.collect();
            self.say(one.claim, causes, one.reason.clone());
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
    let before = before.into_iter().next();
    before.map_or(Reason::SameCell, |before| seen_by(before, cell))
}
