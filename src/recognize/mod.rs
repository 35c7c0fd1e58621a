//! Photos to puzzles, in batches: which files, what became of each, how right, how fast.

mod attempt;
mod batch;
mod config;
mod crops;
mod doubt;
mod failure;
mod hand;
mod journal;
mod output;
mod overlay;
mod photos;
mod record;
mod saved;
mod score;
mod sheet;
mod side_by_side;
mod summary;
mod thumbnail;

pub use batch::{Batch, PhotoResult, Tools, recognize};
pub use config::{RecognizeConfig, TrustConfig};
pub use crops::write_manifest;
pub use doubt::Doubt;
pub use failure::Failure;
pub use journal::{Entry, Journal};
pub use output::{OutputError, Outputs};
pub use photos::{ListError, Listing, PhotoFile, list, read_list, show};
pub use record::{COLUMNS, Reading, Record, Rotation, StageMs, Status};
pub use saved::{PHOTOS, SavedRun, write_photos};
pub use score::{Accuracy, Judgement, Standing, agreement};
pub use side_by_side::{
    PhotoChange, PhotoDifference, PhotoOutcome, PhotoVerdict, RecognizeSideBySide,
};
pub use summary::{Spread, StageHistograms, Stages, StatusCounts, Summary, Throughput};
