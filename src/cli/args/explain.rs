//! Flags of `explain`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use sudoku_batch::logic::HintLevel;
use sudoku_batch::solve::Deadline;

use super::common::{from_one, time};
use super::layout::LayoutArgs;
use super::profile::ProfileArgs;
use super::table::TableArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
A puzzle is 81 characters, blanks . 0 * _ or -, or nine lines of nine; or 729 characters of pencil
marks, nine for each cell: the n-th is n where the cell may be n, else a dot. It is an argument, or
in a file or on stdin; of a file with several puzzles, in any format that `solve` reads, each is
explained in turn. Each step names its technique in the notation that players use, and then its
whole argument.

No step of the profile `native` assumes that there is only one solution. The others have such steps:
where there are more solutions, they are refused.

Boards of other sizes and shapes, as `solve` reads them, are explained by singles, subsets and the
sums of cages; --hint, --profile and --find are for classic boards.

--find looks at the board as it is: to see what a puzzle offers later on, give the pencil marks that
are left then.

Examples:
  sudoku-batch explain puzzle.txt
  sudoku-batch explain --hint 1 puzzle.txt             where to look next; 2 and 3 say more
  sudoku-batch explain --json puzzle.txt               the steps for other programs
  sudoku-batch explain --profile se-1.2.1 puzzle.txt   as Sudoku Explainer goes
  sudoku-batch explain --profile all puzzle.txt        every technique, the easiest first
  sudoku-batch explain --find x-wing puzzle.txt        all X-wings of this board
  sudoku-batch explain --svg step.svg --step 12 puzzle.txt
  sudoku-batch explain --boxes 2x3 --svg board.svg six.txt
  sudoku-batch generate --er 7.. | sudoku-batch explain -

Exit codes: 0 solved, a hint given, or instances found; 1 stuck, late, none found, or no or many
solutions; 2 nothing done.")]
pub(crate) struct ExplainArgs {
    /// A puzzle, or a file of puzzles; `-` is stdin
    #[arg(
        value_name = "PUZZLE",
        allow_hyphen_values = true,
        required_unless_present = "find"
    )]
    pub(crate) puzzle: Option<String>,
    /// Only the next step: 1 where to look, 2 which technique and where, 3 the whole argument
    #[arg(long, value_name = "LEVEL", value_parser = level, conflicts_with = "svg")]
    pub(crate) hint: Option<HintLevel>,
    #[command(flatten)]
    pub(crate) profile: ProfileArgs,
    /// Every instance of one technique on the board as it is, instead of a path; `list` lists the
    /// names
    #[arg(long, value_name = "TECHNIQUE", conflicts_with_all = ["hint", "svg", "profile"])]
    pub(crate) find: Option<String>,
    /// Time for each puzzle, such as `1s` or `20ms`; past it the steps found so far are shown
    /// [default: none, and `10s` for boards without exactly one solution]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) time_limit: Option<Duration>,
    /// Draw a step too
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// The step to draw [default: the first that is not a single, or the first]; of other boards the step
    /// after which the board is drawn, its cells shaded [default: the board after the last, without a step]
    #[arg(long, value_name = "N", requires = "svg", value_parser = from_one)]
    pub(crate) step: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) layout: LayoutArgs,
}

/// What `--find` asks for the names.
pub(crate) const LIST: &str = "list";

impl ExplainArgs {
    pub(crate) fn lists_names(&self) -> bool {
        self.find.as_deref() == Some(LIST)
    }

    /// When a search that begins now gives up.
    pub(crate) fn deadline(&self) -> Deadline {
        Deadline::after(self.time_limit)
    }
}

fn level(text: &str) -> Result<HintLevel, String> {
    match text {
        "1" => Ok(HintLevel::Where),
        "2" => Ok(HintLevel::Technique),
        "3" => Ok(HintLevel::Argument),
        _ => Err("expected 1, 2 or 3".to_owned()),
    }
}
