//! Flags of `rate`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::common::time;
use super::profile::ProfileArgs;
use super::shard::{PartsArgs, ShardArgs};

#[derive(Debug, Args)]
#[command(after_help = "\
Corpora are of any format that `solve` reads. Each puzzle gives one row of CSV on stdout, in input
order:

  puzzle, givens
  lee_givens, lee_houses   Lee's levels, by the givens and by the fewest of them in a row or column
  profile                  whose techniques, order and scale the rest of the row is by
  solved                   1 where no guess was needed
  er, ep, ed               se-1.2.1: rating of the hardest step, of the hardest one up to the first
                           placement, and of the first one
  level, score             hodoku-2.2: EASY to EXTREME, and the sum of the steps
  hardest, steps, guesses  hardest technique, steps of logic, and digits that had to be guessed
  error                    why the puzzle is not rated: no solution, many solutions, time limit

Examples:
  sudoku-batch rate puzzles.txt > ratings.csv
  sudoku-batch rate --profile se-1.2.1 hardest.txt
  sudoku-batch generate --count 100 | sudoku-batch rate --profile hodoku-2.2
  sudoku-batch rate --json puzzles.txt                 counts by hardest technique instead of rows
  sudoku-batch rate --profile se-1.2.1 --time-limit 10s hardest.txt

Exit codes: 0 every puzzle rated, 1 some lines bad, or puzzles not rated, 2 nothing done, 130
interrupted.")]
pub(crate) struct RateArgs {
    /// Files of puzzles; `-` is stdin, which is also read where none is given
    #[arg(value_name = "CORPUS", conflicts_with = "plan")]
    pub(crate) corpora: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) profile: ProfileArgs,
    /// Time for each puzzle, such as `1s` or `20ms`; past it the puzzle is not rated
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) time_limit: Option<Duration>,
    #[command(flatten)]
    pub(crate) shard: ShardArgs,
    #[command(flatten)]
    pub(crate) parts: PartsArgs,
}
