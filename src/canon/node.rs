//! A puzzle with some rows of its image placed, as few numbers that are arranged without branches.
//!
//! Rows are those of [`Rows`](super::rows::Rows). A column at its place in the image is a number of sixteen bits: six
//! times the column, above it nothing or the label of its cell in the row at hand, and on top how many places of its
//! stack come before those that it is tied to. So sorting three such numbers puts columns in the order that is least
//! for the row, within their ties.

use super::least::Way;
use super::orders::of_tied;
use super::rows::COLUMN;

/// The label of a digit that has none, greater than all others.
pub(super) const NEW: u64 = 15;
/// Where the label stands in a place.
const LABEL: u32 = 8;
/// Where the tie stands in a place.
const TIE: u32 = 12;
/// The columns of three places.
const COLUMNS: u64 = 0x3f_003f_003f;
/// Labels before any is given: a blank has 0, digits have [`NEW`]. They stand where a shift by zero leaves that of a
/// blank at [`LABEL`].
pub(super) const NO_LABELS: u64 = 0xff_ffff_fff0 << LABEL;
/// Labels where every given is the same: 1, from the beginning.
pub(super) const ALL_THE_SAME: u64 = 0x11_1111_1110 << LABEL;

/// A row in its least arrangement: for each stack a number of a tie (four bits), the labels of three cells (twelve),
/// and three places (sixteen each).
pub(super) type Arranged = [u64; 3];

/// A puzzle with some rows of its image placed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// For each stack of the image, its three places, the first one highest.
    places: [u64; 3],
    /// For each stack, how many places before it are not tied to it.
    stacks: [u8; 3],
    pub(super) is_transposed: bool,
    labels: u64,
    /// The rows placed, four bits each, the last one lowest.
    pub(super) order: u64,
    /// The rows left.
    pub(super) left: u16,
}

impl Node {
    pub(super) fn new(is_transposed: bool, labels: u64) -> Node {
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
    pub(super) fn most_blank(&self, rows: u16, blank: &[u16; 3]) -> u16 {
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
    pub(super) fn arrange(&self, row: u64) -> Arranged {
        let mut stacks: Arranged = std::array::from_fn(|stack| {
            let place = |i: usize| {
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

    /// Returns the node with a row placed and what it says about the order of columns and about labels.
    #[inline(always)]
    pub(super) fn settled(
        &self,
        row: u64,
        arranged: &Arranged,
        labels: u64,
        mut given: u64,
    ) -> Node {
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
            node.places[stack] = triple & COLUMNS | second << (TIE + 16) | third << TIE;
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
    pub(super) fn arrangements(&self) -> u64 {
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

    pub(super) fn way(&self) -> Way {
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

/// The labels of a row, four bits each.
#[inline(always)]
pub(super) fn labels_of(arranged: &Arranged) -> u64 {
    (arranged[0] >> 48 & 0xfff) << 24
        | (arranged[1] >> 48 & 0xfff) << 12
        | arranged[2] >> 48 & 0xfff
}

/// A bit in each of the nibbles that hold [`NEW`].
#[inline(always)]
pub(super) fn new_labels(labels: u64) -> u64 {
    labels & labels << 1 & 0x8_8888_8888
}

/// The labels of a row with those in place that are new, and how many are given then.
#[inline(always)]
pub(super) fn with_new_labels(mut labels: u64, mut given: u64) -> (u64, u64) {
    let mut new = new_labels(labels);
    while new != 0 {
        let at = new.ilog2();
        given += 1;
        labels ^= (NEW ^ given) << (at - 3);
        new ^= 1 << at;
    }
    (labels, given)
}

/// All arrangements that differ from this one in the order in which new labels are given.
#[inline(always)]
pub(super) fn variants(arranged: &Arranged, variants: &mut Vec<Arranged>) {
    variants.clear();
    variants.push(*arranged);
    for stack in 0..3 {
        let places: [u64; 3] = std::array::from_fn(|i| arranged[stack] >> (32 - 16 * i) & 0xffff);
        // The tie and the label.
        let is_same = |i: usize| {
            places[i] >> LABEL == places[i + 1] >> LABEL && places[i] >> LABEL & 15 == NEW
        };
        let known = variants.len();
        for order in &of_tied(is_same(0), is_same(1))[1..] {
            let [a, b, c] = order.map(|i| places[usize::from(i)]);
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
    for order in &of_tied(is_same(0), is_same(1))[1..] {
        for i in 0..known {
            let variant = variants[i];
            variants.push(order.map(|i| variant[usize::from(i)]));
        }
    }
}
