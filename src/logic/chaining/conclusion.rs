//! What forcing chains are looked for, what they show, and how they are rated.

use std::cmp::Ordering;

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

/// The rating of a chain and what decides between chains of the same rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rank {
    /// As Sudoku Explainer computes it, with its rounding errors: 6.6 + 0.1 is less than 6.5 + 0.2.
    difficulty: f64,
    length: u32,
    sort: u8,
}

impl Rank {
    /// The rank of a chain of so many claims, its base in tenths; kinds of chains with a lower sort
    /// come first.
    pub(super) fn new(base: u16, length: u32, sort: u8) -> Rank {
        let mut added = 0.0;
        let mut bound = 4;
        let mut odd = false;
        while length.saturating_sub(2) > bound {
            added += 0.1;
            bound = if odd { bound * 4 / 3 } else { bound * 3 / 2 };
            odd = !odd;
        }
        Rank {
            difficulty: f64::from(base) / 10.0 + added,
            length,
            sort,
        }
    }

    /// How many claims.
    pub(super) fn length(self) -> u32 {
        self.length
    }

    /// The rating in tenths.
    pub(super) fn tenths(self) -> u16 {
        (self.difficulty * 10.0).round() as u16
    }
}

impl Eq for Rank {}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Rank) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Rank) -> Ordering {
        let by_length = || self.length.cmp(&other.length);
        let by_sort = || self.sort.cmp(&other.sort);
        let difficulty = self.difficulty.total_cmp(&other.difficulty);
        difficulty.then_with(by_length).then_with(by_sort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rating_grows_by_a_tenth_per_length_bound() {
        let bounds = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256];
        for length in 0..300_u32 {
            let passed = bounds.iter().filter(|&&bound| length > bound).count() as u16;
            assert_eq!(Rank::new(65, length + 2, 0).tenths(), 65 + passed);
        }
    }

    #[test]
    fn chains_are_ordered_by_rating_then_length_then_kind() {
        let ordered = [
            Rank::new(65, 6, 9),
            Rank::new(66, 4, 1),
            Rank::new(66, 6, 1),
            Rank::new(66, 6, 2),
            Rank::new(65, 8, 2),
            // 6.6 + 0.1 is less than 6.5 + 0.1 + 0.1.
            Rank::new(66, 8, 2),
            Rank::new(65, 10, 2),
        ];
        assert!(ordered.is_sorted(), "{ordered:?}");
        assert_eq!(ordered[5].tenths(), ordered[6].tenths());
    }
}
