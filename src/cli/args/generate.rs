//! Flags of `generate`.

use clap::{Args, ValueEnum};
use sudoku_batch::variant::{Boxes, LayoutKind};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch generate --count 1000 > puzzles.txt
  sudoku-batch generate --count 50 --kind hard --seed 7 > hard.txt
  sudoku-batch generate --count 100000 --kind easy | sudoku-batch solve -
  sudoku-batch generate --layout 16x16 -n 5
  sudoku-batch generate --layout 7x7-jigsaw --kind minimal | sudoku-batch solve --pretty
  sudoku-batch generate --layout killer | sudoku-batch explain --svg killer.svg -

Exit codes: 0 all written, 2 nothing done, 130 interrupted.")]
pub(crate) struct GenerateArgs {
    /// How many puzzles to write, one a line
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    pub(crate) count: u64,
    /// What the puzzles are to be like [default: minimal, and easy with --layout]
    #[arg(short, long)]
    pub(crate) kind: Option<PuzzleKind>,
    /// Boards of other sizes and shapes: a size such as 6x6 or 16x16, or x, windoku, jigsaw or killer, or several of
    /// them, as in 7x7-jigsaw; written as `fields`, which `solve` reads and `convert` turns into other formats
    #[arg(short, long, value_name = "LAYOUT")]
    pub(crate) layout: Option<LayoutKind>,
    /// Boxes of such a board, rows x columns [default: as square as can be, 2x3 on 6x6]
    #[arg(long, value_name = "RxC", requires = "layout")]
    pub(crate) boxes: Option<Boxes>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PuzzleKind {
    /// Naked and hidden singles alone solve it; of other boards, what `mrv` concludes without a guess
    Easy,
    /// No given can be left out
    Minimal,
    /// Minimal, and picked out of many for the guesses it takes
    Hard,
}
