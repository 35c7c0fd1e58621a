//! Collections of puzzles, as text and pages.

mod check;
mod leaks;
mod stats;

pub use check::check_page;
pub use leaks::{leaks_page, leaks_table};
pub use stats::{stats_page, stats_table};
