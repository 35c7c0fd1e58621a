//! `corpus canon`.

use sudoku_batch::collection::{CanonColumns, canonize_all};
use sudoku_batch::report::counted;

use super::input::{Input, no_json, output, watched};
use crate::cli::args::{CanonArgs, Common};
use crate::cli::error::CliError;
use crate::cli::status::Status;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &CanonArgs) -> Result<Status, CliError> {
    no_json(common, "canon")?;
    let input = Input::new(&args.input, "canon")?;
    let rows = input.rows()?;
    let columns = if args.plain {
        CanonColumns::FormOnly
    } else {
        CanonColumns::Table {
            transform: args.transform,
        }
    };
    let form = args.form.into();
    let mut out = output(common);
    let (read, without, end) = pool(common)?
        .install(|| watched(|watch| canonize_all(rows, form, columns, watch, &mut *out)))
        .map_err(CliError::new)?;
    let mut done = format!("{} written", counted(read.puzzles - without, "form"));
    if without > 0 {
        done += &format!(
            ", {} without exactly one solution",
            counted(without, "puzzle")
        );
    }
    input.finish(common, read, end, &done, without == 0)
}
