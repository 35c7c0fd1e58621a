//! The modules of the crate that find boards, as a crate of their own for the back-end on OpenCV.
#![allow(missing_docs, dead_code)]

#[path = "../../src/grid/mod.rs"]
pub mod grid;
#[path = "../../src/simd/mod.rs"]
pub mod simd;
#[path = "../../src/vision/mod.rs"]
pub mod vision;
