//! The typical number of guesses of a puzzle, over symmetric copies.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::deadline::Deadline;
use super::mrv::Mrv;
use super::random_symmetry::random_symmetry;
use super::solver::{Goal, Limits, Solver, Verdict};
use crate::grid::Puzzle;

/// Returns the median of the guesses that [`Mrv`] takes to prove the solution of `copies` symmetric
/// copies of a puzzle, at least one.
///
/// The guesses on one copy depend on the order of the cells, and differ by a factor of 8 between
/// copies; the median hardly does. The copies are random, seeded by the puzzle's content, so a
/// puzzle always has the same median. `None` once the deadline has passed.
pub fn median_guesses(puzzle: &Puzzle, copies: u32, deadline: Deadline) -> Option<f64> {
    let seed = *blake3::hash(puzzle.to_line().as_bytes()).as_bytes();
    let mut rng = ChaCha8Rng::from_seed(seed);
    let mut solver = Mrv::new();
    let guesses: Option<Vec<u64>> = (0..copies.max(1))
        .map(|_| {
            let copy = random_symmetry(&mut rng).puzzle(puzzle);
            let limits = Limits {
                time: deadline.left(),
                ..Limits::NONE
            };
            let outcome = solver.solve(&copy, Goal::ProveUnique, limits);
            let is_known = outcome.verdict != Verdict::OutOfBudget && !deadline.is_over();
            is_known.then_some(outcome.effort.guesses)
        })
        .collect();
    let mut guesses = guesses?;
    guesses.sort_unstable();
    let (low, high) = (guesses[(guesses.len() - 1) / 2], guesses[guesses.len() / 2]);
    Some((low as f64 + high as f64) / 2.0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const HARD: &str =
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";

    fn median(puzzle: &Puzzle, copies: u32) -> f64 {
        median_guesses(puzzle, copies, Deadline::NONE).unwrap()
    }

    #[test]
    fn the_median_hardly_changes_under_symmetries() {
        let puzzle: Puzzle = HARD.parse().unwrap();
        let here = median(&puzzle, 101);
        assert_eq!(median(&puzzle, 101), here);
        assert!(here > 5.0 && here.fract() == 0.0);
        let mut rng = ChaCha8Rng::from_seed([3; 32]);
        let (mut least, mut most) = (u64::MAX, 0);
        for _ in 0..20 {
            let copy = random_symmetry(&mut rng).puzzle(&puzzle);
            let ratio = median(&copy, 101) / here;
            assert!((0.7..1.4).contains(&ratio), "{ratio}");
            let once = Mrv::new().solve(&copy, Goal::ProveUnique, Limits::NONE);
            least = least.min(once.effort.guesses);
            most = most.max(once.effort.guesses);
        }
        assert!(2 * most > 3 * least, "{least} to {most}");
    }

    #[test]
    fn the_median_is_that_of_the_copies() {
        let puzzle: Puzzle = HARD.parse().unwrap();
        let mut rng = ChaCha8Rng::from_seed(*blake3::hash(HARD.as_bytes()).as_bytes());
        let mut guesses = Vec::new();
        for copies in 1..=6 {
            let copy = random_symmetry(&mut rng).puzzle(&puzzle);
            let outcome = Mrv::new().solve(&copy, Goal::ProveUnique, Limits::NONE);
            guesses.push(outcome.effort.guesses as f64);
            let mut rest = guesses.clone();
            rest.sort_by(f64::total_cmp);
            while rest.len() > 2 {
                rest = rest[1..rest.len() - 1].to_vec();
            }
            let expected = rest.iter().sum::<f64>() / rest.len() as f64;
            assert_eq!(median(&puzzle, copies), expected, "{copies}");
        }
    }

    #[test]
    fn singles_need_no_guess_and_a_deadline_ends_the_search() {
        let easy =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        assert_eq!(median(&easy.parse().unwrap(), 10), 0.0);
        assert_eq!(median(&easy.parse().unwrap(), 0), 0.0);
        let deadline = Deadline::after(Some(Duration::ZERO));
        assert_eq!(median_guesses(&HARD.parse().unwrap(), 10, deadline), None);
    }
}
