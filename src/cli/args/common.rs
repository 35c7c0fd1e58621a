//! Flags that every command takes.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sudoku_batch::doctor::Configuration;
use sudoku_batch::vision::Backend;

#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Common {
    /// Worker threads [default: all cores]
    #[arg(short = 'j', long, global = true, value_name = "N", value_parser = from_one)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Seed of all random choices
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Print the summary as a JSON object on stdout instead of a table
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print less on stderr
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print more on stderr
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Read flags from this file; the command line takes precedence [default: the file named by
    /// SUDOKU_BATCH_CONFIG, or `sudoku-batch.toml` in the working directory]
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long, global = true)]
    pub(crate) no_config: bool,
    /// The configuration file in use.
    #[arg(skip)]
    pub(crate) configuration: Option<Configuration>,
    /// When to draw progress bars on stderr; `auto`: only on a terminal
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: ProgressWhen,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendName {
    /// Built in, always available
    #[value(alias = "imageproc")]
    BuiltIn,
    /// OpenCV, in builds with the feature `opencv`
    Opencv,
}

impl From<BackendName> for Backend {
    fn from(name: BackendName) -> Backend {
        match name {
            BackendName::BuiltIn => Backend::BuiltIn,
            BackendName::Opencv => Backend::Opencv,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressWhen {
    Auto,
    Always,
    Never,
}

/// Parses a count of at least one.
pub(crate) fn from_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .map_err(|_| "expected a number from 1".to_owned())
}

/// Parses a time: a number with a unit.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text)
        .map_err(|_| "expected a number and a unit, such as 500ms, 2s or 1m".to_owned())
}
