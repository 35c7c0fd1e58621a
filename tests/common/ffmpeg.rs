//! Whether videos can be decoded here.
#![allow(clippy::print_stdout, unreachable_pub)]

use std::process::Command;

/// Whether there is an ffmpeg; under CI there has to be one.
pub fn has_ffmpeg() -> bool {
    let found = Command::new("ffmpeg").arg("-version").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "CI has ffmpeg");
    if !found {
        println!("skipped: there is no ffmpeg");
    }
    found
}
