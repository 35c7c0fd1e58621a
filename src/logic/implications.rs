//! Implications between claims, one from one, and the shortest way to refute a candidate by them.

use super::links::{LinkKind, Node, common_peers};
use crate::grid::{Candidate, CandidateGrid, CandidateSet, Cell, CellSet, Digit, House};

/// The claims of a grid, and what each implies: if it is true, what it sees is false; if one of these
/// is false, its partners are true.
#[derive(Clone, Debug)]
pub(super) struct Implications {
    kind: LinkKind,
    /// Candidates of blank cells, digit by digit, then groups.
    nodes: Vec<Node>,
    candidates: u16,
    places: [CellSet; 9],
    /// For each claim, those that exclude it.
    excluding: Lists<u16>,
    /// For each claim, those that are true if it is, by one between them that is false.
    next: Lists<Step>,
}

/// From a true claim to a true claim.
#[derive(Clone, Copy, Debug)]
struct Step {
    off: u16,
    on: u16,
}

/// Lists in a row.
#[derive(Clone, Debug)]
struct Lists<T> {
    ends: Vec<u32>,
    items: Vec<T>,
}

/// Builds the nodes of [`Implications`] and the strong links between them.
struct Builder {
    kind: LinkKind,
    nodes: Vec<Node>,
    /// For each claim, those that are true if it is false.
    partners: Vec<Partners>,
    /// Of each digit and cell the claim's number.
    numbers: Box<[[u16; Cell::COUNT]; 9]>,
    /// The groups of each digit.
    groups: [Vec<u16>; 9],
    places: [CellSet; 9],
}

/// Few numbers, in place: a claim has a partner in its cell and one in each house at most.
#[derive(Clone, Copy, Debug, Default)]
struct Partners {
    count: u8,
    numbers: [u16; 4],
}

/// No claim.
const NONE: u16 = u16::MAX;

/// Where a search has been; kept between searches.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    /// For each claim that was reached, the step to it.
    before: Vec<Step>,
    from: Vec<u16>,
    reached: Vec<bool>,
    excludes_target: Vec<bool>,
    queue: Vec<u16>,
}

impl<T> Lists<T> {
    fn new() -> Lists<T> {
        Lists {
            ends: Vec::new(),
            items: Vec::new(),
        }
    }

    /// What was pushed since the last list becomes the next one.
    fn close(&mut self) {
        self.ends.push(self.items.len() as u32);
    }

    fn of(&self, number: u16) -> &[T] {
        let number = usize::from(number);
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start as usize..self.ends[number] as usize]
    }
}

impl Implications {
    pub(super) fn new(grid: &CandidateGrid, kind: LinkKind) -> Implications {
        let builder = Builder::new(grid, kind);
        let (mut excluding, mut next) = (Lists::new(), Lists::new());
        for number in 0..builder.nodes.len() as u16 {
            builder.each_excluded(number, |off| {
                excluding.items.push(off);
                let partners = &builder.partners[usize::from(off)];
                for &on in &partners.numbers[..usize::from(partners.count)] {
                    if on != number {
                        next.items.push(Step { off, on });
                    }
                }
            });
            excluding.close();
            next.close();
        }
        let groups: usize = builder.groups.iter().map(Vec::len).sum();
        Implications {
            kind,
            candidates: (builder.nodes.len() - groups) as u16,
            nodes: builder.nodes,
            places: builder.places,
            excluding,
            next,
        }
    }

    /// The numbers of all candidates.
    pub(super) fn candidates(&self) -> impl Iterator<Item = u16> + use<> {
        0..self.candidates
    }

    pub(super) fn node(&self, number: u16) -> Node {
        self.nodes[usize::from(number)]
    }

    /// The candidates that are false if this claim is true.
    pub(super) fn excluded(&self, node: Node) -> CandidateSet {
        let seen = common_peers(node.cells).intersection(self.places[node.digit.index()]);
        let mut excluded = CandidateSet::of(node.digit, seen);
        if let (Some(cell), true) = (only(node.cells), links_in_cells(self.kind)) {
            for digit in Digit::ALL.into_iter().filter(|&digit| digit != node.digit) {
                if self.places[digit.index()].contains(cell) {
                    excluded = excluded.with(Candidate { cell, digit });
                }
            }
        }
        excluded
    }

    /// The shortest way from the truth of this candidate to its falsehood: claims that are false and
    /// true in turn, without the candidate itself; none if there is no way.
    pub(super) fn refute(&self, target: u16, trace: &mut Trace) -> Option<Vec<u16>> {
        trace.reset(self.nodes.len());
        for &other in self.excluding.of(target) {
            trace.excludes_target[usize::from(other)] = true;
        }
        trace.reached[usize::from(target)] = true;
        trace.queue.push(target);
        let mut next = 0;
        while let Some(&from) = trace.queue.get(next) {
            next += 1;
            for &step in self.next.of(from) {
                let on = usize::from(step.on);
                if trace.reached[on] {
                    continue;
                }
                trace.reached[on] = true;
                trace.before[on] = step;
                trace.from[on] = from;
                if trace.excludes_target[on] {
                    return Some(trace.way(target, step.on));
                }
                trace.queue.push(step.on);
            }
        }
        None
    }
}

impl Builder {
    fn new(grid: &CandidateGrid, kind: LinkKind) -> Builder {
        let blanks = grid.blanks();
        let places = Digit::ALL.map(|digit| grid.places(digit).intersection(blanks));
        let mut made = Builder {
            kind,
            nodes: Vec::new(),
            partners: Vec::new(),
            numbers: Box::new([[NONE; Cell::COUNT]; 9]),
            groups: Default::default(),
            places,
        };
        for digit in Digit::ALL {
            for cell in places[digit.index()] {
                made.numbers[digit.index()][cell.index()] = made.add(Node {
                    digit,
                    cells: CellSet::only(cell),
                });
            }
        }
        if kind != LinkKind::Bivalue {
            for digit in Digit::ALL {
                for house in House::all() {
                    made.join_in(digit, house);
                }
            }
        }
        if kind != LinkKind::OneDigit {
            let bivalue = grid.with_at_most(2).intersection(blanks);
            for cell in bivalue {
                let mut digits = grid.candidates(cell).into_iter();
                if let (Some(one), Some(other)) = (digits.next(), digits.next()) {
                    let number = |digit: Digit| made.numbers[digit.index()][cell.index()];
                    let (one, other) = (number(one), number(other));
                    made.join(one, other);
                }
            }
        }
        made
    }

    fn add(&mut self, node: Node) -> u16 {
        let number = self.nodes.len() as u16;
        self.nodes.push(node);
        self.partners.push(Partners::default());
        number
    }

    /// Of two parts of a house that hold all places of a digit, one holds it.
    fn join_in(&mut self, digit: Digit, house: House) {
        let held = self.places[digit.index()].intersection(house.cells());
        if held.len() == 2 {
            let mut cells = held.into_iter();
            if let (Some(one), Some(other)) = (cells.next(), cells.next()) {
                let number = |cell: Cell| self.numbers[digit.index()][cell.index()];
                let (one, other) = (number(one), number(other));
                self.join(one, other);
            }
        } else if self.kind == LinkKind::Groups && held.len() <= 6 && !held.is_empty() {
            for crossing in crossings(house) {
                let mut parts = crossing
                    .iter()
                    .map(|part| held.intersection(*part))
                    .filter(|part| !part.is_empty());
                if let (Some(one), Some(other), None) = (parts.next(), parts.next(), parts.next()) {
                    let (one, other) = (self.part(digit, one), self.part(digit, other));
                    self.join(one, other);
                }
            }
        }
    }

    /// The claim that the digit stands in one of these cells of a line and a block.
    fn part(&mut self, digit: Digit, cells: CellSet) -> u16 {
        if let (1, Some(cell)) = (cells.len(), cells.into_iter().next()) {
            return self.numbers[digit.index()][cell.index()];
        }
        let groups = &self.groups[digit.index()];
        let known = groups
            .iter()
            .find(|&&group| self.nodes[usize::from(group)].cells == cells);
        if let Some(&group) = known {
            return group;
        }
        let group = self.add(Node { digit, cells });
        self.groups[digit.index()].push(group);
        group
    }

    fn join(&mut self, one: u16, other: u16) {
        for (from, to) in [(one, other), (other, one)] {
            let partners = &mut self.partners[usize::from(from)];
            let known = &partners.numbers[..usize::from(partners.count)];
            if !known.contains(&to) && known.len() < 4 {
                partners.numbers[usize::from(partners.count)] = to;
                partners.count += 1;
            }
        }
    }

    /// The claims that are false if this one is true.
    fn each_excluded(&self, number: u16, mut show: impl FnMut(u16)) {
        let node = self.nodes[usize::from(number)];
        let digit = node.digit.index();
        let seen = match only(node.cells) {
            Some(cell) => {
                if links_in_cells(self.kind) {
                    let others = self.numbers.iter().map(|numbers| numbers[cell.index()]);
                    for other in others.filter(|&other| other != NONE && other != number) {
                        show(other);
                    }
                }
                cell.peers()
            }
            None => common_peers(node.cells),
        };
        for cell in seen.intersection(self.places[digit]) {
            show(self.numbers[digit][cell.index()]);
        }
        for &group in &self.groups[digit] {
            let cells = self.nodes[usize::from(group)].cells;
            if cells.difference(seen).is_empty() {
                show(group);
            }
        }
    }
}

/// Whether candidates exclude each other because they share a cell.
fn links_in_cells(kind: LinkKind) -> bool {
    !matches!(kind, LinkKind::OneDigit | LinkKind::Bivalue)
}

/// The cell, if it is the only one.
fn only(cells: CellSet) -> Option<Cell> {
    let mut cells = cells.into_iter();
    let first = cells.next()?;
    cells.next().is_none().then_some(first)
}

impl Trace {
    fn reset(&mut self, nodes: usize) {
        self.queue.clear();
        for marks in [&mut self.reached, &mut self.excludes_target] {
            marks.clear();
            marks.resize(nodes, false);
        }
        self.before.resize(
            nodes,
            Step {
                off: NONE,
                on: NONE,
            },
        );
        self.from.resize(nodes, NONE);
    }

    /// The claims from the first after the target to this one.
    fn way(&self, target: u16, end: u16) -> Vec<u16> {
        let mut way = Vec::new();
        let mut on = end;
        while on != target {
            way.push(on);
            way.push(self.before[usize::from(on)].off);
            on = self.from[usize::from(on)];
        }
        way.reverse();
        way
    }
}

/// The ways to cut a house into the parts that it shares with houses across: a line by blocks, a
/// block by rows and by columns.
fn crossings(house: House) -> impl Iterator<Item = [CellSet; 3]> {
    let kinds: &[[usize; 2]] = if house.index() < 18 {
        &[[18, 27]]
    } else {
        &[[0, 9], [9, 18]]
    };
    kinds.iter().map(move |&[from, to]| {
        let across = House::all().take(to).skip(from);
        let mut parts = across
            .map(|other| other.cells().intersection(house.cells()))
            .filter(|part| !part.is_empty());
        std::array::from_fn(|_| parts.next().unwrap_or(CellSet::EMPTY))
    })
}
