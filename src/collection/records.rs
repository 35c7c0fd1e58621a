//! A corpus as a data set, row by row.

use super::board::Board;
use super::each::{ReadTally, Watch, each_of};
use super::export::{ExportError, RowWriter};
use super::key::Key;
use super::part::Part;
use super::record::RecordConfig;
use super::split::Groups;
use crate::corpus::{Row, Rows};
use crate::solve::Stop;
use crate::stream::{End, StreamError};

/// The parts and groups of rows that were split.
#[derive(Debug)]
pub struct Parts {
    /// How many rows each part has, in the order of the rows.
    pub sizes: Vec<(Part, u64)>,
    /// The groups of the rows.
    pub groups: Groups,
}

impl Parts {
    /// The part and the group of a row, counted from 0.
    fn of(&self, row: u64) -> (Option<Part>, Option<Key>) {
        let mut behind = 0;
        let part = self.sizes.iter().find_map(|&(part, rows)| {
            behind += rows;
            (row < behind).then_some(part)
        });
        (part, self.groups.key(row as usize))
    }
}

/// Counts of the rows by their result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordTally {
    /// What was read.
    pub read: ReadTally,
    /// Rows that were written.
    pub written: u64,
    /// Puzzles without a single solution, which are left out.
    pub left_out: u64,
    /// Rows written of each part, by [`Part::ALL`].
    pub parts: [u64; 3],
}

/// Adds each row with one solution to a data set, in order. `on_left_out` hears of the others. `stop` ends searches on
/// large boards.
///
/// # Errors
/// See [`StreamError`] and [`ExportError`].
pub fn write_records<B: Board>(
    rows: Rows<B>,
    config: &RecordConfig,
    parts: Option<&Parts>,
    stop: Option<Stop>,
    watch: &mut Watch<'_, B::Error>,
    writer: &mut dyn RowWriter,
    on_left_out: &mut (dyn FnMut(&Row<B::Puzzle>) + Send),
) -> Result<(RecordTally, End), ExportStreamError> {
    let mut tally = RecordTally::default();
    let mut number = 0;
    let mut failed = None;
    let work = |rows: &[Row<B::Puzzle>]| B::records(rows, config, stop);
    let batch = config.batch().min(B::batch(true));
    let done = each_of(rows, batch, watch, work, |row, record| {
        let (part, group) = parts.map_or((None, None), |parts| parts.of(number));
        number += 1;
        let Some(mut record) = record else {
            tally.left_out += 1;
            on_left_out(&row);
            return Ok(());
        };
        record.split = record.split.or(part);
        if let Some(key) = group {
            record.group.get_or_insert_with(|| key.to_string());
        }
        if let Some(part) = record.split {
            tally.parts[part as usize] += 1;
        }
        tally.written += 1;
        writer.add(&record).map_err(|error| {
            failed = Some(error);
            std::io::Error::other("the data set cannot be written")
        })
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    let (read, end) = done?;
    tally.read = read;
    Ok((tally, end))
}

/// Why a data set is not written.
#[derive(Debug, thiserror::Error)]
pub enum ExportStreamError {
    /// A file of it.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// What it is made of.
    #[error(transparent)]
    Stream(#[from] StreamError),
}
