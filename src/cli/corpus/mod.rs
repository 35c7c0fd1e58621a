//! `sudoku-batch corpus`: collections of puzzles.

mod augment;
mod canon;
mod check;
mod dedup;
mod difficulty;
mod export;
mod input;
mod leaks;
mod near;
mod run;
mod sample;
mod split;
mod stats;

pub(crate) use run::run;
