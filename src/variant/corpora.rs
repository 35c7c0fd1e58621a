//! Files of puzzles, classic ones and others, each read as what it is.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::alphabet::Alphabet;
use super::corpus::{VariantCorpus, VariantCorpusError, VariantLine};
use super::layout::{Boxes, Layout};
use super::puzzle::VariantPuzzle;
use super::reading::{Reading, VariantEntry};
use super::sniff::sniff;
use super::value::Value;
use crate::corpus::{Corpora, Corpus, CorpusError, Entry};
use crate::grid::{Cell, Puzzle};

/// What files hold: classic puzzles alone, or others too.
pub enum OpenCorpora {
    /// Nothing but classic puzzles.
    Classic(Box<Corpora>),
    /// Puzzles of any layout.
    Variant(VariantLines),
}

/// The puzzles of several files in the order of the files.
pub type VariantLines = Box<dyn Iterator<Item = Result<VariantLine, VariantCorpusError>> + Send>;

/// A file, or what has been begun to be read and cannot be read again.
enum Source {
    File(PathBuf),
    Pipe(String, Box<dyn Read + Send>),
    Broken(CorpusError),
}

impl Source {
    /// Opens a file as far as to see whether it holds classic puzzles.
    fn new(path: PathBuf, column: Option<&str>) -> (Source, bool) {
        let name = name(&path);
        let is_pipe = path == Path::new("-") || path.metadata().is_ok_and(|it| is_pipe(&it));
        let opened: io::Result<Box<dyn Read + Send>> = if path == Path::new("-") {
            Ok(Box::new(io::stdin()))
        } else {
            File::open(&path).map(|file| Box::new(file) as Box<dyn Read + Send>)
        };
        match opened.and_then(|file| sniff(file, column)) {
            Ok((is_variant, reader)) if is_pipe => (Source::Pipe(name, reader), is_variant),
            Ok((is_variant, _)) => (Source::File(path), is_variant),
            // A file that cannot be read says so when it is its turn.
            Err(_) if !is_pipe => (Source::File(path), false),
            Err(source) => {
                let file = name.into();
                (
                    Source::Broken(CorpusError::Unreadable { file, source }),
                    false,
                )
            }
        }
    }

    fn classic(self, column: Option<&str>) -> Result<Corpus, CorpusError> {
        let mut corpus = match self {
            Source::File(path) => Corpus::open(&path),
            Source::Pipe(name, reader) => Corpus::from_reader(&name, reader),
            Source::Broken(error) => Err(error),
        }?;
        corpus.take_column(column);
        Ok(corpus)
    }

    fn variant(self, reading: Reading, column: Option<&str>) -> Result<VariantCorpus, CorpusError> {
        let mut corpus = match self {
            Source::File(path) => VariantCorpus::open(&path, reading),
            Source::Pipe(name, reader) => VariantCorpus::from_reader(&name, reader, reading),
            Source::Broken(error) => Err(error),
        }?;
        corpus.take_column(column);
        Ok(corpus)
    }
}

fn name(path: &Path) -> String {
    if path == Path::new("-") {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    }
}

#[cfg(unix)]
fn is_pipe(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &std::fs::Metadata) -> bool {
    false
}

impl OpenCorpora {
    /// Opens files, `-` being the standard input. What their first puzzles look like decides whether all of them
    /// are classic; where `reading` is given, none is taken for classic. Of a table, `column` has the puzzles, or
    /// else one with a usual name.
    pub fn open(
        paths: Vec<PathBuf>,
        reading: Option<Reading>,
        column: Option<&str>,
    ) -> OpenCorpora {
        let sources: Vec<(Source, bool)> = paths
            .into_iter()
            .map(|path| Source::new(path, column))
            .map(|(source, is_variant)| (source, is_variant || reading.is_some()))
            .collect();
        let column = column.map(str::to_owned);
        if sources.iter().all(|(_, is_variant)| !is_variant) {
            let sources = sources.into_iter();
            let corpora = sources.map(move |(source, _)| source.classic(column.as_deref()));
            OpenCorpora::Classic(Box::new(Corpora::of(corpora)))
        } else {
            OpenCorpora::Variant(lines(sources, reading.unwrap_or_default(), column))
        }
    }

    /// All puzzles, classic ones as boards with 3 x 3 boxes.
    pub fn into_lines(self) -> VariantLines {
        match self {
            OpenCorpora::Classic(corpora) => Box::new(classic_lines(*corpora)),
            OpenCorpora::Variant(lines) => lines,
        }
    }
}

fn lines(sources: Vec<(Source, bool)>, reading: Reading, column: Option<String>) -> VariantLines {
    let lines = sources
        .into_iter()
        .flat_map(move |(source, is_variant)| -> VariantLines {
            let opened = if is_variant {
                source
                    .variant(reading.clone(), column.as_deref())
                    .map(|lines| Box::new(lines) as VariantLines)
            } else {
                source
                    .classic(column.as_deref())
                    .map(|corpus| Box::new(classic_lines(corpus)) as VariantLines)
            };
            opened.unwrap_or_else(|error| Box::new(std::iter::once(Err(error.into()))))
        });
    Box::new(lines)
}

fn classic_lines(
    entries: impl Iterator<Item = Result<Entry, CorpusError>>,
) -> impl Iterator<Item = Result<VariantLine, VariantCorpusError>> {
    let layout = Layout::with_boxes(Boxes {
        rows: 3,
        columns: 3,
    });
    let layout = Arc::new(layout.expect("the classic board is a layout"));
    entries.map(move |entry| {
        let entry = entry?;
        let values = |puzzle: &Puzzle| -> Vec<Option<Value>> {
            let digit = |cell| {
                puzzle
                    .given(cell)
                    .and_then(|digit| Value::new(digit.value()))
            };
            Cell::all().map(digit).collect()
        };
        let puzzle = VariantPuzzle::new(layout.clone(), values(&entry.puzzle));
        Ok(VariantLine {
            place: entry.place,
            entry: VariantEntry {
                puzzle: puzzle.expect("classic digits are values of such a board"),
                expected: entry
                    .expected
                    .and_then(|board| values(&board).into_iter().collect()),
                alphabet: Alphabet::OneBased,
                has_blank_zeros: false,
                note: entry.note,
            },
        })
    })
}
