//! Why a step is right: in short, in sentences, in hints, and as the parts of its pattern.
//!
//! The short notation is that of HoDoKu (Bernhard Hobiger), which players know.

use super::almost_locked::{als_chain, death_blossom, sue_de_coq};
use super::basic::{
    finned_fish, fish, full_house, hidden_single, locked_candidates, locked_subset, naked_single,
    subset,
};
use super::chain::{chain, colors, remote_pair, templates};
use super::forcing::forcing;
use super::uniqueness::{aligned_exclusion, bug, bug_plus_one, rectangle, unique_loop};
use super::wings::{empty_rectangle, turbot_fish, w_wing, xy_wing, xyz_wing};
use super::wording::{Part, PatternText, cannot_be, eliminations, is};
use crate::grid::{CandidateGrid, CandidateSet, DigitSet, HouseSet};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::technique::held;
use crate::logic::technique_id::TechniqueId;

/// The reason of a step, explained on the grid it was found on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Which technique found it.
    pub technique: TechniqueId,
    /// What it changes.
    pub effect: Effect,
    text: PatternText,
}

/// How much a hint gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HintLevel {
    /// Where to look.
    Where,
    /// Which technique, and where it is.
    Technique,
    /// The whole argument.
    Argument,
}

impl Argument {
    /// Explains why this step, found on this grid, is right.
    pub fn new(grid: &CandidateGrid, step: &Deduction) -> Argument {
        Argument {
            technique: step.technique,
            effect: step.effect,
            text: describe(grid, step.technique, &step.effect, &step.pattern),
        }
    }

    /// The candidates it is made of, by the part they play; all of them are on the grid.
    pub fn parts(&self) -> &[Part] {
        &self.text.parts
    }

    /// The houses it is seen in.
    pub fn houses(&self) -> HouseSet {
        self.text.houses
    }

    /// The step in short: `Naked pair: 8,9 in r5c25 => r5c4<>8`, `Hidden single: r3c2=1`.
    pub fn notation(&self) -> String {
        let name = self.title();
        match &self.effect {
            Effect::Place(candidate) => format!("{name}: {candidate}"),
            Effect::Eliminate(eliminated) => {
                format!(
                    "{name}: {} => {}",
                    self.text.short,
                    eliminations(eliminated)
                )
            }
        }
    }

    /// The whole argument in sentences. It names every cell and house it uses.
    pub fn text(&self) -> String {
        let conclusion = match &self.effect {
            Effect::Place(candidate) => is(*candidate),
            Effect::Eliminate(eliminated) => cannot_be(eliminated),
        };
        format!("{} So {conclusion}.", self.text.reason)
    }

    /// The step as a hint of this level.
    pub fn hint(&self, level: HintLevel) -> String {
        match level {
            HintLevel::Where => format!("Look at {}.", self.text.look),
            HintLevel::Technique => format!("{}: {}.", self.title(), self.text.short),
            HintLevel::Argument => format!("{}. {}", self.notation(), self.text()),
        }
    }

    /// The name of the technique as the beginning of a line.
    fn title(&self) -> String {
        let name = self.technique.name();
        let (first, rest) = name.split_at(1);
        first.to_uppercase() + rest
    }
}

/// Every pattern has its arm here; all else follows from what it says.
fn describe(
    grid: &CandidateGrid,
    technique: TechniqueId,
    effect: &Effect,
    pattern: &Pattern,
) -> PatternText {
    let eliminated = match effect {
        Effect::Place(candidate) => CandidateSet::only(*candidate),
        Effect::Eliminate(eliminated) => *eliminated,
    };
    match *pattern {
        Pattern::FullHouse { candidate, house } => full_house(candidate, house),
        Pattern::NakedSingle(candidate) => naked_single(grid, candidate),
        Pattern::HiddenSingle { candidate, house } => hidden_single(grid, candidate, house),
        Pattern::LockedCandidates {
            digit,
            cells,
            from,
            to,
        } => locked_candidates(digit, cells, [from, to]),
        Pattern::Subset {
            cells,
            digits,
            house,
        } => subset(grid, cells, digits, house),
        Pattern::LockedSubset {
            cells,
            digits,
            houses,
        } => locked_subset(grid, cells, digits, houses),
        Pattern::Fish { digit, base, cover } => fish(grid, digit, base, cover),
        Pattern::FinnedFish {
            digit,
            base,
            cover,
            fins,
        } => finned_fish(grid, digit, [base, cover], fins, eliminated.places(digit)),
        Pattern::XyWing {
            pivot,
            pincers,
            digit,
        } => xy_wing(grid, pivot, pincers, digit),
        Pattern::TurbotFish { digit, cells } => turbot_fish(grid, digit, cells),
        Pattern::XyzWing {
            pivot,
            pincers,
            digit,
        } => xyz_wing(grid, pivot, pincers, digit),
        Pattern::WWing {
            ends,
            house,
            linked,
            digit,
        } => w_wing(grid, ends, house, [linked, digit]),
        Pattern::EmptyRectangle {
            digit,
            block,
            lines,
            link,
        } => empty_rectangle(grid, digit, block, lines, link),
        Pattern::Both(ref both) => {
            let [one, other] = [0, 1].map(|at| describe(grid, technique, effect, &both[at]));
            PatternText {
                look: one.look,
                short: format!("{}; {}", one.short, other.short),
                reason: format!("First: {} Second: {}", one.reason, other.reason),
                houses: one.houses.iter().chain(other.houses.iter()).collect(),
                parts: [one.parts, other.parts].concat(),
            }
        }
        Pattern::Colors {
            digit,
            ref components,
        } => colors(grid, digit, components, technique, eliminated.places(digit)),
        Pattern::BugPlusOne(candidate) => bug_plus_one(candidate),
        Pattern::Rectangle {
            corners,
            digits,
            subset,
        } => rectangle(grid, corners, digits, subset, technique, &eliminated),
        Pattern::SueDeCoq {
            houses,
            center,
            sides,
        } => sue_de_coq(grid, houses, center, sides),
        Pattern::Chain {
            ref nodes,
            ref sets,
            closed,
        } => chain(grid, nodes, sets, closed),
        Pattern::AlsChain {
            ref sets,
            ref joints,
        } => als_chain(grid, sets, joints, &eliminated),
        Pattern::RemotePair { digits, ref cells } => remote_pair(grid, digits, cells),
        Pattern::DeathBlossom {
            stem, ref petals, ..
        } => death_blossom(grid, stem, petals, &eliminated),
        Pattern::Templates { digit } => templates(digit, effect),
        Pattern::UniqueLoop {
            ref cells,
            digits,
            subset,
        } => unique_loop(grid, cells, digits, subset, technique),
        Pattern::Bug { extra, subset } => bug(&extra, held(grid, subset, DigitSet::ALL)),
        Pattern::AlignedExclusion { cells, excluders } => aligned_exclusion(grid, cells, excluders),
        Pattern::Forcing { kind, ref branches } => forcing(kind, branches),
    }
}
