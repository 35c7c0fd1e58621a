//! Arguments of `corpus export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sudoku_batch::collection::export::{Column, Format};

use super::layout::LayoutArgs;
use super::table::TableArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Columns are copied from columns of the same name in the input; the others are computed, except for
`weight`. `er`, `ep` and `ed` take seconds for each of the hardest puzzles.

  id              identifier: 20 hexadecimal digits of the puzzle's BLAKE3 hash
  puzzle          cells in reading order, `.` for a blank
  solution        values in reading order
  canon           canonical form of the puzzle
  grid_id         the same for all puzzles with equivalent solutions
  givens          number of givens
  automorphisms   number of symmetries that map the puzzle to itself
  minimal         whether no given is redundant
  er, ep, ed      ratings by `rate --profile se-1.2.1`
  guesses_median  median of the guesses of `mrv` over 101 symmetric copies
  source          file and line
  group, split    with --split: the group of puzzles, and train, validation or test
  weight          from the input

`hrm` is the layout that the Hierarchical Reasoning Model and Tiny Recursive Models load: folders
train/ and test/ with NumPy arrays, cells plus one, and dataset.json; rows without a set go to
train/. All formats include README.md, a card with the command, the version and the hashes of the
files. Puzzles without exactly one solution are left out.

A puzzle on a board of another size or shape is followed by its rules, after tabs. Arrays have only
cells: with `npy` and `hrm`, all boards must have the same rules, and copies keep them; fewer copies
are made if there are no more. These boards have no ratings.

Examples:
  sudoku-batch corpus export --to parquet --out data puzzles.csv
  sudoku-batch corpus export --to csv --columns id,puzzle,solution,er,grid_id --out data puzzles.txt
  sudoku-batch corpus split --out sets puzzles.txt
  sudoku-batch corpus export --to hrm --split sets --copies 1000 --out sudoku

Exit codes: 0 success, 1 some lines bad or without exactly one solution, 2 error, 130 interrupted.")]
pub(crate) struct ExportArgs {
    /// Files of puzzles; `-` is stdin, the default
    #[arg(value_name = "CORPUS", conflicts_with = "split")]
    pub(crate) corpora: Vec<PathBuf>,
    /// Export the sets that `corpus split` wrote to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) split: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: ExportFormat,
    /// Output folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Columns to write [default: id,puzzle,solution,givens,source, and with --split group,split]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) columns: Vec<Column>,
    /// With `hrm`: symmetric copies added for each puzzle of the training set
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) copies: u32,
    /// Title of the card
    #[arg(long, value_name = "TEXT", default_value = "Sudoku puzzles")]
    pub(crate) title: String,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) layout: LayoutArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// A table, puzzles.csv
    Csv,
    /// One object per line, puzzles.jsonl
    Jsonl,
    /// NumPy arrays puzzles.npy and solutions.npy, one row of bytes per board, and table.csv
    Npy,
    /// puzzles.parquet
    Parquet,
    /// The folder layout that HRM and TRM load
    Hrm,
}

impl From<ExportFormat> for Format {
    fn from(format: ExportFormat) -> Format {
        match format {
            ExportFormat::Csv => Format::Csv,
            ExportFormat::Jsonl => Format::Jsonl,
            ExportFormat::Npy => Format::Npy,
            ExportFormat::Parquet => Format::Parquet,
            ExportFormat::Hrm => Format::Hrm,
        }
    }
}
