//! The profile `hodoku-2.2` compared with output of HoDoKu 2.2 for the same puzzles.

use crate::common::data;
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use data::data_folder;
use sudoku_batch::logic::{HODOKU, Measure, Rater, Rating};

/// Out of a hundred puzzles, the number with the same level and score, and with the same hardest technique.
const EQUAL: usize = 100;

/// The rows, by column name.
fn rows(table: &Path) -> Vec<HashMap<String, String>> {
    let file = File::open(table).unwrap();
    let mut table = csv::Reader::from_reader(file);
    table.deserialize().map(Result::unwrap).collect()
}

fn rating(line: &str) -> Rating {
    let rating = Rater::new(&HODOKU).rate(&line.parse().unwrap());
    rating.unwrap_or_else(|why| panic!("{line}: {why}"))
}

fn level_and_score(rating: &Rating) -> String {
    match rating.measure {
        Measure::Score { level, score } => format!("{} {score}", level.name()),
        measure => panic!("{measure:?}"),
    }
}

#[test]
fn levels_scores_and_hardest_techniques_agree_with_hodoku() {
    let Some(table) = data_folder("logic/conformance.csv") else {
        return;
    };
    let rows = rows(&table);
    assert!(rows.len() > 200, "{} rows", rows.len());
    let (mut scored, mut hardest) = (Vec::new(), Vec::new());
    for row in &rows {
        let rating = rating(&row["puzzle"]);
        let ours = level_and_score(&rating);
        let theirs = format!("{} {}", row["hodoku_level"], row["hodoku_score"]);
        if ours != theirs {
            scored.push(format!("{}: {ours}, not {theirs}", row["puzzle"]));
        }
        let (ours, theirs) = (rating.hardest, &row["hodoku_hardest_technique"]);
        if ours != Some(theirs) {
            hardest.push(format!("{}: {ours:?}, not {theirs}", row["puzzle"]));
        }
    }
    for missed in [scored, hardest] {
        let equal = rows.len() - missed.len();
        assert!(
            100 * equal >= EQUAL * rows.len(),
            "{equal} of {}:\n{}",
            rows.len(),
            missed.join("\n")
        );
    }
}

#[test]
fn puzzles_without_a_step_are_guessed_and_extreme() {
    // By Arto Inkala.
    let rating =
        rating("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..");
    assert!(rating.guesses > 0);
    assert_eq!(rating.hardest, Some("BRUTE_FORCE"));
    assert!(level_and_score(&rating).starts_with("EXTREME "));
}

#[test]
fn naked_singles_count_four_each() {
    // Wikipedia's example.
    let rating =
        rating("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79");
    assert!(rating.solved);
    assert_eq!(rating.hardest, Some("NAKED_SINGLE"));
    assert_eq!(rating.steps, 51);
    assert_eq!(level_and_score(&rating), "EASY 204");
}
