//! Saved runs of all kinds and their comparison, as input of the page.

use serde::Serialize;

use crate::bench::BenchSideBySide;
use crate::recognize::RecognizeSideBySide;
use crate::training::TrainingSideBySide;

/// Saved runs, and the comparison of those of each kind.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RunComparison {
    /// The runs, in the order in which they were given.
    pub runs: Vec<ComparedRun>,
    /// Errors of runs that could not be read.
    pub problems: Vec<String>,
    /// Comparison of the runs of `bench`, if there are any.
    pub bench: Option<BenchSideBySide>,
    /// Comparison of the runs of `recognize`.
    pub recognize: Option<RecognizeSideBySide>,
    /// Comparison of the runs of `train`.
    pub train: Option<TrainingSideBySide>,
}

/// A run with its origin.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedRun {
    /// Its name in the comparison.
    pub name: String,
    /// Its folder.
    pub folder: String,
    /// Link to its own page, if that exists.
    pub page: Option<String>,
    /// The command that made it.
    pub command: String,
    /// Version of the program.
    pub version: String,
    /// Commit that it was built from.
    pub commit: String,
    /// Name of the processor.
    pub cpu: String,
    /// Number of threads that the machine runs at once.
    pub cores: usize,
    /// Number of worker threads of the run.
    pub threads: usize,
}
