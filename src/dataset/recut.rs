//! Boards of a `recognize` run cut from their photos again, where the run has found them: no run has to
//! keep its crops to be learned from, and a photo that was exchanged since is noticed.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Display;
use std::fs;
use std::path::Path;

use super::review_error::ReviewError;
use crate::files::hash_file;
use crate::frames::{Ffmpeg, Video};
use crate::grid::CellMap;
use crate::pages::{Document, PageError};
use crate::recognize::{PHOTOS, PhotoResult, Record, saved_photos};
use crate::vision::{BoardPlace, CellCrop, Photo, PhotoConfig};

/// Cells of boards, by the numbers of the boards in their photo.
pub(super) type CutBoards = BTreeMap<usize, CellMap<CellCrop>>;

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

/// The cells of these boards of a photo or a video, the right way up, as the run saw them; or why the file
/// is not the one that the run has read.
pub(super) fn cut(photo: &PhotoResult, boards: &BTreeSet<usize>) -> Result<CutBoards, String> {
    let name = &photo.photo;
    let failed = |error: &dyn Display| format!("cannot read {name}: {error}");
    if photo.content.is_none() {
        return Err(format!(
            "{name} was not read whole, so its cells cannot be cut again"
        ));
    }
    let file = photo.page.as_ref().map_or(name, |page| &page.file);
    let content = hash_file(Path::new(file)).map_err(|error| failed(&error))?;
    if photo.file_content() != Some(&*content) {
        return Err(format!("{name} was exchanged since the run has read it"));
    }
    let wanted = photo
        .records
        .iter()
        .filter(|it| boards.contains(&it.puzzle));
    let wanted = wanted.filter_map(|record| Some((record.puzzle, &record.reading.as_ref()?.place)));
    let Some(video) = &photo.video else {
        let config = PhotoConfig::default();
        let bytes = match &photo.page {
            Some(page) => fs::read(file)
                .map_err(PageError::from)
                .and_then(Document::open)
                .and_then(|it| it.picture(page.number, config.max_color_pixels))
                .map_err(|error| failed(&error))?,
            None => fs::read(name).map_err(|error| failed(&error))?,
        };
        let photo = Photo::from_bytes(&bytes, &config);
        let photo = photo.map_err(|error| failed(&error))?;
        return Ok(wanted
            .map(|(board, place)| (board, place.cut(&photo)))
            .collect());
    };
    // The best frame of each board.
    let mut frames: BTreeMap<u64, Vec<(usize, &BoardPlace)>> = BTreeMap::new();
    for (board, place) in wanted {
        if let Some(times) = video.boards.get(board - 1) {
            frames
                .entry(times.best_frame)
                .or_default()
                .push((board, place));
        }
    }
    let mut cut = CutBoards::new();
    let mut video = Video::open(Path::new(name), &Ffmpeg::default()).map_err(|it| failed(&it))?;
    while let Some((&next, _)) = frames.first_key_value() {
        let frame = video.next_frame().map_err(|error| failed(&error))?;
        let frame = frame.ok_or_else(|| format!("{name} has no frame {next}"))?;
        let Some(boards) = frames.remove(&frame.number) else {
            continue;
        };
        let photo = Photo::from_luma(frame.into_luma(), &PhotoConfig::of_frames());
        cut.extend(
            boards
                .into_iter()
                .map(|(board, place)| (board, place.cut(&photo))),
        );
    }
    Ok(cut)
}
