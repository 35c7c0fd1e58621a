//! Counts of the ratings of a corpus, as JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::stream::RateTally;

#[derive(Serialize)]
struct RateJson<'a> {
    command: &'static str,
    version: &'static str,
    profile: &'a str,
    puzzles: u64,
    solved: u64,
    guessed: u64,
    unrated: u64,
    late: u64,
    bad_lines: u64,
    hardest: &'a BTreeMap<Cow<'static, str>, u64>,
    seconds: f64,
}

/// Returns one object: counts, and the number of puzzles by their hardest technique.
pub fn rate_json(profile: &str, tally: &RateTally, seconds: f64) -> String {
    let text = serde_json::to_string_pretty(&RateJson {
        command: "rate",
        version: env!("CARGO_PKG_VERSION"),
        profile,
        puzzles: tally.puzzles(),
        solved: tally.solved,
        guessed: tally.guessed,
        unrated: tally.unrated,
        late: tally.late,
        bad_lines: tally.bad_lines,
        hardest: &tally.hardest,
        seconds,
    });
    text.expect("counts and names are JSON") + "\n"
}
