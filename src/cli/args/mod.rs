//! Command-line arguments: one file of clap structs per command.

mod bench;
mod common;
mod convert;
mod corpus;
mod dataset;
mod doctor;
mod explain;
mod export;
mod generate;
mod layout;
mod limits;
mod man;
mod merge;
mod names;
mod plan;
mod profile;
mod rate;
mod reader;
mod recognize;
mod report;
mod shard;
mod solve;
mod table;
mod train;
mod watch;
mod worker;

use clap::{Parser, Subcommand};

pub(crate) use bench::{BenchArgs, GoalName};
pub(crate) use common::{Common, ProgressWhen};
pub(crate) use convert::ConvertArgs;
pub(crate) use corpus::{
    AugmentArgs, CanonArgs, CheckArgs, CollectionStatsArgs, CorporaArgs, CorpusArgs, CorpusCommand,
    DedupArgs, DifficultyArgs, LeaksArgs, MoveName, NearArgs, SampleArgs, SplitArgs,
};
pub(crate) use dataset::{
    ApplyArgs, DatasetArgs, DatasetCommand, HarvestArgs, ReviewArgs, StatsArgs, SynthArgs,
    SynthCommand, SynthCropsArgs, SynthPhotosArgs, SynthVideosArgs,
};
pub(crate) use doctor::DoctorArgs;
pub(crate) use explain::{ExplainArgs, LIST};
pub(crate) use export::ExportArgs;
pub(crate) use generate::{GenerateArgs, PuzzleKind};
pub(crate) use layout::LayoutArgs;
pub(crate) use man::{CompletionsArgs, ManArgs};
pub(crate) use merge::MergeArgs;
pub(crate) use names::NamesArgs;
pub(crate) use plan::{CutArgs, PlanArgs, PlanCommand, PlanCorporaArgs, PlanPhotosArgs};
pub(crate) use rate::RateArgs;
pub(crate) use recognize::RecognizeArgs;
pub(crate) use report::ReportArgs;
pub(crate) use shard::{ShardArgs, WhichShard};
pub(crate) use solve::SolveArgs;
pub(crate) use table::TableArgs;
pub(crate) use train::TrainArgs;
pub(crate) use watch::WatchArgs;
pub(crate) use worker::WorkerArgs;

/// Reads folders of Sudoku photos, solves the puzzles, and benchmarks solvers and readers
#[derive(Debug, Parser)]
#[command(
    name = "sudoku-batch",
    version,
    propagate_version = true,
    after_help = "\
Examples:
  sudoku-batch recognize photos/                       read and solve every photo in a folder
  sudoku-batch solve puzzles.txt > solutions.txt
  sudoku-batch explain --hint 1 puzzle.txt             where to look next
  sudoku-batch bench --sample 1000 puzzles.txt         how fast is which solver?
  sudoku-batch doctor                                  is everything installed?

See `sudoku-batch COMMAND --help` for examples of each command. Results go to stdout and to files,
everything else to stderr. NO_COLOR=1 turns colours off, CLICOLOR_FORCE=1 keeps them in a pipe.

Exit codes: 0 success, 1 some photos, puzzles or lines failed, or some answers are wrong, 2 error,
130 interrupted."
)]
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
    /// Serve a local web page that reads puzzles from a camera
    Watch(WatchArgs),
    /// Solve puzzle files: solutions on stdout, in input order
    Solve(SolveArgs),
    /// Solve puzzles by human techniques, and explain each step
    Explain(ExplainArgs),
    /// Rate the difficulty of puzzles by the techniques they need, as CSV
    Rate(RateArgs),
    /// Benchmark solvers on puzzle files, with every answer checked
    Bench(BenchArgs),
    /// Generate puzzles, each with exactly one solution
    Generate(GenerateArgs),
    /// Convert puzzles of any size between text formats
    Convert(ConvertArgs),
    /// Check, compare and split collections of puzzles
    Corpus(CorpusArgs),
    /// Train the digit network from labeled cell crops
    Train(TrainArgs),
    /// Make, count and review labeled crops and photos
    Dataset(DatasetArgs),
    /// Render the pages of saved runs again, or compare several runs
    Report(ReportArgs),
    /// Split a large job into shards for several machines
    Plan(PlanArgs),
    /// Merge the parts of shards into the results of one run
    Merge(MergeArgs),
    /// Read photos from an Arrow stream on stdin, as a long-running process
    Worker(WorkerArgs),
    /// Check the installation, and suggest how to fix problems
    Doctor(DoctorArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page of the program or of a command, or write all of them
    Man(ManArgs),
}
