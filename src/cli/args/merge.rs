//! Flags of `merge`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Writes the files of a single run, identical byte for byte except for times: the tables, the pictures
(as hard links if possible), summary.json and the pages; for `solve` solutions.txt, for `rate`
ratings.csv, and bad lines in problems.txt. Times of different kinds of machines are reported
separately. The parts are kept. Hidden folders beside them are left from shards that were killed,
and can be removed.

Examples:
  sudoku-batch merge parts/ --plan plan.json --out results/
  sudoku-batch merge parts/ --plan plan.json --missing      list the shards to run again

Exit codes: 0 success, 1 merged, but some photos, puzzles or lines failed, or shards are missing
(--missing), 2 error.")]
pub(crate) struct MergeArgs {
    /// Folder with the parts
    #[arg(value_name = "PARTS")]
    pub(crate) parts: PathBuf,
    /// The plan of the parts
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: PathBuf,
    /// Output folder
    #[arg(short, long, value_name = "DIR", required_unless_present = "missing")]
    pub(crate) out: Option<PathBuf>,
    /// Wait until another run into the same folder has finished, instead of failing
    #[arg(long, conflicts_with = "missing")]
    pub(crate) wait: bool,
    /// Only print the numbers of the shards that have no part, one per line
    #[arg(long, conflicts_with = "out")]
    pub(crate) missing: bool,
}
