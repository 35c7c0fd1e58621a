//! Puzzle files as a stream of entries: every common text format, compressed or not, in flat memory.
//!
//! A bad line is an item like any other, so that a reader can name it and go on.

mod corpora;
mod entry;
mod grid_lines;
mod line;
mod lines;
mod other_rules;
mod piece;
mod reader;
mod rows;
pub(crate) mod source;
mod table;
mod zstd;

pub use corpora::{Corpora, Files};
pub use entry::{BadLine, CorpusError, Entry, Place};
pub use lines::Position;
pub(crate) use lines::{LONGEST_LINE, Line, Lines};
pub use piece::Piece;
pub use reader::Corpus;
pub(crate) use reader::name;
pub use rows::{Row, RowFile, Rows};
pub use table::Columns;
pub(crate) use table::{Header, Table};
