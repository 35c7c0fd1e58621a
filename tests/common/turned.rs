//! A video as recorded by a phone held upright.
#![allow(clippy::unwrap_used, missing_docs, dead_code, unreachable_pub)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes a copy of the example video whose frames lie on their side, with the rotation in its header.
pub fn turned_video(folder: &Path) -> PathBuf {
    let lying = folder.join("lying.mp4");
    let status = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-i"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/videos/book.mp4"))
        .args([
            "-vf",
            "transpose=2",
            "-c:v",
            "libx264",
            "-pix_fmt",
            "yuv420p",
        ])
        .arg(&lying)
        .status();
    assert!(status.unwrap().success());
    let mut bytes = std::fs::read(&lying).unwrap();
    let header = bytes.windows(4).position(|it| it == b"tkhd").unwrap();
    // A quarter turn clockwise, in the header of its only track.
    let matrix = [0, 1 << 16, 0, -(1 << 16), 0, 0, 480 << 16, 0, 1 << 30];
    for (number, value) in matrix.into_iter().enumerate() {
        let at = header + 44 + 4 * number;
        bytes[at..at + 4].copy_from_slice(&i32::to_be_bytes(value));
    }
    let turned = folder.join("turned.mp4");
    std::fs::write(&turned, bytes).unwrap();
    std::fs::remove_file(lying).unwrap();
    turned
}
