//! Steps on boards of any size: none of them contradicts the solution, and each says what it changes.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use crate::common::data;
use sudoku_batch::solve::{Goal, Limits};
use sudoku_batch::variant::{
    Area, Boxes, HouseKind, OpenCorpora, Reading, StepKind, Value, VariantEntry,
    VariantExplanation, VariantLine, VariantVerdict, fastest, parse_line,
};

fn entry(line: &str) -> VariantEntry {
    parse_line(line, &Reading::default()).unwrap()
}

/// Checks every step against the solution; returns the number of steps, and whether they solve the puzzle.
fn check(entry: &VariantEntry, place: &str) -> (usize, bool) {
    let puzzle = &entry.puzzle;
    let mut solver = (fastest(puzzle.layout()).build)();
    let verdict = solver
        .solve(puzzle, Goal::ProveUnique, Limits::NONE)
        .verdict;
    let VariantVerdict::Unique(solution) = verdict else {
        panic!("{place}: {verdict:?}");
    };
    let explanation = VariantExplanation::new(puzzle);
    assert!(!explanation.is_contradiction, "{place}");
    for step in &explanation.steps {
        match step.kind {
            StepKind::NakedSingle | StepKind::HiddenSingle => {
                assert_eq!((step.cells.len(), step.values.len()), (1, 1), "{place}");
                assert_eq!(
                    solution.values()[step.cells[0]],
                    step.values[0],
                    "{place}: {step:?}"
                );
            }
            StepKind::NakedSubset | StepKind::HiddenSubset => {
                assert_eq!(step.cells.len(), step.values.len(), "{place}");
                assert!(!step.struck.is_empty(), "{place}: {step:?}");
                for cell in &step.cells {
                    let value = solution.values()[*cell];
                    assert!(step.values.contains(&value), "{place}: {step:?}");
                }
            }
            StepKind::Sum => {
                let sum = step.sum.as_ref().unwrap();
                let values = step.cells.iter().map(|cell| solution.values()[*cell]);
                let mut values: Vec<Value> = values.collect();
                let total: i32 = values.iter().map(|value| i32::from(value.get())).sum();
                assert_eq!(total, sum.total, "{place}: {step:?}");
                values.sort_unstable();
                assert!(
                    sum.ways.is_empty() || sum.ways.contains(&values),
                    "{place}: {step:?}"
                );
                assert!(!step.struck.is_empty(), "{place}: {step:?}");
            }
        }
        for (cell, values) in &step.struck {
            assert!(
                !values.contains(&solution.values()[*cell]),
                "{place}: {step:?}"
            );
        }
        let message = step.argument(puzzle.layout(), entry.alphabet);
        assert!(
            message.ends_with('.') && !message.contains("  "),
            "{place}: {message}"
        );
    }
    let known = explanation.after(puzzle, explanation.steps.len());
    assert_eq!(known, explanation.placed, "{place}");
    (explanation.steps.len(), explanation.is_solved())
}

#[test]
fn steps_agree_with_the_solutions_of_published_puzzles() {
    let Some(folder) = data::data_folder("sizes") else {
        return;
    };
    let square = Reading::default();
    let boxes = |rows, columns| Reading {
        boxes: Some(Boxes { rows, columns }),
        ..Reading::default()
    };
    let diagonals = Reading {
        diagonals: true,
        ..Reading::default()
    };
    let (mut steps, mut solved, mut subsets, mut diagonals_seen) = (0, 0, 0, 0);
    for (file, reading) in [
        ("6x6_sgt_unreasonable.txt", boxes(2, 3)),
        ("12x12_sgt_unreasonable.txt", boxes(3, 4)),
        ("16x16_gecode.txt", square.clone()),
        ("jigsaw_7x7_puzzlekit.txt", square.clone()),
        ("killer_6x6_puzzlekit.txt", boxes(2, 3)),
        ("killer_9x9_puzzlekit.txt", square),
        ("x_9x9_sgt_unreasonable.txt", diagonals),
    ] {
        let paths = vec![folder.join(file)];
        for line in OpenCorpora::open(paths, Some(reading), None).into_lines() {
            let VariantLine { place, entry } = line.unwrap();
            let (count, is_solved) = check(&entry, &place.to_string());
            steps += count;
            solved += usize::from(is_solved);
            let explanation = VariantExplanation::new(&entry.puzzle);
            let is_subset = |kind| matches!(kind, StepKind::NakedSubset | StepKind::HiddenSubset);
            for step in &explanation.steps {
                subsets += usize::from(is_subset(step.kind));
                let area = step.area;
                let is_diagonal = matches!(area, Some(Area::House(HouseKind::Diagonal, _)));
                diagonals_seen += usize::from(is_diagonal);
            }
        }
    }
    println!(
        "{steps} steps, {subsets} of them subsets, {diagonals_seen} on diagonals; \
         {solved} puzzles solved"
    );
    assert!(solved > 50 && subsets > 100 && diagonals_seen > 10);
}

#[test]
fn a_naked_single_excludes_all_other_values() {
    let explanation = VariantExplanation::new(&entry("1...2.......3...").puzzle);
    let step = &explanation.steps[0];
    assert_eq!(
        (step.kind, &step.cells[..]),
        (StepKind::NakedSingle, &[8][..])
    );
    assert_eq!(step.values, [Value::new(4).unwrap()]);
}

#[test]
fn conflicting_givens_give_no_step() {
    let explanation = VariantExplanation::new(&entry("11..............").puzzle);
    assert!(explanation.is_contradiction && explanation.steps.is_empty());
}

#[test]
fn sums_of_cages_and_their_remainders_are_steps() {
    let blank = ".".repeat(16);
    let argument = |line: &str, at: usize| {
        let entry = entry(line);
        let explanation = VariantExplanation::new(&entry.puzzle);
        explanation.steps[at].argument(entry.puzzle.layout(), entry.alphabet)
    };
    assert_eq!(
        argument(&format!("{blank}\t7=r1c1,r1c2"), 0),
        "r1c1 and r1c2 are a cage with the sum 7, which can only be 3+4. So r1c1 is not 1 or 2 and r1c2 is not 1 or 2."
    );
    assert_eq!(
        argument(&format!("{blank}\t5=r1c1,r1c2 7=r1c3,r2c3"), 1),
        "The values of row 1 add up to 10, and the cages that lie in there to 5: r1c3 and r1c4 add up to the rest, 5, \
         which can only be 1+4 or 2+3. So r1c4 is not 3 or 4."
    );
    let impossible = entry(&format!("..3.{}\t7=r1c1,r1c2", &blank[4..]));
    assert!(VariantExplanation::new(&impossible.puzzle).is_contradiction);
}
