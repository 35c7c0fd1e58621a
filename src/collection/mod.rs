//! Collections of puzzles: which of them are the same in disguise, how they are split, checked, counted, sampled,
//! multiplied and written down for others.

mod canon;
mod check;
mod dedup;
mod each;
mod identify;
mod key;
mod leaks;
mod neighborhood;
mod places;
mod proof;
mod split;
mod union_find;

pub use canon::{CanonColumns, Form, canonize_all};
pub use check::{Clash, Quality, Solutions, check, check_all};
pub use dedup::{DedupTally, Deduplicator, Keep, keys_of};
pub use each::{ReadTally, Watch, each_row, each_row_of};
pub use identify::{Identifier, SameBy};
pub use key::Key;
pub use leaks::{Leak, LeakCount, LeakKind, LeakTable, LeakTest};
pub use neighborhood::GREATEST_RADIUS;
pub use proof::{PartFile, ProofError, Source, SplitProof};
pub use split::{Group, Groups, Part, Shares, Split, SplitBy, UnknownSplit};
