//! `corpus near`.

use std::io::Write;

use sudoku_batch::collection::{
    Board, NearConfig, NearProblem, ReadTally, explainer_rating, near_all,
};
use sudoku_batch::corpus::Rows;
use sudoku_batch::grid::Puzzle;
use sudoku_batch::report::{counted, grouped};

use super::input::{Input, no_json, output};
use crate::cli::args::{Common, NearArgs};
use crate::cli::corpora::OpenRows;
use crate::cli::error::CliError;
use crate::cli::interrupt::stop_flag;
use crate::cli::status::Status;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &NearArgs) -> Result<Status, CliError> {
    no_json(common, "near")?;
    let input = Input::new(&args.input, "near")?;
    match input.any_rows()? {
        OpenRows::Classic(rows) => {
            let keep = |puzzle: &Puzzle| {
                let Some(range) = args.er else { return true };
                explainer_rating(puzzle).is_some_and(|er| range.contains(er))
            };
            search(common, args, &input, *rows, &keep)
        }
        OpenRows::Variant(_) if args.er.is_some() => Err(CliError::with_hint(
            "--er supports only classic boards, and these have other sizes or shapes",
            "omit --er",
        )),
        OpenRows::Variant(rows) => search(common, args, &input, rows, &|_| true),
    }
}

fn search<B: Board>(
    common: &Common,
    args: &NearArgs,
    input: &Input,
    rows: Rows<B>,
    keep: &(dyn Fn(&B::Puzzle) -> bool + Sync),
) -> Result<Status, CliError> {
    let config = NearConfig {
        radius: args.radius,
        minimal: args.minimal,
    };
    let mut report = |problem: &NearProblem<B::Error>| {
        let _ = writeln!(anstream::stderr(), "{problem}");
    };
    let mut out = output(common);
    let work = || near_all(rows, config, keep, stop_flag(), &mut *out, &mut report);
    let (tally, end) = pool(common)?.install(work).map_err(CliError::new)?;
    let read = ReadTally {
        puzzles: tally.puzzles + tally.refused,
        bad_lines: tally.bad_lines,
        broken_files: tally.broken_files,
    };
    let mut done = format!(
        "{} written of {} found",
        grouped(tally.written),
        counted(tally.found, "neighbour")
    );
    if tally.refused > 0 {
        done += &format!(
            ", {} without exactly one solution left out",
            counted(tally.refused, "puzzle")
        );
    }
    input.finish(common, read, end, &done, tally.is_clean())
}
