//! A cell that a person should look at: the reader is unsure of it, or the rules overruled it.

use serde::{Deserialize, Serialize};

use crate::decode::Decoded;
use crate::digits::Posterior;
use crate::grid::{Cell, CellMap, Digit};

/// Probability of the best content from which on a cell is not doubtful.
const SURE: f32 = 0.95;

/// A content of a cell (`None` is a blank) and its probability.
type Guess = (Option<Digit>, f32);

/// A cell with the two contents that the reader thinks most likely, the likelier one first. In
/// files: `[cell, content, probability, content, probability]`, cells from 0, 0 for a blank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Plain", try_from = "Plain")]
pub struct Doubt {
    /// The cell.
    pub cell: Cell,
    /// What it most likely holds.
    pub best: Guess,
    /// What else it may hold.
    pub second: Guess,
}

type Plain = (u8, u8, f32, u8, f32);

impl Doubt {
    /// What the reader thinks of a cell.
    pub fn of(cell: Cell, posterior: &Posterior) -> Doubt {
        let contents = std::iter::once(None).chain(Digit::ALL.map(Some));
        let mut guesses: Vec<Guess> = contents
            .map(|content| (content, posterior.of(content)))
            .collect();
        guesses.sort_by(|a, b| b.1.total_cmp(&a.1));
        Doubt {
            cell,
            best: guesses[0],
            second: guesses[1],
        }
    }

    /// The cells of a board of which the reader is unsure, or that the rules overruled.
    pub(super) fn all(posteriors: &CellMap<Posterior>, decoded: &Decoded) -> Vec<Doubt> {
        let doubts = posteriors
            .iter()
            .map(|(cell, posterior)| Doubt::of(cell, posterior));
        doubts
            .filter(|doubt| doubt.best.1 < SURE || decoded.overruled.contains(doubt.cell))
            .collect()
    }
}

impl From<Doubt> for Plain {
    fn from(doubt: Doubt) -> Plain {
        let value = |(content, _): Guess| content.map_or(0, Digit::value);
        let share = |(_, share): Guess| (share * 1000.0).round() / 1000.0;
        let (best, second) = (doubt.best, doubt.second);
        let cell = doubt.cell.index() as u8;
        (cell, value(best), share(best), value(second), share(second))
    }
}

impl TryFrom<Plain> for Doubt {
    type Error = &'static str;

    fn try_from((cell, best, p, second, q): Plain) -> Result<Doubt, &'static str> {
        let content = |value: u8| match value {
            0 => Ok(None),
            _ => Digit::new(value).map(Some).ok_or("no digit"),
        };
        Ok(Doubt {
            cell: Cell::all().nth(usize::from(cell)).ok_or("no cell")?,
            best: (content(best)?, p),
            second: (content(second)?, q),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_likeliest_contents_are_kept_and_survive_a_file() {
        let mut weights = [0.0; 10];
        (weights[3], weights[8], weights[0]) = (0.25, 0.625, 0.125);
        let posterior = Posterior::from_weights(weights).unwrap();
        let doubt = Doubt::of(Cell::all().nth(40).unwrap(), &posterior);
        assert_eq!(doubt.best, (Digit::new(8), 0.625));
        assert_eq!(doubt.second, (Digit::new(3), 0.25));
        let json = serde_json::to_string(&doubt).unwrap();
        assert_eq!(json, "[40,8,0.625,3,0.25]");
        assert_eq!(serde_json::from_str::<Doubt>(&json).unwrap(), doubt);
        assert!(serde_json::from_str::<Doubt>("[81,8,0.6,3,0.2]").is_err());
        assert!(serde_json::from_str::<Doubt>("[4,10,0.6,3,0.2]").is_err());
    }
}
