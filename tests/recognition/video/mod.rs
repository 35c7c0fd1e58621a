//! Videos: boards are followed, fused and distinguished; damaged videos and failing programs.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub
)]

mod arriving;
mod corrections;
mod following;
mod overlays;
mod trouble;

use crate::common::ffmpeg;
use crate::common::program;
use crate::common::turned;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ffmpeg::has_ffmpeg;
use image::RgbImage;
use sudoku_batch::render::{Chance, RenderedPhoto, RenderedVideo, Span, VideoConfig};
use sudoku_batch::truth::read_sidecar;
use sudoku_batch::vision::{Point, Quad};

/// A photo of the repository as a filmed page.
fn page(name: &str) -> RenderedPhoto {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/photos");
    let path = folder.join(format!("{name}.jpg"));
    let truth = read_sidecar(&path).unwrap().unwrap();
    let corners = std::fs::read_to_string(folder.join("corners.csv")).unwrap();
    let line = corners.lines().find(|line| line.starts_with(name)).unwrap();
    let numbers: Vec<f32> = line
        .split(',')
        .skip(2)
        .map(|it| it.parse().unwrap())
        .collect();
    let corner = |i: usize| Point {
        x: numbers[2 * i],
        y: numbers[2 * i + 1],
    };
    RenderedPhoto {
        image: image::open(path).unwrap().into_rgb8(),
        boards: vec![(
            truth.boards[0],
            Quad::new([0, 1, 2, 3].map(corner)).unwrap(),
        )],
        jpeg_quality: 90,
    }
}

/// A video of two seconds with little motion.
fn calm() -> VideoConfig {
    let never = Chance(0.0);
    VideoConfig {
        size: [480, 360],
        rate: 15,
        seconds: 2.0,
        zoom: Span::new(0.8, 0.85),
        unfocused: never,
        flickering: never,
        leaving: never,
        hand: never,
        turned_page: never,
        ..VideoConfig::default()
    }
}

fn filmed(config: &VideoConfig, pages: &[RenderedPhoto], seed: u64) -> Vec<RgbImage> {
    RenderedVideo::new(config, pages, seed).collect()
}

/// The frames as gray YUV4MPEG2.
fn y4m(frames: &[RgbImage]) -> Vec<u8> {
    let (width, height) = frames[0].dimensions();
    let mut bytes = format!("YUV4MPEG2 W{width} H{height} F15:1 Ip A1:1 Cmono\n").into_bytes();
    for frame in frames {
        bytes.extend(b"FRAME\n");
        bytes.extend(image::imageops::grayscale(frame).into_raw());
    }
    bytes
}

/// A run of `recognize` on its own files.
struct Run {
    folder: tempfile::TempDir,
}

impl Run {
    fn new(files: &[(&str, &[u8])]) -> Run {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            let path = folder.path().join("in").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        Run { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("out").join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
        command.current_dir(self.folder.path());
        command
            .arg("recognize")
            .args(arguments)
            .args(["--out", "out"]);
        command
    }

    fn recognize(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The rows of `boards.csv`, by column name.
    fn boards(&self) -> Vec<std::collections::HashMap<String, String>> {
        let mut reader = csv::Reader::from_path(self.path("boards.csv")).unwrap();
        reader.deserialize().map(Result::unwrap).collect()
    }

    fn summary(&self) -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(self.path("summary.json")).unwrap()).unwrap()
    }

    fn frames(&self) -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(self.path("frames.jsonl")).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Writes a program that replaces ffmpeg.
#[cfg(unix)]
fn stand_in(run: &Run, name: &str, script: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = run.folder.path().join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}
