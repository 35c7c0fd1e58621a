//! Flags of `report`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
One run: its report.html is rendered again from the files beside it, in its own folder. Several runs:
one page that holds all others against the first one, with a part for each kind of run. What cannot
be compared is said, not guessed. A run is a folder that `bench`, `recognize` or `train` wrote, or the
summary.json in it.

Examples:
  sudoku-batch report reports/bench                    render the page of a run again
  sudoku-batch report before after                     what became better, and what worse?
  sudoku-batch report runs/* -o compared --json        the comparison for other programs, too

Exit codes: 0 all rendered, 1 some runs cannot be read, 2 nothing done.")]
pub(crate) struct ReportArgs {
    /// Folders of runs, or their summary.json; the others are compared with the first
    #[arg(value_name = "DIR", required = true)]
    pub(crate) runs: Vec<PathBuf>,
    /// Where the page of several runs goes [default: reports/report]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
