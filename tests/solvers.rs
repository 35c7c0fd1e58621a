//! One suite for all solvers, on known cases and against plain backtracking; the generator too.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sudoku_batch::grid::{Cell, CellMap, Digit, Puzzle, Solution, Symmetry};
use sudoku_batch::roster::ROSTER;
use sudoku_batch::solve::{
    Budget, GenerateConfig, Generator, Goal, Kind, Mrv, Outcome, Solver, Verdict, random_symmetry,
};

/// The first puzzle of Project Euler's problem 96.
const EULER: &str =
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";
/// One of Gordon Royle's puzzles with 17 givens.
const SEVENTEEN: &str =
    ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...";
/// AI Escargot, by Arto Inkala.
const ESCARGOT: &str =
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
/// A board written down row by row: each row is the one above, shifted.
const FULL: &str =
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

/// The same board; in the first band 1, 4 and 7 are blank, and every Latin square of order 3 fits.
const BAND: &str =
    ".23.56.89.56.89.23.89.23.56231564897564897231897231564312645978645978312978312645";

/// How many solutions a puzzle has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    None,
    One,
    Many,
}

const CASES: [(&str, &str, Count); 15] = [
    ("easy", EULER, Count::One),
    ("17 givens", SEVENTEEN, Count::One),
    (
        // The first line of Gordon Royle's list.
        "17 givens, the first rows nearly empty",
        ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7...",
        Count::One,
    ),
    ("hard", ESCARGOT, Count::One),
    ("complete", FULL, Count::One),
    (
        "one blank",
        ".23456789456789123789123456231564897564897231897231564312645978645978312978312645",
        Count::One,
    ),
    (
        "no givens",
        ".................................................................................",
        Count::Many,
    ),
    (
        "one given",
        "........................................5........................................",
        Count::Many,
    ),
    ("three digits blank in one band", BAND, Count::Many),
    (
        "a digit twice in a row",
        "5.......5........................................................................",
        Count::None,
    ),
    (
        "a digit twice in a column",
        "5.......................................................................5........",
        Count::None,
    ),
    (
        "a digit twice in a block",
        "5.........5......................................................................",
        Count::None,
    ),
    (
        "a cell without candidates",
        "12345678.........9...............................................................",
        Count::None,
    ),
    (
        "a digit without a place in the first row",
        "1234567........8.................................................................",
        Count::None,
    ),
    (
        "a complete board with one digit wrong",
        "223456789456789123789123456231564897564897231897231564312645978645978312978312645",
        Count::None,
    ),
];

/// The complete solvers of the roster: those that answer every puzzle.
fn solvers() -> impl Iterator<Item = (&'static str, Box<dyn Solver>)> {
    let complete = ROSTER.iter().filter(|spec| spec.complete);
    complete.map(|spec| (spec.name, (spec.build)()))
}

fn puzzle(line: &str) -> Puzzle {
    line.parse().unwrap()
}

fn unlimited(solver: &mut dyn Solver, puzzle: &Puzzle, goal: Goal) -> Outcome {
    solver.solve(puzzle, goal, Budget::UNLIMITED)
}

/// What the verdict says, after checking that its solutions solve the puzzle.
fn count(puzzle: &Puzzle, verdict: &Verdict) -> Count {
    match verdict {
        Verdict::Unsolvable => Count::None,
        Verdict::Unique(solution) => {
            assert!(solution.solves(puzzle));
            Count::One
        }
        Verdict::Multiple(two) => {
            assert!(two.iter().all(|solution| solution.solves(puzzle)));
            assert_ne!(two[0], two[1]);
            Count::Many
        }
        verdict => panic!("{verdict:?} does not say how many"),
    }
}

fn is_unique(puzzle: &Puzzle) -> bool {
    let outcome = unlimited(&mut Mrv::new(), puzzle, Goal::ProveUnique);
    count(puzzle, &outcome.verdict) == Count::One
}

/// Plain backtracking: the first blank cell, each digit that no peer holds. Up to two solutions.
fn by_brute_force(puzzle: &Puzzle) -> Vec<Solution> {
    fn extend(puzzle: &mut Puzzle, found: &mut Vec<Solution>) {
        let Some(cell) = Cell::all().find(|&cell| puzzle.given(cell).is_none()) else {
            let digits = CellMap::from_fn(|cell| puzzle.given(cell).unwrap());
            found.extend(Solution::new(digits));
            return;
        };
        for digit in Digit::ALL {
            let held = |peer| puzzle.given(peer) == Some(digit);
            if found.len() < 2 && !cell.peers().into_iter().any(held) {
                puzzle.set(cell, Some(digit));
                extend(puzzle, found);
                puzzle.set(cell, None);
            }
        }
    }
    let mut found = Vec::new();
    if puzzle.is_consistent() {
        extend(&mut puzzle.clone(), &mut found);
    }
    found
}

#[test]
fn known_cases_have_the_known_number_of_solutions() {
    for (solver_name, mut solver) in solvers() {
        for (name, line, expected) in CASES {
            let puzzle = puzzle(line);
            let outcome = unlimited(&mut *solver, &puzzle, Goal::ProveUnique);
            let found = count(&puzzle, &outcome.verdict);
            assert_eq!(found, expected, "{solver_name}: {name}");

            let first = unlimited(&mut *solver, &puzzle, Goal::FirstSolution);
            match first.verdict {
                Verdict::Unsolvable => assert_eq!(expected, Count::None, "{name}"),
                Verdict::Solved(solution) => {
                    assert_ne!(expected, Count::None, "{name}");
                    assert!(solution.solves(&puzzle), "{solver_name}: {name}");
                }
                verdict => panic!("{solver_name}: {name}: {verdict:?}"),
            }
        }
    }
}

/// No puzzle with 16 givens has one solution (McGuire, Tugemann and Civario, 2012).
#[test]
fn fewer_than_seventeen_givens_never_suffice() {
    let all: Vec<(Cell, Digit)> = puzzle(SEVENTEEN).givens().collect();
    for (name, mut solver) in solvers() {
        for kept in 0..=16 {
            let mut puzzle = Puzzle::empty();
            for &(cell, digit) in &all[..kept] {
                puzzle.set(cell, Some(digit));
            }
            let outcome = unlimited(&mut *solver, &puzzle, Goal::ProveUnique);
            let found = count(&puzzle, &outcome.verdict);
            assert_eq!(found, Count::Many, "{name}: {kept} givens");
        }
    }
}

#[test]
fn all_solutions_are_found_once() {
    let band = puzzle(BAND);
    for (name, mut solver) in solvers() {
        for (limit, found) in [(5, 5), (11, 11), (12, 12), (13, 12), (usize::MAX, 12)] {
            let goal = Goal::Count(limit.try_into().unwrap());
            let Verdict::Multiple(solutions) = unlimited(&mut *solver, &band, goal).verdict else {
                panic!("{name}: there are twelve: Latin squares of order 3");
            };
            assert!(solutions.iter().all(|solution| solution.solves(&band)));
            let different: HashSet<&Solution> = solutions.iter().collect();
            assert_eq!((solutions.len(), different.len()), (found, found), "{name}");
        }
        let one = Goal::Count(1.try_into().unwrap());
        let verdict = unlimited(&mut *solver, &band, one).verdict;
        assert!(matches!(verdict, Verdict::Solved(_)), "{name}");
    }
}

#[test]
fn a_solver_stops_at_its_last_guess_and_at_its_deadline() {
    let empty = Puzzle::empty();
    for (name, mut solver) in solvers() {
        let full = unlimited(&mut *solver, &puzzle(ESCARGOT), Goal::ProveUnique);
        for guesses in [0, full.effort.guesses / 2, full.effort.guesses] {
            let budget = Budget {
                guesses,
                ..Budget::UNLIMITED
            };
            let outcome = solver.solve(&puzzle(ESCARGOT), Goal::ProveUnique, budget);
            if guesses == full.effort.guesses {
                assert_eq!(outcome, full, "{name}");
            } else {
                assert_eq!(outcome.verdict, Verdict::OutOfBudget, "{name}: {guesses}");
                assert_eq!(outcome.effort.guesses, guesses, "{name}");
            }
        }
        let all = Goal::Count(usize::MAX.try_into().unwrap());
        let deadline = Instant::now() + Duration::from_millis(20);
        let budget = Budget {
            deadline: Some(deadline),
            ..Budget::UNLIMITED
        };
        let outcome = solver.solve(&empty, all, budget);
        assert_eq!(outcome.verdict, Verdict::OutOfBudget, "{name}");
        assert!(Instant::now() >= deadline, "{name}");
    }
}

#[test]
fn a_budget_is_kept_and_what_it_allows_is_the_true_answer() {
    for (name, mut solver) in solvers() {
        for (case, line, _) in CASES {
            let puzzle = puzzle(line);
            let full = unlimited(&mut *solver, &puzzle, Goal::ProveUnique);
            let nodes = full.effort.nodes;
            let exact = solver.solve(&puzzle, Goal::ProveUnique, Budget::nodes(nodes));
            assert_eq!(exact, full, "{name}: {case}");
            for short in [0, nodes / 2, nodes - 1] {
                let budget = Budget::nodes(short);
                let cut = solver.solve(&puzzle, Goal::ProveUnique, budget);
                assert_eq!(cut.verdict, Verdict::OutOfBudget, "{name}: {case}: {short}");
            }
            let again = unlimited(&mut *solver, &puzzle, Goal::ProveUnique);
            assert_eq!(
                again, full,
                "{name}: {case}: a cut search left something behind"
            );
        }
    }
}

#[test]
fn effort_counts_guesses_among_nodes() {
    for (name, mut solver) in solvers() {
        for (case, line, expected) in CASES {
            let puzzle = puzzle(line);
            let all = unlimited(&mut *solver, &puzzle, Goal::ProveUnique).effort;
            let first = unlimited(&mut *solver, &puzzle, Goal::FirstSolution).effort;
            assert!(all.nodes >= 1 && all.guesses < all.nodes, "{name}: {case}");
            assert!(first.nodes <= all.nodes, "{name}: {case}");
            if expected == Count::Many {
                assert!(all.guesses >= 1, "{name}: {case}: two solutions, no guess");
            }
        }
    }
    let singles = unlimited(&mut Mrv::new(), &puzzle(EULER), Goal::ProveUnique).effort;
    assert_eq!((singles.guesses, singles.nodes), (0, 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Givens of an easy puzzle are blanked or replaced, so that all three answers come up.
    #[test]
    fn solvers_agree_with_plain_backtracking(
        n in 0u64..1000,
        blanked in proptest::collection::vec(0usize..81, 0..6),
        replaced in proptest::option::of((0usize..81, 0usize..9)),
    ) {
        let mut puzzle = Generator::default().puzzle(Kind::Easy, 11, n);
        for index in blanked {
            puzzle.set(Cell::new(index).unwrap(), None);
        }
        if let Some((index, digit)) = replaced {
            puzzle.set(Cell::new(index).unwrap(), Some(Digit::ALL[digit]));
        }
        let truth = by_brute_force(&puzzle);
        for (name, mut solver) in solvers() {
            let verdict = unlimited(&mut *solver, &puzzle, Goal::ProveUnique).verdict;
            let expected = [Count::None, Count::One, Count::Many][truth.len()];
            prop_assert_eq!(count(&puzzle, &verdict), expected, "{}: {}", name, puzzle);
            if let Verdict::Unique(solution) = verdict {
                prop_assert_eq!(solution, truth[0], "{}: {}", name, puzzle);
            }
        }
    }

    #[test]
    fn a_symmetric_puzzle_has_the_symmetric_answer(seed in any::<u64>(), case in 0..CASES.len()) {
        let symmetry = random_symmetry(&mut ChaCha8Rng::seed_from_u64(seed));
        let (name, line, expected) = CASES[case];
        let original = puzzle(line);
        let image = symmetry.puzzle(&original);
        for (_, mut solver) in solvers() {
            let here = unlimited(&mut *solver, &original, Goal::ProveUnique).verdict;
            let there = unlimited(&mut *solver, &image, Goal::ProveUnique).verdict;
            prop_assert_eq!(count(&image, &there), expected, "{}", name);
            if let (Verdict::Unique(here), Verdict::Unique(there)) = (here, there) {
                prop_assert_eq!(symmetry.solution(&here), there, "{}", name);
            }
        }
    }

    #[test]
    fn symmetries_form_a_group(seeds in proptest::array::uniform3(any::<u64>())) {
        let [a, b, c] = seeds.map(|seed| random_symmetry(&mut ChaCha8Rng::seed_from_u64(seed)));
        let identity = Symmetry::identity();
        prop_assert_eq!(a.then(&a.inverse()), identity);
        prop_assert_eq!(a.inverse().then(&a), identity);
        prop_assert_eq!(a.then(&identity), a);
        prop_assert_eq!(a.then(&b).then(&c), a.then(&b.then(&c)));
        let original = puzzle(ESCARGOT);
        prop_assert_eq!(a.then(&b).puzzle(&original), b.puzzle(&a.puzzle(&original)));
        prop_assert_eq!(a.inverse().puzzle(&a.puzzle(&original)), original);
    }
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
        let outcome = unlimited(&mut Mrv::new(), &puzzle, Goal::ProveUnique);
        assert_eq!(count(&puzzle, &outcome.verdict), Count::One);
        assert_eq!(outcome.effort.guesses, 0, "{puzzle}");
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
        let total: u64 = puzzles
            .map(|puzzle| {
                unlimited(&mut Mrv::new(), &puzzle, Goal::ProveUnique)
                    .effort
                    .guesses
            })
            .sum();
        total / count
    };
    let (minimal, hard) = (guesses(Kind::Minimal, 100), guesses(Kind::Hard, 4));
    assert!(hard > 4 * (minimal + 1), "minimal {minimal}, hard {hard}");
}

fn own(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("datasets/puzzles")
        .join(file)
}

/// The puzzles of a file: of each line that is no comment, the first 81 characters.
fn puzzles_in(path: &Path) -> Vec<Puzzle> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| puzzle(&line[..81])).collect()
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

#[test]
fn samples_of_the_known_corpora_have_the_known_number_of_solutions() {
    let Some(data) = std::env::var_os("SUDOKU_BATCH_DATA") else {
        println!("skipped: SUDOKU_BATCH_DATA is not set");
        return;
    };
    let folder = Path::new(&data).join("puzzles");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{}", folder.display());
    for file in files {
        let mut sample = puzzles_in(&file);
        sample.shuffle(&mut ChaCha8Rng::seed_from_u64(0));
        sample.truncate(2000);
        let expected = match file.file_name().unwrap().to_str().unwrap() {
            "serg_benchmark.txt" => Count::Many,
            _ => Count::One,
        };
        for (name, mut solver) in solvers() {
            for puzzle in &sample {
                let outcome = unlimited(&mut *solver, puzzle, Goal::ProveUnique);
                let found = count(puzzle, &outcome.verdict);
                assert_eq!(found, expected, "{name}: {}: {puzzle}", file.display());
            }
        }
    }
}
