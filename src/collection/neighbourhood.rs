//! What is left of a puzzle when a few of its givens are taken away.
//!
//! Two puzzles are neighbours within a radius when each becomes the other by taking away at most so many givens, putting
//! in at most so many, and a symmetry of the board. They are so exactly when, with at most so many givens taken away
//! from each, images of each other are left; this is how neighbours are found without comparing pairs. Players write
//! {-1+1} and {-2+2} for the radius 1 and 2 between puzzles of as many givens.

use super::key::Key;

/// The greatest radius: with three, a puzzle of 25 givens has 2,626 remainders, with four 15,276.
pub const GREATEST_RADIUS: usize = 3;

/// Names all that is left of a puzzle without at most `radius` of its givens, with the number of givens taken away, the
/// fewest first. `without` takes a given away; `name` names a puzzle, or returns `None` to end.
pub(super) fn remainders<P, C: Copy>(
    puzzle: &P,
    givens: &[C],
    radius: usize,
    without: &impl Fn(&P, C) -> P,
    name: &mut impl FnMut(&P) -> Option<Key>,
) -> Option<Vec<(u8, Key)>> {
    let mut keys = Vec::new();
    for taken in 0..=radius.min(givens.len()) {
        visit(puzzle, givens, taken, without, &mut |rest| {
            keys.push((taken as u8, name(rest)?));
            Some(())
        })?;
    }
    Some(keys)
}

/// Visits the puzzle without any `count` of these givens.
fn visit<P, C: Copy>(
    puzzle: &P,
    givens: &[C],
    count: usize,
    without: &impl Fn(&P, C) -> P,
    visitor: &mut impl FnMut(&P) -> Option<()>,
) -> Option<()> {
    if count == 0 {
        return visitor(puzzle);
    }
    for (place, &cell) in givens.iter().enumerate() {
        let rest = without(puzzle, cell);
        visit(&rest, &givens[place + 1..], count - 1, without, visitor)?;
    }
    Some(())
}
