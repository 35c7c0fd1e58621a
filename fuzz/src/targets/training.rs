//! Checkpoints of training runs, and corrections of saved runs.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;
use sudoku_batch::dataset::{apply_corrections, review};
use sudoku_batch::files::content_hash;
use sudoku_batch::recognize::PHOTOS;
use sudoku_batch::training::SavedRun;

use crate::folder::Folder;

pub(super) const PHOTOS_OF_SEED: &[u8] = include_bytes!("../../seeds/journal/photos.jsonl");
/// A photo of a board.
const PHOTO: &[u8] = include_bytes!("../../seeds/photo/gray.png");
/// The placeholder for its path in a table.
const NAME: &str = "board.png";

/// Opens a run whose newest checkpoint has this state; its other files are empty.
pub fn checkpoint(data: &[u8]) {
    let folder = Folder::new();
    let checkpoint = folder.at("checkpoints/epoch-0001");
    fs::create_dir_all(&checkpoint).expect("temporary folders can be made");
    for name in ["weights", "best", "optimizer"] {
        fs::write(checkpoint.join(name), b"").expect("temporary files can be written");
    }
    fs::write(checkpoint.join("state.json"), data).expect("temporary files can be written");
    match SavedRun::open(folder.path()) {
        Ok(run) => assert!(run.is_some()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A saved run of an existing photo, and the path of the photo.
struct Run(Folder, String);

static RUN: LazyLock<Run> = LazyLock::new(|| {
    let folder = Folder::new();
    let photo = folder.at(NAME);
    fs::write(&photo, PHOTO).expect("temporary files can be written");
    let name = photo.display().to_string();
    let lines = PHOTOS_OF_SEED.split(|byte| *byte == b'\n');
    let first = lines.into_iter().next().unwrap_or_default();
    let mut saved: Value = serde_json::from_slice(first).expect("the seed has a photo");
    saved["photo"] = name.clone().into();
    saved["content"] = content_hash(PHOTO).into();
    fs::write(folder.at(PHOTOS), format!("{saved}\n")).expect("temporary files can be written");
    Run(folder, name)
});

/// Applies a table of corrections to a run.
pub fn corrections(data: &[u8]) {
    let Run(run, name) = &*RUN;
    let folder = Folder::new();
    let table = folder.at("corrections.csv");
    let data = replaced(data, NAME.as_bytes(), name.as_bytes());
    fs::write(&table, &data).expect("temporary files can be written");
    let out = folder.at("out");
    match apply_corrections(run.path(), &table, &out) {
        Ok(applied) => {
            assert!(applied.photos <= 1 && applied.crops <= 81 * applied.boards);
            assert!(applied.wrong.len() <= data.len());
            assert_eq!(Path::exists(&out.join("truth.csv")), applied.photos > 0);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Selects the photos of a forged run that need review.
pub(super) fn review_of(run: &Path) {
    let out = Folder::new();
    let _ = review(run, 3, out.path());
}

fn replaced(data: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut left = data;
    let mut all = Vec::new();
    while let Some(at) = left.windows(from.len()).position(|it| it == from) {
        all.extend_from_slice(&left[..at]);
        all.extend_from_slice(to);
        left = &left[at + from.len()..];
    }
    all.extend_from_slice(left);
    all
}
