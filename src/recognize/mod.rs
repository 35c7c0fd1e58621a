//! Photos to puzzles, over whole folders: which files, what was read in each, how right, how fast.

mod clip;
mod config;
mod crops;
mod failure;
mod folder_watch;
mod identity;
mod inputs;
mod journal;
mod jpeg;
mod merge;
mod moments;
mod name_filter;
mod output;
mod overlay;
mod parquet_table;
mod path_list;
mod photo;
mod photos;
mod pictures;
mod record;
mod result_folders;
mod run;
mod saved;
mod score;
mod sheet;
mod side_by_side;
mod smooth;
mod stages;
mod still;
mod summary;
mod text;
mod thumbnail;
mod video;
mod video_file;

pub use config::RecognizeConfig;
pub use folder_watch::FolderWatch;
pub use journal::{PHOTOS, each_saved_photo, saved_photos};
pub use merge::merge_parts;
pub use name_filter::{NameFilter, NotAPattern};
pub use output::{Outputs, TableFormat};
pub use path_list::read_list;
pub use photo::{LargePhoto, PageResult, PhotoResult, SURE, Standing, Trouble};
pub use photos::{LeftOut, ListError, Listing, PhotoFile, list};
pub use record::{Reading, Record, RowObject};
pub use run::{Job, recognize};
pub use saved::SavedRun;
pub use score::{Accuracy, BoardCalibration, CONFIDENCE_BINS, ConfidenceBin, Judgement};
pub use side_by_side::{
    NamedRun, PhotoChange, PhotoDifference, PhotoOutcome, PhotoVerdict, RecognizeSideBySide,
};
pub use stages::{Spread, StageHistograms, Stages};
pub use still::{read_pages, read_photo};
pub use summary::{FilledCounts, MachineTimes, StatusCounts, Summary, Throughput, Videos};
pub use thumbnail::write_large;
pub use video::{BoardTimes, VideoResult};
