//! Transitive closure of the links of a board: decides, by bits, from which candidates a search of
//! chains can find something.
//!
//! The search in the order of Sudoku Explainer is slow, and most boards that assumptions come to have
//! no chain. The closure needs no order. Each candidate with a strong link is a node; the row of a
//! node is a bit set of the nodes that are true if it is true; Warshall's algorithm ("A theorem on
//! Boolean matrices", 1962) completes the rows. Implications are skew-symmetric (if A implies B, then
//! not B implies not A). So every candidate that a cycle eliminates refutes itself by a chain, and so
//! does every other candidate of a cell with a proven one: if no candidate refutes itself, no chain
//! eliminates anything.

use super::board::{Board, CELLS, Frame, HOMES, NumberSet, Pairs, bits, peers_of, wide_bits};
use crate::logic::links::ones;
use crate::simd::{Isa, Kernel, run_with_best};

/// The most nodes that are kept; on boards with more every candidate counts as a start.
const NODES: usize = 128;

/// The index of a candidate without a strong link.
const NO_NODE: u8 = u8::MAX;

/// What follows from each candidate of a board by links alone.
#[derive(Debug)]
pub(super) struct Closure {
    /// The candidates with strong links.
    nodes: Vec<(u8, u8)>,
    index: [[u8; 9]; 81],
    /// The nodes of each cell, and of each house and digit.
    in_cells: [u128; 81],
    in_houses: [[u128; 9]; 27],
    /// The nodes that are true if a node is false: by one link, then by any number of links.
    strong: [u128; NODES],
    if_false: [u128; NODES],
    /// The nodes that are true if a node is true, itself included.
    if_true: [u128; NODES],
    /// Whether there are too many nodes.
    undecided: bool,
    /// The candidates that are false if a candidate is true, and those if a node is false; some of them are no longer on
    /// the board.
    wrong: (Vec<NumberSet>, Vec<NumberSet>),
}

/// The candidates from which a search of chains can find something; a superset of those that do.
#[derive(Debug)]
pub(super) struct Starts {
    /// Digits of each cell that refute themselves.
    pub(super) refuted: [u16; 81],
    /// Digits of each cell whose contrary refutes itself.
    pub(super) proven: [u16; 81],
    /// Digits of each cell on cycles that eliminate something.
    pub(super) cyclic: [u16; 81],
}

impl Starts {
    pub(super) const ALL: Starts = Starts {
        refuted: [0x1ff; 81],
        proven: [0x1ff; 81],
        cyclic: [0x1ff; 81],
    };

    pub(super) fn has(&self, cell: usize, digit: usize) -> bool {
        let all = self.refuted[cell] | self.proven[cell] | self.cyclic[cell];
        all >> digit & 1 == 1
    }
}

/// The cells, and the digits of houses, whose candidates have a consequence in common; a superset.
#[derive(Debug)]
pub(super) struct Convergence {
    pub(super) cells: u128,
    pub(super) houses: [u16; 27],
}

impl Convergence {
    pub(super) const ANY: Convergence = Convergence {
        cells: u128::MAX,
        houses: [0x1ff; 27],
    };

    /// Whether there is no such cell or house.
    pub(super) fn is_nowhere(&self) -> bool {
        self.cells == 0 && self.houses == [0; 27]
    }
}

impl Default for Closure {
    fn default() -> Closure {
        Closure {
            nodes: Vec::with_capacity(NODES),
            index: [[NO_NODE; 9]; 81],
            in_cells: [0; 81],
            in_houses: [[0; 9]; 27],
            strong: [0; NODES],
            if_false: [0; NODES],
            if_true: [0; NODES],
            undecided: false,
            wrong: Default::default(),
        }
    }
}

/// Whether more than two bits are set. The contrary of what two candidates with a strong link
/// between them imply both refutes itself: that is found as a chain.
fn is_many(mask: u16) -> bool {
    let rest = mask & mask.wrapping_sub(1);
    rest & rest.wrapping_sub(1) != 0
}

/// The two bits that are set.
fn two(mask: u16) -> [usize; 2] {
    let rest = mask & (mask - 1);
    [mask, rest].map(|mask| mask.trailing_zeros() as usize)
}

impl Closure {
    /// Collects the links of a board and computes their closure.
    pub(super) fn begin(&mut self, board: &Board) {
        for &(cell, digit) in &self.nodes {
            self.index[cell as usize][digit as usize] = NO_NODE;
            self.in_cells[cell as usize] = 0;
            for (house, _) in HOMES[cell as usize] {
                self.in_houses[house as usize][digit as usize] = 0;
            }
        }
        self.nodes.clear();
        self.undecided = false;
        let pairs = Pairs::of(board);
        for cell in wide_bits(pairs.cells) {
            let [one, other] = two(board.cells[cell]);
            self.link((cell, one), (cell, other));
        }
        for (house, &digits) in pairs.houses.iter().enumerate() {
            for digit in bits(digits) {
                let places = two(board.places[house][digit]);
                let [one, other] = places.map(|place| CELLS[house][place] as usize);
                self.link((one, digit), (other, digit));
            }
        }
        if self.undecided {
            return;
        }
        let count = self.nodes.len();
        for node in 0..count {
            let (cell, digit) = self.nodes[node];
            let beside = self.beside(cell as usize, digit as usize);
            let strong = ones(beside).fold(0, |all, other| all | self.strong[other]);
            self.if_true[node] = strong | 1 << node;
        }
        complete(&mut self.if_true[..count]);
        for node in 0..count {
            let strong = ones(self.strong[node]);
            self.if_false[node] = strong.fold(0, |all, other| all | self.if_true[other]);
        }
    }

    fn link(&mut self, one: (usize, usize), other: (usize, usize)) {
        if let (Some(one), Some(other)) = (self.node(one), self.node(other)) {
            self.strong[one] |= 1 << other;
            self.strong[other] |= 1 << one;
        } else {
            self.undecided = true;
        }
    }

    /// The node of a candidate, which it becomes if it is none; `None` if there are too many.
    fn node(&mut self, (cell, digit): (usize, usize)) -> Option<usize> {
        let held = self.index[cell][digit];
        if held != NO_NODE {
            return Some(held as usize);
        }
        let node = self.nodes.len();
        if node == NODES {
            return None;
        }
        self.nodes.push((cell as u8, digit as u8));
        self.index[cell][digit] = node as u8;
        self.strong[node] = 0;
        self.in_cells[cell] |= 1 << node;
        for (house, _) in HOMES[cell] {
            self.in_houses[house as usize][digit] |= 1 << node;
        }
        Some(node)
    }

    /// The nodes that a candidate excludes.
    fn beside(&self, cell: usize, digit: usize) -> u128 {
        let mut beside = self.in_cells[cell];
        for (house, _) in HOMES[cell] {
            beside |= self.in_houses[house as usize][digit];
        }
        match self.index[cell][digit] {
            NO_NODE => beside,
            own => beside & !(1 << own),
        }
    }

    /// Where a search of cycles and of chains that come to their contrary can find something; `None`
    /// if nowhere.
    pub(super) fn starts(&self, board: &Board) -> Option<Starts> {
        if self.undecided {
            return Some(Starts::ALL);
        }
        let refuted = self.refuted(board)?;
        // What a cycle eliminates leads to all claims of the cycle and to their contraries.
        let mut contradicted = 0;
        for (cell, &refuted) in refuted.iter().enumerate() {
            for digit in bits(refuted) {
                let beside = self.beside(cell, digit);
                let right = ones(beside).fold(0, |all, node| all | self.if_false[node]);
                let wrong = ones(right).fold(beside, |all, node| {
                    let (cell, digit) = self.nodes[node];
                    all | self.beside(cell as usize, digit as usize)
                });
                contradicted |= right & wrong;
            }
        }
        let mut starts = Starts {
            refuted,
            proven: [0; 81],
            cyclic: [0; 81],
        };
        for (node, &(cell, digit)) in self.nodes.iter().enumerate() {
            let (cell, digit) = (cell as usize, digit as usize);
            if self.if_false[node] >> node & 1 == 1 {
                starts.proven[cell] |= 1 << digit;
            }
            let returns = || {
                ones(self.beside(cell, digit)).any(|other| {
                    let on = self.strong[other] & !(1 << node);
                    ones(on).any(|on| self.if_true[on] >> node & 1 == 1)
                })
            };
            if contradicted >> node & 1 == 1 && returns() {
                starts.cyclic[cell] |= 1 << digit;
            }
        }
        Some(starts)
    }

    /// The digits of each cell that come to their contrary; `None` if there are none. They exclude two
    /// nodes of which one is true if the other is false, or a proven one.
    fn refuted(&self, board: &Board) -> Option<[u16; 81]> {
        let mut refuted = [0; 81];
        let mut seen = [0_u128; 9];
        for (node, &(cell, digit)) in self.nodes.iter().enumerate() {
            let (cell, digit) = (cell as usize, digit as usize);
            for other in ones(self.if_false[node] & !((1 << node) - 1)) {
                let (to, on) = self.nodes[other];
                let (to, on) = (to as usize, on as usize);
                let sees = peers_of(cell) >> to & 1 == 1;
                if digit == on {
                    seen[digit] |= peers_of(cell) & peers_of(to);
                }
                if cell == to {
                    refuted[cell] |= board.cells[cell] & !(1 << digit | 1 << on);
                } else if sees {
                    refuted[cell] |= board.cells[cell] & (1 << on) & !(1 << digit);
                    refuted[to] |= board.cells[to] & (1 << digit) & !(1 << on);
                }
            }
        }
        for (digit, &seen) in seen.iter().enumerate() {
            if seen != 0 {
                for cell in wide_bits(seen & board.cells_of(digit)) {
                    refuted[cell] |= 1 << digit;
                }
            }
        }
        let any = refuted.iter().any(|&digits| digits != 0);
        any.then_some(refuted)
    }

    /// Where all candidates of a cell, or all places of a digit in a house, can come to the same.
    pub(super) fn convergence(&mut self, frame: &Frame, board: &Board) -> Convergence {
        let Some(excluded) = frame.excluded() else {
            return Convergence::ANY;
        };
        if self.undecided || self.refuted(board).is_some() {
            // A claim that contradicts itself ends its search early.
            return Convergence::ANY;
        }
        run_with_best(Meeting {
            closure: self,
            frame,
            board,
            excluded,
        })
    }
}

/// The computation of [`Closure::convergence`].
///
/// A true claim that all have in common need not be looked for: it has a strong link, so that it makes another false.
struct Meeting<'a> {
    closure: &'a mut Closure,
    frame: &'a Frame,
    board: &'a Board,
    excluded: &'a [NumberSet],
}

impl<I: Isa> Kernel<I> for Meeting<'_> {
    type Output = Convergence;

    #[inline(always)]
    fn run(self, _: I) -> Convergence {
        let (frame, board) = (self.frame, self.board);
        let mut held = NumberSet::EMPTY;
        for (cell, digit) in board.candidates() {
            held.insert(frame.number(cell, digit));
        }
        let (mut wrong, mut if_false) = std::mem::take(&mut self.closure.wrong);
        wrong.resize(wrong.len().max(frame.len()), NumberSet::EMPTY);
        let closure = &*self.closure;
        let of_node = |node: usize| {
            let (cell, digit) = closure.nodes[node];
            frame.number(cell as usize, digit as usize)
        };
        for (node, &right) in closure.if_true[..closure.nodes.len()].iter().enumerate() {
            let mut all = NumberSet::EMPTY;
            for right in ones(right) {
                all.add(&self.excluded[of_node(right)]);
            }
            wrong[of_node(node)] = all;
        }
        if_false.clear();
        for &right in &closure.strong[..closure.nodes.len()] {
            let mut all = NumberSet::EMPTY;
            for right in ones(right) {
                all.add(&wrong[of_node(right)]);
            }
            if_false.push(all);
        }
        for (cell, digit) in board.candidates() {
            if closure.index[cell][digit] == NO_NODE {
                let number = frame.number(cell, digit);
                let mut all = self.excluded[number];
                for beside in ones(closure.beside(cell, digit)) {
                    all.add(&if_false[beside]);
                }
                wrong[number] = all;
            }
        }
        let mut convergence = Convergence {
            cells: 0,
            houses: [0; 27],
        };
        for (cell, &digits) in board.cells.iter().enumerate() {
            if is_many(digits) {
                let mut common = held;
                let any = bits(digits).all(|digit| common.keep(&wrong[frame.number(cell, digit)]));
                convergence.cells |= u128::from(any) << cell;
            }
        }
        for (house, cells) in CELLS.iter().enumerate() {
            for (digit, &places) in board.places[house].iter().enumerate() {
                if is_many(places) {
                    let mut common = held;
                    let mut numbers =
                        bits(places).map(|place| frame.number(cells[place] as usize, digit));
                    let any = numbers.all(|number| common.keep(&wrong[number]));
                    convergence.houses[house] |= u16::from(any) << digit;
                }
            }
        }
        self.closure.wrong = (wrong, if_false);
        convergence
    }
}

/// Adds to each row the rows of the nodes in it, until no more are added.
fn complete(rows: &mut [u128]) {
    let mut halves = [[0; NODES]; 2];
    for (at, row) in rows.iter().enumerate() {
        halves[0][at] = *row as u64;
        halves[1][at] = (*row >> 64) as u64;
    }
    let [low, high] = &mut halves;
    let (low, high) = (&mut low[..rows.len()], &mut high[..rows.len()]);
    // Most boards have fewer nodes than a word has bits.
    if rows.len() <= 64 {
        run_with_best(Warshall([low]));
    } else {
        run_with_best(Warshall([low, high]));
    }
    for (at, row) in rows.iter_mut().enumerate() {
        *row = u128::from(halves[0][at]) | u128::from(halves[1][at]) << 64;
    }
}

/// The computation of [`complete`], of the words of all rows: without branches, which the compiler turns into vectors.
struct Warshall<'a, const WORDS: usize>([&'a mut [u64]; WORDS]);

impl<I: Isa, const WORDS: usize> Kernel<I> for Warshall<'_, WORDS> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: I) {
        let Warshall(mut words) = self;
        let count = words[0].len();
        let mut holds = [0; NODES];
        for middle in 0..count {
            let further: [u64; WORDS] = std::array::from_fn(|word| words[word][middle]);
            for (holds, row) in holds.iter_mut().zip(&*words[middle / 64]) {
                *holds = 0_u64.wrapping_sub(row >> (middle % 64) & 1);
            }
            for (words, further) in words.iter_mut().zip(further) {
                for (row, holds) in words.iter_mut().zip(&holds) {
                    *row |= further & holds;
                }
            }
        }
    }
}
