//! Cuts boards of a `recognize` run from their photos again, at the places saved by the run: no run
//! has to keep its crops for training, and a photo that was replaced since is detected.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Display;
use std::path::Path;

use super::review_error::ReviewError;
use crate::files::hash_file;
use crate::frames::{Ffmpeg, Video};
use crate::grid::CellMap;
use crate::opening::{LARGEST_PHOTO, read_file};
use crate::pages::{Document, PageError};
use crate::recognize::{PHOTOS, PhotoResult, Record, saved_photos};
use crate::vision::{BoardPlace, CellCrop, Photo, PhotoConfig, Point, Quad};

/// Cells of boards, by the numbers of the boards in their photo.
pub(super) type CutBoards = BTreeMap<usize, CellMap<CellCrop>>;

/// Returns the photos of a run that have these names.
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

/// Returns the name of a photo in a table: an apostrophe is prefixed to what a spreadsheet would
/// take for a formula.
pub(super) fn photo_name(field: &str) -> &str {
    let formula = |rest: &&str| rest.starts_with(['=', '+', '-', '@']);
    field.strip_prefix('\'').filter(formula).unwrap_or(field)
}

/// Returns the board of this number, or a message that there is none.
pub(super) fn board<'a>(
    photo: Option<&'a PhotoResult>,
    name: &str,
    puzzle: &str,
) -> Result<(&'a PhotoResult, &'a Record), String> {
    let photo = photo.filter(|it| it.records.iter().any(|record| record.reading.is_some()));
    let photo = photo.ok_or_else(|| {
        format!("the run has read no board in the photo {name:?}, and the row has no corners")
    })?;
    let mut boards = photo.records.iter().filter(|it| it.reading.is_some());
    let board = boards.find(|record| record.puzzle.to_string() == puzzle);
    let board =
        board.ok_or_else(|| format!("the run has read no puzzle {puzzle:?} in {name:?}"))?;
    Ok((photo, board))
}

/// Opens a photo of the run, or returns why it is not the one that the run has read.
pub(super) fn open(photo: &PhotoResult) -> Result<Photo, String> {
    if photo.video.is_some() {
        let name = &photo.photo;
        return Err(format!("{name} is a video: corners are those of a photo"));
    }
    let bytes = unchanged(photo)?;
    let opened = Photo::from_bytes(&bytes, &PhotoConfig::default());
    opened.map_err(|error| cannot_read(&photo.photo, &error))
}

/// Least size of a cell with legible digits, in pixels.
const LEAST_CELL: f32 = 4.0;

/// Returns the cells of the board with these corners, or why there can be none.
pub(super) fn cut_at(photo: &Photo, corners: &Quad) -> Result<CellMap<CellCrop>, String> {
    let (width, height) = (photo.width(), photo.height());
    let is_inside = |point: &Point| {
        (0.0..=width as f32).contains(&point.x) && (0.0..=height as f32).contains(&point.y)
    };
    if let Some(Point { x, y }) = corners.corners().iter().find(|it| !is_inside(it)) {
        return Err(format!(
            "the corner {x} {y} lies outside the photo of {width} x {height} pixels"
        ));
    }
    if corners.sides().0 < 9.0 * LEAST_CELL {
        let side = corners.sides().0;
        return Err(format!(
            "a board with a side of {side:.0} pixels is too small"
        ));
    }
    let place = BoardPlace::from_corners(photo, corners);
    let place = place.ok_or("the corners are not those of a convex board")?;
    Ok(place.cut(photo))
}

/// Returns the bytes of a photo of the run, or why it is not the one that the run has read.
pub(super) fn unchanged(photo: &PhotoResult) -> Result<Vec<u8>, String> {
    let name = &photo.photo;
    is_unchanged(photo)?;
    let Some(page) = &photo.page else {
        return read_file(Path::new(name), LARGEST_PHOTO)
            .map_err(|error| cannot_read(name, &error));
    };
    let document = read_file(Path::new(&page.file), LARGEST_PHOTO).map_err(PageError::from);
    let document = document.and_then(Document::open);
    let max_pixels = PhotoConfig::default().max_color_pixels;
    let picture = document.and_then(|it| it.picture(page.number, max_pixels));
    picture.map_err(|error| cannot_read(name, &error))
}

/// Checks that a file is the one that the run has read.
pub(super) fn is_unchanged(photo: &PhotoResult) -> Result<(), String> {
    let name = &photo.photo;
    if photo.content.is_none() {
        return Err(format!(
            "{name} was not read whole, so its cells cannot be cut again"
        ));
    }
    let file = photo.page.as_ref().map_or(name, |page| &page.file);
    let content = hash_file(Path::new(file)).map_err(|error| cannot_read(name, &error))?;
    match photo.file_content() == Some(&*content) {
        true => Ok(()),
        false => Err(format!("{name} was exchanged since the run has read it")),
    }
}

fn cannot_read(name: &str, error: &dyn Display) -> String {
    format!("cannot read {name}: {error}")
}

/// Returns the cells of these boards of a photo or a video, upright, as the run saw them; or why
/// the file is not the one that the run has read.
pub(super) fn cut(photo: &PhotoResult, boards: &BTreeSet<usize>) -> Result<CutBoards, String> {
    let name = &photo.photo;
    let wanted = photo
        .records
        .iter()
        .filter(|it| boards.contains(&it.puzzle));
    let wanted = wanted.filter_map(|record| Some((record.puzzle, &record.reading.as_ref()?.place)));
    let Some(video) = &photo.video else {
        let photo = open(photo)?;
        return Ok(wanted
            .map(|(board, place)| (board, place.cut(&photo)))
            .collect());
    };
    is_unchanged(photo)?;
    let failed = |error: &dyn Display| cannot_read(name, error);
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
