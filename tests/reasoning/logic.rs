//! The solvers without search: no step of a path eliminates a digit of a solution.

use crate::common::data;
use crate::common::techniques;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use data::data_folder;
use proptest::prelude::*;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sudoku_batch::generate::{Generator, Kind};
use sudoku_batch::grid::{
    Candidate, CandidateGrid, CandidateSet, Cell, Digit, Puzzle, Solution, Symmetry,
};
use sudoku_batch::logic::{
    CHEAP_TECHNIQUES, Effect, Explanation, LogicSearch, LogicSolver, NATIVE, Profile, Technique,
    TechniqueId,
};
use sudoku_batch::roster::{ROSTER, find};
use sudoku_batch::solve::{
    Deadline, Effort, Goal, Limits, Mrv, Outcome, Solver, Verdict, random_symmetry,
};
use techniques::BASIC;

const WITHOUT_SEARCH: [&str; 4] = ["logic", "regions", "logic-hodoku", "logic-se"];

/// The solvers whose final grid does not depend on the order of techniques.
const WITHOUT_ORDER: [&str; 2] = ["logic", "regions"];

fn puzzle(line: &str) -> Puzzle {
    line.parse().unwrap()
}

fn solver(name: &str) -> Box<dyn Solver> {
    (find(name).unwrap().build)()
}

fn prove(name: &str, puzzle: &Puzzle) -> Outcome {
    solver(name).solve(puzzle, Goal::ProveUnique, Limits::NONE)
}

/// This many solutions, or all if there are fewer.
fn solutions(puzzle: &Puzzle, limit: usize) -> Vec<Solution> {
    let goal = Goal::Count(limit.try_into().unwrap());
    match Mrv::new().solve(puzzle, goal, Limits::NONE).verdict {
        Verdict::Unsolvable => vec![],
        Verdict::Unique(solution) | Verdict::Solved(solution) => vec![solution],
        Verdict::Multiple(solutions) => solutions,
        verdict => panic!("{verdict:?}"),
    }
}

/// Whether all candidates of these boards are left.
fn holds_all(grid: &CandidateGrid, solutions: &[Solution]) -> bool {
    solutions.iter().all(|solution| {
        let mut cells = Cell::all();
        cells.all(|cell| grid.candidates(cell).contains(solution.digit(cell)))
    })
}

/// Follows the path of `logic`: each step changes the grid, and none is wrong for any of these
/// solutions. True if it leads to a full board.
fn check_path(puzzle: &Puzzle, solutions: &[Solution]) -> bool {
    let path = Explanation::new(&NATIVE, &(*puzzle).into(), Deadline::NONE);
    let mut grid = CandidateGrid::new(puzzle).unwrap();
    for step in path.steps.into_iter().map(|step| step.deduction) {
        match step.effect {
            Effect::Place(candidate) => {
                assert!(grid.contains(candidate), "{puzzle}: {step:?}");
                assert!(
                    !grid.placed().contains(candidate.cell),
                    "{puzzle}: {step:?}"
                );
            }
            Effect::Eliminate(struck) => {
                let there = struck.iter().all(|candidate| grid.contains(candidate));
                assert!(there && !struck.is_empty(), "{puzzle}: {step:?}");
            }
        }
        step.effect.apply(&mut grid).unwrap();
        assert!(holds_all(&grid, solutions), "{puzzle}: {step:?}");
    }
    assert_eq!(path.end, Ok(grid.clone()), "{puzzle}");
    check_end("logic", puzzle, solutions);
    grid.solution().is_some()
}

/// Techniques that must find nothing where a solver is stuck. In a house, the cells outside a subset form
/// a subset of the other kind, and one of the two has at most four cells.
fn rules(name: &str) -> Vec<&'static dyn Technique> {
    if name == "logic" {
        return NATIVE
            .techniques
            .iter()
            .map(|entry| entry.technique)
            .collect();
    }
    BASIC.to_vec()
}

/// The verdict of a solver without search. Marks are only ever eliminated, so those left at the
/// end were there throughout.
fn check_end(name: &str, puzzle: &Puzzle, solutions: &[Solution]) {
    let outcome = prove(name, puzzle);
    let effort = Effort {
        guesses: 0,
        nodes: 1,
    };
    assert_eq!(outcome.effort, effort, "{name}: {puzzle}");
    match outcome.verdict {
        Verdict::Unique(solution) => assert_eq!(solutions, [solution], "{name}: {puzzle}"),
        // The path assumed a unique solution.
        Verdict::Solved(solution) => {
            assert!(name.starts_with("logic-"), "{name}: {puzzle}");
            assert!(solution.solves(puzzle), "{name}: {puzzle}");
        }
        Verdict::Stuck(grid) => {
            assert!(holds_all(&grid, solutions), "{name}: {puzzle}");
            assert_eq!(grid.solution(), None, "{name}: {puzzle}");
            for technique in rules(name) {
                assert_eq!(technique.find(&grid), None, "{name}: {puzzle}");
            }
        }
        verdict => panic!("{name}: {puzzle}: {verdict:?}"),
    }
}

fn check(puzzle: &Puzzle, solutions: &[Solution]) -> bool {
    check_end("regions", puzzle, solutions);
    check_path(puzzle, solutions)
}

/// A puzzle of any difficulty; some givens may be removed, so it may have several solutions.
fn any_puzzle(n: u64, taken: usize, seed: u64) -> Puzzle {
    let kind = if n.is_multiple_of(8) {
        Kind::Easy
    } else {
        Kind::Minimal
    };
    let symmetry = random_symmetry(&mut ChaCha8Rng::seed_from_u64(seed));
    let mut puzzle = symmetry.puzzle(&Generator::default().puzzle(kind, 21, n));
    let givens: Vec<Cell> = puzzle.givens().map(|(cell, _)| cell).collect();
    for &cell in givens.iter().take(taken) {
        puzzle.set(cell, None);
    }
    puzzle
}

/// The image of a grid: that of each of its candidates.
fn image(symmetry: &Symmetry, grid: &CandidateGrid) -> CandidateSet {
    let all = Cell::all().flat_map(|cell| {
        let digits = grid.candidates(cell).into_iter();
        digits.map(move |digit| Candidate { cell, digit })
    });
    all.map(|Candidate { cell, digit }| {
        let mut single = Puzzle::empty();
        single.set(cell, Some(digit));
        let (cell, digit) = symmetry.puzzle(&single).givens().next().unwrap();
        Candidate { cell, digit }
    })
    .collect()
}

/// The techniques that `logic+search` uses between its guesses.
static CHEAP: Profile = Profile {
    name: "cheap",
    techniques: CHEAP_TECHNIQUES,
    ..NATIVE
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_step_eliminates_a_solution_digit(
        n in 0_u64..400, taken in 0_usize..3, seed in any::<u64>(),
    ) {
        let puzzle = any_puzzle(n, taken, seed);
        check(&puzzle, &solutions(&puzzle, 30));
    }

    /// Every rule remains valid after more eliminations, so the order of the steps does not matter.
    #[test]
    fn symmetric_puzzles_get_stuck_on_symmetric_grids(
        n in 0_u64..400, taken in 0_usize..3, seed in any::<u64>(),
    ) {
        let here = any_puzzle(n, taken, 0);
        let symmetry = random_symmetry(&mut ChaCha8Rng::seed_from_u64(seed));
        let there = symmetry.puzzle(&here);
        for name in WITHOUT_ORDER {
            match (prove(name, &here).verdict, prove(name, &there).verdict) {
                (Verdict::Unique(a), Verdict::Unique(b)) => {
                    prop_assert_eq!(symmetry.solution(&a), b, "{}", name);
                }
                (Verdict::Stuck(a), Verdict::Stuck(b)) => {
                    let b = image(&Symmetry::identity(), &b);
                    prop_assert_eq!(image(&symmetry, &a), b, "{}: {}", name, here);
                }
                (a, b) => prop_assert!(false, "{}: {}: {:?} {:?}", name, here, a, b),
            }
        }
    }

    /// A board found to be unsolvable is unsolvable, whatever its givens.
    #[test]
    fn verdicts_on_modified_puzzles_are_correct(
        n in 0_u64..400, given in 0_usize..81, digit in 0_usize..9,
    ) {
        let mut puzzle = any_puzzle(n, 0, 0);
        puzzle.set(Cell::new(given).unwrap(), Some(Digit::ALL[digit]));
        let truth = solutions(&puzzle, 30);
        for name in WITHOUT_SEARCH {
            // Without one solution, nested chains may be searched for long and in vain.
            if name == "logic-se" && truth.len() > 1 {
                continue;
            }
            let limits = Limits {
                time: Some(Duration::from_secs(5)),
                ..Limits::NONE
            };
            match solver(name).solve(&puzzle, Goal::ProveUnique, limits).verdict {
                Verdict::Unsolvable => prop_assert_eq!(&truth, &[], "{}: {}", name, puzzle),
                Verdict::OutOfBudget if name == "logic-se" && truth.is_empty() => {}
                _ => check_end(name, &puzzle, &truth),
            }
        }
        let path = Explanation::new(&NATIVE, &puzzle.into(), Deadline::NONE);
        let unsolvable = prove("logic", &puzzle).verdict == Verdict::Unsolvable;
        prop_assert_eq!(path.end.is_err(), unsolvable);
    }

    #[test]
    fn if_logic_suffices_search_visits_one_node(n in 0_u64..400) {
        let puzzle = any_puzzle(n, 0, 0);
        let goal = Goal::ProveUnique;
        let logic = LogicSolver::with(&CHEAP).solve(&puzzle, goal, Limits::NONE);
        let search = LogicSearch::new().solve(&puzzle, goal, Limits::NONE);
        if matches!(logic.verdict, Verdict::Unique(_)) {
            prop_assert_eq!(logic, search);
        } else {
            prop_assert!(search.effort.guesses > 0 && search.effort.nodes > 1);
        }
    }
}

/// A full board in which each row is the previous one, shifted.
const FULL: &str =
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

#[test]
fn bad_boards_are_unsolvable() {
    let cases = [
        ("a digit twice in a row", "5.......5"),
        ("a digit twice in a block", "5.........5"),
        ("a cell without candidates", "12345678.........9"),
        ("a digit without a place in a row", "1234567........8"),
        (
            "no place, found after one step",
            "12345678.................9",
        ),
    ];
    for name in WITHOUT_SEARCH {
        for (case, line) in cases {
            let puzzle = puzzle(&format!("{line:.<81}"));
            let verdict = prove(name, &puzzle).verdict;
            let truth = solutions(&puzzle, 1);
            assert_eq!(
                verdict == Verdict::Unsolvable,
                truth.is_empty(),
                "{name}: {case}"
            );
        }
        let wrong = puzzle(&FULL.replacen('1', "2", 1));
        assert_eq!(prove(name, &wrong).verdict, Verdict::Unsolvable, "{name}");
    }
}

#[test]
fn full_and_empty_boards_take_no_step() {
    for name in WITHOUT_SEARCH {
        let full = prove(name, &puzzle(FULL)).verdict;
        assert_eq!(
            full.solution().map(Solution::to_line),
            Some(FULL.to_owned())
        );
        let empty = prove(name, &Puzzle::empty()).verdict;
        assert_eq!(empty, Verdict::Stuck(Box::new(CandidateGrid::empty())));
    }
    for line in [FULL, &".".repeat(81)] {
        let path = Explanation::new(&NATIVE, &puzzle(line).into(), Deadline::NONE);
        assert_eq!(path.steps, []);
    }
}

#[test]
fn a_zero_limit_and_a_past_deadline_are_respected() {
    let puzzle = any_puzzle(1, 0, 0);
    for name in WITHOUT_SEARCH {
        let nothing = solver(name).solve(&puzzle, Goal::ProveUnique, Limits::nodes(0));
        assert_eq!(nothing.verdict, Verdict::OutOfBudget, "{name}");
        assert_eq!(nothing.effort, Effort::default(), "{name}");
        let late = Limits {
            time: Some(Duration::ZERO),
            ..Limits::NONE
        };
        let late = solver(name).solve(&puzzle, Goal::ProveUnique, late);
        assert_eq!(late.verdict, Verdict::OutOfBudget, "{name}");
    }
}

#[test]
fn cheap_techniques_are_distinct_and_prove_what_they_solve() {
    let names: HashSet<TechniqueId> = CHEAP_TECHNIQUES
        .iter()
        .map(|entry| entry.technique.id())
        .collect();
    assert_eq!(names.len(), CHEAP_TECHNIQUES.len());
    let mut entries = CHEAP_TECHNIQUES.iter().chain(NATIVE.techniques);
    assert!(!entries.any(|entry| entry.technique.assumes_uniqueness()));
    let incomplete = ROSTER.iter().filter(|spec| !spec.complete);
    let incomplete: HashSet<&str> = incomplete.map(|spec| spec.name).collect();
    assert_eq!(incomplete, WITHOUT_SEARCH.into_iter().collect());
}

/// The puzzles of a file, shuffled.
fn corpus(path: &Path) -> Vec<Puzzle> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut puzzles: Vec<Puzzle> = lines.map(|line| puzzle(&line[..81])).collect();
    puzzles.shuffle(&mut ChaCha8Rng::seed_from_u64(0));
    puzzles
}

/// A file, the number of its puzzles to use, the number of solutions to check, and the least share in
/// percent that `logic` solves.
const CORPORA: [(&str, usize, usize, usize); 4] = [
    ("17_clue.txt", 8000, 1, 100),
    ("magictour_top1465.txt", 800, 1, 100),
    ("forum_hardest_1905_11plus.txt", 500, 1, 0),
    ("serg_benchmark.txt", 100, 30, 0),
];

#[test]
fn no_step_eliminates_a_solution_digit_on_the_known_corpora() {
    let Some(data) = data_folder("puzzles") else {
        return;
    };
    for (file, count, limit, share) in CORPORA {
        let puzzles = corpus(&data.join(file));
        let (mut tried, mut solved) = (0, 0);
        for puzzle in puzzles.iter().take(count) {
            solved += usize::from(check(puzzle, &solutions(puzzle, limit)));
            tried += 1;
        }
        assert_eq!(tried, count, "{file}");
        assert!(solved * 100 >= share * tried, "{file}: {solved} of {tried}");
        println!("{file}: {solved} of {tried} solved");
    }
}

/// The rating of Sudoku Explainer (Nicolas Juillerat) for the hardest step of a puzzle that needs nothing
/// above this technique. Techniques of its own start at 4.4; it rates no chain of one digit below 6.5.
fn rating(technique: TechniqueId) -> f64 {
    match technique {
        TechniqueId::XyWing => 4.2,
        TechniqueId::Skyscraper | TechniqueId::TwoStringKite | TechniqueId::TurbotFish => {
            f64::INFINITY
        }
        _ => 4.0,
    }
}

#[test]
fn puzzles_need_the_techniques_of_their_published_ratings() {
    let Some(table) = data_folder("logic/conformance.csv") else {
        return;
    };
    let mut reader = csv::Reader::from_path(table).unwrap();
    let mut rated = 0;
    for row in reader.deserialize::<HashMap<String, String>>() {
        let row = row.unwrap();
        let (line, expected) = (&row["puzzle"], row["se_er"].parse::<f64>().unwrap());
        let path = Explanation::new(&CHEAP, &puzzle(line).into(), Deadline::NONE);
        let solved = path.end.unwrap().solution().is_some();
        let steps = path
            .steps
            .iter()
            .map(|step| rating(step.deduction.technique));
        let highest = steps.fold(4.0, f64::max);
        for bound in [4.0, 4.2] {
            let within = solved && highest <= bound;
            assert_eq!(within, expected <= bound, "{line}: {expected}");
        }
        rated += 1;
    }
    assert!(rated > 100, "{rated}");
}
