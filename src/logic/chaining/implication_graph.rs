//! What follows from an assumption: claims in the order in which they are found, with their parents.

use super::board::{Board, CELLS, Frame, HOMES, bits, is_pair, own_places};

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
    /// A chain of this number among [`ImplicationGraph::nested`].
    Nested(u16),
}

/// A claim of a branch: the positions of its parents in it, and why it follows from them.
pub(super) type Branched = (u16, Vec<u16>, Cause);

/// A chain inside a chain: how long it is with all chains in it, and what tells it from others.
#[derive(Clone, Debug)]
pub(super) struct Nested {
    pub(super) length: u32,
    pub(super) signature: u64,
    /// The claims along its branches, for explaining it.
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

/// A claim with what it rests on.
#[derive(Clone, Copy, Debug)]
struct Node {
    claim: u16,
    cause: Cause,
    /// Where its parents begin among all parents; they end where those of the next begin.
    start: u32,
}

/// The consequences of one assumption. A claim is the number of a candidate, plus how many there are
/// if it is claimed to be false.
#[derive(Clone, Debug, Default)]
pub(super) struct ImplicationGraph {
    /// The level to which it was followed.
    pub(super) level: u8,
    /// In the order of their discovery. Parents come before children.
    nodes: Vec<Node>,
    /// Positions in `nodes`.
    parents: Vec<u16>,
    /// The position of each claim, or [`NONE`].
    position: Vec<u16>,
    /// The positions of claims that are true, and of those that are false, in order.
    sides: [Vec<u16>; 2],
    /// How many claims each rests on, itself included; once they are counted.
    counts: Vec<u16>,
    /// The positions of a claim and its contrary, where the assumption comes to that; one of them is
    /// the last.
    pub(super) clash: Option<[u16; 2]>,
    /// Chains inside this one.
    pub(super) nested: Vec<Nested>,
    /// All claims but the last one of a clash.
    pub(super) reached: Vec<u64>,
    ancestors: Vec<u64>,
}

/// What a graph goes over.
struct Ground<'a> {
    frame: &'a Frame,
    /// The board before the assumption, and without what is eliminated since.
    source: &'a Board,
    board: Board,
    /// The board without what is claimed to be false.
    open: Board,
    reach: Reach,
}

impl ImplicationGraph {
    fn begin(&mut self, claims: usize) {
        self.nodes.clear();
        self.parents.clear();
        self.position.clear();
        self.position.resize(claims, NONE);
        self.sides.iter_mut().for_each(Vec::clear);
        self.counts.clear();
        self.clash = None;
        self.nested.clear();
        self.reached.clear();
        self.reached.resize(claims.div_ceil(64), 0);
    }

    /// Follows an assumption on a board. When nothing more follows, `extra`, told what the board has
    /// come to, may add claims, and says whether it is worth going on from them.
    pub(super) fn follow(
        &mut self,
        frame: &Frame,
        source: &Board,
        assumed: usize,
        reach: Reach,
        extra: impl FnMut(&Board, &mut ImplicationGraph) -> bool,
    ) {
        self.begin(2 * frame.len());
        self.add(assumed, Cause::Assumed);
        let mut ground = Ground {
            frame,
            source,
            board: source.clone(),
            open: source.clone(),
            reach,
        };
        if assumed >= frame.len() {
            let (cell, digit) = frame.mark(assumed - frame.len());
            ground.open.eliminate(cell, digit);
        }
        self.run(ground, [0; 2], extra);
    }

    /// Goes on from where nothing more followed.
    pub(super) fn resume(
        &mut self,
        frame: &Frame,
        source: &Board,
        reach: Reach,
        extra: impl FnMut(&Board, &mut ImplicationGraph) -> bool,
    ) {
        let mut board = source.clone();
        for &at in &self.sides[1] {
            let (cell, digit) = frame.mark(self.claim(at) - frame.len());
            board.eliminate(cell, digit);
        }
        self.counts.clear();
        let ground = Ground {
            frame,
            source,
            open: board.clone(),
            board,
            reach,
        };
        let done = [self.sides[0].len(), self.sides[1].len()];
        self.run(ground, done, extra);
    }

    fn run(
        &mut self,
        mut ground: Ground<'_>,
        mut next: [usize; 2],
        mut extra: impl FnMut(&Board, &mut ImplicationGraph) -> bool,
    ) {
        let frame = ground.frame;
        loop {
            let after = self.nodes.len();
            if let Some(&at) = self.sides[0].get(next[0]) {
                next[0] += 1;
                self.go_on_from_true(&mut ground, at);
            } else if let Some(&at) = self.sides[1].get(next[1]) {
                next[1] += 1;
                self.go_on_from_false(&mut ground, at);
            } else {
                let go_on = extra(&ground.board, self);
                if !go_on || self.nodes.len() == after {
                    return;
                }
                for node in &self.nodes[after..] {
                    let number = node.claim as usize - frame.len();
                    // What is claimed to be true as well is a contradiction until it is eliminated.
                    if !self.holds(number) {
                        let (cell, digit) = frame.mark(number);
                        ground.open.eliminate(cell, digit);
                    }
                }
            }
            if self.clash.is_some() {
                return;
            }
        }
    }

    /// All other digits of the cell and places of the digit are false.
    fn go_on_from_true(&mut self, ground: &mut Ground<'_>, at: u16) {
        let frame = ground.frame;
        let (cell, digit) = frame.mark(self.nodes[at as usize].claim as usize);
        if ground.reach.cells {
            for other in bits(ground.open.cells[cell] & !(1 << digit)) {
                if self.refute(ground, (cell, other), at, Cause::Cell) {
                    return;
                }
            }
        }
        for (kind, (house, place)) in HOMES[cell].into_iter().enumerate() {
            let house = house as usize;
            let others = ground.open.places[house][digit] & !own_places(kind, place);
            for other in bits(others) {
                let mark = (CELLS[house][other] as usize, digit);
                if self.refute(ground, mark, at, Cause::House(kind as u8)) {
                    return;
                }
            }
        }
    }

    /// Claims that a candidate is false, which it was not yet; whether it is known to be true.
    fn refute(
        &mut self,
        ground: &mut Ground<'_>,
        (cell, digit): (usize, usize),
        parent: u16,
        cause: Cause,
    ) -> bool {
        let number = ground.frame.number(cell, digit);
        let claim = number + ground.frame.len();
        let clash = self.holds(number);
        if clash {
            self.clash = Some([self.position[number], self.nodes.len() as u16]);
            self.push(claim, cause);
        } else {
            self.add(claim, cause);
            ground.open.eliminate(cell, digit);
        }
        self.parents.push(parent);
        clash
    }

    /// The last other digit of the cell and the last other places of the digit are true.
    fn go_on_from_false(&mut self, ground: &mut Ground<'_>, at: u16) {
        let (frame, source) = (ground.frame, ground.source);
        let count = frame.len();
        let (cell, digit) = frame.mark(self.nodes[at as usize].claim as usize - count);
        let mut found = [(0, Cause::Cell); 4];
        let mut many = 0;
        let held = ground.board.cells[cell];
        if ground.reach.cells && is_pair(held) {
            let other = (held & !(1 << digit)).trailing_zeros() as usize;
            found[many] = (frame.number(cell, other), Cause::Cell);
            many += 1;
        }
        for (kind, (house, place)) in HOMES[cell].into_iter().enumerate() {
            let held = ground.board.places[house as usize][digit];
            if is_pair(held) {
                let other = (held & !(1 << place)).trailing_zeros() as usize;
                let other = CELLS[house as usize][other] as usize;
                found[many] = (frame.number(other, digit), Cause::House(kind as u8));
                many += 1;
            }
        }
        if ground.reach.dynamic {
            ground.board.eliminate(cell, digit);
            ground.open.eliminate(cell, digit);
        }
        for &(number, cause) in &found[..many] {
            let contrary = self.position[number + count];
            if contrary != NONE {
                self.clash = Some([self.nodes.len() as u16, contrary]);
                self.push(number, cause);
            } else if self.holds(number) {
                continue;
            } else {
                self.add(number, cause);
            }
            self.parents.push(at);
            // What was eliminated before.
            if let Cause::House(kind) = cause {
                let (house, place) = HOMES[cell][kind as usize];
                let house = house as usize;
                let gone = source.places[house][digit] & !ground.board.places[house][digit];
                for place in bits(gone & !(1 << place)) {
                    let cell = CELLS[house][place] as usize;
                    self.add_parent(frame.number(cell, digit) + count);
                }
            } else {
                let gone = source.cells[cell] & !ground.board.cells[cell] & !(1 << digit);
                for digit in bits(gone) {
                    self.add_parent(frame.number(cell, digit) + count);
                }
            }
            if self.clash.is_some() {
                return;
            }
        }
    }

    fn push(&mut self, claim: usize, cause: Cause) {
        self.nodes.push(Node {
            claim: claim as u16,
            cause,
            start: self.parents.len() as u32,
        });
    }

    fn add(&mut self, claim: usize, cause: Cause) {
        let at = self.nodes.len() as u16;
        let side = usize::from(claim >= self.position.len() / 2);
        self.position[claim] = at;
        self.reached[claim / 64] |= 1 << (claim % 64);
        self.sides[side].push(at);
        self.push(claim, cause);
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

    fn holds(&self, claim: usize) -> bool {
        self.position[claim] != NONE
    }

    /// How many claims there are, both sides of a clash included.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The position of a claim that was reached.
    pub(super) fn at(&self, claim: usize) -> u16 {
        self.position[claim]
    }

    pub(super) fn claim(&self, at: u16) -> usize {
        self.nodes[at as usize].claim as usize
    }

    pub(super) fn cause(&self, at: u16) -> Cause {
        self.nodes[at as usize].cause
    }

    /// The claims that are true, then those that are false, in order.
    pub(super) fn reached_in_order(&self) -> impl Iterator<Item = usize> {
        self.sides.iter().flatten().map(|&at| self.claim(at))
    }

    fn parents(&self, at: usize) -> &[u16] {
        let end = self.nodes.get(at + 1).map(|next| next.start as usize);
        &self.parents[self.nodes[at].start as usize..end.unwrap_or(self.parents.len())]
    }

    /// Counts how many claims each one rests on, unless that is done.
    pub(super) fn count(&mut self) {
        if !self.counts.is_empty() {
            return;
        }
        let width = self.nodes.len().div_ceil(64);
        let mut ancestors = std::mem::take(&mut self.ancestors);
        ancestors.clear();
        ancestors.resize(width * self.nodes.len(), 0);
        for at in 0..self.nodes.len() {
            let words = at / 64 + 1;
            let (earlier, own) = ancestors.split_at_mut(at * width);
            let own = &mut own[..words];
            own[at / 64] |= 1 << (at % 64);
            for &parent in self.parents(at) {
                let from = parent as usize * width;
                let words = parent as usize / 64 + 1;
                for (own, theirs) in own.iter_mut().zip(&earlier[from..from + words]) {
                    *own |= theirs;
                }
            }
            let total: u32 = own.iter().map(|word| word.count_ones()).sum();
            self.counts.push(total as u16);
        }
        self.ancestors = ancestors;
    }

    /// How many claims one rests on, itself included, if they are counted.
    pub(super) fn counted(&self, at: u16) -> u32 {
        u32::from(self.counts[at as usize])
    }

    /// How many claims one rests on, those of chains inside included.
    pub(super) fn length(&self, at: u16) -> u32 {
        let line = self.lineage(at);
        line.len() as u32 + self.nested_length(&line, &mut Vec::new())
    }

    /// The length of all chains inside these claims whose signatures were not seen before.
    pub(super) fn nested_length(&self, line: &[u16], seen: &mut Vec<u64>) -> u32 {
        let mut length = 0;
        for &at in line {
            if let Cause::Nested(number) = self.cause(at) {
                let nested = &self.nested[number as usize];
                if !seen.contains(&nested.signature) {
                    seen.push(nested.signature);
                    length += nested.length;
                }
            }
        }
        length
    }

    /// The claims that one rests on, itself first, each after one that rests on it: breadth first.
    pub(super) fn lineage(&self, at: u16) -> Vec<u16> {
        let mut seen = vec![false; self.nodes.len()];
        let mut line = vec![at];
        seen[at as usize] = true;
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
    pub(super) fn branch(&self, at: u16) -> Vec<Branched> {
        let mut line = self.lineage(at);
        line.sort_unstable();
        let of = |&parent: &u16| line.binary_search(&parent).unwrap_or(0) as u16;
        let step = |&at: &u16| {
            let at = at as usize;
            let parents = self.parents(at).iter().map(of).collect();
            (self.nodes[at].claim, parents, self.nodes[at].cause)
        };
        line.iter().map(step).collect()
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::grid::{CandidateGrid, Puzzle};

    /// Platinum Blonde (coloin), Golden Nugget (tarek), Easter Monster (champagne).
    pub(in super::super) const PUZZLES: [&str; 3] = [
        ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...",
        ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
        "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
    ];

    pub(in super::super) fn grids() -> impl Iterator<Item = CandidateGrid> {
        PUZZLES.into_iter().map(|puzzle| {
            let puzzle: Puzzle = puzzle.parse().unwrap();
            CandidateGrid::new(&puzzle).unwrap()
        })
    }

    /// Boards that assumptions come to.
    pub(in super::super) fn boards() -> Vec<(Frame, Board)> {
        let mut boards = Vec::new();
        let reach = Reach {
            dynamic: true,
            cells: true,
        };
        for grid in grids() {
            let (frame, board) = (Frame::new(&grid), Board::new(&grid));
            for claim in (0..2 * frame.len()).step_by(7) {
                ImplicationGraph::default().follow(&frame, &board, claim, reach, |now, _| {
                    boards.push((frame.clone(), now.clone()));
                    false
                });
            }
        }
        boards
    }
}
