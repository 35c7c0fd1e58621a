//! Flags of `solve`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct SolveArgs {}
