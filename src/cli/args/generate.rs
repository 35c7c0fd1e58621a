//! Flags of `generate`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sudoku_batch::generate::{Distribution, GivensSymmetry, LevelName, Span, Tenths};
use sudoku_batch::variant::{Boxes, LayoutKind};

use super::common::time;

#[derive(Debug, Args)]
#[command(after_help = "\
Distributions: nobody knows how to draw minimal puzzles uniformly.
  bottom-up   random givens until one solution is left, then givens go in random order while that
              stays so. Favours few givens: 24.1 on average; all minimal puzzles have 26.6. Boards
              are not uniform: those with many puzzles of few givens are met more often.
  top-down    givens go from a full board in random order, each unless it is needed. Favours few
              givens, 24.4 on average. Its boards are those of bottom-up, and not uniform.
  controlled  as top-down, but a trial ends at the first given that is needed, so that a puzzle's
              probability depends on its number n of givens only: in a mean over all minimal
              puzzles it counts C(81, n) times (D. Berthier, \"Unbiased Statistics of a CSP - A
              Controlled-Bias Generator\", 2009). --weights writes that, in units of C(81, 26).
              Boards are uniform. Puzzles of more than 34 givens are left out.
With --symmetry, what goes is an orbit: cells that the symmetry moves to each other. The puzzles are
minimal in the sense that no orbit can go. With --pattern, digits are searched for, and a given may
be superfluous. --er, --level and --givens reject what does not match, and change nothing else; what
is out of reach is drawn for ever without --time-limit or --trials. Minimal puzzles seldom have more
than 28 givens: where more are asked for and nothing else is said, the kind is `any`.

Examples:
  sudoku-batch generate --count 1000 > puzzles.txt
  sudoku-batch generate --count 50 --er 8.0..9.0 --seed 7 > hard.txt
  sudoku-batch generate -n 10 --level medium..hard --symmetry half-turn
  sudoku-batch generate -n 20 --distribution controlled --weights > sample.csv
  sudoku-batch generate --count 100000 --kind easy | sudoku-batch solve -
  sudoku-batch generate --layout 16x16 -n 5
  sudoku-batch generate --layout 7x7-jigsaw --kind minimal | sudoku-batch solve --pretty
  sudoku-batch generate --layout killer | sudoku-batch explain --svg killer.svg -

Exit codes: 0 all written, 1 given up at a limit, 2 nothing done, 130 interrupted.")]
pub(crate) struct GenerateArgs {
    /// How many puzzles to write, one a line
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    pub(crate) count: u64,
    /// What the puzzles are to be like [default: minimal, and easy with --layout]
    #[arg(short, long)]
    pub(crate) kind: Option<PuzzleKind>,
    /// How minimal puzzles are drawn; see below [default: bottom-up]
    #[arg(long, conflicts_with = "layout")]
    pub(crate) distribution: Option<DistributionName>,
    /// Write a CSV table with the columns puzzle, givens and weight; with --distribution controlled
    #[arg(long, requires = "distribution")]
    pub(crate) weights: bool,
    /// Keep puzzles whose hardest step has this rating (ER) by Sudoku Explainer 1.2.1: A..B, A.., ..B or A
    #[arg(long, value_name = "A..B", conflicts_with = "layout")]
    pub(crate) er: Option<Span<Tenths>>,
    /// Keep puzzles of this level by HoDoKu 2.2, or from one to another: easy, medium, hard, unfair, extreme
    #[arg(long, value_name = "NAME", conflicts_with = "layout")]
    pub(crate) level: Option<Span<LevelName>>,
    /// Keep puzzles with so many givens: A..B, A.., ..B or A
    #[arg(long, value_name = "A..B", conflicts_with = "layout")]
    pub(crate) givens: Option<Span<usize>>,
    /// Symmetry of the pattern of givens: half-turn (or rotational), quarter-turn, horizontal (top mirrors bottom),
    /// vertical (left mirrors right), diagonal, anti-diagonal, both-mirrors, both-diagonals or full
    #[arg(long, value_name = "KIND", conflicts_with = "layout")]
    pub(crate) symmetry: Option<GivensSymmetry>,
    /// Put givens just where this file has them, or stdin for `-`: lines of 81 characters, of which `.`, `0`, `*`,
    /// `_` and `-` are blanks and all others are givens; with several lines, puzzle by puzzle in turn
    #[arg(long, value_name = "FILE", conflicts_with = "layout")]
    pub(crate) pattern: Option<PathBuf>,
    /// Time for all puzzles together, such as 30s or 5m; what is not found by then is given up
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with = "layout")]
    pub(crate) time_limit: Option<Duration>,
    /// Draw so many puzzles at most, whether kept or not
    #[arg(long, value_name = "N", conflicts_with = "layout")]
    pub(crate) trials: Option<u64>,
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
    /// Minimal, and then givens of the solution are added until there are as many as --givens asks for
    Any,
    /// What was once picked for the guesses it takes: `--er` is there instead
    #[value(hide = true)]
    Hard,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DistributionName {
    /// From the empty board up, then down again
    BottomUp,
    /// From a full board down
    TopDown,
    /// From a full board down, with known weights
    Controlled,
}

impl From<DistributionName> for Distribution {
    fn from(name: DistributionName) -> Distribution {
        match name {
            DistributionName::BottomUp => Distribution::BottomUp,
            DistributionName::TopDown => Distribution::TopDown,
            DistributionName::Controlled => Distribution::Controlled,
        }
    }
}
