//! The output folder: overlays, crops and the journal, each file whole or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::attempt::Attempt;
use super::config::RecognizeConfig;
use super::hand::{guarded, read_file};
use super::journal::{Entry, Journal};
use super::overlay;
use super::photos::PhotoFile;
use super::record::Record;
use super::sheet;
use super::thumbnail::thumbnail;
use crate::files;
use crate::vision::{Photo, open_color};

/// A file or folder of the output that cannot be written.
#[derive(Debug, Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct OutputError {
    /// The file or folder.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// A photo that was opened.
pub(super) struct Opened<'a> {
    /// The copy in which the boards were found.
    pub(super) photo: Photo,
    /// Hash of the file.
    pub(super) content: &'a str,
}

/// Where results go, and which are wanted.
#[derive(Clone, Debug)]
pub struct Outputs {
    folder: PathBuf,
    overlays: bool,
    crops: bool,
    settings: String,
}

impl Outputs {
    /// Makes the folder and checks that files can be written there. `settings` tells runs apart
    /// whose rows differ.
    ///
    /// # Errors
    /// Where the folder cannot be made or written to.
    pub fn create(
        folder: &Path,
        overlays: bool,
        crops: bool,
        settings: String,
    ) -> Result<Outputs, OutputError> {
        let failed = |source| OutputError {
            path: folder.to_owned(),
            source,
        };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let mut probe = tempfile::tempfile_in(folder).map_err(failed)?;
        probe.write_all(b"probe").map_err(failed)?;
        Ok(Outputs {
            folder: folder.to_owned(),
            overlays,
            crops,
            settings,
        })
    }

    /// A file of the folder.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes a file of the folder.
    ///
    /// # Errors
    /// What stops it; then the file is as it was before.
    pub fn write_file(
        &self,
        name: impl AsRef<Path>,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        let path = self.path(name);
        files::write_whole(&path, fill).map_err(|source| OutputError { path, source })
    }

    /// What the last run into this folder found with the same settings.
    pub fn last_run(&self) -> Journal {
        Journal::load(&self.path("journal.jsonl"), &self.settings)
    }

    /// Writes the journal, for the next run to take over.
    ///
    /// # Errors
    /// As [`Outputs::write_file`].
    pub fn save_journal(&self, journal: &Journal) -> Result<(), OutputError> {
        self.write_file("journal.jsonl", |writer| {
            journal.write(writer, &self.settings)
        })
    }

    /// Whether what an earlier run made of a photo is all that is wanted of it.
    pub(super) fn are_there(&self, file: &PhotoFile, entry: &Entry) -> bool {
        let named = entry.artifact == file.artifact;
        let overlay = match entry.overlay_file() {
            Some(name) => named && self.path(name).is_file(),
            None => entry.overlay,
        };
        let sheet = match entry.sheet_file() {
            Some(name) => named && self.path(name).is_file(),
            None => entry.sheet.is_some(),
        };
        let mut pictures = entry.thumbnail.iter().chain(&entry.cells);
        let pictures = pictures.all(|name| self.path(name).is_file());
        (overlay || !self.overlays) && (sheet || !self.crops) && pictures
    }

    /// Writes what is wanted of a photo and returns what the journal keeps of it.
    pub(super) fn write(
        &self,
        file: &PhotoFile,
        opened: Option<Opened<'_>>,
        rows: Vec<(Record, Option<Attempt>)>,
        config: &RecognizeConfig,
    ) -> Result<Entry, OutputError> {
        let (records, attempts): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let doubts = attempts.iter().map(|attempt| match attempt {
            Some(attempt) => attempt.doubts().to_vec(),
            None => Vec::new(),
        });
        let mut entry = Entry {
            doubts: doubts.collect(),
            records,
            thumbnail: None,
            cells: None,
            artifact: file.artifact.clone(),
            overlay: self.overlays,
            sheet: None,
        };
        let boards: Vec<&Attempt> = attempts.iter().flatten().collect();
        let rows = entry.records.iter().zip(&attempts);
        let read = rows.filter(|(record, _)| record.status.is_read());
        let read: Vec<&Attempt> = read.filter_map(|(_, attempt)| attempt.as_ref()).collect();
        let reading_width = opened.as_ref().map_or(0, |it| it.photo.luma().width());
        if let Some(Opened { photo, content }) = opened {
            // Named by content, so that a photo that was renamed keeps it.
            let name = format!("thumbnails/{content}.jpg");
            if let Some(bytes) = thumbnail(&photo, &read) {
                self.write_file(&name, |writer| writer.write_all(&bytes))?;
                entry.thumbnail = Some(name);
            }
            if !boards.is_empty() {
                let name = format!("cells/{content}.jpg");
                self.write_file(&name, |writer| sheet::write_small(writer, &boards))?;
                entry.cells = Some(name);
            }
        }
        if let Some(name) = entry.overlay_file() {
            match overlay_bytes(file, &read, reading_width, config) {
                Some(bytes) => self.write_file(name, |writer| writer.write_all(&bytes))?,
                None => entry.overlay = false,
            }
        }
        if self.crops {
            entry.sheet = Some(boards.iter().map(|board| contrast(board)).collect());
            if let Some(name) = entry.sheet_file() {
                self.write_file(name, |writer| sheet::write_exact(writer, &boards))?;
            }
        }
        Ok(entry)
    }
}

impl Entry {
    /// The overlay below the output folder, if there is one.
    pub fn overlay_file(&self) -> Option<String> {
        let drawn = self.records.iter().any(|record| record.status.is_read());
        (self.overlay && drawn).then(|| format!("overlays/{}.jpg", self.artifact))
    }

    /// The sheet of crops below the output folder, if there is one.
    pub fn sheet_file(&self) -> Option<String> {
        let boards = self.sheet.as_ref().is_some_and(|sheet| !sheet.is_empty());
        boards.then(|| format!("crops/{}.png", self.artifact))
    }
}

/// The overlay; `None` if the photo cannot be opened again in colour.
fn overlay_bytes(
    file: &PhotoFile,
    attempts: &[&Attempt],
    reading_width: u32,
    config: &RecognizeConfig,
) -> Option<Vec<u8>> {
    let bytes = read_file(&file.path, config.max_file_bytes).ok()?;
    let side = Some(overlay::OVERLAY_SIDE);
    let mut canvas = guarded(|| Ok(open_color(&bytes, &config.photo, side)?)).ok()?;
    for attempt in attempts {
        overlay::draw(&mut canvas, attempt, reading_width);
    }
    overlay::encode(&canvas).ok()
}

fn contrast(board: &Attempt) -> f32 {
    board.hypothesis.crops.as_array()[0].board_contrast
}
