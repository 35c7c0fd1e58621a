//! Collections of puzzles: which of them are the same in disguise, how they are split, checked, counted, sampled,
//! multiplied and written down for others.

mod augment;
mod board;
mod canon;
mod check;
mod dedup;
mod difficulty;
mod each;
pub mod export;
mod form;
mod identify;
mod key;
mod leaks;
mod near;
mod neighbourhood;
mod neighbours;
mod places;
mod proof;
mod rating;
mod records;
mod sample;
mod split;
mod stats;
mod union_find;

pub use augment::{AugmentConfig, ImageColumns, augment_all};
pub use board::{Board, Facts, Shape};
pub use canon::canonize_all;
pub use check::{Clash, Quality, Solutions, check, check_all};
pub use dedup::{DedupTally, Deduplicator, Keep, OnRemoved, keys_of};
pub use difficulty::Difficulty;
pub use each::{ReadTally, Watch, each_of, each_row, each_row_of};
pub use form::{CanonColumns, Form};
pub use identify::{Identifier, SameBy};
pub use key::Key;
pub use leaks::{Leak, LeakCount, LeakKind, LeakTable, LeakTest};
pub use near::{NearConfig, NearProblem, NearTally, near_all};
pub use neighbourhood::GREATEST_RADIUS;
pub use neighbours::{Neighbours, Removals};
pub use proof::{PartFile, ProofError, Source, SplitMade, SplitProof};
pub use rating::{Number, explainer_rating};
pub use records::{ExportStreamError, Parts, RecordConfig, RecordTally, write_records};
pub use sample::{Bin, BinCount, DifficultyBins, SampleConfig, sample};
pub use split::{Group, Groups, Part, Shares, Split, SplitBy, UnknownSplit};
pub use stats::{Classes, CollectionStats, StatsConfig};
