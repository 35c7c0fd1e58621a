//! Benchmarks of solvers on corpora: the same work for every row, every answer checked, every rate
//! with a confidence interval.

mod answer;
mod baseline;
mod check;
mod classic;
mod clock;
mod compare;
mod config;
mod contender;
mod contestant;
mod core;
mod event;
mod external;
mod guard;
mod hardest;
mod measurement;
mod merge;
mod problem;
mod process;
mod program;
mod reader;
mod rounds;
mod row;
mod run;
mod side_by_side;
mod summary;
mod team;
mod times;
mod variant;
mod warning;
mod work;

pub use answer::AnswerKind;
pub use baseline::{BaselineError, baseline_path};
pub use check::{Reference, Wrong};
pub use classic::Answer;
pub use clock::Clock;
pub use config::{BenchConfig, Conditions, Repeat, Settings, goal_name};
pub use contender::{Answered, BenchEntry, Contender};
pub use core::CoreError;
pub use event::{Event, Sample};
pub use external::{External, ExternalError};
pub use hardest::{HardAnswer, HardPuzzle};
pub use measurement::{AllThreads, CorpusMeasurement, MergeError, SolverMeasurement};
pub use merge::merge_runs;
pub use problem::Problem;
pub use reader::{PuzzleHash, Reading};
pub use rounds::{Round, Rounds};
pub use row::{CorpusRow, Row, ThroughputRow};
pub use run::Bench;
pub use side_by_side::{BenchSideBySide, Fastest, RateVerdict, RowRatio, SideEntry, SideRow};
pub use summary::{BenchSummary, Change, ChangeOutcome, Comparison, Flag};
pub use times::{GuessTimes, Quantile};
pub use warning::Warning;

pub use crate::statistics::{Interval, LEAST_ROUNDS, RESAMPLES, Ratio};
