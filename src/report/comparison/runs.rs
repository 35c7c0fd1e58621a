//! Saved runs of all kinds, side by side, as their page sees them.

use serde::Serialize;

use crate::bench::BenchSideBySide;
use crate::recognize::RecognizeSideBySide;
use crate::training::TrainingSideBySide;

/// Saved runs, and the comparison of those of each kind.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RunComparison {
    /// The runs, in the order in which they were given.
    pub runs: Vec<ComparedRun>,
    /// What could not be read.
    pub problems: Vec<String>,
    /// The runs of `bench`, if there are any.
    pub bench: Option<BenchSideBySide>,
    /// Those of `recognize`.
    pub recognize: Option<RecognizeSideBySide>,
    /// Those of `train`.
    pub train: Option<TrainingSideBySide>,
}

/// A run, and where it came from.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedRun {
    /// What it is called here.
    pub name: String,
    /// Its folder.
    pub folder: String,
    /// The way to its own page, if it is there.
    pub page: Option<String>,
    /// The command that made it.
    pub command: String,
    /// Version of the program.
    pub version: String,
    /// Commit that it was built from.
    pub commit: String,
    /// Name of the processor.
    pub cpu: String,
    /// Threads that the machine runs at once.
    pub cores: usize,
    /// Worker threads of the run.
    pub threads: usize,
}
