//! Boards of a `recognize` run cut from their photos again, where the run has found them: no run has to
//! keep its crops to be learned from, and a photo that was exchanged since is noticed.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use super::review_error::ReviewError;
use crate::grid::CellMap;
use crate::recognize::{PHOTOS, PhotoResult, Record, saved_photos};
use crate::vision::{CellCrop, Photo, PhotoConfig};

/// The photos of a run that have these names.
pub(super) fn named_photos(
    run: &Path,
    names: &HashSet<&str>,
) -> Result<HashMap<String, PhotoResult>, ReviewError> {
    let mut photos = HashMap::new();
    for photo in saved_photos(&run.join(PHOTOS))? {
        let photo = photo?;
        if names.contains(&*photo.photo) {
            photos.entry(photo.photo.clone()).or_insert(photo);
        }
    }
    Ok(photos)
}

/// The name of a photo as a table has it: an apostrophe stands before what a spreadsheet would take for
/// a formula.
pub(super) fn photo_name(field: &str) -> &str {
    let formula = |rest: &&str| rest.starts_with(['=', '+', '-', '@']);
    field.strip_prefix('\'').filter(formula).unwrap_or(field)
}

/// The board of this number, or a text that says that there is none.
pub(super) fn board<'a>(
    photo: Option<&'a PhotoResult>,
    name: &str,
    puzzle: &str,
) -> Result<(&'a PhotoResult, &'a Record), String> {
    let photo = photo.filter(|it| it.records.iter().any(|record| record.reading.is_some()));
    let photo = photo.ok_or_else(|| format!("the run has read no board in the photo {name:?}"))?;
    let mut boards = photo.records.iter().filter(|it| it.reading.is_some());
    let board = boards.find(|record| record.puzzle.to_string() == puzzle);
    let board =
        board.ok_or_else(|| format!("the run has read no puzzle {puzzle:?} in {name:?}"))?;
    Ok((photo, board))
}

/// The photo, opened again; or why it is not the one that the run has read.
pub(super) fn open(photo: &PhotoResult) -> Result<Photo, String> {
    let name = &photo.photo;
    let bytes = fs::read(name).map_err(|error| format!("cannot read {name}: {error}"))?;
    let content = &blake3::hash(&bytes).to_hex()[..32];
    if photo.content.as_deref() != Some(content) {
        return Err(format!("{name} was exchanged since the run has read it"));
    }
    Photo::from_bytes(&bytes, &PhotoConfig::default())
        .map_err(|error| format!("cannot read {name}: {error}"))
}

/// The cells of a board, the right way up, as the run saw them.
pub(super) fn cells(photo: &Photo, record: &Record) -> Option<CellMap<CellCrop>> {
    Some(record.reading.as_ref()?.place.cut(photo))
}
