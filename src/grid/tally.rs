//! Counts the cells of a set in all houses at once.
//!
//! A set of cells is 81 bits, so shifting it by a distance moves every cell onto the one that lies
//! that distance before it. Two joins of three groups make a house of nine cells: a row from three
//! runs of three neighbours, a column from three runs down a band, a block from three runs in three
//! rows.

use super::cell::CellSet;
use super::house::Lines;

/// Whether the group that begins at bit `i` holds at least one cell, and at least two.
#[derive(Clone, Copy)]
struct Tally {
    one: u128,
    two: u128,
}

/// Distance from a group to the next one of its house.
const NEXT_COLUMN: u32 = 1;
const NEXT_STACK: u32 = 3;
const NEXT_ROW: u32 = 9;
const NEXT_BAND: u32 = 27;

/// First cells and spacing of a kind of house: their sum covers the board.
#[derive(Clone, Copy)]
struct HouseMasks {
    heads: u128,
    first: u128,
}

const ROWS: HouseMasks = HouseMasks {
    heads: COLUMN,
    first: ROW,
};
const COLUMNS: HouseMasks = HouseMasks {
    heads: ROW,
    first: COLUMN,
};
const BLOCKS: HouseMasks = HouseMasks {
    heads: (1 | 1 << 3 | 1 << 6) * (1 | 1 << 27 | 1 << 54),
    first: 0b111 * (1 | 1 << 9 | 1 << 18),
};
const ROW: u128 = 0x1ff;
const COLUMN: u128 = (1 | 1 << 9 | 1 << 18) * (1 | 1 << 27 | 1 << 54);
/// The first cell of every three that a row and a block share, and a column and a block.
const HEADS_IN_ROWS: u128 = (1 | 1 << 3 | 1 << 6) * COLUMN;
const HEADS_IN_COLUMNS: u128 = ROW * (1 | 1 << 27 | 1 << 54);

impl Tally {
    const fn of(cells: u128) -> Tally {
        Tally { one: cells, two: 0 }
    }

    /// Joins each group with the two that follow it at this distance.
    const fn join(self, distance: u32) -> Tally {
        let (second, third) = (self.one >> distance, self.one >> (2 * distance));
        Tally {
            one: self.one | second | third,
            two: self.two
                | self.two >> distance
                | self.two >> (2 * distance)
                | self.one & second
                | (self.one | second) & third,
        }
    }

    /// Returns all cells of the houses that hold exactly one cell.
    const fn houses_with_one(self, kind: HouseMasks) -> u128 {
        (self.one & !self.two & kind.heads) * kind.first
    }

    /// Returns whether every house of this kind holds a cell.
    const fn is_everywhere(self, kind: HouseMasks) -> bool {
        self.one & kind.heads == kind.heads
    }
}

impl CellSet {
    /// Returns those of the cells that are the only one in some house.
    #[must_use]
    pub fn alone_in_a_house(self) -> CellSet {
        let cells = Tally::of(self.bits());
        let threes = cells.join(NEXT_COLUMN);
        let alone = threes.join(NEXT_STACK).houses_with_one(ROWS)
            | threes.join(NEXT_ROW).houses_with_one(BLOCKS)
            | cells
                .join(NEXT_ROW)
                .join(NEXT_BAND)
                .houses_with_one(COLUMNS);
        CellSet::from_bits(self.bits() & alone)
    }

    /// Returns whether every house has one of the cells.
    pub fn meets_every_house(self) -> bool {
        let cells = Tally::of(self.bits());
        let threes = cells.join(NEXT_COLUMN);
        threes.join(NEXT_STACK).is_everywhere(ROWS)
            && threes.join(NEXT_ROW).is_everywhere(BLOCKS)
            && cells.join(NEXT_ROW).join(NEXT_BAND).is_everywhere(COLUMNS)
    }

    /// Returns those of the cells whose block has no others of them outside their line.
    #[must_use]
    pub fn confined_in_block(self, lines: Lines) -> CellSet {
        let confined = match lines {
            Lines::Rows => self.threes(lines).join(NEXT_ROW),
            Lines::Columns => self.threes(lines).join(NEXT_COLUMN),
        };
        CellSet::from_bits(self.bits() & confined.houses_with_one(BLOCKS))
    }

    /// Returns those of the cells whose line has no others of them outside their block.
    #[must_use]
    pub fn confined_in_line(self, lines: Lines) -> CellSet {
        let confined = match lines {
            Lines::Rows => self.threes(lines).join(NEXT_STACK).houses_with_one(ROWS),
            Lines::Columns => self.threes(lines).join(NEXT_BAND).houses_with_one(COLUMNS),
        };
        CellSet::from_bits(self.bits() & confined)
    }

    /// Tallies the three cells that each block and line share.
    fn threes(self, lines: Lines) -> Tally {
        let cells = Tally::of(self.bits());
        match lines {
            Lines::Rows => Tally::of(cells.join(NEXT_COLUMN).one & HEADS_IN_ROWS),
            Lines::Columns => Tally::of(cells.join(NEXT_ROW).one & HEADS_IN_COLUMNS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Cell, House};
    use proptest::prelude::*;

    fn held(cells: CellSet, house: House) -> CellSet {
        cells.intersection(house.cells())
    }

    fn check(cells: CellSet) {
        let alone = |cell: &Cell| cell.houses().iter().any(|&h| held(cells, h).len() == 1);
        let expected: CellSet = cells.into_iter().filter(alone).collect();
        assert_eq!(cells.alone_in_a_house(), expected);

        let every = House::all().all(|house| !held(cells, house).is_empty());
        assert_eq!(cells.meets_every_house(), every);

        for (at, lines) in Lines::BOTH.into_iter().enumerate() {
            let outside = |of: House, other: House| held(cells, of).difference(other.cells());
            let line = |cell: &Cell| cell.houses()[at];
            let block = |cell: &Cell| cell.houses()[2];
            let in_block = cells
                .into_iter()
                .filter(|c| outside(block(c), line(c)).is_empty());
            assert_eq!(cells.confined_in_block(lines), in_block.collect());
            let in_line = cells
                .into_iter()
                .filter(|c| outside(line(c), block(c)).is_empty());
            assert_eq!(cells.confined_in_line(lines), in_line.collect());
        }
    }

    proptest! {
        /// Sparse, medium and dense sets: the intersection of this many random ones.
        #[test]
        fn tallies_agree_with_counting_house_by_house(
            sets in prop::collection::vec(any::<u128>(), 1..5),
            inverted in any::<bool>(),
        ) {
            let bits = sets.into_iter().fold(u128::MAX, |all, set| all & set);
            check(CellSet::from_bits(if inverted { !bits } else { bits }));
        }
    }

    #[test]
    fn single_cells_houses_and_the_whole_board_are_tallied() {
        check(CellSet::EMPTY);
        check(CellSet::ALL);
        Cell::all().for_each(|cell| check(CellSet::only(cell)));
        Cell::all().for_each(|cell| check(CellSet::ALL.without(cell)));
        House::all().for_each(|house| check(house.cells()));
        for lines in Lines::BOTH {
            let cells = lines.houses().fold(CellSet::EMPTY, |all, line| {
                assert!(all.intersection(line.cells()).is_empty());
                all.union(line.cells())
            });
            assert_eq!(cells, CellSet::ALL);
        }
    }
}
