//! The candidates of all cells, as nine vectors; see the parent module for a picture.

use crate::grid::{Candidate, Cell, Puzzle, Solution};
use crate::simd::{Isa, MAX_LANES, Square};

/// All nine digits.
pub(super) const ALL: u16 = 0x1FF;

/// A vector for each position in a block, a lane for each block.
pub(super) type Board<I> = [<I as Isa>::Vector; 9];

/// The candidates of one position in all blocks of the empty board. Lanes that are not blocks hold
/// a digit of their own that nothing eliminates, so that they are never empty.
pub(super) const UNKNOWN: [u16; MAX_LANES] = {
    let mut lanes = [1; MAX_LANES];
    let mut block = 0;
    while block < 9 {
        lanes[lane(block / 3, block % 3)] = ALL;
        block += 1;
    }
    lanes
};

/// All digits in the lanes of blocks, none in the others.
const BLOCKS: [u16; MAX_LANES] = {
    let mut lanes = UNKNOWN;
    let mut l = 0;
    while l < MAX_LANES {
        lanes[l] = if lanes[l] == ALL { ALL } else { 0 };
        l += 1;
    }
    lanes
};

/// The cell at each position of each block.
const CELLS: [[u8; 9]; 9] = {
    let mut cells = [[0; 9]; 9];
    let mut index = 0;
    while let Some(cell) = Cell::new(index) {
        cells[cell.place_in_block()][cell.block()] = index as u8;
        index += 1;
    }
    cells
};

/// The candidates of a given, and of a blank, which is 0. Padded to a power of two.
static CANDIDATES: [u16; 16] = [ALL, 1, 2, 4, 8, 16, 32, 64, 128, 256, 0, 0, 0, 0, 0, 0];

/// Returns the lane of the block in this band and stack.
pub(super) const fn lane(band: usize, stack: usize) -> usize {
    4 * band + stack
}

/// Returns the vector of the cell at this step along a line of a block: lines are its rows, or its
/// columns.
#[inline(always)]
pub(super) fn place<const COLUMNS: bool>(line: usize, step: usize) -> usize {
    if COLUMNS {
        3 * step + line
    } else {
        3 * line + step
    }
}

/// Returns the board with these givens.
// Indexed loops here and below: closures and iterators would not be compiled for the lanes'
// instructions.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
pub(super) fn with_givens<I: Isa>(isa: I, puzzle: &Puzzle) -> Board<I> {
    let values = puzzle.to_bytes();
    // All lanes are written before the first vector is loaded: a load waits for what it overlaps.
    let mut lanes = [UNKNOWN; 9];
    for n in 0..9 {
        for block in 0..9 {
            let value = values[usize::from(CELLS[n][block])];
            lanes[n][lane(block / 3, block % 3)] = CANDIDATES[usize::from(value & 15)];
        }
    }
    let mut board = [isa.splat(0); 9];
    for n in 0..9 {
        board[n] = isa.load(&lanes[n]);
    }
    board
}

/// Removes a candidate.
#[inline(always)]
pub(super) fn strike<I: Isa>(isa: I, board: &mut Board<I>, candidate: Candidate) {
    let cell = candidate.cell;
    let block = cell.block();
    let mut lanes = [0; MAX_LANES];
    lanes[lane(block / 3, block % 3)] = 1 << candidate.digit.index();
    let vector = &mut board[cell.place_in_block()];
    *vector = isa.and_not(*vector, isa.load(&lanes));
}

/// Returns whether two cells of a block have the same single candidate.
///
/// Propagation finds two in a line at once, but may take long for two in a block.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
pub(super) fn has_clash<I: Square>(isa: I, board: &Board<I>) -> bool {
    let mut once = isa.splat(0);
    let mut twice = isa.splat(0);
    for n in 0..9 {
        let single = isa.single(isa.constants(), board[n]);
        twice = isa.or(twice, isa.and(once, single));
        once = isa.or(once, single);
    }
    let blocks = isa.load(&BLOCKS);
    isa.bits(isa.disjoint(twice, blocks)) != isa.bits(isa.equal(blocks, blocks))
}

/// Returns the solution of a board on which each digit has one cell of each house.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
pub(super) fn solution<I: Isa>(isa: I, board: &Board<I>) -> Solution {
    let mut line = [0; Cell::COUNT];
    for n in 0..9 {
        // The bits below the only one.
        let digits = isa.count_ones(isa.add(board[n], isa.splat(u16::MAX)));
        let digits = isa.lanes(isa.add(digits, isa.splat(u16::from(b'1'))));
        for block in 0..9 {
            line[usize::from(CELLS[n][block])] = digits[lane(block / 3, block % 3)] as u8;
        }
    }
    Solution::of_checked_ascii(&line)
}

/// Returns whether every cell has a candidate.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
pub(super) fn is_filled<I: Isa>(isa: I, board: &Board<I>) -> bool {
    let mut least = board[0];
    for n in 1..9 {
        least = isa.min(least, board[n]);
    }
    isa.bits(isa.equal(least, isa.splat(0))) == 0
}
