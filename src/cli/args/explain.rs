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
A puzzle is 81 characters, with . 0 * _ or - for blanks, or nine lines of nine; or 729 characters of
pencil marks, nine for each cell: the n-th is n if n is a candidate, else a dot. It is given as an
argument, in a file or on stdin; of a file with several puzzles, in any format that `solve` reads,
each is explained in turn. Each step has its technique in the notation of players, followed by the
whole argument.

The profile `native` never assumes that there is only one solution. The others have such steps, and
refuse puzzles with several solutions.

Boards of other sizes and shapes, as `solve` reads them, are explained by singles, subsets and cage
sums; --hint, --profile and --find apply to classic boards only.

--find searches the board as given: for a later stage of a puzzle, give the pencil marks left then.

Examples:
  sudoku-batch explain puzzle.txt
  sudoku-batch explain --hint 1 puzzle.txt             where to look next; 2 and 3 reveal more
  sudoku-batch explain --json puzzle.txt               the steps for other programs
  sudoku-batch explain --profile se-1.2.1 puzzle.txt   in the order of Sudoku Explainer
  sudoku-batch explain --profile all puzzle.txt        every technique, the easiest first
  sudoku-batch explain --find x-wing puzzle.txt        all X-wings of this board
  sudoku-batch explain --svg step.svg --step 12 puzzle.txt
  sudoku-batch explain --boxes 2x3 --svg board.svg six.txt
  sudoku-batch generate --er 7.. | sudoku-batch explain -

Exit codes: 0 solved, a hint given, or instances found; 1 stuck, out of time, none found, or not
exactly one solution; 2 error.")]
pub(crate) struct ExplainArgs {
    /// A puzzle, or a file of puzzles; `-` is stdin
    #[arg(
        value_name = "PUZZLE",
        allow_hyphen_values = true,
        value_parser = no_flag,
        required_unless_present = "find"
    )]
    pub(crate) puzzle: Option<String>,
    /// Show only the next step: 1 where to look, 2 which technique and where, 3 the whole argument
    #[arg(long, value_name = "LEVEL", value_parser = level, conflicts_with = "svg")]
    pub(crate) hint: Option<HintLevel>,
    #[command(flatten)]
    pub(crate) profile: ProfileArgs,
    /// Show every instance of one technique on the board as given, instead of a path; `list` lists
    /// the names
    #[arg(long, value_name = "TECHNIQUE", conflicts_with_all = ["hint", "svg", "profile"])]
    pub(crate) find: Option<String>,
    /// Time limit per puzzle, such as `1s` or `20ms`; if it is exceeded, the steps found so far are
    /// shown [default: none, and `10s` for boards without exactly one solution]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) time_limit: Option<Duration>,
    /// Draw one step as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// The step to draw [default: the first that is not a single, or the first]; on other boards
    /// the step after which the board is drawn, its cells shaded [default: the board after the last,
    /// without a step]
    #[arg(long, value_name = "N", requires = "svg", value_parser = from_one)]
    pub(crate) step: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) layout: LayoutArgs,
}

/// The value of `--find` that lists the names.
pub(crate) const LIST: &str = "list";

impl ExplainArgs {
    pub(crate) fn lists_names(&self) -> bool {
        self.find.as_deref() == Some(LIST)
    }

    /// Returns the deadline of a search that begins now.
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

/// Refuses a mistyped flag, since a puzzle may begin with dashes, its blanks.
fn no_flag(text: &str) -> Result<String, String> {
    let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-'));
    let is_flag = name.is_some_and(|name| name.starts_with(|it: char| it.is_ascii_lowercase()));
    match is_flag {
        true => Err("there is no such flag".to_owned()),
        false => Ok(text.to_owned()),
    }
}
