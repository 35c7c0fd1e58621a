//! What forcing chains are looked for, and what they show.

use super::board::{Board, CELLS, Frame, bits};
use super::implication_graph::Reach;

/// Which forcing chains are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NetKind {
    /// Contradictions of one digit.
    Nishio,
    /// From all candidates of a cell or all places of a digit in a house, each claim following from
    /// one.
    Multiple,
    /// Claims may follow from several, up to this level: from 1 on also by locked candidates, pairs
    /// and X-wings, from 2 on by chains inside the chain.
    Dynamic(u8),
}

/// What was found, by the assumptions it was found from. Claims are numbered as in
/// [`ImplicationGraph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conclusion {
    /// This claim comes to a contradiction.
    Absurd(usize),
    /// A candidate right or not, both come to this claim.
    Double(usize, usize),
    /// All candidates of the cell come to this claim.
    Cell(usize, usize),
    /// All places of the digit in the house come to this claim.
    House(usize, usize, usize),
}

impl NetKind {
    pub(super) fn base(self) -> u16 {
        match self {
            NetKind::Nishio => 75,
            NetKind::Multiple => 80,
            NetKind::Dynamic(level) => 85 + 5 * u16::from(level),
        }
    }

    pub(super) fn level(self) -> u8 {
        match self {
            NetKind::Dynamic(level) => level,
            _ => 0,
        }
    }

    /// Whether chains are looked for inside the chain.
    pub(super) fn is_nested(self) -> bool {
        self.level() >= 2
    }

    pub(super) fn reach(self) -> Reach {
        Reach {
            dynamic: self != NetKind::Multiple,
            cells: self != NetKind::Nishio,
        }
    }
}

impl Conclusion {
    /// In which order conclusions of the same length are taken.
    pub(super) fn sort(self) -> u8 {
        match self {
            Conclusion::Double(..) => 1,
            Conclusion::Cell(..) => 5,
            Conclusion::House(..) => 6,
            Conclusion::Absurd(_) => 7,
        }
    }

    /// The claim that is shown.
    pub(super) fn target(self, count: usize) -> usize {
        match self {
            Conclusion::Absurd(claim) => (claim + count) % (2 * count),
            Conclusion::Double(_, target)
            | Conclusion::Cell(_, target)
            | Conclusion::House(_, _, target) => target,
        }
    }

    /// The claims that are assumed, in order.
    pub(super) fn assumed(self, frame: &Frame, board: &Board) -> Vec<usize> {
        match self {
            Conclusion::Absurd(claim) => vec![claim, claim],
            Conclusion::Double(number, _) => vec![number, number + frame.len()],
            Conclusion::Cell(cell, _) => {
                let digits = bits(board.cells[cell]);
                digits.map(|digit| frame.number(cell, digit)).collect()
            }
            Conclusion::House(house, digit, _) => {
                let places = bits(board.places[house][digit]);
                let cells = places.map(|place| CELLS[house][place] as usize);
                cells.map(|cell| frame.number(cell, digit)).collect()
            }
        }
    }
}

/// What a claim eliminates.
pub(super) fn eliminated_by(frame: &Frame, board: &Board, claim: usize) -> (usize, u16) {
    let count = frame.len();
    if claim >= count {
        let (cell, digit) = frame.mark(claim - count);
        return (cell, 1 << digit);
    }
    let (cell, digit) = frame.mark(claim);
    (cell, board.cells[cell] & !(1 << digit))
}
