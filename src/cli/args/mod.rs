//! What the user wrote, as typed: clap structs, a file a command.

mod bench;
mod common;
mod convert;
mod corpus;
mod dataset;
mod doctor;
mod explain;
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
    DedupArgs, DifficultyArgs, ExportArgs, LeaksArgs, MoveName, NearArgs, SampleArgs, SplitArgs,
};
pub(crate) use dataset::{
    ApplyArgs, DatasetArgs, DatasetCommand, HarvestArgs, ReviewArgs, StatsArgs, SynthArgs,
    SynthCommand, SynthCropsArgs, SynthPhotosArgs, SynthVideosArgs,
};
pub(crate) use doctor::DoctorArgs;
pub(crate) use explain::{ExplainArgs, LIST};
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

/// Reads whole folders of Sudoku photos, solves them, and measures solvers and readers honestly.
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
  sudoku-batch doctor                                  is all here that is needed?

`sudoku-batch COMMAND --help` has the examples of each command. Results go to stdout and to files,
everything else to stderr; NO_COLOR=1 turns colours off, CLICOLOR_FORCE=1 keeps them in a pipe.

Exit codes: 0 all clean, 1 done but for some photos, puzzles or lines, or some answers wrong,
2 nothing done, 130 interrupted."
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
    /// Serve a page that reads from a camera, to this computer
    Watch(WatchArgs),
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
    /// Convert puzzles of any size between text formats
    Convert(ConvertArgs),
    /// Check, compare and split collections of puzzles
    Corpus(CorpusArgs),
    /// Train the digit network from labeled cell crops
    Train(TrainArgs),
    /// Make, count and review labeled crops and photos
    Dataset(DatasetArgs),
    /// Render the pages of saved runs again, or join several runs into one page
    Report(ReportArgs),
    /// Cut a large job into shards that machines do apart
    Plan(PlanArgs),
    /// Join the parts of shards to what one machine would have written
    Merge(MergeArgs),
    /// Read photos from an Arrow stream on stdin, for programs that stay connected
    Worker(WorkerArgs),
    /// Look whether all is here that is needed, and say what to do where it is not
    Doctor(DoctorArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page of the program or of a command, or write all of them
    Man(ManArgs),
}
