//! Two rows of a band of a full grid, and the orders of columns that make their image least.
//!
//! The second row, written as the columns in which the first one has its digits, is a permutation of the columns that
//! moves each out of its stack: one of 12,096. Arranging the columns of the image conjugates it, and the labels, which
//! make the first row `123456789`, turn it into the second row. So the permutations fall into 15 classes, each with
//! its least second row, `456789123` to `457893621`; the orders that lead there are known once and for all.

use std::sync::LazyLock;

use super::orders::{OF_LINES, OF_THREE};
use super::rows::COLUMN;

/// The tables.
pub(super) static ROW_PAIRS: LazyLock<RowPairs> = LazyLock::new(RowPairs::new);

/// Ways to send a stack to columns of the two others.
const IMAGES: usize = 120;

/// A permutation of the columns, four bits for each, the first lowest.
pub(super) type Permutation = u64;

/// What is known about all permutations.
#[derive(Debug)]
pub(super) struct RowPairs {
    /// For each stack and its three images, which of 120 ways that is; the order of the three is its rest by six.
    ways: [[u8; 4096]; 3],
    /// Six entries for each way to send the first two stacks somewhere: the number of the first one.
    blocks: Vec<u16>,
    entries: Vec<Entry>,
    /// The orders of all entries, as bits to shift a row by.
    orders: Vec<[u8; 9]>,
}

/// What is known about a permutation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The place of its class among the 15, that with the least second row first.
    pub(super) class: u8,
    /// How many orders make it least.
    count: u8,
    first: u16,
}

impl RowPairs {
    /// Returns what is known about a permutation, which moves each column out of its stack.
    pub(super) fn entry(&self, permutation: Permutation) -> Entry {
        self.entries[self.index(permutation)]
    }

    #[inline(always)]
    fn index(&self, permutation: Permutation) -> usize {
        let [a, b, c] = self.ways_of(permutation);
        usize::from(self.blocks[IMAGES * a + b]) + c % 6
    }

    /// Where a permutation sends each stack, as one of 120 ways.
    #[inline(always)]
    fn ways_of(&self, permutation: Permutation) -> [usize; 3] {
        std::array::from_fn(|stack| {
            let images = (permutation >> (12 * stack)) as usize & 0xfff;
            usize::from(self.ways[stack][images])
        })
    }

    /// Returns the orders of columns that make the second row least: for each place of the image, the column there,
    /// times [`COLUMN`].
    pub(super) fn orders(&self, entry: Entry) -> &[[u8; 9]] {
        &self.orders[usize::from(entry.first)..][..usize::from(entry.count)]
    }

    fn new() -> RowPairs {
        let mut pairs = RowPairs {
            ways: [[0; 4096]; 3],
            blocks: vec![0; IMAGES * IMAGES],
            entries: Vec::new(),
            orders: Vec::new(),
        };
        for stack in 0..3 {
            let columns = (0..9).filter(|column| column / 3 != stack);
            let columns: Vec<u64> = columns.map(|column| column as u64).collect();
            let mut number = 0;
            // Sets of three, and the six orders of each.
            for a in 0..6 {
                for b in a + 1..6 {
                    for c in b + 1..6 {
                        let set = [columns[a], columns[b], columns[c]];
                        for order in OF_THREE {
                            let [a, b, c] = order.map(|i| set[usize::from(i)]);
                            pairs.ways[stack][(a | b << 4 | c << 8) as usize] = number;
                            number += 1;
                        }
                    }
                }
            }
        }
        let permutations = pairs.number_all();
        pairs.classify(&permutations);
        pairs
    }

    /// Gives each permutation an entry; returns them in lexicographic order.
    fn number_all(&mut self) -> Vec<[u8; 9]> {
        let mut all = Vec::with_capacity(12_096);
        extend([0; 9], 0, 0, &mut all);
        let mut last = None;
        for permutation in &all {
            let [a, b, _] = self.ways_of(packed(permutation));
            let block = IMAGES * a + b;
            // Those of a block follow each other.
            if last != Some(block) {
                last = Some(block);
                self.blocks[block] = self.entries.len() as u16;
                self.entries.extend([Entry::default(); 6]);
            }
        }
        all
    }

    /// Finds the classes: the first permutation that is in none is the least of the next one.
    fn classify(&mut self, permutations: &[[u8; 9]]) {
        let mut class = 0;
        let mut next = 0;
        for least in permutations {
            if self.entry(packed(least)).count > 0 {
                continue;
            }
            // Each order leads to the least permutation from one of its class.
            let found = OF_LINES.each_ref().map(|order| {
                let mut permutation = 0;
                for (&from, &to) in order.iter().zip(least) {
                    permutation |= u64::from(order[usize::from(to)]) << (4 * from);
                }
                self.index(permutation)
            });
            // All of a class have the same number of orders.
            let at_least = self.index(packed(least));
            let count = found.iter().filter(|&&index| index == at_least).count();
            self.orders.resize(self.orders.len() + found.len(), [0; 9]);
            for (order, index) in OF_LINES.iter().zip(found) {
                let entry = &mut self.entries[index];
                if entry.count == 0 {
                    entry.class = class;
                    entry.first = next;
                    next += count as u16;
                }
                let place = usize::from(entry.first) + usize::from(entry.count);
                self.orders[place] = order.map(|column| column * COLUMN as u8);
                entry.count += 1;
            }
            class += 1;
        }
    }
}

/// All ways to fill a permutation that moves each column out of its stack from this place on.
fn extend(mut permutation: [u8; 9], place: usize, used: u16, all: &mut Vec<[u8; 9]>) {
    if place == 9 {
        all.push(permutation);
        return;
    }
    for image in 0..9u8 {
        if usize::from(image) / 3 != place / 3 && used >> image & 1 == 0 {
            permutation[place] = image;
            extend(permutation, place + 1, used | 1 << image, all);
        }
    }
}

fn packed(permutation: &[u8; 9]) -> Permutation {
    let images = permutation.iter().enumerate();
    images.fold(0, |packed, (at, &image)| {
        packed | u64::from(image) << (4 * at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_15_classes_and_each_order_maps_to_the_minimum_of_its_class() {
        let mut permutations = Vec::new();
        extend([0; 9], 0, 0, &mut permutations);
        assert_eq!(permutations.len(), 12_096);
        assert!(permutations.is_sorted());
        let pairs = RowPairs::new();
        let mut least: Vec<[u8; 9]> = Vec::new();
        for permutation in &permutations {
            let entry = pairs.entry(packed(permutation));
            for order in pairs.orders(entry) {
                let order = order.map(|column| column / COLUMN as u8);
                let image = |place: u8| {
                    let image = permutation[usize::from(order[usize::from(place)])];
                    order.iter().position(|&column| column == image).unwrap() as u8
                };
                let conjugate = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(image);
                assert!(conjugate <= *permutation);
                match least.get(usize::from(entry.class)) {
                    Some(least) => assert_eq!(*least, conjugate),
                    None => least.push(conjugate),
                }
            }
        }
        assert!(least.is_sorted());
        assert_eq!(least.len(), 15);
        assert_eq!(least[0], [3, 4, 5, 6, 7, 8, 0, 1, 2]);
        assert_eq!(least[3], [3, 4, 6, 0, 7, 8, 1, 2, 5]);
        // Every pair of a permutation and an order in its class is covered.
        let orders: usize = permutations
            .iter()
            .map(|p| pairs.orders(pairs.entry(packed(p))).len())
            .sum();
        assert_eq!(orders, 15 * OF_LINES.len());
    }
}
