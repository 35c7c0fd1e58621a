//! Why a step is right, in words: for each pattern where to look, its short form, its sentences.

mod almost_locked;
mod argument;
mod basic;
mod chain;
mod forcing;
mod uniqueness;
mod wings;
mod wording;

pub use argument::{Argument, HintLevel};
pub use wording::{Part, eliminations};
