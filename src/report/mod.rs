//! Results as tables, text and pages. Renders, never measures.

mod bench_csv;
mod bench_html;
mod bench_markdown;
mod bench_table;
mod bench_terminal;
mod crops;
mod evidence_json;
mod explain_json;
mod explain_svg;
mod explain_text;
mod field;
mod gallery;
mod html;
mod number;
mod rate;
mod recognition;
mod terminal;
mod training;
mod worst;
mod wrap;

pub use bench_csv::{PuzzleTable, bench_csv, throughput_csv};
pub use bench_html::bench_page;
pub use bench_markdown::bench_markdown;
pub use bench_terminal::{bench_terminal, roster_terminal};
pub use crops::{Leaks, crop_table};
pub use explain_json::{explain_json, hint_json, refusal_json};
pub use explain_svg::explain_svg;
pub use explain_text::{end_text, explain_complaint, explain_text};
pub use html::page;
pub use number::{counted, grouped};
pub use rate::rate_json;
pub use recognition::{Run, results_csv};
pub use terminal::terminal;
pub use training::{classes_csv, metrics_csv, reliability_csv, sources_csv, worst_csv};
pub use worst::worst_picture;
