//! Flags of `convert`.

use std::path::PathBuf;

use clap::Args;
use sudoku_batch::variant::Format;

use super::layout::LayoutArgs;
use super::table::TableArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Formats and what they can represent:
  cells     a line of cells: 81 characters on the classic board, 256 on one of 16x16
  numbers   the same as decimal numbers with commas: any size
  fields    cells, then fields after tabs: regions, boxes, diagonals, windows, cages, the solution
  tatham    game IDs of Simon Tatham's Solo: boxes, jigsaws, diagonals and killers
  sumocue   SumoCueV1: 9x9 jigsaws and killers
  perfect   3x3::k:... of Perfect Sudoku, SumoCue and JSudoku: killers

All of them are read, and detected automatically, as is every format that `solve` reads. A puzzle
that the format cannot represent is reported on stderr as FILE:LINE and gives no output.

Examples:
  sudoku-batch convert --to tatham puzzles.txt > ids.txt
  sudoku-batch convert --to numbers --symbols 0-9A-Z hexadecimal.txt
  sudoku-batch convert --to fields killers.sumocue | sudoku-batch solve --pretty

Exit codes: 0 every puzzle converted, 1 some lines bad or not representable in the format, 2 error,
130 interrupted.")]
pub(crate) struct ConvertArgs {
    /// Files of puzzles; `-` is stdin, the default
    #[arg(value_name = "CORPUS")]
    pub(crate) corpora: Vec<PathBuf>,
    /// Output format: cells, numbers, fields, tatham, sumocue or perfect
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Format,
    /// How to write values: 1-9A-Z, 0-9A-Z or A-Z [default: as in the input]
    #[arg(long, value_name = "SYMBOLS")]
    pub(crate) to_symbols: Option<sudoku_batch::variant::Alphabet>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) layout: LayoutArgs,
}
