//! Passes of the rules over every band and stack, in all lanes at once.

use super::group::{ALL, Cells};
use crate::simd::{Isa, Kernel};

/// Sum of all cells of a solved board: nine rows that hold each digit once.
const SOLVED: u16 = 9 * ALL;

/// The result of a sweep, as sets of lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swept {
    /// Contradictory lanes: a house lacks a digit, a cell has no candidate, or a triad cannot hold
    /// its digits.
    pub(super) dead: u32,
    /// Lanes in which the bands or the stacks changed nothing in the last sweep, so that more would find little or
    /// nothing.
    pub(super) still: u32,
    /// Lanes that are solved, unless contradictory.
    pub(super) solved: u32,
}

/// Strikes candidates in three bands, then in three stacks; that many times.
pub(super) struct Sweep<'a, I: Isa, const TIMES: usize> {
    pub(super) cells: &'a mut Cells<I>,
}

/// Values gathered over the passes of a sweep.
struct Gathered<V> {
    /// Digits that every house so far has a place for.
    complete: V,
    /// Smallest candidate set of a cell, as a number: 0 only if there is an empty one.
    least: V,
    /// Fewest candidates of a triad, and most digits that must be in one.
    fewest: V,
    most: V,
    /// Sum of all cells. It falls with every candidate that is removed, and cannot overflow: 81 ×
    /// 511 < 2^16.
    total: V,
    /// The constant −1, hidden from the compiler: one that knows it finds single candidates by
    /// counting bits, which takes longer.
    less_one: V,
}

impl<I: Isa, const TIMES: usize> Kernel<I> for Sweep<'_, I, TIMES> {
    type Output = Swept;

    #[inline(always)]
    fn run(self, isa: I) -> Swept {
        let mut gathered = Gathered {
            complete: isa.splat(ALL),
            least: isa.splat(ALL),
            fewest: isa.splat(ALL),
            most: isa.splat(0),
            total: isa.splat(0),
            less_one: std::hint::black_box(isa.splat(u16::MAX)),
        };
        let (mut before, mut after_bands) = (isa.splat(0), isa.splat(0));
        for _ in 0..TIMES {
            before = std::mem::replace(&mut gathered.total, isa.splat(0));
            for band in 0..3 {
                pass::<I, false>(isa, self.cells, band, &mut gathered);
            }
            after_bands = std::mem::replace(&mut gathered.total, isa.splat(0));
            for stack in 0..3 {
                pass::<I, true>(isa, self.cells, stack, &mut gathered);
            }
        }
        let three = isa.splat(3);
        let bad_cell = isa.bits(isa.equal(gathered.least, isa.splat(0)));
        let whole = isa.bits(isa.equal(gathered.complete, isa.splat(ALL)));
        let poor = isa.bits(isa.less(gathered.fewest, three));
        let crowded = isa.bits(isa.less(three, gathered.most));
        let dead = bad_cell | !whole | poor | crowded;
        let still = isa.bits(isa.equal(gathered.total, after_bands))
            | isa.bits(isa.equal(after_bands, before));
        let mut solved = isa.bits(isa.equal(gathered.total, isa.splat(SOLVED))) & !dead;
        if solved != 0 {
            solved &= complete_lanes(isa, self.cells);
        }
        Swept {
            dead,
            still,
            solved,
        }
    }
}

/// Returns the cell in column `j` of line `i` of a band, or the one that a stack, laid on its side,
/// has there.
#[inline(always)]
fn at<const STACK: bool>(band: usize, i: usize, j: usize) -> usize {
    if STACK {
        9 * j + 3 * band + i
    } else {
        9 * (3 * band + i) + j
    }
}

/// Applies the rules in one band or stack. See the picture in the parent module for the names.
// Indexed loops: closures and iterators would not be compiled for the lanes' instructions.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn pass<I: Isa, const STACK: bool>(
    isa: I,
    cells: &mut Cells<I>,
    band: usize,
    gathered: &mut Gathered<I::Vector>,
) {
    let zero = isa.splat(0);
    let less_one = gathered.less_one;
    let (mut any, mut two, mut single) = ([[zero; 3]; 3], [[zero; 3]; 3], [[zero; 3]; 3]);
    for i in 0..3 {
        for k in 0..3 {
            let x = cells[at::<STACK>(band, i, 3 * k)];
            let y = cells[at::<STACK>(band, i, 3 * k + 1)];
            let z = cells[at::<STACK>(band, i, 3 * k + 2)];
            any[i][k] = isa.or3(x, y, z);
            two[i][k] = isa.majority(x, y, z);
            single[i][k] = isa.or3(
                only(isa, x, less_one),
                only(isa, y, less_one),
                only(isa, z, less_one),
            );
        }
    }

    // Naked singles, and digits with one place left, of the three lines and the three blocks.
    let (mut line_single, mut block_single) = ([zero; 3], [zero; 3]);
    let (mut line_once, mut block_once) = ([zero; 3], [zero; 3]);
    for n in 0..3 {
        line_single[n] = isa.or3(single[n][0], single[n][1], single[n][2]);
        block_single[n] = isa.or3(single[0][n], single[1][n], single[2][n]);
        let line = isa.or3(any[n][0], any[n][1], any[n][2]);
        let block = isa.or3(any[0][n], any[1][n], any[2][n]);
        gathered.complete = isa.and3(gathered.complete, line, block);
        line_once[n] = isa.and_neither(
            line,
            isa.or3(two[n][0], two[n][1], two[n][2]),
            isa.majority(any[n][0], any[n][1], any[n][2]),
        );
        block_once[n] = isa.and_neither(
            block,
            isa.or3(two[0][n], two[1][n], two[2][n]),
            isa.majority(any[0][n], any[1][n], any[2][n]),
        );
    }

    // Digits that their line or their block has in no other triad, or that are three in a triad.
    let three = isa.splat(3);
    let mut must = [[zero; 3]; 3];
    for i in 0..3 {
        for k in 0..3 {
            let here = any[i][k];
            let by_line = isa.and_neither(here, any[i][(k + 1) % 3], any[i][(k + 2) % 3]);
            let by_block = isa.and_neither(here, any[(i + 1) % 3][k], any[(i + 2) % 3][k]);
            let count = isa.count_ones(here);
            gathered.fewest = isa.min(gathered.fewest, count);
            must[i][k] = isa.select(isa.equal(count, three), here, isa.or(by_line, by_block));
        }
    }

    for i in 0..3 {
        for k in 0..3 {
            let beside = isa.or3(must[i][(k + 1) % 3], must[i][(k + 2) % 3], line_single[i]);
            let above = isa.or3(must[(i + 1) % 3][k], must[(i + 2) % 3][k], block_single[k]);
            let mut may = isa.and_neither(isa.splat(ALL), beside, above);
            // Three digits that must be here leave no room for others.
            let count = isa.count_ones(must[i][k]);
            gathered.most = isa.max(gathered.most, count);
            may = isa.select(isa.equal(count, three), isa.and(may, must[i][k]), may);
            // A single strikes its digit from all other triads of its line and block. The cells
            // beside it in its own triad have it struck by the passes of the other direction.
            may = isa.or(may, single[i][k]);
            // Blocks are looked at for hidden singles in bands; in stacks it would gain nothing.
            let once = if STACK {
                line_once[i]
            } else {
                isa.or(line_once[i], block_once[k])
            };
            for q in 0..3 {
                let cell = &mut cells[at::<STACK>(band, i, 3 * k + q)];
                let stays = isa.select(isa.disjoint(*cell, once), may, once);
                *cell = isa.and(*cell, stays);
                gathered.total = isa.add(gathered.total, *cell);
                if STACK {
                    gathered.least = isa.min(gathered.least, *cell);
                }
            }
        }
    }
}

/// Returns the cell where it has one candidate, else 0.
#[inline(always)]
fn only<I: Isa>(isa: I, cell: I::Vector, less_one: I::Vector) -> I::Vector {
    isa.keep(isa.disjoint(cell, isa.add(cell, less_one)), cell)
}

/// Returns the lanes in which each house has a place for every digit.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn complete_lanes<I: Isa>(isa: I, cells: &Cells<I>) -> u32 {
    let mut complete = isa.splat(ALL);
    for n in 0..9 {
        let (row, column, block) = (9 * n, n, n / 3 * 27 + n % 3 * 3);
        let row = any_of(isa, cells, row, 1, 3);
        let column = any_of(isa, cells, column, 9, 27);
        let block = any_of(isa, cells, block, 1, 9);
        complete = isa.and(complete, isa.and3(row, column, block));
    }
    isa.bits(isa.equal(complete, isa.splat(ALL)))
}

/// Returns the union of the candidates of three times three cells at these distances.
#[inline(always)]
fn any_of<I: Isa>(isa: I, cells: &Cells<I>, first: usize, step: usize, stride: usize) -> I::Vector {
    let mut any = isa.splat(0);
    for n in 0..3 {
        let at = first + n * stride;
        any = isa.or(
            any,
            isa.or3(cells[at], cells[at + step], cells[at + 2 * step]),
        );
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::House;
    use crate::simd::Portable;

    #[test]
    fn a_house_without_a_place_for_a_digit_is_noticed_in_its_lane() {
        for house in House::all() {
            for digit in 0..9 {
                let lane = (digit + house.index()) % Portable::LANES;
                let mut cells: Cells<Portable> = [Portable.splat(ALL); 81];
                assert_eq!(complete_lanes(Portable, &cells), 0xFFFF);
                for cell in house.cells() {
                    cells[cell.index()][lane] &= !(1 << digit);
                }
                assert_eq!(complete_lanes(Portable, &cells), 0xFFFF & !(1 << lane));
            }
        }
    }
}
