//! Tests of the program from outside.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../common/mod.rs"]
mod common;

mod bad_input;
mod bench;
mod bench_external;
mod config;
mod corpus;
mod corpus_boards;
mod corpus_files;
mod doctor;
mod explain;
mod generate;
mod help;
mod locked_folder;
mod rate;
mod report;
mod scripts;
mod shards;
mod solve;
mod train;
mod variant_shards;
mod variants;
mod watch;
mod worker;
