//! Locked candidates by tables: which minirows of a band, and which minicolumns of a stack, one
//! digit can still take.
//!
//! A digit stands once in each row and once in each block of a band, so the three minirows that it
//! takes are a permutation: one in each row, one in each block. Of the nine minirows only those
//! that belong to such a permutation stay. The same holds for the minicolumns of a stack.

use super::band_set::BandSet;
use crate::grid::Cell;

/// Nine bits: row r of a band and block b is bit 3r + b.
const PERMUTATIONS: [u32; 6] = [
    1 | 1 << 4 | 1 << 8,
    1 | 1 << 5 | 1 << 7,
    1 << 1 | 1 << 3 | 1 << 8,
    1 << 1 | 1 << 5 | 1 << 6,
    1 << 2 | 1 << 3 | 1 << 7,
    1 << 2 | 1 << 4 | 1 << 6,
];

/// The bits of a column in a band, times nine bits of columns.
const EVERY_ROW: u32 = 1 | 1 << 9 | 1 << 18;
/// The cells of the first block of a band.
const BLOCK: u32 = 0b111 * EVERY_ROW;
/// The first cell of each block of a band.
const BLOCKS: u32 = 0o111;

/// For nine cells of a row, which of its three minirows hold any.
static MINIROWS_OF_ROW: [u8; 512] = {
    let mut table = [0; 512];
    let mut row = 0;
    while row < 512 {
        let mut minirow = 0;
        while minirow < 3 {
            if row >> (3 * minirow) & 0b111 != 0 {
                table[row] |= 1 << minirow;
            }
            minirow += 1;
        }
        row += 1;
    }
    table
};

/// For nine minirows, the cells of those that belong to a permutation.
static ROWS: [u32; 512] = {
    let mut table = [0; 512];
    let mut minirows = 0;
    while minirows < 512 {
        let possible = possible(minirows as u32);
        let mut minirow = 0;
        while minirow < 9 {
            if possible >> minirow & 1 == 1 {
                table[minirows] |= 0b111 << (3 * minirow);
            }
            minirow += 1;
        }
        minirows += 1;
    }
    table
};

/// For nine minicolumns of the first stack (column c of band b is bit 3b + c), the cells of those
/// that belong to a permutation, band by band.
static COLUMNS: [[u32; 3]; 512] = {
    let mut table = [[0; 3]; 512];
    let mut minicolumns = 0;
    while minicolumns < 512 {
        let possible = possible(minicolumns as u32);
        let mut band = 0;
        while band < 3 {
            table[minicolumns][band] = (possible >> (3 * band) & 0b111) * EVERY_ROW;
            band += 1;
        }
        minicolumns += 1;
    }
    table
};

/// For nine columns of a band, the three of stack s moved to bits 9s, 9s + 1 and 9s + 2.
static COLUMNS_BY_STACK: [u32; 512] = {
    let mut table = [0; 512];
    let mut columns = 0;
    while columns < 512 {
        let bits = columns as u32;
        table[columns] = bits & 0o7 | (bits & 0o70) << 6 | (bits & 0o700) << 12;
        columns += 1;
    }
    table
};

/// For each cell, the cells that do not see it.
static UNSEEN: [BandSet; Cell::COUNT] = {
    let mut table = [BandSet::EMPTY; Cell::COUNT];
    let mut index = 0;
    while let Some(cell) = Cell::new(index) {
        table[index] = BandSet::ALL.difference(BandSet::from_cells(cell.peers()));
        index += 1;
    }
    table
};

/// The bits of all permutations that are within these nine.
const fn possible(bits: u32) -> u32 {
    let mut possible = 0;
    let mut at = 0;
    while at < PERMUTATIONS.len() {
        if bits & PERMUTATIONS[at] == PERMUTATIONS[at] {
            possible |= PERMUTATIONS[at];
        }
        at += 1;
    }
    possible
}

/// The cells of a band that locked candidates of its rows and blocks leave to a digit.
#[inline]
pub(super) fn left_by_rows(band: u32) -> u32 {
    let of = |row: u32| usize::from(MINIROWS_OF_ROW[row as usize & 511]);
    let minirows = of(band) | of(band >> 9) << 3 | of(band >> 18) << 6;
    band & ROWS[minirows & 511]
}

/// The minicolumns that hold a digit: column c of stack s in band b is bit 9s + 3b + c.
#[inline]
pub(super) fn minicolumns([top, middle, bottom]: [u32; 3]) -> u32 {
    let of = |band: u32| COLUMNS_BY_STACK[((band | band >> 9 | band >> 18) & 511) as usize];
    of(top) | of(middle) << 3 | of(bottom) << 6
}

/// The cells that locked candidates of columns and blocks leave to a digit with these minicolumns.
#[inline]
pub(super) fn left_by_columns(bands: [u32; 3], minicolumns: u32) -> [u32; 3] {
    let of = |stack: u32| &COLUMNS[(minicolumns >> (9 * stack)) as usize & 511];
    let (left, centre, right) = (of(0), of(1), of(2));
    let in_band = |at: usize| bands[at] & (left[at] | centre[at] << 3 | right[at] << 6);
    [in_band(0), in_band(1), in_band(2)]
}

/// The cells that are the only ones of their block. Where no locked candidates are left, those of
/// rows and columns are among them. Every block must hold a cell.
#[inline]
pub(super) fn only_places(band: u32) -> u32 {
    // One minirow and one minicolumn: of three things that are not all absent, exactly one is
    // there if their parity is odd and not all three are.
    let one = |a: u32, b: u32, c: u32| (a ^ b ^ c) & !(a & b & c);
    let minirows = band | band >> 1 | band >> 2;
    let columns = band | band >> 9 | band >> 18;
    let blocks =
        one(minirows, minirows >> 9, minirows >> 18) & one(columns, columns >> 1, columns >> 2);
    band & ((blocks & BLOCKS) * BLOCK)
}

/// The cells that do not see this one.
#[inline]
pub(super) fn unseen(cell: Cell) -> BandSet {
    UNSEEN[cell.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn holds(cells: &[usize], bits: u32) -> bool {
        cells.iter().any(|&cell| bits >> cell & 1 == 1)
    }

    /// The cells of a minirow, by row and block.
    fn minirow(row: usize, block: usize) -> [usize; 3] {
        [0, 1, 2].map(|at| 9 * row + 3 * block + at)
    }

    /// Every way to give each of three things another of three.
    fn orders() -> impl Iterator<Item = [usize; 3]> {
        let all = (0..27).map(|n| [n / 9, n / 3 % 3, n % 3]);
        all.filter(|[a, b, c]| a != b && b != c && a != c)
    }

    proptest! {
        #[test]
        fn rows_leave_the_minirows_of_some_placement(band in 0..1_u32 << 27) {
            let mut left = 0;
            for blocks in orders() {
                let chosen: Vec<[usize; 3]> = (0..3).map(|row| minirow(row, blocks[row])).collect();
                if chosen.iter().all(|cells| holds(cells, band)) {
                    left |= chosen.iter().flatten().fold(0, |bits, cell| bits | 1 << cell);
                }
            }
            prop_assert_eq!(left_by_rows(band), band & left);
        }

        #[test]
        fn columns_leave_the_minicolumns_of_some_placement(bands in prop::array::uniform3(0..1_u32 << 27)) {
            let mut left = [0; 3];
            for stack in 0..3 {
                for columns in orders() {
                    let cells = |band: usize| [0, 1, 2].map(|row| 9 * row + 3 * stack + columns[band]);
                    if (0..3).all(|band| holds(&cells(band), bands[band])) {
                        for (band, left) in left.iter_mut().enumerate() {
                            *left |= cells(band).iter().fold(0, |bits, cell| bits | 1 << cell);
                        }
                    }
                }
            }
            let expected = [0, 1, 2].map(|band| bands[band] & left[band]);
            prop_assert_eq!(left_by_columns(bands, minicolumns(bands)), expected);
        }

        #[test]
        fn only_places_stand_alone_in_their_block(thinned in prop::array::uniform3(0..1_u32 << 27)) {
            // Few bits, so that single ones come up; no block may be empty.
            let mut band = thinned[0] & thinned[1] & thinned[2];
            for block in 0..3 {
                let block = BLOCK << (3 * block);
                if band & block == 0 {
                    band |= block & 1 << (thinned[0] % 27) | block & block.wrapping_neg();
                }
            }
            let alone = (0..3).map(|block| band & BLOCK << (3 * block)).filter(|held| held.count_ones() == 1);
            prop_assert_eq!(only_places(band), alone.sum::<u32>());
        }
    }

    #[test]
    fn a_cell_is_unseen_by_all_but_its_peers() {
        for cell in Cell::all() {
            for other in Cell::all() {
                assert_eq!(unseen(cell).contains(other), !cell.sees(other));
            }
        }
    }
}
