//! Solvers compared with brute force, with each other, and with those of the classic board.

use std::collections::HashSet;
use std::sync::Arc;

use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sudoku_batch::grid::Puzzle;
use sudoku_batch::solve::{Goal, Limits, Mrv, Solver, Verdict};
use sudoku_batch::variant::{
    Boxes, Cage, Layout, LayoutKind, Reading, Value, VariantDancingLinks, VariantGenerator,
    VariantKind, VariantPuzzle, VariantSolver, fastest, parse_line,
};

use super::{LIMIT, boxes, check_count, count, count_goal, supporting};

/// The number of solutions up to the limit, by brute force.
fn by_brute_force(puzzle: &VariantPuzzle) -> usize {
    fn walk(layout: &Layout, values: &mut Vec<Option<Value>>, at: usize, found: &mut usize) {
        if at == values.len() {
            *found += 1;
            return;
        }
        let given = values[at];
        for value in layout.values() {
            if *found < LIMIT && given.is_none_or(|given| given == value) {
                values[at] = Some(value);
                if obeys_rules(layout, values, at) {
                    walk(layout, values, at + 1, found);
                }
            }
        }
        values[at] = given;
    }
    /// Whether the cell satisfies the rules together with the cells before it.
    fn obeys_rules(layout: &Layout, values: &[Option<Value>], at: usize) -> bool {
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
fn relabeled_and_rotated(puzzle: &VariantPuzzle, rng: &mut ChaCha8Rng) -> VariantPuzzle {
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
        let truth = by_brute_force(&puzzle);
        prop_assert!(truth == 0 || puzzle.clash().is_none());
        check_count(&puzzle, truth);
    }

    #[test]
    fn relabeling_and_rotation_do_not_change_counts(seed: u64) {
        let puzzle = small_puzzle(seed);
        let relabeled_and_rotated = relabeled_and_rotated(&puzzle, &mut ChaCha8Rng::seed_from_u64(seed));
        for spec in supporting(puzzle.layout()) {
            let mut solver = (spec.build)();
            let counts = [&puzzle, &relabeled_and_rotated]
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

/// A puzzle on a board of side 9 or 10 with one, several or no solutions.
fn larger_puzzle(seed: u64) -> VariantPuzzle {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let layout = match rng.random_range(0..4) {
        0 => LayoutKind::boxes(Boxes {
            rows: 2,
            columns: 5,
        }),
        1 => LayoutKind::boxes(Boxes {
            rows: 3,
            columns: 3,
        }),
        _ => LayoutKind::jigsaw(9),
    };
    let minimal = layout.regions.side() == 9;
    let kind = VariantKind { layout, minimal };
    let (puzzle, _) = VariantGenerator::new().puzzle(kind, seed, 0).unwrap();
    let mut layout = Layout::clone(puzzle.layout());
    if layout.boxes().is_some() && rng.random_ratio(1, 3) {
        layout = layout.and_diagonals();
    }
    if layout.boxes() == Boxes::square(9) && rng.random_ratio(1, 3) {
        layout = layout.and_windows().unwrap();
    }
    let mut givens = puzzle.givens().to_vec();
    for _ in 0..rng.random_range(0..4) {
        let cell = rng.random_range(0..layout.cells());
        givens[cell] = if rng.random() {
            None
        } else {
            Value::new(rng.random_range(1..=layout.side() as u8))
        };
    }
    VariantPuzzle::new(Arc::new(layout), givens).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Of the first 1,000 seeds, 560 have no solution, 340 one, and 100 several.
    #[test]
    fn solvers_agree_on_larger_boards(seed: u64) {
        let puzzle = larger_puzzle(seed);
        let outcome = VariantDancingLinks::new().solve(&puzzle, count_goal(), Limits::NONE);
        check_count(&puzzle, count(&outcome.verdict));
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
        let truth = by_brute_force(&entry.puzzle);
        assert_eq!(truth, expected, "{name}");
        check_count(&entry.puzzle, truth);
    }
}
