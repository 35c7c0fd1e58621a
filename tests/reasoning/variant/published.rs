//! Published puzzles with published solutions.

use std::fs;
use std::path::Path;

use sudoku_batch::solve::{Goal, Limits};
use sudoku_batch::variant::{Boxes, Reading, Value, VariantCorpus, VariantPuzzle, VariantVerdict};

use super::data::data_folder;
use super::{count, supporting};

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
    let Some(folder) = data_folder("sizes") else {
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
    let Some(folder) = data_folder("sizes/not_unique") else {
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
