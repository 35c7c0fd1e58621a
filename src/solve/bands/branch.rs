//! Choice of a branch, and its children.

use super::board::{Board, lane, place};
use super::sweep::{Constants, beside, triad};
use crate::simd::Square;

/// A branch: a digit is in the triad of a line and a block, or in another block of that line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    digit: u16,
    /// Bands are 0 to 2, stacks 3 to 5.
    band: usize,
    /// The line of each of its blocks, from 0.
    line: usize,
    /// The block, from 0.
    block: usize,
}

/// The unplaced digits of all bands, or of all stacks.
struct Open<V> {
    /// By line, the digits of the triads in each block.
    triads: [V; 3],
    /// Digits that some line has in two blocks or more, and in three.
    two: V,
    three: V,
}

/// Chooses a digit with two configurations in the band or stack with the fewest; `None` where no
/// line has a digit in two blocks.
///
/// Configurations are not counted one by one. A digit that is in at most two triads of each line
/// has two, one that is in three triads of a line has three or more, and counts three times as
/// much.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
pub(super) fn choose<I: Square>(
    isa: I,
    constants: &Constants<I>,
    board: &Board<I>,
) -> Option<Branch> {
    let rows = open::<I, false>(isa, constants, board);
    let columns = open::<I, true>(isa, constants, board);
    let (row_two, row_three) = (isa.lanes(rows.two), isa.lanes(rows.three));
    let (column_two, column_three) = (isa.lanes(columns.two), isa.lanes(columns.three));
    let mut fewest = u32::MAX;
    let (mut band, mut digits) = (0, 0);
    for candidate in 0..6 {
        let (two, three) = if candidate < 3 {
            let at = lane(candidate, 0);
            (row_two[at], row_three[at])
        } else {
            let at = lane(0, candidate - 3);
            (column_two[at], column_three[at])
        };
        let count = two.count_ones() + 2 * three.count_ones();
        if count > 0 && count < fewest {
            fewest = count;
            band = candidate;
            digits = if two == three { two } else { two & !three };
        }
    }
    if digits == 0 {
        return None;
    }
    let digit = digits & digits.wrapping_neg();
    let mut branch = Branch {
        digit,
        band,
        line: 0,
        block: 0,
    };
    for line in 0..3 {
        let triads = isa.lanes(if band < 3 {
            rows.triads[line]
        } else {
            columns.triads[line]
        });
        let first = triads[branch.lane(0)] & digit != 0;
        let second = triads[branch.lane(1)] & digit != 0;
        let third = triads[branch.lane(2)] & digit != 0;
        if u8::from(first) + u8::from(second) + u8::from(third) >= 2 {
            branch.line = line;
            branch.block = usize::from(!first);
        }
    }
    Some(branch)
}

#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn open<I: Square, const COLUMNS: bool>(
    isa: I,
    constants: &Constants<I>,
    board: &Board<I>,
) -> Open<I::Vector> {
    let zero = isa.splat(0);
    let (mut triads, mut two, mut three) = ([zero; 3], zero, zero);
    for i in 0..3 {
        triads[i] = triad::<I, COLUMNS>(isa, board, i);
        let [next, last] = beside::<I, COLUMNS>(isa, constants, triads[i]);
        two = isa.or(two, isa.majority(triads[i], next, last));
        three = isa.or(three, isa.and3(triads[i], next, last));
    }
    Open { triads, two, three }
}

/// Turns two copies of a board into its children: the digit is in the block of the branch, or not.
#[inline(always)]
pub(super) fn split<I: Square>(
    isa: I,
    branch: Branch,
    with: &mut Board<I>,
    without: &mut Board<I>,
) {
    let here = 1 << branch.lane(branch.block);
    let elsewhere =
        1 << branch.lane((branch.block + 1) % 3) | 1 << branch.lane((branch.block + 2) % 3);
    let digit = isa.splat(branch.digit);
    let here = isa.keep(isa.mask(here), digit);
    let elsewhere = isa.keep(isa.mask(elsewhere), digit);
    for step in 0..3 {
        let n = if branch.band < 3 {
            place::<false>(branch.line, step)
        } else {
            place::<true>(branch.line, step)
        };
        with[n] = isa.and_not(with[n], elsewhere);
        without[n] = isa.and_not(without[n], here);
    }
}

impl Branch {
    /// Returns the lane of a block of the band.
    #[inline(always)]
    fn lane(&self, block: usize) -> usize {
        if self.band < 3 {
            lane(self.band, block)
        } else {
            lane(block, self.band - 3)
        }
    }
}
