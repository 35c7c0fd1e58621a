//! Flags of `dataset`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use sudoku_batch::render::Look;

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
    /// Cut labeled crops from photos whose boards are known (a .dat or .txt file beside each)
    Harvest(HarvestArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum SynthCommand {
    /// Crops of single cells, in sheets with a manifest, ready for `train`
    Crops(SynthArgs),
    /// Whole photos of many looks, each with its truth (same-stem.txt) and corners.csv
    Photos(SynthPhotosArgs),
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

#[derive(Debug, Args)]
pub(crate) struct SynthPhotosArgs {
    #[command(flatten)]
    pub(crate) synth: SynthArgs,
    /// Looks, in turn [default: all]: newspaper, book, dark-screen, light-screen, tilt, shadow,
    /// turned, two-boards, filled, colored, thin-lines, small, poor, folded; and without a board:
    /// crossword, calendar, chess, text
    #[arg(long, value_name = "LOOK", value_delimiter = ',', value_parser = look)]
    pub(crate) looks: Vec<Look>,
}

fn look(name: &str) -> Result<Look, String> {
    let found = Look::ALL.into_iter().find(|look| look.name() == name);
    found.ok_or_else(|| format!("one of {}", Look::ALL.map(Look::name).join(", ")))
}

#[derive(Debug, Args)]
pub(crate) struct HarvestArgs {
    /// Photos, and folders of photos
    #[arg(required = true, value_name = "PHOTOS")]
    pub(crate) photos: Vec<PathBuf>,
    /// Folder for the sheets and the manifest
    #[arg(short, long, value_name = "DIR", default_value = "reports/dataset")]
    pub(crate) out: PathBuf,
    /// A trained model that tells which side of a board is up, where inked cells cannot (full
    /// boards, symmetric patterns)
    #[arg(long, value_name = "DIR")]
    pub(crate) model: Option<PathBuf>,
}
