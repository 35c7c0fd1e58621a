//! Fish: a digit confined, in some houses, to as many houses across.

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::grid::{CandidateSet, CellSet, Digit, House, HouseSet, Lines};
use crate::logic::deduction::Pattern;
use crate::logic::hall::{Nine, each_hall_subset};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, eliminate};
use crate::logic::technique_id::{FishKind, FishShape, SubsetSize, TechniqueId};

/// Fish with fins, or with blocks among their houses, or both. `n` base houses hold a digit `n`
/// times. If all their places lie in `n` cover houses these hold it there, and nowhere else. Places
/// outside the cover are fins, and so are places that two base houses share (endo-fins): one of them
/// is right, or the fish is. So what the fish would eliminate is eliminated where it sees all fins. A
/// place that two cover houses share is eliminated as well, even out of a base house.
///
/// The general rule is by Obi-Wahn (players' forum, 2006); its names follow HoDoKu.
#[derive(Clone, Copy, Debug)]
pub struct Fish {
    /// How many base houses.
    pub size: u8,
    /// Which houses.
    pub shape: FishShape,
}

/// One fish of a digit.
struct Found {
    base: HouseSet,
    cover: HouseSet,
    fins: CellSet,
    eliminated: CellSet,
    kind: FishKind,
}

impl Technique for Fish {
    fn id(&self) -> TechniqueId {
        let kind = match self.shape {
            FishShape::Basic => FishKind::Finned,
            FishShape::Franken | FishShape::Mutant => FishKind::Plain,
        };
        self.name(kind, false)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for digit in Digit::ALL {
            let places = grid.places(digit).difference(grid.placed());
            let open: Vec<House> = House::all()
                .filter(|house| !places.intersection(house.cells()).is_empty())
                .collect();
            for (bases, covers) in self.shape.sides() {
                let among = |side: HouseSet| {
                    let among = open
                        .iter()
                        .copied()
                        .filter(move |&house| side.contains(house));
                    among.collect::<Vec<House>>()
                };
                let (bases, covers) = (among(bases), among(covers));
                let size = usize::from(self.size);
                each_choice(&bases, size, HouseSet::EMPTY, &mut |base| {
                    grid.check_deadline()?;
                    self.with_base(digit, places, base, &covers, sink)
                })?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Fish {
    fn name(&self, kind: FishKind, siamese: bool) -> TechniqueId {
        TechniqueId::Fish {
            size: self.size,
            shape: self.shape,
            kind,
            siamese,
        }
    }

    /// All fish of this base, then all pairs of them that eliminate different places: the Siamese.
    fn with_base(
        &self,
        digit: Digit,
        places: CellSet,
        base: HouseSet,
        covers: &[House],
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let found = self.covered(places, base, covers);
        let pattern = |fish: &Found| Pattern::FinnedFish {
            digit,
            base: fish.base,
            cover: fish.cover,
            fins: fish.fins,
        };
        for (at, one) in found.iter().enumerate() {
            let eliminated = CandidateSet::of(digit, one.eliminated);
            eliminate(self.name(one.kind, false), eliminated, sink, || {
                pattern(one)
            })?;
            for other in &found[at + 1..] {
                let both = one.eliminated.union(other.eliminated);
                if one.kind == FishKind::Plain
                    || other.kind == FishKind::Plain
                    || both == one.eliminated
                    || both == other.eliminated
                {
                    continue;
                }
                let kind = one.kind.min(other.kind);
                let eliminated = CandidateSet::of(digit, both);
                eliminate(self.name(kind, true), eliminated, sink, || {
                    Pattern::Both(Box::new([pattern(one), pattern(other)]))
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// All covers of this base that eliminate something.
    fn covered(&self, places: CellSet, base: HouseSet, covers: &[House]) -> Vec<Found> {
        let covers: Vec<House> = covers
            .iter()
            .copied()
            .filter(|&h| !base.contains(h))
            .collect();
        let held = base.cells().intersection(places);
        let endo = endo_fins(places, base);
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for target in places {
            // Fins must see the target; all else must be covered.
            if !endo.difference(target.peers()).is_empty() {
                continue;
            }
            let must = held.difference(target.peers()).without(target);
            let size = usize::from(self.size);
            extend(&covers, held, must, size, HouseSet::EMPTY, &mut |cover| {
                if seen.insert(cover) {
                    found.extend(self.judge(places, base, cover, endo));
                }
            });
        }
        found
    }

    fn judge(
        &self,
        places: CellSet,
        base: HouseSet,
        cover: HouseSet,
        endo: CellSet,
    ) -> Option<Found> {
        let held = base.cells().intersection(places);
        let fins = held.difference(cover.cells()).union(endo);
        let seen = fins.common_peers();
        let twice = endo_fins(places, cover);
        let eliminated = cover
            .cells()
            .intersection(places)
            .difference(held)
            .union(twice.difference(endo));
        let eliminated = eliminated.intersection(seen).difference(fins);
        let plain_basic = fins.is_empty() && self.shape == FishShape::Basic;
        if eliminated.is_empty() || plain_basic || FishShape::of(base, cover) != self.shape {
            return None;
        }
        let body = |house: House| held.difference(fins).intersection(house.cells()).len();
        let kind = if fins.is_empty() {
            FishKind::Plain
        } else if self.shape == FishShape::Basic && base.iter().any(|house| body(house) < 2) {
            FishKind::Sashimi
        } else {
            FishKind::Finned
        };
        Some(Found {
            base,
            cover,
            fins,
            eliminated,
            kind,
        })
    }
}

/// The places that two of the houses share.
fn endo_fins(places: CellSet, houses: HouseSet) -> CellSet {
    let (mut once, mut twice) = (CellSet::EMPTY, CellSet::EMPTY);
    for house in houses.iter() {
        let held = places.intersection(house.cells());
        twice = twice.union(once.intersection(held));
        once = once.union(held);
    }
    twice
}

/// All choices of so many of these houses.
fn each_choice(
    of: &[House],
    missing: usize,
    chosen: HouseSet,
    visit: &mut impl FnMut(HouseSet) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if missing == 0 {
        return visit(chosen);
    }
    for (at, &house) in of.iter().enumerate() {
        each_choice(&of[at + 1..], missing - 1, chosen.with(house), visit)?;
    }
    ControlFlow::Continue(())
}

/// All choices of so many covers that hold all of what must be covered, each with places of the base.
/// Some are shown several times.
fn extend(
    covers: &[House],
    held: CellSet,
    must: CellSet,
    missing: usize,
    chosen: HouseSet,
    visit: &mut impl FnMut(HouseSet),
) {
    if missing == 0 {
        if must.is_empty() {
            visit(chosen);
        }
        return;
    }
    let first = must.first();
    for &house in covers {
        let helps = match first {
            Some(cell) => house.cells().contains(cell),
            None => !held.intersection(house.cells()).is_empty(),
        };
        if helps && !chosen.contains(house) {
            let must = must.difference(house.cells());
            extend(covers, held, must, missing - 1, chosen.with(house), visit);
        }
    }
}

/// X-wing, swordfish, jellyfish without fins: so many rows in which a digit has places in so many
/// columns only, or the other way round. It is eliminated from the rest of the lines across.
#[derive(Clone, Copy, Debug)]
pub struct BasicFish(
    /// How many lines each way.
    pub SubsetSize,
);

impl Technique for BasicFish {
    fn id(&self) -> TechniqueId {
        TechniqueId::BasicFish(self.0)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let blanks = grid.blanks();
        for digit in Digit::ALL {
            let places = grid.places(digit).intersection(blanks);
            if places.is_empty() {
                continue;
            }
            let mut in_rows = [Nine::default(); 9];
            let mut in_columns = [Nine::default(); 9];
            for cell in places {
                in_rows[cell.row()].insert(cell.column());
                in_columns[cell.column()].insert(cell.row());
            }
            let [rows, columns] = Lines::BOTH;
            self.search_in((digit, places), &in_rows, [rows, columns], sink)?;
            self.search_in((digit, places), &in_columns, [columns, rows], sink)?;
        }
        ControlFlow::Continue(())
    }
}

impl BasicFish {
    /// Those with base lines of the first kind, each given by the lines across that hold its places.
    fn search_in(
        &self,
        (digit, places): (Digit, CellSet),
        lines: &[Nine; 9],
        [base_lines, cover_lines]: [Lines; 2],
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        each_hall_subset(lines, self.0, |base, cover| {
            let base: HouseSet = base.choose(base_lines.houses()).collect();
            let cover: HouseSet = cover.choose(cover_lines.houses()).collect();
            let eliminated = places.intersection(cover.cells()).difference(base.cells());
            let eliminated = CandidateSet::of(digit, eliminated);
            eliminate(self.id(), eliminated, sink, || Pattern::Fish {
                digit,
                base,
                cover,
            })
        })
    }
}
