//! `sudoku-batch completions`.

use clap::CommandFactory;

use super::args::{Cli, CompletionsArgs};
use super::error::CliError;
use super::status::Status;
use super::stdout::print;

pub(crate) fn run(args: &CompletionsArgs) -> Result<Status, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sudoku-batch", &mut script);
    let script = String::from_utf8(script).map_err(CliError::new)?;
    print(&script);
    Ok(Status::Clean)
}
