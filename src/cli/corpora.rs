//! The corpora of a command line.

use std::collections::HashSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use sudoku_batch::corpus::Corpora;
use sudoku_batch::stream::End;
use sudoku_batch::variant::{FormatError, OpenCorpora, VariantCorpusError};

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
    let reading = layout.is_given().then(|| layout.reading()).transpose()?;
    let mut lines = match OpenCorpora::open(paths, reading, table.column()) {
        OpenCorpora::Variant(lines) => lines,
        classic => return Ok(classic),
    };
    let first = lines.next();
    if let Some(Err(error @ VariantCorpusError::BadLine { why, .. })) = &first
        && matches!(
            why,
            FormatError::Boxes { .. } | FormatError::Regions { .. } | FormatError::Samurai
        )
    {
        return Err(CliError::new(error));
    }
    let lines = first.into_iter().chain(lines);
    Ok(OpenCorpora::Variant(Box::new(lines)))
}

/// The puzzles of files that hold nothing but classic ones, which is all that this command knows.
pub(crate) fn classic(
    paths: &[PathBuf],
    table: &TableArgs,
    command: &str,
) -> Result<Corpora, CliError> {
    match OpenCorpora::open(paths.to_vec(), None, table.column()) {
        OpenCorpora::Classic(corpora) => Ok(*corpora),
        OpenCorpora::Variant(_) => Err(CliError::with_hint(
            format!("{command} supports only classic boards, and these have other sizes or shapes"),
            "`solve`, `explain`, `bench`, `generate`, `convert` and `corpus check` support them",
        )),
    }
}

/// Refuses a column for the pieces of a plan, which are read as they were when it was made.
pub(crate) fn no_column_of_plan(table: &TableArgs, shard: &ShardArgs) -> Result<(), CliError> {
    if table.column().is_some() && shard.plan.is_some() {
        return Err(CliError::with_hint(
            "--puzzle-column does not go with --plan: plans are of tables whose column has a usual name",
            "call the column `puzzle` before the plan is made",
        ));
    }
    Ok(())
}

/// What to say of corpora in which no puzzle was found.
pub(crate) fn nothing_done(
    bad_lines: u64,
    broken_files: u64,
    paths: &[PathBuf],
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
        print_hint(READABLE);
        Ok(Status::Failed)
    } else {
        Err(CliError::with_hint(
            format!("no puzzles in {places}"),
            formats,
        ))
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
