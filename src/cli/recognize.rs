//! `sudoku-batch recognize`.

use super::args::{Common, RecognizeArgs};
use super::error::CliError;
use super::status::Status;

pub(crate) fn run(_common: &Common, _args: &RecognizeArgs) -> Result<Status, CliError> {
    Err(CliError::new("not built yet"))
}
