//! Two houses with two places each for a digit, joined by places that see each other.

use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, Digit, House};
use crate::logic::deduction::{Deduction, Effect, Pattern, TechniqueId};
use crate::logic::technique::Technique;

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

    fn find(&self, grid: &CandidateGrid) -> Option<Deduction> {
        Digit::ALL
            .into_iter()
            .find_map(|digit| self.find_of(digit, grid.places(digit)))
    }
}

impl TurbotFish {
    /// The first of this digit, whose places these are.
    fn find_of(&self, digit: Digit, places: CellSet) -> Option<Deduction> {
        let links = || House::all().filter_map(|house| link(house, places));
        for (at, one) in links().enumerate() {
            for other in links().skip(at + 1) {
                if one.iter().any(|cell| other.contains(cell)) {
                    continue;
                }
                for [far, near] in both_ways(one) {
                    for [other_far, other_near] in both_ways(other) {
                        let ends = far.peers().intersection(other_far.peers());
                        let struck = places.intersection(ends);
                        if near.sees(other_near) && !struck.is_empty() {
                            return Some(Deduction {
                                technique: self.id(),
                                effect: Effect::Eliminate(CandidateSet::of(digit, struck)),
                                pattern: Pattern::TurbotFish {
                                    digit,
                                    cells: [far, near, other_near, other_far],
                                },
                            });
                        }
                    }
                }
            }
        }
        None
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
