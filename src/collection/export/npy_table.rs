//! Puzzles and solutions as arrays, and the other columns as a table beside them.

use std::path::{Path, PathBuf};

use super::error::ExportError;
use super::example::CommonRules;
use super::npy::{Element, NpyFile};
use super::record::{Column, Record};
use super::row_writer::RowWriter;
use super::text::CsvFile;

/// See [`Format::Npy`](super::writer::Format::Npy).
pub(super) struct NpyTable {
    rules: CommonRules,
    puzzles: NpyFile,
    solutions: Option<NpyFile>,
    table: Option<Box<CsvFile>>,
}

impl NpyTable {
    pub(super) fn create(folder: &Path, columns: &[Column]) -> Result<NpyTable, ExportError> {
        let board = |name: &str| NpyFile::create(folder.join(name), Element::Byte);
        let is_array = |column: &Column| matches!(column, Column::Puzzle | Column::Solution);
        let others: Vec<Column> = columns.iter().copied().filter(|it| !is_array(it)).collect();
        let has_solutions = columns.contains(&Column::Solution);
        let table = || CsvFile::create(&folder.join("table.csv"), &others).map(Box::new);
        Ok(NpyTable {
            rules: CommonRules::default(),
            puzzles: board("puzzles.npy")?,
            solutions: has_solutions.then(|| board("solutions.npy")).transpose()?,
            table: (!others.is_empty()).then(table).transpose()?,
        })
    }
}

impl RowWriter for NpyTable {
    fn add(&mut self, record: &Record) -> Result<(), ExportError> {
        let rules = self.rules.add(&record.example);
        rules.map_err(|row| ExportError::other_rules(row, &record.id))?;
        let cells = record.example.cells();
        self.puzzles.add_bytes(&cells)?;
        if let Some(solutions) = &mut self.solutions {
            let solution = record.example.solution_cells();
            solutions.add_bytes(&solution.unwrap_or_else(|| vec![0; cells.len()]))?;
        }
        match &mut self.table {
            Some(table) => table.add(record),
            None => Ok(()),
        }
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, ExportError> {
        let cells = Some(self.rules.cells());
        let mut files = vec![self.puzzles.finish(cells)?];
        if let Some(solutions) = self.solutions {
            files.push(solutions.finish(cells)?);
        }
        if let Some(table) = self.table {
            files.extend(table.finish()?);
        }
        Ok(files)
    }
}
