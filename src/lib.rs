//! Reads whole folders of Sudoku photos, solves them, and measures solvers and readers honestly.
//!
//! Two wings stand on one ground floor, [`grid`]. The left wing reads ([`vision`], [`digits`]), the
//! right wing reasons ([`solve`], [`logic`]). They meet in [`decode`], run over batches in [`recognize`], and
//! are written down in [`report`]. Imports run downward only; `ARCHITECTURE.md` has the map.

pub mod bench;
pub mod corpus;
pub mod dataset;
pub mod decode;
pub mod digits;
pub mod doctor;
pub mod environment;
pub mod files;
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
pub mod stream;
pub mod training;
pub mod truth;
pub mod vision;
