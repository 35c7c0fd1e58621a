//! Search for the least image of a puzzle whose rows and columns hold no digit twice: the fast way for most puzzles.
//!
//! Breadth first, row by row: of all ways to place the next row of the image only those are kept that give the least
//! row so far, so all nodes share the lines above (the idea of M. Dobrichev's `gridchecker`). Columns that have been
//! blank in all rows placed so far stay tied, as in [`super::state`]. Where more nodes are tied than fit, the search
//! gives up, and [`super::search`], which knows how to skip what is symmetric, takes over.
//!
//! A row is a number of 54 bits, six for each column: four times its digit. A shift by the number of a column brings
//! its digit down, a shift of the labels by that number its label. Labels are nibbles of a number too, the one of an
//! unlabeled digit is [`NEW`], greater than all others. Since all nodes of a level have given the same number of
//! labels, rows compare as they should without the new labels in place.

use super::least::{Least, Way};
use crate::grid::PuzzleLine;

/// Nodes of a level at most.
const CAPACITY: usize = 2048;
/// The label of a digit that has none.
const NEW: u64 = 15;
/// Bits of a column in a row.
const COLUMN: u32 = 6;
/// Where the label stands in a [`Place`].
const LABEL: u32 = 8;
/// Where the tie stands in a [`Place`].
const TIE: u32 = 12;
/// Labels before any is given: a blank has 0, digits have [`NEW`]. They stand where a shift by zero leaves the one of a blank at [`LABEL`].
const NO_LABELS: u64 = 0xff_ffff_fff0 << LABEL;
/// Labels where every given is the same: 1, from the beginning.
const ALL_THE_SAME: u64 = 0x11_1111_1110 << LABEL;

/// A column at its place in the image, sixteen bits: six times the column; at [`LABEL`] nothing, or the label of its
/// cell in the row at hand; at [`TIE`] how many places of its stack before it are not tied to it.
type Place = u64;

/// A row in its least arrangement: a number for each stack, from the highest bits a tie as in [`Place`], the labels of
/// three cells, and the three places.
type Arranged = [u64; 3];

/// The rows of a puzzle and of its transpose.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    rows: [[u64; 9]; 2],
    /// The bits of the givens in each row.
    givens: [[u16; 9]; 2],
    /// For each stack, the bits of the rows without a given in it.
    blank: [[u16; 3]; 2],
    /// How many givens there are.
    count: u32,
}

impl Rows {
    /// Returns the rows of a puzzle.
    pub(super) fn new(line: &PuzzleLine) -> Rows {
        let bytes = line.as_bytes();
        let mut rows = Rows {
            rows: [[0; 9]; 2],
            givens: [[0; 9]; 2],
            blank: [[0x1ff; 3]; 2],
            count: 0,
        };
        let mut givens = givens(bytes);
        rows.count = givens.count_ones();
        while givens != 0 {
            let place = givens.trailing_zeros() as usize;
            givens &= givens - 1;
            let (row, column) = (place / 9, place % 9);
            let digit = u64::from(bytes[place] & 15);
            // Above the cells, a bit for each digit.
            let seen = 1 << (54 + digit);
            rows.rows[0][row] |= (4 * digit) << (COLUMN * column as u32) | seen;
            rows.rows[1][column] |= (4 * digit) << (COLUMN * row as u32) | seen;
            rows.givens[0][row] |= 1 << column;
            rows.givens[1][column] |= 1 << row;
            rows.blank[0][column / 3] &= !(1 << row);
            rows.blank[1][row / 3] &= !(1 << column);
        }
        rows
    }

    /// Whether no digit comes twice in a row or a column.
    pub(super) fn are_consistent(&self) -> bool {
        let different = |row: &u64| (row >> 55).count_ones();
        let mut sides = self.rows.iter();
        sides.all(|side| side.iter().map(different).sum::<u32>() == self.count)
    }
}

/// The places of the givens as bits.
fn givens(bytes: &[u8; 81]) -> u128 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Blanks are the bytes whose lower half is not 1 to 9.
    let bits = |word: u64| {
        let half = word & (15 * ONES);
        let is_given = (half + 15 * ONES) & !(half + 6 * ONES) & (16 * ONES);
        u128::from((is_given >> 4).wrapping_mul(0x0102_0408_1020_4080) >> 56)
    };
    let (words, last) = bytes.as_chunks::<8>();
    let mut givens = 0;
    for (i, word) in words.iter().enumerate() {
        givens |= bits(u64::from_le_bytes(*word)) << (8 * i);
    }
    givens | bits(u64::from(last[0])) << 80
}

/// The least arrangement of a row, if no columns are tied: the givens of each stack counted and sorted.
const FIRST: [u16; 512] = {
    let mut table = [0; 512];
    let mut bits = 0usize;
    while bits < 512 {
        let (a, b, c) = (bits & 7, bits >> 3 & 7, bits >> 6);
        let mut counts = [a.count_ones(), b.count_ones(), c.count_ones()];
        let mut pass = 0;
        while pass < 3 {
            let i = pass % 2;
            if counts[i] > counts[i + 1] {
                (counts[i], counts[i + 1]) = (counts[i + 1], counts[i]);
            }
            pass += 1;
        }
        table[bits] =
            ((1 << counts[0]) - 1) << 6 | ((1 << counts[1]) - 1) << 3 | ((1 << counts[2]) - 1);
        bits += 1;
    }
    table
};

/// A puzzle with some rows of its image placed.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// For each stack of the image, its three places, the first one highest.
    places: [u64; 3],
    /// For each stack, how many places before it are not tied to it.
    stacks: [u8; 3],
    is_transposed: bool,
    labels: u64,
    /// The rows placed, four bits each, the last one lowest.
    order: u64,
    /// The rows left.
    left: u16,
}

impl Node {
    fn new(is_transposed: bool, labels: u64) -> Node {
        Node {
            places: std::array::from_fn(|stack| {
                let place = |i: u64| u64::from(COLUMN) * (3 * stack as u64 + i);
                place(0) << 32 | place(1) << 16 | place(2)
            }),
            stacks: [0; 3],
            is_transposed,
            labels,
            order: 0,
            left: 0x1ff,
        }
    }

    /// Of some rows, those that have the most blank stacks at the beginning of their least arrangement.
    #[inline(always)]
    fn most_blank(&self, rows: u16, blank: &[u16; 3]) -> u16 {
        let [a, b, c] = self
            .places
            .map(|places| blank[(places & 63) as usize / (3 * COLUMN as usize) % 3]);
        // Of stacks that are tied the blank ones come first.
        let is_tied = |stack: usize| self.stacks[stack] == self.stacks[stack - 1];
        let begins = match (is_tied(1), is_tied(2)) {
            (false, false) => [a, a & b],
            (true, false) => [a | b, a & b],
            (false, true) => [a, a & (b | c)],
            (true, true) => [a | b | c, a & b | (a | b) & c],
        };
        let mut best = rows;
        for begin in [begins[0], begins[1], a & b & c] {
            let better = rows & begin;
            best = if better != 0 { better } else { best };
        }
        best
    }

    /// Returns the least arrangement of a row.
    #[inline(always)]
    fn arrange(&self, row: u64) -> Arranged {
        let mut stacks: Arranged = std::array::from_fn(|stack| {
            let place = |i: usize| -> Place {
                let place = self.places[stack] >> (32 - 16 * i) & 0xffff;
                // A shift minds the lowest six bits of its distance only.
                let digit = row.wrapping_shr(place as u32);
                place | self.labels.wrapping_shr(digit as u32) & NEW << LABEL
            };
            let (a, b, c) = (place(0), place(1), place(2));
            let (a, b) = (a.min(b), a.max(b));
            let (b, c) = (b.min(c), b.max(c));
            let (a, b) = (a.min(b), a.max(b));
            let labels = a & NEW << LABEL | (b & NEW << LABEL) >> 4 | (c & NEW << LABEL) >> 8;
            u64::from(self.stacks[stack]) << 60 | labels << 48 | a << 32 | b << 16 | c
        });
        let mut sort = |i: usize| {
            let (a, b) = (stacks[i], stacks[i + 1]);
            (stacks[i], stacks[i + 1]) = (a.min(b), a.max(b));
        };
        sort(0);
        sort(1);
        sort(0);
        stacks
    }
}

/// The labels of a row, four bits each.
fn labels_of(arranged: &Arranged) -> u64 {
    (arranged[0] >> 48 & 0xfff) << 24
        | (arranged[1] >> 48 & 0xfff) << 12
        | arranged[2] >> 48 & 0xfff
}

/// A way to place the next row.
#[derive(Debug, Clone, Copy)]
struct Step {
    arranged: Arranged,
    node: u32,
    row: u32,
}

/// The search, with buffers for the nodes of two levels.
#[derive(Debug, Default, Clone)]
pub(super) struct SparseSearch {
    nodes: Vec<Node>,
    next: Vec<Node>,
    steps: Vec<Step>,
    variants: Vec<Arranged>,
}

impl SparseSearch {
    /// Returns the least image of a puzzle whose rows and columns hold no digit twice, or nothing if too many images
    /// are tied on the way.
    pub(super) fn least_image(&mut self, rows: &Rows) -> Option<Least> {
        self.search(rows, NO_LABELS)
    }

    /// Returns the least image of the pattern of givens, with 1 for each, or nothing if too many images are tied on the
    /// way.
    pub(super) fn least_pattern(&mut self, rows: &Rows) -> Option<Least> {
        self.search(rows, ALL_THE_SAME)
    }

    fn search(&mut self, rows: &Rows, labels: u64) -> Option<Least> {
        let mut lines = [0; 9];
        self.nodes.clear();
        let nodes = [false, true].map(|is_transposed| Node::new(is_transposed, labels));
        self.nodes.extend(nodes);
        let mut given = 0;
        for (place, line) in lines.iter_mut().enumerate() {
            let least = match place {
                0 => self.first_steps(rows),
                _ => self.steps(rows, place),
            };
            self.next.clear();
            for i in 0..self.steps.len() {
                self.take(rows, i, least, given)?;
            }
            (*line, given) = with_new_labels(least, given);
            std::mem::swap(&mut self.nodes, &mut self.next);
        }
        let node = self.nodes.first()?;
        Some(Least {
            lines,
            way: node.way(),
            ways: self.nodes.len() as u64 * node.arrangements(),
        })
    }

    /// Finds the least first rows; returns their labels.
    fn first_steps(&mut self, rows: &Rows) -> u64 {
        self.steps.clear();
        let mut least = u16::MAX;
        for side in &rows.givens {
            for &givens in side {
                least = least.min(FIRST[usize::from(givens)]);
            }
        }
        for (side, node) in self.nodes.iter().enumerate() {
            for (row, &givens) in rows.givens[side].iter().enumerate() {
                if FIRST[usize::from(givens)] == least {
                    self.steps.push(Step {
                        arranged: node.arrange(rows.rows[side][row]),
                        node: side as u32,
                        row: row as u32,
                    });
                }
            }
        }
        labels_of(&self.steps[0].arranged)
    }

    /// Finds the least next rows; returns their labels.
    fn steps(&mut self, rows: &Rows, place: usize) -> u64 {
        self.steps.clear();
        let mut least = u64::MAX;
        for (index, node) in self.nodes.iter().enumerate() {
            let side = usize::from(node.is_transposed);
            let mut left = node.left;
            if !place.is_multiple_of(3) {
                left &= 7 << (3 * ((node.order & 15) / 3));
            }
            left = node.most_blank(left, &rows.blank[side]);
            let rows = &rows.rows[side];
            while left != 0 {
                let row = left.trailing_zeros();
                left &= left - 1;
                let arranged = node.arrange(rows[row as usize]);
                let labels = labels_of(&arranged);
                if labels < least {
                    least = labels;
                    self.steps.clear();
                }
                if labels == least {
                    self.steps.push(Step {
                        arranged,
                        node: index as u32,
                        row,
                    });
                }
            }
        }
        least
    }

    /// Makes the nodes that a step leads to; nothing if they are too many.
    fn take(&mut self, rows: &Rows, step: usize, labels: u64, given: u64) -> Option<()> {
        let step = self.steps[step];
        let mut node = self.nodes[step.node as usize];
        node.order = node.order << 4 | u64::from(step.row);
        node.left &= !(1 << step.row);
        if labels == 0 {
            self.next.push(node);
            return (self.next.len() <= CAPACITY).then_some(());
        }
        let row = rows.rows[usize::from(node.is_transposed)][step.row as usize];
        if new_labels(labels).count_ones() < 2 {
            self.next
                .push(node.settled(row, &step.arranged, labels, given));
        } else {
            variants(&step.arranged, &mut self.variants);
            let settled = |arranged| node.settled(row, arranged, labels, given);
            self.next.extend(self.variants.iter().map(settled));
        }
        (self.next.len() <= CAPACITY).then_some(())
    }
}

/// A bit in each of the nibbles that hold [`NEW`].
fn new_labels(labels: u64) -> u64 {
    labels & labels << 1 & 0x8_8888_8888
}

/// The labels of a row with those in place that are new, and how many are given then.
fn with_new_labels(mut labels: u64, mut given: u64) -> (u64, u64) {
    let mut new = new_labels(labels);
    while new != 0 {
        let at = new.ilog2();
        given += 1;
        labels ^= (NEW ^ given) << (at - 3);
        new ^= 1 << at;
    }
    (labels, given)
}

impl Node {
    /// Returns the node with a row placed and what it says about the order of columns and about labels.
    #[inline(always)]
    fn settled(&self, row: u64, arranged: &Arranged, labels: u64, mut given: u64) -> Node {
        let mut node = *self;
        for stack in 0..3 {
            let triple = arranged[stack];
            // What shows the same stays tied, but for new labels: one of them comes first.
            let is_tied = stack > 0
                && triple >> 48 == arranged[stack - 1] >> 48
                && new_labels(triple >> 48 & 0xfff) == 0;
            node.stacks[stack] = if is_tied {
                node.stacks[stack - 1]
            } else {
                stack as u8
            };
            let stays_tied = |i: u32| {
                // The tie and the label.
                let (a, b) = (
                    triple >> (32 - 16 * i + LABEL) & 0xff,
                    triple >> (16 - 16 * i + LABEL) & 0xff,
                );
                a == b && a & 15 != NEW
            };
            let second = if stays_tied(0) { 0 } else { 1 };
            let third = if stays_tied(1) { second } else { 2 };
            node.places[stack] = triple & 0x3f_003f_003f | second << (TIE + 16) | third << TIE;
        }
        let mut new = new_labels(labels);
        while new != 0 {
            let at = new.ilog2();
            new ^= 1 << at;
            given += 1;
            let place = 8 - at / 4;
            let column = node.places[place as usize / 3] >> (32 - 16 * (place % 3)) & 63;
            let shift = row.wrapping_shr(column as u32) & 63;
            node.labels ^= (NEW ^ given) << (u64::from(LABEL) + shift);
        }
        node
    }

    /// In how many ways columns and stacks that are tied can be arranged.
    fn arrangements(&self) -> u64 {
        let ties = |ties: [u16; 3]| match (ties[0] == ties[1], ties[1] == ties[2]) {
            (true, true) => 6,
            (false, false) => 1,
            _ => 2,
        };
        let columns = self
            .places
            .map(|places| ties([32, 16, 0].map(|at| (places >> at & 0xffff) as u16 >> TIE)));
        let columns = columns.into_iter();
        columns.product::<u64>() * ties(self.stacks.map(u16::from))
    }

    fn way(&self) -> Way {
        Way {
            transposed: self.is_transposed,
            rows: std::array::from_fn(|place| (self.order >> (32 - 4 * place) & 15) as u8),
            columns: std::array::from_fn(|column| {
                let place = self.places[column / 3] >> (32 - 16 * (column % 3));
                (place & 63) as u8 / COLUMN as u8
            }),
            labels: std::array::from_fn(|digit| {
                match self.labels >> (LABEL as usize + 4 * digit) & 15 {
                    NEW => 0,
                    label => label as u8,
                }
            }),
        }
    }
}

/// Orders of three, the first of which changes nothing; the first two leave the first one, the first and the third
/// the last one where they are.
const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// The orders that only swap what is tied: neighbours of three.
fn orders(first_two: bool, last_two: bool) -> &'static [usize] {
    match (first_two, last_two) {
        (false, false) => &[0],
        (false, true) => &[0, 1],
        (true, false) => &[0, 2],
        (true, true) => &[0, 1, 2, 3, 4, 5],
    }
}

/// All arrangements that differ from this one in the order in which new labels are given.
fn variants(arranged: &Arranged, variants: &mut Vec<Arranged>) {
    variants.clear();
    variants.push(*arranged);
    for stack in 0..3 {
        let places: [u64; 3] = std::array::from_fn(|i| arranged[stack] >> (32 - 16 * i) & 0xffff);
        // The tie and the label.
        let is_same = |i: usize| {
            places[i] >> LABEL == places[i + 1] >> LABEL && places[i] >> LABEL & 15 == NEW
        };
        let known = variants.len();
        for &order in &orders(is_same(0), is_same(1))[1..] {
            let [a, b, c] = ORDERS[order].map(|i| places[i]);
            let changed = arranged[stack] >> 48 << 48 | a << 32 | b << 16 | c;
            for i in 0..known {
                let mut variant = variants[i];
                variant[stack] = changed;
                variants.push(variant);
            }
        }
    }
    // Blank stacks that are tied stay tied: they need no order.
    let is_same =
        |i: usize| arranged[i] >> 48 == arranged[i + 1] >> 48 && arranged[i] >> 48 & 0xfff != 0;
    let known = variants.len();
    for &order in &orders(is_same(0), is_same(1))[1..] {
        for i in 0..known {
            let variant = variants[i];
            variants.push(ORDERS[order].map(|i| variant[i]));
        }
    }
}
