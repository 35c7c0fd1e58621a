//! Chains in which each claim follows from one: cycles, and assumptions that come to their contrary.

use super::board::{Board, CELLS, Frame, HOMES, bits, peers_of, wide_bits};
use super::rank::Rank;
use super::wave::{Cause, NONE};

/// Which links are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Places of one digit.
    Digit,
    /// Strong links within cells only.
    Bivalue,
    /// All.
    Both,
}

/// What a chain shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It closes: all its links hold both ways.
    Cycle,
    /// The claim it starts from is false.
    False,
    /// The claim it starts from is true.
    True,
}

/// A claim of a chain and why it follows from the one before.
pub(super) type Step = (u16, Cause);

/// A chain that strikes something.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) rank: Rank,
    pub(super) shape: Shape,
    pub(super) turn: Turn,
    /// From the assumption to its contrary, or all around.
    pub(super) path: Vec<Step>,
    /// What it strikes: digits of cells, in reading order.
    pub(super) struck: Vec<(usize, u16)>,
    pub(super) length: u32,
}

/// From a true claim over a false one to a true one.
#[derive(Clone, Copy, Debug)]
struct Link {
    off: u16,
    on: u16,
    why_off: Cause,
    why_on: Cause,
}

/// A true claim that is reached.
#[derive(Clone, Copy, Debug)]
struct Stop {
    claim: u16,
    /// Where it is reached from, or [`NONE`].
    before: u16,
    depth: u16,
    link: u32,
}

/// The links of a board, and the room that the search takes.
#[derive(Debug, Default)]
pub(super) struct Loops {
    links: Vec<Link>,
    /// Where the links of each candidate begin.
    starts: Vec<u32>,
    strong: Vec<[(u16, Cause); 4]>,
    stops: Vec<Stop>,
    seen: Vec<bool>,
}

impl Shape {
    pub(super) const ALL: [Shape; 3] = [Shape::Digit, Shape::Bivalue, Shape::Both];

    fn base(self, turn: Turn) -> u16 {
        match (self, turn) {
            (Shape::Both, _) => 70,
            (_, Turn::Cycle) => 65,
            _ => 66,
        }
    }

    fn sort(self) -> u8 {
        match self {
            Shape::Digit => 2,
            Shape::Bivalue => 3,
            Shape::Both => 4,
        }
    }
}

impl Loops {
    /// Shows the chains of a board in the order in which they are looked for. What `show` answers is
    /// the rank that further ones are to be less than, if any.
    pub(super) fn search(
        &mut self,
        frame: &Frame,
        board: &Board,
        mut show: impl FnMut(Found) -> Option<Rank>,
    ) {
        let mut limit = None;
        for shape in Shape::ALL {
            self.link(frame, board, shape);
            for number in 0..frame.len() {
                let (cell, digit) = frame.mark(number);
                let held = board.cells[cell];
                if !board.has(cell, digit) || held.count_ones() < 2 {
                    continue;
                }
                if shape == Shape::Bivalue && held.count_ones() != 2 {
                    continue;
                }
                self.around(frame, board, shape, number, &mut limit, &mut show);
                if shape != Shape::Bivalue {
                    self.refuting(frame, shape, number, &mut limit, &mut show);
                    self.proving(frame, board, shape, number, &mut limit, &mut show);
                }
            }
        }
    }

    /// Notes which true claims each true claim leads to.
    fn link(&mut self, frame: &Frame, board: &Board, shape: Shape) {
        self.strong.clear();
        for number in 0..frame.len() {
            let (cell, digit) = frame.mark(number);
            let mut strong = [(NONE, Cause::Assumed); 4];
            if board.has(cell, digit) {
                let mut count = 0;
                if shape != Shape::Digit && board.cells[cell].count_ones() == 2 {
                    let other = (board.cells[cell] & !(1 << digit)).trailing_zeros() as usize;
                    strong[0] = (frame.number(cell, other) as u16, Cause::Cell);
                    count = 1;
                }
                if shape != Shape::Bivalue {
                    for (kind, (house, place)) in HOMES[cell].into_iter().enumerate() {
                        let places = board.places[house as usize][digit];
                        if places.count_ones() != 2 {
                            continue;
                        }
                        let other = (places & !(1 << place)).trailing_zeros() as usize;
                        let other = CELLS[house as usize][other] as usize;
                        let other = frame.number(other, digit) as u16;
                        if strong[..count].iter().all(|&(held, _)| held != other) {
                            strong[count] = (other, Cause::House(kind as u8));
                            count += 1;
                        }
                    }
                }
            }
            self.strong.push(strong);
        }
        self.links.clear();
        self.starts.clear();
        for number in 0..frame.len() {
            self.starts.push(self.links.len() as u32);
            let (cell, digit) = frame.mark(number);
            if !board.has(cell, digit) {
                continue;
            }
            if shape != Shape::Digit {
                for other in bits(board.cells[cell] & !(1 << digit)) {
                    self.link_over(number, frame.number(cell, other), Cause::Cell);
                }
            }
            let mut seen = 0_u128;
            for (kind, (house, place)) in HOMES[cell].into_iter().enumerate() {
                for other in bits(board.places[house as usize][digit] & !(1 << place)) {
                    let other = CELLS[house as usize][other] as usize;
                    if seen >> other & 1 == 0 {
                        seen |= 1 << other;
                        let cause = Cause::House(kind as u8);
                        self.link_over(number, frame.number(other, digit), cause);
                    }
                }
            }
        }
        self.starts.push(self.links.len() as u32);
    }

    fn link_over(&mut self, from: usize, off: usize, why_off: Cause) {
        for &(on, why_on) in &self.strong[off] {
            if on == NONE {
                break;
            }
            if on as usize != from {
                let off = off as u16;
                self.links.push(Link {
                    off,
                    on,
                    why_off,
                    why_on,
                });
            }
        }
    }

    fn links_of(&self, number: usize) -> std::ops::Range<usize> {
        self.starts[number] as usize..self.starts[number + 1] as usize
    }

    fn begin(&mut self, count: usize) {
        self.stops.clear();
        self.seen.clear();
        self.seen.resize(count, false);
    }

    fn stop(&mut self, claim: u16, before: u16, depth: u16, link: u32) {
        if !self.seen[claim as usize] {
            self.seen[claim as usize] = true;
            self.stops.push(Stop {
                claim,
                before,
                depth,
                link,
            });
        }
    }

    /// Goes on from a stop.
    fn go_on(&mut self, at: usize) {
        let Stop { claim, depth, .. } = self.stops[at];
        for link in self.links_of(claim as usize) {
            self.stop(self.links[link].on, at as u16, depth + 1, link as u32);
        }
    }

    /// The steps to a stop.
    fn path(&self, count: usize, at: usize) -> Vec<Step> {
        let mut path = Vec::new();
        let mut stop = self.stops[at];
        while stop.before != NONE {
            let link = self.links[stop.link as usize];
            path.push((link.on, link.why_on));
            path.push((link.off + count as u16, link.why_off));
            stop = self.stops[stop.before as usize];
        }
        path.push((stop.claim, Cause::Assumed));
        path.reverse();
        path
    }

    /// Whether the path to a stop goes over this false claim.
    fn goes_over(&self, at: usize, off: u16) -> bool {
        let mut stop = self.stops[at];
        while stop.before != NONE {
            if self.links[stop.link as usize].off == off {
                return true;
            }
            stop = self.stops[stop.before as usize];
        }
        false
    }

    /// Cycles from a true claim back to it.
    fn around(
        &mut self,
        frame: &Frame,
        board: &Board,
        shape: Shape,
        number: usize,
        limit: &mut Option<Rank>,
        show: &mut impl FnMut(Found) -> Option<Rank>,
    ) {
        self.begin(frame.len());
        self.stop(number as u16, NONE, 0, 0);
        let mut at = 0;
        while at < self.stops.len() {
            let Stop { claim, depth, .. } = self.stops[at];
            let length = 2 * u32::from(depth) + 2;
            let rank = Rank::new(shape.base(Turn::Cycle), length, shape.sort());
            if limit.is_some_and(|limit| rank >= limit) {
                return;
            }
            if depth > 0 {
                for link in self.links_of(claim as usize) {
                    let link = self.links[link];
                    if link.on as usize != number || self.goes_over(at, link.off) {
                        continue;
                    }
                    let mut path = self.path(frame.len(), at);
                    path.push((link.off + frame.len() as u16, link.why_off));
                    path.push((link.on, link.why_on));
                    let struck = struck_by_cycle(frame, board, &path[1..]);
                    if !struck.is_empty() {
                        let turn = Turn::Cycle;
                        *limit = show(Found {
                            rank,
                            shape,
                            turn,
                            path,
                            struck,
                            length,
                        });
                    }
                }
            }
            self.go_on(at);
            at += 1;
        }
    }

    /// A true claim that comes to its contrary.
    fn refuting(
        &mut self,
        frame: &Frame,
        shape: Shape,
        number: usize,
        limit: &mut Option<Rank>,
        show: &mut impl FnMut(Found) -> Option<Rank>,
    ) {
        self.begin(frame.len());
        self.stop(number as u16, NONE, 0, 0);
        let source = frame.mark(number);
        let mut at = 0;
        while at < self.stops.len() {
            let Stop { claim, depth, .. } = self.stops[at];
            let length = 2 * u32::from(depth) + 2;
            let rank = Rank::new(shape.base(Turn::False), length, shape.sort());
            if limit.is_some_and(|limit| rank >= limit) {
                return;
            }
            let cause = excludes(frame.mark(claim as usize), source, shape);
            if let Some(cause) = cause {
                let mut path = self.path(frame.len(), at);
                path.push(((number + frame.len()) as u16, cause));
                let turn = Turn::False;
                let struck = vec![(source.0, 1 << source.1)];
                *limit = show(Found {
                    rank,
                    shape,
                    turn,
                    path,
                    struck,
                    length,
                });
                return;
            }
            self.go_on(at);
            at += 1;
        }
    }

    /// A false claim that comes to its contrary.
    fn proving(
        &mut self,
        frame: &Frame,
        board: &Board,
        shape: Shape,
        number: usize,
        limit: &mut Option<Rank>,
        show: &mut impl FnMut(Found) -> Option<Rank>,
    ) {
        self.begin(frame.len());
        for (on, _) in self.strong[number] {
            if on != NONE {
                self.stop(on, NONE, 1, 0);
            }
        }
        let (cell, digit) = frame.mark(number);
        let mut at = 0;
        while at < self.stops.len() {
            let Stop { claim, depth, .. } = self.stops[at];
            let length = 2 * u32::from(depth) + 2;
            let rank = Rank::new(shape.base(Turn::True), length, shape.sort());
            if limit.is_some_and(|limit| rank >= limit) {
                return;
            }
            for link in self.links_of(claim as usize) {
                let link = self.links[link];
                if link.on as usize != number {
                    continue;
                }
                let mut path = self.path(frame.len(), at);
                let first = path[0].0;
                let why = self.strong[number].iter().find(|&&(on, _)| on == first);
                path[0].1 = why.map_or(Cause::Assumed, |&(_, cause)| cause);
                path.insert(0, ((number + frame.len()) as u16, Cause::Assumed));
                path.push((link.off + frame.len() as u16, link.why_off));
                path.push((link.on, link.why_on));
                let turn = Turn::True;
                let struck = vec![(cell, board.cells[cell] & !(1 << digit))];
                *limit = show(Found {
                    rank,
                    shape,
                    turn,
                    path,
                    struck,
                    length,
                });
                return;
            }
            self.go_on(at);
            at += 1;
        }
    }
}

/// Why a candidate that is right excludes another one, if it does.
fn excludes(right: (usize, usize), other: (usize, usize), shape: Shape) -> Option<Cause> {
    if right.0 == other.0 {
        let differ = right.1 != other.1 && shape != Shape::Digit;
        return differ.then_some(Cause::Cell);
    }
    if right.1 != other.1 || peers_of(right.0) >> other.0 & 1 == 0 {
        return None;
    }
    let homes = HOMES[right.0].into_iter().zip(HOMES[other.0]);
    let kind = homes
        .into_iter()
        .position(|((one, _), (two, _))| one == two);
    kind.map(|kind| Cause::House(kind as u8))
}

/// What sees, from outside the cells of a cycle, a true and a false claim of a digit.
fn struck_by_cycle(frame: &Frame, board: &Board, path: &[Step]) -> Vec<(usize, u16)> {
    let count = frame.len();
    let mut within = 0_u128;
    let mut seen = [[0_u128; 2]; 9];
    for &(claim, _) in path {
        let claim = claim as usize;
        let off = claim >= count;
        let (cell, digit) = frame.mark(if off { claim - count } else { claim });
        within |= 1 << cell;
        seen[digit][usize::from(off)] |= peers_of(cell);
    }
    let mut digits = [0_u16; 81];
    let mut cells = 0_u128;
    for (digit, [on, off]) in seen.into_iter().enumerate() {
        let both = on & off & !within;
        if both == 0 {
            continue;
        }
        for cell in wide_bits(both & board.cells_of(digit)) {
            digits[cell] |= 1 << digit;
            cells |= 1 << cell;
        }
    }
    wide_bits(cells).map(|cell| (cell, digits[cell])).collect()
}
