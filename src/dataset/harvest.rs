//! Labeled crops from real photos with ground truth.
//!
//! The board must be found, and its orientation must be certain: a wrong one would give wrong
//! labels. Uncertain boards are left out and reported.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::inputs::{Input, inputs};
use super::sheets::CropSheets;
use crate::digits::{CellKind, LabeledCrop};
use crate::files::WriteError;
use crate::grid::{Cell, CellMap, Puzzle};
use crate::parallel::map_in_order;
use crate::reader::{KnownBoard, Reader};
use crate::solve::puzzle_id;
use crate::truth::{TruthSource, read_sidecar};
use crate::vision::{CellCrop, Photo, PhotoConfig};

/// Settings of a harvest.
#[derive(Clone, Debug, serde::Serialize)]
pub struct HarvestConfig {
    /// Settings of opening photos.
    pub photo: PhotoConfig,
    /// Share of the digits, and of the blanks, that must be read as in the ground truth.
    pub read_share: f32,
    /// Lead in cells of the best orientation over the next one.
    pub turn_margin: usize,
    /// Folder with the ground truth of the same photos (`same-stem.dat` or `same-stem.txt`) before
    /// anybody wrote in them: its digits are printed, all others written.
    pub printed: Option<PathBuf>,
}

impl Default for HarvestConfig {
    fn default() -> Self {
        HarvestConfig {
            photo: PhotoConfig::default(),
            read_share: 0.45,
            turn_margin: 6,
            printed: None,
        }
    }
}

/// Why no crops were taken from a photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// The photo or its sidecar cannot be read.
    Unreadable(String),
    /// The detector or the network failed.
    Failed(String),
    /// No board was found, or fewer than in the ground truth.
    NoGrid,
    /// The best board agrees with the ground truth only in this many cells.
    Disagrees(usize),
    /// Two orientations agree with the ground truth about equally well.
    UncertainTurn,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Skipped::Unreadable(why) | Skipped::Failed(why) => f.write_str(why),
            Skipped::NoGrid => f.write_str("no board found"),
            Skipped::Disagrees(cells) => write!(f, "{cells} of 81 cells agree with the truth"),
            Skipped::UncertainTurn => f.write_str("which side is up is uncertain"),
        }
    }
}

/// Result of a harvest.
#[derive(Clone, Debug, Default)]
pub struct HarvestSummary {
    /// Number of photos with ground truth.
    pub photos: usize,
    /// Number of boards cut.
    pub boards: usize,
    /// Number of crops written.
    pub crops: usize,
    /// Photos with a board that was left out, and the reason.
    pub skipped: Vec<(PathBuf, Skipped)>,
    /// Whether it was stopped before the last photo.
    pub stopped: bool,
}

/// Cuts the boards of photos with sidecars, as [`photos_with_truth`](super::photos_with_truth)
/// lists them, into labeled crops, on all threads of the current rayon pool. `on_photo` is called
/// for every photo that is done; setting `stop` ends the run after the current photos.
///
/// # Errors
///
/// [`WriteError`] for a file that cannot be written; photos that fail are in the summary.
pub fn harvest(
    photos: &[PathBuf],
    reader: &Reader,
    config: &HarvestConfig,
    folder: &Path,
    stop: &AtomicBool,
    mut on_photo: impl FnMut() + Send,
) -> Result<HarvestSummary, WriteError> {
    let mut sheets = CropSheets::new(folder);
    let mut summary = HarvestSummary::default();
    let inputs = inputs(photos).take_while(|_| !stop.load(Ordering::Relaxed));
    let sink = |CutPhoto {
                    photo,
                    boards,
                    skipped,
                }: CutPhoto<'_>| {
        on_photo();
        summary.photos += 1;
        let skipped = skipped.map(|why| (photo.to_owned(), why));
        summary.skipped.extend(skipped);
        boards.into_iter().try_for_each(|crops| {
            summary.boards += 1;
            sheets.extend(crops)
        })
    };
    map_in_order(inputs, |photo| cut(photo, reader, config), sink)?;
    summary.stopped = summary.photos < photos.len();
    summary.crops = sheets.finish()?;
    Ok(summary)
}

/// The labeled boards of one photo, and why one is missing.
struct CutPhoto<'a> {
    photo: &'a Path,
    boards: Vec<Vec<LabeledCrop>>,
    skipped: Option<Skipped>,
}

fn cut<'a>(photo: Input<'a>, reader: &Reader, config: &HarvestConfig) -> CutPhoto<'a> {
    let path = photo.path;
    let mut cut = CutPhoto {
        photo: path,
        boards: Vec::new(),
        skipped: None,
    };
    let (truth, found) = match find(&photo, reader, config) {
        Ok(found) => found,
        Err(why) => {
            cut.skipped = Some(why);
            return cut;
        }
    };
    for (truth, found) in truth.iter().zip(found) {
        match accepted(found, truth, config) {
            Ok(crops) => {
                let printed = printed_in(path, truth, config);
                let crops = label(path, truth, printed.as_ref(), &crops);
                cut.boards.push(crops);
            }
            Err(why) => cut.skipped = Some(why),
        }
    }
    cut
}

/// Returns the printed digits of a board, where [`HarvestConfig::printed`] is set: all of them are
/// in its ground truth.
fn printed_in(path: &Path, truth: &Puzzle, config: &HarvestConfig) -> Option<Puzzle> {
    let beside = config.printed.as_ref()?.join(path.file_name()?);
    let boards = read_sidecar(&beside).ok()??.boards;
    let stands_there = |printed: &&Puzzle| {
        let mut digits = printed.givens();
        printed.given_count() > 0 && digits.all(|(cell, digit)| truth.given(cell) == Some(digit))
    };
    boards.iter().find(stands_there).copied()
}

type FoundBoards = (Vec<Puzzle>, Vec<Option<KnownBoard>>);

fn find(
    photo: &Input<'_>,
    reader: &Reader,
    config: &HarvestConfig,
) -> Result<FoundBoards, Skipped> {
    let unreadable = |error: &dyn fmt::Display| Skipped::Unreadable(error.to_string());
    let truth = TruthSource::Beside.boards(photo.path);
    let truth = truth.map_err(|error| unreadable(&error))?;
    let truth = truth.unwrap_or_default().boards;
    let bytes = photo.bytes(config.photo.max_color_pixels);
    let bytes = bytes.map_err(Skipped::Unreadable)?;
    let photo = Photo::from_bytes(&bytes, &config.photo).map_err(|error| unreadable(&error))?;
    let found = reader.find(&photo, &truth);
    let found = found.map_err(|refusal| Skipped::Failed(refusal.to_string()))?;
    Ok((truth, found))
}

/// Returns the cells of a board, upright, if it is certainly that of the ground truth.
fn accepted(
    found: Option<KnownBoard>,
    truth: &Puzzle,
    config: &HarvestConfig,
) -> Result<CellMap<CellCrop>, Skipped> {
    let board = found.ok_or(Skipped::NoGrid)?;
    let filled = truth.given_count();
    let enough = |right: usize, all: usize| right as f32 >= config.read_share * all as f32;
    if !(enough(board.digits, filled) && enough(board.blanks, Cell::COUNT - filled)) {
        Err(Skipped::Disagrees(board.digits + board.blanks))
    } else if board.lead < config.turn_margin {
        Err(Skipped::UncertainTurn)
    } else {
        Ok(board.crops)
    }
}

/// Returns the cells of a board as labeled crops. Where the `printed` digits are known, the others
/// are handwritten.
pub(super) fn label(
    path: &Path,
    truth: &Puzzle,
    printed: Option<&Puzzle>,
    crops: &CellMap<CellCrop>,
) -> Vec<LabeledCrop> {
    let name = |path: Option<&OsStr>| {
        path.map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default()
    };
    let source = name(path.parent().and_then(Path::file_name));
    let photo = format!("{source}/{}", name(path.file_stem()));
    let puzzle = puzzle_id(truth);
    crops
        .iter()
        .map(|(cell, crop)| LabeledCrop {
            crop: crop.clone(),
            label: truth.given(cell),
            kind: truth.given(cell).and_then(|_| {
                let printed = printed?;
                Some(match printed.given(cell) {
                    Some(_) => CellKind::Printed,
                    None => CellKind::Written,
                })
            }),
            marks: None,
            photo: photo.clone(),
            puzzle: puzzle.clone(),
            source: source.clone(),
        })
        .collect()
}
