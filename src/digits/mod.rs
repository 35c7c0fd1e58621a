//! From crops to posteriors: the digit network, its training and its artifact. Sole home of Burn.

mod artifact;
mod augment;
mod batch;
mod classifier;
mod config;
mod device;
mod evaluation;
mod folded;
mod inference;
mod labeled;
mod logits;
mod net;
mod posterior;
mod random;
mod training;

pub use artifact::{Artifact, ArtifactError, CARD_FILE, DataCard, ModelCard, WEIGHTS_FILE};
pub use augment::{Augment, augment};
pub use batch::{NORMALIZATION, normalize};
pub use classifier::{DigitClassifier, InferenceError};
pub use config::TrainingConfig;
pub use device::{Compute, NoDevice};
pub use evaluation::{ConfusionMatrix, Evaluation, HardCrop, Reliability, ReliabilityBin};
pub use inference::NetClassifier;
pub use labeled::LabeledCrop;
pub use logits::{CLASSES, class_names};
pub use net::NetConfig;
pub use posterior::Posterior;
pub use training::{
    CheckpointError, CropFolder, DatasetError, EpochMetrics, Leak, ModelVerdict, RowProblem,
    SavedRun, Split, TrainingError, TrainingEvent, TrainingRun, TrainingSideBySide,
    TrainingSummary, Weakness, WorstCrop, check_settings, fine_tune, train,
};
