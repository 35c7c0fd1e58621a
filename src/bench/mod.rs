//! Solvers measured on corpora: every answer checked, times on one pinned thread, throughput on all.

mod baseline;
mod clock;
mod config;
mod feed;
mod latency;
mod problem;
mod row;
mod run;
mod summary;
mod tally;
mod throughput;
mod verify;
mod warning;

pub use baseline::{Baseline, BaselineRow, Change, ChangeOutcome, Comparison, Flag};
pub use clock::Clock;
pub use config::{BenchConfig, Repeat, goal_name};
pub use latency::Sample;
pub use problem::Problem;
pub use row::{CorpusRow, ROUNDS_KEPT, Row, ThroughputRow};
pub use run::{Bench, CorpusResult, Event};
pub use summary::{BenchSummary, Conditions, Settings};
pub use tally::Kind;
pub use verify::{Reference, Wrong, check};
pub use warning::Warning;
