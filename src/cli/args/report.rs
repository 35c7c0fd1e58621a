//! Flags of `report`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
One run: its report.html is rendered again from the files in its folder. Several runs: one page that
compares the others with the first one, with a section for each kind of run. Runs that are not
comparable are marked as such. A run is a folder written by `bench`, `recognize` or `train`, or the
summary.json in it.

Examples:
  sudoku-batch report reports/bench                    render the page of a run again
  sudoku-batch report before after                     what has improved, and what has not?
  sudoku-batch report runs/* -o compared --json        also print the comparison as JSON

Exit codes: 0 all rendered, 1 some runs cannot be read, 2 error.")]
pub(crate) struct ReportArgs {
    /// Folders of runs, or their summary.json; the first is the baseline for the others
    #[arg(value_name = "DIR", required = true)]
    pub(crate) runs: Vec<PathBuf>,
    /// Output folder for the page of several runs [default: reports/report]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
