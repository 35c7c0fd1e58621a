//! `sudoku-batch corpus`: collections of puzzles.

mod canon;
mod check;
mod dedup;
mod input;
mod leaks;
mod run;
mod split;

pub(crate) use run::run;
