//! The page of `train`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::browser::Browser;
use super::program::fed;
use super::sound::{do_not_overlap, sound};

/// Trains for an epoch; returns the page.
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

pub fn hashes_are_short_and_models_have_names(browser: &Browser, page: &Path) {
    browser.open(page);
    let card = std::fs::read_to_string(page.with_file_name("card.json")).unwrap();
    let card: serde_json::Value = serde_json::from_str(&card).unwrap();
    let weights = card["weights"].as_str().unwrap();
    let shown: String = browser.value(&format!(
        "document.querySelector('code[title=\"{weights}\"]').textContent"
    ));
    assert_eq!(shown, weights[..10]);
    let long: bool =
        browser.value("/[0-9a-f]{32}/.test(document.querySelector('main').textContent)");
    assert!(!long, "a hash is shown in full");
}

pub fn curve_labels_do_not_overlap(browser: &Browser, page: &Path) {
    browser.open(page);
    for width in [1200, 400] {
        browser.screen(width, "screen");
        for chart in ["#loss-title", "#accuracy-title"] {
            do_not_overlap(
                browser,
                chart,
                &["training".to_owned(), "held out".to_owned()],
            );
        }
    }
}
