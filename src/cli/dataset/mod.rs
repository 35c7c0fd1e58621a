//! `sudoku-batch dataset`: labeled data, made or cut.

mod harvest;
mod run;
mod synth;

pub(crate) use run::run;
