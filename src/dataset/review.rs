//! The cells of a `recognize` run that a person should look at: out as a picture and a table, back
//! in as labeled crops.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use serde::Serialize;

use super::contact_sheet::{ALERT, PLAIN, Tile, TileRow, write_contact_sheet};
use super::filled;
use super::harvest::label as labeled_crops;
use super::recut::{board, cut, named_photos, photo_name};
use super::review_error::ReviewError;
use super::sheets::CropSheets;
use crate::digits::LabeledCrop;
use crate::files::{WriteError, write_bytes};
use crate::grid::{Cell, Digit, Puzzle};
use crate::recognize::{PHOTOS, PhotoResult, Reading, Record, saved_photos};
use crate::vision::CellCrop;

/// Crops in a row of the contact sheet.
const COLUMNS: usize = 12;

/// Why a person should look at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
enum Reason {
    /// The rules, or the ground truth of the photo, say something else than the reader.
    Contradicted,
    /// The reader is unsure.
    Uncertain,
}

/// A row of `review.csv`: a cell, and the label that a person gives it.
#[derive(Clone, Debug, Serialize)]
struct Row<'a> {
    /// Number on the contact sheet, from 1.
    number: usize,
    photo: &'a str,
    puzzle: usize,
    /// From 1.
    row: usize,
    /// From 1.
    column: usize,
    reason: Reason,
    /// As the reader sees it, 0 for a blank.
    reading: u8,
    /// As the rules or the truth have it.
    expected: u8,
    certainty: String,
    /// From the hash of the photo: tells whether it was read again since.
    crop: String,
    /// Empty, for a person to fill.
    label: &'a str,
}

/// A cell that may be shown; the first in this order is shown first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    reason: Reason,
    /// Probability of what is taken for its content, in millionths.
    certainty: u32,
    /// Number of the photo in the run, of the puzzle in the photo, and of the cell.
    at: (usize, usize, usize),
    photo: String,
    reading: Option<Digit>,
    expected: Option<Digit>,
}

/// Cells in a review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReviewSummary {
    /// Cells of the boards of the run.
    pub cells: usize,
    /// Contradicted cells in the review.
    pub contradicted: usize,
    /// Other cells in the review, the least certain first.
    pub uncertain: usize,
    /// Cells that are left out because their photo cannot be opened, or was exchanged.
    pub lost: usize,
}

/// Writes up to `count` cells of a run of `recognize` into `review.png` and `review.csv` of a folder:
/// the contradicted ones first, then the least certain. Within a kind those come first to whose expected
/// content the reader gives the least probability. The cells are cut from the photos again.
///
/// # Errors
/// [`ReviewError`].
pub fn write_review(run: &Path, count: usize, out: &Path) -> Result<ReviewSummary, ReviewError> {
    let mut summary = ReviewSummary::default();
    let mut candidates = BTreeSet::new();
    for (number, photo) in saved_photos(&run.join(PHOTOS))?.enumerate() {
        let photo = photo?;
        for record in &photo.records {
            let Some(reading) = &record.reading else {
                continue;
            };
            summary.cells += Cell::COUNT;
            for candidate in doubtful(number, &photo, record, reading) {
                candidates.insert(candidate);
                if candidates.len() > count {
                    candidates.pop_last();
                }
            }
        }
    }
    let candidates: Vec<Candidate> = candidates.into_iter().collect();
    let names = candidates.iter().map(|candidate| &*candidate.photo);
    let photos = named_photos(run, &names.collect::<HashSet<_>>())?;
    let mut shown: Vec<(usize, CellCrop)> = Vec::new();
    for photo in photos.values() {
        let of_photo = candidates.iter().enumerate();
        let of_photo = of_photo.filter(|(_, it)| it.photo == photo.photo);
        let boards = of_photo.clone().map(|(_, candidate)| candidate.at.1);
        let Ok(cut) = cut(photo, &boards.collect()) else {
            continue;
        };
        for (place, candidate) in of_photo {
            let (_, board, cell) = candidate.at;
            let crops = cut.get(&board);
            shown.extend(crops.map(|crops| (place, crops.as_array()[cell].clone())));
        }
    }
    shown.sort_by_key(|(place, _)| *place);
    summary.lost = candidates.len() - shown.len();
    let rows = shown.iter().zip(1..).map(|((place, _), number)| {
        let candidate = &candidates[*place];
        let (_, puzzle, cell) = candidate.at;
        Row {
            number,
            photo: &candidate.photo,
            puzzle,
            row: cell / 9 + 1,
            column: cell % 9 + 1,
            reason: candidate.reason,
            reading: candidate.reading.map_or(0, Digit::value),
            expected: candidate.expected.map_or(0, Digit::value),
            certainty: format!("{:.4}", f64::from(candidate.certainty) / 1e6),
            crop: crop_id(&photos[&candidate.photo]),
            label: "",
        }
    });
    let rows: Vec<Row<'_>> = rows.collect();
    write_picture(&out.join("review.png"), &rows, &shown)?;
    let path = out.join("review.csv");
    write_bytes(&path, &to_csv(&rows)).map_err(WriteError::of(&path))?;
    let contradicted = rows.iter().filter(|row| row.reason == Reason::Contradicted);
    summary.contradicted = contradicted.count();
    summary.uncertain = rows.len() - summary.contradicted;
    Ok(summary)
}

/// The cells of a board that a person should look at.
fn doubtful(
    number: usize,
    photo: &PhotoResult,
    record: &Record,
    reading: &Reading,
) -> Vec<Candidate> {
    let expected: &Puzzle = record.truth.as_ref().unwrap_or(&reading.decoded);
    let candidate = |cell: Cell| {
        let (read, expected) = (reading.givens.given(cell), expected.given(cell));
        let doubt = reading.doubts.iter().find(|doubt| doubt.cell == cell);
        if read == expected && doubt.is_none() {
            return None;
        }
        let mut guesses = doubt.iter().flat_map(|doubt| &doubt.guesses);
        let share = guesses.find(|(content, _)| *content == expected);
        Some(Candidate {
            reason: match read == expected {
                true => Reason::Uncertain,
                false => Reason::Contradicted,
            },
            certainty: share.map_or(0, |(_, share)| (share * 1e6) as u32),
            at: (number, record.puzzle, cell.index()),
            photo: photo.photo.clone(),
            reading: read,
            expected,
        })
    };
    Cell::all().filter_map(candidate).collect()
}

/// Above each crop its number in the table, and in red what the reader saw where it is contradicted.
fn write_picture(
    path: &Path,
    rows: &[Row<'_>],
    crops: &[(usize, CellCrop)],
) -> Result<(), WriteError> {
    let tiles = rows.iter().zip(crops).map(|(row, (_, crop))| {
        let mut numbers = vec![(row.number.to_string(), PLAIN)];
        if row.reason == Reason::Contradicted {
            numbers.push((row.reading.to_string(), ALERT));
        }
        Tile { crop, numbers }
    });
    let mut tiles: Vec<Tile<'_>> = tiles.collect();
    let mut sheet = Vec::new();
    while !tiles.is_empty() {
        let rest = tiles.split_off(tiles.len().min(COLUMNS));
        sheet.push(TileRow {
            heading: String::new(),
            tiles: std::mem::replace(&mut tiles, rest),
        });
    }
    write_contact_sheet(path, &sheet)
}

fn to_csv(rows: &[Row<'_>]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).expect("a row fits into memory");
    }
    writer.into_inner().expect("rows fit into memory")
}

/// A name for the content of a photo, which no spreadsheet takes for a number.
fn crop_id(photo: &PhotoResult) -> String {
    let content = photo.content.as_deref().unwrap_or_default();
    format!("c{}", &content[..content.len().min(15)])
}

/// A row with a label: its line, the cell of a board, and the label.
type Labeled<'a> = (u64, &'a Record, Cell, Option<Digit>);

/// What applying a filled review gave.
#[derive(Debug, Default)]
pub struct AppliedReview {
    /// Labeled crops written.
    pub crops: usize,
    /// Rows without a label.
    pub unlabeled: usize,
    /// Rows that are wrong: line in the file, and why.
    pub wrong: Vec<(u64, String)>,
}

/// Writes the cells of a run that were given a label in a filled `review.csv` (0 for a blank, 1 to
/// 9; empty leaves a cell out) as labeled crops into a folder, ready for `train`: `source` is
/// `reviewed`. Wrong rows are returned and the others taken. If no row is labeled, nothing is written.
///
/// # Errors
/// [`ReviewError`].
pub fn apply_review(run: &Path, review: &Path, out: &Path) -> Result<AppliedReview, ReviewError> {
    let columns = ["photo", "puzzle", "row", "column", "crop", "label"];
    let rows = filled::rows(review, columns)?;
    let names = rows
        .iter()
        .filter_map(|(_, row)| Some(photo_name(&row.as_ref().ok()?[0])));
    let photos = named_photos(run, &names.collect::<HashSet<_>>())?;
    let mut applied = AppliedReview::default();
    // By photo, so that each is opened once.
    let mut labels: BTreeMap<&str, Vec<Labeled<'_>>> = BTreeMap::new();
    for (line, row) in &rows {
        let row = match row {
            Ok(row) if row[5].trim().is_empty() => {
                applied.unlabeled += 1;
                continue;
            }
            Ok(row) => row,
            Err(why) => {
                applied.wrong.push((*line, (*why).to_owned()));
                continue;
            }
        };
        let name = photo_name(&row[0]);
        match labeled(row, photos.get(name)) {
            Ok((record, cell, label)) => {
                let labels = labels.entry(name).or_default();
                labels.push((*line, record, cell, label));
            }
            Err(why) => applied.wrong.push((*line, why)),
        }
    }
    let mut crops: Vec<LabeledCrop> = Vec::new();
    for (name, labels) in labels {
        let boards = labels.iter().map(|(_, record, ..)| record.puzzle);
        let cut = cut(&photos[name], &boards.collect());
        for (line, record, cell, label) in labels {
            match cut.as_ref().map(|cut| cut.get(&record.puzzle)) {
                Ok(Some(board)) => crops.push(reviewed(name, record, board, cell, label)),
                Ok(None) => applied
                    .wrong
                    .push((line, "there is no such board".to_owned())),
                Err(why) => applied.wrong.push((line, why.clone())),
            }
        }
    }
    applied.wrong.sort();
    if !crops.is_empty() {
        let mut sheets = CropSheets::new(out);
        sheets.extend(crops)?;
        applied.crops = sheets.finish()?;
    }
    Ok(applied)
}

/// The cell that a row names, and its label.
fn labeled<'a>(
    [name, puzzle, row, column, crop, label]: &[String; 6],
    photo: Option<&'a PhotoResult>,
) -> Result<(&'a Record, Cell, Option<Digit>), String> {
    let name = photo_name(name);
    let (photo, record) = board(photo, name, puzzle.trim())?;
    let number = |text: &String| text.trim().parse::<usize>().ok()?.checked_sub(1);
    let cell = number(row).zip(number(column));
    let cell = cell.and_then(|(row, column)| Cell::at(row, column));
    let cell = cell.ok_or_else(|| format!("there is no cell in row {row:?}, column {column:?}"))?;
    if crop.trim() != crop_id(photo) {
        let crop = crop.trim();
        return Err(format!("the run has no crop `{crop}`: was it run again?"));
    }
    let label = match label.trim().parse::<u8>() {
        Ok(0) => None,
        Ok(value @ 1..=9) => Digit::new(value),
        _ => {
            return Err(format!(
                "label `{}` is neither 0 (blank) nor 1 to 9",
                label.trim()
            ));
        }
    };
    Ok((record, cell, label))
}

/// A cell with the label that a person gave it.
fn reviewed(
    name: &str,
    record: &Record,
    board: &crate::grid::CellMap<CellCrop>,
    cell: Cell,
    label: Option<Digit>,
) -> LabeledCrop {
    let decoded = record.reading.as_ref().map(|reading| reading.decoded);
    let decoded = decoded.unwrap_or_else(Puzzle::empty);
    let mut crops = labeled_crops(Path::new(name), &decoded, board);
    LabeledCrop {
        label,
        source: "reviewed".to_owned(),
        ..crops.swap_remove(cell.index())
    }
}
