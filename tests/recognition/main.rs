//! Tests of pictures: what is found and read in them, what is rendered, and what is trained.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../common/mod.rs"]
mod common;

mod accuracy;
mod confidence;
mod dataset;
mod decode;
mod detectors;
mod digits;
mod gallery;
mod kinds;
mod metamorphic;
mod pages;
mod photos;
mod reading;
mod recognize;
mod render;
mod train_report;
mod training;
mod video;
