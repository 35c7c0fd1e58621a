//! Flags of `generate`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sudoku_batch::generate::{Distribution, GivensSymmetry, LevelName, Span, Tenths};
use sudoku_batch::variant::{Boxes, LayoutKind};

use super::common::time;

#[derive(Debug, Args)]
#[command(after_help = "\
Distributions (no method is known that draws minimal puzzles uniformly):
  top-down    removes givens from a full board in random order, each unless it is needed. Biased to
              few givens: 24.4 on average; all minimal puzzles have 26.6. Its boards are completions
              of 12 random givens, and not uniform.
  bottom-up   adds random givens until one solution is left, then removes givens in random order
              while it stays unique. More biased: 24.1 givens on average. Boards are not uniform:
              those with many puzzles of few givens are more frequent.
  controlled  like top-down, but a trial ends at the first given that is needed, so that a puzzle's
              probability depends only on its number n of givens: its weight in a mean over all
              minimal puzzles is C(81, n) (D. Berthier, \"Unbiased Statistics of a CSP - A
              Controlled-Bias Generator\", 2009). --weights writes it, in units of C(81, 26).
              Boards are uniform. Puzzles of more than 34 givens are left out.
With --symmetry, whole orbits are removed: cells that the symmetry moves to each other. The puzzles
are minimal in the sense that no orbit is redundant. With --pattern, digits are searched for the
pattern, and a given may be redundant. --er, --level and --givens reject puzzles that do not match,
and do not affect the others; a search for what does not exist ends only by --time-limit or
--trials. Minimal puzzles seldom have more than 28 givens: if more are asked for without --kind, the
kind is `any`.

Examples:
  sudoku-batch generate --count 1000 > puzzles.txt
  sudoku-batch generate --count 50 --er 8.0..9.0 --seed 7 > hard.txt
  sudoku-batch generate -n 10 --level medium..hard --symmetry half-turn
  sudoku-batch generate -n 20 --distribution controlled --weights > sample.csv
  sudoku-batch generate --count 100000 --kind easy | sudoku-batch solve -
  sudoku-batch generate --layout 16x16 -n 5
  sudoku-batch generate --layout 7x7-jigsaw --kind minimal | sudoku-batch solve --pretty
  sudoku-batch generate --layout killer | sudoku-batch explain --svg killer.svg -

Exit codes: 0 all written, 1 given up at a limit, 2 error, 130 interrupted.")]
pub(crate) struct GenerateArgs {
    /// How many puzzles to write, one per line
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    pub(crate) count: u64,
    /// Kind of puzzles [default: minimal, and easy with --layout]
    #[arg(short, long)]
    pub(crate) kind: Option<PuzzleKind>,
    /// How to draw minimal puzzles; see below [default: top-down]
    #[arg(long, conflicts_with = "layout")]
    pub(crate) distribution: Option<DistributionName>,
    /// Write a CSV table with the columns puzzle, givens and weight; requires --distribution
    /// controlled
    #[arg(long, requires = "distribution")]
    pub(crate) weights: bool,
    /// Keep only puzzles whose hardest step has this rating (ER) by Sudoku Explainer 1.2.1: A..B,
    /// A.., ..B or A
    #[arg(long, value_name = "A..B", conflicts_with = "layout")]
    pub(crate) er: Option<Span<Tenths>>,
    /// Keep only puzzles of this level, or range of levels, by HoDoKu 2.2: easy, medium, hard,
    /// unfair, extreme
    #[arg(long, value_name = "NAME", conflicts_with = "layout")]
    pub(crate) level: Option<Span<LevelName>>,
    /// Keep only puzzles with this many givens: A..B, A.., ..B or A
    #[arg(long, value_name = "A..B", conflicts_with = "layout")]
    pub(crate) givens: Option<Span<usize>>,
    /// Symmetry of the pattern of givens: half-turn (or rotational), quarter-turn, horizontal (top mirrors bottom),
    /// vertical (left mirrors right), diagonal, anti-diagonal, both-mirrors, both-diagonals or full
    #[arg(long, value_name = "KIND", conflicts_with = "layout")]
    pub(crate) symmetry: Option<GivensSymmetry>,
    /// Place givens exactly where this file has them (`-` is stdin): lines of 81 characters, of
    /// which `.`, `0`, `*`, `_` and `-` are blanks and all others givens; with several lines, each
    /// puzzle takes the next one in turn
    #[arg(long, value_name = "FILE", conflicts_with = "layout")]
    pub(crate) pattern: Option<PathBuf>,
    /// Time limit for all puzzles together, such as 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with = "layout")]
    pub(crate) time_limit: Option<Duration>,
    /// Most puzzles to draw, whether kept or not
    #[arg(long, value_name = "N", conflicts_with = "layout")]
    pub(crate) trials: Option<u64>,
    /// Boards of other sizes and shapes: a size such as 6x6 or 16x16, or x, windoku, jigsaw or
    /// killer, or a combination, as in 7x7-jigsaw; written as `fields`, which `solve` reads and
    /// `convert` turns into other formats
    #[arg(short, long, value_name = "LAYOUT")]
    pub(crate) layout: Option<LayoutKind>,
    /// Boxes of such a board, rows x columns [default: as square as possible, 2x3 on 6x6]
    #[arg(long, value_name = "RxC", requires = "layout")]
    pub(crate) boxes: Option<Boxes>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PuzzleKind {
    /// Solved by naked and hidden singles alone; on other boards, by `mrv` without a guess
    Easy,
    /// No given is redundant
    Minimal,
    /// Minimal, then givens of the solution are added up to the number that --givens asks for
    Any,
    /// A former kind that counted guesses: `--er` replaces it
    #[value(hide = true)]
    Hard,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DistributionName {
    /// Removes givens from a full board
    TopDown,
    /// Adds givens to the empty board, then removes some
    BottomUp,
    /// Removes givens from a full board, with known weights
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
