//! A hard puzzle of a corpus, and what each solver needed for it.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::grid::Puzzle;

/// A puzzle that was harder for some solver than nearly all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HardPuzzle {
    /// Its line in the file.
    pub line: u64,
    /// The puzzle.
    #[serde(serialize_with = "as_line", deserialize_with = "from_line")]
    pub puzzle: Puzzle,
    /// The solvers that it was among the hardest for.
    pub hardest_for: Vec<String>,
    /// What each solver that came to it needed.
    pub answers: Vec<HardAnswer>,
}

/// What a solver needed for a puzzle, the first time it was timed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HardAnswer {
    /// The solver.
    pub solver: String,
    /// How it answered, as the tables spell it.
    pub verdict: Cow<'static, str>,
    /// Guesses; not known of an external program.
    pub guesses: Option<u64>,
    /// Nodes, likewise.
    pub nodes: Option<u64>,
    /// Microseconds, likewise; for a solver that gets many puzzles at once, an equal share.
    pub us: Option<f64>,
}

fn as_line<S: Serializer>(puzzle: &Puzzle, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&puzzle.to_line())
}

fn from_line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Puzzle, D::Error> {
    let line = Cow::<str>::deserialize(deserializer)?;
    line.parse().map_err(de::Error::custom)
}
