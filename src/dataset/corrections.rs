//! Boards that a person mended in the report of a `recognize` run: back in as truth and as labeled
//! crops.
//!
//! The cells are cut from the photos again, at the corners and the way up that the run has found, so
//! that no run needs to keep its crops, and a photo that was exchanged since is noticed.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Deserialize;

use super::filled;
use super::harvest::label;
use super::review_error::ReviewError;
use super::sheets::{CropSheets, OutputError};
use crate::digits::LabeledCrop;
use crate::files::write_bytes;
use crate::grid::{CellMap, Puzzle};
use crate::vision::{
    Board, CellCrop, GridDetector, LocateConfig, Photo, PhotoConfig, board_from, locate, turn_board,
};

/// Photos that are cut before their crops are written.
const CHUNK: usize = 64;

/// Share of a photo's longer side by which corners may differ from those of the run.
const TOLERANCE: f32 = 0.01;

/// What became of corrections.
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

/// A row of `results.csv`, as far as it matters here.
#[derive(Debug, Deserialize)]
struct RunRow {
    photo: String,
    puzzle: String,
    decoded: String,
    rotation: String,
    corners: String,
}

/// Corners clockwise from the board's own top left, in pixels of the upright photo.
type Corners = [(f32, f32); 4];

/// A board of the run.
struct Found {
    puzzle: String,
    decoded: Puzzle,
    /// Quarter turns clockwise that reading has undone.
    turns: u8,
    corners: Corners,
    /// What a person says, and in which line.
    corrected: Option<(u64, Puzzle)>,
}

/// A photo of the run, with its boards.
struct Shown {
    /// As `results.csv` names it.
    name: String,
    boards: Vec<Found>,
}

/// Takes `corrections.csv` (columns `photo,puzzle,givens`) of a run back in. Writes into a folder
/// `truth.csv` (`photo,givens`, as `recognize --truth` takes it: of every photo with a correction all
/// boards, those without one as they were decoded), and the cells of the corrected boards as labeled
/// crops with `manifest.csv`, ready for `train`: `source` is `corrected`. Rows that are wrong are
/// returned and the others taken; if no row is right, nothing is written.
///
/// # Errors
/// [`ReviewError`].
pub fn apply_corrections(
    run: &Path,
    corrections: &Path,
    detector: &dyn GridDetector,
    out: &Path,
) -> Result<AppliedCorrections, ReviewError> {
    let mut photos = shown(&run.join("results.csv"))?;
    let mut applied = AppliedCorrections {
        wrong: correct(corrections, &mut photos)?,
        ..AppliedCorrections::default()
    };
    photos.retain(|photo| photo.boards.iter().any(|board| board.corrected.is_some()));
    if photos.is_empty() {
        return Ok(applied);
    }
    applied.photos = photos.len();
    write_truth(&photos, &out.join("truth.csv"))?;
    let mut sheets = CropSheets::new(out);
    for chunk in photos.chunks(CHUNK) {
        let cut: Vec<_> = chunk.par_iter().map(|photo| photo.cut(detector)).collect();
        for (line, crops) in cut.into_iter().flatten() {
            applied.boards += 1;
            match crops {
                Ok(crops) => sheets.extend(crops)?,
                Err(why) => applied.wrong.push((line, why)),
            }
        }
    }
    applied.crops = sheets.finish()?;
    applied.wrong.sort();
    Ok(applied)
}

fn unreadable(path: &Path) -> impl Fn(&dyn fmt::Display) -> ReviewError {
    move |reason| ReviewError::Unreadable {
        path: path.to_owned(),
        reason: reason.to_string(),
    }
}

/// The photos of a run in which boards were read.
fn shown(results: &Path) -> Result<Vec<Shown>, ReviewError> {
    let unreadable = unreadable(results);
    let mut reader = csv::Reader::from_path(results).map_err(|error| unreadable(&error))?;
    let mut photos: Vec<Shown> = Vec::new();
    for row in reader.deserialize() {
        let row: RunRow = row.map_err(|error| unreadable(&error))?;
        if row.decoded.is_empty() {
            continue;
        }
        let damaged = || unreadable(&format_args!("the row of {} is damaged", row.photo));
        let found = Found {
            decoded: row.decoded.parse().map_err(|_| damaged())?,
            turns: turns(&row.rotation).ok_or_else(damaged)?,
            corners: corners(&row.corners).ok_or_else(damaged)?,
            puzzle: row.puzzle,
            corrected: None,
        };
        match photos.last_mut() {
            Some(photo) if photo.name == row.photo => photo.boards.push(found),
            _ => photos.push(Shown {
                name: row.photo,
                boards: vec![found],
            }),
        }
    }
    Ok(photos)
}

fn turns(degrees: &str) -> Option<u8> {
    let turns = ["0", "90", "180", "270"].iter();
    let turns = turns.zip(0..).find(|(known, _)| **known == degrees);
    turns.map(|(_, turns)| turns)
}

fn corners(text: &str) -> Option<Corners> {
    let numbers = text.split(' ').map(|number| number.parse().ok());
    let numbers: Vec<f32> = numbers.collect::<Option<_>>()?;
    let corners: [f32; 8] = numbers.try_into().ok()?;
    Some([0, 2, 4, 6].map(|at| (corners[at], corners[at + 1])))
}

/// Enters the corrections into the boards; returns the rows that are wrong.
fn correct(corrections: &Path, photos: &mut [Shown]) -> Result<Vec<(u64, String)>, ReviewError> {
    let by_name: HashMap<String, usize> = photos
        .iter()
        .enumerate()
        .map(|(index, photo)| (photo.name.clone(), index))
        .collect();
    let mut wrong = Vec::new();
    for (line, row) in filled::rows(corrections, ["photo", "puzzle", "givens"])? {
        let entered = row.map_err(str::to_owned).and_then(|row| {
            let [photo, puzzle, givens] = &row;
            let shown = by_name.get(photo).map(|index| &mut photos[*index]);
            enter(shown, photo, puzzle.trim(), givens.trim(), line)
        });
        wrong.extend(entered.err().map(|why| (line, why)));
    }
    Ok(wrong)
}

fn enter(
    shown: Option<&mut Shown>,
    photo: &str,
    puzzle: &str,
    givens: &str,
    line: u64,
) -> Result<(), String> {
    let shown = shown.ok_or_else(|| format!("the run has read no board in the photo {photo:?}"))?;
    let mut boards = shown.boards.iter_mut();
    let board = boards
        .find(|board| board.puzzle == puzzle)
        .ok_or_else(|| format!("the run has read no puzzle {puzzle:?} in {photo:?}"))?;
    let givens = givens
        .parse()
        .map_err(|error| format!("the givens are no board: {error}"))?;
    match board.corrected {
        Some((first, other)) if other != givens => {
            Err(format!("line {first} says something else of this board"))
        }
        _ => {
            board.corrected = Some((line, givens));
            Ok(())
        }
    }
}

fn write_truth(photos: &[Shown], path: &Path) -> Result<(), OutputError> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let mut write = |row: [&str; 2]| table.write_record(row).expect("a row fits into memory");
    write(["photo", "givens"]);
    for photo in photos {
        for board in &photo.boards {
            let givens = board.corrected.map_or(board.decoded, |(_, givens)| givens);
            write([photo.path_text(), &givens.to_line()]);
        }
    }
    let bytes = table.into_inner().expect("rows fit into memory");
    write_bytes(path, &bytes).map_err(OutputError::of(path))
}

impl Shown {
    /// The path as it was given: `results.csv` has an apostrophe before what looks like a formula.
    fn path_text(&self) -> &str {
        let formula = |rest: &&str| rest.starts_with(['=', '+', '-', '@']);
        let text = self.name.strip_prefix('\'').filter(formula);
        text.unwrap_or(&self.name)
    }

    /// The cells of each corrected board, or why it could not be cut, with the line it is in.
    fn cut(&self, detector: &dyn GridDetector) -> Vec<(u64, Result<Vec<LabeledCrop>, String>)> {
        let path = PathBuf::from(self.path_text());
        let located = located(&path, detector);
        let corrected = self
            .boards
            .iter()
            .filter_map(|board| Some((board, board.corrected?)));
        let cut = corrected.map(|(found, (line, givens))| {
            let crops = match &located {
                Ok((photo, boards)) => found.crops(photo, boards).ok_or_else(|| {
                    format!(
                        "{} shows no board where the run has found one: was it exchanged?",
                        path.display()
                    )
                }),
                Err(why) => Err(why.clone()),
            };
            let crops = crops.map(|crops| label(&path, &givens, crops));
            (line, crops)
        });
        let mut cut: Vec<_> = cut.collect();
        for crop in cut.iter_mut().flat_map(|(_, crops)| crops).flatten() {
            crop.source = "corrected".to_owned();
        }
        cut
    }
}

fn located(path: &Path, detector: &dyn GridDetector) -> Result<(Photo, Vec<Board>), String> {
    let explain = |error: &dyn fmt::Display| format!("cannot read {}: {error}", path.display());
    let bytes = std::fs::read(path).map_err(|error| explain(&error))?;
    let photo =
        Photo::from_bytes(&bytes, &PhotoConfig::default()).map_err(|error| explain(&error))?;
    let boards = locate(&photo, detector, &LocateConfig::default())
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((photo, boards))
}

impl Found {
    /// The cells of this board the right way up, if one of those located lies where it does.
    fn crops(&self, photo: &Photo, boards: &[Board]) -> Option<CellMap<CellCrop>> {
        let others = boards.iter().flat_map(|board| &board.alternatives);
        let others =
            others.filter_map(|detection| board_from(photo, detection, &LocateConfig::default()));
        let all = boards.iter().cloned().chain(others);
        let (distance, nearest) = all
            .map(|board| (self.distance(photo, &board), board))
            .min_by(|a, b| a.0.total_cmp(&b.0))?;
        let longer = photo.width().max(photo.height()) as f32;
        let upright = (4 - self.turns) % 4;
        (distance <= TOLERANCE * longer).then(|| turn_board(&nearest.crops, upright))
    }

    /// How far the farthest corner of a board is from this one's, in pixels of the photo.
    fn distance(&self, photo: &Photo, board: &Board) -> f32 {
        let mut corners = board.lattice.corners().corners();
        corners.rotate_left(usize::from(self.turns));
        let inside = |value: f32, side: u32| (value / photo.scale()).clamp(0.0, side as f32);
        let pairs = corners.iter().zip(self.corners);
        pairs.fold(0.0, |farthest: f32, (point, (x, y))| {
            let dx = inside(point.x, photo.width()) - x;
            let dy = inside(point.y, photo.height()) - y;
            farthest.max(dx.hypot(dy))
        })
    }
}
