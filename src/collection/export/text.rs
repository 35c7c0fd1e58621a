//! Data sets as lines of text: CSV and JSON.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::error::ExportError;
use super::record::{Column, Record, Value};
use super::row_writer::RowWriter;
use crate::files::{WholeFile, spreadsheet_text};

/// One CSV file with a header.
pub(super) struct CsvFile {
    path: PathBuf,
    columns: Vec<Column>,
    table: csv::Writer<WholeFile>,
}

impl CsvFile {
    pub(super) fn create(path: &Path, columns: &[Column]) -> Result<CsvFile, ExportError> {
        let file = WholeFile::create(path).map_err(ExportError::of(path))?;
        let mut table = csv::Writer::from_writer(file);
        let names = columns.iter().map(|column| column.name());
        table
            .write_record(names)
            .map_err(|error| unwritable(path, error))?;
        Ok(CsvFile {
            path: path.to_owned(),
            columns: columns.to_vec(),
            table,
        })
    }
}

impl RowWriter for CsvFile {
    fn add(&mut self, record: &Record) -> Result<(), ExportError> {
        let cells = self
            .columns
            .iter()
            .map(|&column| cell(record.value(column)));
        let written = self.table.write_record(cells);
        written.map_err(|error| unwritable(&self.path, error))
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, ExportError> {
        let path = self.path;
        let file = self.table.into_inner();
        let file = file.map_err(|error| ExportError::of(&path)(error.into_error()))?;
        file.finish().map_err(ExportError::of(&path))?;
        Ok(vec![path])
    }
}

fn unwritable(path: &Path, error: csv::Error) -> ExportError {
    ExportError::of(path)(match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => std::io::Error::other(format!("{kind:?}")),
    })
}

/// A value as the cell of a table: empty where there is none.
fn cell(value: Value<'_>) -> String {
    match value {
        Value::Missing => String::new(),
        Value::Text(text) => spreadsheet_text(&text).into_owned(),
        Value::Count(count) => count.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Tenths(tenths) => format!("{}.{}", tenths / 10, tenths % 10),
        Value::Flag(flag) => u8::from(flag).to_string(),
    }
}

/// One file with an object of JSON on each line.
pub(super) struct JsonLines {
    path: PathBuf,
    columns: Vec<Column>,
    file: WholeFile,
}

impl JsonLines {
    pub(super) fn create(path: &Path, columns: &[Column]) -> Result<JsonLines, ExportError> {
        Ok(JsonLines {
            path: path.to_owned(),
            columns: columns.to_vec(),
            file: WholeFile::create(path).map_err(ExportError::of(path))?,
        })
    }
}

impl RowWriter for JsonLines {
    fn add(&mut self, record: &Record) -> Result<(), ExportError> {
        let object = Object {
            columns: &self.columns,
            record,
        };
        let written = serde_json::to_writer(&mut self.file, &object).map_err(Into::into);
        let ended = written.and_then(|()| self.file.write_all(b"\n"));
        ended.map_err(ExportError::of(&self.path))
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, ExportError> {
        self.file.finish().map_err(ExportError::of(&self.path))?;
        Ok(vec![self.path])
    }
}

/// A row as an object, its members in the order of the columns; `null` where nothing is known.
struct Object<'a> {
    columns: &'a [Column],
    record: &'a Record,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.columns.len()))?;
        for &column in self.columns {
            let name = column.name();
            match self.record.value(column) {
                Value::Missing => object.serialize_entry(name, &())?,
                Value::Text(text) => object.serialize_entry(name, &text)?,
                Value::Count(count) => object.serialize_entry(name, &count)?,
                Value::Real(number) => object.serialize_entry(name, &number)?,
                Value::Tenths(tenths) => {
                    object.serialize_entry(name, &(f64::from(tenths) / 10.0))?;
                }
                Value::Flag(flag) => object.serialize_entry(name, &flag)?,
            }
        }
        object.end()
    }
}
