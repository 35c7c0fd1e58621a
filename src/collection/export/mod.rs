//! Data sets of puzzles as files that other programs read: tables, arrays, and a card that says what they are.

mod card;
mod error;
mod example;
mod hrm;
mod npy;
mod npy_table;
mod parquet_file;
mod record;
mod row_writer;
mod text;
mod writer;

pub use card::{Card, SUMS, write_card};
pub use error::ExportError;
pub use example::Example;
pub use record::{Column, ColumnKind, Record, Value};
pub use row_writer::RowWriter;
pub use writer::{ExportConfig, Format, create};
