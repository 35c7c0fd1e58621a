//! Flags that select files in folders.

use clap::Args;

#[derive(Debug, Default, Args)]
pub(crate) struct NamesArgs {
    /// Take only files that match this pattern at the end of their path, such as `*.jpg` or
    /// `raw/*.jpg`; may be given several times
    #[arg(long, value_name = "PATTERN")]
    pub(crate) include: Vec<String>,
    /// Skip files and folders that match this pattern at the end of their path; may be given
    /// several times
    #[arg(long, value_name = "PATTERN")]
    pub(crate) exclude: Vec<String>,
}
