//! Flags of `watch`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Prints the address of a page. Open it in a browser on this computer, pick a camera, and hold a puzzle into the
picture: the page draws the solution or one hint over it, and takes corrections. Photos can be dropped on it too.

The server answers this computer only, and only who has the address with its token. Pictures stay on this computer.
Ctrl-C ends it.

Examples:
  sudoku-batch watch
  sudoku-batch watch clip.mp4                          a video in place of the camera
  sudoku-batch watch --hint                            one hint in place of the solution
  sudoku-batch watch --port 8080 --save photos         photos are kept with their truth

Exit codes: 0 ended by Ctrl-C, 2 nothing done.")]
pub(crate) struct WatchArgs {
    /// Video to play in place of the camera (what the browser plays: mp4, webm, mov)
    #[arg(value_name = "FILE")]
    pub(crate) video: Option<PathBuf>,
    /// Port on 127.0.0.1; 0 takes one that is free
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
    /// Folder that the page saves photos into, each with a .txt of its boards
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
    /// Begin with one hint in place of the solution: its cell, digit and technique
    #[arg(long)]
    pub(crate) hint: bool,
    /// Folder of a trained model, or `built-in` [default: built-in]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
}
