//! Corrections of boards made by a person in the report of a `recognize` run, converted to ground
//! truth and labeled crops.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use super::filled;
use super::harvest::label;
use super::recut::{self, board, named_photos, photo_name};
use super::review_error::ReviewError;
use super::sheets::CropSheets;
use crate::digits::LabeledCrop;
use crate::files::{WriteError, write_bytes};
use crate::grid::{Cell, CellMap, Digit, Puzzle};
use crate::parallel::map_in_order;
use crate::recognize::PhotoResult;
use crate::vision::{CellCrop, Point, Quad};

/// Largest number of digits of a corrected board that may be repeated in a house.
const MOST_CLASHING: usize = 27;

/// Marks a photo without a board in the column `givens`, as in tables of ground truth.
const NONE: &str = "none";

/// Result of applying corrections.
#[derive(Debug, Default)]
pub struct AppliedCorrections {
    /// Number of photos with a correction.
    pub photos: usize,
    /// Number of corrected boards.
    pub boards: usize,
    /// Number of photos marked as showing no board.
    pub without_board: usize,
    /// Number of labeled crops written.
    pub crops: usize,
    /// Rows that are wrong, or whose board could not be cut: line in the file, and the reason.
    pub wrong: Vec<(u64, String)>,
}

/// A corrected board.
#[derive(Debug, PartialEq)]
struct Corrected {
    /// Its line in the table.
    line: u64,
    givens: Puzzle,
    /// Its corners, if the run has not found it: in pixels of the upright photo.
    corners: Option<Quad>,
}

/// The corrections of a photo.
#[derive(Debug, Default)]
struct Corrections {
    /// Corrected boards by number.
    boards: BTreeMap<usize, Corrected>,
    /// The line that marks the photo as showing no board.
    none: Option<u64>,
}

/// Applies the `corrections.csv` (columns `photo,puzzle,givens,corners`, the last one optional) of
/// a run.
///
/// Writes into a folder `truth.csv` (`photo,givens`, as `recognize --truth` takes it: all boards of
/// every photo with a correction, uncorrected ones as they were decoded), and the cells of the
/// corrected boards as labeled crops with `manifest.csv`, ready for `train`, with the `source`
/// `corrected`. A board is cut at its corners, if given, or else where the run has found it; the
/// givens `none` mark a photo without a board. Rows that are wrong are returned and the others
/// applied; if no row is valid, nothing is written. Runs on all threads of the current rayon pool.
///
/// # Errors
///
/// [`ReviewError`].
pub fn apply_corrections(
    run: &Path,
    corrections: &Path,
    out: &Path,
) -> Result<AppliedCorrections, ReviewError> {
    let rows = filled::rows(corrections, ["photo", "puzzle", "givens", "corners"], 3)?;
    let names = rows
        .iter()
        .filter_map(|(_, row)| Some(photo_name(&row.as_ref().ok()?[0])));
    let photos = named_photos(run, &names.collect::<HashSet<_>>())?;
    let mut applied = AppliedCorrections::default();
    let mut corrected: BTreeMap<&str, Corrections> = BTreeMap::new();
    for (line, row) in &rows {
        let entered = row.as_ref().map_err(|why| (*why).to_owned());
        let entered = entered.and_then(|row| enter(row, *line, &photos, &mut corrected));
        applied.wrong.extend(entered.err().map(|why| (*line, why)));
    }
    if corrected.is_empty() {
        return Ok(applied);
    }
    let corrected = corrected.iter().map(|(name, it)| (&photos[*name], it));
    let corrected: Vec<(&PhotoResult, &Corrections)> = corrected.collect();
    applied.photos = corrected.len();
    applied.without_board = corrected.iter().filter(|(_, it)| it.none.is_some()).count();
    write_truth(&corrected, &out.join("truth.csv"))?;
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
    let cut = |(photo, corrections): &(&PhotoResult, &Corrections)| cut(photo, corrections);
    map_in_order(corrected.iter(), cut, sink)?;
    applied.crops = sheets.finish()?;
    applied.wrong.sort();
    Ok(applied)
}

/// Adds a row to the corrections, or returns what is wrong with it.
fn enter<'a>(
    [name, puzzle, givens, corners]: &[String; 4],
    line: u64,
    photos: &'a HashMap<String, PhotoResult>,
    corrected: &mut BTreeMap<&'a str, Corrections>,
) -> Result<(), String> {
    let (name, puzzle, givens) = (photo_name(name), puzzle.trim(), givens.trim());
    let known = photos.get(name);
    let any = || known.ok_or_else(|| format!("the run has no photo {name:?}"));
    if givens == NONE {
        let photo = any()?;
        let entry = corrected.entry(&photo.photo).or_default();
        if let Some(board) = entry.boards.values().next() {
            return Err(format!("line {} has a board of this photo", board.line));
        }
        entry.none.get_or_insert(line);
        return Ok(());
    }
    let corners = parse_corners(corners)?;
    let (photo, number) = match corners {
        Some(_) => {
            let number = puzzle.parse().ok().filter(|number| *number > 0);
            let number = number.ok_or_else(|| format!("{puzzle:?} is no number of a puzzle"))?;
            (any()?, number)
        }
        None => {
            let (photo, record) = board(known, name, puzzle)?;
            (photo, record.puzzle)
        }
    };
    let givens = givens.parse();
    let givens = givens.map_err(|error| format!("the givens are no board: {error}"))?;
    let clashing = clashing(&givens);
    if clashing > MOST_CLASHING {
        return Err(format!(
            "the givens are no board: {clashing} digits stand twice in a row, column or box"
        ));
    }
    let correction = Corrected {
        line,
        givens,
        corners,
    };
    let entry = corrected.entry(&photo.photo).or_default();
    if let Some(line) = entry.none {
        return Err(format!("line {line} says that this photo has no board"));
    }
    match entry.boards.get(&number) {
        Some(first) if (first.givens, first.corners) != (correction.givens, corners) => {
            let line = first.line;
            Err(format!("line {line} says something else of this board"))
        }
        _ => {
            entry.boards.insert(number, correction);
            Ok(())
        }
    }
}

/// Returns the number of digits repeated in a house. A misprint or a mistake of whoever filled the
/// board in makes a few.
fn clashing(board: &Puzzle) -> usize {
    let clashes = |(cell, digit): &(Cell, Digit)| {
        let mut peers = cell.peers().into_iter();
        peers.any(|peer| board.given(peer) == Some(*digit))
    };
    board.givens().filter(clashes).count()
}

/// Parses four corners as eight numbers, `x` and `y` of each, as in `results.csv`; `None` where
/// there are none.
fn parse_corners(text: &str) -> Result<Option<Quad>, String> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let numbers = text.split_whitespace().map(str::parse);
    let numbers: Vec<f32> = numbers.collect::<Result<_, _>>().unwrap_or_default();
    let numbers: Result<[f32; 8], _> = numbers.try_into();
    let finite = numbers.ok().filter(|it| it.iter().all(|it| it.is_finite()));
    let numbers = finite.ok_or_else(|| {
        format!("the corners {text:?} are not eight numbers, x and y of each corner")
    })?;
    let corners = [0, 1, 2, 3].map(|corner| Point {
        x: numbers[2 * corner],
        y: numbers[2 * corner + 1],
    });
    let quad = Quad::new(corners);
    let quad =
        quad.ok_or_else(|| format!("the corners {text:?} are not those of a convex board"))?;
    Ok(Some(quad))
}

fn write_truth(photos: &[(&PhotoResult, &Corrections)], path: &Path) -> Result<(), WriteError> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let mut write = |row: [&str; 2]| table.write_record(row).expect("a row fits into memory");
    write(["photo", "givens"]);
    for (photo, corrections) in photos {
        if corrections.none.is_some() {
            write([&photo.photo, NONE]);
            continue;
        }
        let records = photo.records.iter();
        let read = records.filter_map(|it| Some((it.puzzle, it.reading.as_ref()?.decoded)));
        let mut boards: BTreeMap<usize, Puzzle> = read.collect();
        let corrected = corrections.boards.iter();
        boards.extend(corrected.map(|(number, board)| (*number, board.givens)));
        for givens in boards.values() {
            write([&photo.photo, &givens.to_line()]);
        }
    }
    let bytes = table.into_inner().expect("rows fit into memory");
    write_bytes(path, &bytes).map_err(WriteError::of(path))
}

/// Returns the cells of each corrected board, or why it could not be cut, with its line in the
/// table.
fn cut(
    photo: &PhotoResult,
    corrections: &Corrections,
) -> Vec<(u64, Result<Vec<LabeledCrop>, String>)> {
    let boards = &corrections.boards;
    let found = boards.iter().filter(|(_, board)| board.corners.is_none());
    let found: BTreeSet<usize> = found.map(|(number, _)| *number).collect();
    let outlined = (found.len() < boards.len()).then(|| recut::open(photo));
    let found = (!found.is_empty()).then(|| recut::cut(photo, &found));
    let cells = |number: usize, board: &Corrected| match (&board.corners, &outlined, &found) {
        (Some(corners), Some(opened), _) => {
            recut::cut_at(opened.as_ref().map_err(Clone::clone)?, corners)
        }
        (None, _, Some(found)) => {
            let cells = found.as_ref().map_err(Clone::clone)?.get(&number);
            Ok(cells
                .ok_or_else(|| format!("{} has no such board", photo.photo))?
                .clone())
        }
        _ => Err(format!("{} has no such board", photo.photo)),
    };
    boards
        .iter()
        .map(|(number, board)| {
            let crops = cells(*number, board).map(|cells| corrected(photo, *number, board, &cells));
            (board.line, crops)
        })
        .collect()
}

/// Returns the cells of a board with their corrected labels. A cell that was taken for a mistake of
/// whoever filled the board in is left out unless it was corrected: the board has the correct digit
/// there, not what stands on the paper.
fn corrected(
    photo: &PhotoResult,
    number: usize,
    board: &Corrected,
    cells: &CellMap<CellCrop>,
) -> Vec<LabeledCrop> {
    let mut records = photo.records.iter();
    let reading = records
        .find(|record| record.puzzle == number && board.corners.is_none())
        .and_then(|record| record.reading.as_ref());
    let is_mistake = |cell: Cell, crop: &LabeledCrop| {
        reading.is_some_and(|reading| {
            crop.label == reading.decoded.given(cell) && reading.mistakes.contains(cell)
        })
    };
    let crops = label(Path::new(&photo.photo), &board.givens, None, cells);
    Cell::all()
        .zip(crops)
        .filter(|(cell, crop)| !is_mistake(*cell, crop))
        .map(|(_, crop)| LabeledCrop {
            source: "corrected".to_owned(),
            ..crop
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_eight_finite_numbers_around_a_convex_board() {
        let corners = |text: &str| parse_corners(text).map(|it| it.map(|it| it.corners()[2].x));
        assert_eq!(corners(" "), Ok(None));
        assert_eq!(corners("0 0 9.5 0 9.5 9 0 9"), Ok(Some(9.5)));
        // Counterclockwise: the first one stays the first.
        assert_eq!(corners("0 0 0 9 9.5 9 9.5 0"), Ok(Some(9.5)));
        for (text, why) in [
            ("0 0 9 0 9 9 0", "not eight numbers"),
            ("0 0 9 0 9 9 0 9 1", "not eight numbers"),
            ("0 0 9 0 9 9 0 x", "not eight numbers"),
            ("0 0 9 0 9 9 0 NaN", "not eight numbers"),
            ("0 0 inf 0 9 9 0 9", "not eight numbers"),
            ("0 0 9 0 0 9 9 9", "convex"),
            ("0 0 9 0 3 3 0 9", "convex"),
            ("0 0 9 0 9 0 0 0", "convex"),
        ] {
            let refused = corners(text).unwrap_err();
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }
}
