//! The corpora of a command line.

use std::collections::HashSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use sudoku_batch::corpus::{Corpora, Corpus, Files, RowFile, Rows};
use sudoku_batch::stream::End;
use sudoku_batch::variant::{FormatError, OpenCorpora, VariantCorpusError, VariantFile};

use super::args::{LayoutArgs, ShardArgs, TableArgs};
use super::error::{CliError, print_hint};
use super::status::Status;

/// What is read by commands that know the classic board only.
pub(crate) const CLASSIC_FORMATS: &str = "a puzzle is a line of 81 characters (blanks . 0 * _ or -), nine lines of \
                       nine, or a CSV row under a header with `puzzle` or the like; see `solve --help`";

/// What is read by commands that know boards of any size.
pub(crate) const FORMATS: &str = "a puzzle is a line of 81 characters (blanks . 0 * _ or -), or of 16 (4x4) to 1,296 (36x36); as many lines as a row has cells; \
     a CSV row under a header with `puzzle` or the like; or a game id (`3x3:…`, `SumoCueV1=…`, `3x3::k:…`): see `convert --help`";

/// What to do about files that cannot be read.
pub(crate) const READABLE: &str = "give readable files of puzzles, or pipe them in";

/// What to do about a table of which it is not known which column has the puzzles.
pub(crate) const COLUMN: &str =
    "--puzzle-column NAME takes the puzzles from the column of this name";

/// The corpora to read; stdin where none is given and somebody writes to it.
pub(crate) fn paths(corpora: &[PathBuf], command: &str) -> Result<Vec<PathBuf>, CliError> {
    if !corpora.is_empty() {
        return Ok(corpora.to_vec());
    }
    if io::stdin().is_terminal() {
        return Err(CliError::with_hint(
            "no puzzles given",
            format!("give a file, or pipe puzzles in: sudoku-batch {command} puzzles.txt"),
        ));
    }
    Ok(vec![PathBuf::from("-")])
}

/// Files of puzzles of any kind, as the flags have them read.
///
/// # Errors
/// Where the flags make no layout, or the first puzzle cannot be read without one of them: all others would fail
/// alike.
pub(crate) fn open(
    paths: Vec<PathBuf>,
    layout: &LayoutArgs,
    table: &TableArgs,
) -> Result<OpenCorpora, CliError> {
    let mut corpora = OpenCorpora::open(paths, layout.reading_if_given()?, table.column());
    if let OpenCorpora::Variant(corpora) = &mut corpora {
        has_layout(corpora.peek())?;
    }
    Ok(corpora)
}

/// Refuses files whose first puzzle lacks a flag for its layout.
fn has_layout<T>(first: Option<&Result<T, VariantCorpusError>>) -> Result<(), CliError> {
    if let Some(Err(error @ VariantCorpusError::BadLine { why, .. })) = first
        && matches!(
            why,
            FormatError::Boxes { .. } | FormatError::Regions { .. } | FormatError::Samurai
        )
    {
        return Err(CliError::new(error));
    }
    Ok(())
}

/// The rows of files of puzzles of one kind.
pub(crate) enum OpenRows {
    /// Classic puzzles.
    Classic(Box<Rows>),
    /// Puzzles of any layout.
    Variant(Rows<VariantFile>),
}

/// The rows of files of puzzles of any kind, as the flags have them read.
///
/// # Errors
/// As [`open`], and what stops the first file from being read.
pub(crate) fn open_rows(
    paths: Vec<PathBuf>,
    layout: &LayoutArgs,
    table: &TableArgs,
) -> Result<OpenRows, CliError> {
    match OpenCorpora::open(paths, layout.reading_if_given()?, table.column()) {
        OpenCorpora::Classic(corpora) => {
            let rows = rows_of(corpora.into_files())?;
            Ok(OpenRows::Classic(Box::new(rows)))
        }
        other => Ok(OpenRows::Variant(variant_rows(other)?)),
    }
}

/// The rows of corpora as puzzles of any layout, of which classic ones are some.
pub(crate) fn variant_rows(corpora: OpenCorpora) -> Result<Rows<VariantFile>, CliError> {
    let rows = rows_of(corpora.into_files())?;
    has_layout(rows.first())?;
    Ok(rows)
}

/// The rows of files of which nothing is read yet.
pub(crate) fn rows_of<F: RowFile>(files: Files<F>) -> Result<Rows<F>, CliError> {
    Rows::of(files).map_err(|error| CliError::with_hint(error, READABLE))
}

/// The puzzles of files that hold nothing but classic ones, which is all that this command knows.
pub(crate) fn classic(
    paths: &[PathBuf],
    table: &TableArgs,
    command: &str,
) -> Result<Corpora, CliError> {
    match OpenCorpora::open(paths.to_vec(), None, table.column()) {
        OpenCorpora::Classic(corpora) => Ok(*corpora),
        OpenCorpora::Variant(_) => Err(only_classic(command)),
    }
}

/// Refuses boards of other sizes and shapes.
pub(crate) fn only_classic(command: &str) -> CliError {
    CliError::with_hint(
        format!("{command} supports only classic boards, and these have other sizes or shapes"),
        "`solve`, `explain`, `bench`, `generate`, `convert` and `corpus` support them",
    )
}

/// Refuses flags that say how puzzles are read together with a plan, which has those that it was made with.
pub(crate) fn no_reading_of_plan(
    table: &TableArgs,
    layout: Option<&LayoutArgs>,
    shard: &ShardArgs,
) -> Result<(), CliError> {
    let flag = if table.column().is_some() {
        "--puzzle-column does"
    } else if layout.is_some_and(LayoutArgs::is_given) {
        "flags for other boards do"
    } else {
        return Ok(());
    };
    if shard.plan.is_none() {
        return Ok(());
    }
    let verb = if flag.starts_with("--") { "it" } else { "them" };
    Err(CliError::with_hint(
        format!("{flag} not go with --plan: its puzzles are read as they were planned"),
        format!("give {verb} to `plan`"),
    ))
}

/// What to say of corpora in which no puzzle was found.
pub(crate) fn nothing_done(
    bad_lines: u64,
    broken_files: u64,
    paths: &[PathBuf],
    table: &TableArgs,
    formats: &str,
) -> Result<Status, CliError> {
    let places: Vec<String> = paths.iter().map(|path| shown(path)).collect();
    let places = places.join(", ");
    if bad_lines > 0 {
        Err(CliError::with_hint(
            format!("no line of {places} is a puzzle"),
            formats,
        ))
    } else if broken_files > 0 {
        // Each of them has been named.
        print_hint(advice(paths, table, READABLE));
        Ok(Status::Failed)
    } else {
        Err(CliError::with_hint(
            format!("no puzzles in {places}"),
            formats,
        ))
    }
}

/// What to do about files none of which has a puzzle: name the column of a table among them, or else this.
pub(crate) fn advice<'a>(paths: &[PathBuf], table: &TableArgs, otherwise: &'a str) -> &'a str {
    let lacks_column = |path: &PathBuf| {
        let corpus = path.is_file().then(|| Corpus::open(path));
        corpus.and_then(Result::ok).is_some_and(|mut corpus| {
            corpus.take_column(table.column());
            let first = corpus.next();
            first.is_some_and(|first| first.is_err_and(|error| error.lacks_column()))
        })
    };
    // The standard input cannot be read again to see what it is.
    let is_stdin = |path: &PathBuf| path == Path::new("-");
    if paths.iter().any(lacks_column) {
        COLUMN
    } else if paths.iter().any(is_stdin) && otherwise == READABLE {
        "pipe in readable puzzles; --puzzle-column NAME names the column of a table"
    } else {
        otherwise
    }
}

fn shown(path: &Path) -> String {
    if path == Path::new("-") {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    }
}

/// How a stream ended that was not closed.
pub(crate) fn finished(end: End, is_clean: bool) -> Status {
    match end {
        End::Interrupted => Status::Interrupted,
        _ if is_clean => Status::Clean,
        _ => Status::Partial,
    }
}

/// Ends a summary with the counts that are not 0, in words.
pub(crate) fn append_counts<const N: usize>(text: &mut String, counts: [(u64, String); N]) {
    for (count, words) in counts {
        if count > 0 {
            text.push_str(", ");
            text.push_str(&words);
        }
    }
}

/// A name for each corpus: the stem of its file, numbered where two are the same.
pub(crate) fn corpus_names(paths: &[PathBuf]) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut names = Vec::new();
    for path in paths {
        let stem = stem(path);
        let numbered = (2..).map(|number| format!("{stem}-{number}"));
        let mut candidates = std::iter::once(stem.clone()).chain(numbered);
        let name = candidates.find(|name| taken.insert(name.clone()));
        names.push(name.unwrap_or(stem));
    }
    names
}

/// The name of a file without what it is packed by and without its ending.
fn stem(path: &Path) -> String {
    if path == Path::new("-") {
        return "stdin".to_owned();
    }
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy();
    let unpacked = [".gz", ".zst"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    let name = unpacked.unwrap_or(&name);
    let stem = Path::new(name)
        .file_stem()
        .map(|stem| stem.to_string_lossy());
    stem.unwrap_or_default().into_owned()
}
