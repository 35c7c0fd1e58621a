//! Flags of `train`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use sudoku_batch::digits::{Augment, Compute};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch train                                   train on rendered crops
  sudoku-batch train crops/mine:3 crops/others         draw each of mine three times per epoch
  sudoku-batch train crops/mine:3 --rendered 50000     add 50,000 new rendered crops per epoch
  sudoku-batch train --config training/digits/config.json datasets/crops more/crops
  sudoku-batch train --init built-in crops/mine --epochs 5
  sudoku-batch train --evaluate photos/                test the new model on photos
  sudoku-batch train --resume reports/train            resume an interrupted run

Exit codes: 0 trained, 1 trained, but some photos of --evaluate could not be used, 2 error, 130
interrupted.")]
pub(crate) struct TrainArgs {
    /// Folders of labeled crops: a manifest.csv with sheets, or folders named by label.
    /// `DIR:WEIGHT` draws each crop WEIGHT times per epoch [default: datasets/crops, if present]
    #[arg(value_name = "DATA")]
    pub(crate) data: Vec<String>,
    /// Render this many new crops for each epoch [default: 80000 without DATA and --config, else 0]
    #[arg(long, value_name = "N")]
    pub(crate) rendered: Option<usize>,
    /// Folders and files of fonts (.ttf, .otf) for rendered crops
    #[arg(long, value_name = "DIR", num_args = 1.., default_value = "/usr/share/fonts")]
    pub(crate) fonts: Vec<PathBuf>,
    /// Output folder for the model, its metrics and checkpoints
    #[arg(short, long, value_name = "DIR", default_value = "reports/train")]
    pub(crate) out: PathBuf,
    /// Wait until another run into the same folder has finished, instead of failing
    #[arg(long)]
    pub(crate) wait: bool,
    /// Settings to start from, as JSON; flags take precedence
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Resume the run in this folder, with its settings and its data, which may be given again
    #[arg(long, value_name = "RUN", conflicts_with_all = [
        "out", "config", "init", "keep", "rendered", "batch_size", "learning_rate", "validation", "augment",
        "exclude_sources", "validation_sources"])]
    pub(crate) resume: Option<PathBuf>,
    /// Start from the weights of a trained model, a folder or `built-in`; without `--config`, also
    /// with its network size
    #[arg(long, value_name = "MODEL")]
    pub(crate) init: Option<PathBuf>,
    /// Share of the weights of --init that the result keeps: the more, the better it still reads
    /// what that model reads, and the less it learns (default: 0.5)
    #[arg(long, value_name = "SHARE", requires = "init")]
    pub(crate) keep: Option<f32>,
    /// Passes over the data
    #[arg(long, value_name = "N")]
    pub(crate) epochs: Option<usize>,
    /// Stop after this many epochs without a lower held-out loss; 0 disables it
    #[arg(long, value_name = "N")]
    pub(crate) patience: Option<usize>,
    /// After training, read these photos with the new model and score the puzzles against the
    /// ground truth beside them
    #[arg(long, value_name = "PHOTOS")]
    pub(crate) evaluate: Option<PathBuf>,
    /// Crops per step
    #[arg(long, value_name = "N")]
    pub(crate) batch_size: Option<usize>,
    /// Largest learning rate
    #[arg(long, value_name = "RATE")]
    pub(crate) learning_rate: Option<f64>,
    /// Share of the crops to hold out, by whole photos and puzzles
    #[arg(long, value_name = "SHARE")]
    pub(crate) validation: Option<f32>,
    /// Strength of the augmentation of crops
    #[arg(long, value_name = "LEVEL")]
    pub(crate) augment: Option<AugmentLevel>,
    /// Leave out crops whose source has this prefix
    #[arg(long, value_name = "SOURCE", value_delimiter = ',')]
    pub(crate) exclude_sources: Vec<String>,
    /// Hold out crops whose source has this prefix
    #[arg(long, value_name = "SOURCE", value_delimiter = ',')]
    pub(crate) validation_sources: Vec<String>,
    /// Device for the network
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    pub(crate) device: DeviceName,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum AugmentLevel {
    None,
    Light,
    Full,
}

impl From<AugmentLevel> for Augment {
    fn from(level: AugmentLevel) -> Augment {
        match level {
            AugmentLevel::None => Augment::None,
            AugmentLevel::Light => Augment::Light,
            AugmentLevel::Full => Augment::Full,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum DeviceName {
    Cpu,
    Wgpu,
    Cuda,
}

impl From<DeviceName> for Compute {
    fn from(name: DeviceName) -> Compute {
        match name {
            DeviceName::Cpu => Compute::Cpu,
            DeviceName::Wgpu => Compute::Wgpu,
            DeviceName::Cuda => Compute::Cuda,
        }
    }
}
