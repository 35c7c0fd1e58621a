//! A file of puzzles of any size as an iterator over its entries.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::alphabet::Alphabet;
use super::error::FormatError;
use super::line::split_line;
use super::parts::Parts;
use super::reading::{Reading, VariantEntry};
use super::rows::RowBlock;
use super::rules::Layouts;
use super::written::{Evidence, Verdict};
use crate::corpus::source::{self, Wrapper};
use crate::corpus::{
    self, BadLine, Columns, CorpusError, Header, LONGEST_LINE, Line, Lines, Piece, Place, Position,
    Row, Table,
};

/// How many puzzles are read ahead to find out how values are written, where the next one leaves it open.
const AHEAD: usize = 64;

/// An entry of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantLine {
    /// Where it stands.
    pub place: Place,
    /// The puzzle and what is said of it.
    pub entry: VariantEntry,
}

/// Why something in a corpus is not a [`VariantLine`].
#[derive(Debug, Error)]
pub enum VariantCorpusError {
    /// What any corpus may suffer: a file that does not open, damaged data, a line that is too long.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A line that is not a puzzle; the lines after it are not affected.
    #[error("{place}: {why}")]
    BadLine {
        /// The line.
        place: Place,
        /// What is wrong with it.
        why: FormatError,
    },
}

impl VariantCorpusError {
    /// Whether it is about one line, and not about a whole file.
    pub fn is_of_line(&self) -> bool {
        match self {
            VariantCorpusError::Corpus(error) => error.is_of_line(),
            VariantCorpusError::BadLine { .. } => true,
        }
    }
}

/// Reads one corpus: a puzzle a line in any of the forms of [`parse_line`](super::parse_line), or CSV with a column
/// `puzzle` or the like, whose other columns may be any of the fields; packed by gzip or zstd or not at all. A board may
/// stand row by row, too, a line each. Empty lines and those that begin with `#` are skipped. Memory does not grow with the file.
///
/// Puzzles that follow each other with the same rules share one [`Layout`](super::Layout).
///
/// Where a line does not tell how its values are written, the lines before it and up to 64 after it do.
pub struct VariantCorpus {
    lines: Lines,
    wrapper: Wrapper,
    file: Arc<str>,
    reading: Reading,
    /// The column that holds the puzzles of a table, if that was said.
    wanted: Option<Box<str>>,
    table: Option<Table>,
    /// Rows that have come of a board that stands row by row.
    rows: RowBlock,
    is_started: bool,
    is_ended: bool,
    ready: VecDeque<Item>,
    layouts: Layouts,
    /// What the lines of each side have revealed about their symbols.
    seen: SymbolsSeen,
    keeps_rows: bool,
    /// The header of a table, where rows are kept.
    columns: Option<Columns>,
}

/// What the lines of a corpus up to some place reveal about how their values are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolsSeen(Vec<Evidence>);

/// A line as it stands in the file, where rows are kept.
type Text = Option<Box<[u8]>>;

/// A line as far as it is read.
struct Item {
    place: Place,
    parts: Result<Parts, VariantCorpusError>,
    text: Text,
}

impl VariantCorpus {
    /// Opens a file; `-` is the standard input.
    ///
    /// # Errors
    /// [`CorpusError::Unreadable`] where the file does not open, or is UTF-16 text.
    pub fn open(path: &Path, reading: Reading) -> Result<VariantCorpus, CorpusError> {
        let raw = source::open(path);
        VariantCorpus::start(&corpus::name(path), raw.and_then(source::unwrap), reading)
    }

    /// Reads from anywhere; `name` stands for the file in [`Place`].
    ///
    /// # Errors
    /// [`CorpusError::Unreadable`] where the first bytes cannot be read, or are UTF-16 text.
    pub fn from_reader(
        name: &str,
        reader: impl Read + Send + 'static,
        reading: Reading,
    ) -> Result<VariantCorpus, CorpusError> {
        VariantCorpus::start(name, source::unwrap(Box::new(reader)), reading)
    }

    fn start(
        name: &str,
        opened: io::Result<(Wrapper, Box<dyn BufRead + Send>)>,
        reading: Reading,
    ) -> Result<VariantCorpus, CorpusError> {
        let file: Arc<str> = name.into();
        match opened {
            Ok((wrapper, text)) => Ok(VariantCorpus {
                lines: Lines::new(text),
                wrapper,
                file,
                reading,
                wanted: None,
                table: None,
                rows: RowBlock::default(),
                is_started: false,
                is_ended: false,
                ready: VecDeque::new(),
                layouts: Layouts::default(),
                seen: SymbolsSeen::default(),
                keeps_rows: false,
                columns: None,
            }),
            Err(source) => Err(CorpusError::Unreadable { file, source }),
        }
    }

    /// Opens a piece of a file: from a place that [`VariantCorpus::position`] has given to a byte of its unpacked text.
    /// `seen` is what [`VariantCorpus::symbols_seen`] was at that place. The pieces of a file have the puzzles of the
    /// whole, under the same lines.
    ///
    /// # Errors
    /// As [`VariantCorpus::open`].
    pub fn open_piece(
        piece: &Piece,
        reading: Reading,
        seen: SymbolsSeen,
    ) -> Result<VariantCorpus, CorpusError> {
        let wanted = piece.column.as_deref();
        let mut head = VariantCorpus::open(&piece.path, reading.clone())?;
        head.take_column(wanted);
        let is_first = piece.from == Position::START;
        while !is_first && !head.is_started && !head.is_ended {
            head.advance();
        }
        let opened = source::open_from(&piece.path, piece.from.byte, piece.to);
        let mut corpus = VariantCorpus::start(&corpus::name(&piece.path), opened, reading)?;
        corpus.take_column(wanted);
        if !is_first {
            corpus.is_started = true;
            corpus.table = head.table;
        }
        corpus.seen = seen;
        corpus.lines.begin_at(piece.from);
        Ok(corpus)
    }

    /// Takes the puzzles of tables from this column, before anything is read.
    pub fn take_column(&mut self, name: Option<&str>) {
        self.wanted = name.map(Into::into);
    }

    /// Keeps the line of each puzzle from now on.
    pub fn keep_rows(&mut self) {
        self.keeps_rows = true;
    }

    /// Returns the columns of a table, once its first puzzle is read and if rows are kept; `None` for text.
    pub fn columns(&self) -> Option<&Columns> {
        self.columns.as_ref()
    }

    /// Returns the name of the file in [`Place`].
    pub(super) fn file(&self) -> Arc<str> {
        Arc::clone(&self.file)
    }

    /// Returns where the next puzzle begins, if the corpus can be cut there: no line has been read ahead.
    pub fn position(&mut self) -> Option<Position> {
        let position = self.lines.position();
        let is_between = self.ready.is_empty() && self.rows.is_empty();
        (is_between && (self.is_started || position == Position::START)).then_some(position)
    }

    /// Returns where the next line begins: at the end, how long the text is.
    pub fn end(&mut self) -> Position {
        self.lines.position()
    }

    /// Returns what the lines so far reveal about how values are written.
    pub fn symbols_seen(&self) -> &SymbolsSeen {
        &self.seen
    }

    /// Reads the next puzzle with its row.
    pub(super) fn next_row(&mut self) -> Option<Result<Row<VariantEntry>, VariantCorpusError>> {
        let (entry, place, text) = self.next_entry()?;
        Some(entry.map(|puzzle| Row {
            puzzle,
            place,
            text: text.unwrap_or_default(),
        }))
    }

    /// Reads the next puzzle, its place and, where rows are kept, its row.
    fn next_entry(&mut self) -> Option<(Result<VariantEntry, VariantCorpusError>, Place, Text)> {
        if self.ready.is_empty() {
            self.advance();
        }
        let Item { place, parts, text } = self.ready.pop_front()?;
        let entry = parts.and_then(|parts| {
            let likely = self.likely(&parts);
            let entry = parts.entry(&self.reading, likely, &mut self.layouts);
            entry.map_err(|why| VariantCorpusError::BadLine {
                place: place.clone(),
                why,
            })
        });
        Some((entry, place, text))
    }

    /// Reads lines until there is one more entry, or an error, or the end.
    fn advance(&mut self) {
        while !self.is_ended {
            let read = self.lines.next();
            let (number, parts, text) = match read {
                Ok(None) => {
                    self.is_ended = true;
                    self.finish_rows();
                    return;
                }
                Ok(Some(line)) => {
                    let text = line.text.trim_ascii();
                    if text.is_empty() || text[0] == b'#' {
                        continue;
                    }
                    if !std::mem::replace(&mut self.is_started, true) {
                        let wanted = self.wanted.as_deref();
                        match Header::of(text, wanted) {
                            Header::Table(table) => {
                                self.columns = self.keeps_rows.then(|| table.columns(text));
                                self.table = Some(table);
                                continue;
                            }
                            Header::Foreign(columns) if split(&line, None).is_err() => {
                                let refused = CorpusError::Unreadable {
                                    file: Arc::clone(&self.file),
                                    source: columns.refusal(wanted),
                                };
                                self.is_ended = true;
                                let place = Place {
                                    file: Arc::clone(&self.file),
                                    line: line.number,
                                };
                                let parts = Err(refused.into());
                                let text = None;
                                self.ready.push_back(Item { place, parts, text });
                                return;
                            }
                            Header::Foreign(_) | Header::None => {}
                        }
                    }
                    if self.table.is_none() && text[0] == b'[' && text.ends_with(b"]") {
                        // The name of a section of a `.sdk` file.
                        continue;
                    }
                    let row = std::str::from_utf8(text).unwrap_or_default();
                    if self.table.is_none() && self.rows.take(line.number, row) {
                        if !self.rows.is_complete() {
                            continue;
                        }
                        self.finish_rows();
                        return;
                    }
                    let kept = self.keeps_rows.then(|| line.text.into());
                    (line.number, split(&line, self.table), kept)
                }
                Err(error) => {
                    self.is_ended = true;
                    self.finish_rows();
                    let place = self.place(self.lines.number());
                    let why = self.wrapper.explain(&error);
                    let broken = CorpusError::Broken {
                        place: place.clone(),
                        why,
                    };
                    let parts = Err(broken.into());
                    let text = None;
                    self.ready.push_back(Item { place, parts, text });
                    return;
                }
            };
            self.finish_rows();
            self.push(number, parts, text);
            return;
        }
    }

    /// Makes the rows that have come a board, or lines of their own.
    fn finish_rows(&mut self) {
        for (number, text) in self.rows.finish() {
            let parts = split_line(&text).map_err(Bad::Format);
            let kept = self.keeps_rows.then(|| text.into_bytes().into());
            self.push(number, parts, kept);
        }
    }

    /// Makes a line ready, and learns from it how values are written.
    fn push(&mut self, number: u64, parts: Result<Parts, Bad>, text: Text) {
        let place = self.place(number);
        if let Ok(Some(evidence)) = parts.as_ref().map(Parts::evidence) {
            let fits = |seen: &Evidence| seen.is_like(&evidence);
            let SymbolsSeen(seen) = &mut self.seen;
            match seen.iter().position(fits) {
                Some(at) => seen[at].merge(&evidence),
                None => seen.push(evidence),
            }
        }
        let parts = parts.map_err(|why| why.at(&place));
        self.ready.push_back(Item { place, parts, text });
    }

    fn place(&self, line: u64) -> Place {
        Place {
            file: Arc::clone(&self.file),
            line,
        }
    }

    /// How a board is probably written, where it does not tell that itself.
    fn likely(&mut self, parts: &Parts) -> Option<Alphabet> {
        let evidence = parts.evidence()?;
        if self.reading.symbols.is_some() || evidence.verdict().is_ok_and(|v| v.is_certain) {
            return None;
        }
        loop {
            let SymbolsSeen(seen) = &self.seen;
            let seen = seen.iter().find(|seen| seen.is_like(&evidence));
            match seen.map(Evidence::verdict) {
                Some(Ok(Verdict {
                    alphabet,
                    is_certain,
                })) if is_certain || self.is_ended || self.ready.len() >= AHEAD => {
                    return Some(alphabet);
                }
                Some(Ok(_)) => self.advance(),
                Some(Err(_)) | None => return None,
            }
        }
    }
}

/// Why a line has no parts.
enum Bad {
    Line(BadLine),
    Format(FormatError),
}

impl Bad {
    fn at(self, place: &Place) -> VariantCorpusError {
        let place = place.clone();
        match self {
            Bad::Line(why) => CorpusError::BadLine { place, why }.into(),
            Bad::Format(why) => VariantCorpusError::BadLine { place, why },
        }
    }
}

fn split(line: &Line<'_>, table: Option<Table>) -> Result<Parts, Bad> {
    if line.cut {
        let limit = LONGEST_LINE;
        return Err(Bad::Line(BadLine::TooLong { limit }));
    }
    let text = match table {
        Some(table) => row(table, line.text).map_err(Bad::Line)?,
        None => String::from_utf8_lossy(line.text).into_owned(),
    };
    split_line(&text).map_err(Bad::Format)
}

/// A row of a table as a line of fields. Those with tabs beside the puzzle are puzzles with rules of their own, such as
/// canonical forms.
pub(super) fn row(table: Table, row: &[u8]) -> Result<String, BadLine> {
    let (puzzle, mut others) = table.texts(row)?;
    others.retain(|field| !field.contains('\t'));
    let fields: Vec<String> = std::iter::once(puzzle).chain(others).collect();
    Ok(fields.join("\t"))
}

impl Iterator for VariantCorpus {
    type Item = Result<VariantLine, VariantCorpusError>;

    fn next(&mut self) -> Option<Result<VariantLine, VariantCorpusError>> {
        let (entry, place, _) = self.next_entry()?;
        Some(entry.map(|entry| VariantLine { place, entry }))
    }
}
