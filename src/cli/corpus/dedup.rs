//! `corpus dedup`.

use std::io;

use sudoku_batch::collection::{Deduplicator, Keep};
use sudoku_batch::files::WholeFile;
use sudoku_batch::report::{counted, grouped};
use sudoku_batch::stream::End;

use super::input::{Failure, Input, open, output, watched};
use crate::cli::args::{Common, DedupArgs};
use crate::cli::error::{CliError, cannot_write};
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &DedupArgs) -> Result<Status, CliError> {
    let input = match args.hardest {
        None => Input::new(&args.input, "dedup")?,
        Some(_) => Input::repeatable(&args.input, "dedup")?,
    };
    let mut first = Some(input.rows()?);
    let keep = match &args.hardest {
        None => Keep::First,
        Some(name) => {
            let columns = first.as_ref().and_then(|rows| rows.columns());
            let column = columns.and_then(|columns| columns.place(name));
            Keep::Hardest {
                column: column.ok_or_else(|| {
                    CliError::with_hint(
                        format!("there is no column `{name}`"),
                        "--hardest takes a column of numbers in a CSV file, such as the output of `rate`",
                    )
                })?,
            }
        }
    };
    let pool = pool(common)?;
    let mut deduplicator = Deduplicator::new(args.by.into());
    if !args.against.is_empty() {
        let known = open(&args.against, &args.input.table)?;
        let read = pool.install(|| watched(|watch| deduplicator.against(known, watch)));
        if let (_, End::Interrupted) = read.map_err(CliError::new)? {
            return Ok(Status::Interrupted);
        }
    }
    let mut removed = match &args.removed {
        None => None,
        Some(path) => {
            let file = WholeFile::create(path).map_err(|error| cannot_write(path, &error))?;
            let mut table = csv::Writer::from_writer(file);
            let headed = table.write_record(["puzzle", "place", "same_as"]);
            headed.map_err(|error| cannot_write(path, &error.into()))?;
            Some((path, table))
        }
    };
    let mut out = output(common);
    let open = || -> Result<_, Failure> {
        let rows = first.take().map_or_else(|| input.rows(), Ok);
        Ok(rows?)
    };
    let ran = pool.install(|| {
        watched(|watch| {
            deduplicator.run(&keep, open, watch, &mut *out, &mut |row, kept| {
                let Some((_, table)) = &mut removed else {
                    return Ok(());
                };
                let kept = kept.map_or_else(|| "--against".to_owned(), ToString::to_string);
                let cells = [row.puzzle.to_line(), row.place.to_string(), kept];
                table.write_record(cells).map_err(io::Error::from)
            })
        })
    });
    let (tally, end) = ran.map_err(|Failure(error)| error)?;
    if let Some((path, table)) = removed
        && end == End::Complete
    {
        let file = table
            .into_inner()
            .map_err(|error| cannot_write(path, error.error()))?;
        file.finish().map_err(|error| cannot_write(path, &error))?;
    }
    if common.json {
        print(&(serde_json::to_string_pretty(&tally).unwrap_or_default() + "\n"));
    }
    let mut done = format!(
        "{} kept, {} removed",
        grouped(tally.kept),
        grouped(tally.removed)
    );
    if tally.known > 0 {
        done += &format!(", {} known", grouped(tally.known));
    }
    if tally.unnamed > 0 {
        done += &format!(
            ", {} kept without exactly one solution",
            counted(tally.unnamed, "puzzle")
        );
    }
    let is_clean = tally.removed + tally.known + tally.unnamed == 0;
    input.finish(common, tally.read, end, &done, is_clean)
}
