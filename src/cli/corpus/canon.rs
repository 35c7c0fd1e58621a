//! `corpus canon`.

use sudoku_batch::collection::{Board, CanonColumns, canonize_all};
use sudoku_batch::corpus::Rows;
use sudoku_batch::report::counted;
use sudoku_batch::solve::Stop;

use super::input::{Input, no_json, output, watched_of};
use crate::cli::args::{CanonArgs, Common};
use crate::cli::corpora::OpenRows;
use crate::cli::error::CliError;
use crate::cli::interrupt::stop_flag;
use crate::cli::status::Status;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &CanonArgs) -> Result<Status, CliError> {
    no_json(common, "canon")?;
    let input = Input::new(&args.input, "canon")?;
    match input.any_rows()? {
        OpenRows::Classic(rows) => canonize(common, args, &input, *rows),
        OpenRows::Variant(_) if args.transform => Err(CliError::with_hint(
            "--transform supports only classic boards, and these have other sizes or shapes",
            "omit --transform",
        )),
        OpenRows::Variant(rows) => canonize(common, args, &input, rows),
    }
}

fn canonize<B: Board>(
    common: &Common,
    args: &CanonArgs,
    input: &Input,
    rows: Rows<B>,
) -> Result<Status, CliError> {
    let columns = if args.plain {
        CanonColumns::FormOnly
    } else {
        CanonColumns::Table {
            transform: args.transform,
        }
    };
    let form = args.form.into();
    let stop = Some(Stop(stop_flag()));
    let mut out = output(common);
    let work =
        || watched_of::<B, _>(|watch| canonize_all(rows, form, columns, stop, watch, &mut *out));
    let (read, without, end) = pool(common)?.install(work).map_err(CliError::new)?;
    let mut done = format!("{} written", counted(read.puzzles - without, "form"));
    if without > 0 {
        done += &format!(
            ", {} without exactly one solution",
            counted(without, "puzzle")
        );
    }
    input.finish(common, read, end, &done, without == 0)
}
