//! `results.parquet`: the rows of `results.csv` with types of their own, and nulls where there is nothing.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::journal::{PHOTOS, each_saved_photo};
use super::photo::PhotoResult;
use super::record::{Reading, Record};
use crate::files::{WholeFile, WriteError};

/// Its place below the output folder.
pub(super) const PARQUET: &str = "results.parquet";

/// Rows that are kept in memory until they are written, some 400 bytes each.
const GROUP_ROWS: usize = 1 << 16;

/// The columns of `results.csv`.
const SCHEMA: &str = "message results {
    required binary photo (STRING);
    required int32 puzzle (INTEGER(32, false));
    required binary status (STRING);
    optional binary givens (STRING);
    optional binary decoded (STRING);
    optional binary solution (STRING);
    optional binary solutions (STRING);
    optional float confidence;
    optional float margin;
    optional int32 overruled (INTEGER(32, false));
    optional int32 rotation (INTEGER(16, false));
    optional group corners (LIST) { repeated group list { required float element; } }
    optional binary error (STRING);
    required float decode_ms;
    required float detect_ms;
    required float read_ms;
    required float solve_ms;
    optional binary filled (STRING);
    optional binary read (STRING);
    optional binary marks (STRING);
}";

/// Its last column, which is there only where it is asked for.
const MARKS: &str = "    optional binary marks (STRING);\n";

/// Writes the rows of the run whose `photos.jsonl` lies in a folder, or removes the file of an earlier run where
/// they are not `wanted`; with the pencil marks where they are asked for. The rows are those of `photos.jsonl`, so the file of parts that were merged is that of one
/// machine.
///
/// # Errors
/// [`WriteError`], also where `photos.jsonl` cannot be read; then the file is as it was before.
pub(super) fn write_parquet(folder: &Path, wanted: bool, marks: bool) -> Result<(), WriteError> {
    let path = folder.join(PARQUET);
    let write = || {
        let mut table = Table::create(&path, marks)?;
        let mut written = Ok(());
        let read = each_saved_photo(&folder.join(PHOTOS), |photo| {
            if written.is_ok() {
                written = table.add(&photo);
            }
        });
        read.map_err(io::Error::other)?;
        written?;
        table.finish()
    };
    let remove = || match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    let done = if wanted { write() } else { remove() };
    done.map_err(WriteError::of(&path))
}

/// A file on its way.
struct Table {
    writer: SerializedFileWriter<WholeFile>,
    rows: Rows,
}

impl Table {
    fn create(path: &Path, marks: bool) -> io::Result<Table> {
        let schema = match marks {
            true => SCHEMA.to_owned(),
            false => SCHEMA.replace(MARKS, ""),
        };
        let schema = Arc::new(parse_message_type(&schema).map_err(failed)?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let properties = Arc::new(properties.build());
        let file = WholeFile::create(path)?;
        Ok(Table {
            writer: SerializedFileWriter::new(file, schema, properties).map_err(failed)?,
            rows: Rows::default(),
        })
    }

    fn add(&mut self, photo: &PhotoResult) -> io::Result<()> {
        for record in photo.result_records() {
            self.rows.add(&photo.photo, record);
            if self.rows.count == GROUP_ROWS {
                self.write_group()?;
            }
        }
        Ok(())
    }

    fn write_group(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        rows.write(&mut self.writer).map_err(failed)
    }

    fn finish(mut self) -> io::Result<()> {
        if self.rows.count > 0 {
            self.write_group()?;
        }
        self.writer.into_inner().map_err(failed)?.finish()
    }
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}

/// Rows on their way to columns.
#[derive(Default)]
struct Rows {
    count: usize,
    photo: Column<ByteArray>,
    puzzle: Column<i32>,
    status: Column<ByteArray>,
    /// `givens`, `decoded`, `solution` and `solutions`.
    boards: [Column<ByteArray>; 4],
    /// `confidence` and `margin`.
    certainty: [Column<f32>; 2],
    /// `overruled` and `rotation`.
    counts: [Column<i32>; 2],
    corners: Column<f32>,
    error: Column<ByteArray>,
    /// `filled`, `read` and `marks`.
    entries: [Column<ByteArray>; 3],
    stages: [Column<f32>; 4],
}

/// Values that are there, and for each place whether one is.
#[derive(Default)]
struct Column<T> {
    values: Vec<T>,
    definitions: Vec<i16>,
    /// Of a list, for each place whether it goes on from the one before.
    repetitions: Option<Vec<i16>>,
}

impl<T> Column<T> {
    fn add(&mut self, value: Option<T>) {
        self.definitions.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    /// A list with at least one value, or none at all.
    fn add_list(&mut self, values: Option<impl IntoIterator<Item = T>>) {
        let repetitions = self.repetitions.get_or_insert_default();
        let before = self.values.len();
        self.values.extend(values.into_iter().flatten());
        let count = self.values.len() - before;
        let places = count.max(1);
        self.definitions
            .extend(std::iter::repeat_n(if count > 0 { 2 } else { 0 }, places));
        repetitions.extend((0..places).map(|at| i16::from(at > 0)));
    }
}

impl Column<ByteArray> {
    fn add_text(&mut self, text: Option<&str>) {
        self.add(text.map(ByteArray::from));
    }
}

impl Rows {
    fn add(&mut self, photo: &str, record: &Record) {
        let reading = record.reading.as_ref();
        self.count += 1;
        self.photo.add_text(Some(photo));
        self.puzzle.add(Some(record.puzzle as i32));
        self.status.add_text(Some(record.status.name()));
        let [givens, decoded, solution, solutions] = &mut self.boards;
        givens.add_text(reading.map(|it| it.givens().to_line()).as_deref());
        decoded.add_text(reading.map(|it| it.decoded.to_line()).as_deref());
        let solved = reading.and_then(|it| it.solution);
        solution.add_text(solved.map(|it| it.to_line()).as_deref());
        solutions.add_text(Some(record.solutions()).filter(|text| !text.is_empty()));
        let [confidence, margin] = &mut self.certainty;
        confidence.add(reading.map(|it| it.confidence));
        margin.add(reading.map(|it| it.margin));
        let [overruled, rotation] = &mut self.counts;
        overruled.add(reading.map(|it| it.overruled as i32));
        rotation.add(reading.map(|it| i32::from(it.place.rotation.degrees())));
        let corners = reading.map(|it| it.corners.into_iter().flat_map(|at| [at.x, at.y]));
        self.corners.add_list(corners);
        let [filled, read, marks] = &mut self.entries;
        filled.add_text(reading.map(|it| it.filled().to_line()).as_deref());
        read.add_text(reading.map(|it| it.read.to_line()).as_deref());
        marks.add_text(reading.and_then(Reading::marks_line).as_deref());
        self.error.add_text(record.error.as_deref());
        let stages = &record.stages;
        let times = [stages.decode, stages.detect, stages.read, stages.solve];
        for (column, ms) in self.stages.iter_mut().zip(times) {
            column.add(Some(ms));
        }
    }

    /// Writes the rows as one group.
    fn write(self, writer: &mut SerializedFileWriter<WholeFile>) -> Result<(), ParquetError> {
        let mut texts = [self.photo, self.status]
            .into_iter()
            .chain(self.boards)
            .chain([self.error])
            .chain(self.entries);
        let mut numbers = [self.puzzle].into_iter().chain(self.counts);
        let mut floats = self
            .certainty
            .into_iter()
            .chain([self.corners])
            .chain(self.stages);
        let mut group = writer.next_row_group()?;
        while let Some(mut column) = group.next_column()? {
            // The columns of each type are in the order of the schema.
            match column.untyped() {
                ColumnWriter::ByteArrayColumnWriter(writer) => {
                    let column = texts.next().unwrap_or_default();
                    writer.write_batch(&column.values, Some(&column.definitions), None)?;
                }
                ColumnWriter::Int32ColumnWriter(writer) => {
                    let column = numbers.next().unwrap_or_default();
                    writer.write_batch(&column.values, Some(&column.definitions), None)?;
                }
                ColumnWriter::FloatColumnWriter(writer) => {
                    let column = floats.next().unwrap_or_default();
                    let repetitions = column.repetitions.as_deref();
                    writer.write_batch(&column.values, Some(&column.definitions), repetitions)?;
                }
                _ => return Err(ParquetError::General("a column of no known type".into())),
            }
            column.close()?;
        }
        group.close().map(drop)
    }
}
