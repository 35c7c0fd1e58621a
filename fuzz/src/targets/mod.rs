//! The parsers of untrusted input. Bad input must give an error; inconsistencies
//! between parsers are panics.

mod arrow;
mod boards;
mod files;
mod models;
mod pictures;
mod puzzles;
mod runs;
mod training;
mod variants;

pub use arrow::worker;
pub use boards::{decoding, lattices};
pub use files::{manifest, truth};
pub use models::model_card;
pub use pictures::{pages, photo, video};
pub use puzzles::{corpora, explanation, solvers};
pub use runs::{journal, summary};
pub use training::{checkpoint, corrections};
pub use variants::variants;

/// A target: its name and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 17] = [
    ("corpora", corpora),
    ("variants", variants),
    ("explanation", explanation),
    ("solvers", solvers),
    ("photo", photo),
    ("video", video),
    ("pages", pages),
    ("lattices", lattices),
    ("decoding", decoding),
    ("worker", worker),
    ("truth", truth),
    ("corrections", corrections),
    ("manifest", manifest),
    ("model_card", model_card),
    ("checkpoint", checkpoint),
    ("journal", journal),
    ("summary", summary),
];
