//! Reads whole folders of Sudoku photos, solves them, and measures solvers and readers.
//!
//! Reading: [`vision`] finds boards and cuts their cells, [`digits`] classifies these, [`decode`] makes the
//! most probable board of them that has a solution. [`reader`] goes the whole way from an opened photo to its
//! boards; [`recognize`] does so for folders, with files and a [`report`]. Reasoning: [`solve`] and [`logic`].
//! Imports run downward only; `ARCHITECTURE.md` has the map.
//!
//! Open a picture, read it, print each board:
//!
//! ```
//! use sudoku_batch::reader::{Reader, ReaderConfig};
//! use sudoku_batch::vision::{Photo, PhotoConfig};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let reader = Reader::new(ReaderConfig::default())?;
//! let bytes = std::fs::read("datasets/photos/007-two-boards.jpg")?;
//! let photo = Photo::from_bytes(&bytes, &PhotoConfig::default())?;
//! for board in reader.read(&photo) {
//!     println!("{} {:.3} {}", board.status, board.confidence, board.decoded);
//!     if let Some(solution) = board.verdict.solution() {
//!         println!("{solution}");
//!     }
//! }
//! # assert_eq!(reader.read(&photo).len(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! Pixels that are in memory already are a photo, too: see [`vision::Photo::from_gray`] and
//! [`vision::Photo::from_rgb`].

pub mod bench;
pub mod corpus;
pub mod dataset;
pub mod decode;
pub mod digits;
pub mod doctor;
pub mod environment;
pub mod files;
pub mod frames;
pub mod grid;
pub mod logic;
pub mod parallel;
pub mod reader;
pub mod recognize;
pub mod render;
pub mod report;
pub mod roster;
pub mod settings;
pub mod simd;
pub mod solve;
pub mod statistics;
pub mod stream;
pub mod training;
pub mod truth;
pub mod vision;
