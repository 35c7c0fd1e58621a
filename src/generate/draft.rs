//! Random givens in cells in an order, none in sight of the same digit.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::grid::{Cell, Digit, DigitSet, Puzzle};

/// As many random givens as leave a solution mostly, and are solved with few guesses.
pub(super) const FIRST_GIVENS: usize = 12;

/// Givens so far.
#[derive(Clone)]
pub(super) struct Draft {
    pub(super) puzzle: Puzzle,
    seen: Seen,
    pub(super) givens: usize,
    /// The cell whose turn it is, in the order.
    pub(super) next: usize,
}

impl Default for Draft {
    fn default() -> Draft {
        Draft {
            puzzle: Puzzle::empty(),
            seen: Seen::default(),
            givens: 0,
            next: 0,
        }
    }
}

impl Draft {
    /// Puts a random digit into the next cell, if there is one that no given in sight has.
    pub(super) fn draw(&mut self, cells: &[Cell], rng: &mut ChaCha8Rng) -> Option<(Cell, Digit)> {
        let cell = cells[self.next];
        let free = self.seen.free(cell);
        self.next += 1;
        if free.is_empty() {
            return None;
        }
        let digit = free.into_iter().nth(rng.random_range(0..free.len()))?;
        self.puzzle.set(cell, Some(digit));
        self.seen.add(cell, digit.index());
        self.givens += 1;
        Some((cell, digit))
    }
}

/// The digits of each row, column and block, as bits.
#[derive(Clone, Default)]
struct Seen([[u16; 9]; 3]);

impl Seen {
    /// Digits that no given in sight of this cell has.
    fn free(&self, cell: Cell) -> DigitSet {
        let [rows, columns, blocks] = &self.0;
        let seen = rows[cell.row()] | columns[cell.column()] | blocks[cell.block()];
        DigitSet::ALL.difference(DigitSet::from_bits(seen))
    }

    fn add(&mut self, cell: Cell, digit: usize) {
        let [rows, columns, blocks] = &mut self.0;
        rows[cell.row()] |= 1 << digit;
        columns[cell.column()] |= 1 << digit;
        blocks[cell.block()] |= 1 << digit;
    }
}
