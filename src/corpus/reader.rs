//! A corpus as an iterator over its entries.

use std::collections::VecDeque;
use std::io::{BufRead, Read};
use std::path::Path;
use std::sync::Arc;

use super::entry::{BadLine, CorpusError, Entry, Place};
use super::grid_lines::{self, GridLines, Part};
use super::line;
use super::lines::{LONGEST_LINE, Line, Lines, Position};
use super::other_rules::other_rules;
use super::piece::Piece;
use super::source::{self, Wrapper};
use super::table::{Columns, Header, Table};
use crate::grid::{Cell, Puzzle, PuzzleLine};

/// Reads one corpus, whichever of these it is: 81 characters a line (`.txt`, `.sdm`), nine lines a
/// puzzle (`.sdk`, `.ss`), or CSV with a column `puzzle`, `quizzes`, `question` or the like; packed by
/// gzip or zstd or not at all. The content decides, not the name. Memory does not grow with the file.
///
/// A line that is no puzzle is an error that names it; the lines after it are read:
///
/// ```
/// use sudoku_batch::corpus::{Corpus, CorpusError};
///
/// let text = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
/// not a puzzle
/// ..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";
/// let corpus = Corpus::from_reader("mine.txt", std::io::Cursor::new(text))?;
/// let (puzzles, problems): (Vec<_>, Vec<_>) = corpus.partition(Result::is_ok);
/// assert_eq!(puzzles.len(), 2);
/// let problem = problems[0].as_ref().unwrap_err().to_string();
/// assert!(problem.starts_with("mine.txt:2: "), "{problem}");
/// # Ok::<(), CorpusError>(())
/// ```
pub struct Corpus {
    lines: Lines,
    wrapper: Wrapper,
    parser: Parser,
    ended: bool,
}

impl Corpus {
    /// Opens a file; `-` is the standard input.
    ///
    /// # Errors
    /// [`CorpusError::Unreadable`] where the file does not open, or is UTF-16 text.
    pub fn open(path: &Path) -> Result<Corpus, CorpusError> {
        let raw = source::open(path);
        Corpus::start(&name(path), raw.and_then(source::unwrap))
    }

    /// Opens a piece of a file: from a place that [`Corpus::position`] has given to a byte of its unpacked
    /// text. The pieces of a file have the entries of the whole, under the same lines.
    ///
    /// # Errors
    /// As [`Corpus::open`].
    pub fn open_piece(piece: &Piece) -> Result<Corpus, CorpusError> {
        let Piece {
            path,
            from,
            to,
            column,
        } = piece;
        let mut head = Corpus::open(path)?;
        head.take_column(column.as_deref());
        if (*from, *to) == (Position::START, u64::MAX) {
            return Ok(head);
        }
        while from.byte > 0 && matches!(head.parser.layout, Layout::Unknown) && !head.ended {
            head.advance(None);
        }
        let opened = source::open_from(path, from.byte, *to);
        let mut piece = Corpus::start(&name(path), opened)?;
        piece.take_column(column.as_deref());
        if from.byte > 0 {
            piece.parser.layout = head.parser.layout;
        }
        piece.lines.begin_at(*from);
        Ok(piece)
    }

    /// Reads from anywhere; `name` stands for the file in [`Place`].
    ///
    /// # Errors
    /// [`CorpusError::Unreadable`] where the first bytes cannot be read, or are UTF-16 text.
    pub fn from_reader(
        name: &str,
        reader: impl Read + Send + 'static,
    ) -> Result<Corpus, CorpusError> {
        Corpus::start(name, source::unwrap(Box::new(reader)))
    }

    fn start(
        name: &str,
        opened: std::io::Result<(Wrapper, Box<dyn BufRead + Send>)>,
    ) -> Result<Corpus, CorpusError> {
        let file: Arc<str> = name.into();
        match opened {
            Ok((wrapper, text)) => Ok(Corpus {
                lines: Lines::new(text),
                wrapper,
                parser: Parser::new(file),
                ended: false,
            }),
            Err(source) => Err(CorpusError::Unreadable { file, source }),
        }
    }
}

impl Corpus {
    /// Keeps the line of each entry from now on.
    pub fn keep_rows(&mut self) {
        self.parser.keeps_rows = true;
    }

    /// Takes the puzzles of tables from this column, before anything is read.
    pub fn take_column(&mut self, name: Option<&str>) {
        self.parser.wanted = name.map(Into::into);
    }

    /// Returns the columns of a table, once its first entry is read; `None` for text.
    pub fn columns(&self) -> Option<&Columns> {
        self.parser.columns.as_ref()
    }

    /// What the file is called in [`Place`].
    pub(super) fn file(&self) -> Arc<str> {
        Arc::clone(&self.parser.file)
    }

    /// Returns where the next entry begins, if the corpus can be cut there: no puzzle of nine lines is
    /// half read, and it is known what kind of file it is.
    pub fn position(&mut self) -> Option<Position> {
        let position = self.lines.position();
        let is_start = position == Position::START;
        let parser = &self.parser;
        let is_between = parser.grid.is_none() && parser.held.is_none() && parser.ready.is_empty();
        let is_known = !matches!(parser.layout, Layout::Unknown) && !parser.in_other_section;
        (is_between && (is_known || is_start)).then_some(position)
    }

    /// Returns where the next line begins: at the end, how long the text is.
    pub fn end(&mut self) -> Position {
        self.lines.position()
    }

    /// Appends puzzles to `lines` for as long as each is a line of 81 cells and nothing else, until there
    /// are `limit` of them: the fast way past [`Iterator::next`], which has what comes then.
    pub fn take_lines(&mut self, limit: usize, lines: &mut Vec<PuzzleLine>) {
        while lines.len() < limit && !self.ended && self.parser.is_between_lines() {
            self.lines.take_plain(limit, lines);
            if lines.len() < limit {
                // The buffer ends within a line, or has another kind of line.
                self.advance(Some(lines));
            }
        }
    }

    /// Reads a line; what it is, or why there is none, is ready after that. If it is 81 cells and
    /// nothing else it goes to `plain` instead, if there is that.
    fn advance(&mut self, plain: Option<&mut Vec<PuzzleLine>>) {
        match self.lines.next() {
            Ok(Some(line)) => match plain.zip(line.plain()) {
                Some((plain, line)) => plain.push(line),
                None => {
                    let read = self.parser.accept(&line);
                    if let Err(why) = read {
                        self.ended = true;
                        self.parser.ready.push_back(Err(why));
                    }
                }
            },
            Ok(None) => {
                self.ended = true;
                self.parser.let_go();
                self.parser.end_grid();
            }
            Err(error) => {
                self.ended = true;
                self.parser.let_go();
                let broken = CorpusError::Broken {
                    place: self.parser.place(self.lines.number()),
                    why: self.wrapper.explain(&error),
                };
                self.parser.ready.push_back(Err(broken));
            }
        }
    }
}

impl Iterator for Corpus {
    type Item = Result<Entry, CorpusError>;

    fn next(&mut self) -> Option<Result<Entry, CorpusError>> {
        loop {
            if let Some(item) = self.parser.ready.pop_front() {
                return Some(item);
            }
            if self.ended {
                return None;
            }
            self.advance(None);
        }
    }
}

/// What a file is called in [`Place`].
pub(crate) fn name(path: &Path) -> String {
    if path == Path::new("-") {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Lines to entries.
struct Parser {
    file: Arc<str>,
    layout: Layout,
    grid: Option<GridLines>,
    /// Whether this is a section of a `.sdk` file that holds something else than the puzzle.
    in_other_section: bool,
    keeps_rows: bool,
    /// The column that holds the puzzles of a table, if that was said.
    wanted: Option<Box<str>>,
    /// The first line, until the next one tells whether it is a header.
    held: Option<(u64, Columns)>,
    /// The header, where rows are kept.
    columns: Option<Columns>,
    ready: VecDeque<Result<Entry, CorpusError>>,
}

enum Layout {
    /// No line but comments so far.
    Unknown,
    /// Puzzles in one line or nine.
    Text,
    Table(Table),
}

impl Parser {
    fn new(file: Arc<str>) -> Parser {
        Parser {
            file,
            layout: Layout::Unknown,
            grid: None,
            in_other_section: false,
            keeps_rows: false,
            wanted: None,
            held: None,
            columns: None,
            ready: VecDeque::new(),
        }
    }

    /// Whether a line of 81 cells would be a puzzle, whatever came before it.
    fn is_between_lines(&self) -> bool {
        matches!(self.layout, Layout::Text)
            && self.grid.is_none()
            && self.held.is_none()
            && !self.in_other_section
            && self.ready.is_empty()
    }

    fn place(&self, line: u64) -> Place {
        Place {
            file: Arc::clone(&self.file),
            line,
        }
    }

    /// Takes a line; an error ends the file.
    fn accept(&mut self, line: &Line<'_>) -> Result<(), CorpusError> {
        let content = line.text.trim_ascii();
        if line.cut {
            self.end_grid();
            self.bad(
                line.number,
                BadLine::TooLong {
                    limit: LONGEST_LINE,
                },
            );
        } else if content.is_empty() {
            if !self.grid.as_ref().is_some_and(GridLines::is_between_bands) {
                self.end_grid();
            }
        } else if content[0] != b'#' {
            if let Layout::Unknown = self.layout {
                self.layout = Layout::Text;
                match Header::of(content, self.wanted.as_deref()) {
                    Header::Table(table) => {
                        self.layout = Layout::Table(table);
                        self.columns = self.keeps_rows.then(|| table.columns(content));
                        return Ok(());
                    }
                    Header::Foreign(columns) if self.wanted.is_some() => {
                        return Err(self.refuse(&columns));
                    }
                    Header::Foreign(columns) => {
                        self.held = Some((line.number, columns));
                        return Ok(());
                    }
                    Header::None => {}
                }
            } else if let Some((_, columns)) = &self.held {
                if columns.fit(content) {
                    return Err(self.refuse(columns));
                }
                self.let_go();
            }
            match self.layout {
                Layout::Table(table) => match table.row(line.text) {
                    Ok((puzzle, solution)) => {
                        self.good(line.number, puzzle, String::new(), solution, line.text);
                    }
                    Err(why) => self.bad(line.number, why),
                },
                _ => self.text(line, content),
            }
        }
        Ok(())
    }

    /// Reads the first line as text, if it was held.
    fn let_go(&mut self) {
        if let Some((number, columns)) = self.held.take() {
            let text = columns.header();
            let line = Line {
                number,
                text,
                cut: false,
            };
            self.text(&line, text);
        }
    }

    fn refuse(&self, columns: &Columns) -> CorpusError {
        CorpusError::Unreadable {
            file: Arc::clone(&self.file),
            source: columns.refusal(self.wanted.as_deref()),
        }
    }

    /// A line that is no comment, of a file without columns.
    fn text(&mut self, line: &Line<'_>, content: &[u8]) {
        if content[0] == b'[' && content.ends_with(b"]") {
            self.end_grid();
            self.in_other_section = !content.eq_ignore_ascii_case(b"[puzzle]");
            return;
        }
        if self.in_other_section {
            return;
        }
        let part = if line::run(content) == Cell::COUNT {
            Part::Other
        } else {
            grid_lines::classify(line.text, self.grid.as_ref())
        };
        match part {
            Part::Border => {}
            Part::Row(_) | Part::BadRow(_) => {
                let grid = self.grid.get_or_insert_with(|| GridLines::new(line.number));
                grid.push(line.number, part, content);
                if grid.is_complete() {
                    self.end_grid();
                }
            }
            Part::Other => {
                self.end_grid();
                let indent = line.text.len() - line.text.trim_ascii_start().len();
                match line::parse(line.text, indent) {
                    Ok((puzzle, end)) => match other_rules(&line.text[end..]) {
                        Some(rules) => self.bad(line.number, BadLine::OtherRules { rules }),
                        None => {
                            let note = line::note(&line.text[end..]);
                            self.good(line.number, puzzle, note, None, line.text);
                        }
                    },
                    Err(why) => self.bad(line.number, why),
                }
            }
        }
    }

    /// Gives the grid that has begun, or says what is wrong with it.
    fn end_grid(&mut self) {
        if let Some(grid) = self.grid.take() {
            let first_line = grid.first_line;
            match grid.finish() {
                Ok(puzzle) => {
                    let row = puzzle.to_line();
                    self.good(first_line, puzzle, String::new(), None, row.as_bytes());
                }
                Err((line, why)) => self.bad(line, why),
            }
        }
    }

    fn good(
        &mut self,
        line: u64,
        puzzle: Puzzle,
        note: String,
        expected: Option<Puzzle>,
        row: &[u8],
    ) {
        let place = self.place(line);
        self.ready.push_back(Ok(Entry {
            puzzle,
            place,
            note,
            expected,
            row: self.keeps_rows.then(|| row.into()),
        }));
    }

    fn bad(&mut self, line: u64, why: BadLine) {
        let place = self.place(line);
        self.ready
            .push_back(Err(CorpusError::BadLine { place, why }));
    }
}
