//! Files of puzzles, classic ones and others, each read as what it is.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use super::alphabet::Alphabet;
use super::corpus::{VariantCorpus, VariantCorpusError, VariantLine};
use super::layout::{Boxes, Layout};
use super::puzzle::VariantPuzzle;
use super::reading::{Reading, VariantEntry};
use super::sniff::sniff;
use super::value::Value;
use crate::corpus::{Columns, Corpora, Corpus, CorpusError, Entry, Files, Row, RowFile};
use crate::grid::{Cell, Puzzle};

/// What files hold: classic puzzles alone, or others too.
pub enum OpenCorpora {
    /// Nothing but classic puzzles.
    Classic(Box<Corpora>),
    /// Puzzles of any layout.
    Variant(VariantCorpora),
}

/// The puzzles of several files in the order of the files.
pub type VariantLines = Box<dyn Iterator<Item = Result<VariantLine, VariantCorpusError>> + Send>;

/// A file of puzzles of any layout.
pub enum VariantFile {
    /// Read as boards of any layout.
    Variant(Box<VariantCorpus>),
    /// Read as classic puzzles, which are boards with 3 x 3 boxes.
    Classic(Box<Corpus>),
}

impl Iterator for VariantFile {
    type Item = Result<VariantLine, VariantCorpusError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            VariantFile::Variant(corpus) => corpus.next(),
            VariantFile::Classic(corpus) => {
                Some(corpus.next()?.map(classic_line).map_err(Into::into))
            }
        }
    }
}

impl RowFile for VariantFile {
    type Puzzle = VariantEntry;
    type Error = VariantCorpusError;

    fn keep_rows(&mut self) {
        match self {
            VariantFile::Variant(corpus) => corpus.keep_rows(),
            VariantFile::Classic(corpus) => corpus.keep_rows(),
        }
    }

    fn next_row(&mut self) -> Option<Result<Row<VariantEntry>, VariantCorpusError>> {
        match self {
            VariantFile::Variant(corpus) => corpus.next_row(),
            VariantFile::Classic(corpus) => Some(match corpus.next()? {
                Ok(mut entry) => {
                    let row = entry.row.take();
                    let VariantLine { place, entry } = classic_line(entry);
                    let text = row.unwrap_or_default();
                    let puzzle = entry;
                    Ok(Row {
                        puzzle,
                        place,
                        text,
                    })
                }
                Err(error) => Err(error.into()),
            }),
        }
    }

    fn columns(&self) -> Option<&Columns> {
        match self {
            VariantFile::Variant(corpus) => corpus.columns(),
            VariantFile::Classic(corpus) => corpus.columns(),
        }
    }

    fn file(&self) -> Arc<str> {
        match self {
            VariantFile::Variant(corpus) => corpus.file(),
            VariantFile::Classic(corpus) => RowFile::file(&**corpus),
        }
    }

    fn corpus_error(error: &VariantCorpusError) -> Option<&CorpusError> {
        match error {
            VariantCorpusError::Corpus(error) => Some(error),
            VariantCorpusError::BadLine { .. } => None,
        }
    }
}

/// The puzzles of several files of any layout; each file is opened when it is its turn.
pub struct VariantCorpora {
    files: Files<VariantFile>,
    current: Option<VariantFile>,
    peeked: Option<Result<VariantLine, VariantCorpusError>>,
}

impl VariantCorpora {
    /// These files, of which nothing is read yet.
    pub fn of(files: Files<VariantFile>) -> VariantCorpora {
        VariantCorpora {
            files,
            current: None,
            peeked: None,
        }
    }

    /// Reads the next puzzle without taking it.
    pub fn peek(&mut self) -> Option<&Result<VariantLine, VariantCorpusError>> {
        if self.peeked.is_none() {
            self.peeked = self.next();
        }
        self.peeked.as_ref()
    }
}

impl Iterator for VariantCorpora {
    type Item = Result<VariantLine, VariantCorpusError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(peeked) = self.peeked.take() {
                return Some(peeked);
            }
            if let Some(line) = self.current.as_mut().and_then(Iterator::next) {
                return Some(line);
            }
            match self.files.next()? {
                Ok(file) => self.current = Some(file),
                Err(error) => {
                    self.current = None;
                    return Some(Err(error.into()));
                }
            }
        }
    }
}

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

/// Returns whether the first puzzle of a file is not a classic one. `column` has the puzzles of a table, or else one with a
/// usual name. Of a file that cannot be read it is false.
pub fn is_variant_file(path: &Path, column: Option<&str>) -> bool {
    let sniffed = File::open(path).and_then(|file| sniff(file, column));
    sniffed.is_ok_and(|(is_variant, _)| is_variant)
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
            OpenCorpora::Variant(files(sources, reading.unwrap_or_default(), column))
        }
    }

    /// Returns the files that were not opened yet: all of them, before a puzzle is read.
    pub fn into_files(self) -> Files<VariantFile> {
        match self {
            OpenCorpora::Classic(corpora) => {
                let files = corpora.into_files();
                Box::new(files.map(|file| Ok(VariantFile::Classic(Box::new(file?)))))
            }
            OpenCorpora::Variant(corpora) => corpora.files,
        }
    }

    /// All puzzles, classic ones as boards with 3 x 3 boxes.
    pub fn into_lines(self) -> VariantLines {
        match self {
            OpenCorpora::Classic(corpora) => Box::new(
                corpora.map(|entry| entry.map(classic_line).map_err(VariantCorpusError::from)),
            ),
            OpenCorpora::Variant(corpora) => Box::new(corpora),
        }
    }
}

fn files(sources: Vec<(Source, bool)>, reading: Reading, column: Option<String>) -> VariantCorpora {
    let files = sources.into_iter().map(move |(source, is_variant)| {
        let column = column.as_deref();
        Ok(if is_variant {
            VariantFile::Variant(Box::new(source.variant(reading.clone(), column)?))
        } else {
            VariantFile::Classic(Box::new(source.classic(column)?))
        })
    });
    VariantCorpora::of(Box::new(files))
}

/// The layout of the classic board.
static CLASSIC: LazyLock<Arc<Layout>> = LazyLock::new(|| {
    let boxes = Boxes {
        rows: 3,
        columns: 3,
    };
    Arc::new(Layout::with_boxes(boxes).expect("the classic board is a layout"))
});

/// A classic puzzle as a board with 3 x 3 boxes.
fn classic_line(entry: Entry) -> VariantLine {
    let values = |puzzle: &Puzzle| -> Vec<Option<Value>> {
        let digit = |cell| {
            puzzle
                .given(cell)
                .and_then(|digit| Value::new(digit.value()))
        };
        Cell::all().map(digit).collect()
    };
    let puzzle = VariantPuzzle::new(Arc::clone(&CLASSIC), values(&entry.puzzle));
    VariantLine {
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
    }
}
