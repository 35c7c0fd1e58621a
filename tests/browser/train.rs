//! The page of `train`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::browser::Browser;
use super::program::fed;
use super::sound::sound;

/// Trains for an epoch; gives the page.
pub fn page(folder: &Path) -> PathBuf {
    let out = folder.join("train");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    command.args(["train", "datasets/crops", "--epochs", "1", "-o"]);
    let output = fed(command.arg(&out), b"");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    out.join("report.html")
}

pub fn is_sound(browser: &Browser, page: &Path) {
    sound(browser, page, 1);
}

pub fn every_worst_crop_is_shown_and_named(browser: &Browser, page: &Path) {
    browser.open(page);
    let rows = csv::Reader::from_path(page.with_file_name("worst.csv"))
        .unwrap()
        .records()
        .count();
    let names = browser.texts("figure figcaption");
    assert!(rows > 0);
    let worst = names.iter().filter(|name| name.contains("sure")).count();
    assert_eq!(worst, rows, "{names:?}");
}
