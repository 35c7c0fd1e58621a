//! The rows of a puzzle as numbers.

use crate::grid::PuzzleLine;

/// Bits of a column in a row.
pub(super) const COLUMN: u32 = 6;

/// The rows of a puzzle and of its transpose.
///
/// A row is a number of 54 bits, six for each column: four times its digit. So a shift by [`COLUMN`] times a column
/// brings its digit down, times four: the distance by which a number of four bits for each digit is shifted to have
/// what belongs to that one. Above the 54 bits there is one for each digit of the row.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub(super) rows: [[u64; 9]; 2],
    /// The bits of the givens in each row.
    pub(super) givens: [[u16; 9]; 2],
    /// For each stack, the bits of the rows without a given in it.
    pub(super) blank: [[u16; 3]; 2],
    /// How many givens there are.
    count: u32,
}

impl Rows {
    /// Returns the rows of a puzzle.
    #[inline(always)]
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
    #[inline(always)]
    pub(super) fn are_consistent(&self) -> bool {
        let different = |row: &u64| (row >> 55).count_ones();
        let mut sides = self.rows.iter();
        sides.all(|side| side.iter().map(different).sum::<u32>() == self.count)
    }
}

/// The places of the givens as bits.
#[inline(always)]
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
pub(super) static FIRST: [u16; 512] = {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_a_line_is_read_as_the_right_given_or_blank() {
        for byte in b".0*_-123456789" {
            for place in 0..81 {
                for others in [b'.', b'5'] {
                    let mut bytes = [others; 81];
                    bytes[place] = *byte;
                    let is_given = |&at: &usize| (b'1'..=b'9').contains(&bytes[at]);
                    let expected = (0..81)
                        .filter(is_given)
                        .fold(0, |bits, at| bits | 1u128 << at);
                    assert_eq!(givens(&bytes), expected, "{byte} {place} {others}");
                }
            }
        }
    }

    #[test]
    fn repeats_in_rows_and_columns_are_detected_and_those_in_boxes_ignored() {
        let is_consistent = |places: [usize; 2]| {
            let mut bytes = [b'.'; 81];
            bytes[places[0]] = b'9';
            bytes[places[1]] = b'9';
            Rows::new(&PuzzleLine::new(bytes).unwrap()).are_consistent()
        };
        assert!(!is_consistent([0, 8]));
        assert!(!is_consistent([8, 80]));
        assert!(is_consistent([0, 10]));
    }

    #[test]
    fn the_minimal_arrangement_of_a_row_is_counted_and_sorted() {
        assert_eq!(FIRST[0], 0);
        assert_eq!(FIRST[0b100_000_000], 0b000_000_001);
        assert_eq!(FIRST[0b100_110_010], 0b001_001_011);
        assert_eq!(FIRST[0b000_111_000], 0b000_000_111);
        assert_eq!(FIRST[0b101_111_010], 0b001_011_111);
    }
}
