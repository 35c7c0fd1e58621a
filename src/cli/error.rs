//! Errors as the user sees them: one line, and what to do about it.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use sudoku_batch::files::WriteError;

/// An error that ends the command, with advice where there is some.
#[derive(Debug)]
pub(crate) struct CliError {
    message: String,
    hint: Option<String>,
}

impl CliError {
    pub(crate) fn new(message: impl Display) -> CliError {
        CliError {
            message: message.to_string(),
            hint: None,
        }
    }

    pub(crate) fn with_hint(message: impl Display, hint: impl Display) -> CliError {
        CliError {
            message: message.to_string(),
            hint: Some(hint.to_string()),
        }
    }

    /// The same error, with the place of what it is about in front.
    pub(crate) fn at(self, place: &str) -> CliError {
        CliError {
            message: format!("{place}: {}", self.message),
            ..self
        }
    }

    /// The same error with this advice.
    pub(crate) fn with_advice(self, hint: &str) -> CliError {
        CliError {
            hint: Some(hint.to_owned()),
            ..self
        }
    }

    /// What went wrong, without the advice.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Prints `error: …` and, where there is one, `hint: …` on stderr.
    pub(crate) fn print(&self) {
        print_error(&self.message);
        if let Some(hint) = &self.hint {
            print_hint(hint);
        }
    }
}

/// What to do where the output folder cannot be written to.
pub(crate) const WRITABLE: &str = "give a writable folder with --out";

/// A file of the output folder that cannot be written.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> CliError {
    CliError::with_hint(
        format!("cannot write {}: {error}", path.display()),
        WRITABLE,
    )
}

/// A file or folder of the output that cannot be written.
pub(crate) fn unwritable(error: WriteError) -> CliError {
    let hint = match error.source.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            "a file of this name exists: give another folder with --out"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "the disk is full: free some space, or give another folder with --out"
        }
        _ => WRITABLE,
    };
    CliError::with_hint(error, hint)
}

/// Prints one `error: …` line on stderr: for a failure that does not end the command.
pub(crate) fn print_error(message: impl Display) {
    labeled("error", AnsiColor::Red, message);
}

/// Prints one `hint: …` line on stderr.
pub(crate) fn print_hint(message: impl Display) {
    labeled("hint", AnsiColor::Cyan, message);
}

/// Prints one `warning: …` line on stderr.
pub(crate) fn print_warning(message: impl Display) {
    labeled("warning", AnsiColor::Yellow, message);
}

/// The text with what would move the cursor or change the terminal written out: names of files may hold anything.
pub(crate) fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => printable.push(character),
            it if it.is_control() => printable.extend(it.escape_default()),
            it => printable.push(it),
        }
    }
    printable
}

fn labeled(label: &str, color: AnsiColor, message: impl Display) {
    let message = printable(&message.to_string());
    let style = Style::new().bold().fg_color(Some(color.into()));
    // Whoever closed stderr does not want to know.
    let _ = writeln!(anstream::stderr(), "{style}{label}:{style:#} {message}");
}
