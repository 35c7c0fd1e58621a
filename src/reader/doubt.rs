//! Doubtful cells: those of which the reader is unsure, or that the rules overruled.

use serde::{Deserialize, Serialize};

use crate::decode::Decoded;
use crate::digits::Posterior;
use crate::grid::{Cell, CellMap, Digit};

/// Probability of the best content from which on a cell is not doubtful.
const SURE: f32 = 0.95;

/// A content of a cell (`None` is a blank) and its probability.
type Guess = (Option<Digit>, f32);

/// Least probability of a listed content.
const LISTED: f32 = 0.005;

/// A doubtful cell with its possible contents, the likeliest first, and at least two. In files:
/// `[cell, [[content, probability], …]]`, cells from 0, 0 for a blank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Plain", try_from = "Plain")]
pub struct Doubt {
    /// The cell.
    pub cell: Cell,
    /// Its possible contents.
    pub guesses: Vec<Guess>,
}

type Plain = (u8, Vec<(u8, f32)>);

impl Doubt {
    /// Returns the cell with its possible contents.
    pub fn of(cell: Cell, posterior: &Posterior) -> Doubt {
        let contents = std::iter::once(None).chain(Digit::ALL.map(Some));
        let mut guesses: Vec<Guess> = contents
            .map(|content| (content, posterior.of(content)))
            .collect();
        guesses.sort_by(|a, b| b.1.total_cmp(&a.1));
        let listed = guesses.iter().filter(|(_, share)| *share >= LISTED).count();
        guesses.truncate(listed.max(2));
        Doubt { cell, guesses }
    }

    /// Returns the cells of a board of which the reader is unsure, or that the rules overruled.
    pub(super) fn all(posteriors: &CellMap<Posterior>, decoded: &Decoded) -> Vec<Doubt> {
        let doubts = posteriors
            .iter()
            .map(|(cell, posterior)| Doubt::of(cell, posterior));
        doubts
            .filter(|doubt| doubt.guesses[0].1 < SURE || decoded.overruled.contains(doubt.cell))
            .collect()
    }
}

impl From<Doubt> for Plain {
    fn from(doubt: Doubt) -> Plain {
        let guesses = doubt.guesses.into_iter();
        let plain = guesses.map(|(content, share)| {
            let value = content.map_or(0, Digit::value);
            (value, (share * 1000.0).round() / 1000.0)
        });
        (doubt.cell.index() as u8, plain.collect())
    }
}

impl TryFrom<Plain> for Doubt {
    type Error = &'static str;

    fn try_from((cell, plain): Plain) -> Result<Doubt, &'static str> {
        let content = |value: u8| match value {
            0 => Ok(None),
            _ => Digit::new(value).map(Some).ok_or("no digit"),
        };
        let guesses = plain.into_iter();
        let guesses = guesses.map(|(value, share)| Ok((content(value)?, share)));
        Ok(Doubt {
            cell: Cell::all().nth(usize::from(cell)).ok_or("no cell")?,
            guesses: guesses.collect::<Result<_, &'static str>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likely_contents_are_kept_and_round_trip() {
        let mut weights = [0.0; 10];
        (weights[3], weights[8], weights[0], weights[1]) = (0.25, 0.625, 0.121, 0.004);
        let posterior = Posterior::from_weights(weights).unwrap();
        let doubt = Doubt::of(Cell::all().nth(40).unwrap(), &posterior);
        let expected = [(Digit::new(8), 0.625), (Digit::new(3), 0.25), (None, 0.121)];
        assert_eq!(doubt.guesses, expected);
        let json = serde_json::to_string(&doubt).unwrap();
        assert_eq!(json, "[40,[[8,0.625],[3,0.25],[0,0.121]]]");
        assert_eq!(serde_json::from_str::<Doubt>(&json).unwrap(), doubt);
        assert!(serde_json::from_str::<Doubt>("[81,[[8,0.6],[3,0.2]]]").is_err());
        assert!(serde_json::from_str::<Doubt>("[4,[[10,0.6],[3,0.2]]]").is_err());
    }
}
