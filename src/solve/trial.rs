//! Fast trials of candidates.

use super::search_state::SearchState;
use crate::grid::{Candidate, CandidateGrid, CandidateSet, Contradiction, Digit};

/// A grid on which candidates are tried: placed, with all singles that follow.
#[derive(Clone, Debug)]
pub struct Trial {
    marks: SearchState,
}

impl Trial {
    /// Returns the trial on this grid.
    pub fn new(grid: &CandidateGrid) -> Trial {
        Trial {
            marks: SearchState::of_marks(grid),
        }
    }

    /// Returns whether placing the candidate leads to a contradiction within this many rounds of
    /// singles, naked ones first.
    pub fn refutes_within(&self, rounds: usize, candidate: Candidate) -> bool {
        let mut marks = self.marks.clone();
        marks.place(candidate.cell, candidate.digit);
        marks.place_near_singles(rounds).is_err()
    }

    /// Returns the candidates left after placing this one and all singles that follow.
    ///
    /// # Errors
    ///
    /// [`Contradiction`], if a cell is left without candidates or a digit without a place in a
    /// house.
    pub fn place(&self, candidate: Candidate) -> Result<CandidateSet, Contradiction> {
        let mut marks = self.marks.clone();
        marks.place(candidate.cell, candidate.digit);
        marks.place_singles()?;
        Ok(Digit::ALL
            .into_iter()
            .fold(CandidateSet::EMPTY, |left, digit| {
                left.union(&CandidateSet::of(digit, marks.places(digit)))
            }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Cell, Puzzle};

    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const HARD: &str =
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";

    #[test]
    fn a_candidate_is_refuted_within_the_rounds_that_its_singles_take() {
        let mut taken = [0; 82];
        for line in [EASY, HARD] {
            let grid = CandidateGrid::new(&line.parse::<Puzzle>().unwrap()).unwrap();
            let trial = Trial::new(&grid);
            let blanks = grid.blanks().into_iter();
            let candidates = blanks.flat_map(|cell| {
                let digits = grid.candidates(cell).into_iter();
                digits.map(move |digit| Candidate { cell, digit })
            });
            for candidate in candidates {
                assert!(!trial.refutes_within(0, candidate));
                let mut rounds = 1..=Cell::COUNT;
                let first = rounds.find(|&rounds| trial.refutes_within(rounds, candidate));
                let is_refuted = trial.place(candidate).is_err();
                assert_eq!(first.is_some(), is_refuted, "{candidate:?}");
                if let Some(first) = first {
                    taken[first] += 1;
                    assert!(trial.refutes_within(first + 1, candidate));
                }
            }
        }
        // Some show at once, and many after some rounds.
        assert!(
            taken[1] > 5 && taken[4..].iter().sum::<u32>() > 20,
            "{taken:?}"
        );
    }
}
