//! Strong and weak links: which candidates imply each other.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use super::state::State;
use super::technique_id::ChainName;
use crate::grid::{Candidate, CandidateGrid, CandidateSet, Cell, CellSet, Digit, DigitSet, House};

/// A claim that chains are made of: the digit stands in one of these cells, which share a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The digit.
    pub digit: Digit,
    /// One cell, or several.
    pub cells: CellSet,
}

/// Which claims and links to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkKind {
    /// Candidates of one digit.
    OneDigit,
    /// Cells of two candidates.
    Bivalue,
    /// All candidates.
    Candidates,
    /// These and groups: the places of a digit that a line and a block share.
    Groups,
    /// These and almost locked sets between them.
    GroupsAndSets,
}

impl LinkKind {
    /// How many kinds there are.
    pub(super) const COUNT: usize = 5;

    /// What a chain of such links is called that is no loop.
    pub(super) const fn chain_name(self) -> ChainName {
        match self {
            LinkKind::OneDigit => ChainName::XChain,
            LinkKind::Bivalue => ChainName::XyChain,
            LinkKind::Candidates => ChainName::Aic,
            LinkKind::Groups | LinkKind::GroupsAndSets => ChainName::GroupedAic,
        }
    }

    /// From 0 on.
    pub(super) const fn index(self) -> usize {
        self as usize
    }
}

/// All claims of a grid, by number, and how they are linked.
#[derive(Clone, Debug)]
pub(super) struct Links {
    pub(super) nodes: Vec<Node>,
    /// How many, from the first on, may begin a chain: all but those of almost locked sets.
    pub(super) starts: usize,
    /// If the claim is false, these are true; the cells of the almost locked set that says so.
    pub(super) strong: Vec<Vec<(usize, Option<AlmostLockedSet>)>>,
    /// If the claim is true, these are false.
    pub(super) weak: Vec<Vec<usize>>,
    /// The candidates that are false if the claim is true.
    pub(super) excluded: Vec<CandidateSet>,
}

/// What follows from an assumption, and from what.
pub(super) struct Reached {
    /// For each node that must be true then, the false one before it.
    pub(super) on: Vec<Option<usize>>,
    /// For each node that must be false then, the true one before it.
    off: Vec<Option<usize>>,
}

impl Links {
    /// Of these marks; the sets are all almost locked ones, if such links are asked for.
    pub(super) fn new(grid: &State, kind: LinkKind, sets: &[AlmostLockedSet]) -> Links {
        let mut nodes = Vec::new();
        singles(grid, kind == LinkKind::Bivalue, &mut nodes);
        if matches!(kind, LinkKind::Groups | LinkKind::GroupsAndSets) {
            groups(grid, &mut nodes);
        }
        let plain = nodes.len();
        let mut numbers: HashMap<Node, usize> = nodes.iter().copied().zip(0..).collect();
        let mut joined = Vec::new();
        if kind == LinkKind::GroupsAndSets {
            for &set in sets.iter().filter(|set| set.cells.len() > 1) {
                let numbers: Vec<usize> = set
                    .digits
                    .into_iter()
                    .map(|digit| {
                        let cells = set.places(digit, grid);
                        *numbers.entry(Node { digit, cells }).or_insert_with(|| {
                            nodes.push(Node { digit, cells });
                            nodes.len() - 1
                        })
                    })
                    .collect();
                joined.push((set, numbers));
            }
        }
        let excluded = nodes
            .iter()
            .map(|node| excluded(grid, *node, kind))
            .collect();
        let mut links = Links {
            strong: vec![Vec::new(); nodes.len()],
            weak: vec![Vec::new(); nodes.len()],
            nodes,
            starts: plain,
            excluded,
        };
        let _ = links.join_weakly(grid);
        let _ = links.join_strongly(grid, kind, plain);
        for (set, numbers) in joined {
            for &from in &numbers {
                let others = numbers.iter().filter(|&&to| to != from);
                links.strong[from].extend(others.map(|&to| (to, Some(set))));
            }
        }
        links
    }

    fn join_weakly(&mut self, grid: &State) -> ControlFlow<()> {
        for (from, excluded) in self.excluded.iter().enumerate() {
            grid.check_deadline()?;
            for (to, node) in self.nodes.iter().enumerate() {
                if to != from
                    && node
                        .cells
                        .difference(excluded.places(node.digit))
                        .is_empty()
                {
                    self.weak[from].push(to);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Links by houses and by cells, between the claims before this number.
    fn join_strongly(&mut self, grid: &State, kind: LinkKind, plain: usize) -> ControlFlow<()> {
        for from in 0..plain {
            grid.check_deadline()?;
            for to in (0..plain).filter(|&to| to != from) {
                let (one, other) = (self.nodes[from], self.nodes[to]);
                let both = one.cells.union(other.cells);
                let by_house = one.digit == other.digit
                    && kind != LinkKind::Bivalue
                    && one.cells.intersection(other.cells).is_empty()
                    && House::all()
                        .any(|house| grid.places(one.digit).intersection(house.cells()) == both);
                let by_cell = one.digit != other.digit
                    && kind != LinkKind::OneDigit
                    && one.cells == other.cells
                    && one.cells.len() == 1
                    && one
                        .cells
                        .into_iter()
                        .all(|cell| grid.candidates(cell).len() == 2);
                if by_house || by_cell {
                    self.strong[from].push((to, None));
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// What follows if this claim is false, by the shortest ways; if `first` is given, by those that
    /// start with the strong link to it.
    pub(super) fn reach(&self, start: usize, first: Option<usize>) -> Reached {
        self.spread(vec![start], start, |off, on| {
            off != start || first.is_none_or(|first| first == on)
        })
    }

    /// What follows if this claim is true.
    pub(super) fn reach_from_true(&self, start: usize) -> Reached {
        self.spread(self.weak[start].clone(), start, |_, _| true)
    }

    /// What follows if these claims are false, by strong links of which `may` is true. Nothing is
    /// concluded from the falsehood of `apart`, unless it is among them.
    fn spread(
        &self,
        starts: Vec<usize>,
        apart: usize,
        may: impl Fn(usize, usize) -> bool,
    ) -> Reached {
        let mut reached = Reached {
            on: vec![None; self.nodes.len()],
            off: vec![None; self.nodes.len()],
        };
        let mut known = vec![false; self.nodes.len()];
        for &off in starts.iter().chain([&apart]) {
            known[off] = true;
        }
        let mut todo = VecDeque::from(starts);
        while let Some(off) = todo.pop_front() {
            for &(on, _) in &self.strong[off] {
                if reached.on[on].is_some() || !may(off, on) {
                    continue;
                }
                reached.on[on] = Some(off);
                for &next in &self.weak[on] {
                    if !known[next] {
                        known[next] = true;
                        reached.off[next] = Some(on);
                        todo.push_back(next);
                    }
                }
            }
        }
        reached
    }

    /// The claims from the start to this one, false and true in turn.
    pub(super) fn path(&self, reached: &Reached, end: usize) -> Vec<usize> {
        let mut path = vec![end];
        let mut on = end;
        while let Some(off) = reached.on[on] {
            path.push(off);
            let Some(before) = reached.off[off] else {
                break;
            };
            path.push(before);
            on = before;
        }
        path.reverse();
        path
    }

    /// The almost locked set that joins these two, if nothing simpler does.
    pub(super) fn set_between(&self, from: usize, to: usize) -> Option<AlmostLockedSet> {
        let mut links = self.strong[from].iter().filter(|(node, _)| *node == to);
        links.next().and_then(|(_, set)| *set)
    }
}

/// Every candidate of a blank cell, or of those with two.
fn singles(grid: &CandidateGrid, two_only: bool, nodes: &mut Vec<Node>) {
    for digit in Digit::ALL {
        for cell in grid.places(digit).intersection(grid.blanks()) {
            if !two_only || grid.candidates(cell).len() == 2 {
                let cells = CellSet::only(cell);
                nodes.push(Node { digit, cells });
            }
        }
    }
}

/// The places of a digit in a line and a block, where these are two or three.
fn groups(grid: &CandidateGrid, nodes: &mut Vec<Node>) {
    for digit in Digit::ALL {
        for line in House::all().take(18) {
            for block in House::all().skip(18) {
                let cells = line.cells().intersection(block.cells());
                let cells = cells.intersection(grid.places(digit));
                if cells.len() > 1 {
                    nodes.push(Node { digit, cells });
                }
            }
        }
    }
}

/// What is false if this claim is true.
fn excluded(grid: &CandidateGrid, node: Node, kind: LinkKind) -> CandidateSet {
    let seen = grid
        .places(node.digit)
        .intersection(common_peers(node.cells));
    let mut excluded = CandidateSet::of(node.digit, seen);
    let many = !matches!(kind, LinkKind::OneDigit | LinkKind::Bivalue);
    let mut cells = node.cells.into_iter();
    if let (Some(cell), None, true) = (cells.next(), cells.next(), many) {
        for digit in grid.candidates(cell).without(node.digit) {
            excluded = excluded.with(Candidate { cell, digit });
        }
    }
    excluded
}

/// Some blank cells of a house with one digit more than they are: without any one of its digits they
/// take all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlmostLockedSet {
    /// The cells, one or more.
    pub cells: CellSet,
    /// Their digits, one more than cells.
    pub digits: DigitSet,
}

impl AlmostLockedSet {
    /// The cells that hold this digit.
    pub fn places(&self, digit: Digit, grid: &CandidateGrid) -> CellSet {
        grid.places(digit).intersection(self.cells)
    }

    /// All on this grid, each once, those of single cells among them.
    pub(super) fn all(grid: &CandidateGrid) -> Vec<AlmostLockedSet> {
        let mut found: Vec<AlmostLockedSet> = Vec::new();
        for house in House::all() {
            let blanks = house.cells().intersection(grid.blanks());
            let cells: Vec<Cell> = blanks.into_iter().collect();
            for choice in 1..1_u32 << cells.len() {
                let chosen = cells.iter().enumerate();
                let chosen = chosen.filter(|(at, _)| choice >> at & 1 == 1);
                let cells: CellSet = chosen.map(|(_, &cell)| cell).collect();
                let held = cells.into_iter().map(|cell| grid.candidates(cell));
                let digits = held.fold(DigitSet::EMPTY, DigitSet::union);
                if digits.len() == cells.len() + 1 {
                    found.push(AlmostLockedSet { cells, digits });
                }
            }
        }
        found.sort_by_key(|set| (set.cells.len(), set.cells.bits()));
        found.dedup();
        found
    }
}

/// What sees all of these cells.
pub(super) fn common_peers(cells: CellSet) -> CellSet {
    let peers = cells.into_iter().map(Cell::peers);
    peers.fold(CellSet::ALL, CellSet::intersection)
}
