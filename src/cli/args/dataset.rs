//! Flags of `dataset`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct DatasetArgs {
    #[command(subcommand)]
    pub(crate) command: DatasetCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DatasetCommand {
    /// Render labeled crops or photos
    #[command(subcommand)]
    Synth(SynthCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum SynthCommand {
    /// Crops of single cells, in sheets with a manifest, ready for `train`
    Crops(SynthArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SynthArgs {
    /// How many
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) count: NonZeroUsize,
    /// Folder for the files
    #[arg(short, long, value_name = "DIR", default_value = "reports/dataset")]
    pub(crate) out: PathBuf,
    /// Folders and files of fonts (.ttf, .otf)
    #[arg(long, value_name = "DIR", num_args = 1.., default_value = "/usr/share/fonts")]
    pub(crate) fonts: Vec<PathBuf>,
}
