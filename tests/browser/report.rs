//! The page of `report` over runs of all kinds.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::browser::Browser;
use super::program::fed;
use super::sound::{check_log, sound};

/// A run with a name that would be harmful as markup, in an attribute and in a line.
const HOSTILE: &str = "<img src=x onerror=alert(1)> \"q\" & 'a'\nb";

/// Reads the photos of the run of `recognize` again, without the rules; returns the page that compares it
/// with the first run, next to the other runs.
pub fn page(folder: &Path) -> PathBuf {
    let program = || Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    let (photos, argmax) = (folder.join("photos"), folder.join(HOSTILE));
    let mut recognize = program();
    recognize
        .args(["recognize", "--decode", "argmax"])
        .arg(&photos);
    let output = fed(recognize.arg("-o").arg(&argmax), b"");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let out = folder.join("compared");
    let mut report = program();
    report.arg("report").args([&folder.join("run"), &argmax]);
    report.args([&folder.join("bench"), &folder.join("train")]);
    let output = fed(report.arg("-o").arg(&out), b"");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    out.join("report.html")
}

pub fn is_sound(browser: &Browser, page: &Path) {
    sound(browser, page, 1);
}

pub fn names_are_escaped(browser: &Browser, page: &Path) {
    browser.open(page);
    let links: Vec<String> =
        browser.value("[...document.querySelectorAll('td a, th a')].map((it) => it.textContent)");
    assert!(links.iter().any(|name| name == HOSTILE), "{links:?}");
    check_log(browser, page);
}

pub fn a_run_links_to_its_page(browser: &Browser, page: &Path) {
    browser.open(page);
    let pages: Vec<String> =
        browser.value("[...document.querySelectorAll('td a, th a')].map((it) => it.href)");
    assert_eq!(pages.len(), 4, "{pages:?}");
    for page in pages {
        let path = url::Url::parse(&page).unwrap().to_file_path().unwrap();
        assert!(path.is_file(), "{page}");
    }
}
