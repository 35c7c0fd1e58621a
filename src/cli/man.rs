//! `sudoku-batch man`: manual pages, from the same words as `--help`.

use std::io;
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use roff::{Roff, roman};
use sudoku_batch::files::write_bytes;

use super::args::{Cli, ManArgs};
use super::error::{CliError, cannot_write};
use super::status::Status;
use super::stdout::print;

pub(crate) fn run(args: &ManArgs) -> Result<Status, CliError> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    if let Some(folder) = &args.out {
        let pages = write(&program, folder)?;
        print(&format!("{}: {pages} pages\n", folder.display()));
    } else {
        print(&page(find(&program, &args.command)?)?);
    }
    Ok(Status::Clean)
}

/// The command with this path of names below the program.
fn find<'a>(program: &'a Command, names: &[String]) -> Result<&'a Command, CliError> {
    names.iter().try_fold(program, |command, name| {
        command.find_subcommand(name).ok_or_else(|| {
            let commands: Vec<&str> = subcommands(command).map(Command::get_name).collect();
            let hint = match &commands[..] {
                [] => format!("{} has no subcommands", command.get_name()),
                _ => format!("known commands: {}", commands.join(", ")),
            };
            CliError::with_hint(format!("unknown command {name:?}"), hint)
        })
    })
}

/// All but `help`, which each of them has as a flag.
fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command
        .get_subcommands()
        .filter(|command| command.get_name() != "help")
}

/// Writes the pages of a command and of all below it; says how many.
fn write(command: &Command, folder: &Path) -> Result<usize, CliError> {
    let path = folder.join(Man::new(command.clone()).get_filename());
    write_bytes(&path, page(command)?.as_bytes()).map_err(|error| cannot_write(&path, &error))?;
    subcommands(command).try_fold(1, |pages, command| Ok(pages + write(command, folder)?))
}

/// The page of a command in roff.
fn page(command: &Command) -> Result<String, CliError> {
    let bytes = render(command).map_err(CliError::new)?;
    String::from_utf8(bytes).map_err(CliError::new)
}

/// What clap knows in the sections of every page, with what follows the flags in `--help` where
/// readers of manuals look for it: prose in the description, exit codes, examples.
fn render(command: &Command) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone())
        .source(concat!("sudoku-batch ", env!("CARGO_PKG_VERSION")))
        .manual("Manual of sudoku-batch")
        // An empty date is no argument at all, and those behind it would move up.
        .date(" ");
    let help = command.get_after_help().map(ToString::to_string);
    let help = help.unwrap_or_default();
    let (mut prose, mut exit_codes, mut examples) = (Roff::new(), Roff::new(), Roff::new());
    for paragraph in help.split("\n\n") {
        if let Some(lines) = paragraph.strip_prefix("Examples:\n") {
            examples.control("SH", ["EXAMPLES"]);
            verbatim(&mut examples, lines);
        } else if let Some(codes) = paragraph.strip_prefix("Exit codes: ") {
            exit_codes.control("SH", ["EXIT STATUS"]);
            exit_codes.text([roman(one_line(codes))]);
        } else if paragraph.contains("\n  ") || paragraph.starts_with("  ") {
            verbatim(&mut prose, paragraph);
        } else if !paragraph.is_empty() {
            prose.control("PP", []);
            prose.text([roman(one_line(paragraph))]);
        }
    }
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    page.extend(prose.to_roff().bytes());
    man.render_options_section(&mut page)?;
    if subcommands(command).next().is_some() {
        man.render_subcommands_section(&mut page)?;
    }
    page.extend(exit_codes.to_roff().bytes());
    page.extend(examples.to_roff().bytes());
    Ok(page)
}

/// Lines that stay as they are.
fn verbatim(roff: &mut Roff, lines: &str) {
    roff.control("PP", []);
    roff.control("nf", []);
    for line in lines.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
}

fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}
