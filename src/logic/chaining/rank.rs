//! How chains are rated, and which of several is taken.

use std::cmp::Ordering;

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
    fn a_tenth_is_added_for_each_bound_that_is_passed() {
        let bounds = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256];
        for length in 0..300_u32 {
            let passed = bounds.iter().filter(|&&bound| length > bound).count() as u16;
            assert_eq!(Rank::new(65, length + 2, 0).tenths(), 65 + passed);
        }
    }

    #[test]
    fn lower_ratings_come_first_then_shorter_chains_then_their_sort() {
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
