//! Propagation in all bands of rows and all bands of columns.

use std::hint::black_box;

use super::board::{Board, UNKNOWN, place};
use crate::simd::Square;

/// Constants of a sweep.
#[derive(Clone, Copy)]
pub(super) struct Constants<I: Square> {
    pub(super) of_square: I::Constants,
    unknown: I::Vector,
}

impl<I: Square> Constants<I> {
    #[inline(always)]
    pub(super) fn new(isa: I) -> Constants<I> {
        Constants {
            of_square: black_box(isa.constants()),
            unknown: isa.load(&UNKNOWN),
        }
    }
}

/// Sweeps until the columns change nothing. Returns false if a line has no place left for a digit.
///
/// If it returns true, every digit has a configuration in each stack, and no candidate there is
/// outside of all configurations.
#[inline(always)]
pub(super) fn propagate<I: Square>(isa: I, constants: &Constants<I>, board: &mut Board<I>) -> bool {
    loop {
        strike_singles(isa, constants, board);
        if !half::<I, false>(isa, constants, board).complete {
            return false;
        }
        let columns = half::<I, true>(isa, constants, board);
        if !columns.complete {
            return false;
        }
        if columns.still {
            return true;
        }
    }
}

/// Removes the digits of cells with one candidate from the other cells of their blocks.
// Indexed loops here and below: closures and iterators would not be compiled for the lanes'
// instructions.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn strike_singles<I: Square>(isa: I, constants: &Constants<I>, board: &mut Board<I>) {
    let mut single = [isa.splat(0); 9];
    for n in 0..9 {
        single[n] = isa.single(constants.of_square, board[n]);
    }
    let upper = isa.or3(single[0], single[1], single[2]);
    let middle = isa.or3(single[3], single[4], single[5]);
    let lower = isa.or3(single[6], single[7], single[8]);
    let any = isa.or3(upper, middle, lower);
    for n in 0..9 {
        board[n] = isa.or(isa.and_not(board[n], any), single[n]);
    }
}

struct Half {
    /// Whether every line has a place for every digit.
    complete: bool,
    /// Whether nothing was removed.
    still: bool,
}

/// Propagates in the three bands, or in the three stacks as bands of columns.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn half<I: Square, const COLUMNS: bool>(
    isa: I,
    constants: &Constants<I>,
    board: &mut Board<I>,
) -> Half {
    let zero = isa.splat(0);
    let three = isa.splat(3);
    let mut complete = constants.unknown;
    let mut struck = zero;
    // The digits of each line's triad in all blocks, and in the first and the second block beside.
    let (mut here, mut next, mut last) = ([zero; 3], [zero; 3], [zero; 3]);
    for i in 0..3 {
        here[i] = triad::<I, COLUMNS>(isa, board, i);
        [next[i], last[i]] = beside::<I, COLUMNS>(isa, constants, here[i]);
    }
    for i in 0..3 {
        // Two configurations have this triad: the other two lines take the other two blocks.
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let others = isa.and_or(next[j], last[k], isa.and(last[j], next[k]));
        let may = isa.and(here[i], others);
        let [may_next, may_last] = beside::<I, COLUMNS>(isa, constants, may);
        complete = isa.and(complete, isa.or3(may, may_next, may_last));
        // Three digits that must be in a triad leave no room for others.
        let must = isa.and_neither(may, may_next, may_last);
        let may = isa.select(isa.equal(isa.count_ones(must), three), must, may);
        let mut cells = [zero; 3];
        for step in 0..3 {
            cells[step] = board[place::<COLUMNS>(i, step)];
        }
        for step in 0..3 {
            let (second, third) = (cells[(step + 1) % 3], cells[(step + 2) % 3]);
            let hidden = isa.and_neither(isa.and(cells[step], must), second, third);
            let no_hidden = isa.disjoint(hidden, hidden);
            let allowed = isa.or(hidden, isa.keep(no_hidden, may));
            let left = isa.and(cells[step], allowed);
            struck = isa.or(struck, isa.and_not(cells[step], left));
            board[place::<COLUMNS>(i, step)] = left;
        }
    }
    Half {
        complete: isa.all_equal(complete, constants.unknown),
        still: isa.all_equal(struck, zero),
    }
}

/// Returns the digits of the triads that a line has in all blocks.
#[inline(always)]
pub(super) fn triad<I: Square, const COLUMNS: bool>(
    isa: I,
    board: &Board<I>,
    line: usize,
) -> I::Vector {
    isa.or3(
        board[place::<COLUMNS>(line, 0)],
        board[place::<COLUMNS>(line, 1)],
        board[place::<COLUMNS>(line, 2)],
    )
}

/// Returns, in each lane, the union of the two other blocks of its band or stack.
#[inline(always)]
pub(super) fn beside<I: Square, const COLUMNS: bool>(
    isa: I,
    constants: &Constants<I>,
    a: I::Vector,
) -> [I::Vector; 2] {
    if COLUMNS {
        isa.rows_rotated(a)
    } else {
        isa.columns_rotated(constants.of_square, a)
    }
}
