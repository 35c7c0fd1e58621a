//! Flags of `train`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct TrainArgs {}
