//! Finds boards whose content is known, to make training data of them.

use super::hypothesis::Hypothesis;
use super::read::Reader;
use super::refusal::Refusal;
use crate::digits::Posterior;
use crate::grid::{Cell, CellMap, Puzzle};
use crate::vision::{CellCrop, Photo, Rotation, locate};

/// A board found for a known puzzle.
#[derive(Clone, Debug)]
pub struct KnownBoard {
    /// Its cells, oriented as in the puzzle.
    pub crops: CellMap<CellCrop>,
    /// Number of cells whose most probable content is the digit of the puzzle.
    pub digits: usize,
    /// Number of cells whose most probable content is a blank, as in the puzzle.
    pub blanks: usize,
    /// Lead over the next best orientation, in cells that agree with the puzzle.
    pub lead: usize,
}

impl KnownBoard {
    /// Returns the number of cells that agree with the puzzle.
    fn agreement(&self) -> usize {
        self.digits + self.blanks
    }
}

impl Reader {
    /// Finds these puzzles in a photo: for each the outline and the orientation most similar to it,
    /// `None` where no board is left for it. Each place is used for one puzzle.
    ///
    /// The result may still be another board: `digits`, `blanks` and `lead` measure how similar it
    /// is.
    ///
    /// # Errors
    ///
    /// [`Refusal`] where the detector or the network fails.
    pub fn find(
        &self,
        photo: &Photo,
        puzzles: &[Puzzle],
    ) -> Result<Vec<Option<KnownBoard>>, Refusal> {
        let located = locate(photo, &*self.detector, &self.config.locate);
        let located = located.map_err(|error| Refusal::Detector(error.to_string()))?;
        let places = located.into_iter().map(|board| {
            let (upright, alternatives) = Hypothesis::of(board);
            let others = alternatives
                .iter()
                .filter_map(|it| it.board(photo, &self.config.locate));
            let others = others.map(|board| Hypothesis::of(board).0);
            std::iter::once(upright)
                .chain(others)
                .map(|upright| self.all_ways_up(&upright))
                .collect()
        });
        let mut places: Vec<Vec<[Turned; 4]>> = places.collect::<Result<_, _>>()?;
        let mut found = Vec::new();
        for puzzle in puzzles {
            let best = places.iter().enumerate().filter_map(|(number, outlines)| {
                let boards = outlines.iter().map(|turned| best_turn(turned, puzzle));
                let best = boards.reduce(|best, other| match rank(&other) > rank(&best) {
                    true => other,
                    false => best,
                });
                Some((number, best?))
            });
            let best = best.max_by_key(|(number, board)| (rank(board), std::cmp::Reverse(*number)));
            found.push(best.map(|(number, board)| {
                places[number].clear();
                board
            }));
        }
        Ok(found)
    }

    fn all_ways_up(&self, upright: &Hypothesis) -> Result<[Turned; 4], Refusal> {
        let turned = |turns| {
            let crops = upright.turned(Rotation::from_quarter_turns(turns)).crops;
            let posteriors = self.cells.classify(&crops)?;
            Ok::<_, Refusal>(Turned { crops, posteriors })
        };
        Ok([turned(0)?, turned(1)?, turned(2)?, turned(3)?])
    }
}

/// A board read in one orientation.
struct Turned {
    crops: CellMap<CellCrop>,
    posteriors: CellMap<Posterior>,
}

fn rank(board: &KnownBoard) -> (usize, usize) {
    (board.agreement(), board.lead)
}

/// Returns the orientation most similar to the puzzle; among equals the one nearest to upright.
fn best_turn(turned: &[Turned; 4], puzzle: &Puzzle) -> KnownBoard {
    let counts = turned.each_ref().map(|turned| {
        let (mut digits, mut blanks) = (0, 0);
        for cell in Cell::all() {
            match (puzzle.given(cell), turned.posteriors[cell].best()) {
                (None, None) => blanks += 1,
                (Some(given), Some(read)) if given == read => digits += 1,
                _ => {}
            }
        }
        (digits, blanks)
    });
    let cells = |turns: usize| counts[turns].0 + counts[turns].1;
    let mut order = [0, 1, 2, 3];
    order.sort_by_key(|&turns| std::cmp::Reverse(cells(turns)));
    let [best, next, ..] = order;
    let (digits, blanks) = counts[best];
    KnownBoard {
        crops: turned[best].crops.clone(),
        digits,
        blanks,
        lead: cells(best) - cells(next),
    }
}
