//! `corpus near`.

use std::io::Write;

use sudoku_batch::collection::{NearConfig, NearProblem, ReadTally, explainer_rating, near_all};
use sudoku_batch::grid::Puzzle;
use sudoku_batch::report::{counted, grouped};

use super::input::{Input, no_json, output};
use crate::cli::args::{Common, NearArgs};
use crate::cli::corpora::classic;
use crate::cli::error::CliError;
use crate::cli::interrupt::stop_flag;
use crate::cli::status::Status;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &NearArgs) -> Result<Status, CliError> {
    no_json(common, "near")?;
    let input = Input::new(&args.input, "near")?;
    let entries = classic(&input.paths, &input.table, "corpus near")?;
    let config = NearConfig {
        radius: args.radius,
        minimal: args.minimal,
    };
    let keep = |puzzle: &Puzzle| {
        let Some(range) = args.er else { return true };
        explainer_rating(puzzle).is_some_and(|er| range.contains(er))
    };
    let mut report = |problem: &NearProblem| {
        let _ = writeln!(anstream::stderr(), "{problem}");
    };
    let mut out = output(common);
    let found = pool(common)?
        .install(|| near_all(entries, config, &keep, stop_flag(), &mut *out, &mut report));
    let (tally, end) = found.map_err(CliError::new)?;
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
