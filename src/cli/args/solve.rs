//! Flags of `solve`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use sudoku_batch::stream::Ask;

/// The most solutions of one puzzle that are written on one line.
const MOST_SOLUTIONS: usize = 100_000;

#[derive(Debug, Args)]
#[command(after_help = "\
A corpus holds one puzzle a line: 81 characters, blanks . 0 * _ or -, and perhaps a note after them;
or nine lines a puzzle (.sdk, .ss); or CSV with a column `puzzle` or `quizzes`, and perhaps
`solution` or `solutions`, which is checked. # starts a comment; gzip and zstd are unpacked.

Each puzzle gives one line: its solution, `unsolvable`, or `multiple`. A bad line is reported on
stderr as FILE:LINE and gives none. The summary goes to stderr, so --json does not apply.

Examples:
  sudoku-batch solve puzzles.txt > solutions.txt
  sudoku-batch solve kaggle.csv.gz hard.sdk            several corpora, of any format
  sudoku-batch generate --count 1000 | sudoku-batch solve
  sudoku-batch solve --goal count:10 ambiguous.txt     up to ten solutions of each

Exit codes: 0 every line answered, 1 some lines bad or some given solutions wrong, 2 nothing done,
130 interrupted.")]
pub(crate) struct SolveArgs {
    /// Files of puzzles; `-` is stdin, which is also read where none is given
    #[arg(value_name = "CORPUS")]
    pub(crate) corpora: Vec<PathBuf>,
    /// What to ask: `first` solution, `unique` solution (`multiple` if there are more), or
    /// `count:N`, up to N solutions joined by commas
    #[arg(long, value_name = "GOAL", default_value = "unique", value_parser = ask)]
    pub(crate) goal: Ask,
    /// Solver [default: the fastest complete one]
    #[arg(long, value_name = "NAME")]
    pub(crate) solver: Option<String>,
}

fn ask(text: &str) -> Result<Ask, String> {
    match text {
        "first" => Ok(Ask::First),
        "unique" => Ok(Ask::Unique),
        _ => text
            .strip_prefix("count:")
            .and_then(|limit| limit.parse().ok())
            .filter(|limit: &NonZeroUsize| limit.get() <= MOST_SOLUTIONS)
            .map(Ask::Count)
            .ok_or_else(|| {
                format!("expected first, unique or count:N with N from 1 to {MOST_SOLUTIONS}")
            }),
    }
}
