//! Batches of puzzles on every instruction set of this CPU, compared with solving one at a time.

use crate::common::puzzles;
use std::collections::HashSet;
use std::time::Duration;

use proptest::prelude::*;
use puzzles::{corpora, outcome, outcomes, own, puzzles_in};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sudoku_batch::generate::{Generator, Kind};
use sudoku_batch::grid::{Cell, Digit, Puzzle, PuzzleLine};
use sudoku_batch::solve::{
    Bands, Effort, Goal, InstructionSet, Limits, Lockstep, Mrv, Outcome, Solver, Verdict,
};

/// A solver for each instruction set of this CPU, including the portable one.
fn all_sets() -> impl Iterator<Item = Lockstep> {
    InstructionSet::ALL.into_iter().filter_map(Lockstep::on)
}

/// Whether an answer agrees with that of another solver for the same goal.
fn assert_same(puzzle: &Puzzle, found: &Outcome, expected: &Outcome, context: &str) {
    let valid = |solutions: &[_]| {
        let different: HashSet<_> = solutions.iter().collect();
        different.len() == solutions.len()
            && solutions
                .iter()
                .all(|solution: &sudoku_batch::grid::Solution| solution.solves(puzzle))
    };
    match (&found.verdict, &expected.verdict) {
        // Any solution is accepted.
        (Verdict::Solved(solution), Verdict::Solved(_)) => {
            assert!(solution.solves(puzzle), "{context}: {puzzle}");
        }
        (Verdict::Multiple(found), Verdict::Multiple(expected)) => {
            assert_eq!(found.len(), expected.len(), "{context}: {puzzle}");
            assert!(valid(found), "{context}: {puzzle}");
        }
        (found, expected) => assert_eq!(found, expected, "{context}: {puzzle}"),
    }
    assert!(
        found.effort.nodes > found.effort.guesses,
        "{context}: {puzzle}"
    );
}

/// Compares every instruction set with an independent solver.
fn assert_all_agree(puzzles: &[Puzzle], goals: &[Goal], oracle: &mut dyn Solver) {
    for &goal in goals {
        let expected = outcomes(oracle, puzzles, goal, Limits::NONE);
        for mut solver in all_sets() {
            let context = format!("{solver:?}, {goal:?}, {} puzzles", puzzles.len());
            let found = outcomes(&mut solver, puzzles, goal, Limits::NONE);
            assert_eq!(found.len(), puzzles.len(), "{context}");
            for ((puzzle, found), expected) in puzzles.iter().zip(&found).zip(&expected) {
                assert_same(puzzle, found, expected, &context);
            }
        }
    }
}

const BOTH: [Goal; 2] = [Goal::ProveUnique, Goal::FirstSolution];

fn count(limit: usize) -> Goal {
    Goal::Count(limit.try_into().unwrap())
}

/// Generated puzzles of all kinds, with one solution each.
fn unique() -> Vec<Puzzle> {
    ["easy.txt", "minimal.txt", "hard.txt", "hardest.txt"]
        .iter()
        .flat_map(|file| puzzles_in(&own(file)))
        .collect()
}

/// The puzzle without some of its givens.
fn without(puzzle: &Puzzle, removed: usize, rng: &mut ChaCha8Rng) -> Puzzle {
    let mut puzzle = *puzzle;
    let mut givens: Vec<Cell> = puzzle.givens().map(|(cell, _)| cell).collect();
    givens.shuffle(rng);
    for &cell in givens.iter().take(removed) {
        puzzle.set(cell, None);
    }
    puzzle
}

/// Puzzles with several solutions each.
fn several() -> Vec<Puzzle> {
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let puzzles = unique();
    let puzzles = puzzles.iter().map(|puzzle| without(puzzle, 4, &mut rng));
    puzzles.collect()
}

/// The puzzle with one more given, which may be wrong or contradict another.
fn with_a_given(puzzle: &Puzzle, rng: &mut ChaCha8Rng) -> Puzzle {
    let mut puzzle = *puzzle;
    let blanks: Vec<Cell> = Cell::all()
        .filter(|&cell| puzzle.given(cell).is_none())
        .collect();
    if !blanks.is_empty() {
        let cell = blanks[rng.random_range(0..blanks.len())];
        puzzle.set(cell, Digit::new(rng.random_range(1..=9)));
    }
    puzzle
}

#[test]
fn all_kinds_of_puzzles_agree_with_other_solvers() {
    assert_all_agree(&unique(), &BOTH, &mut Mrv::new());
}

#[test]
fn damaged_puzzles_agree_with_other_solvers() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let damaged: Vec<Puzzle> = unique()
        .iter()
        .flat_map(|puzzle| [with_a_given(puzzle, &mut rng), without(puzzle, 2, &mut rng)])
        .collect();
    let goals = [Goal::ProveUnique, Goal::FirstSolution, count(3)];
    assert_all_agree(&damaged, &goals, &mut Mrv::new());
}

#[test]
fn nearly_empty_boards_agree_with_other_solvers() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let solved = Generator::default().puzzle(Kind::Easy, 5, 0);
    let Verdict::Unique(solution) =
        outcomes(&mut Mrv::new(), &[solved], Goal::ProveUnique, Limits::NONE)[0].verdict
    else {
        panic!("a generated puzzle has one solution");
    };
    let few: Vec<Puzzle> = (0..=16)
        .flat_map(|givens| std::iter::repeat_n(givens, 3))
        .map(|givens| without(&solution.to_puzzle(), Cell::COUNT - givens, &mut rng))
        .collect();
    let goals = [Goal::ProveUnique, Goal::FirstSolution, count(20)];
    assert_all_agree(&few, &goals, &mut Bands::new());
}

#[test]
fn repeated_digits_in_a_house_are_detected() {
    let lines = [
        "5.......5........................................................................",
        "5.......................................................................5........",
        "5.........5......................................................................",
        "12345678.........9...............................................................",
        "223456789456789123789123456231564897564897231897231564312645978645978312978312645",
        "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
    ];
    let puzzles: Vec<Puzzle> = lines.iter().map(|line| line.parse().unwrap()).collect();
    assert_all_agree(&puzzles, &BOTH, &mut Mrv::new());
}

#[test]
fn batches_may_have_any_size() {
    let all = unique();
    for size in [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 800] {
        let puzzles: Vec<Puzzle> = all.iter().copied().cycle().skip(size).take(size).collect();
        assert_all_agree(&puzzles, &[Goal::ProveUnique], &mut Bands::new());
    }
}

#[test]
fn all_solutions_are_found_once() {
    // In the first band 1, 4 and 7 are blank, and every Latin square of order 3 fits: 12.
    let band = ".23.56.89.56.89.23.89.23.56231564897564897231897231564312645978645978312978312645";
    let mut puzzles: Vec<Puzzle> = vec![band.parse().unwrap(); 40];
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    puzzles.extend(unique().iter().map(|puzzle| without(puzzle, 1, &mut rng)));
    assert_all_agree(&puzzles, &[count(12), count(13), count(1)], &mut Mrv::new());
    for mut solver in all_sets() {
        let outcomes = outcomes(&mut solver, &puzzles[..40], count(100), Limits::NONE);
        for outcome in outcomes {
            assert!(
                matches!(&outcome.verdict, Verdict::Multiple(all) if all.len() == 12),
                "{solver:?}: {:?}",
                outcome.verdict
            );
        }
    }
}

#[test]
fn puzzles_with_several_solutions_are_searched_in_depth() {
    let puzzles = several();
    assert_all_agree(
        &puzzles,
        &[Goal::ProveUnique, Goal::FirstSolution, count(3)],
        &mut Bands::new(),
    );
    let guesses = |outcomes: Vec<Outcome>| outcomes.iter().map(|it| it.effort.guesses).sum::<u64>();
    for goal in BOTH {
        let least = guesses(outcomes(&mut Bands::new(), &puzzles, goal, Limits::NONE));
        for mut solver in all_sets() {
            let taken = guesses(outcomes(&mut solver, &puzzles, goal, Limits::NONE));
            // Lanes that search both children of every branch at once take 1.5 times as many.
            assert!(4 * taken < 5 * least, "{solver:?}: {taken} against {least}");
        }
    }
}

#[test]
fn limits_are_respected_in_depth() {
    let puzzles = several();
    for mut solver in all_sets() {
        let free = outcomes(&mut solver, &puzzles, Goal::ProveUnique, Limits::NONE);
        for most in [1, 3, 5, 10] {
            let nodes = Limits::nodes(2 * most);
            let guesses = Limits {
                guesses: most,
                ..Limits::NONE
            };
            for limits in [nodes, guesses] {
                let cut = outcomes(&mut solver, &puzzles, Goal::ProveUnique, limits);
                let mut given_up = 0;
                for ((puzzle, cut), free) in puzzles.iter().zip(&cut).zip(&free) {
                    let context = format!("{solver:?}, {limits:?}");
                    assert!(cut.effort.nodes <= limits.nodes, "{context}");
                    assert!(cut.effort.guesses <= limits.guesses, "{context}");
                    if cut.verdict == Verdict::OutOfBudget {
                        given_up += 1;
                    } else {
                        assert_same(puzzle, cut, free, &context);
                    }
                }
                assert!(
                    (1..puzzles.len()).contains(&given_up),
                    "{solver:?}, {limits:?}: {given_up}"
                );
            }
        }
    }
}

#[test]
fn a_time_limit_that_is_not_reached_changes_no_answer() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let puzzles: Vec<Puzzle> = unique()[100..140]
        .iter()
        .map(|puzzle| without(puzzle, 6, &mut rng))
        .collect();
    let limits = Limits {
        time: Some(Duration::from_secs(600)),
        ..Limits::NONE
    };
    for mut solver in all_sets() {
        let free = outcomes(&mut solver, &puzzles, count(3_000), Limits::NONE);
        let timed = outcomes(&mut solver, &puzzles, count(3_000), limits);
        assert_eq!(free, timed, "{solver:?}");
        let nodes: u64 = free.iter().map(|outcome| outcome.effort.nodes).sum();
        assert!(
            nodes > 5_000,
            "the clock was hardly looked at: {nodes} nodes"
        );
    }
}

#[test]
fn solvers_run_on_the_instructions_of_this_cpu() {
    for set in InstructionSet::ALL {
        let expected = match set {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("avx512bitalg")
            }
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => is_x86_feature_detected!("avx2"),
            InstructionSet::Neon => cfg!(target_arch = "aarch64"),
            InstructionSet::Simd128 => cfg!(target_arch = "wasm32"),
            InstructionSet::Portable => true,
            #[cfg(not(target_arch = "x86_64"))]
            InstructionSet::Avx512 | InstructionSet::Avx2 => false,
        };
        let solvers = [
            Lockstep::on(set).map(|solver| format!("{solver:?}")),
            Bands::on(set).map(|solver| format!("{solver:?}")),
        ];
        let names = ["Lockstep", "Bands"].map(|name| format!("{name}({set})"));
        assert_eq!(solvers, names.map(|name| expected.then_some(name)));
    }
}

#[test]
fn the_answer_to_a_puzzle_does_not_depend_on_the_others() {
    let mut puzzles = unique();
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for mut solver in all_sets() {
        puzzles.shuffle(&mut rng);
        let together = outcomes(&mut solver, &puzzles, Goal::ProveUnique, Limits::NONE);
        let again = outcomes(&mut solver, &puzzles, Goal::ProveUnique, Limits::NONE);
        assert_eq!(together, again, "{solver:?}");
        for (puzzle, among) in puzzles.iter().zip(&together) {
            let alone = outcome(&mut solver, puzzle, Goal::ProveUnique, Limits::NONE);
            assert_eq!(alone.verdict, among.verdict, "{solver:?}: {puzzle}");
        }
    }
}

/// Guesses and nodes of one batch for each goal: they change where lanes are filled, left or branched in another order,
/// which the answers do not show. Recorded as in `solvers.rs`.
#[test]
fn a_batch_takes_as_many_steps_as_recorded() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut puzzles = unique();
    let fewer: Vec<Puzzle> = puzzles[..200]
        .iter()
        .map(|puzzle| without(puzzle, 2, &mut rng))
        .collect();
    puzzles.extend(fewer);
    let mut solver = Lockstep::on(InstructionSet::Portable).unwrap();
    let found = [Goal::ProveUnique, Goal::FirstSolution, count(20)].map(|goal| {
        let outcomes = outcomes(&mut solver, &puzzles, goal, Limits::NONE);
        let efforts = outcomes.iter().map(|outcome| outcome.effort);
        efforts.fold((0, 0), |(guesses, nodes), effort| {
            (guesses + effort.guesses, nodes + effort.nodes)
        })
    });
    assert_eq!(found, [(4_655, 10_398), (3_339, 7_530), (4_865, 10_844)]);
}

#[test]
fn limits_are_respected_and_answers_within_them_are_correct() {
    let puzzles = unique();
    for mut solver in all_sets() {
        for puzzle in &puzzles {
            let free = outcome(&mut solver, puzzle, Goal::ProveUnique, Limits::NONE);
            let Effort { guesses, nodes } = free.effort;
            let limits = |nodes, guesses| Limits {
                nodes,
                guesses,
                ..Limits::NONE
            };
            let cut = outcome(
                &mut solver,
                puzzle,
                Goal::ProveUnique,
                limits(nodes, guesses),
            );
            assert_eq!(cut, free, "{solver:?}: {puzzle}");
            for nodes in [0, 1, nodes / 2, nodes - 1] {
                let cut = outcome(
                    &mut solver,
                    puzzle,
                    Goal::ProveUnique,
                    limits(nodes, guesses),
                );
                if nodes < free.effort.nodes {
                    assert_eq!(cut.verdict, Verdict::OutOfBudget, "{solver:?}: {puzzle}");
                }
                assert!(cut.effort.nodes <= nodes.max(1), "{solver:?}: {puzzle}");
            }
            for short in [0, guesses / 2, guesses.saturating_sub(1)] {
                let cut = outcome(&mut solver, puzzle, Goal::ProveUnique, limits(nodes, short));
                if short < guesses {
                    assert_eq!(cut.verdict, Verdict::OutOfBudget, "{solver:?}: {puzzle}");
                }
                assert!(cut.effort.guesses <= short, "{solver:?}: {puzzle}");
            }
        }
    }
}

#[test]
fn limits_apply_to_each_puzzle_separately() {
    let puzzles = unique();
    for mut solver in all_sets() {
        let free = outcomes(&mut solver, &puzzles, Goal::ProveUnique, Limits::NONE);
        let none = outcomes(&mut solver, &puzzles, Goal::ProveUnique, Limits::nodes(0));
        assert!(none.iter().all(|it| it.verdict == Verdict::OutOfBudget));
        for nodes in [1, 3, 10, 50] {
            let limits = Limits {
                nodes,
                ..Limits::NONE
            };
            let cut = outcomes(&mut solver, &puzzles, Goal::ProveUnique, limits);
            let mut given_up = 0;
            for (cut, free) in cut.iter().zip(&free) {
                assert!(cut.effort.nodes <= nodes, "{solver:?}");
                if cut.verdict == Verdict::OutOfBudget {
                    given_up += 1;
                } else {
                    assert_eq!(cut.verdict, free.verdict, "{solver:?}");
                }
            }
            // Easy puzzles take one node, the hardest thousands.
            assert!(
                (1..=puzzles.len() - 300).contains(&given_up),
                "{solver:?}: {given_up}"
            );
        }
    }
}

#[test]
fn a_puzzle_past_its_deadline_is_given_up() {
    let empty = Puzzle::empty();
    let hard = puzzles_in(&own("hard.txt"));
    let limits = Limits {
        time: Some(Duration::from_millis(50)),
        ..Limits::NONE
    };
    for mut solver in all_sets() {
        // More solutions than can ever be enumerated.
        // It sometimes occupies whole vectors, without losing waiting puzzles.
        let mut puzzles = hard[..40].to_vec();
        puzzles.insert(20, empty);
        let outcomes = outcomes(&mut solver, &puzzles, count(usize::MAX), limits);
        for (number, outcome) in outcomes.iter().enumerate() {
            match number {
                20 => assert_eq!(outcome.verdict, Verdict::OutOfBudget, "{solver:?}"),
                _ => assert!(
                    matches!(outcome.verdict, Verdict::Unique(_)),
                    "{solver:?}: {:?}",
                    outcome.verdict
                ),
            }
        }
    }
}

/// A board of random digits in random cells: nearly always without a solution.
fn noise() -> impl Strategy<Value = Puzzle> {
    proptest::collection::vec((0..81_usize, 1..=9_u8), 0..30).prop_map(|givens| {
        let mut puzzle = Puzzle::empty();
        for (cell, digit) in givens {
            puzzle.set(Cell::new(cell).unwrap(), Digit::new(digit));
        }
        puzzle
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]
    #[test]
    fn any_boards_agree_with_other_solvers(
        boards in proptest::collection::vec(noise(), 1..70),
    ) {
        // A few of these are harder than any puzzle that people make.
        let limits = Limits { nodes: 5_000, ..Limits::NONE };
        let expected = outcomes(&mut Bands::new(), &boards, Goal::ProveUnique, limits);
        for mut solver in all_sets() {
            let found = outcomes(&mut solver, &boards, Goal::ProveUnique, limits);
            for ((board, found), expected) in boards.iter().zip(&found).zip(&expected) {
                let cut = [found, expected].iter().any(|o| o.verdict == Verdict::OutOfBudget);
                if !cut {
                    assert_same(board, found, expected, &format!("{solver:?}"));
                }
            }
        }
    }

    #[test]
    fn all_blank_characters_are_equivalent(
        seed: u64,
        blanks in proptest::collection::vec(proptest::sample::select(b".0*_-".to_vec()), 81),
    ) {
        let puzzle = Generator::default().puzzle(Kind::Minimal, seed, 0);
        let mut line = *puzzle.to_string().as_bytes().first_chunk::<81>().unwrap();
        for (byte, blank) in line.iter_mut().zip(blanks) {
            if *byte == b'.' {
                *byte = blank;
            }
        }
        for mut solver in all_sets() {
            let line = PuzzleLine::new(line).unwrap();
            let mut found = Vec::new();
            let sink = &mut |outcome| found.push(outcome);
            solver.solve_lines(&[line], Goal::ProveUnique, Limits::NONE, sink);
            let expected = outcomes(&mut solver, &[puzzle], Goal::ProveUnique, Limits::NONE);
            prop_assert_eq!(found, expected);
        }
    }
}

/// The first puzzles of every corpus, or all of them.
fn agree_on_corpora(limit: usize, damage: bool, oracle: &mut dyn Solver) {
    let Some(folder) = corpora() else {
        return;
    };
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for file in files {
        let mut puzzles = puzzles_in(&file);
        puzzles.truncate(limit);
        if damage {
            let damaged = puzzles
                .iter()
                .enumerate()
                .map(|(number, puzzle)| match number % 2 {
                    0 => with_a_given(puzzle, &mut rng),
                    _ => without(puzzle, 2, &mut rng),
                });
            let damaged: Vec<Puzzle> = damaged.collect();
            assert_all_agree(&damaged, &BOTH, &mut Bands::new());
        }
        assert_all_agree(&puzzles, &BOTH, oracle);
    }
}

#[test]
fn the_first_puzzles_of_all_corpora_agree_with_other_solvers() {
    agree_on_corpora(700, true, &mut Mrv::new());
}

#[test]
fn all_puzzles_of_all_corpora_agree_with_other_solvers() {
    agree_on_corpora(usize::MAX, false, &mut Bands::new());
}
