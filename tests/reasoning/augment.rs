//! Random images of puzzles: all of them, each once, by the enabled moves.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;
use sudoku_batch::canon::{Augmenter, Canonizer, Image, Moves};
use sudoku_batch::grid::{Digit, PuzzleLine};

/// The first puzzle of Project Euler's problem 96.
const EULER: &str =
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";
/// The grid with the most automorphisms, 648.
const MOST_SYMMETRIC: &str =
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645";
/// Orders of rows, or of columns.
const ORDERS: u64 = 1296;

fn line(text: &str) -> PuzzleLine {
    PuzzleLine::from_slice(text.as_bytes()).unwrap()
}

fn blank() -> PuzzleLine {
    PuzzleLine::new([b'.'; 81]).unwrap()
}

fn one_given() -> PuzzleLine {
    line(&format!("{}7{}", ".".repeat(40), ".".repeat(40)))
}

fn images(moves: Moves, puzzle: &PuzzleLine, count: usize, seed: u64) -> Vec<Image> {
    Augmenter::new(moves).images(puzzle, count, seed).collect()
}

fn moves() -> impl Strategy<Value = Moves> {
    any::<[bool; 6]>().prop_map(|[digits, bands, rows, stacks, columns, transpose]| Moves {
        digits,
        bands,
        rows,
        stacks,
        columns,
        transpose,
    })
}

fn assert_different(images: &[Image]) {
    let lines: HashSet<PuzzleLine> = images.iter().map(|image| image.line).collect();
    assert_eq!(lines.len(), images.len());
}

/// Whether the order moves bands, and whether it moves lines within them.
fn moved(order: [usize; 9]) -> (bool, bool) {
    let thirds = (0..9).any(|i| order[i] / 3 != i / 3);
    let lines = (0..9).any(|i| order[i] % 3 != i % 3);
    (thirds, lines)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn images_are_distinct_and_use_only_enabled_moves(
        moves in moves(),
        puzzle in prop::sample::select(vec![line(EULER), line(MOST_SYMMETRIC), one_given(), blank()]),
        seed: u64,
    ) {
        let images = images(moves, &puzzle, 300, seed);
        assert_different(&images);
        let form = Canonizer::new().minlex_line(&puzzle);
        for image in &images {
            let symmetry = image.symmetry();
            prop_assert_eq!(symmetry.line(&puzzle), image.line);
            prop_assert_eq!(Canonizer::new().minlex_line(&image.line), form);
            prop_assert!(moves.transpose || !symmetry.is_transposed());
            prop_assert!(moves.digits || symmetry.labels() == Digit::ALL);
            let (bands, rows) = moved(symmetry.row_order());
            let (stacks, columns) = moved(symmetry.column_order());
            prop_assert!(!bands || moves.bands || moves.transpose && moves.stacks);
            prop_assert!(!stacks || moves.stacks || moves.transpose && moves.bands);
            prop_assert!(!rows || moves.rows || moves.transpose && moves.columns);
            prop_assert!(!columns || moves.columns || moves.transpose && moves.rows);
        }
    }

    #[test]
    fn images_depend_on_the_seed_alone(seed: u64, count in 1..200usize) {
        let lines = |count, seed| -> Vec<PuzzleLine> {
            images(Moves::ALL, &line(EULER), count, seed).iter().map(|image| image.line).collect()
        };
        let all = lines(200, seed);
        prop_assert_eq!(&lines(count, seed)[..], &all[..count]);
        prop_assert_ne!(lines(count, seed ^ 1), lines(count, seed));
    }
}

#[test]
fn if_fewer_images_exist_each_comes_once() {
    let only = |set: &dyn Fn(&mut Moves)| {
        let mut moves = Moves::NONE;
        set(&mut moves);
        moves
    };
    let digits = only(&|moves| moves.digits = true);
    let rows = only(&|moves| moves.rows = true);
    let transpose = only(&|moves| moves.transpose = true);
    let rows_transposed = only(&|moves| (moves.rows, moves.transpose) = (true, true));
    let geometric = Moves {
        digits: false,
        ..Moves::ALL
    };
    for (moves, puzzle, count) in [
        (Moves::ALL, blank(), 1),
        (Moves::ALL, one_given(), 729),
        (Moves::NONE, line(EULER), 1),
        (digits, one_given(), 9),
        (geometric, one_given(), 81),
        (rows, one_given(), 3),
        (rows, line(EULER), 216),
        (transpose, line(EULER), 2),
        (transpose, one_given(), 1),
        (rows_transposed, one_given(), 9),
        (rows_transposed, line(MOST_SYMMETRIC), 216 * 216 * 2),
        // Two rows of digits 1 to 9 that are the same.
        (
            rows,
            line(&format!("{}{}", "123456789".repeat(2), ".".repeat(63))),
            3,
        ),
    ] {
        for more in [0, 1, 100_000] {
            let images = images(moves, &puzzle, count + more, 11);
            assert_eq!(images.len(), count, "{moves:?} {puzzle:?}");
            assert_different(&images);
        }
    }
}

#[test]
fn a_grid_has_as_many_images_as_its_automorphisms_allow() {
    // Of 9! · 2 · 6⁸ symmetries, 648 lead to each image; this many have the first row in ascending order.
    let moves = Moves {
        digits: false,
        bands: true,
        rows: true,
        ..Moves::NONE
    };
    let images = images(moves, &line(MOST_SYMMETRIC), usize::MAX, 3);
    assert_eq!(images.len() as u64, ORDERS);
}

#[test]
fn images_are_drawn_uniformly() {
    // 729 images, the first of 100 draws for each on average: 100 ± 10 times, six deviations allowed.
    let mut augmenter = Augmenter::new(Moves::ALL);
    let mut counts: HashMap<PuzzleLine, u32> = HashMap::new();
    for seed in 0..72_900 {
        let image = augmenter.images(&one_given(), 1, seed).next().unwrap();
        *counts.entry(image.line).or_default() += 1;
    }
    assert_eq!(counts.len(), 729);
    assert!(
        counts.values().all(|count| (40..=160).contains(count)),
        "{counts:?}"
    );
    // The images of a puzzle without automorphisms: each place of each kind of move.
    let mut places: HashMap<(usize, usize, usize), u32> = HashMap::new();
    for image in augmenter.images(&line(EULER), 18_000, 9) {
        let symmetry = image.symmetry();
        *places
            .entry((0, 0, usize::from(symmetry.is_transposed())))
            .or_default() += 1;
        for place in 0..9 {
            *places
                .entry((1, place, symmetry.row_order()[place]))
                .or_default() += 1;
            *places
                .entry((2, place, symmetry.column_order()[place]))
                .or_default() += 1;
            *places
                .entry((3, place, symmetry.labels()[place].index()))
                .or_default() += 1;
        }
    }
    for ((kind, place, _), count) in places.iter().map(|(key, count)| (*key, *count)) {
        let expected = if kind == 0 { 9000..=9000 } else { 2000..=2000 };
        let (low, high) = (expected.start() - 450, expected.end() + 450);
        assert!((low..=high).contains(&count), "{kind} {place} {count}");
    }
    assert_eq!(places.len(), 2 + 3 * 81);
}
