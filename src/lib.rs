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
//! [`live`] answers what a page with a camera asks, as typed JSON. Without the feature `cli` the library is what
//! reads, solves and explains in memory: that half compiles for `wasm32-unknown-unknown`.
//!
//! Pixels that are in memory already are a photo, too: see [`vision::Photo::from_gray`] and
//! [`vision::Photo::from_rgb`].

// Training and the batch half are what use the rest of the shared code.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

#[cfg(feature = "cli")]
pub mod bench;
pub mod canon;
#[cfg(feature = "cli")]
pub mod collection;
#[cfg(feature = "cli")]
pub mod corpus;
#[cfg(feature = "cli")]
pub mod dataset;
pub mod decode;
pub mod digits;
#[cfg(feature = "cli")]
pub mod doctor;
#[cfg(feature = "cli")]
pub mod dynamics;
#[cfg(feature = "cli")]
pub mod environment;
pub mod files;
#[cfg(feature = "cli")]
pub mod folder_lock;
#[cfg(feature = "cli")]
pub mod frames;
#[cfg(feature = "cli")]
pub mod generate;
pub mod grid;
pub mod live;
pub mod logic;
pub mod opening;
#[cfg(feature = "cli")]
pub mod pages;
#[cfg(feature = "cli")]
pub mod parallel;
pub mod reader;
#[cfg(feature = "cli")]
pub mod recognize;
#[cfg(feature = "cli")]
pub mod render;
#[cfg(feature = "cli")]
pub mod report;
pub mod roster;
#[cfg(feature = "cli")]
pub mod settings;
#[cfg(feature = "cli")]
pub mod shards;
pub mod simd;
pub mod solve;
pub mod statistics;
#[cfg(feature = "cli")]
pub mod stream;
#[cfg(feature = "cli")]
pub mod training;
#[cfg(feature = "cli")]
pub mod truth;
#[cfg(feature = "cli")]
pub mod variant;
pub mod vision;
#[cfg(feature = "cli")]
pub mod watch;
#[cfg(feature = "cli")]
pub mod worker;
