//! `sudoku-batch dataset`: labeled data, made, cut, counted and reviewed.

mod apply;
mod harvest;
mod review;
mod run;
mod stats;
mod synth;

pub(crate) use run::run;
pub(super) use synth::fonts;
