//! Training: labeled crops, the split, the training loop, its checkpoints, and the comparison of
//! saved runs.

mod augment;
mod checkpoint;
mod dataset;
mod event;
mod groups;
mod history;
mod hold_out;
mod loss;
mod near_duplicates;
mod rendered;
mod run;
mod side_by_side;
mod split;
mod summary;
mod trainer;

pub use checkpoint::{CheckpointError, SavedRun};
pub use dataset::{CropFolder, DatasetError, RowProblem};
pub use event::{TrainingError, TrainingEvent};
pub use history::EpochMetrics;
pub use run::{TrainingRun, check_settings, fine_tune, train};
pub use side_by_side::{ModelVerdict, TrainingSideBySide, Weakness};
pub use split::{DataFolder, Leak, Split};
pub use summary::{TrainingSummary, WorstCrop};
