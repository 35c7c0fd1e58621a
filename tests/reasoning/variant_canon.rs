//! Canonical forms of boards of other sizes and shapes: one puzzle for all images, and how many symmetries map it to
//! itself.

use crate::common::variants;
use std::sync::Arc;

use proptest::prelude::*;
use sudoku_batch::canon::Canonizer;
use sudoku_batch::generate::{Generator, Kind};
use sudoku_batch::grid::{Cell, Digit, Puzzle, PuzzleLine};
use sudoku_batch::variant::{Alphabet, Layout, Value, VariantPuzzle, write_cells};
use variants::{Random, generated, image, moved, puzzle, read, relabeled, written};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn images_have_one_canonical_puzzle_which_is_one_of_them(seed: u64) {
        let puzzle = puzzle(seed);
        let canonical = puzzle.canonical();
        prop_assert_eq!(&canonical.form, &puzzle.canonical_form());
        let image = image(&puzzle, &mut Random(seed ^ 1));
        // Searches that take too long have no form in common.
        if canonical.form == puzzle.relabeled_form() {
            return Ok(());
        }
        prop_assert_eq!(&canonical, &image.canonical());
        let itself = canonical.puzzle.clone().unwrap();
        prop_assert_eq!(&itself.canonical(), &canonical);
        prop_assert_eq!(itself.given_count(), puzzle.given_count());
        let pattern = puzzle.canonical_pattern();
        prop_assert_eq!(&pattern, &image.canonical_pattern());
        prop_assert!(pattern.automorphisms.is_none_or(|count| count > 0));
        let (layout, other) = (puzzle.layout(), itself.layout());
        prop_assert_eq!(layout.has_diagonals(), other.has_diagonals());
        prop_assert_eq!(layout.has_windows(), other.has_windows());
        prop_assert!(layout.boxes().is_none() || other.boxes().is_some());
        // Values are numbered from 1, so that the line is read as it was written. Symbols of 36 values have a 0 for the
        // first one; where that comes more often than it can, it is taken for a blank.
        let first = itself.givens().iter().filter(|given| **given == Value::new(1));
        if layout.cages().is_empty() && first.count() <= layout.side() {
            prop_assert_eq!(read(&written(&itself)).puzzle, itself);
        }
    }
}

#[test]
fn generated_puzzles_of_every_kind_have_a_canonical_line_for_each_class() {
    for layout in [
        "4x4", "6x6", "9x9", "x", "6x6-x", "windoku", "jigsaw", "killer", "12x12",
    ] {
        let originals = generated(layout, 3, 4);
        let mut random = Random(11);
        for (number, puzzle) in originals.iter().enumerate() {
            let canonical = puzzle.canonical();
            let text = written(&canonical.puzzle.clone().unwrap());
            assert_eq!(read(&text).puzzle.canonical(), canonical, "{layout}");
            for _ in 0..5 {
                let image = image(puzzle, &mut random).canonical();
                assert_eq!(written(&image.puzzle.unwrap()), text, "{layout}");
            }
            for other in &originals[number + 1..] {
                let is_same = other.canonical_form() == canonical.form;
                assert_eq!(written(&other.canonical().puzzle.unwrap()) == text, is_same);
                assert!(!is_same || layout == "4x4", "{layout}");
            }
        }
    }
}

/// The orders of rows, or columns, of a 4x4 board that keep its boxes.
fn orders() -> Vec<Vec<usize>> {
    let mut orders = Vec::new();
    for mask in 0..8 {
        let bit = |at: usize| mask >> at & 1;
        let order = (0..4).map(|row| {
            let band = (row / 2) ^ bit(0);
            band * 2 + ((row % 2) ^ bit(1 + row / 2))
        });
        orders.push(order.collect());
    }
    orders
}

/// All orders of four values.
fn labelings() -> Vec<Vec<Value>> {
    let mut all = Vec::new();
    for code in 0..256 {
        let order: Vec<usize> = (0..4).map(|at| code >> (2 * at) & 3).collect();
        if (0..4).all(|value| order.contains(&value)) {
            all.push(order.into_iter().map(Value::at).collect());
        }
    }
    all
}

#[test]
fn automorphisms_of_small_boards_are_those_that_all_images_show() {
    let mut random = Random(8);
    let layout = Arc::new(Layout::with_boxes(variants::boxes(2, 2)).unwrap());
    let (orders, labelings) = (orders(), labelings());
    assert_eq!((orders.len(), labelings.len()), (8, 24));
    for number in 0..120 {
        let mut givens = vec![None; 16];
        for _ in 0..number % 8 {
            givens[random.below(16)] = Some(Value::at(random.below(4)));
        }
        let puzzle = VariantPuzzle::new(layout.clone(), givens).unwrap();
        let (mut moves, mut patterns) = (0, 0);
        let is_given = |puzzle: &VariantPuzzle| -> Vec<bool> {
            puzzle.givens().iter().map(Option::is_some).collect()
        };
        for rows in &orders {
            for columns in &orders {
                for is_transposed in [false, true] {
                    let image = moved(&puzzle, rows, columns, is_transposed);
                    patterns += u64::from(is_given(&image) == is_given(&puzzle));
                    for labels in &labelings {
                        moves += u64::from(relabeled(&image, labels) == puzzle);
                    }
                }
            }
        }
        assert_eq!(puzzle.canonical().automorphisms, Some(moves), "{puzzle:?}");
        assert_eq!(puzzle.canonical_pattern().automorphisms, Some(patterns));
    }
}

#[test]
fn automorphisms_of_classic_boards_are_those_of_the_classic_search() {
    let mut generator = Generator::default();
    let mut canonizer = Canonizer::new();
    let layout = Arc::new(Layout::with_boxes(variants::boxes(3, 3)).unwrap());
    let mut check = |classic: &Puzzle| {
        let digit = |cell| Some(Value::at(classic.given(cell)?.index()));
        let puzzle = VariantPuzzle::new(layout.clone(), Cell::all().map(digit).collect()).unwrap();
        let line = PuzzleLine::from(classic);
        let canonical = puzzle.canonical();
        assert_eq!(
            canonical.automorphisms,
            Some(canonizer.minlex(&line).automorphisms)
        );
        let pattern = puzzle.canonical_pattern();
        assert_eq!(
            pattern.automorphisms,
            Some(canonizer.pattern(&line).automorphisms)
        );
        assert_eq!(canonical.puzzle.unwrap().layout(), &layout);
    };
    check(&Puzzle::empty());
    // A full grid with 648 automorphisms, and parts of it.
    let rows: Vec<usize> = (0..9).map(|row| row % 3 * 3 + row / 3).collect();
    let mut full = Puzzle::empty();
    for (number, cell) in Cell::all().enumerate() {
        let value = (rows[number / 9] + number % 9) % 9 + 1;
        full.set(cell, Digit::new(value as u8));
    }
    check(&full);
    for step in 2..9 {
        let mut part = full;
        for (number, cell) in Cell::all().enumerate() {
            if number % step != 0 {
                part.set(cell, None);
            }
        }
        check(&part);
    }
    for number in 0..30 {
        check(&generator.puzzle(Kind::Minimal, 5, number));
    }
}

#[test]
fn a_board_whose_symmetries_are_too_many_to_count_has_a_form_all_the_same() {
    for side in [25, 36] {
        let root = if side == 25 { 5 } else { 6 };
        let layout = Arc::new(Layout::with_boxes(variants::boxes(root, root)).unwrap());
        let canonical = VariantPuzzle::empty(layout.clone()).canonical();
        assert_eq!(canonical.automorphisms, None);
        assert_eq!(canonical.puzzle, Some(VariantPuzzle::empty(layout)));
    }
    let blank = write_cells(&[None; 16], Alphabet::OneBased).unwrap();
    let canonical = read(&blank).puzzle.canonical();
    assert_eq!(canonical.automorphisms, Some(128 * 24));
}
