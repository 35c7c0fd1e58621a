//! Rows in, something for each of them out: in order, on all threads, in flat memory.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::corpus::{CorpusError, Row, RowFile, Rows};
use crate::grid::PuzzleLine;
use crate::parallel::map_in_order;
use crate::stream::{End, StreamError};

/// What a stream of rows is held to.
pub struct Watch<'a, E = CorpusError> {
    /// Once this is set, no further rows are read.
    pub stop: &'a AtomicBool,
    /// Hears of what cannot be read.
    pub on_error: &'a mut (dyn FnMut(&E) + Send),
}

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct ReadTally {
    /// Puzzles.
    pub puzzles: u64,
    /// Lines that are no puzzles.
    pub bad_lines: u64,
    /// Files that were not read, or not to their end.
    pub broken_files: u64,
}

impl ReadTally {
    /// Whether every line was a puzzle.
    pub fn is_clean(&self) -> bool {
        self.bad_lines + self.broken_files == 0
    }

    fn count<F: RowFile>(&mut self, error: &F::Error) {
        if F::is_of_line(error) {
            self.bad_lines += 1;
        } else {
            self.broken_files += 1;
        }
    }
}

/// Rows, and what stood between them that is none.
struct Batch<F: RowFile> {
    rows: Vec<Row<F::Puzzle>>,
    errors: Vec<F::Error>,
}

impl<F: RowFile> Batch<F> {
    fn read(rows: &mut Rows<F>, size: usize) -> Option<Batch<F>> {
        let mut batch = Batch {
            rows: Vec::with_capacity(size),
            errors: Vec::new(),
        };
        for row in rows.take(size) {
            match row {
                Ok(row) => batch.rows.push(row),
                Err(error) => batch.errors.push(error),
            }
        }
        (!batch.rows.is_empty() || !batch.errors.is_empty()).then_some(batch)
    }
}

/// The puzzles of classic rows, as lines.
pub(super) fn lines_of(rows: &[Row]) -> Vec<PuzzleLine> {
    let lines = rows.iter().map(|row| PuzzleLine::from(&row.puzzle));
    lines.collect()
}

/// Calls `work` with this many rows at a time, on all threads of the current rayon pool, and hands each row with its
/// result to `sink`, in the order of the rows. `work` gives a result for each row, or returns `None` where it was
/// stopped by the flag of `watch`; then neither these rows nor those after them are handed over.
///
/// # Errors
/// See [`StreamError`]. A pipe that was closed at its other end is no error.
pub fn each_of<F: RowFile, T: Send>(
    mut rows: Rows<F>,
    size: usize,
    watch: &mut Watch<'_, F::Error>,
    work: impl Fn(&[Row<F::Puzzle>]) -> Option<Vec<T>> + Sync,
    mut sink: impl FnMut(Row<F::Puzzle>, T) -> io::Result<()> + Send,
) -> Result<(ReadTally, End), StreamError> {
    let mut tally = ReadTally::default();
    let Watch { stop, on_error } = watch;
    let stopped = || stop.load(Ordering::Relaxed);
    let batches = std::iter::from_fn(|| {
        let goes_on = !stopped();
        goes_on.then(|| Batch::read(&mut rows, size)).flatten()
    });
    let work = |batch: Batch<F>| {
        let results = work(&batch.rows);
        (batch, results)
    };
    let mut is_cut = false;
    let written = map_in_order(batches, work, |(batch, results)| {
        let Some(results) = results.filter(|_| !is_cut) else {
            is_cut = true;
            return Ok(());
        };
        for error in &batch.errors {
            tally.count::<F>(error);
            on_error(error);
        }
        tally.puzzles += batch.rows.len() as u64;
        let mut worked = batch.rows.into_iter().zip(results);
        worked.try_for_each(|(row, result)| sink(row, result))
    });
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok((tally, End::Closed)),
        Err(error) => Err(error.into()),
        Ok(()) if stopped() => Ok((tally, End::Interrupted)),
        Ok(()) => Ok((tally, End::Complete)),
    }
}

/// Writes out what is buffered after the last row. Rows that nobody takes any more are no error: what reads them had
/// enough.
pub(super) fn flush(out: &mut dyn io::Write, end: End) -> Result<End, StreamError> {
    match out.flush() {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(End::Closed),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(end),
    }
}
