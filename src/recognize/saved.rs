//! A run read back from the files that it wrote: `summary.json`, and `photos.jsonl` with all that
//! the page says of each photo, a line a photo, in input order.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::batch::PhotoResult;
use super::journal::Entry;
use super::photos::PhotoFile;
use super::score::Judgement;
use super::summary::Summary;
use crate::files::{ReadError, read_bytes, read_json};

/// The file of photos, below the folder of the run.
pub const PHOTOS: &str = "photos.jsonl";

/// A run that was written.
#[derive(Debug)]
pub struct SavedRun {
    /// The numbers.
    pub summary: Summary,
    /// The photos, in input order.
    pub photos: Vec<PhotoResult>,
    /// How each photo did against its truth, where it has some; one entry a photo.
    pub judgements: Vec<Option<Judgement>>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line<'a> {
    name: Cow<'a, str>,
    content: Option<Cow<'a, str>>,
    resumed: bool,
    judgement: Option<Judgement>,
    #[serde(flatten)]
    entry: Cow<'a, Entry>,
}

/// Writes the photos of a run, a line each, with how each did against its truth.
///
/// # Errors
/// What stops the writer.
pub fn write_photos(
    writer: &mut dyn Write,
    photos: &[PhotoResult],
    judgements: &[Option<Judgement>],
) -> io::Result<()> {
    for (photo, &judgement) in photos.iter().zip(judgements) {
        let line = Line {
            name: photo.file.name.as_str().into(),
            content: photo.content.as_deref().map(Into::into),
            resumed: photo.resumed,
            judgement,
            entry: Cow::Borrowed(&photo.entry),
        };
        serde_json::to_writer(&mut *writer, &line)?;
        writer.write_all(b"\n")?;
    }
    Ok(())
}

impl SavedRun {
    /// Reads the run whose summary this file is, and the photos beside it. The path of a photo is
    /// its name: bytes that are not UTF-8 do not come back.
    ///
    /// # Errors
    /// [`ReadError`]: a file cannot be read or is damaged, or the two are not of the same run.
    pub fn load(summary_path: &Path) -> Result<SavedRun, ReadError> {
        let summary: Summary = read_json(summary_path)?;
        let path = summary_path.with_file_name(PHOTOS);
        let mut run = SavedRun {
            summary,
            photos: Vec::new(),
            judgements: Vec::new(),
        };
        let bytes = read_bytes(&path)?;
        let lines = bytes.split_inclusive(|&byte| byte == b'\n');
        for (number, line) in (1..).zip(lines) {
            let line: Line<'_> = serde_json::from_slice(line).map_err(|error| {
                let column = error.column();
                let why = error.to_string();
                let why = why.split(" at line ").next().unwrap_or_default();
                ReadError::damaged(&path, format!("{why} at line {number} column {column}"))
            })?;
            let entry = line.entry.into_owned();
            run.judgements.push(line.judgement);
            run.photos.push(PhotoResult {
                file: PhotoFile {
                    path: PathBuf::from(&*line.name),
                    name: line.name.into_owned(),
                    artifact: entry.artifact.clone(),
                },
                content: line.content.map(Cow::into_owned),
                resumed: line.resumed,
                entry,
            });
        }
        if run.photos.len() != run.summary.photos {
            let (here, there) = (run.photos.len(), run.summary.photos);
            let why = format!("{here} photos, but the summary beside it counts {there}");
            return Err(ReadError::damaged(&path, why));
        }
        Ok(run)
    }
}
