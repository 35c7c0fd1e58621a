//! Evaluation of a network on crops that it was not trained on.

mod confusion;
mod hard;
mod kinds;
mod readings;
mod reliability;

pub use confusion::ConfusionMatrix;
pub use hard::HardCrop;
pub use kinds::KindEvaluation;
pub use readings::Evaluation;
pub(crate) use readings::Readings;
pub use reliability::{Reliability, ReliabilityBin};
