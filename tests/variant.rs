//! Solvers of boards of any size and shape, compared with brute force, with each other, with those of the
//! classic board, and with published solutions; and the generator.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "common/data.rs"]
mod data;

use std::collections::HashSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sudoku_batch::grid::Puzzle;
use sudoku_batch::solve::{Goal, Limits, Mrv, Solver, Verdict};
use sudoku_batch::variant::{
    Boxes, Cage, GenerateError, Layout, LayoutKind, Reading, VARIANT_SOLVERS, Value, VariantCorpus,
    VariantGenerator, VariantKind, VariantPuzzle, VariantSolver, VariantSolverSpec, VariantVerdict,
    fastest, parse_line,
};

/// Largest number of solutions that are counted.
const LIMIT: usize = 12;

fn count_goal() -> Goal {
    Goal::Count(NonZeroUsize::new(LIMIT).unwrap())
}

fn boxes(rows: usize, columns: usize) -> Layout {
    Layout::with_boxes(Boxes { rows, columns }).unwrap()
}

fn supporting(layout: &Layout) -> impl Iterator<Item = &'static VariantSolverSpec> {
    VARIANT_SOLVERS
        .iter()
        .filter(|spec| (spec.supports)(layout))
}

/// The number of solutions of a verdict; their type guarantees rules and givens, so only
/// repetition is checked.
fn count(verdict: &VariantVerdict) -> usize {
    match verdict {
        VariantVerdict::Unsolvable => 0,
        VariantVerdict::Unique(_) => 1,
        VariantVerdict::Multiple(solutions) => {
            let different: HashSet<_> = solutions.iter().collect();
            assert_eq!(different.len(), solutions.len(), "a solution twice");
            solutions.len()
        }
        VariantVerdict::Solved(_) | VariantVerdict::OutOfBudget => {
            panic!("the goal was to count: {verdict:?}")
        }
    }
}

/// Checks that all solvers find this number of solutions.
fn check_count(puzzle: &VariantPuzzle, truth: usize) {
    for spec in supporting(puzzle.layout()) {
        let mut solver = (spec.build)();
        let outcome = solver.solve(puzzle, count_goal(), Limits::NONE);
        assert_eq!(count(&outcome.verdict), truth, "{}", spec.name);
        assert!(outcome.effort.nodes > 0, "{}", spec.name);
        let first = solver.solve(puzzle, Goal::FirstSolution, Limits::NONE);
        assert_eq!(
            first.verdict.solution().is_some(),
            truth > 0,
            "{}",
            spec.name
        );
        let unique = solver.solve(puzzle, Goal::ProveUnique, Limits::NONE);
        assert_eq!(count(&unique.verdict), truth.min(2), "{}", spec.name);
    }
}

/// The number of solutions up to the limit, by brute force.
fn by_trying(puzzle: &VariantPuzzle) -> usize {
    fn walk(layout: &Layout, values: &mut Vec<Option<Value>>, at: usize, found: &mut usize) {
        if at == values.len() {
            *found += 1;
            return;
        }
        let given = values[at];
        for value in layout.values() {
            if *found < LIMIT && given.is_none_or(|given| given == value) {
                values[at] = Some(value);
                if keeps(layout, values, at) {
                    walk(layout, values, at + 1, found);
                }
            }
        }
        values[at] = given;
    }
    /// Whether the cell satisfies the rules together with the cells before it.
    fn keeps(layout: &Layout, values: &[Option<Value>], at: usize) -> bool {
        let same = |cell: &usize| *cell < at && values[*cell] == values[at];
        let houses = layout.houses().iter().map(|house| &house.cells);
        let mut groups = houses.chain(layout.cages().iter().map(|cage| &cage.cells));
        let differs = groups.all(|cells| !cells.contains(&at) || !cells.iter().any(same));
        differs
            && layout.cages().iter().all(|cage| {
                let known = cage.cells.iter().filter(|cell| **cell <= at);
                let sum: u32 = (known.clone())
                    .filter_map(|cell| values[*cell])
                    .map(|value| u32::from(value.get()))
                    .sum();
                let is_full = known.count() == cage.cells.len();
                if is_full {
                    sum == cage.sum
                } else {
                    sum < cage.sum
                }
            })
    }
    let mut found = 0;
    let mut values = puzzle.givens().to_vec();
    walk(puzzle.layout(), &mut values, 0, &mut found);
    found
}

/// A random layout of a small side.
fn small_layout(rng: &mut ChaCha8Rng) -> Layout {
    let layout = match rng.random_range(0..4) {
        0 => boxes(2, 2),
        1 => boxes(2, 3),
        2 => boxes(3, 2),
        _ => loop {
            let kind = VariantKind {
                layout: LayoutKind::jigsaw(rng.random_range(4..7)),
                minimal: false,
            };
            if let Ok((puzzle, _)) = VariantGenerator::new().puzzle(kind, rng.random(), 0) {
                break Layout::clone(puzzle.layout());
            }
        },
    };
    let layout = if rng.random_ratio(1, 3) {
        layout.and_diagonals()
    } else {
        layout
    };
    if layout.boxes() == Boxes::square(4) && rng.random_ratio(1, 3) {
        layout.and_windows().unwrap()
    } else {
        layout
    }
}

/// Random cells and sums, mostly consistent with a full board.
fn random_cages(layout: &Layout, truth: Option<&[Value]>, rng: &mut ChaCha8Rng) -> Vec<Cage> {
    let mut cells: Vec<usize> = (0..layout.cells()).collect();
    cells.shuffle(rng);
    let mut cages = Vec::new();
    while cells.len() > layout.side() {
        let size = rng.random_range(1..=4.min(layout.side()));
        let cells = cells.split_off(cells.len() - size);
        let values: HashSet<u8> = truth
            .iter()
            .flat_map(|truth| cells.iter().map(|cell| truth[*cell].get()))
            .collect();
        let sum = if values.len() == size {
            values.iter().map(|value| u32::from(*value)).sum()
        } else if truth.is_none() {
            let side = layout.side() as u32;
            let size = size as u32;
            rng.random_range(size * (size + 1) / 2..=size * side - size * (size - 1) / 2)
        } else {
            continue;
        };
        cages.push(Cage { sum, cells });
    }
    cages
}

fn first_solution(layout: &Arc<Layout>, rng: &mut ChaCha8Rng) -> Option<Vec<Value>> {
    let mut givens = vec![None; layout.cells()];
    givens[rng.random_range(0..layout.cells())] = layout.values().nth(rng.random_range(0..4));
    let puzzle = VariantPuzzle::new(layout.clone(), givens).unwrap();
    let mut solver = (fastest(layout).build)();
    let outcome = solver.solve(&puzzle, Goal::FirstSolution, Limits::NONE);
    Some(outcome.verdict.solution()?.values().to_vec())
}

/// A random puzzle with few, one or no solutions.
fn small_puzzle(seed: u64) -> VariantPuzzle {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let layout = small_layout(&mut rng);
    let truth = first_solution(&Arc::new(layout.clone()), &mut rng);
    let layout = match rng.random_range(0..3) {
        0 => layout,
        1 => {
            let cages = random_cages(&layout, truth.as_deref(), &mut rng);
            layout.and_cages(cages).unwrap()
        }
        _ => {
            let mut cages = random_cages(&layout, None, &mut rng);
            cages.truncate(2);
            layout.and_cages(cages).unwrap()
        }
    };
    let share = rng.random_range(0..40);
    let givens = (0..layout.cells()).map(|cell| {
        if rng.random_range(0..100) >= share {
            None
        } else if rng.random_ratio(1, 40) {
            Value::new(rng.random_range(1..=layout.side() as u8))
        } else {
            truth.as_ref().map(|truth| truth[cell])
        }
    });
    let givens = givens.collect();
    VariantPuzzle::new(Arc::new(layout), givens).unwrap()
}

/// The same puzzle, its values renamed (if it has no cages), its rows and columns exchanged.
fn turned(puzzle: &VariantPuzzle, rng: &mut ChaCha8Rng) -> VariantPuzzle {
    let layout = puzzle.layout();
    let side = layout.side();
    let at = |cell: usize| cell % side * side + cell / side;
    let regions: Vec<u32> = (0..layout.cells())
        .map(|cell| layout.region(at(cell)) as u32)
        .collect();
    let mut other = Layout::jigsaw(&regions).unwrap();
    if layout.has_diagonals() {
        other = other.and_diagonals();
    }
    if layout.has_windows() {
        other = other.and_windows().unwrap();
    }
    let cages = layout.cages().iter().map(|cage| Cage {
        sum: cage.sum,
        cells: cage.cells.iter().map(|cell| at(*cell)).collect(),
    });
    let other = other.and_cages(cages.collect()).unwrap();
    let mut names: Vec<Value> = layout.values().collect();
    if layout.cages().is_empty() {
        names.shuffle(rng);
    }
    let givens = (0..layout.cells())
        .map(|cell| puzzle.givens()[at(cell)].map(|value| names[value.index()]))
        .collect();
    VariantPuzzle::new(Arc::new(other), givens).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn solution_counts_agree_with_brute_force(seed: u64) {
        let puzzle = small_puzzle(seed);
        let truth = by_trying(&puzzle);
        prop_assert!(truth == 0 || puzzle.clash().is_none());
        check_count(&puzzle, truth);
    }

    #[test]
    fn relabeling_and_rotation_do_not_change_counts(seed: u64) {
        let puzzle = small_puzzle(seed);
        let turned = turned(&puzzle, &mut ChaCha8Rng::seed_from_u64(seed));
        for spec in supporting(puzzle.layout()) {
            let mut solver = (spec.build)();
            let counts = [&puzzle, &turned]
                .map(|puzzle| count(&solver.solve(puzzle, count_goal(), Limits::NONE).verdict));
            prop_assert_eq!(counts[0], counts[1], "{}", spec.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Puzzles with one solution after removing, adding or replacing givens.
    #[test]
    fn classic_boards_agree_with_the_classic_solver(seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let kind = VariantKind {
            layout: LayoutKind::boxes(Boxes { rows: 3, columns: 3 }),
            minimal: true,
        };
        let (puzzle, _) = VariantGenerator::new().puzzle(kind, seed, 0).unwrap();
        let mut givens = puzzle.givens().to_vec();
        for _ in 0..rng.random_range(0..3) {
            let cell = rng.random_range(0..81);
            givens[cell] = if rng.random() { None } else { Value::new(rng.random_range(1..=9)) };
        }
        let text: String = givens
            .iter()
            .map(|given| given.map_or('.', |value| char::from(b'0' + value.get())))
            .collect();
        let classic: Puzzle = text.parse().unwrap();
        let outcome = Mrv::new().solve(&classic, count_goal(), Limits::NONE);
        let truth = match outcome.verdict {
            Verdict::Unsolvable => 0,
            Verdict::Unique(_) => 1,
            Verdict::Multiple(solutions) => solutions.len(),
            other => panic!("{other:?}"),
        };
        check_count(&VariantPuzzle::new(puzzle.layout().clone(), givens).unwrap(), truth);
    }
}

/// Lines of files, with their number of solutions, at most twelve.
const CASES: [(&str, &str, usize); 12] = [
    ("one given of each value", "1......2..3.4...", 1),
    ("two values that may be exchanged", "12..34..2.4.4.2.", 2),
    ("full", "1234341221434321", 1),
    ("the same value twice in a row", "11..............", 0),
    ("the same value twice in a box", "1....1..........", 0),
    ("no value for a cell, no clash", "123....4........", 0),
    ("empty", "................", 12),
    ("a cage of one cell", "................\t4=r1c1 3=r1c2", 12),
    (
        "a cage that wants too little",
        "................\t3=r1c1,r1c2 3=r1c3,r1c4",
        0,
    ),
    (
        "cages that leave one solution",
        "................\t3=r1c1,r1c2 7=r1c3,r1c4 7=r2c1,r3c1 4=r2c2,r3c2 6=r2c3,r3c3 3=r2c4,r3c4 6=r4c1,r4c2 4=r4c3,r4c4",
        1,
    ),
    ("a jigsaw", "1.............2.\t1122112233443344", 12),
    (
        "a given that a cage forbids",
        "4...............\t4=r1c1,r1c2",
        0,
    ),
];

#[test]
fn known_cases_have_their_number_of_solutions() {
    for (name, line, expected) in CASES {
        let entry = parse_line(line, &Reading::default()).unwrap();
        let truth = by_trying(&entry.puzzle);
        assert_eq!(truth, expected, "{name}");
        check_count(&entry.puzzle, truth);
    }
}

/// The rules given in the comments of a published file.
fn reading_of(text: &str) -> Reading {
    let comments: String = text.lines().filter(|line| line.starts_with('#')).collect();
    let boxed = comments.split("box ").nth(1).and_then(|rest| {
        let name = rest
            .split(|c: char| !(c.is_ascii_digit() || c == 'x'))
            .next();
        let (rows, columns) = name?.split_once('x')?;
        Some(Boxes {
            rows: rows.parse().ok()?,
            columns: columns.parse().ok()?,
        })
    });
    let magazine = comments.contains("size 6; fields: givens");
    Reading {
        boxes: boxed.or(magazine.then_some(Boxes {
            rows: 2,
            columns: 3,
        })),
        diagonals: comments.contains(", diagonals;"),
        ..Reading::default()
    }
}

/// Corpora with one solution each.
const UNIQUE: [&str; 22] = [
    "4x4_black_phoenix",
    "6x6_sgt_unreasonable",
    "8x8_sgt_unreasonable",
    "9x9_gecode",
    "10x10_sgt_unreasonable",
    "12x12_sgt_unreasonable",
    "16x16_elektor",
    "16x16_gecode",
    "16x16_puzzlekit",
    "16x16_sgt_basic",
    "25x25_davis_ji",
    "jigsaw_4x4_puzzlekit",
    "jigsaw_5x5_puzzlekit",
    "jigsaw_6x6_puzzlekit",
    "jigsaw_7x7_puzzlekit",
    "jigsaw_7x7_sgt_unreasonable",
    "jigsaw_8x8_puzzlekit",
    "jigsaw_9x9_puzzlekit",
    "jigsaw_9x9_sgt_unreasonable",
    "x_9x9_sgt_unreasonable",
    "killer_6x6_puzzlekit",
    "killer_9x9_puzzlekit",
];

fn entries(file: &Path) -> Vec<(VariantPuzzle, Option<Vec<Value>>)> {
    let reading = reading_of(&fs::read_to_string(file).unwrap());
    let corpus = VariantCorpus::open(file, reading).unwrap();
    corpus
        .map(|line| line.unwrap().entry)
        .map(|entry| (entry.puzzle, entry.expected))
        .collect()
}

#[test]
fn published_puzzles_have_their_published_solution() {
    let Some(folder) = data::data_folder("sizes") else {
        return;
    };
    for name in UNIQUE {
        let entries = entries(&folder.join(format!("{name}.txt")));
        assert!(!entries.is_empty(), "{name}");
        for spec in supporting(entries[0].0.layout()) {
            let mut solver = (spec.build)();
            for (number, (puzzle, expected)) in entries.iter().enumerate() {
                let outcome = solver.solve(puzzle, Goal::ProveUnique, Limits::NONE);
                let VariantVerdict::Unique(solution) = outcome.verdict else {
                    panic!(
                        "{} on {name}, puzzle {number}: {:?}",
                        spec.name, outcome.verdict
                    );
                };
                let expected = expected.as_deref().unwrap_or(solution.values());
                assert_eq!(
                    solution.values(),
                    expected,
                    "{} on {name}, puzzle {number}",
                    spec.name
                );
            }
        }
    }
}

#[test]
fn published_puzzles_without_a_unique_solution_are_detected() {
    let Some(folder) = data::data_folder("sizes/not_unique") else {
        return;
    };
    let mut seen = 0;
    for file in fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        let clashing = file.to_str().unwrap().contains("clashing");
        for (puzzle, _) in entries(&file) {
            seen += 1;
            assert_eq!(puzzle.clash().is_some(), clashing, "{}", file.display());
            for spec in supporting(puzzle.layout()) {
                let outcome = (spec.build)().solve(&puzzle, Goal::ProveUnique, Limits::NONE);
                let expected = if clashing { 0 } else { 2 };
                assert_eq!(
                    count(&outcome.verdict),
                    expected,
                    "{} on {}",
                    spec.name,
                    file.display()
                );
            }
        }
    }
    assert!(seen > 80);
}

#[test]
fn generated_puzzles_have_one_solution_by_every_solver() {
    let plain = |rows, columns| LayoutKind::boxes(Boxes { rows, columns });
    let mut kinds = vec![
        plain(2, 2),
        plain(3, 2),
        plain(3, 3),
        plain(4, 3),
        LayoutKind::jigsaw(5),
        LayoutKind::jigsaw(8),
    ];
    kinds.extend([plain(2, 3), plain(3, 3)].map(|kind| LayoutKind {
        diagonals: true,
        ..kind
    }));
    kinds.extend([plain(2, 2), plain(3, 3)].map(|kind| LayoutKind {
        windows: true,
        ..kind
    }));
    kinds.extend(
        [plain(2, 2), plain(2, 3), plain(3, 3), LayoutKind::jigsaw(7)].map(|kind| LayoutKind {
            cages: Some(4),
            ..kind
        }),
    );
    let mut generator = VariantGenerator::new();
    for layout in kinds {
        for minimal in [false, true] {
            for n in 0..3 {
                let kind = VariantKind { layout, minimal };
                let (puzzle, solution) = generator.puzzle(kind, 5, n).unwrap();
                for spec in supporting(puzzle.layout()) {
                    let outcome = (spec.build)().solve(&puzzle, Goal::ProveUnique, Limits::NONE);
                    let unique = VariantVerdict::Unique(solution.clone());
                    assert_eq!(outcome.verdict, unique, "{} on {kind:?} {n}", spec.name);
                }
                let again = VariantGenerator::new().puzzle(kind, 5, n).unwrap();
                assert_eq!(again, (puzzle.clone(), solution));
                assert_ne!(generator.puzzle(kind, 6, n).unwrap().0, puzzle);
                if minimal {
                    check_minimal(&puzzle);
                }
            }
        }
    }
}

/// Without any one of its givens, a puzzle has several solutions.
fn check_minimal(puzzle: &VariantPuzzle) {
    let mut solver = (fastest(puzzle.layout()).build)();
    for cell in 0..puzzle.layout().cells() {
        let mut givens = puzzle.givens().to_vec();
        if givens[cell].take().is_some() {
            let without = VariantPuzzle::new(puzzle.layout().clone(), givens).unwrap();
            let outcome = solver.solve(&without, Goal::ProveUnique, Limits::NONE);
            assert!(
                matches!(outcome.verdict, VariantVerdict::Multiple(_)),
                "{puzzle:?}"
            );
        }
    }
}

#[test]
fn generated_large_puzzles_have_one_solution() {
    let boxes = |side| LayoutKind::boxes(Boxes::square(side).unwrap());
    let mut generator = VariantGenerator::new();
    for layout in [boxes(16), LayoutKind::jigsaw(12), boxes(25)] {
        let kind = VariantKind {
            layout,
            minimal: false,
        };
        let start = Instant::now();
        let (puzzle, solution) = generator.puzzle(kind, 0, 0).unwrap();
        assert!(start.elapsed() < Duration::from_secs(60), "{kind:?}");
        let givens = puzzle.givens().iter().flatten().count();
        assert!(givens < puzzle.layout().cells() / 2, "{givens} givens");
        for name in ["mrv", "sat"] {
            let spec = sudoku_batch::variant::find_variant(name).unwrap();
            let outcome = (spec.build)().solve(&puzzle, Goal::ProveUnique, Limits::NONE);
            assert_eq!(
                outcome.verdict,
                VariantVerdict::Unique(solution.clone()),
                "{name}"
            );
        }
    }
}

#[test]
fn impossible_kinds_are_refused() {
    let make = |layout| {
        let kind = VariantKind {
            layout,
            minimal: false,
        };
        VariantGenerator::new().puzzle(kind, 0, 0).unwrap_err()
    };
    assert!(matches!(
        make(LayoutKind::jigsaw(3)),
        GenerateError::Layout(_)
    ));
    assert!(matches!(
        make(LayoutKind::jigsaw(usize::MAX)),
        GenerateError::Layout(_)
    ));
    let windows = LayoutKind {
        windows: true,
        ..LayoutKind::jigsaw(9)
    };
    assert!(matches!(make(windows), GenerateError::Layout(_)));
    let cages = LayoutKind {
        cages: Some(0),
        ..LayoutKind::jigsaw(9)
    };
    assert_eq!(make(cages), GenerateError::Cages { most: 0, side: 9 });
}

/// A cage of 34 cells has more sets of values than are listed.
#[test]
fn the_largest_cages_are_solved() {
    let layout = boxes(6, 6);
    let kind = VariantKind {
        layout: LayoutKind::boxes(Boxes {
            rows: 6,
            columns: 6,
        }),
        minimal: false,
    };
    let (_, solution) = VariantGenerator::new().puzzle(kind, 0, 0).unwrap();
    let cage = Cage {
        sum: solution.values()[..34]
            .iter()
            .map(|value| u32::from(value.get()))
            .sum(),
        cells: (0..34).collect(),
    };
    let layout = Arc::new(layout.and_cages(vec![cage]).unwrap());
    let mut givens: Vec<Option<Value>> = solution.values().iter().copied().map(Some).collect();
    givens[..3].fill(None);
    givens[33..36].fill(None);
    let puzzle = VariantPuzzle::new(layout, givens).unwrap();
    check_count(&puzzle, 1);
}

#[test]
fn limits_are_respected_on_the_largest_board() {
    let puzzle = VariantPuzzle::empty(Arc::new(boxes(6, 6)));
    let allowed = Duration::from_millis(50);
    for spec in supporting(puzzle.layout()) {
        let mut solver: Box<dyn VariantSolver> = (spec.build)();
        // The tables of the layout are made before the clock starts.
        solver.solve(&puzzle, Goal::ProveUnique, Limits::nodes(1));
        let late = (0..5)
            .map(|_| {
                let start = Instant::now();
                let limits = Limits {
                    time: Some(allowed),
                    ..Limits::NONE
                };
                // More than even the slowest machine needs.
                let goal = Goal::Count(NonZeroUsize::MAX);
                let outcome = solver.solve(&puzzle, goal, limits);
                assert_eq!(
                    outcome.verdict,
                    VariantVerdict::OutOfBudget,
                    "{}",
                    spec.name
                );
                start.elapsed().saturating_sub(allowed)
            })
            .min()
            .unwrap();
        assert!(
            late < Duration::from_millis(100),
            "{}: {late:?} late",
            spec.name
        );
        for nodes in [0, 1, 5] {
            let outcome = solver.solve(&puzzle, Goal::ProveUnique, Limits::nodes(nodes));
            assert_eq!(
                outcome.verdict,
                VariantVerdict::OutOfBudget,
                "{}",
                spec.name
            );
            assert!(outcome.effort.nodes <= nodes, "{}", spec.name);
        }
        let limits = Limits {
            guesses: 0,
            ..Limits::NONE
        };
        let outcome = solver.solve(&puzzle, Goal::ProveUnique, limits);
        assert_eq!(outcome.effort.guesses, 0, "{}", spec.name);
    }
}
