//! One place of a photo with a board, through first and second attempts.

use web_time::Instant;

use super::attempt::Attempt;
use super::board::StageMs;
use super::cells::CellReader;
use super::config::ReaderConfig;
use super::hypothesis::Hypothesis;
use super::limit::{Limit, ms_since};
use super::refusal::Refusal;
use super::style::Style;
use crate::digits::Posterior;
use crate::grid::CellMap;
use crate::solve::{Limits, Solver};
use crate::vision::{Alternative, Board, Detection, Photo, Rotation, board_from, board_of_digits};

/// A place of a photo, and its best reading.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// What was located there.
    pub(super) board: Board,
    /// Other hypotheses for it that were not tried yet.
    alternatives: Vec<Alternative>,
    /// The most believable attempt so far, or why there is none.
    pub(super) best: Result<Attempt, Refusal>,
    /// Whether the other orientations of the best attempt were tried.
    turned: bool,
    /// Time spent on this place; `detect` on its alternatives only.
    pub(super) times: StageMs,
}

impl Place {
    /// Returns the orientation of the board, as far as it was read.
    pub(super) fn rotation(&self) -> Rotation {
        let best = self.best.as_ref();
        best.map_or_else(|_| Rotation::default(), |it| it.hypothesis.place.rotation)
    }
}

/// The tools for reading a place.
pub(super) struct Reading<'a> {
    pub(super) config: &'a ReaderConfig,
    pub(super) cells: &'a CellReader,
    pub(super) photo: &'a Photo,
    pub(super) solver: &'a mut dyn Solver,
    pub(super) limit: Limit,
    /// The style in which digits are read; `None` for what the network sees in each.
    pub(super) style: Option<Style>,
}

impl Reading<'_> {
    /// Reads a located board: upright; then, where that is doubtful, in the other orientations and
    /// by the other detections of its place. A board beside the main one, whose orientation is
    /// `main`, is tried in that orientation first; further attempts depend on whether it has enough
    /// digits.
    pub(super) fn read(&mut self, board: Board, main: Option<Rotation>) -> Place {
        let (upright, alternatives) = Hypothesis::of(board.clone());
        let mut place = Place {
            board,
            alternatives,
            best: Err(Refusal::NoBoard),
            turned: false,
            times: StageMs::default(),
        };
        let as_main = main.filter(|rotation| *rotation != Rotation::default());
        let as_main = as_main.map(|rotation| upright.turned(rotation));
        self.attempt(&mut place, upright);
        if let Some(turned) = as_main
            && self.is_doubtful(&place, true)
        {
            self.attempt_again(&mut place, turned);
        }
        let is_main = main.is_none();
        self.try_turned(&mut place, is_main);
        self.try_alternatives(&mut place, is_main);
        self.try_turned(&mut place, is_main);
        self.try_shifted(&mut place);
        self.look_aside(&mut place, is_main);
        place
    }

    /// Returns the board that is found by its digits, for a photo in which none was read by its lines.
    pub(super) fn find_by_digits(&self) -> Option<Board> {
        self.limit.check().ok()?;
        let found = board_of_digits(self.photo.luma(), &self.config.detect)?;
        board_from(self.photo, &found, &self.config.locate)
    }

    /// Returns whether a place should be tried again: if it is doubtful and, unless `always`, has
    /// enough digits for a puzzle.
    pub(super) fn is_doubtful(&self, place: &Place, always: bool) -> bool {
        let trust = &self.config.trust;
        let deserving = |best: &Attempt| {
            best.deserves_second_attempt(trust) && (always || best.is_promising(trust))
        };
        place.best.as_ref().is_ok_and(deserving) && self.limit.check().is_ok()
    }

    /// Tries the other three orientations of a doubtful board whose best attempt is upright.
    fn try_turned(&mut self, place: &mut Place, is_main: bool) {
        if place.turned || !self.is_doubtful(place, is_main) {
            return;
        }
        let Ok(best) = &place.best else { return };
        if !best.may_be_turned(&self.config.trust) {
            return;
        }
        let upright = best.hypothesis.clone();
        let turned = (1..4).map(|turns| upright.turned(Rotation::from_quarter_turns(turns)));
        let read = turned.filter_map(|hypothesis| self.classify_again(place, hypothesis));
        let mut read: Vec<Attempt> = read.collect();
        // The clearest first: beside the right one, the others need no decoding.
        let clarity = |attempt: &Attempt| attempt.clarity(&self.config.trust);
        read.sort_by(|a, b| clarity(b).total_cmp(&clarity(a)));
        for attempt in read {
            self.keep_better(place, attempt);
        }
        place.turned = true;
    }

    /// Tries the other detections of a doubtful board: upright, and in the orientation of its best attempt.
    fn try_alternatives(&mut self, place: &mut Place, is_main: bool) {
        if !self.is_doubtful(place, is_main) {
            return;
        }
        let Ok(best) = &place.best else { return };
        let rotation = best.hypothesis.place.rotation;
        for alternative in std::mem::take(&mut place.alternatives) {
            let Some(upright) = self.cut(place, &alternative) else {
                continue;
            };
            if rotation != Rotation::default() {
                self.attempt_again(place, upright.turned(rotation));
            }
            // What is read of a wrong place says nothing of the orientation.
            self.attempt_again(place, upright);
        }
    }

    /// Returns an alternative as a hypothesis, upright.
    fn cut(&self, place: &mut Place, alternative: &Alternative) -> Option<Hypothesis> {
        let start = Instant::now();
        let board = alternative.board(self.photo, &self.config.locate);
        place.times.detect += ms_since(start);
        board.map(|board| Hypothesis::of(board).0)
    }

    /// Tries the place a row or a column further where an outermost one holds no digit: where lines are faint, they fit
    /// as well there. It must hold more digits, and its lines must be as strong.
    fn try_shifted(&mut self, place: &mut Place) {
        let Ok(best) = &place.best else { return };
        let found = best.hypothesis.place.clone();
        for (right, down) in best.possible_shifts() {
            let Some(mesh) = found.lattice.shifted(right, down) else {
                continue;
            };
            let strength = mesh.strength();
            let detection = Detection::along(mesh, found.polarity, strength);
            let Some(hypothesis) = self.cut(place, &detection.into()) else {
                continue;
            };
            let Ok(attempt) = self.classify(place, hypothesis) else {
                continue;
            };
            // Decoding would be a long search where the place is wrong.
            let is_fuller = |best: &Attempt| attempt.is_fuller_than(best);
            if !place.best.as_ref().is_ok_and(is_fuller) {
                continue;
            }
            let attempt = self.decode(place, attempt);
            if attempt.has_solution() {
                place.best = Ok(attempt);
            }
        }
    }

    /// Looks again at the cells of a doubtful board, slightly aside.
    fn look_aside(&mut self, place: &mut Place, is_main: bool) {
        if !self.is_doubtful(place, is_main) {
            return;
        }
        let Ok(best) = &place.best else { return };
        if !best.is_decoded() {
            return;
        }
        let start = Instant::now();
        let hypothesis = best.hypothesis.clone();
        let posteriors = self.cells.look_aside(&hypothesis.crops, &best.seen);
        let posteriors = posteriors.and_then(|mean| self.look_closer(&hypothesis, &mean));
        place.times.read += ms_since(start);
        // Not the more believable of the two: it is the first look that is in doubt.
        if let Ok(posteriors) = posteriors {
            let attempt = self.undecoded(hypothesis, posteriors);
            place.best = Ok(self.decode(place, attempt));
        }
    }

    /// Reads and decodes a hypothesis, and keeps the more believable attempt.
    fn attempt(&mut self, place: &mut Place, hypothesis: Hypothesis) {
        match (self.classify(place, hypothesis), &place.best) {
            (Ok(attempt), _) => self.keep_better(place, attempt),
            (Err(refusal), Err(_)) => place.best = Err(refusal),
            (Err(_), Ok(_)) => (),
        }
    }

    /// The same for a hypothesis that is one of many.
    fn attempt_again(&mut self, place: &mut Place, hypothesis: Hypothesis) {
        if let Some(attempt) = self.classify_again(place, hypothesis) {
            self.keep_better(place, attempt);
        }
    }

    /// Decodes an attempt if it may become the most believable one, and keeps it if it does.
    fn keep_better(&mut self, place: &mut Place, attempt: Attempt) {
        let trust = &self.config.trust;
        let best = place.best.as_ref();
        if best.is_ok_and(|best| !attempt.may_exceed(best, trust)) {
            return;
        }
        let attempt = self.decode(place, attempt);
        let best = place.best.as_ref();
        if best.map_or(true, |best| attempt.compare(best, trust).is_gt()) {
            place.best = Ok(attempt);
            place.turned = false;
        }
    }

    /// Reads the cells of a hypothesis.
    fn classify(&self, place: &mut Place, hypothesis: Hypothesis) -> Result<Attempt, Refusal> {
        let start = Instant::now();
        let posteriors = self.cells.classify(&hypothesis.crops);
        let posteriors = posteriors.and_then(|first| self.look_closer(&hypothesis, &first));
        place.times.read += ms_since(start);
        Ok(self.undecoded(hypothesis, posteriors?))
    }

    /// The same for a hypothesis that is one of many; `None` where its cells hold few digits.
    fn classify_again(&self, place: &mut Place, hypothesis: Hypothesis) -> Option<Attempt> {
        let start = Instant::now();
        let trust = &self.config.trust;
        let posteriors = self.cells.classify_promising(&hypothesis.crops, trust);
        let posteriors = posteriors.ok().flatten();
        let posteriors = posteriors.and_then(|first| self.look_closer(&hypothesis, &first).ok());
        place.times.read += ms_since(start);
        Some(self.undecoded(hypothesis, posteriors?))
    }

    /// Returns the attempt at a hypothesis in whose cells the network sees this, read in the style.
    fn undecoded(&self, hypothesis: Hypothesis, seen: CellMap<Posterior>) -> Attempt {
        let trust = &self.config.trust;
        let attempt = Attempt::undecoded(hypothesis, seen, trust);
        match &self.style {
            Some(style) => attempt.in_style(style, trust),
            None => attempt,
        }
    }

    fn look_closer(
        &self,
        Hypothesis { place, crops }: &Hypothesis,
        first: &CellMap<Posterior>,
    ) -> Result<CellMap<Posterior>, Refusal> {
        self.cells.look_closer(self.photo, place, crops, first)
    }

    /// Decodes an attempt whose cells were read.
    pub(super) fn decode(&mut self, place: &mut Place, attempt: Attempt) -> Attempt {
        let start = Instant::now();
        let ReaderConfig { trust, decode, .. } = self.config;
        let limits = Limits::nodes(decode.solver_nodes);
        let attempt = attempt.decode(self.solver, trust, decode);
        let attempt = attempt.on(self.photo, self.solver, limits, trust);
        place.times.solve += ms_since(start);
        attempt
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::NetClassifier;
    use crate::roster::fastest_complete;
    use crate::vision::{Backend, DetectConfig, PhotoConfig, locate};

    #[test]
    fn a_wrong_place_read_upside_down_says_nothing_of_the_orientation_of_others() {
        let bytes = std::fs::read("datasets/photos/000-newspaper.jpg").unwrap();
        let photo = Photo::from_bytes(&bytes, &PhotoConfig::default()).unwrap();
        let config = ReaderConfig::default();
        let detector = Backend::BuiltIn.detector(&DetectConfig::default());
        let located = locate(&photo, &*detector.unwrap(), &config.locate).unwrap();
        let right = Detection::along(located[0].lattice.clone(), located[0].polarity, 0.5);
        // Half a cell off, so that no digit is whole.
        let wrong = located[0].lattice.shifted(0.5, 0.5).unwrap();
        let wrong = Detection {
            is_exact: true,
            ..Detection::along(wrong, located[0].polarity, 0.9)
        };
        let wrong = board_from(&photo, &wrong, &config.locate).unwrap();
        let mut reading = Reading {
            cells: &CellReader(Box::new(NetClassifier::built_in().unwrap())),
            photo: &photo,
            solver: &mut *(fastest_complete().build)(),
            limit: Limit::starting_now(None),
            style: None,
            config: &config,
        };
        let mut place = Place {
            board: wrong.clone(),
            alternatives: vec![right.into()],
            best: Err(Refusal::NoBoard),
            turned: false,
            times: StageMs::default(),
        };
        let upside_down = Rotation::from_quarter_turns(2);
        reading.attempt(&mut place, Hypothesis::of(wrong).0.turned(upside_down));
        assert_eq!(place.rotation(), upside_down);
        reading.try_alternatives(&mut place, true);
        assert_eq!(place.rotation(), Rotation::default());
        assert!(place.best.is_ok_and(|best| best.has_solution()));
    }
}
