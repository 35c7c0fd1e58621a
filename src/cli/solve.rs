//! `sudoku-batch solve`.

use super::args::{Common, SolveArgs};
use super::error::CliError;
use super::status::Status;

pub(crate) fn run(_common: &Common, _args: &SolveArgs) -> Result<Status, CliError> {
    Err(CliError::new("not built yet"))
}
