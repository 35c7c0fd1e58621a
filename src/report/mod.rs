//! Results as tables, text and pages. Renders, never measures.

mod crops;
mod html;
mod recognition;
mod terminal;

pub use crops::{Leaks, crop_table};
pub use html::page;
pub use recognition::{Run, results_csv};
pub use terminal::terminal;
