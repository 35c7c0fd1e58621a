//! The marks as flat arrays, for searches that eliminate and restore them many thousand times a second.

use crate::grid::{Candidate, CandidateGrid, Cell, CellSet, Digit, House};
use crate::simd::{Isa, Kernel, run_with_best};
use crate::solve::Deadline;
use std::cell::OnceCell;

/// Houses in the order in which Sudoku Explainer looks at those of a cell: block, row, column.
const KINDS: usize = 3;

/// What does not change while assumptions are followed: the candidates of a grid by number, and how
/// many cells and digits are placed.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Every candidate of a blank cell, in reading order, digits ascending.
    pub(super) candidates: Vec<Mark>,
    /// The number of each candidate, by cell and digit; that of others is never asked.
    number: [[u16; 9]; 81],
    /// How many cells of each house are blank.
    pub(super) blanks: [u8; 27],
    /// How often each digit is placed.
    pub(super) placed: [u8; 9],
    /// Once it is late, searches end where they are.
    pub(super) clock: Deadline,
    excluded: OnceCell<Vec<NumberSet>>,
}

/// Candidates of a frame, by number. One cache line, so that a union is one or two instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct NumberSet([u64; Self::CAPACITY / 64]);

impl NumberSet {
    pub(super) const EMPTY: NumberSet = NumberSet([0; Self::CAPACITY / 64]);
    const CAPACITY: usize = 512;

    pub(super) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    #[inline(always)]
    pub(super) fn add(&mut self, other: &NumberSet) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    /// Keeps what both have; whether that is anything.
    #[inline(always)]
    pub(super) fn keep(&mut self, other: &NumberSet) -> bool {
        let mut any = 0;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
            any |= *word;
        }
        any != 0
    }
}

/// A candidate as two small numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) cell: u8,
    pub(super) digit: u8,
}

impl Mark {
    pub(super) fn new(cell: usize, digit: usize) -> Mark {
        Mark {
            cell: cell as u8,
            digit: digit as u8,
        }
    }

    pub(super) fn at(self) -> (usize, usize) {
        (self.cell as usize, self.digit as usize)
    }

    pub(super) fn candidate(self) -> Candidate {
        let (cell, digit) = self.at();
        Candidate {
            cell: Cell::new(cell).expect("marks have cells below 81"),
            digit: Digit::ALL[digit],
        }
    }
}

/// The marks of blank cells; a placed cell has none, and no house has a place for its digit.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// Nine bits a cell.
    pub(super) cells: [u16; 81],
    /// For each house and digit the places, nine bits: the column in a row, the row in a column,
    /// reading order in a block.
    pub(super) places: [[u16; 9]; 27],
}

/// A cell's block, row and column, and its place in each.
pub(super) static HOMES: [[(u8, u8); KINDS]; 81] = homes();
/// The cells of each house in order of their places.
pub(super) static CELLS: [[u8; 9]; 27] = cells();
/// The peers of each cell.
static PEERS: [u128; 81] = peers();

/// The cells of each house.
static HOUSES: [u128; 27] = houses();

const fn houses() -> [u128; House::COUNT] {
    let mut houses = [0; House::COUNT];
    let mut index = 0;
    while let Some(house) = House::new(index) {
        houses[index] = house.cells().bits();
        index += 1;
    }
    houses
}

const fn homes() -> [[(u8, u8); KINDS]; 81] {
    let mut homes = [[(0, 0); KINDS]; 81];
    let mut index = 0;
    while let Some(cell) = Cell::new(index) {
        let [row, column, block] = cell.houses();
        homes[index] = [
            (block.index() as u8, cell.place_in_block() as u8),
            (row.index() as u8, cell.column() as u8),
            (column.index() as u8, cell.row() as u8),
        ];
        index += 1;
    }
    homes
}

const fn cells() -> [[u8; 9]; 27] {
    let homes = homes();
    let mut cells = [[0; 9]; 27];
    let mut cell = 0;
    while cell < 81 {
        let mut kind = 0;
        while kind < KINDS {
            let (house, place) = homes[cell][kind];
            cells[house as usize][place as usize] = cell as u8;
            kind += 1;
        }
        cell += 1;
    }
    cells
}

const fn peers() -> [u128; 81] {
    let mut peers = [0; 81];
    let mut index = 0;
    while let Some(cell) = Cell::new(index) {
        peers[index] = cell.peers().bits();
        index += 1;
    }
    peers
}

/// The cells that see this one, as 81 bits.
pub(super) fn peers_of(cell: usize) -> u128 {
    PEERS[cell]
}

/// The cells of a house, as 81 bits.
pub(super) fn cells_of_house(house: usize) -> u128 {
    HOUSES[house]
}

/// The places of a house that a cell at this place does not share with it by its block, which was
/// looked at before.
pub(super) fn own_places(kind: usize, place: u8) -> u16 {
    if kind == 0 {
        1 << place
    } else {
        0b111 << (place / 3 * 3)
    }
}

/// The numbers of the bits that are set, ascending.
pub(super) fn bits(mut mask: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(bit)
    })
}

/// Whether exactly two bits are set.
pub(super) fn is_pair(mask: u16) -> bool {
    let rest = mask & mask.wrapping_sub(1);
    rest != 0 && rest & (rest - 1) == 0
}

/// As [`bits`], of 81 bits.
pub(super) fn wide_bits(cells: u128) -> impl Iterator<Item = usize> {
    CellSet::from_bits(cells).into_iter().map(Cell::index)
}

/// Where strong links are: cells with two candidates, and digits with two places in a house.
pub(super) struct Pairs {
    /// As 81 bits.
    pub(super) cells: u128,
    pub(super) houses: [u16; 27],
}

impl Pairs {
    pub(super) fn of(board: &Board) -> Pairs {
        let mut pairs = Pairs {
            cells: 0,
            houses: [0; 27],
        };
        run_with_best(FindPairs {
            board,
            pairs: &mut pairs,
        });
        pairs
    }
}

/// The computation of [`Pairs::of`]: a flag for each mask, then eight flags at once as the bits of a byte.
struct FindPairs<'a> {
    board: &'a Board,
    pairs: &'a mut Pairs,
}

impl<I: Isa> Kernel<I> for FindPairs<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: I) {
        let mut flags = [0; 96];
        for (flag, &digits) in flags.iter_mut().zip(&self.board.cells) {
            *flag = u8::from(is_pair(digits));
        }
        let [low, high] = pack(&flags);
        self.pairs.cells = u128::from(low) | u128::from(high) << 64;
        let mut flags = [0; 256];
        for (flag, &places) in flags.iter_mut().zip(self.board.places.as_flattened()) {
            *flag = u8::from(is_pair(places));
        }
        let bits: [u64; 4] = pack(&flags);
        for (house, pairs) in self.pairs.houses.iter_mut().enumerate() {
            let at = 9 * house;
            let mut digits = bits[at / 64] >> (at % 64);
            if at % 64 > 55 {
                digits |= bits[at / 64 + 1] << (64 - at % 64);
            }
            *pairs = digits as u16 & 0x1ff;
        }
    }
}

/// The flags, 0 or 1, as bits.
#[inline(always)]
fn pack<const WORDS: usize>(flags: &[u8]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (at, flags) in flags.as_chunks::<8>().0.iter().enumerate() {
        let byte = u64::from_le_bytes(*flags).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        words[at / 8] |= byte << (at % 8 * 8);
    }
    words
}

impl Frame {
    pub(super) fn new(grid: &CandidateGrid) -> Frame {
        let blanks = grid.blanks();
        let mut frame = Frame {
            candidates: Vec::with_capacity(300),
            number: [[u16::MAX; 9]; 81],
            blanks: [0; 27],
            placed: [0; 9],
            clock: Deadline::NONE,
            excluded: OnceCell::new(),
        };
        for house in House::all() {
            let blank = house.cells().intersection(blanks);
            frame.blanks[house.index()] = blank.len() as u8;
        }
        for digit in Digit::ALL {
            let placed = grid.places(digit).intersection(grid.placed());
            frame.placed[digit.index()] = placed.len() as u8;
        }
        for cell in blanks {
            for digit in grid.candidates(cell) {
                let mark = Mark::new(cell.index(), digit.index());
                frame.number[cell.index()][digit.index()] = frame.candidates.len() as u16;
                frame.candidates.push(mark);
            }
        }
        frame
    }

    /// Whether candidates and placed digits are the same.
    pub(super) fn is_like(&self, other: &Frame) -> bool {
        self.candidates == other.candidates
            && self.blanks == other.blanks
            && self.placed == other.placed
    }

    /// How many candidates there are.
    pub(super) fn len(&self) -> usize {
        self.candidates.len()
    }

    pub(super) fn number(&self, cell: usize, digit: usize) -> usize {
        self.number[cell][digit] as usize
    }

    pub(super) fn mark(&self, number: usize) -> (usize, usize) {
        self.candidates[number].at()
    }

    /// What each candidate excludes: the other digits of its cell, and its digit in the cells that see it. `None` if
    /// there are more candidates than a set holds.
    pub(super) fn excluded(&self) -> Option<&[NumberSet]> {
        if self.len() > NumberSet::CAPACITY {
            return None;
        }
        let excluded_by = |mark: &Mark| {
            let (cell, digit) = mark.at();
            let in_cell = (0..9)
                .filter(|&other| other != digit)
                .map(|other| self.number[cell][other]);
            let in_peers = wide_bits(peers_of(cell)).map(|peer| self.number[peer][digit]);
            let mut excluded = NumberSet::EMPTY;
            for number in in_cell.chain(in_peers).filter(|&number| number != u16::MAX) {
                excluded.insert(number as usize);
            }
            excluded
        };
        let all = || self.candidates.iter().map(excluded_by).collect();
        Some(self.excluded.get_or_init(all))
    }
}

impl Board {
    pub(super) fn new(grid: &CandidateGrid) -> Board {
        let mut board = Board {
            cells: [0; 81],
            places: [[0; 9]; 27],
        };
        for cell in grid.blanks() {
            for digit in grid.candidates(cell) {
                board.cells[cell.index()] |= 1 << digit.index();
                for (house, place) in HOMES[cell.index()] {
                    board.places[house as usize][digit.index()] |= 1 << place;
                }
            }
        }
        board
    }

    pub(super) fn eliminate(&mut self, cell: usize, digit: usize) {
        self.cells[cell] &= !(1 << digit);
        for (house, place) in HOMES[cell] {
            self.places[house as usize][digit] &= !(1 << place);
        }
    }

    /// Its candidates, as cells and digits, in the order of their numbers.
    #[inline(always)]
    pub(super) fn candidates(&self) -> impl Iterator<Item = (usize, usize)> {
        let cells = self.cells.iter().enumerate();
        cells.flat_map(|(cell, &digits)| bits(digits).map(move |digit| (cell, digit)))
    }

    /// The cells that may hold this digit, as 81 bits.
    pub(super) fn cells_of(&self, digit: usize) -> u128 {
        let rows = self.places[..9].iter().enumerate();
        rows.fold(0, |all, (row, places)| {
            all | u128::from(places[digit]) << (9 * row)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::implication_graph::testing::boards;
    use super::*;
    use crate::grid::{CandidateSet, Puzzle};

    /// Platinum Blonde (coloin).
    const PUZZLE: &str =
        ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...";

    #[test]
    fn pairs_are_the_masks_of_two_bits() {
        for (_, board) in boards() {
            let pairs = Pairs::of(&board);
            for (cell, digits) in board.cells.iter().enumerate() {
                assert_eq!(pairs.cells >> cell & 1 == 1, digits.count_ones() == 2);
            }
            for (pairs, places) in pairs.houses.iter().zip(&board.places) {
                let of_two = (0..9).filter(|&digit| places[digit].count_ones() == 2);
                assert_eq!(*pairs, of_two.fold(0, |all, digit| all | 1 << digit));
            }
        }
    }

    #[test]
    fn a_candidate_excludes_those_that_see_it() {
        let puzzle: Puzzle = PUZZLE.parse().unwrap();
        let frame = Frame::new(&CandidateGrid::new(&puzzle).unwrap());
        for (one, excluded) in frame.candidates.iter().zip(frame.excluded().unwrap()) {
            let mut expected = NumberSet::EMPTY;
            for (number, other) in frame.candidates.iter().enumerate() {
                let (one, other) = (one.candidate(), other.candidate());
                let seen = one.cell.sees(other.cell) && one.digit == other.digit;
                if seen || one.cell == other.cell && one.digit != other.digit {
                    expected.insert(number);
                }
            }
            assert_eq!(*excluded, expected);
        }
    }

    #[test]
    fn a_board_has_the_marks_of_blank_cells_minus_eliminations() {
        let puzzle: Puzzle = PUZZLE.parse().unwrap();
        let mut grid = CandidateGrid::new(&puzzle).unwrap();
        let frame = Frame::new(&grid);
        let mut board = Board::new(&grid);
        for at in (0..frame.len()).step_by(5) {
            let (cell, digit) = frame.mark(at);
            assert_eq!(frame.number(cell, digit), at);
            let mut next = grid.clone();
            let eliminated = CandidateSet::only(frame.candidates[at].candidate());
            if next.eliminate_all(&eliminated).is_ok() {
                grid = next;
                board.eliminate(cell, digit);
            }
        }
        let fresh = Board::new(&grid);
        assert_eq!(board.cells, fresh.cells);
        assert_eq!(board.places, fresh.places);
        for digit in Digit::ALL {
            let places = grid.places(digit).intersection(grid.blanks());
            assert_eq!(board.cells_of(digit.index()), places.bits());
        }
    }
}
