//! Solvers measured on corpora: every answer checked, times on one pinned thread, throughput on all.

mod baseline;
mod baseline_file;
mod clock;
mod conditions;
mod config;
mod external;
mod external_row;
mod feed;
mod latency;
mod problem;
mod row;
mod run;
mod spool;
mod summary;
mod tally;
mod throughput;
mod verify;
mod warning;
mod yardstick;

pub use baseline::{Baseline, BaselineRow, Change, ChangeOutcome, Comparison, Flag};
pub use baseline_file::{BaselineError, baseline_path};
pub use clock::Clock;
pub use conditions::{Conditions, Settings};
pub use config::{BenchConfig, Repeat, goal_name};
pub use external::{External, ExternalError};
pub use latency::Sample;
pub use problem::Problem;
pub use row::{CorpusResult, CorpusRow, ROUNDS_KEPT, Row, ThroughputRow};
pub use run::{Bench, Event};
pub use summary::BenchSummary;
pub use tally::Kind;
pub use verify::{Reference, Wrong, check};
pub use warning::Warning;
