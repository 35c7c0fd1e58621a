//! Selects the photos of a `recognize` run that a person should look at first, with large pictures.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Serialize;

use super::recut::{is_unchanged, unchanged};
use super::review_error::ReviewError;
use crate::files::{WriteError, write_bytes};
use crate::grid::{Cell, Puzzle};
use crate::parallel::map_in_order;
use crate::recognize::{PHOTOS, PhotoResult, Reading, Record, Standing, saved_photos, write_large};
use crate::vision::{DecodedPhoto, PhotoConfig};

/// Why a person should look at a photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    /// The rules, or the ground truth of the photo, contradict the reading of a cell.
    Contradicted,
    /// The reader is unsure of a cell.
    Uncertain,
    /// No board was found, and the ground truth does not say that there is none.
    NoBoard,
}

/// Order of photos in a review: the reason, the least probability of a cell's content, in
/// millionths, and the number in the run.
type Urgency = (Reason, u32, usize);

/// Counts of a review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReviewSummary {
    /// Number of photos.
    pub photos: usize,
    /// Number of photos with a cell contradicted by the rules or the ground truth.
    pub contradicted: usize,
    /// Number of other photos with an uncertain cell.
    pub uncertain: usize,
    /// Number of photos without a board.
    pub without_board: usize,
    /// Number of photos left out because they cannot be opened, or were replaced.
    pub lost: usize,
}

/// The photos that a person should look at.
#[derive(Debug, Default)]
pub struct Review {
    /// Counts by reason.
    pub summary: ReviewSummary,
    /// The photos in the order of the run; their pictures are in the folder of the review.
    pub photos: Vec<PhotoResult>,
}

/// Selects up to `count` photos of a `recognize` run, and writes their pictures into a folder:
/// those with a contradicted cell first, then those with an uncertain one, then those without a
/// board; within a kind, by the least probability of a cell's content. Runs on all threads of the
/// current rayon pool.
///
/// # Errors
///
/// [`ReviewError`].
pub fn review(run: &Path, count: usize, out: &Path) -> Result<Review, ReviewError> {
    let mut chosen: BTreeMap<Urgency, PhotoResult> = BTreeMap::new();
    for (number, photo) in saved_photos(&run.join(PHOTOS))?.enumerate() {
        let photo = photo?;
        if let Some((reason, certainty)) = urgency(&photo) {
            chosen.insert((reason, certainty, number), photo);
            if chosen.len() > count {
                chosen.pop_last();
            }
        }
    }
    let mut chosen: Vec<(Urgency, PhotoResult)> = chosen.into_iter().collect();
    chosen.sort_by_key(|((.., number), _)| *number);
    let mut review = Review::default();
    let bring = |((reason, ..), photo): (Urgency, PhotoResult)| {
        bring(run, out, photo).map(|photo| (reason, photo))
    };
    let sink = |brought: Result<(Reason, Option<PhotoResult>), WriteError>| {
        let (reason, photo) = brought?;
        let summary = &mut review.summary;
        let Some(photo) = photo else {
            summary.lost += 1;
            return Ok::<_, WriteError>(());
        };
        summary.photos += 1;
        *match reason {
            Reason::Contradicted => &mut summary.contradicted,
            Reason::Uncertain => &mut summary.uncertain,
            Reason::NoBoard => &mut summary.without_board,
        } += 1;
        review.photos.push(photo);
        Ok(())
    };
    map_in_order(chosen.into_iter(), bring, sink)?;
    Ok(review)
}

/// Returns why a person should look at a photo, and how probable its least probable cell is; `None`
/// where nobody need.
fn urgency(photo: &PhotoResult) -> Option<(Reason, u32)> {
    let readings = photo.records.iter();
    let mut readings = readings
        .filter_map(|record| Some((record, record.reading.as_ref()?)))
        .peekable();
    if readings.peek().is_none() {
        let is_open = photo.standing() == Standing::NotRead && photo.thumbnail.is_some();
        return is_open.then_some((Reason::NoBoard, 0));
    }
    readings
        .filter_map(|(record, reading)| doubt(record, reading))
        .min()
}

/// Returns the most urgent doubt of a board.
fn doubt(record: &Record, reading: &Reading) -> Option<(Reason, u32)> {
    let expected: &Puzzle = record.truth.as_ref().unwrap_or(&reading.decoded);
    let of_cell = |cell: Cell| {
        let expected = expected.given(cell);
        let is_contradicted = reading.read.given(cell) != expected;
        let doubt = reading.doubts.iter().find(|doubt| doubt.cell == cell);
        let reason = match (is_contradicted, doubt) {
            (true, _) => Reason::Contradicted,
            (false, Some(_)) => Reason::Uncertain,
            (false, None) => return None,
        };
        let mut guesses = doubt.iter().flat_map(|doubt| &doubt.guesses);
        let share = guesses.find(|(content, _)| *content == expected);
        Some((reason, share.map_or(0, |(_, share)| (share * 1e6) as u32)))
    };
    Cell::all().filter_map(of_cell).min()
}

/// Copies the pictures of a photo into the folder of the review; `None` where the photo is missing
/// or was replaced.
fn bring(run: &Path, out: &Path, photo: PhotoResult) -> Result<Option<PhotoResult>, WriteError> {
    let large = match (&photo.video, &photo.content) {
        (None, Some(content)) => match unchanged(&photo) {
            Ok(bytes) => {
                let decoded = DecodedPhoto::from_bytes(&bytes, &PhotoConfig::default()).ok();
                let written = decoded.map(|decoded| write_large(out, content, &decoded));
                written.transpose()?.flatten()
            }
            Err(_) => return Ok(None),
        },
        _ if is_unchanged(&photo).is_err() => return Ok(None),
        _ => None,
    };
    let copied = |name: &Option<String>| copy(run, out, name.as_deref());
    Ok(Some(PhotoResult {
        thumbnail: copied(&photo.thumbnail)?,
        cells: copied(&photo.cells)?,
        large,
        overlay: false,
        ..photo
    }))
}

/// Copies a picture of the run, if it still exists.
fn copy(run: &Path, out: &Path, name: Option<&str>) -> Result<Option<String>, WriteError> {
    let Some((name, bytes)) = name.and_then(|name| Some((name, fs::read(run.join(name)).ok()?)))
    else {
        return Ok(None);
    };
    let path = out.join(name);
    write_bytes(&path, &bytes).map_err(WriteError::of(&path))?;
    Ok(Some(name.to_owned()))
}
