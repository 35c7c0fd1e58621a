//! Flags of `plan`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::common::from_one;
use super::layout::LayoutArgs;
use super::names::NamesArgs;
use super::table::TableArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
A plan lists every photo, or every piece of a puzzle file, with its size, a hash of its content, and
its shard. Each shard is processed by the command that the plan is for, on any machine, in any
order, and gives a part; `merge` joins the parts into the results of a single run. Files that have
changed since the plan was made are errors of their shard.

Examples:
  sudoku-batch plan recognize photos/ --shards 64 --out plan.json
  sudoku-batch recognize --plan plan.json --shard 3/64 --out parts/
  sbatch --array=0-63 --wrap 'sudoku-batch recognize --plan plan.json --shard auto --out parts/'
  seq 0 63 | parallel sudoku-batch recognize --plan plan.json --shard {}/64 --out parts/
  sudoku-batch merge parts/ --plan plan.json --out results/

Exit codes: 0 success, 1 some files or folders could not be read, 2 error.")]
pub(crate) struct PlanArgs {
    #[command(subcommand)]
    pub(crate) command: PlanCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Plan photos, in shards of about equal size in bytes
    #[command(after_help = "\
Examples:
  sudoku-batch plan recognize photos/ --shards 64
  find /data -name '*.jpg' -print0 | sudoku-batch plan recognize --files-from - -0 --shards 64

Exit codes: 0 success, 1 some files or folders could not be read, 2 error.")]
    Recognize(PlanPhotosArgs),
    /// Plan puzzle files for `solve`, in shards of about equally many puzzles
    #[command(after_help = "\
Examples:
  sudoku-batch plan solve puzzles.txt --shards 16 --out solve.json
  sudoku-batch solve --plan solve.json --shard 0/16 --out parts/
  sudoku-batch plan solve --boxes 2x3 six.txt --shards 4

The flags for other boards and --puzzle-column are part of the plan.

Exit codes: 0 success, 2 error.")]
    Solve(PlanBoardsArgs),
    /// Plan files of classic puzzles for `rate`
    #[command(after_help = "\
Examples:
  sudoku-batch plan rate hardest.txt --shards 100 --out rate.json
  sudoku-batch rate --plan rate.json --shard 0/100 --profile se-1.2.1 --out parts/

Exit codes: 0 success, 2 error.")]
    Rate(PlanCorporaArgs),
    /// Plan puzzle files for `bench`
    #[command(after_help = "\
Examples:
  sudoku-batch plan bench hard.txt easy.txt --shards 4 --out bench.json
  sudoku-batch bench --plan bench.json --shard 0/4 --out parts/

The --budget applies to each solver, corpus and shard. The flags for other boards and
--puzzle-column are part of the plan.

Exit codes: 0 success, 2 error.")]
    Bench(PlanBoardsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct PlanPhotosArgs {
    /// Photos, videos, and folders to search for them
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read further paths from a file, one per line; `-` is stdin. A line may be a URL, with its
    /// size in bytes after a tab, for the Python package to fetch
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,
    /// Paths in `--files-from` are separated by NUL bytes instead of newlines
    #[arg(short = '0', long = "null", requires = "files_from")]
    pub(crate) nul: bool,
    #[command(flatten)]
    pub(crate) names: NamesArgs,
    #[command(flatten)]
    pub(crate) cut: CutArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PlanCorporaArgs {
    /// Files of puzzles, in any format that `solve` reads; a compressed one is decompressed again
    /// for each shard
    #[arg(value_name = "CORPUS", required = true)]
    pub(crate) corpora: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) cut: CutArgs,
}

/// Files of puzzles of any kind of board.
#[derive(Debug, Args)]
pub(crate) struct PlanBoardsArgs {
    #[command(flatten)]
    pub(crate) files: PlanCorporaArgs,
    #[command(flatten)]
    pub(crate) layout: LayoutArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CutArgs {
    /// Number of shards
    #[arg(long, value_name = "N", value_parser = from_one)]
    pub(crate) shards: NonZeroUsize,
    /// Output file
    #[arg(short, long, value_name = "FILE", default_value = "plan.json")]
    pub(crate) out: PathBuf,
}
