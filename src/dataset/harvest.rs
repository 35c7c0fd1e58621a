//! Labeled crops from real photos whose boards are known.
//!
//! The board must be found, and its quarter turn must be certain: a wrong turn would teach the
//! network wrong labels. What is not certain is left out and named.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::sheets::{CropSheets, OutputError};
use crate::digits::{DigitClassifier, LabeledCrop};
use crate::grid::{Cell, CellMap, Puzzle};
use crate::solve::puzzle_id;
use crate::truth::{TruthSource, read_sidecar};
use crate::vision::{
    Board, CellCrop, GridDetector, LocateConfig, Photo, PhotoConfig, board_from, locate, turn_board,
};

/// Photos that are read at once before their crops are written.
const CHUNK: usize = 64;

/// How certain a board must be.
#[derive(Clone, Debug, serde::Serialize)]
pub struct HarvestConfig {
    /// How photos are opened.
    pub photo: PhotoConfig,
    /// How boards are found.
    pub locate: LocateConfig,
    /// Without a network: cells of 81 whose ink must agree with the truth.
    pub inked_cells: usize,
    /// With a network: share of the digits, and of the blanks, that it must read as the truth says.
    pub read_share: f32,
    /// Cells by which the best quarter turn must beat the next one.
    pub turn_margin: usize,
}

impl Default for HarvestConfig {
    fn default() -> Self {
        HarvestConfig {
            photo: PhotoConfig::default(),
            locate: LocateConfig::default(),
            inked_cells: 71,
            read_share: 0.45,
            turn_margin: 6,
        }
    }
}

/// Why no crops were taken from a photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// It cannot be read, or its sidecar cannot.
    Unreadable(String),
    /// The finder answered with an error.
    Failed(String),
    /// No board was found, or fewer than the truth has.
    NoGrid,
    /// The best board agrees with the truth in this many cells only.
    Disagrees(usize),
    /// Two quarter turns agree with the truth about as well.
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

/// What a harvest gave.
#[derive(Clone, Debug, Default)]
pub struct HarvestSummary {
    /// Photos with truth that were looked at.
    pub photos: usize,
    /// Boards that were cut.
    pub boards: usize,
    /// Crops written.
    pub crops: usize,
    /// Photos of which a board was left out, and why.
    pub skipped: Vec<(PathBuf, Skipped)>,
    /// Whether it was stopped before the last photo.
    pub stopped: bool,
}

/// Finds and judges boards.
pub struct Harvester<'a> {
    /// Finds boards.
    pub detector: &'a dyn GridDetector,
    /// Reads cells, to tell which side is up; without it the pattern of inked cells must tell.
    pub classifier: Option<&'a dyn DigitClassifier>,
    /// How certain a board must be.
    pub config: HarvestConfig,
}

/// Photos below these paths that have a sidecar with at least one board, sorted within each path.
pub fn photos_with_truth(paths: &[PathBuf]) -> Vec<PathBuf> {
    let files = paths.iter().flat_map(|path| {
        walkdir::WalkDir::new(path)
            .follow_links(true)
            .sort_by_file_name()
    });
    files
        .filter_map(|entry| entry.ok().map(walkdir::DirEntry::into_path))
        .filter(|path| {
            let extension = path.extension().map(|e| e.to_ascii_lowercase());
            let is_text =
                extension.is_none_or(|e| ["dat", "txt", "csv", "json"].iter().any(|t| e == *t));
            !is_text && path.is_file()
        })
        .filter(|path| !matches!(read_sidecar(path), Ok(None)))
        .collect()
}

/// Cuts the boards of photos with sidecars into labeled crops, on all threads of the current rayon
/// pool. `on_photo` hears of every photo that is done; a set `stop` ends the run after the photos
/// in hand.
///
/// # Errors
/// [`OutputError`] for a file that cannot be written; photos that fail are in the summary.
pub fn harvest(
    photos: &[PathBuf],
    harvester: &Harvester<'_>,
    folder: &Path,
    stop: &AtomicBool,
    on_photo: impl Fn() + Sync,
) -> Result<HarvestSummary, OutputError> {
    let mut sheets = CropSheets::new(folder);
    let mut summary = HarvestSummary::default();
    for chunk in photos.chunks(CHUNK) {
        if stop.load(Ordering::Relaxed) {
            summary.stopped = true;
            break;
        }
        let cut: Vec<_> = chunk
            .par_iter()
            .map(|photo| {
                let cut = harvester.cut(photo);
                on_photo();
                cut
            })
            .collect();
        for (photo, (boards, skipped)) in chunk.iter().zip(cut) {
            summary.photos += 1;
            summary
                .skipped
                .extend(skipped.map(|why| (photo.clone(), why)));
            for crops in boards {
                summary.boards += 1;
                sheets.extend(crops)?;
            }
        }
    }
    summary.crops = sheets.finish()?;
    Ok(summary)
}

impl Harvester<'_> {
    /// The labeled boards of one photo, and why one is missing.
    fn cut(&self, path: &Path) -> (Vec<Vec<LabeledCrop>>, Option<Skipped>) {
        let mut cut = Vec::new();
        let skipped = self.cut_into(path, &mut cut).err();
        (cut, skipped)
    }

    fn cut_into(&self, path: &Path, cut: &mut Vec<Vec<LabeledCrop>>) -> Result<(), Skipped> {
        let unreadable = |error: &dyn fmt::Display| Skipped::Unreadable(error.to_string());
        let truth = TruthSource::Beside
            .boards(path)
            .map_err(|error| unreadable(&error))?
            .unwrap_or_default();
        let bytes = std::fs::read(path).map_err(|error| unreadable(&error))?;
        let photo =
            Photo::from_bytes(&bytes, &self.config.photo).map_err(|error| unreadable(&error))?;
        let boards = locate(&photo, self.detector, &self.config.locate)
            .map_err(|error| Skipped::Failed(error.to_string()))?;
        let mut taken = vec![false; boards.len()];
        let mut missing = Ok(());
        for truth in &truth {
            let fits = boards
                .iter()
                .enumerate()
                .filter(|(place, _)| !taken[*place]);
            let best = fits
                .filter_map(|(place, board)| Some((place, self.fit(&photo, board, truth)?)))
                .max_by_key(|(place, fit)| (fit.quality(), std::cmp::Reverse(*place)));
            let Some((place, fit)) = best else {
                missing = Err(Skipped::NoGrid);
                continue;
            };
            match fit.accepted(&self.config) {
                Ok(crops) => {
                    taken[place] = true;
                    cut.push(label(path, truth, crops));
                }
                Err(why) => missing = Err(why),
            }
        }
        missing
    }

    /// The hypothesis for this place, and its quarter turn, that agrees best with the truth.
    fn fit(&self, photo: &Photo, board: &Board, truth: &Puzzle) -> Option<Fit> {
        let others = board
            .alternatives
            .iter()
            .filter_map(|detection| board_from(photo, detection, &self.config.locate))
            .map(|board| board.crops);
        std::iter::once(board.crops.clone())
            .chain(others)
            .filter_map(|crops| self.best_turn(crops, truth))
            .reduce(|best, other| {
                if other.quality() > best.quality() {
                    other
                } else {
                    best
                }
            })
    }

    fn best_turn(&self, crops: CellMap<CellCrop>, truth: &Puzzle) -> Option<Fit> {
        let turned = [0, 1, 2, 3].map(|turns| turn_board(&crops, turns));
        let mut ranked = Vec::new();
        for (turns, crops) in turned.iter().enumerate() {
            ranked.push((self.agreement(crops, truth)?, turns));
        }
        // Of turns that agree equally well, the one nearest to upright.
        ranked.sort_by_key(|(agreement, turns)| (std::cmp::Reverse(agreement.cells), *turns));
        let (Agreement { cells, enough }, turns) = ranked[0];
        // Most boards have the same pattern upside down, and few photos lie upside down.
        let rival = match self.classifier.is_none() && turns == 0 && ranked[1].1 == 2 {
            true => &ranked[2].0,
            false => &ranked[1].0,
        };
        Some(Fit {
            crops: turned.into_iter().nth(turns)?,
            cells,
            enough,
            margin: cells - rival.cells,
        })
    }

    /// How far a turned board agrees with the truth; `None` where the network fails.
    fn agreement(&self, crops: &CellMap<CellCrop>, truth: &Puzzle) -> Option<Agreement> {
        let Some(classifier) = self.classifier else {
            let cells = inked_as(crops, truth);
            let enough = cells >= self.config.inked_cells;
            return Some(Agreement { cells, enough });
        };
        let posteriors = classifier.classify(crops.as_array()).ok()?;
        let (mut digits, mut blanks) = (0, 0);
        for (cell, posterior) in Cell::all().zip(&posteriors) {
            match (truth.given(cell), posterior.best()) {
                (None, None) => blanks += 1,
                (Some(given), Some(read)) if given == read => digits += 1,
                _ => {}
            }
        }
        let filled = truth.given_count();
        let share = |right: usize, all: usize| right as f32 >= self.config.read_share * all as f32;
        Some(Agreement {
            cells: digits + blanks,
            enough: share(digits, filled) && share(blanks, Cell::COUNT - filled),
        })
    }
}

/// Cells of 81 that agree with the truth, and whether they say that the lattice fits.
struct Agreement {
    cells: usize,
    enough: bool,
}

/// A board turned as the truth has it.
struct Fit {
    crops: CellMap<CellCrop>,
    /// Cells that agree with the truth.
    cells: usize,
    /// Whether they are enough.
    enough: bool,
    /// How many fewer they are for the next turn.
    margin: usize,
}

impl Fit {
    fn quality(&self) -> (usize, usize) {
        (self.cells, self.margin)
    }

    fn accepted(self, config: &HarvestConfig) -> Result<CellMap<CellCrop>, Skipped> {
        if !self.enough {
            Err(Skipped::Disagrees(self.cells))
        } else if self.margin < config.turn_margin {
            Err(Skipped::UncertainTurn)
        } else {
            Ok(self.crops)
        }
    }
}

/// Cells that are inked where the truth is filled and blank where it is not, if the cells with the
/// strongest ink are taken for the filled ones.
fn inked_as(crops: &CellMap<CellCrop>, truth: &Puzzle) -> usize {
    let filled = truth.given_count();
    let mut ranked: Vec<(f32, Cell)> = crops
        .iter()
        .map(|(cell, crop)| (crop.tone().contrast, cell))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let missed = ranked[..filled]
        .iter()
        .filter(|(_, cell)| truth.given(*cell).is_none())
        .count();
    // Each blank among the strongest has a filled cell among the rest.
    Cell::COUNT - 2 * missed
}

/// The cells of a board as labeled crops.
pub(super) fn label(path: &Path, truth: &Puzzle, crops: CellMap<CellCrop>) -> Vec<LabeledCrop> {
    let name = |path: Option<&std::ffi::OsStr>| {
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
            photo: photo.clone(),
            puzzle: puzzle.clone(),
            source: source.clone(),
        })
        .collect()
}
