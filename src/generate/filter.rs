//! Which puzzles have a rating, a level and a number of givens that were asked for.

use std::fmt;
use std::str::FromStr;

use super::prover::Prover;
use super::span::{Span, Tenths};
use crate::grid::Puzzle;
use crate::logic::{
    CHEAP_TECHNIQUES, Effect, HODOKU, Level, LinkKind, Measure, Position, Rater, RefutingChain,
    Run, State, explainer_below, explainer_rating,
};

/// A level of HoDoKu, written in small letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LevelName(pub Level);

const LEVELS: [Level; 5] = [
    Level::Easy,
    Level::Medium,
    Level::Hard,
    Level::Unfair,
    Level::Extreme,
];

impl FromStr for LevelName {
    type Err = String;

    fn from_str(text: &str) -> Result<LevelName, String> {
        let named = LEVELS
            .into_iter()
            .find(|level| level.name().eq_ignore_ascii_case(text));
        named.map(LevelName).ok_or_else(|| {
            let names = LEVELS.map(|level| level.name().to_lowercase()).join(", ");
            format!("`{text}` is no level: expected one of {names}")
        })
    }
}

impl fmt::Display for LevelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name().to_lowercase())
    }
}

/// What the puzzles that are kept have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The rating of the hardest step by Sudoku Explainer 1.2.1.
    pub er: Option<Span<Tenths>>,
    /// The level by HoDoKu 2.2.
    pub level: Option<Span<LevelName>>,
    /// The number of givens.
    pub givens: Option<Span<usize>>,
}

impl Filter {
    /// Whether everything is kept.
    pub fn is_open(&self) -> bool {
        *self == Filter::default()
    }

    /// Whether a puzzle with one solution is kept.
    pub fn keeps(&self, puzzle: &Puzzle) -> bool {
        self.keeps_by(puzzle, &mut Prover::default())
    }

    /// [`Filter::keeps`] with a solver that is there already.
    pub(super) fn keeps_by(&self, puzzle: &Puzzle, prover: &mut Prover) -> bool {
        self.givens
            .is_none_or(|span| span.contains(puzzle.given_count()))
            && self.er.is_none_or(|span| is_rated(puzzle, span, prover))
            && self.level.is_none_or(|span| has_level(puzzle, span))
    }
}

fn has_level(puzzle: &Puzzle, span: Span<LevelName>) -> bool {
    let rating = Rater::new(&HODOKU).rate(puzzle);
    let measure = rating.map(|rating| rating.measure);
    matches!(measure, Ok(Measure::Score { level, .. }) if span.contains(LevelName(level)))
}

/// What a step of [`CHEAP_TECHNIQUES`] is rated at most, in tenths: the turbot fish.
const CHEAP_MOST: u16 = 66;
/// The same of a chain with no more than [`CHAIN_CLAIMS`] claims: 7.0, and 0.9 for its length.
const CHAIN_MOST: u16 = 79;
const CHAIN_CLAIMS: usize = 96;

/// Whether the hardest step of a puzzle is rated in this range.
///
/// A puzzle that is solved by techniques that are rated lower has a lower rating, whatever the path: what they find is
/// found after any other step as well. That is looked at first. Then the path of the profile is followed, only as far
/// as it takes to know: to be at least `A`, it is enough that no technique has a step that is rated lower, and the step
/// that comes next need not be found.
fn is_rated(puzzle: &Puzzle, span: Span<Tenths>, prover: &mut Prover) -> bool {
    let least = span.least.map_or(0, |Tenths(least)| least);
    let most = span.most.map(|Tenths(most)| most);
    if least > CHEAP_MOST
        && (prover.needs_no_guess(puzzle) || is_solved(puzzle, least > CHAIN_MOST))
    {
        return false;
    }
    let profile = explainer_below(most.map_or(least, |most| most.saturating_add(1)));
    let Ok(mut run) = Run::new(&profile, &Position::Puzzle(*puzzle)) else {
        return false;
    };
    let mut hardest = 0;
    while let Ok(Some((_, step))) = run.next_step() {
        hardest = hardest.max(explainer_rating(&step).1);
        if let Some(most) = most
            && hardest > most
        {
            return false;
        }
        if (most.is_none() && hardest >= least) || run.take(&step).is_err() {
            break;
        }
    }
    let solved = run.state().blanks().is_empty();
    match most {
        Some(_) => solved && hardest >= least,
        None => !solved || hardest >= least,
    }
}

/// Whether cheap techniques solve a puzzle, with or without chains of single candidates.
fn is_solved(puzzle: &Puzzle, with_chains: bool) -> bool {
    let Ok(mut state) = State::of_puzzle(puzzle) else {
        return false;
    };
    loop {
        while let Some(step) = CHEAP_TECHNIQUES.iter().find_map(|entry| entry.step(&state)) {
            if state.apply(&step.effect).is_err() {
                return false;
            }
        }
        if state.blanks().is_empty() {
            return true;
        }
        if !with_chains {
            return false;
        }
        let refuted = CHAINS.targets(&state, CHAIN_CLAIMS);
        if refuted.is_empty() || state.apply(&Effect::Eliminate(refuted)).is_err() {
            return false;
        }
    }
}

const CHAINS: RefutingChain = RefutingChain(LinkKind::Candidates);
