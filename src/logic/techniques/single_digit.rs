//! Patterns of one digit: skyscraper, 2-string kite, turbot fish, empty rectangle, and all ways to fill it in.

use std::ops::ControlFlow;

use crate::grid::HouseKind::{Column, Row};
use crate::grid::{Candidate, CandidateGrid, CandidateSet, Cell, CellSet, Digit, House, Lines};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, eliminate, place};
use crate::logic::technique_id::TechniqueId;

/// Turbot fish: two houses hold a digit in two places each, and a place of the one sees a place of
/// the other. Not both of these are right, so one of the two far ends is, and the digit is eliminated
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
                    let eliminated = places.intersection(ends);
                    if near.sees(other_near) && !eliminated.is_empty() {
                        sink(Deduction {
                            technique: label(one_house, other_house),
                            effect: Effect::Eliminate(CandidateSet::of(digit, eliminated)),
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
    match [one.kind(), other.kind()] {
        [Row, Row] | [Column, Column] => TechniqueId::Skyscraper,
        [Row, Column] => TechniqueId::TwoStringKite,
        _ => TechniqueId::TurbotFish,
    }
}

fn both_ways([first, second]: Link) -> [Link; 2] {
    [[first, second], [second, first]]
}

/// The two places in this house, if there are just two.
fn link(house: House, places: CellSet) -> Option<Link> {
    places.intersection(house.cells()).pair()
}

/// Dual 2-string kite: two 2-string kites, of one digit or of two, that meet in the same two cells of
/// a block. It eliminates what both do.
#[derive(Clone, Copy, Debug)]
pub struct DualTwoStringKite;

impl Technique for DualTwoStringKite {
    fn id(&self) -> TechniqueId {
        TechniqueId::DualTwoStringKite
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let mut kites = Vec::new();
        TurbotFish.search(grid, &mut |found| {
            if found.technique == TechniqueId::TwoStringKite {
                kites.push(found);
            }
            ControlFlow::Continue(())
        })?;
        for (at, one) in kites.iter().enumerate() {
            for other in &kites[at + 1..] {
                if !meet_alike(&one.pattern, &other.pattern) {
                    continue;
                }
                let eliminated = [one, other].map(|kite| match kite.effect {
                    Effect::Eliminate(eliminated) => eliminated,
                    Effect::Place(_) => CandidateSet::EMPTY,
                });
                eliminate(self.id(), eliminated[0].union(&eliminated[1]), sink, || {
                    Pattern::Both(Box::new([one.pattern.clone(), other.pattern.clone()]))
                })?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Whether both have the same inner cells.
fn meet_alike(one: &Pattern, other: &Pattern) -> bool {
    let inner = |pattern: &Pattern| match *pattern {
        Pattern::TurbotFish { cells, .. } => Some(CellSet::only(cells[1]).with(cells[2])),
        _ => None,
    };
    inner(one) == inner(other)
}

/// Empty rectangle: in a block, a digit has places in one row and one column only. A line that
/// crosses one of these two outside the block holds the digit in two places, one of them there: so
/// the digit is not where the other one of the two crosses the second place's line.
///
/// Two of the same block together are called a dual empty rectangle.
///
/// Described by Rod Hagglund on the players' forum.
#[derive(Clone, Copy, Debug)]
pub struct EmptyRectangle;

impl Technique for EmptyRectangle {
    fn id(&self) -> TechniqueId {
        TechniqueId::EmptyRectangle
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for digit in Digit::ALL {
            for block in House::all().skip(18) {
                let found = in_block(grid, digit, block);
                for (at, (eliminated, pattern)) in found.iter().enumerate() {
                    eliminate(self.id(), *eliminated, sink, || pattern.clone())?;
                    for (other, second) in &found[at + 1..] {
                        let dual = TechniqueId::DualEmptyRectangle;
                        eliminate(dual, eliminated.union(other), sink, || {
                            Pattern::Both(Box::new([pattern.clone(), second.clone()]))
                        })?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// All of this digit and block, with what they eliminate.
fn in_block(grid: &CandidateGrid, digit: Digit, block: House) -> Vec<(CandidateSet, Pattern)> {
    let places = grid.places(digit).difference(grid.placed());
    let inside = places.intersection(block.cells());
    let crosses = |line: &House| !line.cells().intersection(block.cells()).is_empty();
    let mut found = Vec::new();
    for row in Lines::Rows.houses().filter(crosses) {
        for column in Lines::Columns.houses().filter(crosses) {
            let by_row = inside.intersection(row.cells()).difference(column.cells());
            let by_column = inside.intersection(column.cells()).difference(row.cells());
            let rest = inside.difference(row.cells()).difference(column.cells());
            if by_row.is_empty() || by_column.is_empty() || !rest.is_empty() {
                continue;
            }
            for (one, other, lines) in [(row, column, Lines::Rows), (column, row, Lines::Columns)] {
                let entries = places.intersection(one.cells()).difference(block.cells());
                for near in entries {
                    let [along, across] = match lines {
                        Lines::Rows => [near.line(Lines::Columns), other],
                        Lines::Columns => [near.line(Lines::Rows), other],
                    };
                    let link = places.intersection(along.cells());
                    let Some(far) = link.without(near).single() else {
                        continue;
                    };
                    let ends = across.cells().intersection(far.line(lines).cells());
                    let eliminated = places.intersection(ends).difference(block.cells());
                    if !eliminated.is_empty() {
                        let pattern = Pattern::EmptyRectangle {
                            digit,
                            block,
                            lines: [one, other],
                            link: [near, far],
                        };
                        found.push((CandidateSet::of(digit, eliminated), pattern));
                    }
                }
            }
        }
    }
    found
}

/// Templates: of all ways to put a digit once into each house, those that its candidates allow. A
/// cell in all of them takes the digit, and a cell in none of them does not. What one digit takes is
/// left out for the others.
#[derive(Clone, Copy, Debug)]
pub enum Templates {
    /// Cells in all of them.
    Set,
    /// Cells in none of them.
    Delete,
}

impl Technique for Templates {
    fn id(&self) -> TechniqueId {
        match self {
            Templates::Set => TechniqueId::TemplateSet,
            Templates::Delete => TechniqueId::TemplateDelete,
        }
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let settled = settle(grid);
        grid.check_deadline()?;
        for (digit, reached) in Digit::ALL.into_iter().zip(settled) {
            let places = grid.places(digit);
            if reached.some.is_empty() {
                continue;
            }
            let pattern = Pattern::Templates { digit };
            match self {
                Templates::Set => {
                    let cells = reached.all.difference(grid.placed());
                    for candidate in Candidate::in_cells(digit, cells) {
                        sink(place(self.id(), candidate, pattern.clone()))?;
                    }
                }
                Templates::Delete => {
                    let eliminated = CandidateSet::of(digit, places.difference(reached.some));
                    eliminate(self.id(), eliminated, sink, || pattern)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// For each digit, what its templates have in common, and together. A cell in all templates of a
/// digit is in none of another's, which may leave fewer of these.
fn settle(grid: &State) -> [Reached; 9] {
    let mut places = Digit::ALL.map(|digit| grid.places(digit));
    loop {
        let reached = places.map(|places| {
            let mut reached = Reached {
                all: CellSet::ALL,
                some: CellSet::EMPTY,
            };
            let _ = extend(grid, places, 0, CellSet::EMPTY, &mut reached);
            reached
        });
        // Where a digit has no template there is no solution, and nothing more to learn.
        if reached.iter().any(|reached| reached.some.is_empty()) {
            return reached;
        }
        let before = places;
        for (digit, places) in places.iter_mut().enumerate() {
            for (other, reached) in reached.iter().enumerate() {
                if other != digit {
                    *places = places.difference(reached.all);
                }
            }
        }
        if places == before {
            return reached;
        }
    }
}

/// What the templates seen so far have in common, and together.
struct Reached {
    all: CellSet,
    some: CellSet,
}

/// Goes through the templates with these cells in the rows above.
fn extend(
    grid: &State,
    places: CellSet,
    row: usize,
    chosen: CellSet,
    reached: &mut Reached,
) -> ControlFlow<()> {
    let Some(house) = Lines::Rows.houses().nth(row) else {
        reached.all = reached.all.intersection(chosen);
        reached.some = reached.some.union(chosen);
        return ControlFlow::Continue(());
    };
    if row == 4 {
        grid.check_deadline()?;
    }
    for cell in places.intersection(house.cells()) {
        let places = places.difference(cell.peers());
        extend(grid, places, row + 1, chosen.with(cell), reached)?;
    }
    ControlFlow::Continue(())
}
