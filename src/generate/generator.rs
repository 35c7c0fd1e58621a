//! Puzzles by seed and number.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use super::bottom_up::{Filled, fill};
use super::controlled::{trials, weight};
use super::easy::easy;
use super::full_board::FullBoards;
use super::pattern::GivensPattern;
use super::prover::Prover;
use super::request::{Distribution, Kind, Request};
use super::span::Span;
use super::thinning::thin;
use crate::grid::{Cell, CellSet, Puzzle};
use crate::solve::{Mrv, Verdict};

/// How puzzles are made.
#[derive(Clone, Debug, serde::Serialize)]
pub struct GenerateConfig {
    /// How many givens an easy puzzle has at least; most have a few more.
    pub easy_givens: usize,
}

impl Default for GenerateConfig {
    fn default() -> GenerateConfig {
        GenerateConfig { easy_givens: 32 }
    }
}

/// A puzzle that was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Made {
    /// It has one solution.
    pub puzzle: Puzzle,
    /// How many puzzles it stands for, in relation to the others: 1 where nobody knows.
    pub weight: f64,
}

/// No puzzle with these givens was found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no puzzle with the pattern {0} was found; it may have none")]
pub struct NoPuzzleOfPattern(pub GivensPattern);

/// Makes puzzles; keeps its solvers between them.
///
/// ```
/// use sudoku_batch::generate::{Generator, Kind};
///
/// let mut generator = Generator::default();
/// let puzzle = generator.puzzle(Kind::Minimal, 7, 0);
/// assert_eq!(puzzle, Generator::default().puzzle(Kind::Minimal, 7, 0));
/// ```
#[derive(Debug, Default)]
pub struct Generator {
    config: GenerateConfig,
    /// Proves that there is one solution.
    prover: Prover,
    boards: FullBoards,
    /// Knows what singles alone solve.
    judge: Mrv,
}

/// What the randomness of a puzzle comes from, beside the seed and the number: one stream for each way of making.
const EASY: u8 = 0;
const BOTTOM_UP: u8 = 1;
const TOP_DOWN: u8 = 3;
const CONTROLLED: u8 = 4;
const PATTERN: u8 = 5;
const ADDED: u8 = 6;

impl Generator {
    /// A generator of puzzles made like this.
    pub fn new(config: GenerateConfig) -> Generator {
        Generator {
            config,
            ..Generator::default()
        }
    }

    /// Puzzle number `n` of this kind and seed: it depends on these three and the configuration only, and has exactly
    /// one solution. Minimal ones are drawn bottom-up; rendered photos show them, and stay the same by that.
    pub fn puzzle(&mut self, kind: Kind, seed: u64, n: u64) -> Puzzle {
        match kind {
            Kind::Easy => self.easy(seed, n),
            Kind::Minimal | Kind::Any => self.thinned(Distribution::BottomUp, None, seed, n),
        }
    }

    /// Makes trial number `n` of a request and seed, and returns the puzzles that come of it and are kept: none, one,
    /// or of a controlled distribution seldom several. They depend on these three and the configuration only, so all
    /// trials in their order are one sequence of puzzles, however many threads take part.
    ///
    /// # Errors
    /// [`NoPuzzleOfPattern`].
    pub fn trial(
        &mut self,
        request: &Request,
        seed: u64,
        n: u64,
    ) -> Result<Vec<Made>, NoPuzzleOfPattern> {
        let weighted = |puzzle: Puzzle, weight| Made { puzzle, weight };
        let mut made = if let Some(pattern) = in_turn(&request.patterns, n) {
            let puzzle = pattern.puzzle(&mut self.prover, &mut rng(PATTERN, seed, n));
            vec![weighted(puzzle.ok_or(NoPuzzleOfPattern(pattern))?, 1.0)]
        } else if request.kind == Kind::Easy {
            vec![weighted(self.easy(seed, n), 1.0)]
        } else if request.kind == Kind::Any {
            let minimal = self.thinned(request.distribution(), None, seed, n);
            let wanted = request.filter.givens;
            let puzzle = self.with_more(minimal, wanted, &mut rng(ADDED, seed, n));
            vec![weighted(puzzle, 1.0)]
        } else if request.distribution() == Distribution::Controlled {
            let puzzles = trials(&mut self.prover, &mut rng(CONTROLLED, seed, n));
            let weighted = |puzzle: Puzzle| weighted(puzzle, weight(puzzle.given_count()));
            puzzles.into_iter().map(weighted).collect()
        } else {
            let orbits = request.symmetry.map(|symmetry| symmetry.orbits());
            let puzzle = self.thinned(request.distribution(), orbits.as_deref(), seed, n);
            vec![weighted(puzzle, 1.0)]
        };
        made.retain(|made| request.filter.keeps_by(&made.puzzle, &mut self.prover));
        Ok(made)
    }

    /// The puzzle with as many random givens of its solution as it lacks of a random number of those wanted.
    fn with_more(
        &mut self,
        mut puzzle: Puzzle,
        wanted: Option<Span<usize>>,
        rng: &mut ChaCha8Rng,
    ) -> Puzzle {
        let given = puzzle.given_count();
        let Some(least) = wanted.and_then(|wanted| wanted.least) else {
            return puzzle;
        };
        let most = wanted.and_then(|wanted| wanted.most).unwrap_or(least);
        let least = least.max(given).min(Cell::COUNT);
        let most = most.clamp(least, Cell::COUNT);
        let Verdict::Unique(solution) = self.prover.two(&puzzle) else {
            return puzzle;
        };
        let blanks = Cell::all().filter(|cell| puzzle.given(*cell).is_none());
        let mut blanks: Vec<Cell> = blanks.collect();
        blanks.shuffle(rng);
        for cell in blanks
            .into_iter()
            .take(rng.random_range(least..=most) - given)
        {
            puzzle.set(cell, Some(solution.digit(cell)));
        }
        puzzle
    }

    fn easy(&mut self, seed: u64, n: u64) -> Puzzle {
        let rng = &mut rng(EASY, seed, n);
        easy(
            self.config.easy_givens,
            &mut self.prover,
            &mut self.judge,
            rng,
        )
    }

    /// A puzzle of which nothing can go: no given, or no orbit of givens.
    fn thinned(
        &mut self,
        distribution: Distribution,
        orbits: Option<&[CellSet]>,
        seed: u64,
        n: u64,
    ) -> Puzzle {
        let prover = &mut self.prover;
        if distribution == Distribution::TopDown {
            let rng = &mut rng(TOP_DOWN, seed, n);
            let board = self.boards.draw(prover, rng);
            let mut tried = match orbits {
                None => Cell::all().map(CellSet::only).collect(),
                Some(orbits) => orbits.to_vec(),
            };
            tried.shuffle(rng);
            return thin(&board, &[], &tried, prover);
        }
        let rng = &mut rng(BOTTOM_UP, seed, n);
        let Filled {
            puzzle,
            solution,
            others,
        } = fill(prover, rng);
        let start: CellSet = puzzle.givens().map(|(cell, _)| cell).collect();
        let mut tried: Vec<CellSet> = match orbits {
            None => start.into_iter().map(CellSet::only).collect(),
            // What lacks to whole orbits is added.
            Some(orbits) => {
                let reached = |orbit: &&CellSet| !orbit.intersection(start).is_empty();
                orbits.iter().filter(reached).copied().collect()
            }
        };
        tried.shuffle(rng);
        thin(&solution, &others, &tried, prover)
    }
}

fn in_turn(patterns: &[GivensPattern], n: u64) -> Option<GivensPattern> {
    let count = patterns.len() as u64;
    (count > 0).then(|| patterns[(n % count) as usize])
}

fn rng(way: u8, seed: u64, n: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8] = way;
    let mut rng = ChaCha8Rng::from_seed(key);
    rng.set_stream(n);
    rng
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::givens_symmetry::GivensSymmetry;
    use crate::grid::Solution;
    use crate::solve::{Bands, Goal, Limits, Solver};

    fn is_unique(puzzle: &Puzzle) -> bool {
        let outcome = Bands::new().solve(puzzle, Goal::ProveUnique, Limits::NONE);
        matches!(outcome.verdict, Verdict::Unique(_))
    }

    /// The plain algorithm.
    fn naive(solution: &Solution, orbits: &[CellSet]) -> Puzzle {
        let mut puzzle = Puzzle::empty();
        for cell in orbits.iter().flat_map(|orbit| *orbit) {
            puzzle.set(cell, Some(solution.digit(cell)));
        }
        for orbit in orbits {
            let mut without = puzzle;
            for cell in *orbit {
                without.set(cell, None);
            }
            if is_unique(&without) {
                puzzle = without;
            }
        }
        puzzle
    }

    #[test]
    fn thinning_removes_the_same_givens_as_the_plain_algorithm() {
        let mut prover = Prover::default();
        let mut rng = rng(BOTTOM_UP, 7, 0);
        for n in 0..60 {
            let Filled {
                puzzle,
                solution,
                others,
            } = fill(&mut prover, &mut rng);
            let mut orbits: Vec<CellSet> = match n % 3 {
                0 => Cell::all().map(CellSet::only).collect(),
                1 => puzzle
                    .givens()
                    .map(|(cell, _)| CellSet::only(cell))
                    .collect(),
                _ => {
                    let all = GivensSymmetry::ALL;
                    all[rng.random_range(0..all.len())].orbits()
                }
            };
            orbits.shuffle(&mut rng);
            let thinned = thin(&solution, &others, &orbits, &mut prover);
            assert_eq!(thinned, naive(&solution, &orbits), "{n}");
        }
    }
}
