//! Flags of `rate`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sudoku_batch::dynamics::HardnessConfig;
use sudoku_batch::stream::Extras;

use super::common::time;
use super::profile::ProfileArgs;
use super::shard::{PartsArgs, ShardArgs};
use super::table::TableArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Corpora may have any format that `solve` reads. Each puzzle gives one row of CSV on stdout, in input
order:

  puzzle, givens
  lee_givens, lee_houses   Lee's levels, by the number of givens and by the fewest in a row or column
  profile                  profile of the rest of the row: its techniques, order and scale
  solved                   1 if no guess was needed
  er, ep, ed               se-1.2.1: rating of the hardest step, of the hardest one up to the first
                           placement, and of the first one
  level, score             hodoku-2.2: EASY to EXTREME, and the sum of the steps
  hardest, steps, guesses  hardest technique, logical steps, and guessed digits
  error                    why the puzzle is not rated: no solution, many solutions, time limit

Slower measures are optional, in further columns. A cell is empty if the puzzle is not rated, or the
measure exceeds the time limit, which starts anew for it:

  --with guesses_median    median of the guesses that the solver `mrv` takes to prove the solution of
                           101 (--copies) symmetric copies of the puzzle. What one solver guesses on
                           one copy says little: copies differ by a factor of 8
  --with eta               eta, eta_error: the measure of Ercsey-Ravasz and Toroczkai, The Chaos
                           Within Sudoku, 2012, and its standard error. A system of differential
                           equations runs from random starting points; the share of them that is
                           not solved by time t falls as exp(-kappa t), and eta = -log10 kappa. Up
                           to 1 is easy, up to 2 medium, up to 3 hard, beyond it ultra-hard. kappa is
                           the maximum likelihood rate after the median (at most 80), censored at
                           --longest. Empty if fewer than 5 are solved in between. Takes from
                           half a second (easy) to a minute and more (hard) per puzzle and core

Examples:
  sudoku-batch rate puzzles.txt > ratings.csv
  sudoku-batch rate --profile se-1.2.1 hardest.txt
  sudoku-batch generate --count 100 | sudoku-batch rate --profile hodoku-2.2
  sudoku-batch rate --json puzzles.txt                 counts by hardest technique instead of rows
  sudoku-batch rate --profile se-1.2.1 --time-limit 10s hardest.txt
  sudoku-batch rate --with guesses_median,eta top95.txt
  sudoku-batch rate --with eta --trajectories 2000 one.txt     a third of the error

Exit codes: 0 every puzzle rated, 1 some lines bad, or puzzles not rated, 2 error, 130 interrupted.")]
pub(crate) struct RateArgs {
    /// Files of puzzles; `-` is stdin, the default
    #[arg(value_name = "CORPUS", conflicts_with = "plan")]
    pub(crate) corpora: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) profile: ProfileArgs,
    /// Time limit per puzzle, such as `1s` or `20ms`; a puzzle that exceeds it is not rated
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) time_limit: Option<Duration>,
    /// Further columns, separated by commas
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    pub(crate) with: Vec<Column>,
    /// Symmetric copies per puzzle, for `guesses_median`
    #[arg(long, value_name = "N", default_value_t = 101)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) copies: u32,
    /// Random starting points per puzzle, for `eta`
    #[arg(long, value_name = "N", default_value_t = HardnessConfig::default().trajectories)]
    #[arg(value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    pub(crate) trajectories: u32,
    /// Time at which a trajectory is given up, for `eta`, in the units of its equations; 50 more
    /// double the work
    #[arg(long, value_name = "TIME", default_value_t = HardnessConfig::default().longest)]
    #[arg(value_parser = longest)]
    pub(crate) longest: f64,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) shard: ShardArgs,
    #[command(flatten)]
    pub(crate) parts: PartsArgs,
}

/// Columns that `--with` adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Column {
    /// Median of the guesses of `mrv` over symmetric copies
    GuessesMedian,
    /// Escape rate of the dynamics, as -log10
    Eta,
}

impl RateArgs {
    /// Returns the measures beside the rating.
    pub(crate) fn extras(&self) -> Extras {
        let has = |column| self.with.contains(&column);
        Extras {
            copies: has(Column::GuessesMedian).then_some(self.copies),
            hardness: has(Column::Eta).then_some(HardnessConfig {
                trajectories: self.trajectories,
                longest: self.longest,
            }),
        }
    }
}

/// Parses a time that a trajectory can reach: the weights grow exponentially, and so does the work.
fn longest(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(time) if (10.0..=500.0).contains(&time) => Ok(time),
        _ => Err("expected a time from 10 to 500".to_owned()),
    }
}
