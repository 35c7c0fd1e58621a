//! A photo in hand: opened, with its boards, until its rows are written.

use std::fs;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use super::attempt::{Attempt, Hypothesis, note, status};
use super::config::{RecognizeConfig, TrustConfig};
use super::failure::Failure;
use super::record::{Record, Rotation, StageMs};
use crate::vision::{Detection, GridDetector, LocateConfig, Photo, board_from, locate, turn_board};

/// One place of a photo where a board is.
#[derive(Debug)]
pub(super) struct Place {
    /// Other detections of it.
    alternatives: Vec<Detection>,
    /// The most believable attempt so far, or why there is none.
    pub(super) best: Result<Attempt, Failure>,
    /// Whether its other ways up were tried.
    turned: bool,
    /// Milliseconds spent on reading its cells.
    pub(super) read: f32,
    /// Milliseconds spent on decoding it.
    pub(super) solve: f32,
}

/// A photo that was opened, with what was found in it.
#[derive(Debug)]
pub(super) struct Hand {
    pub(super) photo: Photo,
    pub(super) places: Vec<Place>,
    /// Milliseconds of opening and finding; the rest is with the places.
    stages: StageMs,
}

/// A photo that cannot be read, and what finding that out has cost.
#[derive(Debug)]
pub(super) struct Fumble {
    pub(super) failure: Failure,
    pub(super) stages: StageMs,
}

/// The bytes of a photo.
pub(super) fn read_file(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Failure> {
    let file = fs::File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(Failure::NotAFile);
    }
    if metadata.len() > max_bytes {
        return Err(Failure::TooLarge {
            megabytes: metadata.len() >> 20,
            limit: max_bytes >> 20,
        });
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    file.take(max_bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Runs what calls into libraries that read foreign bytes, so that a crash there costs one photo.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Failure::Crashed(text.unwrap_or_default()))
    })
}

/// Milliseconds since then.
pub(super) fn ms_since(start: Instant) -> f32 {
    start.elapsed().as_secs_f32() * 1000.0
}

impl Hand {
    /// Opens a photo and finds its boards: the photo in hand, with one hypothesis a place to read.
    pub(super) fn open(
        bytes: &[u8],
        started: Instant,
        detector: &dyn GridDetector,
        config: &RecognizeConfig,
    ) -> Result<(Hand, Vec<Hypothesis>), Fumble> {
        let mut stages = StageMs::default();
        let opened = guarded(|| Ok(Photo::from_bytes(bytes, &config.photo)?));
        stages.decode = ms_since(started);
        let finding = Instant::now();
        let found = opened.and_then(|photo| {
            config.check_time(&stages)?;
            let boards = guarded(|| Ok(locate(&photo, detector, &config.locate)?))?;
            Ok((photo, boards))
        });
        stages.detect = ms_since(finding);
        let (photo, boards) = found.map_err(|failure| Fumble { failure, stages })?;
        let mut places = Vec::new();
        let mut hypotheses = Vec::new();
        for board in boards {
            places.push(Place {
                alternatives: board.alternatives,
                best: Err(Failure::NoBoard),
                turned: false,
                read: 0.0,
                solve: 0.0,
            });
            hypotheses.push(Hypothesis {
                lattice: board.lattice,
                rotation: Rotation::default(),
                crops: board.crops,
            });
        }
        let hand = Hand {
            photo,
            places,
            stages,
        };
        Ok((hand, hypotheses))
    }

    fn spent(&self) -> StageMs {
        StageMs {
            read: self.places.iter().map(|place| place.read).sum(),
            solve: self.places.iter().map(|place| place.solve).sum(),
            ..self.stages
        }
    }

    /// The places that deserve a second chance, as the configuration has it.
    fn doubtful(&self, config: &RecognizeConfig) -> Vec<usize> {
        let trust = &config.trust;
        if config.check_time(&self.spent()).is_err() {
            return Vec::new();
        }
        let deserving = self.places.iter().enumerate().filter(|(number, place)| {
            place.best.as_ref().is_ok_and(|best| {
                best.deserves_second_chance(trust) && (*number == 0 || best.is_promising(trust))
            })
        });
        deserving.map(|(number, _)| number).collect()
    }

    /// The other three ways up of every doubtful board whose best attempt is upright.
    pub(super) fn turned(&mut self, config: &RecognizeConfig) -> Vec<(usize, Hypothesis)> {
        let mut turned = Vec::new();
        for number in self.doubtful(config) {
            let place = &mut self.places[number];
            if let Ok(best) = &place.best
                && best.may_be_turned(&config.trust)
                && !place.turned
            {
                place.turned = true;
                let upright = &best.hypothesis;
                turned.extend((1..4).map(|turns| {
                    let hypothesis = Hypothesis {
                        lattice: upright.lattice.clone(),
                        rotation: Rotation::from_quarter_turns(turns),
                        crops: turn_board(&upright.crops, 4 - turns),
                    };
                    (number, hypothesis)
                }));
            }
        }
        turned
    }

    /// The other detections of every doubtful board, the way up of its best attempt. Each is given
    /// once.
    pub(super) fn alternatives(&mut self, config: &RecognizeConfig) -> Vec<(usize, Hypothesis)> {
        let start = Instant::now();
        let mut others = Vec::new();
        for number in self.doubtful(config) {
            let detections = std::mem::take(&mut self.places[number].alternatives);
            if let Ok(best) = &self.places[number].best {
                let rotation = best.hypothesis.rotation;
                let cut = |detection: &Detection| {
                    cut_turned(&self.photo, detection, rotation, &config.locate)
                };
                let hypotheses = detections.iter().filter_map(cut);
                others.extend(hypotheses.map(|hypothesis| (number, hypothesis)));
            }
        }
        self.stages.detect += ms_since(start);
        others
    }

    /// Takes in an attempt at a place; the more believable one stays.
    pub(super) fn consider(
        &mut self,
        place: usize,
        attempt: Result<Attempt, Failure>,
        trust: &TrustConfig,
    ) {
        let place = &mut self.places[place];
        let better = match (&attempt, &place.best) {
            (Ok(attempt), Ok(best)) => attempt.compare(best, trust).is_gt(),
            (Err(_), Ok(_)) => false,
            (_, Err(_)) => true,
        };
        if better {
            place.best = attempt;
            place.turned = false;
        }
    }

    /// The photo and its rows, each with the attempt behind it: first the main board, which is the
    /// largest of those that can be believed, or else the most believable one; then every other
    /// board that can be believed, the largest first.
    pub(super) fn into_rows(
        self,
        name: &str,
        config: &RecognizeConfig,
    ) -> (Photo, Vec<(Record, Option<Attempt>)>) {
        let stages = self.spent();
        let failure = if self.places.is_empty() {
            Some(Failure::NoBoard)
        } else {
            config.check_time(&stages).err()
        };
        if let Some(failure) = failure {
            let fumble = Fumble { failure, stages };
            return (self.photo, vec![(fumble.into_row(name), None)]);
        }
        let trust = &config.trust;
        let believed = |place: &Place| {
            place
                .best
                .as_ref()
                .is_ok_and(|best| best.objection(trust).is_none())
        };
        let (mut sure, unsure): (Vec<Place>, Vec<Place>) =
            self.places.into_iter().partition(believed);
        sure.sort_by(|a, b| match (&a.best, &b.best) {
            (Ok(a), Ok(b)) => b.area().total_cmp(&a.area()),
            _ => std::cmp::Ordering::Equal,
        });
        if sure.is_empty() {
            let most_believable = unsure.into_iter().reduce(|a, b| match (&a.best, &b.best) {
                (Ok(x), Ok(y)) if y.compare(x, trust).is_gt() => b,
                (Err(_), Ok(_)) => b,
                _ => a,
            });
            sure.extend(most_believable);
        }
        let rows = sure.into_iter().enumerate().map(|(index, place)| {
            let stages = StageMs {
                read: place.read,
                solve: place.solve,
                ..self.stages
            };
            row(name, index + 1, place.best, stages, &self.photo, config)
        });
        let rows = rows.collect();
        (self.photo, rows)
    }
}

fn row(
    name: &str,
    puzzle: usize,
    best: Result<Attempt, Failure>,
    stages: StageMs,
    photo: &Photo,
    config: &RecognizeConfig,
) -> (Record, Option<Attempt>) {
    let attempt = match best {
        Ok(attempt) => attempt,
        Err(failure) => return (Fumble { failure, stages }.into_row(name), None),
    };
    let objection = attempt.objection(&config.trust);
    let (Some(decoded), Some(reading)) = (attempt.decoded(), attempt.reading(photo)) else {
        let failure = objection.unwrap_or(Failure::NoBoard);
        return (Fumble { failure, stages }.into_row(name), None);
    };
    let record = Record {
        photo: name.to_owned(),
        puzzle,
        status: objection.as_ref().map_or(status(decoded), Failure::status),
        reading: Some(reading),
        error: objection
            .map(|failure| failure.to_string())
            .or_else(|| note(decoded)),
        stages,
    };
    (record, Some(attempt))
}

impl Fumble {
    pub(super) fn into_row(self, name: &str) -> Record {
        Record {
            photo: name.to_owned(),
            puzzle: 0,
            status: self.failure.status(),
            reading: None,
            error: Some(self.failure.to_string()),
            stages: self.stages,
        }
    }
}

fn cut_turned(
    photo: &Photo,
    detection: &Detection,
    rotation: Rotation,
    config: &LocateConfig,
) -> Option<Hypothesis> {
    let board = board_from(photo, detection, config)?;
    let undo = (4 - rotation.quarter_turns()) % 4;
    Some(Hypothesis {
        crops: match undo {
            0 => board.crops,
            turns => turn_board(&board.crops, turns),
        },
        lattice: board.lattice,
        rotation,
    })
}

impl RecognizeConfig {
    /// Whether a photo may go on.
    fn check_time(&self, spent: &StageMs) -> Result<(), Failure> {
        let total = spent.decode + spent.detect + spent.read + spent.solve;
        match self.time_limit_ms {
            Some(limit_ms) if total > limit_ms as f32 => Err(Failure::Timeout { limit_ms }),
            _ => Ok(()),
        }
    }
}
