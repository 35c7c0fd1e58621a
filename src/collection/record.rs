//! Rows of a corpus as rows of a data set: what a column of the file says is taken, the rest is worked out.

use super::any_layout::{grid_key, solution, until, written};
use super::check::check;
use super::each::lines_of;
use super::export::{Column, Example, Record};
use super::identify::Identifier;
use super::key::Key;
use super::part::Part;
use crate::canon::Canonizer;
use crate::corpus::{Columns, Row};
use crate::logic::{EXPLAINER, Measure, Rater};
use crate::solve::{Deadline, Lockstep, Stop, median_guesses};
use crate::variant::{Alphabet, VariantEntry, VariantQuality};

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

impl RecordConfig {
    /// Returns whether a column is wanted and no column of the files has it.
    pub fn lacks(&self, column: Column) -> bool {
        let columns = self.columns.as_ref();
        let is_there = columns.is_some_and(|columns| columns.place(column.name()).is_some());
        self.wanted.contains(&column) && !is_there
    }

    /// Returns whether a rating is wanted that no column of the files has.
    pub fn lacks_rating(&self) -> bool {
        [Column::Er, Column::Ep, Column::Ed]
            .into_iter()
            .any(|column| self.lacks(column))
    }

    /// How many rows a thread takes at a time.
    pub(super) fn batch(&self) -> usize {
        if self.lacks_rating() {
            1
        } else if self.lacks(Column::GuessesMedian) {
            16
        } else {
            128
        }
    }

    /// The text in a column of the row's file.
    fn field<P>(&self, row: &Row<P>, column: Column) -> Option<String> {
        let columns = self.columns.as_ref()?;
        let field = columns.field(&row.text, columns.place(column.name())?)?;
        (!field.is_empty()).then_some(field)
    }

    fn number<P, T: std::str::FromStr>(&self, row: &Row<P>, column: Column) -> Option<T> {
        self.field(row, column)?.parse().ok()
    }

    /// The records of classic puzzles.
    pub(super) fn classic(&self, rows: &[Row]) -> Vec<Option<Record>> {
        let lines = lines_of(rows);
        let mut identifier = Identifier::default();
        let mut canonizer = Canonizer::new();
        let solutions = identifier.solutions(&lines);
        let qualities = self
            .lacks(Column::Minimal)
            .then(|| check(&mut Lockstep::new(), &lines));
        let records = rows.iter().enumerate().map(|(number, row)| {
            let solution = solutions[number]?;
            let line = &lines[number];
            let example = Example::Classic {
                puzzle: row.puzzle,
                solution: Some(solution),
            };
            let mut record = self.copied(row, Key::of(line.as_bytes()), example);
            if self.lacks_form() {
                let form = canonizer.minlex(line);
                let text = || String::from_utf8_lossy(form.line.as_bytes()).into_owned();
                record.canon.get_or_insert_with(text);
                record.automorphisms.get_or_insert(form.automorphisms);
            }
            if record.grid_id.is_none() && self.wanted.contains(&Column::GridId) {
                record.grid_id = Some(identifier.grid(&solution).to_string());
            }
            if let Some(qualities) = &qualities {
                record.minimal = Some(qualities[number].is_minimal());
            }
            self.rate(row, &mut record);
            Some(record)
        });
        records.collect()
    }

    /// The record of a puzzle of any layout, which has no ratings but those of its file.
    pub(super) fn variant(&self, row: &Row<VariantEntry>, stop: Option<Stop>) -> Option<Record> {
        let VariantEntry {
            puzzle, alphabet, ..
        } = &row.puzzle;
        let solution = solution(puzzle, stop)?;
        let example = Example::Variant {
            puzzle: puzzle.clone(),
            solution: Some(solution.clone()),
            alphabet: *alphabet,
        };
        let mut record = self.copied(row, Key::of(&puzzle.exact_form()), example);
        if self.lacks_form() {
            let form = puzzle.canonical();
            if let Some(puzzle) = &form.puzzle {
                let text = || written(puzzle, Alphabet::usual(puzzle.layout().side()));
                record.canon.get_or_insert_with(text);
            }
            record.automorphisms = record.automorphisms.or(form.automorphisms);
        }
        if record.grid_id.is_none() && self.wanted.contains(&Column::GridId) {
            record.grid_id = Some(grid_key(puzzle, &solution).to_string());
        }
        if self.lacks(Column::Minimal) {
            let quality = VariantQuality::within(puzzle, until(stop));
            record.minimal = Some(quality.redundant.is_empty());
        }
        Some(record)
    }

    /// What the columns of the row's file say, with this name if they give none.
    fn copied<P>(&self, row: &Row<P>, key: Key, example: Example) -> Record {
        let id = self.field(row, Column::Id);
        let mut record = Record::new(id.unwrap_or_else(|| key.to_string()), example);
        record.canon = self.field(row, Column::Canon);
        record.grid_id = self.field(row, Column::GridId);
        record.automorphisms = self.number(row, Column::Automorphisms);
        let minimal: Option<u8> = self.number(row, Column::Minimal);
        record.minimal = minimal.map(|flag| flag != 0);
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
        let source = self.field(row, Column::Source);
        record.source = Some(source.unwrap_or_else(|| row.place.to_string()));
        record.group = self.field(row, Column::Group);
        record.split = self.field(row, Column::Split).and_then(|name| {
            let mut parts = Part::ALL.into_iter();
            parts.find(|part| part.name() == name)
        });
        record.weight = self.number(row, Column::Weight);
        record
    }

    fn lacks_form(&self) -> bool {
        self.lacks(Column::Canon) || self.lacks(Column::Automorphisms)
    }

    /// Adds what says how hard the puzzle is.
    fn rate(&self, row: &Row, record: &mut Record) {
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
