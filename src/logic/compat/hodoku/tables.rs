//! What follows from each candidate, held right and held wrong: the tables that HoDoKu finds loops
//! and forcing chains in (Trebor's tables).
//!
//! From a claim follows what single links say, then what single links say of these, and so on. The
//! order in which consequences are listed decides which chain is found, so it is HoDoKu's.

use super::board::Board;
use super::lookahead::Lookahead;
use crate::grid::{Candidate, Cell, CellSet, Digit, House};
use crate::logic::deduction::Claim as CandidateClaim;

/// A claim by number: each candidate wrong and right, then each group wrong and right.
pub(super) type Claim = usize;

/// Candidates of a full board.
const CANDIDATES: usize = 81 * 9;
/// The distance of what follows by one link from the link before.
const LINK: usize = 2;

/// The number of the claim that a candidate is right, or wrong.
pub(super) fn claim(candidate: Candidate, holds: bool) -> Claim {
    let number = candidate.cell.index() * 9 + candidate.digit.index();
    number * 2 + usize::from(holds)
}

/// Whether a claim says that something is right.
pub(super) fn holds(claim: Claim) -> bool {
    claim % 2 == 1
}

/// The candidate that a claim is about; none of a group.
pub(super) fn candidate(claim: Claim) -> Option<Candidate> {
    let number = claim / 2;
    if number >= CANDIDATES {
        return None;
    }
    Some(Candidate {
        cell: Cell::new(number / 9)?,
        digit: Digit::ALL[number % 9],
    })
}

/// The places of a digit in a line and a block, two or three.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) digit: Digit,
    pub(super) cells: CellSet,
    pub(super) line: House,
    pub(super) block: House,
}

impl Group {
    fn all(board: Board<'_>) -> Vec<Group> {
        let mut groups = Vec::new();
        for line in House::all().take(18) {
            for digit in Digit::ALL {
                for block in House::all().skip(18) {
                    let cells = board.places_in(digit, line).intersection(block.cells());
                    if cells.len() > 1 {
                        groups.push(Group {
                            digit,
                            cells,
                            line,
                            block,
                        });
                    }
                }
            }
        }
        groups
    }

    fn houses(&self) -> [House; 2] {
        [self.block, self.line]
    }
}

/// What follows from each claim by one link.
pub(super) struct Links {
    pub(super) groups: Vec<Group>,
    pub(super) next: Vec<Vec<Claim>>,
}

/// All that follows from a claim, the nearer mostly before the farther.
pub(super) struct Table {
    pub(super) claims: Vec<Claim>,
    /// How far each is from the first.
    pub(super) distances: Vec<usize>,
    /// For each the claim before it.
    before: Vec<Claim>,
    /// By claim: its place in the list, plus one.
    places: Vec<u16>,
}

impl Links {
    /// Candidates alone, or with groups.
    pub(super) fn new(board: Board<'_>, with_groups: bool) -> Links {
        let groups = if with_groups {
            Group::all(board)
        } else {
            Vec::new()
        };
        let mut links = Links::apart(groups);
        for one in board.candidates() {
            links.join_candidate(board, one);
        }
        links.join_groups(board);
        links
    }

    /// What a few rounds of singles say instead of single links, and groups.
    pub(super) fn ahead(board: Board<'_>) -> Links {
        let mut links = Links::apart(Group::all(board));
        for candidate in board.candidates() {
            if board.is_late() {
                break;
            }
            for holds in [true, false] {
                let implied =
                    Lookahead::new(board, CandidateClaim { candidate, holds }).implications;
                let claims = implied.iter().map(|one| one.claim);
                let claims = claims.map(|one| claim(one.candidate, one.holds));
                links.next[claim(candidate, holds)] = claims.skip(1).collect();
            }
        }
        links.join_groups(board);
        links
    }

    fn apart(groups: Vec<Group>) -> Links {
        Links {
            next: vec![Vec::new(); 2 * (CANDIDATES + groups.len())],
            groups,
        }
    }

    fn join_groups(&mut self, board: Board<'_>) {
        for at in 0..self.groups.len() {
            self.join_group(board, at);
        }
    }

    fn add(&mut self, from: Claim, to: Claim) {
        if !self.next[from].contains(&to) {
            self.next[from].push(to);
        }
    }

    fn join_candidate(&mut self, board: Board<'_>, one: Candidate) {
        let Candidate { cell, digit } = one;
        let others = board.marks(cell).without(digit);
        for other in others {
            let other = Candidate { cell, digit: other };
            self.add(claim(one, true), claim(other, false));
            if others.len() == 1 {
                self.add(claim(one, false), claim(other, true));
            }
        }
        for house in cell.houses() {
            let others = board.places_in(digit, house).without(cell);
            for other in others {
                let other = Candidate { cell: other, digit };
                self.add(claim(one, true), claim(other, false));
                if others.len() == 1 {
                    self.add(claim(one, false), claim(other, true));
                }
            }
        }
    }

    fn join_group(&mut self, board: Board<'_>, at: usize) {
        let group = self.groups[at];
        let digit = group.digit;
        let [off, on] = [self.group(at, false), self.group(at, true)];
        let seen = group.cells.common_peers().intersection(board.places(digit));
        for cell in seen {
            let other = Candidate { cell, digit };
            self.add(on, claim(other, false));
            self.add(claim(other, true), off);
        }
        for house in group.houses() {
            if let Some(cell) = seen.intersection(house.cells()).single() {
                let other = Candidate { cell, digit };
                self.add(off, claim(other, true));
                self.add(claim(other, false), on);
            }
        }
        let beside = |house: House, other: &Group| {
            let in_house = other.line == house || other.block == house;
            in_house && other.digit == digit && other.cells.intersection(group.cells).is_empty()
        };
        let others: Vec<(usize, Group)> = self.groups.iter().copied().enumerate().collect();
        for (other, group) in &others {
            if beside(self.groups[at].line, group) || beside(self.groups[at].block, group) {
                let other = self.group(*other, false);
                self.add(on, other);
            }
        }
        for house in [group.line, group.block] {
            let mut in_house = others.iter().filter(|(_, other)| beside(house, other));
            if let (Some((other, second)), None) = (in_house.next(), in_house.next()) {
                let both = group.cells.union(second.cells);
                if board.places_in(digit, house).difference(both).is_empty() {
                    let other = self.group(*other, true);
                    self.add(off, other);
                }
            }
        }
    }

    /// The number of the claim that a group holds its digit, or does not.
    pub(super) fn group(&self, at: usize, holds: bool) -> Claim {
        (CANDIDATES + at) * 2 + usize::from(holds)
    }

    /// The group that a claim is about; none of a candidate.
    pub(super) fn group_of(&self, claim: Claim) -> Option<Group> {
        let at = (claim / 2).checked_sub(CANDIDATES)?;
        self.groups.get(at).copied()
    }

    /// The digit and the cells of a claim.
    pub(super) fn digit_and_cells(&self, claim: Claim) -> (Digit, CellSet) {
        match (candidate(claim), self.group_of(claim)) {
            (Some(one), _) => (one.digit, CellSet::only(one.cell)),
            (None, Some(group)) => (group.digit, group.cells),
            (None, None) => (Digit::ALL[0], CellSet::EMPTY),
        }
    }

    /// All that follows from this claim.
    pub(super) fn table(&self, start: Claim) -> Table {
        let mut table = Table {
            claims: Vec::new(),
            distances: Vec::new(),
            before: Vec::new(),
            places: vec![0; self.next.len()],
        };
        table.add(start, start, 1);
        for &next in &self.next[start] {
            table.add(next, start, LINK);
        }
        let mut at = 1;
        while let Some(&from) = table.claims.get(at) {
            let distance = table.distances[at] + LINK;
            for &next in &self.next[from] {
                match table.place(next) {
                    None => table.add(next, from, distance),
                    // What follows at once stays as it is.
                    Some(place) if table.before[place] != start => {
                        if table.distances[place] > distance {
                            table.distances[place] = distance;
                            table.before[place] = from;
                        }
                    }
                    Some(_) => {}
                }
            }
            at += 1;
        }
        table
    }
}

impl Table {
    fn add(&mut self, claim: Claim, before: Claim, distance: usize) {
        self.claims.push(claim);
        self.distances.push(distance);
        self.before.push(before);
        self.places[claim] = self.claims.len() as u16;
    }

    fn place(&self, claim: Claim) -> Option<usize> {
        usize::from(self.places[claim]).checked_sub(1)
    }

    /// The way from the first claim to this one, which follows from it.
    pub(super) fn chain(&self, end: Claim) -> Vec<Claim> {
        let mut chain = vec![end];
        let mut at = end;
        while at != self.claims[0] {
            let Some(place) = self.place(at) else { break };
            at = self.before[place];
            chain.push(at);
        }
        chain.reverse();
        chain
    }
}
