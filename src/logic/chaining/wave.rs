//! What follows from an assumption: claims in the order in which they are found, with their parents.

use super::board::{Board, CELLS, Frame, HOMES, bits};

/// A number that no claim and no link has.
pub(super) const NONE: u16 = u16::MAX;

/// Why a claim follows from its parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Assumed,
    /// True: no other candidate of the cell is left. False: the cell has another digit.
    Cell,
    /// True: no other place in the house of the cell is left. False: the digit is in the house. By
    /// number in the order block, row, column.
    House(u8),
    /// The technique of this number in [`super::extras`].
    Extra(u8),
    /// A chain of this number among [`Wave::nested`].
    Nested(u16),
}

/// A claim of a branch: the positions of its parents in it, and why it follows from them.
pub(super) type Branched = (u16, Vec<u16>, Cause);

/// A chain inside a chain: how long it is with all chains in it, and what tells it from others.
#[derive(Clone, Debug)]
pub(super) struct Nested {
    pub(super) length: u32,
    pub(super) signature: u64,
    /// The claims along its branches, for telling it.
    pub(super) branches: Vec<Vec<Branched>>,
}

/// Which consequences are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    /// Whether a claim may follow from several.
    pub(super) dynamic: bool,
    /// Whether cells are looked at, or one digit only.
    pub(super) cells: bool,
}

/// The consequences of one assumption. A claim is the number of a candidate, plus how many there are
/// if it is claimed to be false.
#[derive(Clone, Debug, Default)]
pub(super) struct Wave {
    /// In the order of their discovery. Parents come before children.
    pub(super) claims: Vec<u16>,
    pub(super) causes: Vec<Cause>,
    /// Where the parents of each begin in `parents`.
    starts: Vec<u32>,
    /// Positions in `claims`.
    parents: Vec<u16>,
    /// The position of each claim, or [`NONE`].
    position: Vec<u16>,
    /// How many claims each rests on, itself included.
    pub(super) counts: Vec<u16>,
    /// The positions of a claim and its contrary, where the assumption comes to that; one of them is
    /// the last.
    pub(super) clash: Option<[u16; 2]>,
    /// Chains inside this one.
    pub(super) nested: Vec<Nested>,
    /// All claims but the last one of a clash.
    pub(super) reached: Vec<u64>,
    ancestors: Vec<u64>,
    next_on: usize,
    next_off: usize,
    on: Vec<u16>,
    off: Vec<u16>,
}

impl Wave {
    /// Starts with this claim.
    fn begin(&mut self, claims: usize, assumed: usize) {
        self.claims.clear();
        self.causes.clear();
        self.starts.clear();
        self.parents.clear();
        self.position.clear();
        self.position.resize(claims, NONE);
        self.reached.clear();
        self.reached.resize(claims.div_ceil(64), 0);
        self.counts.clear();
        self.clash = None;
        self.nested.clear();
        self.on.clear();
        self.off.clear();
        self.next_on = 0;
        self.next_off = 0;
        self.add(assumed, Cause::Assumed);
    }

    fn is_on(&self, claim: usize) -> bool {
        claim < self.position.len() / 2
    }

    fn add(&mut self, claim: usize, cause: Cause) {
        let at = self.claims.len() as u16;
        self.position[claim] = at;
        self.reached[claim / 64] |= 1 << (claim % 64);
        if self.is_on(claim) {
            self.on.push(at);
        } else {
            self.off.push(at);
        }
        self.push(claim, cause);
    }

    fn push(&mut self, claim: usize, cause: Cause) {
        self.claims.push(claim as u16);
        self.causes.push(cause);
        self.starts.push(self.parents.len() as u32);
    }

    /// Adds a claim unless it is there; its parents are to be added next.
    pub(super) fn add_new(&mut self, claim: usize, cause: Cause) -> bool {
        let new = !self.holds(claim);
        if new {
            self.add(claim, cause);
        }
        new
    }

    pub(super) fn add_parent(&mut self, claim: usize) {
        self.parents.push(self.position[claim]);
    }

    pub(super) fn holds(&self, claim: usize) -> bool {
        self.position[claim] != NONE
    }

    pub(super) fn at(&self, claim: usize) -> usize {
        self.position[claim] as usize
    }

    pub(super) fn parents(&self, at: usize) -> &[u16] {
        let end = self
            .starts
            .get(at + 1)
            .map_or(self.parents.len(), |&end| end as usize);
        &self.parents[self.starts[at] as usize..end]
    }

    /// The positions of claims in order: of true ones, then of false ones; without the last one of a
    /// clash.
    pub(super) fn sides(&self) -> [&[u16]; 2] {
        [&self.on, &self.off]
    }

    /// Follows an assumption on a board, which it strikes from where claims may follow from several.
    /// When nothing more follows, `extra` may add claims; `source` is the board as it was.
    pub(super) fn follow(
        &mut self,
        frame: &Frame,
        source: &Board,
        assumed: usize,
        reach: Reach,
        mut extra: impl FnMut(&Board, &mut Wave),
    ) {
        let count = frame.len();
        self.begin(2 * count, assumed);
        let mut board = source.clone();
        let board = &mut board;
        'search: loop {
            if let Some(&at) = self.on.get(self.next_on) {
                self.next_on += 1;
                let (cell, digit) = frame.mark(self.claims[at as usize] as usize);
                if reach.cells {
                    for other in bits(board.cells[cell] & !(1 << digit)) {
                        let number = frame.number(cell, other);
                        if self.refute(number, count, at, Cause::Cell) {
                            break 'search;
                        }
                    }
                }
                for (kind, (house, place)) in HOMES[cell].into_iter().enumerate() {
                    let house = house as usize;
                    for other in bits(board.places[house][digit] & !(1 << place)) {
                        let number = frame.number(CELLS[house][other] as usize, digit);
                        if self.refute(number, count, at, Cause::House(kind as u8)) {
                            break 'search;
                        }
                    }
                }
            } else if let Some(&at) = self.off.get(self.next_off) {
                self.next_off += 1;
                let (cell, digit) = frame.mark(self.claims[at as usize] as usize - count);
                let mut found = [(0, Cause::Cell); 4];
                let mut many = 0;
                if reach.cells {
                    let held = board.cells[cell];
                    if held.count_ones() == 2 {
                        let other = (held & !(1 << digit)).trailing_zeros() as usize;
                        found[0] = (frame.number(cell, other), Cause::Cell);
                        many = 1;
                    }
                }
                for (kind, (house, place)) in HOMES[cell].into_iter().enumerate() {
                    let held = board.places[house as usize][digit];
                    if held.count_ones() == 2 {
                        let other = (held & !(1 << place)).trailing_zeros() as usize;
                        let other = CELLS[house as usize][other] as usize;
                        found[many] = (frame.number(other, digit), Cause::House(kind as u8));
                        many += 1;
                    }
                }
                let before = [board.cells[cell], 0, 0, 0];
                let places = HOMES[cell].map(|(house, _)| board.places[house as usize][digit]);
                if reach.dynamic {
                    board.strike(cell, digit);
                }
                for &(number, cause) in &found[..many] {
                    let clash = self.holds(number + count);
                    if !clash && self.holds(number) {
                        continue;
                    }
                    if clash {
                        self.clash =
                            Some([self.claims.len() as u16, self.position[number + count]]);
                        self.push(number, cause);
                    } else {
                        self.add(number, cause);
                    }
                    self.parents.push(at);
                    match cause {
                        Cause::Cell => {
                            for digit in bits(source.cells[cell] & !before[0]) {
                                self.add_parent(frame.number(cell, digit) + count);
                            }
                        }
                        Cause::House(kind) => {
                            let (house, _) = HOMES[cell][kind as usize];
                            let gone =
                                source.places[house as usize][digit] & !places[kind as usize];
                            for place in bits(gone) {
                                let cell = CELLS[house as usize][place] as usize;
                                self.add_parent(frame.number(cell, digit) + count);
                            }
                        }
                        _ => {}
                    }
                    if clash {
                        break 'search;
                    }
                }
            } else {
                let before = self.claims.len();
                extra(board, self);
                if self.claims.len() == before {
                    break;
                }
            }
        }
    }

    /// Claims that a candidate is false; whether it is known to be true.
    fn refute(&mut self, number: usize, count: usize, parent: u16, cause: Cause) -> bool {
        if self.holds(number) {
            self.clash = Some([self.position[number], self.claims.len() as u16]);
            self.push(number + count, cause);
            self.parents.push(parent);
            return true;
        }
        if !self.holds(number + count) {
            self.add(number + count, cause);
            self.parents.push(parent);
        }
        false
    }

    /// Counts how many claims each one rests on, unless that is done.
    pub(super) fn count(&mut self) {
        if !self.counts.is_empty() {
            return;
        }
        let width = self.claims.len().div_ceil(64);
        self.ancestors.clear();
        self.ancestors.resize(width * self.claims.len(), 0);
        for at in 0..self.claims.len() {
            let words = at / 64 + 1;
            let start = self.starts[at] as usize;
            let end = self
                .starts
                .get(at + 1)
                .map_or(self.parents.len(), |&end| end as usize);
            let (earlier, own) = self.ancestors.split_at_mut(at * width);
            let own = &mut own[..words];
            own[at / 64] |= 1 << (at % 64);
            for &parent in &self.parents[start..end] {
                let from = parent as usize * width;
                let words = parent as usize / 64 + 1;
                for (own, theirs) in own.iter_mut().zip(&earlier[from..from + words]) {
                    *own |= theirs;
                }
            }
            let total: u32 = own.iter().map(|word| word.count_ones()).sum();
            self.counts.push(total as u16);
        }
    }

    /// The claims that one rests on, itself first, each after one that rests on it: breadth first.
    pub(super) fn lineage(&self, at: usize) -> Vec<u16> {
        let mut seen = vec![false; self.claims.len()];
        let mut line = vec![at as u16];
        seen[at] = true;
        let mut next = 0;
        while next < line.len() {
            for &parent in self.parents(line[next] as usize) {
                if !seen[parent as usize] {
                    seen[parent as usize] = true;
                    line.push(parent);
                }
            }
            next += 1;
        }
        line
    }

    /// What one rests on as a branch, parents before children, the positions of parents by those in
    /// the branch.
    pub(super) fn branch(&self, at: usize) -> Vec<Branched> {
        let mut line = self.lineage(at);
        line.sort_unstable();
        let of = |&parent: &u16| line.binary_search(&parent).unwrap_or(0) as u16;
        let step = |&at: &u16| {
            let at = at as usize;
            let parents = self.parents(at).iter().map(of).collect();
            (self.claims[at], parents, self.causes[at])
        };
        line.iter().map(step).collect()
    }
}
