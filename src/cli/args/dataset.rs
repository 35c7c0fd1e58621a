//! Flags of `dataset`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct DatasetArgs {}
