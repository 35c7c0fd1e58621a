//! Puzzles by seed, each proven to have exactly one solution.
//!
//! Random givens are added to an empty board until one solution is left, then givens are taken
//! away for as long as that stays so: both halves are folklore of the field (Stertenbrink's
//! `suexg`). The puzzles are random, but not uniformly drawn: such generators favour few givens
//! (Berthier, "Unbiased statistics of a CSP", 2009). Hard ones are climbed to: givens are swapped
//! at random, and what takes no fewer guesses is kept.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::bands::Bands;
use super::mrv::Mrv;
use super::solver::{Goal, Limits, Solver, Verdict};
use crate::grid::{Cell, Digit, DigitSet, Puzzle, Solution, Symmetry};

/// What a puzzle is to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Naked and hidden singles alone solve it.
    Easy,
    /// Without any one of its givens it has more than one solution.
    Minimal,
    /// Minimal, and picked out of many for the guesses it takes.
    Hard,
}

/// How puzzles are made.
#[derive(Clone, Debug, serde::Serialize)]
pub struct GenerateConfig {
    /// How many givens an easy puzzle has at least; most have a few more.
    pub easy_givens: usize,
    /// How many changes are tried on the way to a hard puzzle.
    pub hard_steps: usize,
}

impl Default for GenerateConfig {
    fn default() -> GenerateConfig {
        GenerateConfig {
            easy_givens: 32,
            hard_steps: 200,
        }
    }
}

/// Makes puzzles; keeps its solvers between them.
#[derive(Debug, Default)]
pub struct Generator {
    config: GenerateConfig,
    /// Proves that there is one solution.
    prover: Bands,
    /// Its guesses are the measure of what is hard.
    judge: Mrv,
}

/// Givens placed at once before the first look at the solutions: few enough to be solvable mostly.
const FIRST_GIVENS: usize = 12;
/// Symmetric copies over which the guesses are counted.
const COPIES: usize = 4;

impl Generator {
    /// A generator of puzzles made like this.
    pub fn new(config: GenerateConfig) -> Generator {
        Generator {
            config,
            prover: Bands::new(),
            judge: Mrv::new(),
        }
    }

    /// Puzzle number `n` of this kind and seed: it depends on these three and the configuration
    /// only, and has exactly one solution.
    pub fn puzzle(&mut self, kind: Kind, seed: u64, n: u64) -> Puzzle {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8] = kind as u8;
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(n);
        match kind {
            Kind::Easy => self.easy(&mut rng),
            Kind::Minimal => self.minimal(&mut rng),
            Kind::Hard => self.hard(&mut rng),
        }
    }

    fn easy(&mut self, rng: &mut ChaCha8Rng) -> Puzzle {
        let (_, solution) = self.unique(Puzzle::empty(), rng);
        let mut puzzle = solution.to_puzzle();
        let mut cells: Vec<Cell> = Cell::all().collect();
        cells.shuffle(rng);
        cells.truncate(Cell::COUNT.saturating_sub(self.config.easy_givens));
        thin(&mut puzzle, &cells, &mut |puzzle| {
            self.needs_no_guess(puzzle)
        });
        puzzle
    }

    fn minimal(&mut self, rng: &mut ChaCha8Rng) -> Puzzle {
        let (mut puzzle, _) = self.unique(Puzzle::empty(), rng);
        self.minimize(&mut puzzle, rng);
        puzzle
    }

    fn hard(&mut self, rng: &mut ChaCha8Rng) -> Puzzle {
        let copies: [Symmetry; COPIES] = std::array::from_fn(|_| random_symmetry(rng));
        let mut best = self.minimal(rng);
        let mut most = self.guesses(&best, &copies);
        for _ in 0..self.config.hard_steps {
            let mut changed = best;
            let mut givens: Vec<Cell> = best.givens().map(|(cell, _)| cell).collect();
            givens.shuffle(rng);
            let taken = rng.random_range(1..=3);
            for &cell in givens.iter().take(taken) {
                changed.set(cell, None);
            }
            let (mut changed, _) = self.unique(changed, rng);
            self.minimize(&mut changed, rng);
            let guesses = self.guesses(&changed, &copies);
            if guesses >= most {
                (best, most) = (changed, guesses);
            }
        }
        best
    }

    /// Adds random givens to a solvable puzzle until one solution is left; that one comes with it.
    fn unique(&mut self, start: Puzzle, rng: &mut ChaCha8Rng) -> (Puzzle, Solution) {
        loop {
            if let Some(made) = self.try_unique(start, rng) {
                return made;
            }
        }
    }

    /// One attempt at [`Generator::unique`]: `None` where the first givens leave no solution.
    fn try_unique(&mut self, start: Puzzle, rng: &mut ChaCha8Rng) -> Option<(Puzzle, Solution)> {
        let mut cells: Vec<Cell> = Cell::all()
            .filter(|&cell| start.given(cell).is_none())
            .collect();
        cells.shuffle(rng);
        let mut puzzle = start;
        let mut count = start.given_count();
        for cell in cells {
            let seen: DigitSet = cell
                .peers()
                .into_iter()
                .filter_map(|peer| puzzle.given(peer))
                .collect();
            let free = DigitSet::ALL.difference(seen);
            if free.is_empty() {
                return None;
            }
            let digit = free.into_iter().nth(rng.random_range(0..free.len()))?;
            puzzle.set(cell, Some(digit));
            count += 1;
            if count < FIRST_GIVENS {
                continue;
            }
            match self
                .prover
                .solve(&puzzle, Goal::ProveUnique, Limits::NONE)
                .verdict
            {
                Verdict::Unique(solution) => return Some((puzzle, solution)),
                Verdict::Unsolvable if count == FIRST_GIVENS => return None,
                Verdict::Unsolvable => {
                    puzzle.set(cell, None);
                    count -= 1;
                }
                _ => {}
            }
        }
        None
    }

    /// Takes away every given that is not needed, in random order.
    fn minimize(&mut self, puzzle: &mut Puzzle, rng: &mut ChaCha8Rng) {
        let mut cells: Vec<Cell> = puzzle.givens().map(|(cell, _)| cell).collect();
        cells.shuffle(rng);
        thin(puzzle, &cells, &mut |puzzle| self.is_unique(puzzle));
    }

    fn is_unique(&mut self, puzzle: &Puzzle) -> bool {
        let outcome = self.prover.solve(puzzle, Goal::ProveUnique, Limits::NONE);
        matches!(outcome.verdict, Verdict::Unique(_))
    }

    /// Whether singles alone lead to the only solution. A second node is the first guess.
    fn needs_no_guess(&mut self, puzzle: &Puzzle) -> bool {
        let outcome = self
            .judge
            .solve(puzzle, Goal::ProveUnique, Limits::nodes(1));
        matches!(outcome.verdict, Verdict::Unique(_))
    }

    /// The fewest guesses over these copies, so that luck with the order of cells counts little.
    fn guesses(&mut self, puzzle: &Puzzle, copies: &[Symmetry]) -> u64 {
        let guesses = copies.iter().map(|symmetry| {
            let copy = symmetry.puzzle(puzzle);
            let outcome = self.judge.solve(&copy, Goal::ProveUnique, Limits::NONE);
            outcome.effort.guesses
        });
        guesses.min().unwrap_or(0)
    }
}

/// Takes away the givens of these cells, in this order, each unless `holds` would become false.
///
/// `holds` must stay true when givens come back. A run of cells then goes at once exactly when each
/// of them goes in turn, so runs are halved only where they fail.
fn thin(puzzle: &mut Puzzle, cells: &[Cell], holds: &mut impl FnMut(&Puzzle) -> bool) {
    if cells.is_empty() {
        return;
    }
    let mut without = *puzzle;
    for &cell in cells {
        without.set(cell, None);
    }
    if holds(&without) {
        *puzzle = without;
    } else if cells.len() > 1 {
        let (first, second) = cells.split_at(cells.len() / 2);
        thin(puzzle, first, holds);
        thin(puzzle, second, holds);
    }
}

/// A symmetry of the board, each as probable as any other.
pub fn random_symmetry(rng: &mut ChaCha8Rng) -> Symmetry {
    let mut labels = Digit::ALL;
    labels.shuffle(rng);
    let relabel = Symmetry::relabel(labels).expect("a shuffle repeats nothing");
    let rows = Symmetry::permute_rows(line_order(rng)).expect("bands stay together");
    let columns = Symmetry::permute_columns(line_order(rng)).expect("stacks stay together");
    let symmetry = relabel.then(&rows).then(&columns);
    if rng.random() {
        symmetry.then(&Symmetry::transpose())
    } else {
        symmetry
    }
}

/// The nine rows or columns, shuffled within their thirds, and the thirds among themselves.
fn line_order(rng: &mut ChaCha8Rng) -> [usize; 9] {
    let mut thirds = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
    thirds.shuffle(rng);
    for third in &mut thirds {
        third.shuffle(rng);
    }
    std::array::from_fn(|place| thirds[place / 3][place % 3])
}
