//! Chains in which each claim follows from one: cycles, and assumptions that come to their contrary.

use super::board::{Board, CELLS, Frame, HOMES, bits, own_places, peers_of, wide_bits};
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

impl Link {
    fn is_of(self, shape: Shape) -> bool {
        match shape {
            Shape::Digit => self.why_off != Cause::Cell && self.why_on != Cause::Cell,
            Shape::Bivalue => self.why_on == Cause::Cell,
            Shape::Both => true,
        }
    }
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

/// Claims that are true if a candidate is not, and why; the first so many.
#[derive(Clone, Copy, Debug)]
struct Strong {
    claims: [(u16, Cause); 4],
    count: usize,
}

impl Strong {
    const NONE: Strong = Strong {
        claims: [(NONE, Cause::Assumed); 4],
        count: 0,
    };

    fn add(&mut self, claim: usize, cause: Cause) {
        let claim = claim as u16;
        if self.claims().iter().all(|&(held, _)| held != claim) {
            self.claims[self.count] = (claim, cause);
            self.count += 1;
        }
    }

    fn claims(&self) -> &[(u16, Cause)] {
        &self.claims[..self.count]
    }
}

/// The links of a board, and the room that the search takes.
#[derive(Debug, Default)]
pub(super) struct Loops {
    /// The candidates of the board.
    present: Vec<u16>,
    /// What is true if a candidate is not: in its cell, then in its houses.
    strong: Vec<Strong>,
    /// All links, by the true claims that they start from.
    all: Vec<(u16, Link)>,
    /// Those of the shape that is looked for.
    links: Vec<Link>,
    /// Where the links of each candidate begin, and end.
    ranges: Vec<(u32, u32)>,
    /// Whether a link leads to a candidate.
    led_to: Vec<bool>,
    stops: Vec<Stop>,
    /// When each candidate was last a stop.
    seen: Vec<u32>,
    time: u32,
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
        show: impl FnMut(Found) -> Option<Rank>,
    ) {
        self.begin(frame, board);
        let mut quest = Quest {
            loops: self,
            frame,
            board,
            shape: Shape::Digit,
            limit: None,
            show,
        };
        for shape in Shape::ALL {
            quest.shape = shape;
            quest.loops.choose(shape);
            for at in 0..quest.loops.present.len() {
                let number = quest.loops.present[at] as usize;
                let (cell, _) = frame.mark(number);
                let held = board.cells[cell].count_ones();
                if held < 2 || shape == Shape::Bivalue && held != 2 {
                    continue;
                }
                quest.start_true(number);
                if shape != Shape::Bivalue {
                    quest.start_false(number);
                }
            }
        }
    }

    /// Notes the candidates of the board and their links.
    fn begin(&mut self, frame: &Frame, board: &Board) {
        self.present.clear();
        self.strong.clear();
        self.strong.resize(frame.len(), Strong::NONE);
        self.ranges.clear();
        self.ranges.resize(frame.len(), (0, 0));
        self.seen.resize(frame.len().max(self.seen.len()), 0);
        // Candidates that lead on when they are false, by cell, and by house and digit.
        let mut digits = [0_u16; 81];
        let mut places = [[0_u16; 9]; 27];
        for number in 0..frame.len() {
            let (cell, digit) = frame.mark(number);
            if !board.has(cell, digit) {
                continue;
            }
            self.present.push(number as u16);
            let strong = &mut self.strong[number];
            if board.cells[cell].count_ones() == 2 {
                let other = (board.cells[cell] & !(1 << digit)).trailing_zeros() as usize;
                strong.add(frame.number(cell, other), Cause::Cell);
            }
            for (kind, (house, place)) in HOMES[cell].into_iter().enumerate() {
                let held = board.places[house as usize][digit];
                if held.count_ones() == 2 {
                    let other = (held & !(1 << place)).trailing_zeros() as usize;
                    let other = CELLS[house as usize][other] as usize;
                    strong.add(frame.number(other, digit), Cause::House(kind as u8));
                }
            }
            if strong.count > 0 {
                digits[cell] |= 1 << digit;
                for (house, place) in HOMES[cell] {
                    places[house as usize][digit] |= 1 << place;
                }
            }
        }
        self.all.clear();
        for at in 0..self.present.len() {
            let number = self.present[at] as usize;
            let (cell, digit) = frame.mark(number);
            for other in bits(digits[cell] & !(1 << digit)) {
                self.link_over(number, frame.number(cell, other), Cause::Cell);
            }
            for (kind, (house, place)) in HOMES[cell].into_iter().enumerate() {
                let house = house as usize;
                for other in bits(places[house][digit] & !own_places(kind, place)) {
                    let off = frame.number(CELLS[house][other] as usize, digit);
                    self.link_over(number, off, Cause::House(kind as u8));
                }
            }
        }
    }

    fn link_over(&mut self, from: usize, off: usize, why_off: Cause) {
        for &(on, why_on) in self.strong[off].claims() {
            if on as usize != from {
                let link = Link {
                    off: off as u16,
                    on,
                    why_off,
                    why_on,
                };
                self.all.push((from as u16, link));
            }
        }
    }

    /// Chooses the links of a shape.
    fn choose(&mut self, shape: Shape) {
        self.links.clear();
        self.led_to.clear();
        self.led_to.resize(self.ranges.len(), false);
        let mut rest = self.all.iter().peekable();
        for &number in &self.present {
            let start = self.links.len() as u32;
            while let Some((_, link)) = rest.next_if(|(from, _)| *from == number) {
                if link.is_of(shape) {
                    self.links.push(*link);
                    self.led_to[link.on as usize] = true;
                }
            }
            self.ranges[number as usize] = (start, self.links.len() as u32);
        }
    }

    fn links_of(&self, number: u16) -> std::ops::Range<usize> {
        let (start, end) = self.ranges[number as usize];
        start as usize..end as usize
    }

    fn restart(&mut self) {
        self.stops.clear();
        self.time = self.time.wrapping_add(1);
    }

    fn stop(&mut self, stop: Stop) {
        let seen = &mut self.seen[stop.claim as usize];
        if *seen != self.time {
            *seen = self.time;
            self.stops.push(stop);
        }
    }

    /// Goes on from a stop.
    fn go_on(&mut self, at: usize) {
        let Stop { claim, depth, .. } = self.stops[at];
        for link in self.links_of(claim) {
            self.stop(Stop {
                claim: self.links[link].on,
                before: at as u16,
                depth: depth + 1,
                link: link as u32,
            });
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
}

/// The length of a chain that ends after a stop of this depth.
fn length(depth: u16) -> u32 {
    2 * u32::from(depth) + 2
}

/// A search on a board, with what is known of it.
struct Quest<'a, S> {
    loops: &'a mut Loops,
    frame: &'a Frame,
    board: &'a Board,
    shape: Shape,
    limit: Option<Rank>,
    show: S,
}

impl<S: FnMut(Found) -> Option<Rank>> Quest<'_, S> {
    fn rank(&self, turn: Turn, depth: u16) -> Rank {
        Rank::new(self.shape.base(turn), length(depth), self.shape.sort())
    }

    fn is_beyond(&self, rank: Rank) -> bool {
        self.limit.is_some_and(|limit| rank >= limit)
    }

    fn show(&mut self, rank: Rank, turn: Turn, path: Vec<Step>, struck: Vec<(usize, u16)>) {
        self.limit = (self.show)(Found {
            rank,
            shape: self.shape,
            turn,
            path,
            struck,
            length: rank.length(),
        });
    }

    /// Cycles from a true claim back to it, then the shortest way to its contrary.
    fn start_true(&mut self, number: usize) {
        if self.loops.links_of(number as u16).is_empty() {
            return;
        }
        let count = self.frame.len();
        let source = self.frame.mark(number);
        let mut contrary = None;
        self.loops.restart();
        self.loops.stop(Stop {
            claim: number as u16,
            before: NONE,
            depth: 0,
            link: 0,
        });
        let mut at = 0;
        let mut rank = self.rank(Turn::Cycle, 0);
        while let Some(&Stop { claim, depth, .. }) = self.loops.stops.get(at) {
            if rank.length() != length(depth) {
                rank = self.rank(Turn::Cycle, depth);
                if self.is_beyond(rank) {
                    break;
                }
            }
            if depth > 0 {
                for link in self.loops.links_of(claim) {
                    let link = self.loops.links[link];
                    if link.on as usize != number || self.loops.goes_over(at, link.off) {
                        continue;
                    }
                    let mut path = self.loops.path(count, at);
                    path.push((link.off + count as u16, link.why_off));
                    path.push((link.on, link.why_on));
                    let struck = struck_by_cycle(self.frame, self.board, &path[1..]);
                    if !struck.is_empty() {
                        self.show(rank, Turn::Cycle, path, struck);
                    }
                }
                if contrary.is_none() && self.shape != Shape::Bivalue {
                    let cause = excludes(self.frame.mark(claim as usize), source, self.shape);
                    contrary = cause.map(|cause| (at, depth, cause));
                }
            }
            self.loops.go_on(at);
            at += 1;
        }
        if let Some((at, depth, cause)) = contrary {
            let rank = self.rank(Turn::False, depth);
            if !self.is_beyond(rank) {
                let mut path = self.loops.path(count, at);
                path.push(((number + count) as u16, cause));
                self.show(rank, Turn::False, path, vec![(source.0, 1 << source.1)]);
            }
        }
    }

    /// The shortest way from a false claim to its contrary.
    fn start_false(&mut self, number: usize) {
        if !self.loops.led_to[number] {
            return;
        }
        let count = self.frame.len();
        let (cell, digit) = self.frame.mark(number);
        self.loops.restart();
        let strong = self.loops.strong[number];
        let shape = self.shape;
        let of_shape = |&&(_, cause): &&(u16, Cause)| shape == Shape::Both || cause != Cause::Cell;
        for &(on, _) in strong.claims().iter().filter(of_shape) {
            self.loops.stop(Stop {
                claim: on,
                before: NONE,
                depth: 1,
                link: 0,
            });
        }
        let mut at = 0;
        let mut rank = self.rank(Turn::True, 0);
        while let Some(&Stop { claim, depth, .. }) = self.loops.stops.get(at) {
            if rank.length() != length(depth) {
                rank = self.rank(Turn::True, depth);
                if self.is_beyond(rank) {
                    return;
                }
            }
            let mut links = self.loops.links_of(claim);
            let closing = links.find(|&link| self.loops.links[link].on as usize == number);
            if let Some(link) = closing {
                let link = self.loops.links[link];
                let mut path = self.loops.path(count, at);
                let first = path[0].0;
                let why = strong.claims().iter().find(|&&(on, _)| on == first);
                path[0].1 = why.map_or(Cause::Assumed, |&(_, cause)| cause);
                path.insert(0, ((number + count) as u16, Cause::Assumed));
                path.push((link.off + count as u16, link.why_off));
                path.push((link.on, link.why_on));
                let struck = vec![(cell, self.board.cells[cell] & !(1 << digit))];
                self.show(rank, Turn::True, path, struck);
                return;
            }
            self.loops.go_on(at);
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
