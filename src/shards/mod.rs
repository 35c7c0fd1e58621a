//! Work cut into shards, which machines do apart: a plan that freezes what there is to do, parts that are whole or
//! not there, and the check that parts are those of a plan.

mod corpora;
mod part;
mod photos;
mod plan;
mod stream;

pub use corpora::{CorpusPiece, PlannedCorpus, open_pieces, plan_corpora};
pub use part::{
    Begun, FileState, MergeProblem, Part, PartFolder, PartHead, parts_of, shards_without_part,
};
pub use photos::{Changed, PlannedPhoto, is_url, plan_photos};
pub use plan::{Plan, PlanError, PlanWriter, Shard};
pub use stream::{
    PROBLEMS, RATINGS, SOLUTIONS, StreamMachine, StreamSummary, Tallied, merge_streams,
};
