//! Comparison of runs, as text and page.

mod bench;
mod html;
mod rates;
mod recognize;
mod runs;
mod settings;
mod train;
mod words;

pub use html::comparison_page;
pub use runs::{ComparedRun, RunComparison};
pub use words::comparison_terminal;
