//! What the user wrote, as typed: clap structs, a file a command.

mod bench;
mod common;
mod dataset;
mod explain;
mod generate;
mod limits;
mod profile;
mod rate;
mod recognize;
mod solve;
mod train;

use clap::{Parser, Subcommand};

pub(crate) use bench::{BenchArgs, GoalName};
pub(crate) use common::{Common, ProgressWhen};
pub(crate) use dataset::{
    ApplyArgs, DatasetArgs, DatasetCommand, HarvestArgs, ReviewArgs, StatsArgs, SynthArgs,
    SynthCommand, SynthCropsArgs, SynthPhotosArgs,
};
pub(crate) use explain::ExplainArgs;
pub(crate) use generate::{GenerateArgs, PuzzleKind};
pub(crate) use rate::RateArgs;
pub(crate) use recognize::{BackendName, DecodeName, RecognizeArgs};
pub(crate) use solve::SolveArgs;
pub(crate) use train::TrainArgs;

/// Reads whole folders of Sudoku photos, solves them, and measures solvers and readers honestly.
#[derive(Debug, Parser)]
#[command(name = "sudoku-batch", version, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find, read and solve the puzzles in photos
    Recognize(RecognizeArgs),
    /// Solve puzzle files: solutions on stdout, in input order
    Solve(SolveArgs),
    /// Solve puzzles as people do, each step with its reason
    Explain(ExplainArgs),
    /// Rate puzzles by the techniques they need: one CSV row each
    Rate(RateArgs),
    /// Measure solvers on puzzle files, every answer checked
    Bench(BenchArgs),
    /// Generate puzzles, each with exactly one solution
    Generate(GenerateArgs),
    /// Train the digit network from labeled cell crops
    Train(TrainArgs),
    /// Make, count and review labeled crops and photos
    Dataset(DatasetArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
}
