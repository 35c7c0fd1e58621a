//! Flags of `doctor`.

use std::path::PathBuf;

use clap::Args;

use super::common::BackendName;

#[derive(Debug, Args)]
#[command(after_help = "\
Prints one line per component: `ok` is available, `--` is optional and not available, `wrong` needs
fixing, followed by advice. Writes no files, and does not use the network.

Examples:
  sudoku-batch doctor
  sudoku-batch doctor --json                           as JSON, for other programs
  sudoku-batch doctor --out results --model my/model   would `recognize` work with these?

Exit codes: 0 `recognize` has all it needs, 1 something is missing, 2 error.")]
pub(crate) struct DoctorArgs {
    /// Output folder to check
    #[arg(short, long, value_name = "DIR", default_value = "reports/recognize")]
    pub(crate) out: PathBuf,
    /// Grid detector
    #[arg(long, value_name = "NAME", default_value = "built-in")]
    pub(crate) backend: BackendName,
    /// Folder of a trained model, or `built-in` [default: built-in]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// Folders and files of fonts (.ttf, .otf)
    #[arg(long, value_name = "DIR", num_args = 1.., default_value = "/usr/share/fonts")]
    pub(crate) fonts: Vec<PathBuf>,
}
