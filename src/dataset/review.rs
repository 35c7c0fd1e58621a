//! The cells of a `recognize` run that a person should look at: out as a picture and a table, back
//! in as labeled crops.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::contact_sheet::{ALERT, PLAIN, Tile, TileRow, write_contact_sheet};
use super::filled;
use super::review_error::ReviewError;
use super::sheets::{CropSheets, OutputError};
use crate::digits::{DigitClassifier, InferenceError, LabeledCrop, Posterior};
use crate::files::write_bytes;
use crate::grid::{Cell, Digit, Puzzle};
use crate::training::CropFolder;

/// Crops in a row of the contact sheet.
const COLUMNS: usize = 12;

/// Boards that the network reads in one call.
const BOARDS_A_CALL: usize = 16;

/// Why a person should look at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// The rules, or the truth of the photo, say something else than the reader.
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
    puzzle: &'a str,
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
    /// Hash of the crop's pixels: finds it again.
    crop: String,
    /// Empty, for a person to fill.
    label: &'a str,
}

/// A cell that may be shown.
struct Candidate {
    index: usize,
    reading: Option<Digit>,
    /// Probability of what is taken for its content.
    certainty: f32,
    reason: Reason,
}

/// Cells in a review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReviewSummary {
    /// Cells in the run.
    pub cells: usize,
    /// Contradicted cells in the review.
    pub contradicted: usize,
    /// Other cells in the review, the least certain first.
    pub uncertain: usize,
}

/// A board of a run: the fields of its row in `results.csv`.
#[derive(Debug, Deserialize)]
struct BoardRow {
    photo: String,
    puzzle: String,
    givens: String,
}

/// Writes up to `count` cells of a run of `recognize --save-crops` into `review.png` and
/// `review.csv` of a folder: the contradicted ones first, then the least certain. Within a kind
/// those come first to whose expected content the classifier gives the least probability.
///
/// # Errors
/// [`ReviewError`].
pub fn write_review(
    run: &Path,
    classifier: &dyn DigitClassifier,
    count: usize,
    out: &Path,
) -> Result<ReviewSummary, ReviewError> {
    let crops = run_crops(run)?;
    let boards = boards(run)?;
    let of_run = boards.len() * Cell::COUNT == crops.len()
        && boards
            .iter()
            .zip(crops.chunks(Cell::COUNT))
            .all(|((row, _), crops)| row.photo.ends_with(&crops[0].photo));
    if !of_run {
        return Err(ReviewError::Mixed(run.to_owned()));
    }
    let posteriors = classify(&crops, classifier)?;
    let mut candidates: Vec<Candidate> = crops
        .iter()
        .zip(&posteriors)
        .enumerate()
        .map(|(index, (crop, posterior))| {
            let cell = Cell::all().nth(index % Cell::COUNT);
            let reading = cell.and_then(|cell| boards[index / Cell::COUNT].1.given(cell));
            Candidate {
                index,
                reading,
                certainty: posterior.of(crop.label),
                reason: match reading == crop.label {
                    true => Reason::Uncertain,
                    false => Reason::Contradicted,
                },
            }
        })
        .collect();
    candidates.sort_by(|a, b| {
        let key = |candidate: &Candidate| candidate.reason == Reason::Uncertain;
        (key(a).cmp(&key(b)))
            .then(a.certainty.total_cmp(&b.certainty))
            .then(a.index.cmp(&b.index))
    });
    candidates.truncate(count);
    let rows: Vec<Row<'_>> = candidates
        .iter()
        .enumerate()
        .map(|(at, candidate)| {
            let crop = &crops[candidate.index];
            let (board, cell) = (candidate.index / Cell::COUNT, candidate.index % Cell::COUNT);
            Row {
                number: at + 1,
                photo: &boards[board].0.photo,
                puzzle: &boards[board].0.puzzle,
                row: cell / 9 + 1,
                column: cell % 9 + 1,
                reason: candidate.reason,
                reading: candidate.reading.map_or(0, Digit::value),
                expected: crop.label.map_or(0, Digit::value),
                certainty: format!("{:.4}", candidate.certainty),
                crop: crop_id(crop),
                label: "",
            }
        })
        .collect();
    write_picture(&out.join("review.png"), &rows, &crops, &candidates)?;
    let path = out.join("review.csv");
    write_bytes(&path, &to_csv(&rows)).map_err(OutputError::of(&path))?;
    let contradicted = |row: &&Row<'_>| row.reason == Reason::Contradicted;
    let contradicted = rows.iter().filter(contradicted).count();
    Ok(ReviewSummary {
        cells: crops.len(),
        contradicted,
        uncertain: rows.len() - contradicted,
    })
}

/// Above each crop its number in the table, and in red what the reader saw where it is contradicted.
fn write_picture(
    path: &Path,
    rows: &[Row<'_>],
    crops: &[LabeledCrop],
    candidates: &[Candidate],
) -> Result<(), OutputError> {
    let tiles = rows.iter().zip(candidates).map(|(row, candidate)| {
        let mut numbers = vec![(row.number.to_string(), PLAIN)];
        if row.reason == Reason::Contradicted {
            numbers.push((row.reading.to_string(), ALERT));
        }
        Tile {
            crop: &crops[candidate.index].crop,
            numbers,
        }
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

/// The crops of a run, board by board, 81 each.
fn run_crops(run: &Path) -> Result<Vec<LabeledCrop>, ReviewError> {
    let folder = run.join("crops");
    if !folder.join("manifest.csv").is_file() {
        return Err(ReviewError::NoCrops(run.to_owned()));
    }
    Ok(CropFolder::read(&folder)?.crops)
}

/// The boards of `results.csv` that were read, in order.
fn boards(run: &Path) -> Result<Vec<(BoardRow, Puzzle)>, ReviewError> {
    let path = run.join("results.csv");
    let unreadable = |reason: &dyn fmt::Display| ReviewError::Unreadable {
        path: path.clone(),
        reason: reason.to_string(),
    };
    let mut reader = csv::Reader::from_path(&path).map_err(|error| unreadable(&error))?;
    let mut boards = Vec::new();
    for row in reader.deserialize() {
        let row: BoardRow = row.map_err(|error| unreadable(&error))?;
        if !row.givens.is_empty() {
            let puzzle = row.givens.parse().map_err(|error| unreadable(&error))?;
            boards.push((row, puzzle));
        }
    }
    Ok(boards)
}

fn classify(
    crops: &[LabeledCrop],
    classifier: &dyn DigitClassifier,
) -> Result<Vec<Posterior>, InferenceError> {
    let mut posteriors = Vec::with_capacity(crops.len());
    for chunk in crops.chunks(BOARDS_A_CALL * Cell::COUNT) {
        let chunk: Vec<_> = chunk.iter().map(|crop| crop.crop.clone()).collect();
        posteriors.extend(classifier.classify(&chunk)?);
    }
    Ok(posteriors)
}

/// A name for the pixels of a crop, which no spreadsheet takes for a number.
fn crop_id(crop: &LabeledCrop) -> String {
    format!("c{}", &blake3::hash(&crop.crop.pixels[..]).to_hex()[..15])
}

/// What became of a filled review.
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
/// `reviewed`. Of the table only the columns `crop` and `label` count. Wrong rows are returned and
/// the others taken. If no row is labeled, nothing is written.
///
/// # Errors
/// [`ReviewError`].
pub fn apply_review(run: &Path, review: &Path, out: &Path) -> Result<AppliedReview, ReviewError> {
    let by_id: HashMap<String, LabeledCrop> = run_crops(run)?
        .into_iter()
        .map(|crop| (crop_id(&crop), crop))
        .collect();
    let mut applied = AppliedReview::default();
    let mut crops = Vec::new();
    for (line, row) in filled::rows(review, ["crop", "label"])? {
        let labeled = match row {
            Ok([_, label]) if label.trim().is_empty() => {
                applied.unlabeled += 1;
                continue;
            }
            Ok([id, label]) => labeled(&by_id, id.trim(), label.trim()),
            Err(why) => Err(why.to_owned()),
        };
        match labeled {
            Ok(crop) => crops.push(crop),
            Err(why) => applied.wrong.push((line, why)),
        }
    }
    if !crops.is_empty() {
        let mut sheets = CropSheets::new(out);
        sheets.extend(crops)?;
        applied.crops = sheets.finish()?;
    }
    Ok(applied)
}

fn labeled(
    by_id: &HashMap<String, LabeledCrop>,
    id: &str,
    label: &str,
) -> Result<LabeledCrop, String> {
    let label = match label.parse::<u8>() {
        Ok(0) => None,
        Ok(value @ 1..=9) => Digit::new(value),
        _ => return Err(format!("label `{label}` is neither 0 (blank) nor 1 to 9")),
    };
    let crop = by_id.get(id).cloned();
    let crop = crop.ok_or_else(|| format!("the run has no crop `{id}`: was it run again?"))?;
    Ok(LabeledCrop {
        label,
        source: "reviewed".to_owned(),
        ..crop
    })
}
