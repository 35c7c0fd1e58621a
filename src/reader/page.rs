//! The boards of a photo, read again in the style in which they are printed.

use super::attempt::Attempt;
use super::board::StageMs;
use super::place::{Place, Reading};
use super::style::Style;
use crate::grid::Puzzle;

/// Largest number of times that a board is read again: what it is then read as makes its style, and that of others,
/// clearer.
const ROUNDS: usize = 3;

/// Largest ratio of the areas of boards whose digits look alike to the network: blur changes small ones more.
const ALIKE: f32 = 1.3;

impl Reading<'_> {
    /// Reads the doubtful boards of a photo again, in the style of the others like them, or else in their own.
    pub(super) fn read_in_style(&mut self, places: &mut [Place]) {
        let doubtful = places.iter().enumerate();
        let doubtful = doubtful.filter(|(number, place)| self.is_doubtful(place, *number == 0));
        let doubtful: Vec<usize> = doubtful.map(|(number, _)| number).collect();
        for _ in 0..ROUNDS {
            // Each in the style of the others as they were before, so that the order does not matter.
            let read: Vec<(usize, Place)> = doubtful
                .iter()
                .filter_map(|&number| Some((number, self.in_style(&places[number], places)?)))
                .collect();
            let mut is_changed = false;
            for (number, place) in read {
                is_changed |= places[number].become_reread(place);
            }
            if !is_changed {
                break;
            }
        }
    }

    /// Returns a place of these read in its style; `None` where that is not known.
    fn in_style(&mut self, place: &Place, places: &[Place]) -> Option<Place> {
        self.limit.check().ok()?;
        let best = place.best.as_ref().ok()?;
        let read = places.iter().filter_map(|it| it.best.as_ref().ok());
        let mut like_it = read.filter(|it| is_alike(it, best)).peekable();
        let Some(first) = like_it.peek() else {
            return self.in_own_style(place);
        };
        let rotation = first.hypothesis.place.rotation;
        let samples = like_it.filter_map(|it| Some((&it.seen, it.solvable()?)));
        self.style = Some(Style::of(samples)?);
        let read = self.read(place.board.clone(), Some(rotation));
        self.style = None;
        Some(read)
    }

    /// Returns a place with each cell read in the style of the others of its board; `None` where some are handwritten.
    fn in_own_style(&mut self, place: &Place) -> Option<Place> {
        let best = place.best.as_ref().ok()?;
        let attempt = best.in_own_style(&self.config.trust)?;
        let mut read = place.clone();
        read.times = StageMs::default();
        read.best = Ok(self.decode(&mut read, attempt));
        Some(read)
    }
}

impl Place {
    /// Becomes the same place read again, unless only the first reading has a solution. Returns whether it holds another
    /// puzzle now.
    fn become_reread(&mut self, reread: Place) -> bool {
        let times = self.times + reread.times;
        let (before, after) = (self.solvable(), reread.solvable());
        let is_changed = before != after;
        if after.is_some() || before.is_none() {
            *self = reread;
        }
        self.times = times;
        is_changed
    }

    /// Returns the puzzle that was read, if it has a solution.
    fn solvable(&self) -> Option<&Puzzle> {
        self.best.as_ref().ok()?.solvable()
    }
}

/// Returns whether a board has a solution, and its digits look to the network like those of another one.
fn is_alike(board: &Attempt, other: &Attempt) -> bool {
    let ratio = board.area() / other.area();
    board.solvable().is_some()
        && !board.overlaps(&other.outline())
        && ratio.max(1.0 / ratio) < ALIKE
}

#[cfg(test)]
mod tests {
    use crate::digits::{DigitClassifier, InferenceError, NetClassifier, Posterior};
    use crate::grid::Digit;
    use crate::reader::{Reader, ReaderConfig, Status};
    use crate::vision::{CellCrop, Photo, PhotoConfig};

    /// Takes each 9 for a 3 with this probability, for a 9 with a smaller one, and for an 8 with the rest.
    struct Confused(NetClassifier, [f32; 2]);

    impl DigitClassifier for Confused {
        fn classify(&self, crops: &[CellCrop]) -> Result<Vec<Posterior>, InferenceError> {
            let [three, nine] = self.1;
            let confused = |seen: Posterior| {
                let mut weights = *seen.as_array();
                if seen.best() == Digit::new(9) {
                    (weights[3], weights[8], weights[9]) = (three, 1.0 - three - nine, nine);
                }
                Posterior::from_weights(weights).unwrap()
            };
            let seen = self.0.classify(crops)?;
            Ok(seen.into_iter().map(confused).collect())
        }
    }

    /// Asserts that all boards of a photo are read, without the rules having to overrule a cell.
    fn assert_read(name: &str, confused: [f32; 2]) {
        let bytes = std::fs::read(format!("datasets/photos/{name}.jpg")).unwrap();
        let photo = Photo::from_bytes(&bytes, &PhotoConfig::default()).unwrap();
        let classifier = Confused(NetClassifier::built_in().unwrap(), confused);
        let config = ReaderConfig::default();
        let reader = Reader::with_classifier(config, Box::new(classifier), String::new()).unwrap();
        let boards = reader.read(&photo);
        let truth = std::fs::read_to_string(format!("datasets/photos/{name}.txt")).unwrap();
        assert_eq!(boards.len(), truth.lines().count(), "{name}");
        for board in boards {
            let line = board.decoded.to_line();
            assert!(truth.contains(&line), "{name}: {line}");
            assert_eq!(board.status, Status::Solved, "{name}: {line}");
            assert!(board.overruled.is_empty(), "{name}: {line}");
        }
    }

    #[test]
    fn a_digit_that_looks_like_another_one_is_known_by_the_other_boards_of_its_page() {
        assert_read("007-two-boards", [0.7, 0.1]);
    }

    #[test]
    fn a_digit_that_looks_like_another_one_is_known_by_the_other_cells_of_its_board() {
        assert_read("001-book", [0.65, 0.2]);
    }
}
