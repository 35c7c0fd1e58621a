//! What puzzles are asked for, and what of that goes together.

use std::fmt;

use thiserror::Error;

use super::controlled::MOST_GIVENS;
use super::filter::Filter;
use super::givens_symmetry::GivensSymmetry;
use super::pattern::GivensPattern;

/// What a puzzle is to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Naked and hidden singles alone solve it.
    Easy,
    /// Without any one of its givens it has more than one solution.
    Minimal,
    /// A minimal puzzle to which random givens of its solution are added, where the filter asks for more givens than
    /// it has.
    Any,
}

/// How minimal puzzles are drawn. None of these is uniform; each says how it is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Distribution {
    /// Givens go from a full board in random order, each unless it is needed. Favours few givens: 24.4 on average,
    /// where all minimal puzzles have 26.6. The fastest.
    #[default]
    TopDown,
    /// Random givens until one solution is left, then givens go in random order while that stays so. Favours few
    /// givens more: 24.1 on average.
    BottomUp,
    /// As `TopDown`, but a trial ends at the first given that is needed: known weights, and uniform boards; see
    /// [`weight`](super::weight). 25.7 givens on average.
    Controlled,
}

impl Distribution {
    /// As it is written on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Distribution::BottomUp => "bottom-up",
            Distribution::TopDown => "top-down",
            Distribution::Controlled => "controlled",
        }
    }
}

/// What puzzles are asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// What they are like.
    pub kind: Kind,
    /// How they are drawn, if that was said.
    pub distribution: Option<Distribution>,
    /// The symmetry of their givens. No orbit of givens can go then; a single one of it may not be needed.
    pub symmetry: Option<GivensSymmetry>,
    /// Where their givens stand, pattern by pattern in turn. Not all of them need be needed.
    pub patterns: Vec<GivensPattern>,
    /// Which of them are kept.
    pub filter: Filter,
}

impl From<Kind> for Request {
    fn from(kind: Kind) -> Request {
        Request {
            kind,
            distribution: None,
            symmetry: None,
            patterns: Vec::new(),
            filter: Filter::default(),
        }
    }
}

/// Why there are no puzzles as they were asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RequestError {
    /// Two wishes that exclude each other.
    #[error("{one} and {other} do not go together: {why}")]
    Conflict {
        /// The one.
        one: &'static str,
        /// The other.
        other: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// A number of givens that no puzzle has.
    #[error("no puzzle has {givens} givens: {why}")]
    Givens {
        /// What was asked for.
        givens: String,
        /// The reason.
        why: String,
    },
}

/// The most givens that a known minimal puzzle has (M. Meng, 2014).
const MOST_KNOWN: usize = 40;

impl Request {
    /// Checks that the wishes go together.
    ///
    /// # Errors
    /// [`RequestError`].
    pub fn check(&self) -> Result<(), RequestError> {
        let conflict = |one, other, why| Err(RequestError::Conflict { one, other, why });
        let unshaped = match self.kind {
            Kind::Minimal => None,
            Kind::Easy => {
                let why = "easy puzzles are thinned in a way of their own";
                Some(("--kind easy", why))
            }
            Kind::Any => Some(("--kind any", "its givens are added anywhere")),
        };
        if let Some((kind, why)) = unshaped {
            if self.distribution.is_some() {
                return conflict(kind, "--distribution", why);
            }
            if self.symmetry.is_some() {
                return conflict(kind, "--symmetry", why);
            }
            if !self.patterns.is_empty() {
                return conflict(kind, "--pattern", why);
            }
        }
        if !self.patterns.is_empty() {
            if self.symmetry.is_some() {
                return conflict(
                    "--pattern",
                    "--symmetry",
                    "a pattern says where all givens stand",
                );
            }
            if self.distribution.is_some() {
                return conflict(
                    "--pattern",
                    "--distribution",
                    "puzzles of a pattern are searched for",
                );
            }
        }
        if self.distribution == Some(Distribution::Controlled) && self.symmetry.is_some() {
            let why = "its weights are right where each given goes by itself";
            return conflict("--distribution controlled", "--symmetry", why);
        }
        self.check_givens()
    }

    fn check_givens(&self) -> Result<(), RequestError> {
        let Some(span) = self.filter.givens else {
            return Ok(());
        };
        let impossible = |why: String| {
            let givens = span.to_string();
            Err(RequestError::Givens { givens, why })
        };
        if span.most.is_some_and(|most| most < 17) {
            return impossible("one solution takes 17 or more".to_owned());
        }
        let mut counts = self.patterns.iter().map(|pattern| pattern.cells().len());
        if !self.patterns.is_empty() && !counts.any(|count| span.contains(count)) {
            return impossible("none of the patterns has so many".to_owned());
        }
        let (most, of) = match (self.kind, self.distribution) {
            (Kind::Easy | Kind::Any, _) => (81, "all"),
            (_, Some(Distribution::Controlled)) => (MOST_GIVENS, "controlled"),
            _ => (MOST_KNOWN, "minimal"),
        };
        let unbound = self.symmetry.is_some() || !self.patterns.is_empty();
        if !unbound && span.least.is_some_and(|least| least > most) {
            return impossible(format!("{of} puzzles have {most} at most"));
        }
        Ok(())
    }

    /// How the puzzles are drawn.
    pub fn distribution(&self) -> Distribution {
        self.distribution.unwrap_or_default()
    }
}

/// The distribution, in a few words.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == Kind::Easy {
            f.write_str("easy, boards not uniform")?;
        } else if self.kind == Kind::Any {
            f.write_str("top-down, givens added, boards not uniform")?;
        } else if !self.patterns.is_empty() {
            f.write_str("by pattern, found by descent, not uniform")?;
        } else {
            f.write_str(self.distribution().name())?;
            f.write_str(match self.distribution() {
                Distribution::BottomUp | Distribution::TopDown => {
                    ", favours few givens, boards not uniform"
                }
                Distribution::Controlled => ", weights by the number of givens, boards uniform",
            })?;
        }
        if let Some(symmetry) = self.symmetry {
            write!(f, "; {symmetry} symmetry")?;
        }
        if !self.filter.is_open() {
            f.write_str("; all others rejected")?;
        }
        Ok(())
    }
}
