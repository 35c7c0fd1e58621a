//! `sudoku-batch dataset`.

use super::args::{Common, DatasetArgs};
use super::error::CliError;
use super::status::Status;

pub(crate) fn run(_common: &Common, _args: &DatasetArgs) -> Result<Status, CliError> {
    Err(CliError::new("not built yet"))
}
