//! Flags of `doctor`.

use std::path::PathBuf;

use clap::Args;

use super::common::BackendName;

#[derive(Debug, Args)]
#[command(after_help = "\
A line a part: `ok` is there, `--` is not there and need not be, `wrong` needs fixing, with what to
do below it. Nothing is written; the network is not used.

Examples:
  sudoku-batch doctor
  sudoku-batch doctor --json                           the same for other programs
  sudoku-batch doctor --out results --model my/model   would `recognize` work with these?

Exit codes: 0 all that `recognize` needs is there, 1 something that it needs is not, 2 nothing done.")]
pub(crate) struct DoctorArgs {
    /// Folder that results are to go to
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
