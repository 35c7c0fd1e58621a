//! Flags for which files of folders are taken.

use clap::Args;

#[derive(Debug, Default, Args)]
pub(crate) struct NamesArgs {
    /// Take only files whose path ends so: `*.jpg`, `raw/*.jpg`; may be given several times
    #[arg(long, value_name = "PATTERN")]
    pub(crate) include: Vec<String>,
    /// Leave out files and folders whose path ends so; may be given several times
    #[arg(long, value_name = "PATTERN")]
    pub(crate) exclude: Vec<String>,
}
