//! Flags of `generate`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {}
