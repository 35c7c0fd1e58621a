//! The profile `se-1.2.1` against ratings that Sudoku Explainer 1.2.1 gave.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::Path;

use sudoku_batch::grid::{Puzzle, Solution};
use sudoku_batch::logic::{EXPLAINER, Effect, Scale, State};
use sudoku_batch::solve::{Budget, Goal, Mrv, Solver};

/// The highest rating of all steps, of those up to the first that places a digit, and of the first
/// step; in tenths.
type Ratings = [u16; 3];

/// Those that are known of a puzzle.
type Known = [Option<u16>; 3];

/// Whether a step takes nothing of the solution away.
fn is_right(effect: &Effect, solution: &Solution) -> bool {
    match effect {
        Effect::Place(mark) => solution.digit(mark.cell) == mark.digit,
        Effect::Eliminate(struck) => struck.iter().all(|m| solution.digit(m.cell) != m.digit),
    }
}

fn rate(puzzle: &Puzzle) -> Ratings {
    let Scale::Tenths(rating) = EXPLAINER.scale else {
        panic!("the profile rates in tenths");
    };
    let outcome = Mrv::new().solve(puzzle, Goal::ProveUnique, Budget::UNLIMITED);
    let solution = *outcome.verdict.solution().unwrap();
    let mut state = State::of_puzzle(puzzle).unwrap();
    let [mut all, mut pearl, mut diamond] = [0; 3];
    while let Some(step) = EXPLAINER.rungs.iter().find_map(|rung| rung.step(&state)) {
        assert!(is_right(&step.effect, &solution), "{puzzle}: {step:?}");
        let (_, tenths) = rating(&step);
        assert!(tenths > 0, "{step:?}");
        all = all.max(tenths);
        if diamond == 0 {
            diamond = tenths;
        }
        if pearl == 0 && matches!(step.effect, Effect::Place(_)) {
            pearl = all;
        }
        state.apply(&step.effect).unwrap();
    }
    assert_eq!(state.solution(), Some(solution), "{puzzle}");
    [all, pearl, diamond]
}

/// The puzzles of a table with their ratings.
fn rows(file: &str) -> Option<Vec<(Puzzle, Known)>> {
    let Some(data) = std::env::var_os("SUDOKU_BATCH_DATA") else {
        println!("skipped: SUDOKU_BATCH_DATA is not set");
        return None;
    };
    let text = fs::read_to_string(Path::new(&data).join("logic").join(file)).unwrap();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let tenths = |at: usize| {
            let rating: f64 = fields[at].parse().ok()?;
            Some((rating * 10.0).round() as u16)
        };
        let puzzle: Puzzle = fields[0].parse().unwrap();
        (puzzle, [tenths(1), tenths(2), tenths(3)])
    };
    Some(text.lines().skip(1).map(row).collect())
}

/// Each row whose ratings are others.
fn misses(rows: &[(Puzzle, Known)]) -> Vec<String> {
    let rated = rows
        .iter()
        .map(|(puzzle, expected)| (puzzle, expected, rate(puzzle)));
    rated
        .filter(|(_, expected, found)| {
            let mut pairs = expected.iter().zip(found);
            pairs.any(|(expected, found)| expected.is_some_and(|expected| expected != *found))
        })
        .map(|(puzzle, expected, found)| format!("{puzzle}: {found:?} instead of {expected:?}"))
        .collect()
}

#[test]
fn ratings_are_those_of_sudoku_explainer() {
    let Some(rows) = rows("conformance.csv") else {
        return;
    };
    let misses = misses(&rows);
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

/// Chains inside chains, up to dynamic ones.
#[test]
fn ratings_of_the_hardest_puzzles_are_those_that_were_published() {
    let Some(mut rows) = rows("hardest_published_se.csv") else {
        return;
    };
    rows.sort_by_key(|(_, ratings)| *ratings);
    let some: Vec<_> = rows.into_iter().step_by(45).collect();
    let misses = misses(&some);
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}
