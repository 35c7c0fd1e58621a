//! `sudoku-batch generate`.

use super::args::{Common, GenerateArgs};
use super::error::CliError;
use super::status::Status;

pub(crate) fn run(_common: &Common, _args: &GenerateArgs) -> Result<Status, CliError> {
    Err(CliError::new("not built yet"))
}
