//! Tests of puzzles, solvers, techniques, ratings and measurements: all that needs no picture and no network.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../common/mod.rs"]
mod common;

mod argument;
mod augment;
mod bands;
mod bench;
mod bench_report;
mod canon;
mod collection;
mod conformance;
mod conformance_hodoku;
mod corpus;
mod deadline;
mod generator;
mod leaks_by_images;
mod lockstep;
mod logic;
mod side_by_side;
mod solvers;
mod techniques;
mod variant;
mod variant_canon;
mod variant_collection;
mod variant_corpus;
mod variant_drawings;
mod variant_formats;
mod variant_steps;
