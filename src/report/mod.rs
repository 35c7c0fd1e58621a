//! Results as tables, text and pages. Renders, but never measures.

mod bench;
mod chart;
mod collection;
mod comparison;
mod crops;
mod doctor_terminal;
mod explain;
mod labels;
mod lanes;
mod number;
mod page;
mod rate;
mod recognize;
mod styles;
mod train;
mod wrap;

pub use bench::{
    PuzzleTable, bench_csv, bench_markdown, bench_page, bench_terminal, roster_terminal,
    throughput_csv,
};
pub use collection::{check_page, leaks_page, leaks_table, stats_page, stats_table};
pub use comparison::{ComparedRun, RunComparison, comparison_page, comparison_terminal};
pub use crops::{Leaks, crop_table};
pub use doctor_terminal::doctor_terminal;
pub use explain::{
    end_text, explain_json, explain_svg, explain_text, explain_variant_json, explain_variant_text,
    hint_json, instances_json, instances_text, refusal_json,
};
pub use number::{counted, grouped};
pub use rate::rate_json;
pub use recognize::{FullPage, Page, Pages, WorstPhotos, review_page, terminal};
pub use train::{
    classes_csv, metrics_csv, reliability_csv, sources_csv, train_page, worst_csv, worst_picture,
};
