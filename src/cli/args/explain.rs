//! Flags of `explain`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(after_help = "\
A puzzle is 81 characters, blanks . 0 * _ or -, or nine lines of nine; or 729 characters of pencil
marks, nine for each cell: the n-th is n where the cell may be n, else a dot. It is an argument, a
file that holds one puzzle, or stdin. Each step names its technique in the notation that players
use, and then its whole argument. None assumes that there is only one solution.

Examples:
  sudoku-batch explain 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
  sudoku-batch explain --hint 1 puzzle.txt             where to look for the next step; 2 and 3 say more
  sudoku-batch explain --json puzzle.txt               the steps for other programs
  sudoku-batch explain --svg step.svg --step 12 puzzle.txt
  sudoku-batch generate --kind hard | sudoku-batch explain -

Exit codes: 0 solved or a hint given, 1 stuck, or no or many solutions, 2 nothing done.")]
pub(crate) struct ExplainArgs {
    /// The puzzle, or a file that holds it; `-` is stdin
    #[arg(value_name = "PUZZLE", allow_hyphen_values = true)]
    pub(crate) puzzle: String,
    /// Only the next step: 1 where to look, 2 which technique and where, 3 the whole argument
    #[arg(long, value_name = "LEVEL", conflicts_with = "svg")]
    pub(crate) hint: Option<HintNumber>,
    /// Draw a step too
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// The step to draw [default: the first that is not a single, or the first]
    #[arg(long, value_name = "N", requires = "svg")]
    pub(crate) step: Option<NonZeroUsize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HintNumber {
    /// Where to look
    #[value(name = "1")]
    Where,
    /// Which technique, and where
    #[value(name = "2")]
    Technique,
    /// The whole argument
    #[value(name = "3")]
    Argument,
}
