//! The generator, and the puzzle files that it made.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "common/puzzles.rs"]
mod puzzles;

use puzzles::{own, puzzles_in};
use sudoku_batch::grid::Puzzle;
use sudoku_batch::solve::{
    GenerateConfig, Generator, Goal, Kind, Limits, Mrv, Outcome, Solver, Verdict,
};

fn prove(puzzle: &Puzzle) -> Outcome {
    Mrv::new().solve(puzzle, Goal::ProveUnique, Limits::NONE)
}

fn is_unique(puzzle: &Puzzle) -> bool {
    matches!(prove(puzzle).verdict, Verdict::Unique(_))
}

const KINDS: [(Kind, &str, u64); 3] = [
    (Kind::Easy, "easy", 60),
    (Kind::Minimal, "minimal", 60),
    (Kind::Hard, "hard", 3),
];

#[test]
fn a_generated_puzzle_depends_on_kind_seed_and_number_only() {
    for (kind, name, count) in KINDS {
        let mut forward = Generator::default();
        let listed: Vec<Puzzle> = (0..count).map(|n| forward.puzzle(kind, 5, n)).collect();
        for n in (0..count).rev().step_by(7) {
            let alone = Generator::default().puzzle(kind, 5, n);
            assert_eq!(alone, listed[n as usize], "{name} {n}");
        }
        let mut different = listed.clone();
        different.sort_by_key(Puzzle::to_line);
        different.dedup();
        assert_eq!(different.len(), listed.len(), "{name}");
        assert_ne!(forward.puzzle(kind, 6, 0), listed[0], "{name}");
    }
}

#[test]
fn easy_puzzles_fall_to_singles_and_keep_their_givens() {
    let config = GenerateConfig::default();
    let mut generator = Generator::new(config.clone());
    for n in 0..200 {
        let puzzle = generator.puzzle(Kind::Easy, 1, n);
        assert!(is_unique(&puzzle), "{puzzle}");
        assert_eq!(prove(&puzzle).effort.guesses, 0, "{puzzle}");
        assert!(puzzle.given_count() >= config.easy_givens, "{puzzle}");
    }
}

#[test]
fn minimal_and_hard_puzzles_need_every_given() {
    let mut generator = Generator::default();
    for (kind, _, count) in &KINDS[1..] {
        for n in 0..*count {
            let puzzle = generator.puzzle(*kind, 2, n);
            assert!(is_unique(&puzzle), "{puzzle}");
            for (cell, _) in puzzle.givens() {
                let mut without = puzzle;
                without.set(cell, None);
                assert!(!is_unique(&without), "{puzzle} does not need {cell}");
            }
        }
    }
}

#[test]
fn hard_puzzles_take_more_guesses_than_minimal_ones() {
    let mut generator = Generator::default();
    let mut guesses = |kind, count| -> u64 {
        let puzzles = (0..count).map(|n| generator.puzzle(kind, 3, n));
        let total: u64 = puzzles.map(|puzzle| prove(&puzzle).effort.guesses).sum();
        total / count
    };
    let (minimal, hard) = (guesses(Kind::Minimal, 100), guesses(Kind::Hard, 4));
    assert!(hard > 4 * (minimal + 1), "minimal {minimal}, hard {hard}");
}

#[test]
fn every_puzzle_of_our_own_files_has_one_solution() {
    for (name, least) in [
        ("easy", 300),
        ("minimal", 300),
        ("hard", 300),
        ("hardest", 20),
    ] {
        let puzzles = puzzles_in(&own(&format!("{name}.txt")));
        assert!(puzzles.len() >= least, "{name}");
        for puzzle in &puzzles {
            assert!(is_unique(puzzle), "{name}: {puzzle}");
        }
    }
}

/// 300 each, of seed 0: `datasets/README.md` has the commands.
#[test]
fn the_generated_files_are_what_their_commands_make() {
    let mut generator = Generator::default();
    for (kind, name, checked) in KINDS {
        let listed = puzzles_in(&own(&format!("{name}.txt")));
        assert_eq!(listed.len(), 300, "{name}");
        for n in 0..checked {
            let made = generator.puzzle(kind, 0, n);
            assert_eq!(made, listed[n as usize], "{name} {n}");
        }
    }
}
