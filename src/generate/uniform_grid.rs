//! Full boards, every one as probable as any other, by blocks of trials.
//!
//! The top band and the left stack are drawn uniformly: the relabeling of the first block cancels out, and each
//! first block has as many bands and as many stacks as any other (Felgenhauer and Jarvis, "Enumerating possible
//! Sudoku grids", 2005). Such a frame can be completed in some 2,700 ways, which are all counted. Whoever draws one
//! of them, and uses it as many times as there are, uses every full board equally often on average.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::prover::Prover;
use crate::grid::{Cell, Digit, DigitSet, Puzzle, Solution};
use crate::solve::Verdict;

/// A random full board, and how many there are with the same top band and left stack: it has to be used in
/// proportion to that number. Frames that cannot be completed are drawn again, as those have no share at all.
pub(super) fn draw(prover: &mut Prover, rng: &mut ChaCha8Rng) -> (Solution, usize) {
    loop {
        let frame = frame(rng);
        let mut solutions = match prover.many(&frame, usize::MAX) {
            Verdict::Multiple(solutions) => solutions,
            Verdict::Unique(solution) => vec![solution],
            _ => continue,
        };
        let count = solutions.len();
        // In an order that does not depend on the instructions of this CPU.
        let drawn = rng.random_range(0..count);
        let (_, solution, _) = solutions.select_nth_unstable_by_key(drawn, Solution::to_ascii);
        return (*solution, count);
    }
}

/// A random top band and left stack that share their block.
fn frame(rng: &mut ChaCha8Rng) -> Puzzle {
    let mut first = Digit::ALL;
    first.shuffle(rng);
    let band = band(|row, column| first[3 * row + column], rng);
    let stack = band_of_columns(&first, rng);
    let mut puzzle = Puzzle::empty();
    for row in 0..3 {
        for column in 0..9 {
            let given = |row, column, digit, puzzle: &mut Puzzle| {
                let cell = Cell::at(row, column).expect("both are below nine");
                puzzle.set(cell, Some(digit));
            };
            given(row, column, band[row][column], &mut puzzle);
            given(column, row, stack[row][column], &mut puzzle);
        }
    }
    puzzle
}

fn band_of_columns(first: &[Digit; 9], rng: &mut ChaCha8Rng) -> [[Digit; 9]; 3] {
    band(|column, row| first[3 * row + column], rng)
}

/// A random band whose first block is this one: the other six digits of each row in random order, drawn again until
/// no block has a digit twice.
fn band(first: impl Fn(usize, usize) -> Digit, rng: &mut ChaCha8Rng) -> [[Digit; 9]; 3] {
    let mut band = [[Digit::ALL[0]; 9]; 3];
    for (row, line) in band.iter_mut().enumerate() {
        let taken: DigitSet = (0..3).map(|column| first(row, column)).collect();
        let left = DigitSet::ALL.difference(taken).into_iter();
        let digits = (0..3).map(|column| first(row, column)).chain(left);
        for (place, digit) in line.iter_mut().zip(digits) {
            *place = digit;
        }
    }
    loop {
        for line in &mut band {
            line[3..].shuffle(rng);
        }
        let holds_all = |block: usize| {
            let digits = band.iter().flat_map(|line| &line[3 * block..3 * block + 3]);
            digits.copied().collect::<DigitSet>() == DigitSet::ALL
        };
        if holds_all(1) && holds_all(2) {
            return band;
        }
    }
}
