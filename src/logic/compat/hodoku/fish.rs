//! Fish, in HoDoKu's order: digit by digit, rows before columns as base, and all houses by number.

use std::ops::ControlFlow;

use super::board::{Board, eliminate};
use crate::grid::{Candidate, CellSet, Digit, House, HouseKind, HouseSet};
use crate::logic::deduction::{Deduction, Pattern};
use crate::logic::technique_id::{FishKind, FishShape, SubsetSize, TechniqueId};

/// A fish with more fins than that is not looked for.
const MOST_FINS: usize = 5;
/// Of these, so many may lie in two base houses.
const MOST_ENDO_FINS: usize = 2;

/// A house and the places of the digit in it.
type Side = (House, CellSet);

struct Search<'a> {
    board: Board<'a>,
    digit: Digit,
    /// How many base houses.
    size: usize,
    /// Whether blocks take part.
    franken: bool,
    /// With fins or without; for fish of lines alone, plain finned or sashimi.
    kind: FishKind,
}

/// The first fish of so many base houses: of lines alone (basic), or with blocks as well (Franken).
pub(super) fn fish(
    board: Board<'_>,
    size: usize,
    shape: FishShape,
    kind: FishKind,
) -> Option<Deduction> {
    for digit in Digit::ALL {
        for rows_first in [true, false] {
            let search = Search {
                board,
                digit,
                size,
                franken: shape == FishShape::Franken,
                kind,
            };
            if let ControlFlow::Break(found) = search.with_bases(rows_first) {
                return found;
            }
        }
    }
    None
}

impl Search<'_> {
    fn with_bases(&self, rows_first: bool) -> ControlFlow<Option<Deduction>> {
        let sides = |kind: HouseKind| -> Vec<Side> {
            let among = House::all().filter(|house| {
                let this = house.kind();
                this == kind || self.franken && this == HouseKind::Block
            });
            let held = among.map(|house| (house, self.board.places_in(self.digit, house)));
            held.filter(|(_, held)| !held.is_empty()).collect()
        };
        let (mut bases, covers) = if rows_first {
            (sides(HouseKind::Row), sides(HouseKind::Column))
        } else {
            (sides(HouseKind::Column), sides(HouseKind::Row))
        };
        if self.kind == FishKind::Plain {
            bases.retain(|(_, held)| held.len() <= self.size);
        }
        self.extend_base(
            &bases,
            &covers,
            &mut Vec::new(),
            CellSet::EMPTY,
            CellSet::EMPTY,
        )
    }

    fn extend_base(
        &self,
        bases: &[Side],
        covers: &[Side],
        chosen: &mut Vec<Side>,
        held: CellSet,
        endo: CellSet,
    ) -> ControlFlow<Option<Deduction>> {
        if chosen.len() == self.size {
            if self.board.is_late() {
                return ControlFlow::Break(None);
            }
            return self.with_base(covers, chosen, held, endo);
        }
        for (at, &side) in bases.iter().enumerate() {
            let twice = held.intersection(side.1);
            let most = if self.franken && self.kind != FishKind::Plain {
                MOST_ENDO_FINS
            } else {
                0
            };
            if !twice.is_empty() && endo.len() + twice.len() > most {
                continue;
            }
            chosen.push(side);
            let held = held.union(side.1);
            self.extend_base(&bases[at + 1..], covers, chosen, held, endo.union(twice))?;
            chosen.pop();
        }
        ControlFlow::Continue(())
    }

    fn with_base(
        &self,
        covers: &[Side],
        base: &[Side],
        held: CellSet,
        endo: CellSet,
    ) -> ControlFlow<Option<Deduction>> {
        let fit = covers.iter().filter(|(house, places)| {
            let used = base.iter().any(|(base, _)| base == house);
            !used && !places.intersection(held).is_empty()
        });
        let covers: Vec<Side> = fit.copied().collect();
        let fish = Fish {
            search: self,
            base,
            held,
            endo,
        };
        fish.extend_cover(&covers, HouseSet::EMPTY, CellSet::EMPTY, CellSet::EMPTY)
    }
}

struct Fish<'a> {
    search: &'a Search<'a>,
    base: &'a [Side],
    held: CellSet,
    endo: CellSet,
}

impl Fish<'_> {
    fn extend_cover(
        &self,
        covers: &[Side],
        chosen: HouseSet,
        covered: CellSet,
        twice: CellSet,
    ) -> ControlFlow<Option<Deduction>> {
        let missing = self.search.size - chosen.len();
        if missing == 0 {
            return match self.judge(chosen, covered, twice) {
                Some(found) => ControlFlow::Break(Some(found)),
                None => ControlFlow::Continue(()),
            };
        }
        let most = match self.search.kind {
            FishKind::Plain => 0,
            _ => MOST_FINS,
        };
        // Nine places are the most that a house can still cover.
        if self.held.difference(covered).len() > most + 9 * missing {
            return ControlFlow::Continue(());
        }
        for (at, &(house, places)) in covers.iter().enumerate() {
            if covers.len() - at < missing {
                break;
            }
            let again = covered.intersection(places);
            self.extend_cover(
                &covers[at + 1..],
                chosen.with(house),
                covered.union(places),
                twice.union(again),
            )?;
        }
        ControlFlow::Continue(())
    }

    fn judge(&self, cover: HouseSet, covered: CellSet, twice: CellSet) -> Option<Deduction> {
        let Search {
            digit,
            size,
            franken,
            kind: wanted,
            ..
        } = *self.search;
        let fins = self.held.difference(covered).union(self.endo);
        let plain = wanted == FishKind::Plain;
        if plain != fins.is_empty() || fins.len() > MOST_FINS {
            return None;
        }
        let seen = fins.common_peers();
        let beside = covered.difference(self.held).intersection(seen);
        let inside = twice.intersection(seen);
        if beside.is_empty() && inside.is_empty() {
            return None;
        }
        let base: HouseSet = self.base.iter().map(|&(house, _)| house).collect();
        let shape = FishShape::of(base, cover);
        let kind = self.kind(shape, fins);
        if !plain && !franken && kind != wanted {
            return None;
        }
        let eliminated = Candidate::in_cells(digit, beside)
            .chain(Candidate::in_cells(digit, inside))
            .collect();
        if plain && shape == FishShape::Basic {
            let size = *SubsetSize::ALL.get(size - 2)?;
            let pattern = || Pattern::Fish { digit, base, cover };
            return eliminate(TechniqueId::BasicFish(size), eliminated, pattern);
        }
        let technique = TechniqueId::Fish {
            size: u8::try_from(size).ok()?,
            shape,
            kind,
            siamese: false,
        };
        eliminate(technique, eliminated, || Pattern::FinnedFish {
            digit,
            base,
            cover,
            fins,
        })
    }

    fn kind(&self, shape: FishShape, fins: CellSet) -> FishKind {
        let mut bodies = self.base.iter().map(|(_, held)| held.difference(fins));
        if fins.is_empty() {
            FishKind::Plain
        } else if shape == FishShape::Basic && bodies.any(|body| body.len() <= 1) {
            FishKind::Sashimi
        } else {
            FishKind::Finned
        }
    }
}
