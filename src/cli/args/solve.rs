//! Flags of `solve`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use sudoku_batch::solve::Goal;

use super::common::time;
use super::layout::LayoutArgs;
use super::limits::LimitArgs;
use super::shard::{PartsArgs, ShardArgs};
use super::table::TableArgs;

/// Largest number of solutions written on one line.
const MOST_SOLUTIONS: usize = 100_000;

#[derive(Debug, Args)]
#[command(after_help = "\
A corpus has one puzzle per line: 81 characters, with . 0 * _ or - for blanks, optionally followed
by a note; or nine lines per puzzle (.sdk, .ss); or CSV with a column of a usual name, such as
`puzzle`, `quizzes` or `question`, or the one of --puzzle-column, and optionally `solution` or
`answer`, which is checked. # starts a comment; gzip and zstd are decompressed.

Boards of other sizes and shapes are recognized by the length of their lines, from 4x4 to 36x36, and
by what follows the cells: regions of a jigsaw, cages of a killer. Game IDs of Simon Tatham's Solo
and SumoCue are read, too (see `convert --help` for the formats). The boxes of a 6x6 board are 2x3
or 3x2: specify with --boxes.

Each puzzle gives one line of output: its solution, `unsolvable`, or `multiple`; `timeout` if it
exceeds a limit, and `stuck` if a solver without search finds no further step. A bad line is
reported on stderr as FILE:LINE and gives no output. The summary goes to stderr, so --json does not
apply.

Examples:
  sudoku-batch solve puzzles.txt > solutions.txt
  sudoku-batch solve kaggle.csv.gz hard.sdk            several corpora, in any format
  sudoku-batch generate --count 1000 | sudoku-batch solve
  sudoku-batch solve --count 10 ambiguous.txt          up to ten solutions of each
  sudoku-batch solve --boxes 2x3 --diagonals six.txt   6x6 Sudoku X
  sudoku-batch solve --pretty killers.txt              draw boards with their cages

Exit codes: 0 every line answered, 1 some lines bad, unanswered or with a wrong solution, 2 error,
130 interrupted.")]
pub(crate) struct SolveArgs {
    /// Files of puzzles; `-` is stdin, the default
    #[arg(value_name = "CORPUS", conflicts_with = "plan")]
    pub(crate) corpora: Vec<PathBuf>,
    /// What to find: the `first` solution, the `unique` solution (`multiple` if there are more), or
    /// `count:N`, up to N solutions joined by commas
    #[arg(long, value_name = "GOAL", default_value = "unique", value_parser = goal)]
    pub(crate) goal: Goal,
    /// The same as `--goal count:N`
    #[arg(long, value_name = "N", value_parser = count, conflicts_with = "goal")]
    pub(crate) count: Option<Goal>,
    /// Draw each solution as a board
    #[arg(long)]
    pub(crate) pretty: bool,
    /// Solver [default: the fastest complete one]
    #[arg(long, value_name = "NAME")]
    pub(crate) solver: Option<String>,
    /// Time, such as `1s` or `20ms`; a puzzle that exceeds it is a `timeout`
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Limits per puzzle")]
    pub(crate) time_limit: Option<Duration>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) layout: LayoutArgs,
    #[command(flatten)]
    pub(crate) shard: ShardArgs,
    #[command(flatten)]
    pub(crate) parts: PartsArgs,
}

fn goal(text: &str) -> Result<Goal, String> {
    match (text, text.strip_prefix("count:")) {
        ("first", _) => Ok(Goal::FirstSolution),
        ("unique", _) => Ok(Goal::ProveUnique),
        (_, Some(limit)) => count(limit),
        _ => Err("expected first, unique or count:N".to_owned()),
    }
}

fn count(limit: &str) -> Result<Goal, String> {
    limit
        .parse()
        .ok()
        .filter(|limit: &NonZeroUsize| limit.get() <= MOST_SOLUTIONS)
        .map(Goal::Count)
        .ok_or_else(|| format!("expected a number from 1 to {MOST_SOLUTIONS}"))
}
