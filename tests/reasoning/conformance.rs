//! The profile `se-1.2.1` compared with ratings of Sudoku Explainer 1.2.1.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use crate::common::data;
use std::fs;

use data::data_folder;
use sudoku_batch::grid::Puzzle;
use sudoku_batch::logic::{EXPLAINER, Measure, Rater};

/// The highest rating of all steps, of those up to the first that places a digit, and of the first
/// step; in tenths.
type Ratings = [u16; 3];

/// The known ratings of a puzzle.
type Known = [Option<u16>; 3];

/// The ratings, and the name of the hardest technique. Every step is checked against the solution.
fn rate(puzzle: &Puzzle) -> (Ratings, &'static str) {
    let rating = Rater::new(&EXPLAINER).rate(puzzle).unwrap();
    let Measure::Tenths { er, ep, ed } = rating.measure else {
        panic!("the profile rates in tenths");
    };
    ([er, ep, ed].map(Option::unwrap), rating.hardest.unwrap())
}

fn table(file: &str) -> Option<String> {
    let path = data_folder("logic")?.join(file);
    Some(fs::read_to_string(path).unwrap())
}

/// The puzzles of a table with their ratings.
fn rows(file: &str) -> Option<Vec<(Puzzle, Known)>> {
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let tenths = |at: usize| {
            let rating: f64 = fields[at].parse().ok()?;
            Some((rating * 10.0).round() as u16)
        };
        let puzzle: Puzzle = fields[0].parse().unwrap();
        (puzzle, [tenths(1), tenths(2), tenths(3)])
    };
    Some(table(file)?.lines().skip(1).map(row).collect())
}

/// The rows with different ratings.
fn differences(rows: &[(Puzzle, Known)]) -> Vec<String> {
    let rated = rows
        .iter()
        .map(|(puzzle, expected)| (puzzle, expected, rate(puzzle).0));
    rated
        .filter(|(_, expected, found)| {
            let mut pairs = expected.iter().zip(found);
            pairs.any(|(expected, found)| expected.is_some_and(|expected| expected != *found))
        })
        .map(|(puzzle, expected, found)| format!("{puzzle}: {found:?} instead of {expected:?}"))
        .collect()
}

#[test]
fn ratings_agree_with_sudoku_explainer() {
    let Some(rows) = rows("conformance.csv") else {
        return;
    };
    assert!(rows.len() > 200, "{} rows", rows.len());
    let differences = differences(&rows);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The program adds the kind of subset of a type 3 to the name.
#[test]
fn the_hardest_techniques_have_the_names_of_sudoku_explainer() {
    let Some(table) = table("conformance.csv") else {
        return;
    };
    let lines = table.lines().skip(1);
    assert!(lines.clone().count() > 200);
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let (_, name) = rate(&fields[0].parse().unwrap());
        assert!(fields[9].starts_with(name), "{line}: {name}");
    }
}

/// Rows of the published list of 269 that `se-1.2.1` rates differently. The first three cannot be right: two puzzles
/// start with a hidden single and are published with ED 10.7, the one between them has none and ED 1.2. Many people
/// contributed to that list, with several versions of the program.
const KNOWN_DIFFERENCES: [&str; 8] = [
    "HardestSudokusThread-00191",
    "HardestSudokusThread-00251",
    "HardestSudokusThread-00253",
    "HardestSudokusThread-00257",
    "HardestSudokusThread-00641",
    "HardestSudokusThread-01167",
    "SilverPlate",
    "First_Peak",
];

/// Chains inside chains, up to dynamic ones: every ninth of the list, as all of them take minutes.
#[test]
fn ratings_of_the_hardest_puzzles_agree_with_published_ones() {
    let file = "hardest_published_se.csv";
    let (Some(rows), Some(table)) = (rows(file), table(file)) else {
        return;
    };
    let labels = table.lines().skip(1).map(|line| line.rsplit(',').next());
    let mut rows: Vec<_> = rows.into_iter().zip(labels).collect();
    rows.retain(|(_, label)| label.is_some_and(|label| !KNOWN_DIFFERENCES.contains(&label)));
    rows.sort_by_key(|((_, ratings), _)| *ratings);
    let some: Vec<_> = rows.into_iter().step_by(9).map(|(row, _)| row).collect();
    assert!(some.len() >= 29, "{} rows", some.len());
    let differences = differences(&some);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
