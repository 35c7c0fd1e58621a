//! Results as tables, text and pages. Renders, never measures.

mod html;
mod recognition;
mod terminal;

pub use html::page;
pub use recognition::{Run, results_csv};
pub use terminal::terminal;
