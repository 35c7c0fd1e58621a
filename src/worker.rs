//! Photos in, rows out, as Arrow IPC streams: a process that stays loaded, for engines that feed rows.

use std::io::{self, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::builder::{
    FixedSizeListBuilder, Float32Builder, StringBuilder, UInt16Builder, UInt32Builder,
};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, make_array};
use arrow_data::transform::MutableArrayData;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use thiserror::Error;

use crate::parallel::map_in_order;
use crate::reader::Reader;
use crate::recognize::{Reading, RecognizeConfig, Record, read_pages};

/// Why a worker ends before its input does.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// What comes in is no stream of record batches, or ends within one.
    #[error("stdin is not an Arrow IPC stream: {0}")]
    Input(ArrowError),
    /// A column is missing, or has another type.
    #[error("stdin needs a column {name:?} of type {expected}: {found}")]
    Column {
        /// Its name.
        name: &'static str,
        /// The types it may have.
        expected: &'static str,
        /// What is there in its place.
        found: String,
    },
    /// The rows cannot be written.
    #[error("cannot write the rows: {0}")]
    Output(ArrowError),
}

impl WorkerError {
    /// Whether nobody reads the rows any more.
    pub fn is_closed_pipe(&self) -> bool {
        let kind = match self {
            WorkerError::Output(ArrowError::IoError(_, error)) => error.kind(),
            _ => return false,
        };
        kind == io::ErrorKind::BrokenPipe
    }
}

/// Reads photos from record batches with the columns `id` (of any type, handed back as it is) and `bytes`
/// (a picture file, or a document of several pages), and writes a batch of rows for each of them, until the input ends. One batch is in
/// flight. A photo has a row for each board, or one that says why there is none: a photo that cannot be read
/// costs no other, nor does a page of a document: it has rows like a photo, with its number in the column `page`. The
/// other columns are those of `results.csv`, pencil marks among them, with types of their own and nulls where there
/// is nothing. Runs in the current rayon pool.
///
/// # Errors
/// [`WorkerError`].
pub fn serve(
    input: impl Read,
    output: impl Write,
    reader: &Reader,
    config: &RecognizeConfig,
) -> Result<(), WorkerError> {
    let opened = guarded(|| StreamReader::try_new(BufReader::new(input), None));
    let mut batches = opened.map_err(WorkerError::Input)?;
    let columns = InputColumns::of(&batches.schema())?;
    let schema = Arc::new(output_schema(&columns.id_field, reader));
    let writer = StreamWriter::try_new_buffered(output, &schema);
    let mut writer = writer.map_err(WorkerError::Output)?;
    writer.flush().map_err(WorkerError::Output)?;
    while let Some(batch) = guarded(|| batches.next().transpose()).map_err(WorkerError::Input)? {
        let rows = read_batch(&batch, &columns, reader, config, &schema);
        let written = rows.and_then(|rows| writer.write(&rows));
        written
            .and_then(|()| writer.flush())
            .map_err(WorkerError::Output)?;
    }
    writer.finish().map_err(WorkerError::Output)
}

/// Runs what may crash on foreign bytes: the decoder of Arrow streams believes what they say of their buffers.
fn guarded<T>(read: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, ArrowError> {
    let damaged = |_| Err(ArrowError::IpcError("it is damaged".to_owned()));
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(damaged)
}

/// Where the columns are.
struct InputColumns {
    id: usize,
    id_field: FieldRef,
    bytes: usize,
}

impl InputColumns {
    fn of(schema: &Schema) -> Result<InputColumns, WorkerError> {
        let find = |name, expected| {
            let found = || {
                let names = schema.fields().iter().map(|field| field.name().as_str());
                format!("it has {:?}", names.collect::<Vec<_>>())
            };
            schema.index_of(name).map_err(|_| WorkerError::Column {
                name,
                expected,
                found: found(),
            })
        };
        let id = find("id", "any")?;
        let bytes = find("bytes", BYTES)?;
        let columns = InputColumns {
            id,
            id_field: Arc::clone(&schema.fields()[id]),
            bytes,
        };
        match schema.field(bytes).data_type() {
            DataType::Binary | DataType::LargeBinary => Ok(columns),
            other => Err(WorkerError::Column {
                name: "bytes",
                expected: BYTES,
                found: format!("it is {other}"),
            }),
        }
    }

    /// The pictures of a batch; nothing where there is a null.
    fn pictures<'a>(
        &self,
        batch: &'a RecordBatch,
    ) -> Box<dyn Iterator<Item = Option<&'a [u8]>> + Send + 'a> {
        let bytes = batch.column(self.bytes);
        match bytes.data_type() {
            DataType::LargeBinary => Box::new(bytes.as_binary::<i64>().iter()),
            _ => Box::new(bytes.as_binary::<i32>().iter()),
        }
    }
}

const BYTES: &str = "binary or large_binary";

/// Coordinates of the four corners.
const CORNERS: i32 = 8;

fn output_schema(id: &Field, reader: &Reader) -> Schema {
    let text = |name| Field::new(name, DataType::Utf8, true);
    let float = |name| Field::new(name, DataType::Float32, true);
    let coordinate = Field::new_list_field(DataType::Float32, true);
    let fields = vec![
        id.clone().with_name("id"),
        Field::new("puzzle", DataType::UInt32, false),
        Field::new("status", DataType::Utf8, false),
        text("givens"),
        text("decoded"),
        text("solution"),
        text("solutions"),
        float("confidence"),
        float("margin"),
        Field::new("overruled", DataType::UInt32, true),
        Field::new("rotation", DataType::UInt16, true),
        Field::new_fixed_size_list("corners", coordinate, CORNERS, true),
        text("error"),
        float("decode_ms"),
        float("detect_ms"),
        float("read_ms"),
        float("solve_ms"),
        text("filled"),
        text("read"),
        text("marks"),
        Field::new("page", DataType::UInt32, true),
    ];
    let metadata = [
        ("sudoku_batch.version", env!("CARGO_PKG_VERSION")),
        ("sudoku_batch.model", reader.model()),
    ];
    let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
    Schema::new(fields).with_metadata(metadata)
}

/// The rows of a batch.
fn read_batch(
    batch: &RecordBatch,
    columns: &InputColumns,
    reader: &Reader,
    config: &RecognizeConfig,
    schema: &SchemaRef,
) -> Result<RecordBatch, ArrowError> {
    let mut rows = Rows::default();
    let mut photo = 0;
    let read = |bytes: Option<&[u8]>| read_pages(reader, config, bytes.unwrap_or_default());
    map_in_order(columns.pictures(batch), read, |records: Vec<_>| {
        for (page, record) in &records {
            rows.add(photo, *page, record);
        }
        photo += 1;
        Ok::<(), ArrowError>(())
    })?;
    let ids = repeated(batch.column(columns.id), &rows.photos)?;
    RecordBatch::try_new(Arc::clone(schema), rows.finish(ids))
}

/// The values at these places. (`take` of arrow-select would bring a megabyte of code for all types.)
fn repeated(values: &ArrayRef, places: &[usize]) -> Result<ArrayRef, ArrowError> {
    let values = values.to_data();
    let mut picked = MutableArrayData::try_new(vec![&values], false, places.len())?;
    for &place in places {
        picked.try_extend(0, place, place + 1)?;
    }
    Ok(make_array(picked.freeze()))
}

/// Rows on their way to columns.
#[derive(Default)]
struct Rows {
    /// Of which photo of the batch each row is.
    photos: Vec<usize>,
    puzzle: UInt32Builder,
    status: StringBuilder,
    givens: StringBuilder,
    filled: StringBuilder,
    read: StringBuilder,
    decoded: StringBuilder,
    solution: StringBuilder,
    solutions: StringBuilder,
    confidence: Float32Builder,
    margin: Float32Builder,
    overruled: UInt32Builder,
    rotation: UInt16Builder,
    corners: Corners,
    marks: StringBuilder,
    page: UInt32Builder,
    error: StringBuilder,
    stages: [Float32Builder; 4],
}

struct Corners(FixedSizeListBuilder<Float32Builder>);

impl Default for Corners {
    fn default() -> Corners {
        Corners(FixedSizeListBuilder::new(Float32Builder::new(), CORNERS))
    }
}

impl Corners {
    fn add(&mut self, coordinates: Option<[f32; CORNERS as usize]>) {
        let values = coordinates.unwrap_or_default();
        self.0.values().append_slice(&values);
        self.0.append(coordinates.is_some());
    }
}

impl Rows {
    fn add(&mut self, photo: usize, page: Option<usize>, record: &Record) {
        let reading = record.reading.as_ref();
        let solutions = Some(record.solutions()).filter(|text| !text.is_empty());
        self.photos.push(photo);
        self.page.append_option(page.map(|page| page as u32));
        self.puzzle.append_value(record.puzzle as u32);
        self.status.append_value(record.status.name());
        self.givens
            .append_option(reading.map(|it| it.givens().to_line()));
        self.filled
            .append_option(reading.map(|it| it.filled().to_line()));
        self.read.append_option(reading.map(|it| it.read.to_line()));
        self.decoded
            .append_option(reading.map(|it| it.decoded.to_line()));
        let solution = reading.and_then(|it| it.solution);
        self.solution.append_option(solution.map(|it| it.to_line()));
        self.solutions.append_option(solutions);
        self.confidence
            .append_option(reading.map(|it| it.confidence));
        self.margin.append_option(reading.map(|it| it.margin));
        self.overruled
            .append_option(reading.map(|it| it.overruled as u32));
        self.rotation
            .append_option(reading.map(|it| it.place.rotation.degrees()));
        self.corners.add(reading.map(|it| {
            let [a, b, c, d] = it.corners;
            [a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y]
        }));
        self.marks
            .append_option(reading.and_then(Reading::marks_line));
        self.error.append_option(record.error.as_deref());
        let stages = &record.stages;
        let times = [stages.decode, stages.detect, stages.read, stages.solve];
        for (column, ms) in self.stages.iter_mut().zip(times) {
            column.append_value(ms);
        }
    }

    /// The columns in the order of the schema.
    fn finish(mut self, ids: ArrayRef) -> Vec<ArrayRef> {
        let mut columns: Vec<ArrayRef> = vec![
            ids,
            Arc::new(self.puzzle.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.givens.finish()),
            Arc::new(self.decoded.finish()),
            Arc::new(self.solution.finish()),
            Arc::new(self.solutions.finish()),
            Arc::new(self.confidence.finish()),
            Arc::new(self.margin.finish()),
            Arc::new(self.overruled.finish()),
            Arc::new(self.rotation.finish()),
            Arc::new(self.corners.0.finish()),
            Arc::new(self.error.finish()),
        ];
        for stage in &mut self.stages {
            columns.push(Arc::new(stage.finish()));
        }
        for column in [&mut self.filled, &mut self.read, &mut self.marks] {
            columns.push(Arc::new(column.finish()));
        }
        columns.push(Arc::new(self.page.finish()));
        columns
    }
}
