//! Scales: what the steps of a profile count for.

use super::deduction::Deduction;

/// A step of a path, with the number of its entry in the profile; `None` for a digit that was guessed.
pub type PathStep = Option<(usize, Deduction)>;

/// Rates a path, which ends in a full board without a guess or does not: the hardest technique, as the scale spells
/// it, and the numbers.
pub type Scale = fn(path: &[PathStep], solved: bool) -> (Option<&'static str>, Measure);

/// The numbers of a scale, for the path of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Nothing beyond the hardest technique.
    Rank,
    /// Ratings in tenths; none that a guess has cut off.
    Tenths {
        /// Of the hardest step.
        er: Option<u16>,
        /// Of the hardest step up to the first placement.
        ep: Option<u16>,
        /// Of the first step.
        ed: Option<u16>,
    },
    /// A level and a score.
    Score {
        /// The level of the hardest step, or the one that the score calls for.
        level: Level,
        /// The sum of the steps.
        score: u32,
    },
}

/// Levels of difficulty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Singles.
    Easy,
    /// Locked candidates, pairs, triples.
    Medium,
    /// Wings, single-digit patterns, uniqueness.
    Hard,
    /// Fins, chains, almost locked sets.
    Unfair,
    /// Nets, and what needs a guess.
    Extreme,
}

impl Level {
    /// The name in capital letters.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Easy => "EASY",
            Level::Medium => "MEDIUM",
            Level::Hard => "HARD",
            Level::Unfair => "UNFAIR",
            Level::Extreme => "EXTREME",
        }
    }
}

/// The scale of profiles without numbers: the later an entry of the profile, the harder.
pub(super) fn rank(path: &[PathStep], _: bool) -> (Option<&'static str>, Measure) {
    let steps = path.iter().flatten();
    let hardest = hardest(steps.map(|(entry, step)| (step.technique.spelling(), entry)));
    (hardest.map(|(name, _)| name), Measure::Rank)
}

/// The first of the hardest.
pub(super) fn hardest<T: PartialOrd>(
    steps: impl Iterator<Item = (&'static str, T)>,
) -> Option<(&'static str, T)> {
    steps.reduce(|held, step| if step.1 > held.1 { step } else { held })
}
