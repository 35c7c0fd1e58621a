//! Flags of `merge`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Writes the files that one machine would have written, byte for byte but for times: the tables, the
pictures (by hard links where that is possible), summary.json and the pages; of `solve`
solutions.txt, of `rate` ratings.csv, and what was wrong with lines to problems.txt. Times of unlike
machines are kept apart. The parts stay. Hidden folders beside them are of shards that were killed,
and can be removed.

Examples:
  sudoku-batch merge parts/ --plan plan.json --out results/
  sudoku-batch merge parts/ --plan plan.json --missing      the numbers of the shards to run again

Exit codes: 0 all clean, 1 merged but some photos, puzzles or lines failed, or shards are missing
(--missing), 2 nothing done.")]
pub(crate) struct MergeArgs {
    /// The folder with the parts
    #[arg(value_name = "PARTS")]
    pub(crate) parts: PathBuf,
    /// The plan that they belong to
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: PathBuf,
    /// Where the results go
    #[arg(short, long, value_name = "DIR", required_unless_present = "missing")]
    pub(crate) out: Option<PathBuf>,
    /// Wait until another run into the same folder is over, in place of giving up
    #[arg(long, conflicts_with = "missing")]
    pub(crate) wait: bool,
    /// Only print the numbers of the shards that have no part, one a line
    #[arg(long, conflicts_with = "out")]
    pub(crate) missing: bool,
}
