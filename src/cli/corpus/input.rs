//! What the subcommands of `corpus` share: files in, rows out.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use sudoku_batch::collection::{ReadTally, Watch};
use sudoku_batch::corpus::{Corpus, CorpusError, RowFile, Rows};
use sudoku_batch::report::{counted, grouped};
use sudoku_batch::stream::{End, StreamError};
use sudoku_batch::variant::{OpenCorpora, VariantFile};

use crate::cli::args::{Common, CorporaArgs, LayoutArgs, TableArgs};
use crate::cli::corpora::{
    FORMATS, OpenRows, READABLE, classic, nothing_done, open_rows, paths, variant_rows,
};
use crate::cli::error::{CliError, print_error};
use crate::cli::interrupt::stop_flag;
use crate::cli::status::Status;

/// Files of puzzles.
pub(super) struct Input {
    /// The subcommand that reads them.
    command: String,
    pub(super) paths: Vec<PathBuf>,
    pub(super) table: TableArgs,
    pub(super) layout: LayoutArgs,
    pub(super) started: Instant,
}

impl Input {
    /// The files that were named, or stdin.
    pub(super) fn new(args: &CorporaArgs, command: &str) -> Result<Input, CliError> {
        let command = format!("corpus {command}");
        let paths = paths(&args.corpora, &command)?;
        Ok(Input {
            command,
            paths,
            table: args.table.clone(),
            layout: args.layout.clone(),
            started: Instant::now(),
        })
    }

    /// The same, of files that are read more than once: stdin is none.
    pub(super) fn repeatable(args: &CorporaArgs, command: &str) -> Result<Input, CliError> {
        let input = Input::new(args, command)?;
        if input
            .paths
            .iter()
            .any(|path| path.exists() && !path.is_file() || path == Path::new("-"))
        {
            return Err(CliError::with_hint(
                "this reads the puzzles twice, but a pipe can only be read once",
                "save them to a file first",
            ));
        }
        Ok(input)
    }

    /// Opens files of classic puzzles.
    pub(super) fn rows(&self) -> Result<Rows, CliError> {
        open(&self.paths, &self.table, &self.command)
    }

    /// Opens files of puzzles of any kind.
    pub(super) fn any_rows(&self) -> Result<OpenRows, CliError> {
        open_rows(self.paths.clone(), &self.layout, &self.table)
    }

    /// Opens files, these or others, whose puzzles are read as boards of any layout, classic ones too.
    pub(super) fn variant_rows(&self, paths: &[PathBuf]) -> Result<Rows<VariantFile>, CliError> {
        let reading = self.layout.reading_if_given()?;
        variant_rows(OpenCorpora::open(
            paths.to_vec(),
            reading,
            self.table.column(),
        ))
    }

    /// How the command ends, and its line on stderr: `done` says what was done with the puzzles.
    pub(super) fn finish(
        &self,
        common: &Common,
        read: ReadTally,
        end: End,
        done: &str,
        is_clean: bool,
    ) -> Result<Status, CliError> {
        if end == End::Closed {
            return Ok(Status::Clean);
        }
        if read.puzzles == 0 && end == End::Complete {
            let (bad_lines, broken_files) = (read.bad_lines, read.broken_files);
            let (paths, table) = (&self.paths, &self.table);
            return nothing_done(bad_lines, broken_files, paths, table, FORMATS);
        }
        if !common.quiet {
            let seconds = self.started.elapsed().as_secs_f64();
            let rate = read.puzzles as f64 / seconds.max(1e-6);
            let bad = match read.bad_lines {
                0 => String::new(),
                bad => format!(", {}", counted(bad, "bad line")),
            };
            let _ = writeln!(
                anstream::stderr(),
                "{done}{bad}; {} in {seconds:.2} s ({}/s)",
                counted(read.puzzles, "puzzle"),
                grouped(rate.round() as u64)
            );
        }
        Ok(match end {
            End::Interrupted => Status::Interrupted,
            _ if is_clean && read.is_clean() => Status::Clean,
            _ => Status::Partial,
        })
    }
}

/// Opens files of classic puzzles, to write their rows again.
pub(super) fn open(paths: &[PathBuf], table: &TableArgs, command: &str) -> Result<Rows, CliError> {
    let rows = Rows::new(classic(paths, table, command)?);
    rows.map_err(|error| CliError::with_hint(error, READABLE))
}

/// Calls `work` with what stops it and what hears of bad lines.
pub(super) fn watched<T>(work: impl FnOnce(&mut Watch<'_>) -> T) -> T {
    watched_of::<Corpus, T>(work)
}

/// [`watched`] for boards of any kind.
pub(super) fn watched_of<F: RowFile, T>(work: impl FnOnce(&mut Watch<'_, F::Error>) -> T) -> T {
    work(&mut Watch {
        stop: stop_flag(),
        on_error: &mut |error| report::<F>(error),
    })
}

/// One line on stderr.
fn report<F: RowFile>(error: &F::Error) {
    match F::corpus_error(error) {
        Some(CorpusError::Unreadable { .. }) => print_error(error),
        _ => {
            let _ = writeln!(anstream::stderr(), "{error}");
        }
    }
}

/// Results on stdout, or nowhere where the summary goes there.
pub(super) fn output(common: &Common) -> Box<dyn Write + Send> {
    if common.json {
        Box::new(io::sink())
    } else {
        Box::new(io::stdout())
    }
}

/// An error of a stream, or of the command.
pub(super) struct Failure(pub(super) CliError);

impl From<StreamError> for Failure {
    fn from(error: StreamError) -> Failure {
        Failure(CliError::new(error))
    }
}

impl From<CliError> for Failure {
    fn from(error: CliError) -> Failure {
        Failure(error)
    }
}

/// Refuses --json where stdout has rows and no summary.
pub(super) fn no_json(common: &Common, command: &str) -> Result<(), CliError> {
    if common.json {
        return Err(CliError::with_hint(
            format!("`corpus {command}` has no summary to print as JSON"),
            "omit --json; the rows go to stdout",
        ));
    }
    Ok(())
}

/// The command line as it was typed, quoted as a shell takes it.
pub(super) fn command_line() -> String {
    let arguments = std::env::args().skip(1);
    let quoted = arguments.map(|argument| {
        let is_plain =
            |character: char| character.is_alphanumeric() || "-_./,:=%".contains(character);
        if !argument.is_empty() && argument.chars().all(is_plain) {
            argument
        } else {
            format!("'{}'", argument.replace('\'', "'\\''"))
        }
    });
    let mut words = vec!["sudoku-batch".to_owned()];
    words.extend(quoted);
    words.join(" ")
}
