//! Boards that a person corrected in the report of a `recognize` run: back in as ground truth and as
//! labeled crops.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use super::filled;
use super::harvest::label;
use super::recut::{self, board, named_photos, photo_name};
use super::review_error::ReviewError;
use super::sheets::CropSheets;
use crate::digits::LabeledCrop;
use crate::files::{WriteError, write_bytes};
use crate::grid::{Cell, Puzzle};
use crate::parallel::map_in_order;
use crate::recognize::PhotoResult;

/// What applying corrections gave.
#[derive(Debug, Default)]
pub struct AppliedCorrections {
    /// Photos with a correction.
    pub photos: usize,
    /// Boards that were corrected.
    pub boards: usize,
    /// Labeled crops written.
    pub crops: usize,
    /// Rows that are wrong, or whose board could not be cut: line in the file, and why.
    pub wrong: Vec<(u64, String)>,
}

/// What a person says that stands on a board, and in which line.
type Corrected = (u64, Puzzle);

/// A photo, and its boards with a correction by their numbers.
type CorrectedPhoto<'a> = (&'a PhotoResult, &'a BTreeMap<usize, Corrected>);

/// Takes `corrections.csv` (columns `photo,puzzle,givens`) of a run back in. Writes into a folder
/// `truth.csv` (`photo,givens`, as `recognize --truth` takes it: of every photo with a correction all
/// boards, those without one as they were decoded), and the cells of the corrected boards as labeled
/// crops with `manifest.csv`, ready for `train`: `source` is `corrected`. Rows that are wrong are
/// returned and the others taken; if no row is right, nothing is written. Runs on all threads of the
/// current rayon pool.
///
/// # Errors
/// [`ReviewError`].
pub fn apply_corrections(
    run: &Path,
    corrections: &Path,
    out: &Path,
) -> Result<AppliedCorrections, ReviewError> {
    let rows = filled::rows(corrections, ["photo", "puzzle", "givens"])?;
    let names = rows
        .iter()
        .filter_map(|(_, row)| Some(photo_name(&row.as_ref().ok()?[0])));
    let photos = named_photos(run, &names.collect::<HashSet<_>>())?;
    let mut applied = AppliedCorrections::default();
    let mut corrected: BTreeMap<&str, BTreeMap<usize, Corrected>> = BTreeMap::new();
    for (line, row) in &rows {
        let entered = row.as_ref().map_err(|why| (*why).to_owned());
        let entered = entered.and_then(|row| enter(row, *line, &photos, &mut corrected));
        applied.wrong.extend(entered.err().map(|why| (*line, why)));
    }
    if corrected.is_empty() {
        return Ok(applied);
    }
    let boards = corrected
        .iter()
        .map(|(name, boards)| (&photos[*name], boards));
    let boards: Vec<CorrectedPhoto<'_>> = boards.collect();
    applied.photos = boards.len();
    write_truth(&boards, &out.join("truth.csv"))?;
    let mut sheets = CropSheets::new(out);
    let sink = |cut: Vec<(u64, Result<Vec<LabeledCrop>, String>)>| {
        cut.into_iter().try_for_each(|(line, crops)| {
            applied.boards += 1;
            match crops {
                Ok(crops) => sheets.extend(crops)?,
                Err(why) => applied.wrong.push((line, why)),
            }
            Ok::<_, WriteError>(())
        })
    };
    map_in_order(boards.iter(), cut, sink)?;
    applied.crops = sheets.finish()?;
    applied.wrong.sort();
    Ok(applied)
}

/// Enters a row into the corrections, or says what is wrong with it.
fn enter<'a>(
    [name, puzzle, givens]: &[String; 3],
    line: u64,
    photos: &'a HashMap<String, PhotoResult>,
    corrected: &mut BTreeMap<&'a str, BTreeMap<usize, Corrected>>,
) -> Result<(), String> {
    let name = photo_name(name);
    let (photo, record) = board(photos.get(name), name, puzzle.trim())?;
    let givens = givens.trim().parse();
    let givens = givens.map_err(|error| format!("the givens are no board: {error}"))?;
    let boards = corrected.entry(&photo.photo).or_default();
    match boards.get(&record.puzzle) {
        Some((first, other)) if *other != givens => {
            Err(format!("line {first} says something else of this board"))
        }
        _ => {
            boards.insert(record.puzzle, (line, givens));
            Ok(())
        }
    }
}

fn write_truth(photos: &[CorrectedPhoto<'_>], path: &Path) -> Result<(), WriteError> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let mut write = |row: [&str; 2]| table.write_record(row).expect("a row fits into memory");
    write(["photo", "givens"]);
    for (photo, corrected) in photos {
        for record in &photo.records {
            let Some(reading) = &record.reading else {
                continue;
            };
            let givens = corrected.get(&record.puzzle);
            let givens = givens.map_or(reading.decoded, |(_, givens)| *givens);
            write([&photo.photo, &givens.to_line()]);
        }
    }
    let bytes = table.into_inner().expect("rows fit into memory");
    write_bytes(path, &bytes).map_err(WriteError::of(path))
}

/// The cells of each corrected board, or why it could not be cut, with the line it is in. A cell taken
/// for a mistake of whoever filled the board in is left out unless it was corrected: the board shows what
/// is right there, not what stands on the paper.
fn cut((photo, boards): &CorrectedPhoto<'_>) -> Vec<(u64, Result<Vec<LabeledCrop>, String>)> {
    let cut = recut::cut(photo, &boards.keys().copied().collect());
    let labeled = |(number, (line, givens)): (&usize, &Corrected)| {
        let crops = cut.as_ref().map_err(Clone::clone).and_then(|cut| {
            let mut records = photo.records.iter();
            let reading = records.find(|record| record.puzzle == *number);
            let reading = reading.and_then(|record| record.reading.as_ref());
            let (reading, cells) = reading
                .zip(cut.get(number))
                .ok_or_else(|| format!("{} has no such board", photo.photo))?;
            let crops = label(Path::new(&photo.photo), givens, cells);
            let crops = Cell::all().zip(crops).filter(|(cell, crop)| {
                let is_as_decoded = crop.label == reading.decoded.given(*cell);
                !(is_as_decoded && reading.mistakes.contains(*cell))
            });
            let corrected = |(_, crop)| LabeledCrop {
                source: "corrected".to_owned(),
                ..crop
            };
            Ok(crops.map(corrected).collect())
        });
        (*line, crops)
    };
    boards.iter().map(labeled).collect()
}
