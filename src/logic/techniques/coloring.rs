//! Simple colors, multi-colors, and remote pairs.

use std::ops::ControlFlow;

use crate::grid::{CandidateSet, Cell, CellSet, Digit, House};
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, eliminate, held};
use crate::logic::technique_id::TechniqueId;

/// Which cells of one component of conjugate places share a fate: all of the first are right, or all
/// of the second.
type Colors = [CellSet; 2];

/// Simple colors: places of a digit that are joined by houses with two places get two colors in
/// turn. One color is right as a whole. A place that sees both is wrong (trap), and so is a color
/// that has two places in a house (wrap).
#[derive(Clone, Copy, Debug)]
pub struct SimpleColors;

/// Multi-colors: two components of such places. Where a color of the one sees a color of the other,
/// one of the opposite colors is right (type 1); where it sees both, it is wrong (type 2).
#[derive(Clone, Copy, Debug)]
pub struct MultiColors;

impl Technique for SimpleColors {
    fn id(&self) -> TechniqueId {
        TechniqueId::SimpleColorsTrap
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for digit in Digit::ALL {
            let places = grid.places(digit).difference(grid.placed());
            for colors in components(places) {
                let pattern = || Pattern::Colors {
                    digit,
                    components: vec![colors],
                };
                for color in colors {
                    if !color.intersection(seen(color)).is_empty() {
                        let eliminated = CandidateSet::of(digit, color);
                        eliminate(TechniqueId::SimpleColorsWrap, eliminated, sink, pattern)?;
                    }
                }
                let eliminated = places.intersection(seen(colors[0]).intersection(seen(colors[1])));
                let eliminated = CandidateSet::of(digit, eliminated);
                eliminate(TechniqueId::SimpleColorsTrap, eliminated, sink, pattern)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Technique for MultiColors {
    fn id(&self) -> TechniqueId {
        TechniqueId::MultiColors1
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for digit in Digit::ALL {
            let places = grid.places(digit).difference(grid.placed());
            let all = components(places);
            for (at, &one) in all.iter().enumerate() {
                for (_, &other) in all.iter().enumerate().filter(|&(other, _)| other != at) {
                    let pattern = || Pattern::Colors {
                        digit,
                        components: vec![one, other],
                    };
                    let mut ends = CellSet::EMPTY;
                    for (color, opposite) in [(one[0], one[1]), (one[1], one[0])] {
                        let meets = other.map(|met| !color.intersection(seen(met)).is_empty());
                        if meets == [true, true] {
                            let eliminated = CandidateSet::of(digit, color);
                            eliminate(TechniqueId::MultiColors2, eliminated, sink, pattern)?;
                        }
                        for (met, left) in meets.into_iter().zip([other[1], other[0]]) {
                            if met {
                                ends = ends.union(seen(opposite).intersection(seen(left)));
                            }
                        }
                    }
                    let eliminated = CandidateSet::of(digit, places.intersection(ends));
                    eliminate(TechniqueId::MultiColors1, eliminated, sink, pattern)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// All that see one of these.
fn seen(cells: CellSet) -> CellSet {
    let peers = cells.into_iter().map(Cell::peers);
    peers.fold(CellSet::EMPTY, CellSet::union)
}

/// The components of these places of a digit, each of two or more, in two colors.
fn components(places: CellSet) -> Vec<Colors> {
    let links: Vec<CellSet> = House::all()
        .map(|house| places.intersection(house.cells()))
        .filter(|link| link.len() == 2)
        .collect();
    let mut left = links
        .iter()
        .fold(CellSet::EMPTY, |all, &link| all.union(link));
    let mut found = Vec::new();
    while let Some(first) = left.first() {
        let mut colors = [CellSet::only(first), CellSet::EMPTY];
        loop {
            let before = colors;
            for &link in &links {
                for (color, other) in [(0, 1), (1, 0)] {
                    if !link.intersection(colors[color]).is_empty() {
                        let opposite = link.difference(colors[color]);
                        colors[other] = colors[other].union(opposite);
                    }
                }
            }
            if colors == before {
                break;
            }
        }
        left = left.difference(colors[0]).difference(colors[1]);
        found.push(colors);
    }
    found
}

/// Remote pair: four or more cells of the same two candidates, each of which sees the next. The
/// digits alternate, so two of them at odd distance hold both, and a cell that sees both holds
/// neither.
#[derive(Clone, Copy, Debug)]
pub struct RemotePair;

impl Technique for RemotePair {
    fn id(&self) -> TechniqueId {
        TechniqueId::RemotePair
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let two = grid.with_at_most(2).difference(grid.with_at_most(1));
        for first in two {
            let digits = grid.candidates(first);
            let alike: CellSet = two
                .into_iter()
                .filter(|&cell| grid.candidates(cell) == digits)
                .collect();
            let mut path = vec![first];
            extend(alike, &mut path, &mut |path: &[Cell]| {
                grid.check_deadline()?;
                let last = path[path.len() - 1];
                if path.len() < 4 || path.len() % 2 == 1 || last < first {
                    return ControlFlow::Continue(());
                }
                let mut seen = CellSet::EMPTY;
                for (at, one) in path.iter().enumerate() {
                    for other in path[at + 1..].iter().step_by(2) {
                        seen = seen.union(one.peers().intersection(other.peers()));
                    }
                }
                let eliminated = held(grid, seen.difference(alike), digits);
                eliminate(self.id(), eliminated, sink, || Pattern::RemotePair {
                    digits,
                    cells: path.to_vec(),
                })
            })?;
        }
        ControlFlow::Continue(())
    }
}

/// Goes through the ways on from the last cell: each cell at most once.
fn extend(
    alike: CellSet,
    path: &mut Vec<Cell>,
    visit: &mut dyn FnMut(&[Cell]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    visit(path)?;
    let last = path[path.len() - 1];
    for next in alike.intersection(last.peers()) {
        if !path.contains(&next) {
            path.push(next);
            extend(alike, path, visit)?;
            path.pop();
        }
    }
    ControlFlow::Continue(())
}
