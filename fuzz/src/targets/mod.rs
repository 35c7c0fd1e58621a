//! The readers of input that strangers hand in, each fed with bytes. What they find wrong is an error; that they find
//! anything else wrong with each other is a panic.

mod files;
mod models;
mod puzzles;
mod runs;

pub use files::{manifest, truth};
pub use models::model_card;
pub use puzzles::{corpora, explanation, solvers};
pub use runs::{journal, summary};

/// A target: its name and what it is fed to.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 8] = [
    ("corpora", corpora),
    ("explanation", explanation),
    ("solvers", solvers),
    ("truth", truth),
    ("manifest", manifest),
    ("model_card", model_card),
    ("journal", journal),
    ("summary", summary),
];
