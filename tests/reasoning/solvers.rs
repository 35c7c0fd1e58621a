//! One suite for all complete solvers: known cases, and comparisons with plain backtracking and
//! each other.

use crate::common::puzzles;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use puzzles::{corpora, outcome, own, puzzles_in};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sudoku_batch::generate::{Generator, Kind};
use sudoku_batch::grid::{Cell, CellMap, Digit, Puzzle, Solution, Symmetry};
use sudoku_batch::roster::ROSTER;
use sudoku_batch::solve::{
    Backtracking, BacktrackingScan, Goal, Limits, Mrv, Outcome, Solver, Verdict, random_symmetry,
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
/// A full board in which each row is the previous one, shifted.
const FULL: &str =
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

/// The same board; in the first band 1, 4 and 7 are blank, and every Latin square of order 3 fits.
const BAND: &str =
    ".23.56.89.56.89.23.89.23.56231564897564897231897231564312645978645978312978312645";

/// How many solutions a puzzle has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// The complete solvers, which answer every puzzle.
fn solvers() -> impl Iterator<Item = (&'static str, Box<dyn Solver>)> {
    let complete = ROSTER.iter().filter(|spec| spec.complete);
    complete.map(|spec| (spec.name, (spec.build)()))
}

fn puzzle(line: &str) -> Puzzle {
    line.parse().unwrap()
}

/// Nodes after which plain backtracking may give up; no other solver comes near.
const NODE_LIMIT: u64 = 1_000_000;

/// The answer, unless plain backtracking gives up. No other solver may.
fn answer(name: &str, solver: &mut dyn Solver, puzzle: &Puzzle, goal: Goal) -> Option<Outcome> {
    let outcome = outcome(solver, puzzle, goal, Limits::nodes(NODE_LIMIT));
    if outcome.verdict == Verdict::OutOfBudget {
        assert!(name.starts_with("backtracking"), "{name}: {puzzle}");
        return None;
    }
    Some(outcome)
}

/// The verdict, after checking that its solutions solve the puzzle.
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
        let mut answered = 0;
        for (name, line, expected) in CASES {
            let puzzle = puzzle(line);
            let proof = answer(solver_name, &mut *solver, &puzzle, Goal::ProveUnique);
            if let Some(outcome) = proof {
                let found = count(&puzzle, &outcome.verdict);
                assert_eq!(found, expected, "{solver_name}: {name}");
                answered += 1;
            }
            let first = answer(solver_name, &mut *solver, &puzzle, Goal::FirstSolution);
            match first.map(|outcome| outcome.verdict) {
                None => {}
                Some(Verdict::Unsolvable) => assert_eq!(expected, Count::None, "{name}"),
                Some(Verdict::Solved(solution)) => {
                    assert_ne!(expected, Count::None, "{name}");
                    assert!(solution.solves(&puzzle), "{solver_name}: {name}");
                }
                Some(verdict) => panic!("{solver_name}: {name}: {verdict:?}"),
            }
        }
        assert!(answered > CASES.len() - 3, "{solver_name}: {answered}");
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
            if let Some(outcome) = answer(name, &mut *solver, &puzzle, Goal::ProveUnique) {
                let found = count(&puzzle, &outcome.verdict);
                assert_eq!(found, Count::Many, "{name}: {kept} givens");
            }
        }
    }
}

#[test]
fn all_solutions_are_found_once() {
    let band = puzzle(BAND);
    for (name, mut solver) in solvers() {
        for (limit, found) in [(5, 5), (11, 11), (12, 12), (13, 12), (usize::MAX, 12)] {
            let goal = Goal::Count(limit.try_into().unwrap());
            let outcome = outcome(&mut *solver, &band, goal, Limits::NONE);
            let Verdict::Multiple(solutions) = outcome.verdict else {
                panic!("{name}: there are twelve: Latin squares of order 3");
            };
            assert!(solutions.iter().all(|solution| solution.solves(&band)));
            let different: HashSet<&Solution> = solutions.iter().collect();
            assert_eq!((solutions.len(), different.len()), (found, found), "{name}");
        }
        let one = Goal::Count(1.try_into().unwrap());
        let verdict = outcome(&mut *solver, &band, one, Limits::NONE).verdict;
        assert!(matches!(verdict, Verdict::Solved(_)), "{name}");
    }
}

#[test]
fn a_solver_stops_at_its_guess_limit_and_deadline() {
    let empty = Puzzle::empty();
    for (name, mut solver) in solvers() {
        let full = outcome(
            &mut *solver,
            &puzzle(ESCARGOT),
            Goal::ProveUnique,
            Limits::NONE,
        );
        for guesses in [0, full.effort.guesses / 2, full.effort.guesses] {
            let budget = Limits {
                guesses,
                ..Limits::NONE
            };
            let outcome = outcome(&mut *solver, &puzzle(ESCARGOT), Goal::ProveUnique, budget);
            if guesses == full.effort.guesses {
                assert_eq!(outcome, full, "{name}");
            } else {
                assert_eq!(outcome.verdict, Verdict::OutOfBudget, "{name}: {guesses}");
                assert_eq!(outcome.effort.guesses, guesses, "{name}");
            }
        }
        let all = Goal::Count(usize::MAX.try_into().unwrap());
        let start = Instant::now();
        let time = Duration::from_millis(20);
        let budget = Limits {
            time: Some(time),
            ..Limits::NONE
        };
        let outcome = outcome(&mut *solver, &empty, all, budget);
        assert_eq!(outcome.verdict, Verdict::OutOfBudget, "{name}");
        assert!(start.elapsed() >= time, "{name}");
    }
}

#[test]
fn limits_are_respected_and_answers_within_them_are_correct() {
    for (name, mut solver) in solvers() {
        for (case, line, _) in CASES {
            let puzzle = puzzle(line);
            let Some(full) = answer(name, &mut *solver, &puzzle, Goal::ProveUnique) else {
                continue;
            };
            let nodes = full.effort.nodes;
            let exact = outcome(
                &mut *solver,
                &puzzle,
                Goal::ProveUnique,
                Limits::nodes(nodes),
            );
            assert_eq!(exact, full, "{name}: {case}");
            for short in [0, nodes / 2, nodes - 1] {
                let budget = Limits::nodes(short);
                let cut = outcome(&mut *solver, &puzzle, Goal::ProveUnique, budget);
                assert_eq!(cut.verdict, Verdict::OutOfBudget, "{name}: {case}: {short}");
            }
            let again = answer(name, &mut *solver, &puzzle, Goal::ProveUnique);
            assert_eq!(
                again,
                Some(full),
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
            let Some(all) = answer(name, &mut *solver, &puzzle, Goal::ProveUnique) else {
                continue;
            };
            let first = outcome(&mut *solver, &puzzle, Goal::FirstSolution, Limits::NONE);
            let (all, first) = (all.effort, first.effort);
            assert!(all.nodes >= 1 && all.guesses < all.nodes, "{name}: {case}");
            assert!(first.nodes <= all.nodes, "{name}: {case}");
            if expected == Count::Many {
                assert!(all.guesses >= 1, "{name}: {case}: two solutions, no guess");
            }
        }
    }
    let singles = Mrv::new().solve(&puzzle(EULER), Goal::ProveUnique, Limits::NONE);
    assert_eq!((singles.effort.guesses, singles.effort.nodes), (0, 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Givens of an easy puzzle are blanked or replaced, so that all three verdicts occur.
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
            let Some(outcome) = answer(name, &mut *solver, &puzzle, Goal::ProveUnique) else {
                continue;
            };
            let verdict = outcome.verdict;
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
        for (solver_name, mut solver) in solvers() {
            let mut verdict = |puzzle: &Puzzle| {
                let outcome = answer(solver_name, &mut *solver, puzzle, Goal::ProveUnique);
                outcome.map(|outcome| outcome.verdict)
            };
            let (Some(here), Some(there)) = (verdict(&original), verdict(&image)) else {
                continue;
            };
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

/// Every complete solver that is not slow.
fn quick_solvers() -> impl Iterator<Item = (&'static str, Box<dyn Solver>)> {
    solvers().filter(|(name, _)| !name.starts_with("backtracking"))
}

/// All agree on the number of solutions, and on the solution if it is unique.
fn assert_agree(puzzle: &Puzzle, solvers: &mut [(&'static str, Box<dyn Solver>)]) -> Count {
    let oracle = Mrv::new().solve(puzzle, Goal::ProveUnique, Limits::NONE);
    let expected = count(puzzle, &oracle.verdict);
    for (name, solver) in solvers {
        let Some(outcome) = answer(name, &mut **solver, puzzle, Goal::ProveUnique) else {
            continue;
        };
        let found = count(puzzle, &outcome.verdict);
        assert_eq!(found, expected, "{name}: {puzzle}");
        if expected == Count::One {
            assert_eq!(outcome.verdict, oracle.verdict, "{name}: {puzzle}");
        }
    }
    expected
}

/// Changes a given, adds one, or takes two away.
fn damage(puzzle: &Puzzle, rng: &mut ChaCha8Rng) -> Puzzle {
    let mut damaged = *puzzle;
    let mut cells: Vec<Cell> = Cell::all().collect();
    cells.shuffle(rng);
    let (givens, blanks): (Vec<Cell>, Vec<Cell>) = cells
        .into_iter()
        .partition(|&cell| puzzle.given(cell).is_some());
    let digit = Digit::ALL[rng.random_range(0..9)];
    match rng.random_range(0..3) {
        0 => damaged.set(givens[0], Some(digit)),
        1 => damaged.set(blanks[0], Some(digit)),
        _ => {
            damaged.set(givens[0], None);
            damaged.set(givens[1], None);
        }
    }
    damaged
}

#[test]
fn all_solvers_agree_on_ten_thousand_damaged_puzzles() {
    let files = ["easy.txt", "minimal.txt", "hard.txt", "hardest.txt"];
    let puzzles: Vec<Puzzle> = files
        .iter()
        .flat_map(|file| puzzles_in(&own(file)))
        .collect();
    let mut rng = ChaCha8Rng::seed_from_u64(10_000);
    let mut quick: Vec<_> = quick_solvers().collect();
    let mut all: Vec<_> = solvers().collect();
    let mut seen = HashMap::new();
    for n in 0..10_000 {
        let puzzle = damage(&puzzles[n % puzzles.len()], &mut rng);
        let solvers = if n % 200 == 0 { &mut all } else { &mut quick };
        *seen.entry(assert_agree(&puzzle, solvers)).or_insert(0) += 1;
    }
    let often = |count| seen.get(&count).copied().unwrap_or(0);
    let each = [Count::None, Count::One, Count::Many].map(often);
    assert!(each.iter().all(|&times| times > 500), "{each:?}");
}

#[test]
fn all_solvers_agree_on_samples_of_the_known_corpora() {
    let Some(folder) = corpora() else { return };
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{}", folder.display());
    let mut quick: Vec<_> = quick_solvers().collect();
    let mut all: Vec<_> = solvers().collect();
    for file in files {
        let mut sample = puzzles_in(&file);
        sample.shuffle(&mut ChaCha8Rng::seed_from_u64(0));
        sample.truncate(2000);
        let expected = match file.file_name().unwrap().to_str().unwrap() {
            "serg_benchmark.txt" => Count::Many,
            _ => Count::One,
        };
        for (n, puzzle) in sample.iter().enumerate() {
            let solvers = if n % 200 == 0 { &mut all } else { &mut quick };
            assert_eq!(assert_agree(puzzle, solvers), expected, "{puzzle}");
        }
    }
}

/// Guesses and nodes over puzzles of all kinds. Answers do not show whether a search takes longer; this does. Whoever
/// changes a search on purpose measures it, and writes the new numbers here.
#[test]
fn searches_take_as_many_steps_as_recorded() {
    const RECORDED: [(&str, u64, u64); 7] = [
        ("bands", 787, 1_494),
        ("mrv-lcv", 1_091, 2_042),
        ("mrv", 1_258, 2_430),
        ("logic+search", 554, 1_036),
        ("dlx", 1_259, 23_316),
        ("backtracking", 694_271, 2_260_371),
        ("backtracking-scan", 694_271, 2_260_371),
    ];
    let mut puzzles: Vec<Puzzle> = CASES.iter().map(|case| puzzle(case.1)).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for file in ["easy.txt", "minimal.txt", "hard.txt"] {
        let some = puzzles_in(&own(file));
        puzzles.extend(some.iter().take(40).map(|puzzle| damage(puzzle, &mut rng)));
        puzzles.extend_from_slice(&some[40..80]);
    }
    let mut found = Vec::new();
    for (name, mut solver) in solvers().filter(|(name, _)| *name != "lockstep") {
        let limits = Limits::nodes(20_000);
        let efforts = puzzles
            .iter()
            .map(|puzzle| solver.solve(puzzle, Goal::ProveUnique, limits).effort);
        let (guesses, nodes) = efforts.fold((0, 0), |(guesses, nodes), effort| {
            (guesses + effort.guesses, nodes + effort.nodes)
        });
        found.push((name, guesses, nodes));
    }
    assert_eq!(found, RECORDED);
}

/// The two searches differ only in how they look up legal digits.
#[test]
fn scanning_takes_the_same_steps_as_bit_sets() {
    for puzzle in puzzles_in(&own("easy.txt")).iter().take(100) {
        for goal in [Goal::FirstSolution, Goal::ProveUnique] {
            let budget = Limits::nodes(20_000);
            let sets = Backtracking::new().solve(puzzle, goal, budget);
            assert_eq!(BacktrackingScan::new().solve(puzzle, goal, budget), sets);
        }
    }
}
