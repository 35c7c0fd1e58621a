//! `corpus dedup`.

use std::io;
use std::path::PathBuf;

use sudoku_batch::collection::{Board, Deduplicator, Keep};
use sudoku_batch::corpus::Rows;
use sudoku_batch::files::WholeFile;
use sudoku_batch::report::{counted, grouped};
use sudoku_batch::solve::Stop;
use sudoku_batch::stream::End;

use super::input::{Failure, Input, open, output, watched_of};
use crate::cli::args::{Common, DedupArgs};
use crate::cli::corpora::OpenRows;
use crate::cli::error::{CliError, cannot_write};
use crate::cli::interrupt::stop_flag;
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &DedupArgs) -> Result<Status, CliError> {
    let input = match args.hardest {
        None => Input::new(&args.input, "dedup")?,
        Some(_) => Input::repeatable(&args.input, "dedup")?,
    };
    match input.any_rows()? {
        OpenRows::Classic(rows) => {
            let open = |paths: &[PathBuf]| open(paths, &input.table, "corpus dedup");
            remove(common, args, &input, *rows, open)
        }
        OpenRows::Variant(rows) => {
            let open = |paths: &[PathBuf]| input.variant_rows(paths);
            remove(common, args, &input, rows, open)
        }
    }
}

/// Removes duplicates among these rows; `open` opens files of the same kind.
fn remove<B: Board>(
    common: &Common,
    args: &DedupArgs,
    input: &Input,
    rows: Rows<B>,
    open: impl Fn(&[PathBuf]) -> Result<Rows<B>, CliError> + Sync,
) -> Result<Status, CliError> {
    let mut first = Some(rows);
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
    let mut deduplicator = Deduplicator::new(args.by.into()).until(Stop(stop_flag()));
    if !args.against.is_empty() {
        let known = open(&args.against)?;
        let work = || watched_of::<B, _>(|watch| deduplicator.against(known, watch));
        let read = pool.install(work);
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
        let rows = first.take().map_or_else(|| open(&input.paths), Ok);
        Ok(rows?)
    };
    let ran = pool.install(|| {
        watched_of::<B, _>(|watch| {
            deduplicator.run(&keep, open, watch, &mut *out, &mut |row, kept| {
                let Some((_, table)) = &mut removed else {
                    return Ok(());
                };
                let kept = kept.map_or_else(|| "--against".to_owned(), ToString::to_string);
                let cells = [B::line(&row.puzzle), row.place.to_string(), kept];
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
