//! Random givens until one solution is left: from the empty board up. Folklore of the field (G. Stertenbrink's
//! `suexg`).
//!
//! The plain way asks after each given whether a solution is left, and whether there is a second one. Here most
//! questions are not asked:
//!
//! - Solutions that are known have the answer if two of them have the given.
//! - If several givens leave two solutions, so do the first of them. While nearly every given is accepted, several
//!   are drawn before the question; only if they are not accepted together, they are drawn again one by one.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::draft::{Draft, FIRST_GIVENS};
use super::prover::Prover;
use crate::grid::{Cell, Digit, Puzzle, Solution};
use crate::solve::{Goal, Verdict};

/// No puzzle of fewer givens has a single solution (McGuire, Tugemann and Civario, 2012).
const FEWEST_GIVENS: usize = 17;
/// Nodes of a search that is given up: thousands of times what is usual.
const NODES: u64 = 100_000;
/// The same for several givens together, which can be asked about one by one.
const NODES_TOGETHER: u64 = 300;

/// A puzzle that was filled.
#[derive(Debug)]
pub(super) struct Filled {
    /// It has one solution.
    pub(super) puzzle: Puzzle,
    /// The solution.
    pub(super) solution: Solution,
    /// Other boards that were met: they have the first givens, and differ in later ones.
    pub(super) others: Vec<Solution>,
}

/// Adds random givens in random order to an empty board until one solution is left; that one comes with it. A given
/// that leaves none is taken back, and its cell stays blank; if the first twelve leave none, or it takes too long to
/// know, it begins anew.
pub(super) fn fill(prover: &mut Prover, rng: &mut ChaCha8Rng) -> Filled {
    loop {
        if let Some(filled) = attempt(prover, rng) {
            return filled;
        }
    }
}

fn attempt(prover: &mut Prover, rng: &mut ChaCha8Rng) -> Option<Filled> {
    let mut cells: Vec<Cell> = Cell::all().collect();
    cells.shuffle(rng);
    let mut draft = Draft::default();
    while draft.givens + 1 < FIRST_GIVENS {
        draft.draw(&cells, rng)?;
    }
    let mut known = Known::default();
    // The cells before this one are asked about one by one.
    let mut one_by_one = 0;
    while draft.next < cells.len() {
        let before = (draft.clone(), rng.clone());
        let mut last = draft.draw(&cells, rng);
        let enough = if draft.givens < FEWEST_GIVENS { 1 } else { 2 };
        if let Some((cell, digit)) = last
            && known.answer(cell, digit, enough)
        {
            continue;
        }
        if draft.next > one_by_one {
            let most = together(before.0.givens);
            while last.is_some() && draft.givens < most && draft.next < cells.len() {
                last = draft.draw(&cells, rng);
            }
        }
        let is_one = draft.next == before.0.next + 1;
        let verdict = match last {
            None => Verdict::Unsolvable,
            Some(_) => {
                let goal = if draft.givens < FEWEST_GIVENS {
                    Goal::FirstSolution
                } else {
                    Goal::ProveUnique
                };
                let nodes = if is_one { NODES } else { NODES_TOGETHER };
                prover.look(&draft.puzzle, goal, nodes)
            }
        };
        let drawn = &cells[before.0.next..draft.next];
        match verdict {
            Verdict::Solved(solution) => known.learn(&draft.puzzle, drawn, &[solution]),
            Verdict::Multiple(solutions) => known.learn(&draft.puzzle, drawn, &solutions),
            _ if !is_one => {
                one_by_one = draft.next;
                (draft, *rng) = before;
            }
            Verdict::Unique(solution) => {
                return Some(Filled {
                    puzzle: draft.puzzle,
                    solution,
                    others: known.met,
                });
            }
            Verdict::Unsolvable if before.0.givens + 1 == FIRST_GIVENS => return None,
            Verdict::Unsolvable => {
                let next = draft.next;
                draft = before.0;
                draft.next = next;
            }
            Verdict::Stuck(_) | Verdict::OutOfBudget => return None,
        }
    }
    None
}

/// How many givens there are at the next question, after so many: together they leave two solutions mostly.
fn together(givens: usize) -> usize {
    match givens {
        ..19 => 19,
        19..25 => givens + 3,
        _ => givens + 1,
    }
}

/// Solutions that were met.
#[derive(Default)]
struct Known {
    /// Those that have all givens so far.
    left: Vec<Solution>,
    /// Those that had them when they were met.
    met: Vec<Solution>,
}

impl Known {
    /// Whether so many of those that are left have the next given. If so, the others go.
    fn answer(&mut self, cell: Cell, digit: Digit, enough: usize) -> bool {
        let agrees = |known: &Solution| known.digit(cell) == digit;
        let is_enough = self.left.iter().filter(|known| agrees(known)).count() >= enough;
        if is_enough {
            self.left.retain(agrees);
        }
        is_enough
    }

    /// Learns solutions of a puzzle, whose last givens are in these cells.
    fn learn(&mut self, puzzle: &Puzzle, last: &[Cell], found: &[Solution]) {
        let agrees = |known: &Solution, &cell: &Cell| {
            puzzle
                .given(cell)
                .is_none_or(|digit| known.digit(cell) == digit)
        };
        self.left
            .retain(|known| last.iter().all(|cell| agrees(known, cell)));
        for solution in found {
            if !self.left.contains(solution) {
                self.left.push(*solution);
                self.met.push(*solution);
            }
        }
    }
}
