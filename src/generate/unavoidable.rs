//! Unavoidable sets: cells of a solved board of which every puzzle with this solution has a given.
//!
//! The cells in which two solutions of a puzzle differ are such a set: without a given in them, the digits of the
//! other solution would do as well. G. McGuire made them the base of his search for puzzles of 16 givens ("There
//! is no 16-clue Sudoku", 2012); the term is older.

use crate::grid::{Cell, CellSet, Solution};

/// The cells in which two solutions differ.
pub(super) fn difference(one: &Solution, other: &Solution) -> CellSet {
    let differs = |&cell: &Cell| one.digit(cell) != other.digit(cell);
    Cell::all().filter(differs).collect()
}

/// Unavoidable sets that are seen without a search: those in which two digits change places, and those in which
/// two lines of a band or stack do. Some come twice. They are unions of the bits that stand for their cells.
pub(super) fn obvious(solution: &Solution, bits: &[u128; 81]) -> Vec<u128> {
    let digits = solution.to_ascii().map(|byte| byte - b'1');
    let mut sets = Vec::with_capacity(256);
    for pair in LINE_PAIRS {
        line_swaps(&digits, pair, bits, &mut sets);
    }
    digit_swaps(&digits, bits, &mut sets);
    sets
}

/// Each cell stands for itself, as in a [`CellSet`].
pub(super) const CELLS: [u128; 81] = {
    let mut bits = [0; 81];
    let mut at = 0;
    while at < 81 {
        bits[at] = 1 << at;
        at += 1;
    }
    bits
};

/// The cells of each row and each column.
const LINES: [[u8; 9]; 18] = {
    let mut lines = [[0; 9]; 18];
    let mut at = 0;
    while at < 81 {
        lines[at / 9][at % 9] = at as u8;
        lines[9 + at % 9][at / 9] = at as u8;
        at += 1;
    }
    lines
};

/// Two rows of a band or two columns of a stack.
const LINE_PAIRS: [[usize; 2]; 18] = {
    let mut pairs = [[0; 2]; 18];
    let mut third = 0;
    while third < 6 {
        pairs[3 * third] = [3 * third, 3 * third + 1];
        pairs[3 * third + 1] = [3 * third, 3 * third + 2];
        pairs[3 * third + 2] = [3 * third + 1, 3 * third + 2];
        third += 1;
    }
    pairs
};

/// Places in two lines of the same digits, which can change lines: their cycles.
fn line_swaps(
    digits: &[u8; 81],
    [one, other]: [usize; 2],
    bits: &[u128; 81],
    sets: &mut Vec<u128>,
) {
    let (one, other) = (&LINES[one], &LINES[other]);
    let mut place = [0; 9];
    for (at, &cell) in one.iter().enumerate() {
        place[usize::from(digits[usize::from(cell)])] = at;
    }
    let mut left = 0x1FFu32;
    while left != 0 {
        let first = left.trailing_zeros() as usize;
        let mut set = 0u128;
        let mut at = first;
        loop {
            left &= !(1 << at);
            set |= bits[usize::from(one[at])] | bits[usize::from(other[at])];
            at = place[usize::from(digits[usize::from(other[at])])];
            if at == first {
                break;
            }
        }
        sets.push(set);
    }
}

/// Cells of two digits that change places: rows that share a column or a block hang together.
fn digit_swaps(digits: &[u8; 81], bits: &[u128; 81], sets: &mut Vec<u128>) {
    // For each digit and row its column; for each digit and column its row; for each digit and block its row.
    let mut column = [[0u8; 9]; 9];
    let mut row = [[0u8; 9]; 9];
    let mut block = [[0u8; 9]; 9];
    for cell in Cell::all() {
        let digit = usize::from(digits[cell.index()]);
        column[digit][cell.row()] = cell.column() as u8;
        row[digit][cell.column()] = cell.row() as u8;
        block[digit][cell.block()] = cell.row() as u8;
    }
    for a in 0..9 {
        for b in a + 1..9 {
            let mut left = 0x1FFu32;
            while left != 0 {
                let mut open = left & left.wrapping_neg();
                left &= !open;
                let mut set = 0u128;
                while open != 0 {
                    let r = open.trailing_zeros() as usize;
                    open &= open - 1;
                    for (one, other) in [(a, b), (b, a)] {
                        let c = usize::from(column[one][r]);
                        set |= bits[9 * r + c];
                        // Where the other digit has the place that this one would take.
                        let by_column = row[other][c];
                        let by_block = block[other][r / 3 * 3 + c / 3];
                        let reached = (1 << by_column | 1 << by_block) & left;
                        left &= !reached;
                        open |= reached;
                    }
                }
                sets.push(set);
            }
        }
    }
}
