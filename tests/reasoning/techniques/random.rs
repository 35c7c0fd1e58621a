//! Techniques on random grids, against the oracle.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sudoku_batch::grid::{Candidate, CandidateGrid, Cell, CellSet, Solution};
use sudoku_batch::logic::Effect;
use sudoku_batch::solve::{Goal, Limits, Mrv, Solver, random_symmetry};

use super::all_techniques;
use super::oracle::oracle;

/// A full board in which each row is the previous one, shifted.
const FULL: &str =
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

/// A random board with some cells placed and random candidates eliminated. If `keeps` is set, the
/// board's own digits remain.
fn random_grid(seed: u64, keeps: bool) -> (CandidateGrid, Solution) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let full = random_symmetry(&mut rng).puzzle(&FULL.parse().unwrap());
    let answer = Mrv::new().solve(&full, Goal::FirstSolution, Limits::NONE);
    let solution = *answer.verdict.solution().unwrap();
    let placed: f64 = rng.random_range(0.0..0.6);
    let struck: f64 = rng.random_range(0.0..0.9);
    let mut grid = CandidateGrid::empty();
    for cell in Cell::all() {
        if rng.random_bool(placed) {
            let digit = solution.digit(cell);
            grid.place(Candidate { cell, digit }).unwrap();
        }
    }
    for cell in Cell::all() {
        for digit in grid.candidates(cell) {
            if rng.random_bool(struck) && (!keeps || digit != solution.digit(cell)) {
                let mut next = grid.clone();
                if next.eliminate(CellSet::only(cell), digit).is_ok() {
                    grid = next;
                }
            }
        }
    }
    (grid, solution)
}

pub(crate) fn is_right(effect: &Effect, solution: &Solution) -> bool {
    match effect {
        Effect::Place(mark) => solution.digit(mark.cell) == mark.digit,
        Effect::Eliminate(struck) => struck.iter().all(|m| solution.digit(m.cell) != m.digit),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_technique_finds_a_step_exactly_where_its_oracle_has_one(
        seed in any::<u64>(), keeps in any::<bool>(),
    ) {
        let (grid, solution) = random_grid(seed, keeps);
        for technique in all_techniques() {
            let expected = oracle(technique.id(), &grid);
            let all = technique.find_all(&grid);
            prop_assert!(all.iter().all(|step| expected.contains(&step.effect)));
            prop_assert!(expected.iter().all(|effect| all.iter().any(|s| s.effect == *effect)));
            match technique.find(&grid) {
                None => prop_assert_eq!(expected, vec![], "{}: {:?}", technique.id(), grid),
                Some(found) => {
                    prop_assert!(expected.contains(&found.effect), "{:?} {:?}", found, grid);
                    prop_assert!(!keeps || is_right(&found.effect, &solution), "{:?}", found);
                    prop_assert_eq!(Some(&found), all.first(), "another answer");
                    let mut after = grid.clone();
                    let _ = found.effect.apply(&mut after);
                    prop_assert_ne!(after, grid.clone(), "{:?}", found);
                }
            }
        }
    }
}

/// The grids above would test nothing about a technique that never occurs on them.
#[test]
fn every_technique_occurs_on_random_grids_and_is_often_absent() {
    for technique in all_techniques() {
        let grids = (0..400).map(|seed| random_grid(seed, seed % 2 == 0).0);
        let found = grids.filter(|grid| technique.find(grid).is_some()).count();
        assert!((8..=392).contains(&found), "{}: {found}", technique.id());
    }
}
