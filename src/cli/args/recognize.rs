//! Flags of `recognize`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct RecognizeArgs {}
