//! Puzzle files in tests.
#![allow(
    clippy::unwrap_used,
    missing_docs,
    dead_code,
    unreachable_pub,
    unused_imports
)]

#[path = "data.rs"]
mod data;

use std::path::{Path, PathBuf};

use sudoku_batch::corpus::Corpus;
use sudoku_batch::grid::Puzzle;

pub use data::data_folder;

/// A puzzle file of the project.
pub fn own(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("datasets/puzzles")
        .join(file)
}

/// The folder of known corpora; says so where there is none.
pub fn corpora() -> Option<PathBuf> {
    data_folder("puzzles")
}

/// All puzzles of a file.
pub fn puzzles_in(path: &Path) -> Vec<Puzzle> {
    let entries = Corpus::open(path).unwrap();
    entries.map(|entry| entry.unwrap().puzzle).collect()
}
