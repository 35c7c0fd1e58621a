//! Rows of a corpus as rows of a data set: what a column of the file says is taken, the rest is worked out.

use super::check::check;
use super::each::{ReadTally, Watch, each_row_of};
use super::export::{Column, ExportError, Record, RowWriter};
use super::identify::Identifier;
use super::key::Key;
use super::split::{Groups, Part};
use crate::canon::Canonizer;
use crate::corpus::{Columns, Row, Rows};
use crate::grid::PuzzleLine;
use crate::logic::{EXPLAINER, Measure, Rater};
use crate::solve::{Deadline, Lockstep, median_guesses};
use crate::stream::{End, StreamError};

/// Symmetric copies over which the guesses are counted.
const COPIES: u32 = 101;

/// What is written of each row.
#[derive(Clone, Debug)]
pub struct RecordConfig {
    /// The columns that are wanted; what is not is not worked out.
    pub wanted: Vec<Column>,
    /// The columns of the files.
    pub columns: Option<Columns>,
}

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

/// Adds each row with one solution to a data set, in order. `on_left_out` hears of the others.
///
/// # Errors
/// See [`StreamError`] and [`ExportError`].
pub fn write_records(
    rows: Rows,
    config: &RecordConfig,
    parts: Option<&Parts>,
    watch: &mut Watch<'_>,
    writer: &mut dyn RowWriter,
    on_left_out: &mut (dyn FnMut(&Row) + Send),
) -> Result<(RecordTally, End), ExportStreamError> {
    let mut tally = RecordTally::default();
    let mut number = 0;
    let mut failed = None;
    let work = |rows: &[Row], lines: &[PuzzleLine]| config.records(rows, lines);
    let done = each_row_of(rows, config.batch(), watch, work, |row, record| {
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

impl RecordConfig {
    /// Whether a column is wanted and no column of the files has it.
    fn lacks(&self, column: Column) -> bool {
        let columns = self.columns.as_ref();
        let is_there = columns.is_some_and(|columns| columns.place(column.name()).is_some());
        self.wanted.contains(&column) && !is_there
    }

    fn lacks_rating(&self) -> bool {
        [Column::Er, Column::Ep, Column::Ed]
            .into_iter()
            .any(|column| self.lacks(column))
    }

    /// How many rows a thread takes at a time.
    fn batch(&self) -> usize {
        if self.lacks_rating() {
            1
        } else if self.lacks(Column::GuessesMedian) {
            16
        } else {
            128
        }
    }

    /// The text in a column of the row's file.
    fn field(&self, row: &Row, column: Column) -> Option<String> {
        let columns = self.columns.as_ref()?;
        let field = columns.field(&row.text, columns.place(column.name())?)?;
        (!field.is_empty()).then_some(field)
    }

    fn number<T: std::str::FromStr>(&self, row: &Row, column: Column) -> Option<T> {
        self.field(row, column)?.parse().ok()
    }

    /// The records of these rows; `None` for those without a single solution.
    fn records(&self, rows: &[Row], lines: &[PuzzleLine]) -> Vec<Option<Record>> {
        let mut identifier = Identifier::default();
        let mut canonizer = Canonizer::new();
        let solutions = identifier.solutions(lines);
        let qualities = self
            .lacks(Column::Minimal)
            .then(|| check(&mut Lockstep::new(), lines));
        let wants_form = self.lacks(Column::Canon) || self.lacks(Column::Automorphisms);
        let records = rows.iter().enumerate().map(|(number, row)| {
            let solution = solutions[number]?;
            let line = &lines[number];
            let id = self.field(row, Column::Id);
            let mut record = Record::new(
                id.unwrap_or_else(|| Key::of(line.as_bytes()).to_string()),
                row.puzzle,
            );
            record.solution = Some(solution);
            record.canon = self.field(row, Column::Canon);
            record.automorphisms = self.number(row, Column::Automorphisms);
            if wants_form {
                let form = canonizer.minlex(line);
                let text = || String::from_utf8_lossy(form.line.as_bytes()).into_owned();
                record.canon.get_or_insert_with(text);
                record.automorphisms.get_or_insert(form.automorphisms);
            }
            record.grid_id = self.field(row, Column::GridId);
            if record.grid_id.is_none() && self.wanted.contains(&Column::GridId) {
                record.grid_id = Some(identifier.grid(&solution).to_string());
            }
            record.minimal = self
                .number::<u8>(row, Column::Minimal)
                .map(|flag| flag != 0);
            if let Some(qualities) = &qualities {
                record.minimal = Some(qualities[number].is_minimal());
            }
            self.rate(row, &mut record);
            record.source = Some(
                self.field(row, Column::Source)
                    .unwrap_or_else(|| row.place.to_string()),
            );
            record.group = self.field(row, Column::Group);
            record.split = self.field(row, Column::Split).and_then(|name| {
                let mut parts = Part::ALL.into_iter();
                parts.find(|part| part.name() == name)
            });
            record.weight = self.number(row, Column::Weight);
            Some(record)
        });
        records.collect()
    }

    /// Adds what says how hard the puzzle is.
    fn rate(&self, row: &Row, record: &mut Record) {
        let tenths = |column| {
            let number: f64 = self.number(row, column)?;
            (0.0..100.0)
                .contains(&number)
                .then(|| (number * 10.0).round() as u16)
        };
        record.er = tenths(Column::Er);
        record.ep = tenths(Column::Ep);
        record.ed = tenths(Column::Ed);
        record.guesses_median = self.number(row, Column::GuessesMedian);
        if self.lacks_rating()
            && let Ok(rating) = Rater::new(&EXPLAINER).rate(&row.puzzle)
            && let Measure::Tenths { er, ep, ed } = rating.measure
        {
            record.er = record.er.or(er);
            record.ep = record.ep.or(ep);
            record.ed = record.ed.or(ed);
        }
        if self.lacks(Column::GuessesMedian) {
            record.guesses_median = median_guesses(&row.puzzle, COPIES, Deadline::NONE);
        }
    }
}
