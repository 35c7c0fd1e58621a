//! Data sets as a Parquet file: typed columns, and nulls where nothing is known.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::error::ExportError;
use super::record::{Column, ColumnKind, Record, Value};
use super::row_writer::RowWriter;
use crate::files::WholeFile;

/// Rows that are kept in memory until they are written, some 400 bytes each.
const GROUP_ROWS: usize = 1 << 16;

/// One Parquet file.
pub(super) struct ParquetFile {
    path: PathBuf,
    writer: SerializedFileWriter<WholeFile>,
    columns: Vec<(Column, Cells)>,
    rows: usize,
}

/// The values of a column that are there, and for each row whether one is.
struct Cells {
    values: Values,
    definitions: Vec<i16>,
}

enum Values {
    Text(Vec<ByteArray>),
    Count(Vec<i64>),
    Real(Vec<f64>),
    Flag(Vec<bool>),
}

impl Cells {
    fn new(kind: ColumnKind) -> Cells {
        Cells {
            values: match kind {
                ColumnKind::Text => Values::Text(Vec::new()),
                ColumnKind::Count => Values::Count(Vec::new()),
                ColumnKind::Real => Values::Real(Vec::new()),
                ColumnKind::Flag => Values::Flag(Vec::new()),
            },
            definitions: Vec::new(),
        }
    }

    /// Adds a value of the column's kind; any other is none.
    fn add(&mut self, value: &Value<'_>) {
        let is_there = match (&mut self.values, value) {
            (Values::Text(values), Value::Text(text)) => {
                values.push(ByteArray::from(text.as_ref()));
                true
            }
            (Values::Count(values), &Value::Count(count)) => {
                values.push(i64::try_from(count).unwrap_or(i64::MAX));
                true
            }
            (Values::Real(values), &Value::Real(number)) => {
                values.push(number);
                true
            }
            (Values::Real(values), &Value::Tenths(tenths)) => {
                values.push(f64::from(tenths) / 10.0);
                true
            }
            (Values::Flag(values), &Value::Flag(flag)) => {
                values.push(flag);
                true
            }
            _ => false,
        };
        self.definitions.push(i16::from(is_there));
    }

    /// Writes what was added and forgets it.
    fn write(&mut self, writer: &mut ColumnWriter<'_>) -> Result<(), ParquetError> {
        let definitions = Some(&*self.definitions);
        match (&mut self.values, writer) {
            (Values::Text(values), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                writer.write_batch(values, definitions, None)?;
                values.clear();
            }
            (Values::Count(values), ColumnWriter::Int64ColumnWriter(writer)) => {
                writer.write_batch(values, definitions, None)?;
                values.clear();
            }
            (Values::Real(values), ColumnWriter::DoubleColumnWriter(writer)) => {
                writer.write_batch(values, definitions, None)?;
                values.clear();
            }
            (Values::Flag(values), ColumnWriter::BoolColumnWriter(writer)) => {
                writer.write_batch(values, definitions, None)?;
                values.clear();
            }
            _ => return Err(ParquetError::General("a column of another type".into())),
        }
        self.definitions.clear();
        Ok(())
    }
}

impl ParquetFile {
    pub(super) fn create(path: &Path, columns: &[Column]) -> Result<ParquetFile, ExportError> {
        let fields = columns.iter().map(|column| {
            let name = column.name();
            match column.kind() {
                ColumnKind::Text => format!("optional binary {name} (STRING);"),
                ColumnKind::Count => format!("optional int64 {name};"),
                ColumnKind::Real => format!("optional double {name};"),
                ColumnKind::Flag => format!("optional boolean {name};"),
            }
        });
        let schema = format!("message puzzles {{ {} }}", fields.collect::<String>());
        let unwritable = |error| unwritable(path, error);
        let schema = Arc::new(parse_message_type(&schema).map_err(unwritable)?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let properties = Arc::new(properties.build());
        let file = WholeFile::create(path).map_err(ExportError::of(path))?;
        let cells = columns.iter().map(|&it| (it, Cells::new(it.kind())));
        Ok(ParquetFile {
            path: path.to_owned(),
            writer: SerializedFileWriter::new(file, schema, properties).map_err(unwritable)?,
            columns: cells.collect(),
            rows: 0,
        })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        self.rows = 0;
        let mut group = self.writer.next_row_group()?;
        for (_, cells) in &mut self.columns {
            let Some(mut column) = group.next_column()? else {
                break;
            };
            cells.write(column.untyped())?;
            column.close()?;
        }
        group.close().map(drop)
    }
}

impl RowWriter for ParquetFile {
    fn add(&mut self, record: &Record) -> Result<(), ExportError> {
        for (column, cells) in &mut self.columns {
            cells.add(&record.value(*column));
        }
        self.rows += 1;
        if self.rows == GROUP_ROWS {
            let written = self.write_group();
            written.map_err(|error| unwritable(&self.path, error))?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<PathBuf>, ExportError> {
        let path = std::mem::take(&mut self.path);
        let unwritable = |error| unwritable(&path, error);
        if self.rows > 0 {
            self.write_group().map_err(unwritable)?;
        }
        let file = self.writer.into_inner().map_err(unwritable)?;
        file.finish().map_err(ExportError::of(&path))?;
        Ok(vec![path])
    }
}

fn unwritable(path: &Path, error: ParquetError) -> ExportError {
    ExportError::of(path)(match error {
        ParquetError::External(source) => match source.downcast::<std::io::Error>() {
            Ok(source) => *source,
            Err(source) => std::io::Error::other(source),
        },
        error => std::io::Error::other(error),
    })
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::super::super::part::Part;
    use super::super::example::Example;
    use super::*;
    use crate::grid::Puzzle;

    fn example(puzzle: Puzzle) -> Example {
        let solution = None;
        Example::Classic { puzzle, solution }
    }

    #[test]
    fn values_and_nulls_come_back_typed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("puzzles.parquet");
        let columns = [
            Column::Id,
            Column::Givens,
            Column::Er,
            Column::Minimal,
            Column::Split,
        ];
        let mut file = Box::new(ParquetFile::create(&path, &columns).unwrap());
        let line =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let mut record = Record::new("a", example(line.parse().unwrap()));
        file.add(&record).unwrap();
        record.id = "b".to_owned();
        record.er = Some(105);
        record.minimal = Some(false);
        record.split = Some(Part::Test);
        file.add(&record).unwrap();
        assert!(!path.exists());
        assert_eq!(file.finish().unwrap(), std::slice::from_ref(&path));
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let rows: Vec<_> = reader
            .get_row_iter(None)
            .unwrap()
            .map(Result::unwrap)
            .collect();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].get_string(0).unwrap(), "a");
        assert_eq!(rows[0].get_long(1).unwrap(), 30);
        assert!(rows[0].get_double(2).is_err() && rows[0].get_bool(3).is_err());
        assert_eq!(rows[1].get_double(2).unwrap(), 10.5);
        assert!(!rows[1].get_bool(3).unwrap());
        assert_eq!(rows[1].get_string(4).unwrap(), "test");
    }

    #[test]
    fn rows_of_many_groups_come_back_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("puzzles.parquet");
        let mut file = Box::new(ParquetFile::create(&path, &[Column::Id]).unwrap());
        let count = GROUP_ROWS + 3;
        let mut record = Record::new("", example(Puzzle::empty()));
        for number in 0..count {
            record.id = number.to_string();
            file.add(&record).unwrap();
        }
        file.finish().unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        assert_eq!(reader.num_row_groups(), 2);
        let rows = reader.get_row_iter(None).unwrap();
        let ids = rows.map(|row| {
            row.unwrap()
                .get_string(0)
                .unwrap()
                .parse::<usize>()
                .unwrap()
        });
        assert!(ids.eq(0..count));
    }
}
