//! The parts of `solve` and `rate`: answers, what was wrong with lines, and counts, all of which add up.

use std::borrow::Cow;
use std::ops::AddAssign;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::part::Part;
use crate::environment::Environment;
use crate::files::{JoinError, ReadError, join_files, read_json};
use crate::stream::{RateTally, Tally};

/// Counts that add up.
pub trait Tallied: AddAssign + Serialize + DeserializeOwned {
    /// How many puzzles were answered.
    fn puzzles(&self) -> u64;
    /// Whether every line was a puzzle that was answered.
    fn is_clean(&self) -> bool;
}

/// What the shards of `solve` or `rate` came to: `summary.json` of a part, and of all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StreamSummary<T> {
    /// The command.
    pub command: Cow<'static, str>,
    /// Version of the program.
    pub version: Cow<'static, str>,
    /// The counts.
    pub tally: T,
    /// Where it ran: machines that differ are kept apart.
    pub machines: Vec<StreamMachine>,
}

/// What one kind of machine did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StreamMachine {
    /// The machine.
    pub environment: Environment,
    /// Shards that it did.
    pub shards: u64,
    /// Puzzles that it answered.
    pub puzzles: u64,
    /// Wall-clock time that it took, shard after shard.
    pub seconds: f64,
}

impl<T: Tallied> StreamSummary<T> {
    /// The summary of one shard.
    pub fn new(command: &str, environment: Environment, tally: T, seconds: f64) -> Self {
        StreamSummary {
            command: command.to_owned().into(),
            version: env!("CARGO_PKG_VERSION").into(),
            machines: vec![StreamMachine {
                environment,
                shards: 1,
                puzzles: tally.puzzles(),
                seconds,
            }],
            tally,
        }
    }

    /// Its file in a folder.
    pub const FILE: &'static str = "summary.json";

    fn add(&mut self, other: StreamSummary<T>) {
        self.tally += other.tally;
        for machine in other.machines {
            let mut known = self.machines.iter_mut();
            match known.find(|it| it.environment == machine.environment) {
                Some(same) => {
                    same.shards += machine.shards;
                    same.puzzles += machine.puzzles;
                    same.seconds += machine.seconds;
                }
                None => self.machines.push(machine),
            }
        }
    }
}

/// The answers of `solve`, a line each.
pub const SOLUTIONS: &str = "solutions.txt";
/// The rows of `rate`.
pub const RATINGS: &str = "ratings.csv";
/// What was wrong with lines, a line each.
pub const PROBLEMS: &str = "problems.txt";

/// Joins the parts of `solve` or `rate` in the order of the shards: `answers` is their file, with a header in each or
/// without. Returns what they came to together; the caller writes it.
///
/// # Errors
/// [`JoinError`], a part of which cannot be read, or a file that cannot be written.
pub fn merge_streams<T: Tallied>(
    parts: &[Part],
    out: &Path,
    answers: &str,
    has_header: bool,
) -> Result<Option<StreamSummary<T>>, JoinError> {
    let mut sum: Option<StreamSummary<T>> = None;
    for part in parts {
        let path = part.folder.join(StreamSummary::<T>::FILE);
        let summary: Result<StreamSummary<T>, ReadError> = read_json(&path);
        let summary = summary?;
        match &mut sum {
            Some(sum) => sum.add(summary),
            none => *none = Some(summary),
        }
    }
    let files =
        |name: &str| -> Vec<_> { parts.iter().map(|part| part.folder.join(name)).collect() };
    join_files(&files(answers), &out.join(answers), has_header)?;
    join_files(&files(PROBLEMS), &out.join(PROBLEMS), false)?;
    Ok(sum)
}

impl Tallied for Tally {
    fn puzzles(&self) -> u64 {
        self.puzzles()
    }

    fn is_clean(&self) -> bool {
        self.is_clean()
    }
}

impl Tallied for RateTally {
    fn puzzles(&self) -> u64 {
        self.puzzles()
    }

    fn is_clean(&self) -> bool {
        self.is_clean()
    }
}
