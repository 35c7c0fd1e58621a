//! Where the difficulty of a row comes from, as the flags have it.

use sudoku_batch::collection::{Board, Difficulty};
use sudoku_batch::corpus::Rows;

use crate::cli::args::DifficultyArgs;
use crate::cli::error::CliError;

/// The column that is taken where none is named.
const USUAL: &str = "er";

/// The difficulty that was asked for, or that of the usual column; `None` if neither is there.
pub(super) fn difficulty<B: Board>(
    args: &DifficultyArgs,
    rows: &Rows<B>,
) -> Result<Option<Difficulty>, CliError> {
    if args.rate && !B::IS_RATED {
        return Err(CliError::with_hint(
            "--rate supports only classic boards, and these have other sizes or shapes",
            "omit it, or name a column of numbers with --column",
        ));
    }
    if args.rate {
        return Ok(Some(Difficulty::Rated));
    }
    let name = args.column.as_deref();
    let found = rows.columns().and_then(|columns| {
        let place = columns.place(name.unwrap_or(USUAL))?;
        Some(Difficulty::Column {
            columns: columns.clone(),
            place,
        })
    });
    match (found, name) {
        (None, Some(name)) => Err(CliError::with_hint(
            format!("there is no column `{name}`"),
            "--column takes a column of numbers in a CSV file, such as the output of `rate`",
        )),
        (found, _) => Ok(found),
    }
}
