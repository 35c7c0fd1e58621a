//! Reads the boards of opened photos.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use thiserror::Error;
use web_time::Instant;

use super::attempt::Attempt;
use super::board::{Examined, ReadBoard, StageMs};
use super::cells::CellReader;
use super::config::ReaderConfig;
use super::limit::{Limit, ms_since};
use super::place::{Place, Reading};
use super::refusal::Refusal;
use crate::digits::{ArtifactError, DigitClassifier, NetClassifier};
use crate::roster::{SolverSpec, UnknownSolver, fastest_complete, find};
use crate::solve::Solver;
use crate::vision::{GridDetector, Photo, Unavailable, locate};

/// A reader of boards in opened photos: a grid detector, a digit network and a solver, loaded once.
/// Several threads may use one at the same time; its results depend on nothing but the photo and
/// the settings.
///
/// ```
/// use sudoku_batch::reader::{Reader, ReaderConfig, Status};
/// use sudoku_batch::vision::{Photo, PhotoConfig};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let reader = Reader::new(ReaderConfig::default())?;
/// let bytes = std::fs::read("datasets/photos/000-newspaper.jpg")?;
/// let boards = reader.read(&Photo::from_bytes(&bytes, &PhotoConfig::default())?);
/// assert_eq!(boards[0].status, Status::Solved);
/// # Ok(())
/// # }
/// ```
pub struct Reader {
    pub(super) config: ReaderConfig,
    pub(super) detector: Box<dyn GridDetector>,
    pub(super) cells: CellReader,
    model: String,
    solver: &'static SolverSpec,
    /// Solvers that no thread is using.
    idle: Mutex<Vec<Box<dyn Solver>>>,
}

/// Error of making a reader.
#[derive(Debug, Error)]
pub enum ReaderError {
    /// The digit network cannot be used.
    #[error(transparent)]
    Model(#[from] ArtifactError),
    /// The grid detector is not in this build.
    #[error(transparent)]
    Detector(#[from] Unavailable),
    /// No solver has this name.
    #[error(transparent)]
    Solver(#[from] UnknownSolver),
    /// The solver is not complete.
    #[error("the solver {0} never guesses, so it may get stuck")]
    Incomplete(&'static str),
}

impl Reader {
    /// Loads the model, the detector and the solver of the settings.
    ///
    /// # Errors
    ///
    /// [`ReaderError`] where one of these is not available.
    pub fn new(mut config: ReaderConfig) -> Result<Reader, ReaderError> {
        let classifier = match &config.model {
            Some(folder) => NetClassifier::load(folder)?,
            None => NetClassifier::built_in()?,
        };
        config.decode.trained_blanks = classifier.card().trained_blanks;
        let model = classifier.card().weights.clone();
        Reader::with_classifier(config, Box::new(classifier), model)
    }

    /// Like [`Reader::new`], with a classifier of the caller's and its identity, which
    /// distinguishes its readings from those of other models.
    ///
    /// # Errors
    ///
    /// [`ReaderError`] where the detector or the solver is not available.
    pub fn with_classifier(
        config: ReaderConfig,
        classifier: Box<dyn DigitClassifier>,
        model: String,
    ) -> Result<Reader, ReaderError> {
        let solver = match &config.solver {
            Some(name) => find(name)?,
            None => fastest_complete(),
        };
        if !solver.complete {
            return Err(ReaderError::Incomplete(solver.name));
        }
        Ok(Reader {
            detector: config.backend.detector(&config.detect)?,
            cells: CellReader(classifier),
            model,
            solver,
            idle: Mutex::default(),
            config,
        })
    }

    /// Returns the settings.
    pub const fn config(&self) -> &ReaderConfig {
        &self.config
    }

    /// Returns the identity of the digit network: the hash of its weights.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Returns whether the digit network distinguishes print from handwriting and reads pencil marks; older models do not.
    pub fn classifies_kinds(&self) -> bool {
        self.cells.0.classifies_kinds()
    }

    /// Returns the name of the solver.
    pub const fn solver_name(&self) -> &'static str {
        self.solver.name
    }

    /// Returns the boards of a photo, the main one first; see [`Examined::boards`] for which boards
    /// these are. Empty where none was found: [`Reader::examine`] says why.
    pub fn read(&self, photo: &Photo) -> Vec<ReadBoard> {
        self.examine(photo, None).boards
    }

    /// Returns the boards of a photo, or why it has none, and the time each stage took. Once
    /// `limit` has passed no further attempt is begun, and the result is [`Refusal::Timeout`].
    pub fn examine(&self, photo: &Photo, limit: Option<Duration>) -> Examined {
        let limit = Limit::starting_now(limit);
        let mut times = StageMs::default();
        let mut places: Vec<Place> = Vec::new();
        let located = locate(photo, &*self.detector, &self.config.locate);
        times.detect = ms_since(limit.start);
        let refusal = match located {
            Err(error) => Some(Refusal::Detector(error.to_string())),
            Ok(boards) => {
                let mut solver = self.solver();
                let mut reading = Reading {
                    config: &self.config,
                    cells: &self.cells,
                    photo,
                    solver: &mut *solver,
                    limit,
                    style: None,
                };
                let mut main = None;
                for board in boards {
                    if board.is_replaced {
                        let outline = board.lattice.corners();
                        let trust = &self.config.trust;
                        let is_rival = |best: &Attempt| {
                            best.objection(trust).is_none() && best.overlaps(&outline)
                        };
                        if places.iter().any(|it| it.best.as_ref().is_ok_and(is_rival)) {
                            continue;
                        }
                        // The boards that replaced it say nothing about its orientation.
                        main = None;
                    }
                    let place = reading.read(board, main);
                    main = main.or_else(|| Some(place.rotation()));
                    places.push(place);
                }
                reading.read_in_style(&mut places);
                let trust = &self.config.trust;
                let is_accepted = |best: &Attempt| best.objection(trust).is_none();
                if !places
                    .iter()
                    .any(|it| it.best.as_ref().is_ok_and(is_accepted))
                {
                    let start = Instant::now();
                    let board = reading.find_by_digits();
                    times.detect += ms_since(start);
                    places.extend(board.map(|board| reading.read(board, None)));
                }
                self.give_back(solver);
                limit.check().err()
            }
        };
        for place in &places {
            times = times + place.times;
        }
        let found = match refusal {
            Some(refusal) => Err(refusal),
            None => self.choose(places, times.detect),
        };
        let (boards, refusal) = match found {
            Ok(boards) => (boards, None),
            Err(refusal) => (Vec::new(), Some(refusal)),
        };
        Examined {
            boards,
            refusal,
            times,
        }
    }

    /// Returns the boards in the order of [`Examined::boards`].
    fn choose(&self, places: Vec<Place>, detect: f32) -> Result<Vec<ReadBoard>, Refusal> {
        let trust = &self.config.trust;
        let mut refusal = None;
        let (mut chosen, mut unsure) = (Vec::new(), Vec::new());
        for place in places {
            let times = StageMs {
                detect,
                ..place.times
            };
            match place.best {
                Ok(best) if best.objection(trust).is_none() => chosen.push((best, times)),
                Ok(best) => unsure.push((best, times)),
                Err(why) => refusal = refusal.or(Some(why)),
            }
        }
        if chosen.is_empty() {
            let believable = unsure.into_iter().reduce(|a, b| {
                let is_more = b.0.compare(&a.0, trust).is_gt();
                if is_more { b } else { a }
            });
            chosen.extend(believable);
        } else {
            let by_area =
                |a: &(Attempt, StageMs), b: &(Attempt, StageMs)| b.0.area().total_cmp(&a.0.area());
            // Two outlines may have led to one board.
            chosen.sort_by(|a, b| b.0.compare(&a.0, trust));
            for (board, times) in std::mem::take(&mut chosen) {
                let share = self.config.locate.max_overlap;
                if !chosen.iter().any(|(known, _)| known.is_at(&board, share)) {
                    chosen.push((board, times));
                }
            }
            chosen.sort_by(by_area);
            unsure.retain(|(best, _)| {
                best.is_probable(trust) && !chosen.iter().any(|it| best.overlaps(&it.0.outline()))
            });
            chosen.extend(unsure);
            chosen[1..].sort_by(by_area);
        }
        if chosen.is_empty() {
            return Err(refusal.unwrap_or(Refusal::NoBoard));
        }
        let max_risk_beside = trust.max_risk_beside.min(trust.max_risk);
        let sure = chosen
            .iter()
            .filter(|(best, _)| best.doubt(max_risk_beside).is_none());
        let smallest_sure = sure
            .map(|(best, _)| best.area())
            .fold(f32::INFINITY, f32::min);
        let legible_area = smallest_sure * trust.legible_from.powi(2);
        let board = |(number, (best, times)): (usize, (Attempt, StageMs))| {
            let objection = match number {
                0 => best.objection(trust),
                // It has no other objection.
                _ if best.area() >= legible_area => best.doubt(trust.max_risk),
                _ => best.doubt(max_risk_beside),
            };
            best.into_board(objection, times)
        };
        chosen.into_iter().enumerate().map(board).collect()
    }

    /// Returns a solver that no other thread is using.
    pub(super) fn solver(&self) -> Box<dyn Solver> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.pop().unwrap_or_else(|| (self.solver.build)())
    }

    pub(super) fn give_back(&self, solver: Box<dyn Solver>) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(solver);
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("config", &self.config)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, Luma};

    use super::*;
    use crate::digits::Artifact;
    use crate::reader::{Status, TrustConfig};
    use crate::vision::{CROP_EDGE, CROP_SIDE, PhotoConfig};

    #[test]
    fn the_share_of_blanks_comes_from_the_card_of_the_model() {
        let blanks = |model| {
            let config = ReaderConfig {
                model,
                ..ReaderConfig::default()
            };
            Reader::new(config).unwrap().config().decode.trained_blanks
        };
        let mut artifact = Artifact::built_in().unwrap();
        assert_eq!(blanks(None), artifact.card.trained_blanks);
        artifact.card.trained_blanks = 0.25;
        let folder = tempfile::tempdir().unwrap();
        artifact.write(folder.path()).unwrap();
        assert_eq!(blanks(Some(folder.path().to_owned())), 0.25);
    }

    #[test]
    fn a_board_that_was_found_twice_is_listed_once() {
        let bytes = std::fs::read("datasets/photos/000-newspaper.jpg").unwrap();
        let photo = Photo::from_bytes(&bytes, &PhotoConfig::default()).unwrap();
        let reader = Reader::new(ReaderConfig::default()).unwrap();
        let located = locate(&photo, &*reader.detector, &reader.config.locate).unwrap();
        let mut reading = Reading {
            config: &reader.config,
            cells: &reader.cells,
            photo: &photo,
            solver: &mut *reader.solver(),
            limit: Limit::starting_now(None),
            style: None,
        };
        let place = reading.read(located[0].clone(), None);
        let boards = reader.choose(vec![place.clone(), place], 0.0).unwrap();
        assert_eq!(statuses(&boards), [Status::Solved]);
    }

    #[test]
    fn a_board_without_lines_is_found_by_its_digits() {
        let bytes = std::fs::read("datasets/photos/000-newspaper.jpg").unwrap();
        let photo = Photo::from_bytes(&bytes, &PhotoConfig::default()).unwrap();
        let reader = Reader::new(ReaderConfig::default()).unwrap();
        let board = reader.read(&photo).remove(0);
        const PAPER: u8 = 220;
        let mut picture = GrayImage::from_pixel(400, 380, Luma([PAPER]));
        for (cell, crop) in board.crops.iter() {
            let tone = crop.tone();
            let (left, top) = (20 + 40 * cell.column(), 10 + 40 * cell.row());
            for (i, &pixel) in crop.pixels.iter().enumerate() {
                let (x, y) = (i % CROP_SIDE, i / CROP_SIDE);
                let is_inside = |at| (CROP_EDGE + 1..CROP_SIDE - CROP_EDGE - 1).contains(&at);
                let darker = tone.ground - f32::from(pixel);
                if is_inside(x) && is_inside(y) && darker > 0.5 * crop.board_contrast {
                    let gray = PAPER.saturating_sub(darker as u8);
                    picture.put_pixel((left + x) as u32, (top + y) as u32, Luma([gray]));
                }
            }
        }
        let photo = Photo::from_luma(picture, &PhotoConfig::default());
        let boards = reader.read(&photo);
        assert_eq!(statuses(&boards), [Status::Solved]);
        assert_eq!(boards[0].decoded, board.decoded);
    }

    /// The boards of a photo of two.
    fn two_boards(trust: TrustConfig) -> Vec<ReadBoard> {
        let config = ReaderConfig {
            trust,
            ..ReaderConfig::default()
        };
        let bytes = std::fs::read("datasets/photos/007-two-boards.jpg").unwrap();
        let photo = Photo::from_bytes(&bytes, &PhotoConfig::default()).unwrap();
        Reader::new(config).unwrap().read(&photo)
    }

    fn statuses(boards: &[ReadBoard]) -> Vec<Status> {
        boards.iter().map(|board| board.status).collect()
    }

    #[test]
    fn a_board_beside_the_main_one_that_might_be_another_grid_is_uncertain() {
        // Every board beside the main one is doubtful, and what is doubtful may be a table.
        let boards = two_boards(TrustConfig {
            max_risk_beside: 0.0,
            max_clear_repeats: -1.0,
            ..TrustConfig::default()
        });
        assert_eq!(statuses(&boards), [Status::Solved, Status::Uncertain]);
    }

    #[test]
    fn a_board_beside_the_main_one_is_listed_though_it_is_in_doubt() {
        let sure = two_boards(TrustConfig::default());
        assert_eq!(statuses(&sure), [Status::Solved; 2]);
        let max_risk = 1.0 - (sure[0].confidence + sure[1].confidence) / 2.0;
        let boards = two_boards(TrustConfig {
            max_risk,
            ..TrustConfig::default()
        });
        assert_eq!(statuses(&boards), [Status::Solved, Status::Uncertain]);
    }

    #[test]
    fn a_board_as_large_as_a_sure_one_may_be_as_risky_as_the_main_one() {
        let boards = two_boards(TrustConfig::default());
        let [main, other] = [0, 1].map(|number| boards[number].confidence);
        assert!(other < main, "{other} {main}");
        let max_risk_beside = 1.0 - (main + other) / 2.0;
        for (legible_from, status) in [(0.8, Status::Solved), (1.2, Status::Uncertain)] {
            let boards = two_boards(TrustConfig {
                max_risk_beside,
                legible_from,
                ..TrustConfig::default()
            });
            assert_eq!(statuses(&boards), [Status::Solved, status]);
        }
    }

    #[test]
    fn a_solver_that_may_get_stuck_is_refused() {
        let with = |name: &str| {
            Reader::new(ReaderConfig {
                solver: Some(name.to_owned()),
                ..ReaderConfig::default()
            })
        };
        assert!(matches!(
            with("logic"),
            Err(ReaderError::Incomplete("logic"))
        ));
        assert!(matches!(with("no such"), Err(ReaderError::Solver(_))));
        assert_eq!(with("mrv").unwrap().solver_name(), "mrv");
    }
}
