//! Puzzles of any layout: a random full board, made a puzzle by taking givens away.
//!
//! Full boards are found by the search of `mrv` with a random value in a random one of the cells with the
//! fewest values, begun anew after a few hundred nodes; they are not drawn uniformly from all boards.

use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use super::super::layout::{Boxes, LEAST_SIDE, Layout, LayoutError};
use super::super::mrv::VariantMrv;
use super::super::puzzle::{VariantPuzzle, VariantSolution};
use super::super::solver::{VariantSolver, VariantVerdict};
use super::super::value::MOST_SIDE;
use super::super::value::Value;
use super::cages::{MOST_JOINED_SIDE, joinings, random_cages, with_sums};
use super::regions::random_regions;
use crate::solve::{Goal, Limits};

/// What regions a board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Regions {
    /// Boxes.
    Boxes(Boxes),
    /// Random connected regions, others for each puzzle, on a board of this side.
    Jigsaw {
        /// Cells of a row.
        side: usize,
    },
}

impl Regions {
    /// Cells of a row.
    pub const fn side(self) -> usize {
        match self {
            Regions::Boxes(boxes) => boxes.rows.saturating_mul(boxes.columns),
            Regions::Jigsaw { side } => side,
        }
    }
}

/// What boards puzzles are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LayoutKind {
    /// The regions.
    pub regions: Regions,
    /// Whether both diagonals have all values.
    pub diagonals: bool,
    /// Whether there are the extra boxes of a windoku.
    pub windows: bool,
    /// The most cells of a cage, where the board is covered with random cages.
    pub cages: Option<usize>,
}

impl LayoutKind {
    /// Boxes, and nothing else.
    pub const fn boxes(boxes: Boxes) -> LayoutKind {
        LayoutKind::regions(Regions::Boxes(boxes))
    }

    /// Random regions, and nothing else.
    pub const fn jigsaw(side: usize) -> LayoutKind {
        LayoutKind::regions(Regions::Jigsaw { side })
    }

    const fn regions(regions: Regions) -> LayoutKind {
        LayoutKind {
            regions,
            diagonals: false,
            windows: false,
            cages: None,
        }
    }
}

/// What puzzles are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VariantKind {
    /// The board.
    pub layout: LayoutKind,
    /// Whether no given can be taken away without a second solution coming up. That takes long on boards of
    /// 25 x 25 and more. Otherwise puzzles need no guess: what `mrv` concludes at once solves them, and it
    /// would not without any one of the givens. With cages both kinds are the same: mostly no given is left,
    /// and those that are left are needed.
    pub minimal: bool,
}

/// Why puzzles of a kind cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// There is no such layout.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// Cages have from one cell to as many as there are values.
    #[error("cages of at most {most} cells on a board of side {side}")]
    Cages {
        /// The most cells of a cage.
        most: usize,
        /// The side.
        side: usize,
    },
    /// No full board was found.
    #[error("no full board was found: the rules leave none, or hardly any")]
    NoBoard,
}

/// Nodes of the search for a full board before it begins anew, the first time; half as many more each time.
const FIRST_NODES: u64 = 300;
/// The most nodes before it begins anew.
const MOST_NODES: u64 = 3_000;
/// How often the search for a full board begins anew; for jigsaws, each time on other regions.
const ATTEMPTS: usize = 160;
/// Jigsaws on which it fails before the next ones are nearer to boxes.
const FAILURES: usize = 10;
/// How many divisions into cages are tried for one that needs no givens.
const CAGINGS: usize = 6;
/// How many ways to join a cell that is a cage alone to others are tried on large boards.
const JOININGS: usize = 3;
/// Nodes within which cages must be proven to have one solution.
const CAGE_NODES: u64 = 300;

/// Makes puzzles; keeps its solver between them.
#[derive(Clone, Debug, Default)]
pub struct VariantGenerator {
    solver: VariantMrv,
}

impl VariantGenerator {
    /// A generator ready for its first puzzle.
    pub fn new() -> VariantGenerator {
        VariantGenerator::default()
    }

    /// Puzzle number `n` of this kind and seed: it depends on these three only, and has exactly one solution,
    /// which comes with it.
    ///
    /// ```
    /// use sudoku_batch::variant::{LayoutKind, VariantGenerator, VariantKind};
    ///
    /// let layout = LayoutKind { diagonals: true, ..LayoutKind::jigsaw(7) };
    /// let kind = VariantKind { layout, minimal: true };
    /// let (puzzle, solution) = VariantGenerator::new().puzzle(kind, 1, 0)?;
    /// assert!(puzzle.layout().has_diagonals());
    /// assert_eq!(solution.values().len(), 49);
    /// # Ok::<(), sudoku_batch::variant::GenerateError>(())
    /// ```
    ///
    /// # Errors
    /// See [`GenerateError`].
    pub fn puzzle(
        &mut self,
        kind: VariantKind,
        seed: u64,
        n: u64,
    ) -> Result<(VariantPuzzle, VariantSolution), GenerateError> {
        let side = kind.layout.regions.side().min(MOST_SIDE);
        if let Some(most) = kind.layout.cages.filter(|most| !(1..=side).contains(most)) {
            return Err(GenerateError::Cages { most, side });
        }
        let mut rng = ChaCha8Rng::from_seed(key(kind, seed));
        rng.set_stream(n);
        let mut nodes = FIRST_NODES;
        for attempt in 0..ATTEMPTS {
            let nearness = (attempt / FAILURES) as u32;
            let layout = Arc::new(random_layout(kind.layout, nearness, &mut rng)?);
            let empty = VariantPuzzle::empty(layout.clone());
            match self.solver.random_solution(&empty, &mut rng, nodes) {
                VariantVerdict::Solved(solution) => {
                    return Ok(match kind.layout.cages {
                        Some(most) => self.with_cages(&layout, solution.values(), most, &mut rng),
                        None => self.with_givens(&layout, solution, kind.minimal, &mut rng),
                    });
                }
                VariantVerdict::Unsolvable if matches!(kind.layout.regions, Regions::Boxes(_)) => {
                    return Err(GenerateError::NoBoard);
                }
                _ => nodes = MOST_NODES.min(nodes + nodes / 2),
            }
        }
        Err(GenerateError::NoBoard)
    }

    /// Takes givens away.
    fn with_givens(
        &mut self,
        layout: &Arc<Layout>,
        solution: VariantSolution,
        minimal: bool,
        rng: &mut ChaCha8Rng,
    ) -> (VariantPuzzle, VariantSolution) {
        let mut givens: Vec<Option<Value>> = solution.values().iter().copied().map(Some).collect();
        let mut cells: Vec<usize> = (0..layout.cells()).collect();
        cells.shuffle(rng);
        self.thin(layout, &mut givens, &cells, Limits::nodes(1));
        if minimal {
            cells.retain(|cell| givens[*cell].is_some());
            self.thin(layout, &mut givens, &cells, Limits::NONE);
        }
        (puzzle_of(layout, givens), solution)
    }

    /// Takes away the givens of these cells, in this order, each unless the solution could not be proven the
    /// only one within the limits any more.
    ///
    /// What is proven with some givens is proven with more, so a run of cells goes at once exactly when each
    /// of them goes in turn; runs are halved only where they fail.
    fn thin(
        &mut self,
        layout: &Arc<Layout>,
        givens: &mut Vec<Option<Value>>,
        cells: &[usize],
        limits: Limits,
    ) {
        if cells.is_empty() {
            return;
        }
        let mut without = givens.clone();
        for &cell in cells {
            without[cell] = None;
        }
        let puzzle = puzzle_of(layout, without.clone());
        let outcome = self.solver.solve(&puzzle, Goal::ProveUnique, limits);
        if matches!(outcome.verdict, VariantVerdict::Unique(_)) {
            *givens = without;
        } else if cells.len() > 1 {
            let (first, second) = cells.split_at(cells.len() / 2);
            self.thin(layout, givens, first, limits);
            self.thin(layout, givens, second, limits);
        }
    }

    /// Covers a full board with cages; gives cells only where several divisions into cages all left more than
    /// one solution.
    fn with_cages(
        &mut self,
        layout: &Arc<Layout>,
        values: &[Value],
        most: usize,
        rng: &mut ChaCha8Rng,
    ) -> (VariantPuzzle, VariantSolution) {
        let mut best: Option<(VariantPuzzle, usize)> = None;
        for _ in 0..CAGINGS {
            let cages = random_cages(layout.side(), values, most, rng);
            let caged = Layout::clone(layout).and_cages(cages);
            let caged =
                Arc::new(caged.expect("cages of different values that cover each cell once"));
            let givens = self.givens_of(&caged, values, rng);
            let count = givens.iter().flatten().count();
            if best.as_ref().is_none_or(|(_, fewest)| count < *fewest) {
                best = Some((puzzle_of(&caged, givens), count));
            }
            if count == 0 {
                break;
            }
        }
        let (mut puzzle, _) = best.expect("one division into cages is made at least");
        if layout.side() > MOST_JOINED_SIDE {
            puzzle = self.joined(layout, puzzle, values, most);
        }
        let solution = VariantSolution::new(&puzzle, values.to_vec());
        (
            puzzle,
            solution.expect("the board keeps the rules and its own cages"),
        )
    }

    /// The puzzle with cells that are cages alone joined to cages beside them, each unless the solution could not be
    /// proven the only one any more.
    fn joined(
        &mut self,
        layout: &Layout,
        mut puzzle: VariantPuzzle,
        values: &[Value],
        most: usize,
    ) -> VariantPuzzle {
        let cages = puzzle.layout().cages().iter();
        let mut cages: Vec<Vec<usize>> = cages.map(|cage| cage.cells.clone()).collect();
        for single in 0..cages.len() {
            if cages[single].len() != 1 {
                continue;
            }
            let ways = joinings(layout.side(), values, most, &cages, single);
            let found = ways.take(JOININGS).find_map(|cages| {
                let caged = layout.clone().and_cages(with_sums(&cages, values));
                let caged = caged.expect("cages of different values that cover each cell once");
                let joined = puzzle_of(&Arc::new(caged), puzzle.givens().to_vec());
                let limits = Limits::nodes(CAGE_NODES);
                let outcome = self.solver.solve(&joined, Goal::ProveUnique, limits);
                matches!(outcome.verdict, VariantVerdict::Unique(_)).then_some((joined, cages))
            });
            if let Some(found) = found {
                (puzzle, cages) = found;
            }
        }
        puzzle
    }

    /// Givens without which cages would have other solutions too.
    fn givens_of(
        &mut self,
        caged: &Arc<Layout>,
        values: &[Value],
        rng: &mut ChaCha8Rng,
    ) -> Vec<Option<Value>> {
        let limits = Limits::nodes(CAGE_NODES);
        let mut givens = vec![None; values.len()];
        let mut given = Vec::new();
        loop {
            let puzzle = puzzle_of(caged, givens.clone());
            let outcome = self.solver.solve(&puzzle, Goal::ProveUnique, limits);
            let (doubtful, count): (Vec<usize>, usize) = match outcome.verdict {
                VariantVerdict::Unique(_) => break,
                VariantVerdict::Multiple(solutions) => {
                    let differs = |cell: &usize| {
                        let mut found = solutions.iter().map(|found| found.values()[*cell]);
                        found.any(|found| found != values[*cell])
                    };
                    ((0..values.len()).filter(differs).collect(), 1)
                }
                _ => {
                    let open = (0..values.len()).filter(|cell| givens[*cell].is_none());
                    (open.collect(), caged.side() / 2)
                }
            };
            for &cell in doubtful.sample(rng, count) {
                givens[cell] = Some(values[cell]);
                given.push(cell);
            }
        }
        self.thin(caged, &mut givens, &given, limits);
        givens
    }
}

/// The seed of the random numbers for all puzzles of a kind.
fn key(kind: VariantKind, seed: u64) -> [u8; 32] {
    let layout = kind.layout;
    let (rows, columns) = match layout.regions {
        Regions::Boxes(boxes) => (boxes.rows, boxes.columns),
        Regions::Jigsaw { side } => (0, side),
    };
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8] = rows as u8;
    key[9] = columns as u8;
    key[10] = u8::from(layout.diagonals) | u8::from(layout.windows) << 1;
    key[11] = layout.cages.unwrap_or(0) as u8;
    key[12] = u8::from(kind.minimal);
    key
}

/// The layout without cages; for jigsaws a random one.
fn random_layout(
    kind: LayoutKind,
    nearness: u32,
    rng: &mut ChaCha8Rng,
) -> Result<Layout, GenerateError> {
    let mut layout = match kind.regions {
        Regions::Boxes(boxes) => Layout::with_boxes(boxes)?,
        Regions::Jigsaw { side } if (LEAST_SIDE..=MOST_SIDE).contains(&side) => {
            Layout::jigsaw(&random_regions(side, nearness, rng))?
        }
        Regions::Jigsaw { side } => return Err(LayoutError::Side(side).into()),
    };
    if kind.diagonals {
        layout = layout.and_diagonals();
    }
    if kind.windows {
        layout = layout.and_windows()?;
    }
    Ok(layout)
}

fn puzzle_of(layout: &Arc<Layout>, givens: Vec<Option<Value>>) -> VariantPuzzle {
    VariantPuzzle::new(layout.clone(), givens)
        .expect("the values are those of a board of this layout")
}
