//! Collections of puzzles, as text and pages.

mod leaks;

pub use leaks::{leaks_page, leaks_table};
