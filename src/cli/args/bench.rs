//! Flags of `bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sudoku_batch::bench::External;

use super::limits::LimitArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Every answer is checked outside the clock; a wrong one strikes the row. Times are taken on one
thread that stays on one core, in rounds in which the order of the solvers changes; throughput on
all threads is a table of its own. A corpus is any file that `solve` reads.

The results go to bench.csv, throughput.csv, summary.json, report.md and report.html.

Examples:
  sudoku-batch bench puzzles.txt
  sudoku-batch bench --solvers mrv,dlx --sample 2000 hard.txt kaggle.csv.gz
  sudoku-batch bench --external 'other=./other --quiet' puzzles.txt
  sudoku-batch bench --save-baseline before puzzles.txt     and later, after a change:
  sudoku-batch bench --baseline before puzzles.txt

Exit codes: 0 all clean, 1 some lines bad, answers wrong or programs failed, 2 nothing done, 130
interrupted.")]
pub(crate) struct BenchArgs {
    /// Files of puzzles; `-` is stdin
    #[arg(value_name = "CORPUS", required_unless_present = "list")]
    pub(crate) corpora: Vec<PathBuf>,
    /// Solvers to measure, by name, in this order [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) solvers: Vec<String>,
    /// Print the solvers that there are
    #[arg(long)]
    pub(crate) list: bool,
    /// What to ask of every puzzle
    #[arg(long, value_name = "GOAL", default_value = "unique")]
    pub(crate) goal: GoalName,
    /// Time that a solver may take for a corpus, such as `30s`; past it the row says what it covered
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = humantime::parse_duration)]
    pub(crate) budget: Duration,
    /// Only the first N puzzles of each corpus
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) limit: Option<u64>,
    /// Only N puzzles of each corpus, drawn by seed
    #[arg(long, value_name = "N", value_parser = sample)]
    pub(crate) sample: Option<usize>,
    /// Measure another program too: it reads puzzles on stdin, a line each, and writes a solution, or
    /// `unsolvable` or `multiple`, a line each; may be given several times
    #[arg(long, value_name = "NAME=CMD")]
    pub(crate) external: Vec<External>,
    /// Leave out the throughput on all threads
    #[arg(long)]
    pub(crate) no_throughput: bool,
    /// Write puzzles.csv: each puzzle of each solver
    #[arg(long)]
    pub(crate) per_puzzle: bool,
    /// Keep this run under a name in the output folder
    #[arg(long, value_name = "NAME")]
    pub(crate) save_baseline: Option<String>,
    /// Compare with the run that was kept under this name
    #[arg(long, value_name = "NAME")]
    pub(crate) baseline: Option<String>,
    /// Where the results go
    #[arg(short, long, value_name = "DIR", default_value = "reports/bench")]
    pub(crate) out: PathBuf,
    /// Time, such as `1s` or `20ms`; past it the puzzle is a `timeout`
    #[arg(
        long,
        value_name = "TIME",
        default_value = "1s",
        value_parser = humantime::parse_duration,
        help_heading = "Limits of each puzzle"
    )]
    pub(crate) time_limit: Duration,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GoalName {
    /// Prove that there is no second solution
    Unique,
    /// Find a first solution
    First,
}

fn sample(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| *count > 0);
    count.ok_or_else(|| "expected a number from 1".to_owned())
}
