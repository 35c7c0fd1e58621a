//! Reproducibility, and the puzzle files of the repository.

use std::sync::atomic::AtomicBool;

use sudoku_batch::generate::{
    Distribution, Filter, Generator, GivensSymmetry, Kind, Made, Request,
};
use sudoku_batch::grid::Puzzle;
use sudoku_batch::stream::{DrawLimits, End, generate_all};

use super::puzzles::{own, puzzles_in};
use super::{drawn, is_unique, kept, made};

const KINDS: [(Kind, &str); 2] = [(Kind::Easy, "easy"), (Kind::Minimal, "minimal")];

#[test]
fn a_generated_puzzle_depends_on_kind_seed_and_number_only() {
    for (kind, name) in KINDS {
        let mut forward = Generator::default();
        let listed: Vec<Puzzle> = (0..60).map(|n| forward.puzzle(kind, 5, n)).collect();
        for n in (0..60).rev().step_by(7) {
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
fn puzzles_are_the_same_on_any_number_of_threads() {
    let symmetric = Request {
        symmetry: Some(GivensSymmetry::HalfTurn),
        ..drawn(Distribution::TopDown)
    };
    let rated = kept(Filter {
        er: Some("3.0..7.1".parse().unwrap()),
        ..Filter::default()
    });
    let requests = [
        (Request::from(Kind::Easy), 70),
        (Request::from(Kind::Minimal), 130),
        (symmetric, 65),
        (rated, 30),
        (drawn(Distribution::Controlled), 4),
    ];
    for (request, count) in requests {
        let (alone, trials) = made(&request, 3, count);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let mut all = Vec::new();
            let mut write = |made: Vec<Made>, _: u64| {
                all.extend(made);
                Ok(())
            };
            let stop = AtomicBool::new(false);
            let drawn = pool.build().unwrap().install(|| {
                generate_all(
                    &request,
                    3,
                    count as u64,
                    DrawLimits::only(&stop),
                    &mut write,
                )
                .unwrap()
            });
            assert_eq!(drawn.end, End::Complete);
            assert!(drawn.trials >= trials, "{request}");
            assert_eq!(all, alone, "{request} on {threads} threads");
        }
    }
}

#[test]
fn every_puzzle_of_the_repository_has_one_solution() {
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

/// 300 each, with seed 0: `datasets/README.md` has the commands.
#[test]
fn the_generated_files_are_reproduced_by_their_commands() {
    let mut generator = Generator::default();
    for (kind, name) in KINDS {
        let listed = puzzles_in(&own(&format!("{name}.txt")));
        assert_eq!(listed.len(), 300, "{name}");
        for (n, puzzle) in listed.iter().enumerate() {
            assert_eq!(generator.puzzle(kind, 0, n as u64), *puzzle, "{name} {n}");
        }
    }
}
