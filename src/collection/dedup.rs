//! The first, or the hardest, of the puzzles that count as the same.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write};

use super::board::Board;
use super::each::{ReadTally, Watch, each_of, flush};
use super::identify::SameBy;
use super::key::Key;
use super::places::{Places, ShortPlace};
use crate::corpus::{Place, Row, RowFile, Rows};
use crate::solve::Stop;
use crate::stream::{End, StreamError};

/// Which of the puzzles that count as the same is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The first one.
    First,
    /// The one with the greatest number in this column, and the first of several. An empty field, or one that holds
    /// no number, is less than all numbers.
    Hardest {
        /// The place of the column.
        column: usize,
    },
}

/// How many rows were kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct DedupTally {
    /// What was read.
    #[serde(flatten)]
    pub read: ReadTally,
    /// Rows that were written.
    pub kept: u64,
    /// Rows that count as the same as one that was kept.
    pub removed: u64,
    /// Rows that count as the same as one of those that were given to [`Deduplicator::against`].
    pub known: u64,
    /// Rows without a single solution, where that is what counts: each of them is kept.
    pub unnamed: u64,
}

/// Calls `sink` with the name of each row, in order, on all threads. `stop` ends searches on large boards.
///
/// # Errors
/// See [`StreamError`].
pub fn keys_of<B: Board>(
    rows: Rows<B>,
    same_by: SameBy,
    stop: Option<Stop>,
    watch: &mut Watch<'_, B::Error>,
    sink: impl FnMut(Row<B::Puzzle>, Option<Key>) -> io::Result<()> + Send,
) -> Result<(ReadTally, End), StreamError> {
    let work = |rows: &[Row<B::Puzzle>]| {
        let mut identifier = B::Identifier::default();
        B::keys(&mut identifier, rows, &[same_by], stop)?.pop()
    };
    let batch = B::batch(same_by == SameBy::Solution);
    each_of(rows, batch, watch, work, sink)
}

/// Hears of a row that is not kept, and of the place of the one that is kept for it, if that is among these rows.
pub type OnRemoved<'a, P> = dyn FnMut(&Row<P>, Option<&Place>) -> io::Result<()> + Send + 'a;

/// Keeps one row of those that count as the same. Holds 40 bytes for each that it keeps.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use sudoku_batch::collection::{Deduplicator, Keep, SameBy, Watch};
/// use sudoku_batch::corpus::Rows;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let file = folder.path().join("puzzles.txt");
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let relabeled = puzzle.replace('5', "x").replace('3', "5").replace('x', "3");
/// std::fs::write(&file, format!("{puzzle}\n{relabeled}\n"))?;
/// let mut watch = Watch {
///     stop: &AtomicBool::new(false),
///     on_error: &mut |error| eprintln!("{error}"),
/// };
/// let mut kept = Vec::new();
/// let open = || -> Result<Rows, Box<dyn std::error::Error>> { Ok(Rows::open(vec![file.clone()])?) };
/// Deduplicator::new(SameBy::Puzzle).run(&Keep::First, open, &mut watch, &mut kept, &mut |_, _| Ok(()))?;
/// assert_eq!(String::from_utf8(kept)?, format!("{puzzle}\n"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Deduplicator {
    same_by: SameBy,
    stop: Option<Stop>,
    /// `None` for what is known from elsewhere.
    kept: HashMap<Key, Option<ShortPlace>>,
    places: Places,
}

impl Deduplicator {
    /// A deduplicator that knows no puzzle yet.
    pub fn new(same_by: SameBy) -> Deduplicator {
        Deduplicator {
            same_by,
            stop: None,
            kept: HashMap::new(),
            places: Places::default(),
        }
    }

    /// The same, whose searches on large boards end when this flag is set.
    #[must_use]
    pub fn until(self, stop: Stop) -> Deduplicator {
        Deduplicator {
            stop: Some(stop),
            ..self
        }
    }

    /// Reads rows none of which is to be written, nor any that counts as the same.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn against<B: Board>(
        &mut self,
        rows: Rows<B>,
        watch: &mut Watch<'_, B::Error>,
    ) -> Result<(ReadTally, End), StreamError> {
        keys_of(rows, self.same_by, self.stop, watch, |_, key| {
            self.kept.extend(key.map(|key| (key, None)));
            Ok(())
        })
    }

    /// Writes the rows that are kept, as they stand, in their order. `removed` hears of each that is not, and of the one
    /// that is kept for it, if that is among these rows. `open` opens the rows; for [`Keep::Hardest`] twice.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn run<B: Board, E: From<StreamError>>(
        &mut self,
        keep: &Keep,
        mut open: impl FnMut() -> Result<Rows<B>, E>,
        watch: &mut Watch<'_, B::Error>,
        out: &mut (dyn Write + Send),
        removed: &mut OnRemoved<'_, B::Puzzle>,
    ) -> Result<(DedupTally, End), E> {
        let hardest = match keep {
            Keep::First => None,
            Keep::Hardest { column } => Some(self.hardest(open()?, *column, watch)?),
        };
        let rows = open()?;
        let mut out = io::BufWriter::new(out);
        write_header(&rows, &mut out).map_err(StreamError::from)?;
        let mut tally = DedupTally::default();
        let mut number = 0_u64;
        let (same_by, stop) = (self.same_by, self.stop);
        let (read, end) = keys_of(rows, same_by, stop, watch, |row, key| {
            number += 1;
            let Some(key) = key else {
                tally.unnamed += 1;
                tally.kept += 1;
                return write_row(&row, &mut out);
            };
            let is_chosen = hardest
                .as_ref()
                .is_none_or(|hardest| hardest.get(&key).is_none_or(|best| best.row == number));
            let kept = match self.kept.entry(key) {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) if is_chosen => {
                    entry.insert(Some(self.places.shorten(&row.place)));
                    tally.kept += 1;
                    return write_row(&row, &mut out);
                }
                Entry::Vacant(_) => {
                    let best = hardest.as_ref().and_then(|hardest| hardest.get(&key));
                    best.map(|best| best.place)
                }
            };
            if kept.is_none() {
                tally.known += 1;
            } else {
                tally.removed += 1;
            }
            let kept = kept.map(|kept| self.places.place(kept));
            removed(&row, kept.as_ref())
        })?;
        let end = flush(&mut out, end)?;
        tally.read = read;
        Ok((tally, end))
    }

    /// The hardest row of each name.
    fn hardest<B: Board>(
        &mut self,
        rows: Rows<B>,
        column: usize,
        watch: &mut Watch<'_, B::Error>,
    ) -> Result<HashMap<Key, Best>, StreamError> {
        let columns = rows.columns().cloned();
        let mut best: HashMap<Key, Best> = HashMap::new();
        let mut number = 0;
        // What cannot be read is reported when the rows are written.
        let mut quiet = Watch {
            stop: watch.stop,
            on_error: &mut |_| (),
        };
        keys_of(rows, self.same_by, self.stop, &mut quiet, |row, key| {
            number += 1;
            let Some(key) = key else { return Ok(()) };
            let field = columns
                .as_ref()
                .and_then(|columns| columns.field(&row.text, column));
            let difficulty = field.and_then(|field| field.parse().ok());
            let difficulty = difficulty
                .filter(|number: &f64| !number.is_nan())
                .unwrap_or(f64::NEG_INFINITY);
            let this = Best {
                difficulty,
                row: number,
                place: self.places.shorten(&row.place),
            };
            match best.entry(key) {
                Entry::Occupied(mut entry) if entry.get().difficulty < difficulty => {
                    entry.insert(this);
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(entry) => {
                    entry.insert(this);
                }
            }
            Ok(())
        })?;
        Ok(best)
    }
}

/// The hardest row of a name so far.
struct Best {
    difficulty: f64,
    /// Counted from 1.
    row: u64,
    place: ShortPlace,
}

/// Writes the header of a table.
pub(super) fn write_header<F: RowFile>(rows: &Rows<F>, out: &mut impl Write) -> io::Result<()> {
    let Some(columns) = rows.columns() else {
        return Ok(());
    };
    out.write_all(columns.header())?;
    out.write_all(b"\n")
}

/// Writes a row as it stands in its file.
pub(super) fn write_row<P>(row: &Row<P>, out: &mut impl Write) -> io::Result<()> {
    out.write_all(&row.text)?;
    out.write_all(b"\n")
}
