//! Flags of `generate`.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch generate --count 1000 > puzzles.txt
  sudoku-batch generate --count 50 --kind hard --seed 7 > hard.txt
  sudoku-batch generate --count 100000 --kind easy | sudoku-batch solve -

Exit codes: 0 all written, 2 nothing done, 130 interrupted.")]
pub(crate) struct GenerateArgs {
    /// How many puzzles to write, one a line
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    pub(crate) count: u64,
    /// What the puzzles are to be like
    #[arg(short, long, default_value = "minimal")]
    pub(crate) kind: PuzzleKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PuzzleKind {
    /// Naked and hidden singles alone solve it
    Easy,
    /// No given can be left out
    Minimal,
    /// Minimal, and picked out of many for the guesses it takes
    Hard,
}
