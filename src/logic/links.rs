//! Strong and weak links: which candidates imply each other.

use super::deduction::{AlmostLockedSet, Node};
use super::state::State;
use super::technique_id::ChainName;
use crate::grid::{Candidate, CandidateGrid, CandidateSet, Cell, CellSet, Digit, House};

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
    /// What a chain of such links is called that is no loop.
    pub(super) const fn chain_name(self) -> ChainName {
        match self {
            LinkKind::OneDigit => ChainName::XChain,
            LinkKind::Bivalue => ChainName::XyChain,
            LinkKind::Candidates => ChainName::Aic,
            LinkKind::Groups | LinkKind::GroupsAndSets => ChainName::GroupedAic,
        }
    }

    /// Whether candidates of one cell exclude each other.
    const fn links_in_cells(self) -> bool {
        !matches!(self, LinkKind::OneDigit | LinkKind::Bivalue)
    }
}

/// The claims of a grid by number, and how they are linked. Candidates of blank cells come first,
/// digit by digit, then groups, then the places of a digit in an almost locked set.
pub(super) struct Links {
    kind: LinkKind,
    nodes: Vec<Node>,
    candidates: u16,
    places: [CellSet; 9],
    /// For each claim, those that are true if it is false.
    strong: Lists<Strong>,
    /// For each claim, those that are false if it is true, and have strong links.
    weak: Lists<u16>,
    sets: Vec<AlmostLockedSet>,
}

/// A strong link: to which claim, and by which almost locked set.
#[derive(Clone, Copy)]
struct Strong {
    to: u16,
    set: u16,
}

/// Stands for no claim and for no almost locked set.
const NONE: u16 = u16::MAX;

/// Stands for the claim before the one that a search starts from.
const START: u16 = NONE - 1;

/// Lists in a row.
struct Lists<T> {
    /// Where each list begins, and where the last one ends.
    bounds: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    fn new() -> Lists<T> {
        Lists {
            bounds: vec![0],
            items: Vec::new(),
        }
    }

    /// Makes what was pushed since the last list the next one.
    fn close(&mut self) {
        self.bounds.push(self.items.len() as u32);
    }

    fn of(&self, number: u16) -> &[T] {
        let number = usize::from(number);
        &self.items[self.bounds[number] as usize..self.bounds[number + 1] as usize]
    }
}

impl Links {
    /// The links between all claims of this kind.
    pub(super) fn new(grid: &State, kind: LinkKind) -> Links {
        let mut builder = Builder::new(grid, kind);
        let mut sets = Vec::new();
        if kind == LinkKind::GroupsAndSets {
            let all = grid.almost_locked_sets().iter();
            sets = all.copied().filter(|set| set.cells.len() > 1).collect();
            builder.join_sets(grid, &sets);
        }
        let strong = builder.strong();
        let linked = builder.linked(&strong);
        let mut weak = Lists::new();
        for number in 0..builder.nodes.len() as u16 {
            // Where it is late the last lists are empty.
            if number < builder.candidates || grid.check_deadline().is_continue() {
                builder.exclude(number, &linked, &mut weak.items);
            }
            weak.close();
        }
        Links {
            kind,
            candidates: builder.candidates,
            places: builder.places,
            nodes: builder.nodes,
            strong,
            weak,
            sets,
        }
    }

    /// The numbers of all candidates.
    pub(super) fn candidates(&self) -> impl Iterator<Item = u16> + use<> {
        0..self.candidates
    }

    /// The numbers of the claims that may begin a chain: those of one cell, or of a line and a block.
    pub(super) fn starts(&self) -> impl Iterator<Item = u16> {
        self.all().filter(|&claim| {
            let cells = self.node(claim).cells;
            let holds_all = |house: &House| cells.difference(house.cells()).is_empty();
            House::all().filter(holds_all).count() > 1
        })
    }

    /// The numbers of all claims.
    pub(super) fn all(&self) -> impl Iterator<Item = u16> + use<> {
        0..self.nodes.len() as u16
    }

    /// The claim of this number.
    pub(super) fn node(&self, number: u16) -> Node {
        self.nodes[usize::from(number)]
    }

    /// The claims that are true if this one is false.
    pub(super) fn partners(&self, number: u16) -> impl Iterator<Item = u16> {
        self.strong.of(number).iter().map(|link| link.to)
    }

    /// The claims with strong links that are false if this one is true.
    pub(super) fn weak(&self, number: u16) -> &[u16] {
        self.weak.of(number)
    }

    /// The almost locked set that joins these two, if nothing simpler does.
    pub(super) fn set_between(&self, from: u16, to: u16) -> Option<AlmostLockedSet> {
        let link = self.strong.of(from).iter().find(|link| link.to == to)?;
        self.sets.get(usize::from(link.set)).copied()
    }

    /// Returns the candidates that [`Trace::refute`] refutes by so many claims. Sets of claims are bits, some words
    /// each: that is faster, but does not tell the ways.
    pub(super) fn refuted(&self, claims: usize) -> CandidateSet {
        let words = self.nodes.len().div_ceil(128);
        let row = |claim: usize| claim * words..(claim + 1) * words;
        let insert = |set: &mut [u128], claim: u16| {
            set[usize::from(claim) / 128] |= 1 << (claim % 128);
        };
        // Of each claim the others that are true one step after it, and those that are false.
        let mut steps = vec![0; self.nodes.len() * words];
        let mut excluded = steps.clone();
        for from in self.all() {
            let row = row(usize::from(from));
            for &out in self.weak(from) {
                insert(&mut excluded[row.clone()], out);
                for to in self.partners(out) {
                    insert(&mut steps[row.clone()], to);
                }
            }
        }
        let [mut known, mut newest, mut next] = [(); 3].map(|()| vec![0u128; words]);
        let mut refutes_itself = |start: u16| {
            newest.fill(0);
            insert(&mut newest, start);
            known.copy_from_slice(&newest);
            for _ in 0..claims / 2 {
                next.fill(0);
                for (word, &bits) in newest.iter().enumerate() {
                    for bit in ones(bits) {
                        let step = &steps[row(128 * word + bit)];
                        next.iter_mut().zip(step).for_each(|(all, one)| *all |= one);
                    }
                }
                let mut ends = next.iter().zip(&excluded[row(usize::from(start))]);
                if ends.any(|(next, excluded)| next & excluded != 0) {
                    return true;
                }
                for (next, known) in next.iter_mut().zip(&mut known) {
                    *next &= !*known;
                    *known |= *next;
                }
                std::mem::swap(&mut newest, &mut next);
                if newest.iter().all(|&word| word == 0) {
                    break;
                }
            }
            false
        };
        let refuted = self.candidates().filter(|&claim| refutes_itself(claim));
        refuted.fold(CandidateSet::EMPTY, |all, claim| {
            let Node { digit, cells } = self.node(claim);
            all.union(&CandidateSet::of(digit, cells))
        })
    }

    /// The candidates that are false if this claim is true.
    pub(super) fn excluded(&self, number: u16) -> CandidateSet {
        let node = self.node(number);
        let seen = node
            .cells
            .common_peers()
            .intersection(self.places[node.digit.index()]);
        let mut excluded = CandidateSet::of(node.digit, seen);
        if let (Some(cell), true) = (node.cells.single(), self.kind.links_in_cells()) {
            for digit in Digit::ALL.into_iter().filter(|&digit| digit != node.digit) {
                if self.places[digit.index()].contains(cell) {
                    excluded = excluded.with(Candidate { cell, digit });
                }
            }
        }
        excluded
    }
}

/// What follows from an assumption, and from what. Its buffers serve one search after another.
#[derive(Default)]
pub(super) struct Trace {
    /// For each claim that must be true, the false one before it.
    on: Vec<u16>,
    /// For each claim that must be false, the true one before it.
    off: Vec<u16>,
    /// The claims that must be true, the nearest first.
    queue: Vec<u16>,
}

impl Trace {
    /// Follows what is true if this claim is, by the shortest ways. Nothing is concluded from its
    /// falsehood.
    pub(super) fn assume_true(&mut self, links: &Links, start: u16) {
        self.set_true(links, start);
        self.spread(links, None, usize::MAX);
    }

    /// Does the same until a claim comes up that excludes the start, and returns that one, if a path of
    /// so many claims leads to it.
    pub(super) fn refute(&mut self, links: &Links, start: u16, most: usize) -> Option<u16> {
        self.set_true(links, start);
        self.spread(links, Some(start), most / 2)
    }

    fn set_true(&mut self, links: &Links, start: u16) {
        self.reset(links, start);
        self.on[usize::from(start)] = START;
        self.queue.push(start);
    }

    /// Follows what is true if this claim is false, by the shortest ways; if `first` is given, by those
    /// that begin with the strong link to it.
    pub(super) fn assume_false(&mut self, links: &Links, start: u16, first: Option<u16>) {
        self.reset(links, start);
        for to in links.partners(start) {
            if first.is_none_or(|first| first == to) {
                self.on[usize::from(to)] = start;
                self.queue.push(to);
            }
        }
        self.spread(links, None, usize::MAX);
    }

    fn reset(&mut self, links: &Links, start: u16) {
        self.queue.clear();
        for before in [&mut self.on, &mut self.off] {
            before.clear();
            before.resize(links.nodes.len(), NONE);
        }
        self.off[usize::from(start)] = START;
    }

    /// Goes on from the queue for so many rounds, until a claim comes up that excludes `refuted`.
    fn spread(&mut self, links: &Links, refuted: Option<u16>, mut rounds: usize) -> Option<u16> {
        let [on, off] = [&mut self.on[..], &mut self.off[..]];
        let (mut next, mut end) = (0, 0);
        while let Some(&from) = self.queue.get(next) {
            if next == end {
                rounds = rounds.checked_sub(1)?;
                end = self.queue.len();
            }
            next += 1;
            for &out in links.weak.of(from) {
                if off[usize::from(out)] != NONE {
                    continue;
                }
                off[usize::from(out)] = from;
                for &Strong { to, .. } in links.strong.of(out) {
                    if on[usize::from(to)] != NONE {
                        continue;
                    }
                    on[usize::from(to)] = out;
                    // What the start excludes was found first.
                    if refuted == Some(off[usize::from(to)]) {
                        return Some(to);
                    }
                    self.queue.push(to);
                }
            }
        }
        None
    }

    /// The false claim from which the truth of this one follows, if it does.
    pub(super) fn before(&self, number: u16) -> Option<u16> {
        Some(self.on[usize::from(number)]).filter(|&before| before < START)
    }

    /// The claims from the start to this one, false and true in turn; without the start if it was
    /// assumed to be true.
    pub(super) fn path(&self, end: u16) -> Vec<u16> {
        let mut path = Vec::new();
        let mut on = end;
        while let Some(off) = self.before(on) {
            path.push(on);
            path.push(off);
            on = self.off[usize::from(off)];
            if on == START {
                break;
            }
        }
        path.reverse();
        path
    }
}

/// Builds the nodes of [`Links`] and the strong links between them.
struct Builder {
    kind: LinkKind,
    nodes: Vec<Node>,
    candidates: u16,
    /// From which claim, and where to.
    joined: Vec<(u16, Strong)>,
    /// Of each digit and cell the claim's number.
    numbers: Box<[[u16; Cell::COUNT]; 9]>,
    /// The claims of several cells, by digit.
    groups: [Vec<u16>; 9],
    places: [CellSet; 9],
}

impl Builder {
    /// All but the links of almost locked sets.
    fn new(grid: &CandidateGrid, kind: LinkKind) -> Builder {
        let blanks = grid.blanks();
        let places = Digit::ALL.map(|digit| grid.places(digit).intersection(blanks));
        let mut made = Builder {
            kind,
            nodes: Vec::new(),
            candidates: 0,
            joined: Vec::new(),
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
        made.candidates = made.nodes.len() as u16;
        if kind != LinkKind::Bivalue {
            for digit in Digit::ALL {
                for house in House::all() {
                    made.join_in(digit, house);
                }
            }
        }
        if kind != LinkKind::OneDigit {
            for cell in grid.with_at_most(2).intersection(blanks) {
                let mut digits = grid.candidates(cell).into_iter();
                if let (Some(one), Some(other)) = (digits.next(), digits.next()) {
                    let number = |digit: Digit| made.numbers[digit.index()][cell.index()];
                    made.join(number(one), number(other), NONE);
                }
            }
        }
        made
    }

    fn add(&mut self, node: Node) -> u16 {
        self.nodes.push(node);
        self.nodes.len() as u16 - 1
    }

    /// Of two parts of a house that hold all places of a digit, one holds it.
    fn join_in(&mut self, digit: Digit, house: House) {
        let held = self.places[digit.index()].intersection(house.cells());
        if let Some(pair) = held.pair() {
            let [one, other] = pair.map(|cell| self.numbers[digit.index()][cell.index()]);
            self.join(one, other, NONE);
        } else if matches!(self.kind, LinkKind::Groups | LinkKind::GroupsAndSets)
            && (3..=6).contains(&held.len())
        {
            let parts = parts(house, held);
            for (at, &one) in parts.iter().enumerate() {
                for &other in &parts[at + 1..] {
                    if one.union(other) == held && one.intersection(other).is_empty() {
                        let [one, other] = [one, other].map(|part| self.number(digit, part));
                        self.join(one, other, NONE);
                    }
                }
            }
        }
    }

    /// Of all digits of an almost locked set but one, the set holds all.
    fn join_sets(&mut self, grid: &State, sets: &[AlmostLockedSet]) {
        for (at, set) in (0..NONE).zip(sets) {
            // There are fewer claims than numbers on any board that was ever seen.
            if grid.check_deadline().is_break() || self.nodes.len() + 9 > usize::from(START) {
                break;
            }
            let digits = set.digits.into_iter();
            let numbers = digits.map(|digit| self.number(digit, set.places(digit, grid)));
            let numbers: Vec<u16> = numbers.collect();
            for (from, &one) in numbers.iter().enumerate() {
                for &other in &numbers[from + 1..] {
                    self.join(one, other, at);
                }
            }
        }
    }

    /// The number of the claim that the digit stands in one of these cells.
    fn number(&mut self, digit: Digit, cells: CellSet) -> u16 {
        if let Some(cell) = cells.single() {
            return self.numbers[digit.index()][cell.index()];
        }
        let mut groups = self.groups[digit.index()].iter().copied();
        if let Some(known) = groups.find(|&group| self.nodes[usize::from(group)].cells == cells) {
            return known;
        }
        let group = self.add(Node { digit, cells });
        self.groups[digit.index()].push(group);
        group
    }

    fn join(&mut self, one: u16, other: u16, set: u16) {
        self.joined.push((one, Strong { to: other, set }));
        self.joined.push((other, Strong { to: one, set }));
    }

    /// The strong links of each claim, in the order in which they were joined.
    fn strong(&self) -> Lists<Strong> {
        let mut bounds = vec![0; self.nodes.len() + 1];
        for &(from, _) in &self.joined {
            bounds[usize::from(from) + 1] += 1;
        }
        for number in 1..bounds.len() {
            bounds[number] += bounds[number - 1];
        }
        let mut next = bounds.clone();
        let none = Strong {
            to: NONE,
            set: NONE,
        };
        let mut items = vec![none; self.joined.len()];
        for &(from, link) in &self.joined {
            let place = &mut next[usize::from(from)];
            items[*place as usize] = link;
            *place += 1;
        }
        Lists { bounds, items }
    }

    /// Of each digit the candidates that have strong links.
    fn linked(&self, strong: &Lists<Strong>) -> [CellSet; 9] {
        let mut linked = [CellSet::EMPTY; 9];
        for number in (0..self.candidates).filter(|&number| !strong.of(number).is_empty()) {
            let Node { digit, cells } = self.nodes[usize::from(number)];
            linked[digit.index()] = linked[digit.index()].union(cells);
        }
        linked
    }

    /// Adds the claims with strong links that are false if this one is true. All groups have some.
    fn exclude(&self, number: u16, linked: &[CellSet; 9], excluded: &mut Vec<u16>) {
        let node = self.nodes[usize::from(number)];
        let digit = node.digit.index();
        if let (Some(cell), true) = (node.cells.single(), self.kind.links_in_cells()) {
            for (other, linked) in linked.iter().enumerate() {
                if other != digit && linked.contains(cell) {
                    excluded.push(self.numbers[other][cell.index()]);
                }
            }
        }
        let seen = node.cells.common_peers();
        for cell in seen.intersection(linked[digit]) {
            excluded.push(self.numbers[digit][cell.index()]);
        }
        for &group in &self.groups[digit] {
            let cells = self.nodes[usize::from(group)].cells;
            if cells.difference(seen).is_empty() {
                excluded.push(group);
            }
        }
    }
}

/// The bits that are set, ascending; word by word, which is faster than by 128 bits.
pub(super) fn ones(mask: u128) -> impl Iterator<Item = usize> {
    let (mut low, mut high) = (mask as u64, (mask >> 64) as u64);
    std::iter::from_fn(move || {
        let (word, first) = match low {
            0 => (&mut high, 64),
            _ => (&mut low, 0),
        };
        if *word == 0 {
            return None;
        }
        let bit = first + word.trailing_zeros() as usize;
        *word &= *word - 1;
        Some(bit)
    })
}

/// What the houses across hold of these cells of a house: blocks of a line, rows and columns of a
/// block. Each part once.
fn parts(house: House, held: CellSet) -> Vec<CellSet> {
    let across = if house.index() < 18 { 18..27 } else { 0..18 };
    let mut parts = Vec::with_capacity(6);
    for other in House::all().take(across.end).skip(across.start) {
        let part = other.cells().intersection(held);
        if !part.is_empty() && !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::CHEAP_TECHNIQUES;

    /// A. Inkala's AI Escargot, the Platinum Blonde, and the first hard puzzle that this project ships.
    const PUZZLES: [&str; 3] = [
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
        ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...",
        "..59...8..3..45.......3.2......56........9....98.2..63573.....99.6.....4..1...6..",
    ];

    #[test]
    fn the_same_candidates_are_refuted_by_bits_and_one_by_one() {
        let mut refuted = 0;
        for puzzle in PUZZLES {
            let mut state = State::of_puzzle(&puzzle.parse().unwrap()).unwrap();
            loop {
                for kind in [LinkKind::OneDigit, LinkKind::Candidates, LinkKind::Groups] {
                    let links = Links::new(&state, kind);
                    for claims in [3, 4, 6, 8, usize::MAX] {
                        let mut trace = Trace::default();
                        let by_bits = links.refuted(claims);
                        for claim in links.candidates() {
                            let Node { digit, cells } = links.node(claim);
                            let is_refuted = trace.refute(&links, claim, claims).is_some();
                            let found = !by_bits.places(digit).intersection(cells).is_empty();
                            assert_eq!(
                                found, is_refuted,
                                "{kind:?}, {claims}: {digit:?} {cells:?}"
                            );
                        }
                        refuted += by_bits.len();
                    }
                }
                let mut steps = CHEAP_TECHNIQUES.iter();
                let Some(step) = steps.find_map(|entry| entry.step(&state)) else {
                    break;
                };
                state.apply(&step.effect).unwrap();
            }
        }
        assert!(refuted > 100, "{refuted}");
    }
}
