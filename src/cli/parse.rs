//! The arguments, and what is said of those that do not fit.

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use super::args::Cli;
use super::config::Arguments;
use super::error::CliError;
use super::status::Status;
use super::stdout::{note, with_losses};

/// The arguments of the program; or, where only help was asked for or something does not fit, the
/// exit code after that was message_shown.
pub(crate) fn parse() -> Result<Cli, ExitCode> {
    let given = std::env::args_os().collect();
    let arguments = Arguments::with_file(given, Cli::command()).map_err(|error| {
        error.print();
        ExitCode::from(Status::Failed)
    })?;
    let parsed = Cli::try_parse_from(&arguments.all).map_err(|error| {
        let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
        if is_help || !error.use_stderr() {
            // Who closed the stream does not want it.
            note(error.print());
            let status = if is_help {
                Status::Failed
            } else {
                Status::Clean
            };
            return with_losses(status).into();
        }
        let explained = explain(&error.render().to_string());
        match arguments.place_of(&error) {
            Some(place) => explained.at(place).print(),
            None => explained.print(),
        }
        Status::Failed.into()
    });
    parsed.map(|mut cli: Cli| {
        cli.common.configuration = arguments.used;
        cli
    })
}

/// clap says what is wrong in a first paragraph of several lines, and gives tips in others.
fn explain(text: &str) -> CliError {
    let lines = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let first = text.split("\n\n").next().unwrap_or_default();
    let message = lines(first.trim().trim_start_matches("error: "));
    let tips = text.lines().filter_map(|line| {
        let tip = line.trim().strip_prefix("tip: ")?;
        Some(format!("{tip}; "))
    });
    let help = format!("see `{} --help`", command_asked_for());
    CliError::with_hint(message, tips.collect::<String>() + &help)
}

/// The command as far as the arguments name one.
fn command_asked_for() -> String {
    let program = Cli::command();
    let mut command = &program;
    let mut path = program.get_name().to_owned();
    for argument in std::env::args_os().skip(1) {
        if let Some(below) = command.find_subcommand(&argument) {
            command = below;
            path = path + " " + below.get_name();
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_several_paragraphs_becomes_one_line_and_a_hint() {
        let error = Cli::try_parse_from(["sudoku-batch", "recognize", "--backend", "x", "photos"]);
        let message_shown = format!("{:?}", explain(&error.unwrap_err().render().to_string()));
        let message =
            "invalid value 'x' for '--backend <NAME>' [possible values: built-in, opencv]";
        assert!(message_shown.contains(message), "{message_shown}");
        let error = Cli::try_parse_from(["sudoku-batch", "recogniz"]);
        let message_shown = format!("{:?}", explain(&error.unwrap_err().render().to_string()));
        assert!(
            message_shown.contains("exists: 'recognize'; see `"),
            "{message_shown}"
        );
    }
}
