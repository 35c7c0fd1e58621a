//! A board to read.

use crate::grid::CellMap;
use crate::vision::{Alternative, Board, BoardPlace, CellCrop, Rotation, turn_board};

/// A board to read: one outline in one orientation.
#[derive(Clone, Debug)]
pub(super) struct Hypothesis {
    pub(super) place: BoardPlace,
    /// Cells in the orientation of the place.
    pub(super) crops: CellMap<CellCrop>,
}

impl Hypothesis {
    /// Returns the hypothesis that a located board is upright in the photo, and the other
    /// hypotheses for its place.
    pub(super) fn of(board: Board) -> (Hypothesis, Vec<Alternative>) {
        let hypothesis = Hypothesis {
            place: BoardPlace {
                lattice: board.lattice,
                polarity: board.polarity,
                rotation: Rotation::default(),
            },
            crops: board.crops,
        };
        (hypothesis, board.alternatives)
    }

    /// Returns whether the board is not upright in the photo.
    pub(super) fn is_turned(&self) -> bool {
        self.place.rotation != Rotation::default()
    }

    /// Returns the same outline in another orientation; `self` is upright in the photo.
    pub(super) fn turned(&self, rotation: Rotation) -> Hypothesis {
        let crops = match rotation.quarter_turns() {
            0 => self.crops.clone(),
            turns => turn_board(&self.crops, 4 - turns),
        };
        Hypothesis {
            place: BoardPlace {
                rotation,
                ..self.place.clone()
            },
            crops,
        }
    }
}
