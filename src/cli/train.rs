//! `sudoku-batch train`.

use super::args::{Common, TrainArgs};
use super::error::CliError;
use super::status::Status;

pub(crate) fn run(_common: &Common, _args: &TrainArgs) -> Result<Status, CliError> {
    Err(CliError::new("not built yet"))
}
