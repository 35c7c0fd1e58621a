//! The boards of one page, read together.

use super::attempt::Attempt;
use super::place::{Place, Reading};
use super::style::Style;
use crate::grid::Puzzle;

/// Largest number of times that a board is read again: what it is then read as makes the style of others clearer.
const ROUNDS: usize = 3;

/// Largest ratio of the areas of boards whose digits look alike to the network: blur changes small ones more.
const ALIKE: f32 = 1.3;

impl Reading<'_> {
    /// Reads the doubtful boards of a page again, in the style of the others.
    pub(super) fn read_in_style(&mut self, places: &mut [Place]) {
        let doubtful = places.iter().enumerate();
        let doubtful = doubtful.filter(|(number, place)| self.is_doubtful(place, *number == 0));
        let doubtful: Vec<usize> = doubtful.map(|(number, _)| number).collect();
        for _ in 0..ROUNDS {
            // Each in the style of the others as they were before, so that the order does not matter.
            let read: Vec<(usize, Place)> = doubtful
                .iter()
                .filter_map(|&number| Some((number, self.in_style_of_others(places, number)?)))
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

    /// Returns a place read in the style of those like it; `None` where they have none.
    fn in_style_of_others(&mut self, places: &[Place], number: usize) -> Option<Place> {
        let place = &places[number];
        let best = place.best.as_ref().ok()?;
        let like_it = || places.iter().filter(|other| is_alike(other, best));
        let rotation = like_it().next()?.rotation();
        let samples = like_it().filter_map(|other| {
            let other = other.best.as_ref().ok()?;
            Some((&other.seen, other.solvable()?))
        });
        self.limit.check().ok()?;
        self.style = Some(Style::of(samples)?);
        let read = self.read(place.board.clone(), Some(rotation));
        self.style = None;
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

/// Returns whether the digits of a place look to the network like those of another board.
fn is_alike(place: &Place, board: &Attempt) -> bool {
    let is_alike = |it: &Attempt| {
        let ratio = it.area() / board.area();
        it.solvable().is_some() && !it.overlaps(&board.outline()) && ratio.max(1.0 / ratio) < ALIKE
    };
    place.best.as_ref().is_ok_and(is_alike)
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, imageops};

    use crate::digits::{DigitClassifier, InferenceError, NetClassifier, Posterior};
    use crate::grid::Digit;
    use crate::reader::{Reader, ReaderConfig, Status};
    use crate::vision::{CellCrop, Photo, PhotoConfig};

    /// Takes each 9 for a 3 rather than for a 9.
    struct Confused(NetClassifier);

    impl DigitClassifier for Confused {
        fn classify(&self, crops: &[CellCrop]) -> Result<Vec<Posterior>, InferenceError> {
            let confused = |seen: Posterior| {
                let mut weights = *seen.as_array();
                if seen.best() == Digit::new(9) {
                    (weights[3], weights[8], weights[9]) = (0.7, 0.2, 0.1);
                }
                Posterior::from_weights(weights).unwrap()
            };
            let seen = self.0.classify(crops)?;
            Ok(seen.into_iter().map(confused).collect())
        }
    }

    /// The statuses of a photo of two boards, so many times side by side, whose boards must be right as decoded.
    fn statuses(copies: u32) -> Vec<Status> {
        let photo = image::open("datasets/photos/007-two-boards.jpg").unwrap();
        let photo = photo.into_luma8();
        let mut page = GrayImage::new(photo.width() * copies, photo.height());
        for copy in 0..copies {
            imageops::replace(&mut page, &photo, i64::from(copy * photo.width()), 0);
        }
        let page = Photo::from_luma(page, &PhotoConfig::default());
        let classifier = Confused(NetClassifier::built_in().unwrap());
        let config = ReaderConfig::default();
        let reader = Reader::with_classifier(config, Box::new(classifier), String::new()).unwrap();
        let boards = reader.read(&page);
        let truth = std::fs::read_to_string("datasets/photos/007-two-boards.txt").unwrap();
        for board in &boards {
            let line = board.decoded.to_line();
            assert!(!board.status.is_read() || truth.contains(&line), "{line}");
        }
        boards.iter().map(|board| board.status).collect()
    }

    #[test]
    fn a_digit_that_looks_like_another_one_is_known_by_the_other_boards_of_its_page() {
        assert_eq!(statuses(1), [Status::Uncertain]);
        assert_eq!(statuses(3), [Status::Solved; 6]);
    }
}
