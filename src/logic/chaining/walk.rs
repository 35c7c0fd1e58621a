//! The links of a board, and walks over them.

use super::board::{Board, CELLS, Frame, HOMES, bits, is_pair, own_places};
use super::closure::{Closure, Starts};
use super::implication_graph::{Cause, NONE};

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

impl Shape {
    pub(super) const ALL: [Shape; 3] = [Shape::Digit, Shape::Bivalue, Shape::Both];
}

/// A claim of a chain and why it follows from the one before.
pub(super) type Step = (u16, Cause);

/// From a true claim over a false one to a true one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) off: u16,
    pub(super) on: u16,
    pub(super) why_off: Cause,
    pub(super) why_on: Cause,
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
pub(super) struct Stop {
    pub(super) claim: u16,
    /// Where it is reached from, or [`NONE`].
    pub(super) before: u16,
    pub(super) depth: u16,
    pub(super) link: u32,
}

/// Claims that are true if a candidate is not, and why; the first so many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strong {
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

    pub(super) fn claims(&self) -> &[(u16, Cause)] {
        &self.claims[..self.count]
    }
}

/// The links of a board, and scratch buffers of the search.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// Finds where a search can find something.
    pub(super) closure: Closure,
    /// The candidates of the board that are starts, or have strong links.
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
    seen: Vec<u64>,
    time: u64,
}

impl Walk {
    /// Notes the candidates of the board and their links.
    pub(super) fn begin(&mut self, frame: &Frame, board: &Board, starts: &Starts) {
        self.present.clear();
        self.strong.clear();
        self.strong.resize(frame.len(), Strong::NONE);
        self.ranges.clear();
        self.ranges.resize(frame.len(), (0, 0));
        self.seen.resize(frame.len().max(self.seen.len()), 0);
        // Candidates that lead on when they are false, by cell, and by house and digit.
        let mut digits = [0_u16; 81];
        let mut places = [[0_u16; 9]; 27];
        for (cell, digit) in board.candidates() {
            let number = frame.number(cell, digit);
            let is_start = starts.has(cell, digit);
            let strong = &mut self.strong[number];
            if is_pair(board.cells[cell]) {
                let other = (board.cells[cell] & !(1 << digit)).trailing_zeros() as usize;
                strong.add(frame.number(cell, other), Cause::Cell);
            }
            for (kind, (house, place)) in HOMES[cell].into_iter().enumerate() {
                let held = board.places[house as usize][digit];
                if is_pair(held) {
                    let other = (held & !(1 << place)).trailing_zeros() as usize;
                    let other = CELLS[house as usize][other] as usize;
                    strong.add(frame.number(other, digit), Cause::House(kind as u8));
                }
            }
            if strong.count > 0 || is_start {
                self.present.push(number as u16);
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
    pub(super) fn choose(&mut self, shape: Shape) {
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

    /// The candidates of the board that are starts, or have strong links.
    pub(super) fn present(&self) -> &[u16] {
        &self.present
    }

    pub(super) fn strong(&self, number: usize) -> Strong {
        self.strong[number]
    }

    pub(super) fn leads_to(&self, number: usize) -> bool {
        self.led_to[number]
    }

    pub(super) fn link(&self, link: usize) -> Link {
        self.links[link]
    }

    pub(super) fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// The links from a candidate, by number.
    pub(super) fn links_of(&self, number: u16) -> std::ops::Range<usize> {
        let (start, end) = self.ranges[number as usize];
        start as usize..end as usize
    }

    /// Begins a walk.
    pub(super) fn restart(&mut self) {
        self.stops.clear();
        self.time += 1;
    }

    /// Adds a stop, unless there is one of its claim.
    pub(super) fn stop(&mut self, stop: Stop) {
        let seen = &mut self.seen[stop.claim as usize];
        if *seen != self.time {
            *seen = self.time;
            self.stops.push(stop);
        }
    }

    /// Goes on from a stop.
    pub(super) fn go_on(&mut self, at: usize) {
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
    pub(super) fn path(&self, count: usize, at: usize) -> Vec<Step> {
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
    pub(super) fn goes_over(&self, at: usize, off: u16) -> bool {
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
