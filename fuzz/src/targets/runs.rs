//! Saved runs: their journal, their summaries, and the pages made from them.

use std::fs;

use sudoku_batch::bench::BenchSummary;
use sudoku_batch::recognize::{PHOTOS, SavedRun, saved_photos};
use sudoku_batch::report::{Pages, bench_page, train_page};
use sudoku_batch::training::TrainingSummary;

use super::training::{PHOTOS_OF_SEED, review_of};
use crate::folder::Folder;

/// Reads the photos of a run, renders their page, and selects those to review.
pub fn journal(data: &[u8]) {
    let folder = Folder::new();
    let path = folder.at(PHOTOS);
    fs::write(&path, data).expect("temporary files can be written");
    let mut pages = Pages::default();
    for photo in saved_photos(&path).into_iter().flatten().flatten() {
        let _ = pages.add(&photo).map(|page| page.render());
    }
    review_of(folder.path());
}

/// Reads the summary of a run of each command, and renders its page.
pub fn summary(data: &[u8]) {
    let folder = Folder::new();
    let path = folder.at("summary.json");
    fs::write(&path, data).expect("temporary files can be written");
    if let Ok(run) = BenchSummary::load(&path) {
        assert!(!bench_page(&run).is_empty());
    }
    // The photos that the seed counts.
    fs::write(folder.at(PHOTOS), PHOTOS_OF_SEED).expect("temporary files can be written");
    if let Ok(run) = SavedRun::load(&path) {
        let mut pages = Pages::default();
        if run
            .each_photo(|photo| drop(pages.add(&photo).map(|page| page.render())))
            .is_ok()
        {
            assert!(!pages.finish(&run.summary).is_empty());
        }
    }
    if let Ok(run) = TrainingSummary::load(&path) {
        assert!(!train_page(&run, b"").is_empty());
    }
}
