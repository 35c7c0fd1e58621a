//! The pages of a recognition run, written while its photos come.

use std::ffi::OsStr;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread::{JoinHandle, spawn};

use sudoku_batch::files::{WriteError, write_bytes};
use sudoku_batch::recognize::{PhotoResult, Summary};
use sudoku_batch::report::{Page, Pages, WorstPhotos};

use super::error::{CliError, unwritable};

/// Writes the pages of a run as its photos come: a page that is full on a thread of its own, while the next one fills.
pub(super) struct PageWriter<'a> {
    folder: &'a Path,
    pages: Pages,
    worst: WorstPhotos,
    writing: Option<JoinHandle<Result<(), WriteError>>>,
    /// Of the pages before.
    written: Result<(), WriteError>,
}

impl PageWriter<'_> {
    pub(super) fn new(folder: &Path) -> PageWriter<'_> {
        PageWriter {
            folder,
            pages: Pages::default(),
            worst: WorstPhotos::default(),
            writing: None,
            written: Ok(()),
        }
    }

    pub(super) fn add(&mut self, photo: &PhotoResult) {
        self.worst.add(photo);
        let Some(full) = self.pages.add(photo) else {
            return;
        };
        self.wait();
        if self.written.is_ok() {
            let folder = self.folder.to_owned();
            self.writing = Some(spawn(move || write(&folder, &full.render())));
        }
    }

    /// Writes the last pages, and removes those that a larger run left behind them.
    pub(super) fn finish(mut self, summary: &Summary) -> Result<WorstPhotos, CliError> {
        self.wait();
        std::mem::replace(&mut self.written, Ok(())).map_err(unwritable)?;
        let last = std::mem::take(&mut self.pages).finish(summary);
        for page in &last {
            write(self.folder, page).map_err(unwritable)?;
        }
        let further = last.iter().rev().nth(1);
        let further = further.map_or("pages/0000.html", |page| &page.path);
        remove_pages_after(&self.folder.join(further));
        Ok(std::mem::take(&mut self.worst))
    }

    /// Waits for the page that is being written.
    fn wait(&mut self) {
        if let Some(writing) = self.writing.take() {
            self.written = writing.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    }
}

/// A program that ends leaves no page half written.
impl Drop for PageWriter<'_> {
    fn drop(&mut self) {
        self.wait();
    }
}

fn write(folder: &Path, page: &Page) -> Result<(), WriteError> {
    let path = folder.join(&page.path);
    let written = write_bytes(&path, page.html.as_bytes());
    written.map_err(|source| WriteError { path, source })
}

/// Removes the pages that a larger run left behind this one.
fn remove_pages_after(last: &Path) {
    let is_number = |stem: &OsStr| stem.as_encoded_bytes().iter().all(u8::is_ascii_digit);
    let is_later = |path: &Path| {
        path.extension() == last.extension()
            && path.file_stem().is_some_and(is_number)
            && path > last
    };
    let pages = last.parent().and_then(|folder| folder.read_dir().ok());
    for page in pages.into_iter().flatten().flatten() {
        if is_later(&page.path()) {
            // A page that stays is out of date, but nothing links to it.
            let _ = std::fs::remove_file(page.path());
        }
    }
}
