//! External programs: their names, command lines, and lines of text.

use std::process::{Command, Stdio};
use std::str::FromStr;

use thiserror::Error;

/// A program that reads one puzzle per line, and writes one answer per line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
    /// Name of its row.
    pub name: String,
    program: String,
    arguments: Vec<String>,
}

/// Error of a text that is not `NAME=CMD`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExternalError {
    /// The name is missing.
    #[error("expected NAME=CMD, such as other='./other --quiet'")]
    NoName,
    /// The command is missing.
    #[error("there is no command after {0}=")]
    NoCommand(String),
    /// A quote is not closed.
    #[error("a quote in the command of {0} is not closed")]
    OpenQuote(String),
}

impl FromStr for External {
    type Err = ExternalError;

    /// Parses `NAME=CMD`; the command is split as a shell does, but no shell runs it.
    fn from_str(text: &str) -> Result<External, ExternalError> {
        let (name, command) = text.split_once('=').ok_or(ExternalError::NoName)?;
        if name.trim().is_empty() {
            return Err(ExternalError::NoName);
        }
        let name = name.trim().to_owned();
        let words = shell_words::split(command);
        let words = words.map_err(|_| ExternalError::OpenQuote(name.clone()))?;
        let mut words = words.into_iter();
        match words.next() {
            Some(program) => Ok(External {
                name,
                program,
                arguments: words.collect(),
            }),
            None => Err(ExternalError::NoCommand(name)),
        }
    }
}

impl External {
    /// Returns the command with all three streams piped.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // A group of its own, so that it can be killed with all that it has started.
            command.process_group(0);
        }
        command
    }
}

/// Returns the start of a line, for a message.
pub(super) fn excerpt(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line.trim_ascii());
    let mut start: String = text.chars().take(40).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    format!("{start:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_like_a_shell() {
        let external: External = "mine=./a 'b c' \"d\"".parse().unwrap();
        assert_eq!(external.name, "mine");
        assert_eq!(external.program, "./a");
        assert_eq!(external.arguments, ["b c", "d"]);
        let error = |text: &str| text.parse::<External>().unwrap_err();
        assert_eq!(error("no name"), ExternalError::NoName);
        assert_eq!(error("=x"), ExternalError::NoName);
        assert_eq!(error("a= "), ExternalError::NoCommand("a".to_owned()));
        assert_eq!(error("a='x"), ExternalError::OpenQuote("a".to_owned()));
    }
}
