//! Boards that a person corrected in the report of a `recognize` run: back in as ground truth and as
//! labeled crops.

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

/// Most digits that may stand twice on a board that somebody corrected.
const MOST_CLASHING: usize = 27;

/// What stands for the givens of a photo without a board, as in tables of ground truth.
const NONE: &str = "none";

/// What applying corrections gave.
#[derive(Debug, Default)]
pub struct AppliedCorrections {
    /// Photos with a correction.
    pub photos: usize,
    /// Boards that were corrected.
    pub boards: usize,
    /// Photos of which a person says that they show no board.
    pub without_board: usize,
    /// Labeled crops written.
    pub crops: usize,
    /// Rows that are wrong, or whose board could not be cut: line in the file, and why.
    pub wrong: Vec<(u64, String)>,
}

/// What a person says that stands on a board.
#[derive(Debug, PartialEq)]
struct Corrected {
    /// The line that says it.
    line: u64,
    givens: Puzzle,
    /// Where the board lies, if the run has not found it there: in pixels of the upright photo.
    corners: Option<Quad>,
}

/// What a person says of a photo.
#[derive(Debug, Default)]
struct Corrections {
    /// By the numbers of the boards.
    boards: BTreeMap<usize, Corrected>,
    /// The line that says that there is no board.
    none: Option<u64>,
}

/// Takes `corrections.csv` (columns `photo,puzzle,givens,corners`, the last one optional) of a run back in.
/// Writes into a folder `truth.csv` (`photo,givens`, as `recognize --truth` takes it: of every photo with a
/// correction all boards, those without one as they were decoded), and the cells of the corrected boards as
/// labeled crops with `manifest.csv`, ready for `train`: `source` is `corrected`. A board is where its
/// corners are, or else where the run has found it; givens `none` say that a photo shows no board. Rows that
/// are wrong are returned and the others taken; if no row is right, nothing is written. Runs on all threads
/// of the current rayon pool.
///
/// # Errors
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

/// Enters a row into the corrections, or says what is wrong with it.
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

/// Digits that a house has twice. A misprint or a mistake of whoever filled the board in makes a few.
fn clashing(board: &Puzzle) -> usize {
    let clashes = |(cell, digit): &(Cell, Digit)| {
        let mut peers = cell.peers().into_iter();
        peers.any(|peer| board.given(peer) == Some(*digit))
    };
    board.givens().filter(clashes).count()
}

/// Four corners as eight numbers, `x` and `y` of each, as `results.csv` has them; `None` where there are none.
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

/// The cells of each corrected board, or why it could not be cut, with the line it is in.
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

/// The cells of a board with what a person says of them. A cell that was taken for a mistake of whoever filled the
/// board in is left out unless it was corrected: the board shows what is right there, not what stands on the paper.
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
