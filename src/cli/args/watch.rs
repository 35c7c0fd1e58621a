//! Flags of `watch`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Prints the address of a page. Open it in a browser on this computer, pick a camera, and show it a
puzzle: the page draws the solution or a hint over it, and lets you correct digits. You can also
drop photos on it.

The server accepts connections from this computer only, and only with the token in the address.
Pictures stay on this computer. Ctrl-C ends it.

Examples:
  sudoku-batch watch
  sudoku-batch watch clip.mp4                          a video instead of the camera
  sudoku-batch watch --hint                            a hint instead of the solution
  sudoku-batch watch --port 8080 --save photos         save photos with their boards

Exit codes: 0 ended by Ctrl-C, 2 error.")]
pub(crate) struct WatchArgs {
    /// Video to play instead of the camera, in a format of the browser: mp4, webm, mov
    #[arg(value_name = "FILE")]
    pub(crate) video: Option<PathBuf>,
    /// Port on 127.0.0.1; 0 picks a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
    /// Folder for photos saved from the page, each with a .txt of its boards
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
    /// Start with a hint instead of the solution: its cell, digit and technique
    #[arg(long)]
    pub(crate) hint: bool,
    /// Folder of a trained model, or `built-in` [default: built-in]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
}
