//! Two houses with two places each for a digit, joined by places that see each other.

use std::ops::ControlFlow;

use crate::grid::{CandidateSet, Cell, CellSet, Digit, House};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::TechniqueId;

/// Turbot fish: two houses hold a digit in two places each, and a place of the one sees a place of
/// the other. Not both of these are right, so one of the two far ends is, and the digit is struck
/// from all that see both. Between parallel lines it is called a skyscraper, between a row and a
/// column a two-string kite.
///
/// Described by Nick70 on the players' forum, 2005.
#[derive(Clone, Copy, Debug)]
pub struct TurbotFish;

/// The two places of a digit in a house: the far end, and the one that meets the other house.
type Link = [Cell; 2];

impl Technique for TurbotFish {
    fn id(&self) -> TechniqueId {
        TechniqueId::TurbotFish
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        Digit::ALL
            .into_iter()
            .try_for_each(|digit| search_of(digit, grid.places(digit), sink))
    }
}

/// Those of this digit, whose places these are.
fn search_of(digit: Digit, places: CellSet, sink: &mut Sink<'_>) -> ControlFlow<()> {
    let links = || House::all().filter_map(|house| Some((house, link(house, places)?)));
    for (at, (one_house, one)) in links().enumerate() {
        for (other_house, other) in links().skip(at + 1) {
            if one.iter().any(|cell| other.contains(cell)) {
                continue;
            }
            for [far, near] in both_ways(one) {
                for [other_far, other_near] in both_ways(other) {
                    let ends = far.peers().intersection(other_far.peers());
                    let struck = places.intersection(ends);
                    if near.sees(other_near) && !struck.is_empty() {
                        sink(Deduction {
                            technique: label(one_house, other_house),
                            effect: Effect::Eliminate(CandidateSet::of(digit, struck)),
                            pattern: Pattern::TurbotFish {
                                digit,
                                cells: [far, near, other_near, other_far],
                            },
                        })?;
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// What players call it, by the houses it is seen in.
fn label(one: House, other: House) -> TechniqueId {
    match [one.index() / 9, other.index() / 9] {
        [0, 0] | [1, 1] => TechniqueId::Skyscraper,
        [0, 1] => TechniqueId::TwoStringKite,
        _ => TechniqueId::TurbotFish,
    }
}

fn both_ways([first, second]: Link) -> [Link; 2] {
    [[first, second], [second, first]]
}

/// The two places in this house, if there are just two.
fn link(house: House, places: CellSet) -> Option<Link> {
    let mut held = places.intersection(house.cells()).into_iter();
    let link = [held.next()?, held.next()?];
    held.next().is_none().then_some(link)
}
