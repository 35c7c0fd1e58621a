//! Accuracy on photos: lower bounds that every change must meet.
//!
//! The rendered photos of the repository are always read. The real ones need the environment
//! variable `SUDOKU_BATCH_DATA`; the bounds are slightly below the measurements when they were set.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use crate::common::data;
use std::path::{Path, PathBuf};
use std::process::Command;

use data::data_folder;
use serde_json::Value;

fn accuracy(photos: &Path) -> Value {
    let out = tempfile::tempdir().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
        .args(["recognize", "--quiet", "--fresh", "--out"])
        .arg(out.path())
        .arg(photos)
        .output()
        .unwrap();
    let summary = std::fs::read(out.path().join("summary.json"))
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&run.stderr)));
    let summary: Value = serde_json::from_slice(&summary).unwrap();
    summary["accuracy"].clone()
}

/// Checks counts against their lower bounds, and silent errors against their upper bound.
fn check(photos: &Path, floors: &[(&str, u64)], silent: u64) {
    let accuracy = accuracy(photos);
    println!("{}: {accuracy}", photos.display());
    for (name, floor) in floors {
        let measured = accuracy[name].as_u64().unwrap();
        assert!(measured >= *floor, "{name}: {measured} of at least {floor}");
    }
    assert!(
        accuracy["silent_wrong"].as_u64().unwrap() <= silent,
        "{accuracy}"
    );
}

fn real_photos(folder: &str) -> Option<PathBuf> {
    Some(data_folder("photos")?.join(folder))
}

#[test]
fn rendered_photos_of_the_repository() {
    let photos = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/photos");
    check(&photos, &[("decoded_exact", 20), ("refused", 4)], 0);
}

#[test]
fn newspaper_photos() {
    if let Some(photos) = real_photos("wichtounet_train") {
        check(&photos, &[("decoded_exact", 158), ("givens_exact", 154)], 1);
    }
}

#[test]
fn newspaper_photos_filled_with_written_digits() {
    if let Some(photos) = real_photos("wichtounet_mixed_train") {
        check(&photos, &[("decoded_exact", 150)], 2);
    }
}

#[test]
fn puzzles_solved_by_hand() {
    if let Some(photos) = real_photos("kubiesa_train") {
        check(&photos, &[("solved_right", 76)], 1);
    }
}
