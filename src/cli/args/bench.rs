//! Flags of `bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sudoku_batch::bench::External;

use super::common::time;
use super::layout::LayoutArgs;
use super::limits::LimitArgs;
use super::shard::ShardArgs;
use super::table::TableArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Method: a solver gets a block of puzzles as lines of text in one call, and writes 81 bytes and a
count for each; all of that is timed. A block is a round: every solver solves it before the next
one, on one core, in a random order, after the same warm-up on other puzzles. A short list is
repeated, shuffled each time. Times of single puzzles are measured separately, in one call each, as
the median of repeats. Every answer is checked, outside the timed region, by a solver that shares no
search code with the row; a wrong answer invalidates the row. Rates and ratios have 95 % intervals
by a bootstrap over rounds, and only significant differences are reported as such.

An external program (--external) gets the same blocks on the same core, timed from the first byte
into its stdin to the last one out of its stdout. If it answers each line as it comes, one process
serves all rounds; otherwise it is started for each round, and its start-up is timed too.

A corpus is any file that `solve` reads. Boards of other sizes and shapes have their own solvers,
which --list shows, too; a run with such boards uses these for all of its files. The results go to
bench.csv, throughput.csv, summary.json, report.md and report.html; measurements.json has the data
that all of these are derived from.

Examples:
  sudoku-batch bench puzzles.txt
  sudoku-batch bench --solvers mrv,dlx --sample 2000 hard.txt kaggle.csv.gz
  sudoku-batch bench --external 'other=./other --quiet' puzzles.txt
  sudoku-batch bench --save-baseline before puzzles.txt     and later, after a change:
  sudoku-batch bench --baseline before puzzles.txt
  sudoku-batch bench --boxes 2x3 six.txt                    6x6 boards
  sudoku-batch bench --out b --compare reports/bench puzzles.txt     a run in a folder

Exit codes: 0 success, 1 some lines bad, answers wrong or programs failed, 2 error, 130 interrupted.")]
pub(crate) struct BenchArgs {
    /// Files of puzzles; `-` is stdin
    #[arg(value_name = "CORPUS", required_unless_present_any = ["list", "plan"], conflicts_with = "plan")]
    pub(crate) corpora: Vec<PathBuf>,
    /// Solvers to measure, by name, in this order [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) solvers: Vec<String>,
    /// Print the available solvers
    #[arg(long)]
    pub(crate) list: bool,
    /// Question put to the solvers
    #[arg(long, value_name = "GOAL", default_value = "unique")]
    pub(crate) goal: GoalName,
    /// Time budget of a solver per corpus, such as `30s`: half for single puzzles, half for blocks;
    /// if it runs out, the row says how much was covered
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time)]
    pub(crate) budget: Duration,
    /// Read only the first N puzzles of each corpus
    #[arg(long, value_name = "N", conflicts_with = "plan", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) limit: Option<u64>,
    /// Draw a random sample of N puzzles from each corpus
    #[arg(long, value_name = "N", conflicts_with = "plan", value_parser = count)]
    pub(crate) sample: Option<usize>,
    /// Measure on this core [default: the fastest one, the last among equals]
    #[arg(long, value_name = "N")]
    pub(crate) cpu: Option<usize>,
    /// Puzzles per block: what a solver gets in one call
    #[arg(long, value_name = "N", default_value = "1024", value_parser = count)]
    pub(crate) block: usize,
    /// Measure an external program too: it reads puzzles on stdin, one per line, and writes a
    /// solution, or `unsolvable` or `multiple`, one per line; may be given several times
    #[arg(long, value_name = "NAME=CMD")]
    pub(crate) external: Vec<External>,
    /// Do not measure the throughput on all threads
    #[arg(long)]
    pub(crate) no_throughput: bool,
    /// Write puzzles.csv, with the result of each solver on each puzzle
    #[arg(long)]
    pub(crate) per_puzzle: bool,
    /// Save this run under a name in the output folder
    #[arg(long, value_name = "NAME", conflicts_with = "plan")]
    pub(crate) save_baseline: Option<String>,
    /// Compare with the run saved under this name, or in this folder
    #[arg(
        long,
        value_name = "NAME",
        visible_alias = "compare",
        conflicts_with = "plan"
    )]
    pub(crate) baseline: Option<String>,
    /// Output folder
    #[arg(short, long, value_name = "DIR", default_value = "reports/bench")]
    pub(crate) out: PathBuf,
    /// Wait until another run into the same folder has finished, instead of failing
    #[arg(long, conflicts_with = "plan")]
    pub(crate) wait: bool,
    /// Time, such as `1s` or `20ms`; a puzzle that exceeds it is a `timeout`
    #[arg(
        long,
        value_name = "TIME",
        default_value = "1s",
        value_parser = time,
        help_heading = "Limits per puzzle"
    )]
    pub(crate) time_limit: Duration,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) layout: LayoutArgs,
    #[command(flatten)]
    pub(crate) shard: ShardArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GoalName {
    /// Prove that there is no second solution
    Unique,
    /// Find a first solution
    First,
}

fn count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| *count > 0);
    count.ok_or_else(|| "expected a number from 1".to_owned())
}
