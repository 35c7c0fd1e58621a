//! What is left of a puzzle when a few of its givens are taken away.
//!
//! Two puzzles are neighbours within a radius when each becomes the other by taking away at most so many givens, putting
//! in at most so many, and a symmetry of the board. They are so exactly when, with at most so many givens taken away
//! from each, images of each other are left; this is how neighbours are found without comparing pairs. Players write
//! {-1+1} and {-2+2} for the radius 1 and 2 between puzzles of as many givens.

use super::identify::Identifier;
use super::key::Key;
use crate::grid::{Cell, Puzzle, PuzzleLine};

/// The greatest radius: with three, a puzzle of 25 givens has 2,626 remainders, with four 15,276.
pub const GREATEST_RADIUS: usize = 3;

/// Names all that is left of a puzzle without at most `radius` givens, with the number of givens taken away, the
/// fewest first.
pub(super) fn remainders(
    identifier: &mut Identifier,
    line: &PuzzleLine,
    radius: usize,
) -> Vec<(u8, Key)> {
    let puzzle = line.puzzle();
    let givens: Vec<Cell> = puzzle.givens().map(|(cell, _)| cell).collect();
    let mut keys = Vec::new();
    for taken in 0..=radius.min(givens.len()) {
        without(puzzle, &givens, taken, &mut |rest| {
            keys.push((taken as u8, identifier.puzzle(&PuzzleLine::from(rest))));
        });
    }
    keys
}

/// Visits the puzzle without any `count` of these givens.
fn without(puzzle: Puzzle, givens: &[Cell], count: usize, visit: &mut impl FnMut(&Puzzle)) {
    if count == 0 {
        return visit(&puzzle);
    }
    for (place, &cell) in givens.iter().enumerate() {
        let mut rest = puzzle;
        rest.set(cell, None);
        without(rest, &givens[place + 1..], count - 1, visit);
    }
}
