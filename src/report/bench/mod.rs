//! A measurement as tables, text and page.

mod charts;
mod csv;
mod guesses;
mod hardest;
mod html;
mod lines;
mod markdown;
mod rates;
mod table;
mod terminal;
mod times;

pub use csv::{PuzzleTable, bench_csv, throughput_csv};
pub use html::bench_page;
pub use markdown::bench_markdown;
pub use terminal::{bench_terminal, roster_terminal};
