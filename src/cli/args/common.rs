//! Flags that every command takes.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sudoku_batch::doctor::Configuration;
use sudoku_batch::vision::Backend;

#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Common {
    /// Worker threads [default: all cores]
    #[arg(short = 'j', long, global = true, value_name = "N", value_parser = from_one)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Seed of every random choice
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Print the summary as one JSON object on stdout instead of the table
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Say less on stderr
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say more on stderr
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Take flags from this file, too; the command line goes before it
    /// [default: what SUDOKU_BATCH_CONFIG names, or `sudoku-batch.toml` in the working directory]
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Take flags from no file
    #[arg(long, global = true)]
    pub(crate) no_config: bool,
    /// The file that was used.
    #[arg(skip)]
    pub(crate) configuration: Option<Configuration>,
    /// When to draw progress bars on stderr; `auto` only on a terminal
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: ProgressWhen,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendName {
    /// The program's own, in every build
    #[value(alias = "imageproc")]
    BuiltIn,
    /// OpenCV, where the feature `opencv` was built in
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

/// Parses a count of things of which there must be one.
pub(crate) fn from_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .map_err(|_| "expected a number from 1".to_owned())
}

/// Parses a time: a number with a unit.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text)
        .map_err(|_| "expected a number and a unit, such as 500ms, 2s or 1m".to_owned())
}
