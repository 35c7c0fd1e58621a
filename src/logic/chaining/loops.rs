//! Chains in which each claim follows from one: cycles, and assumptions that come to their contrary.

use super::board::{Board, Frame, HOMES, peers_of, wide_bits};
use super::closure::Starts;
use super::conclusion::Rank;
use super::implication_graph::{Cause, NONE};
use super::walk::{Shape, Step, Stop, Walk};

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

/// A chain that eliminates something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) rank: Rank,
    pub(super) shape: Shape,
    pub(super) turn: Turn,
    /// From the assumption to its contrary, or all around.
    pub(super) path: Vec<Step>,
    /// What it eliminates: digits of cells, in reading order.
    pub(super) eliminated: Vec<(usize, u16)>,
}

impl Shape {
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

/// Shows the chains of a board in the order in which they are looked for. What `show` answers is
/// the rank that further ones are to be less than, if any.
pub(super) fn search(
    walk: &mut Walk,
    frame: &Frame,
    board: &Board,
    show: impl FnMut(Found) -> Option<Rank>,
) {
    walk.closure.begin(board);
    if let Some(starts) = walk.closure.starts(board) {
        search_from(&starts, walk, frame, board, show);
    }
}

/// As [`search`], of the chains that start from these candidates.
fn search_from(
    starts: &Starts,
    walk: &mut Walk,
    frame: &Frame,
    board: &Board,
    show: impl FnMut(Found) -> Option<Rank>,
) {
    walk.begin(frame, board, starts);
    let mut search = Search {
        walk,
        frame,
        board,
        shape: Shape::Digit,
        limit: None,
        show,
    };
    for shape in Shape::ALL {
        search.shape = shape;
        search.walk.choose(shape);
        for at in 0..search.walk.present().len() {
            let number = search.walk.present()[at] as usize;
            let (cell, digit) = frame.mark(number);
            let held = board.cells[cell].count_ones();
            if held < 2 || shape == Shape::Bivalue && held != 2 {
                continue;
            }
            let refuted = starts.refuted[cell] >> digit & 1 == 1;
            let cyclic = starts.cyclic[cell] >> digit & 1 == 1;
            search.start_true(number, refuted, cyclic);
            if shape != Shape::Bivalue && starts.proven[cell] >> digit & 1 == 1 {
                search.start_false(number);
            }
        }
    }
}

/// The length of a chain that ends after a stop of this depth.
fn length(depth: u16) -> u32 {
    2 * u32::from(depth) + 2
}

/// A search on a board, with what is known of it.
struct Search<'a, S> {
    walk: &'a mut Walk,
    frame: &'a Frame,
    board: &'a Board,
    shape: Shape,
    limit: Option<Rank>,
    show: S,
}

impl<S: FnMut(Found) -> Option<Rank>> Search<'_, S> {
    fn rank(&self, turn: Turn, depth: u16) -> Rank {
        Rank::new(self.shape.base(turn), length(depth), self.shape.sort())
    }

    /// Whether chains that end after a stop of this depth are beyond the limit.
    fn is_beyond(&self, turn: Turn, depth: u16) -> bool {
        self.limit
            .is_some_and(|limit| self.rank(turn, depth) >= limit)
    }

    /// Shows a chain that ends after a stop of this depth.
    fn show(&mut self, depth: u16, turn: Turn, path: Vec<Step>, eliminated: Vec<(usize, u16)>) {
        let rank = self.rank(turn, depth);
        self.limit = (self.show)(Found {
            rank,
            shape: self.shape,
            turn,
            path,
            eliminated,
        });
    }

    /// Cycles from a true claim back to it, if there can be any, then the shortest way to its contrary, if it is refuted.
    fn start_true(&mut self, number: usize, refuted: bool, cyclic: bool) {
        if self.walk.links_of(number as u16).is_empty() {
            return;
        }
        let cyclic = cyclic && self.walk.leads_to(number);
        let refuted = refuted && self.shape != Shape::Bivalue;
        if !refuted && !cyclic {
            return;
        }
        let count = self.frame.len();
        let source = self.frame.mark(number);
        let mut contrary = None;
        self.walk.restart();
        self.walk.stop(Stop {
            claim: number as u16,
            before: NONE,
            depth: 0,
            link: 0,
        });
        let mut at = 0;
        while let Some(&Stop { claim, depth, .. }) = self.walk.stops().get(at) {
            if self.is_beyond(Turn::Cycle, depth) {
                break;
            }
            if depth > 0 {
                for link in self.walk.links_of(claim) {
                    let link = self.walk.link(link);
                    if link.on as usize != number || self.walk.goes_over(at, link.off) {
                        continue;
                    }
                    let mut path = self.walk.path(count, at);
                    path.push((link.off + count as u16, link.why_off));
                    path.push((link.on, link.why_on));
                    let eliminated = eliminated_by_cycle(self.frame, self.board, &path[1..]);
                    if !eliminated.is_empty() {
                        self.show(depth, Turn::Cycle, path, eliminated);
                    }
                }
                if refuted && contrary.is_none() {
                    let cause = excludes(self.frame.mark(claim as usize), source, self.shape);
                    contrary = cause.map(|cause| (at, depth, cause));
                }
                if contrary.is_some() && !cyclic {
                    break;
                }
            }
            self.walk.go_on(at);
            at += 1;
        }
        if let Some((at, depth, cause)) = contrary
            && !self.is_beyond(Turn::False, depth)
        {
            let mut path = self.walk.path(count, at);
            path.push(((number + count) as u16, cause));
            self.show(depth, Turn::False, path, vec![(source.0, 1 << source.1)]);
        }
    }

    /// The shortest way from a false claim to its contrary.
    fn start_false(&mut self, number: usize) {
        if !self.walk.leads_to(number) {
            return;
        }
        let count = self.frame.len();
        let (cell, digit) = self.frame.mark(number);
        self.walk.restart();
        let strong = self.walk.strong(number);
        let shape = self.shape;
        let of_shape = |&&(_, cause): &&(u16, Cause)| shape == Shape::Both || cause != Cause::Cell;
        for &(on, _) in strong.claims().iter().filter(of_shape) {
            self.walk.stop(Stop {
                claim: on,
                before: NONE,
                depth: 1,
                link: 0,
            });
        }
        let mut at = 0;
        while let Some(&Stop { claim, depth, .. }) = self.walk.stops().get(at) {
            if self.is_beyond(Turn::True, depth) {
                return;
            }
            let mut links = self.walk.links_of(claim);
            let closing = links.find(|&link| self.walk.link(link).on as usize == number);
            if let Some(link) = closing {
                let link = self.walk.link(link);
                let mut path = self.walk.path(count, at);
                let first = path[0].0;
                let why = strong.claims().iter().find(|&&(on, _)| on == first);
                path[0].1 = why.map_or(Cause::Assumed, |&(_, cause)| cause);
                path.insert(0, ((number + count) as u16, Cause::Assumed));
                path.push((link.off + count as u16, link.why_off));
                path.push((link.on, link.why_on));
                let eliminated = vec![(cell, self.board.cells[cell] & !(1 << digit))];
                self.show(depth, Turn::True, path, eliminated);
                return;
            }
            self.walk.go_on(at);
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
fn eliminated_by_cycle(frame: &Frame, board: &Board, path: &[Step]) -> Vec<(usize, u16)> {
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

#[cfg(test)]
mod tests {
    use super::super::implication_graph::testing::boards;
    use super::*;

    #[test]
    fn starts_excluded_by_the_closure_have_no_chains() {
        let mut walk = Walk::default();
        let (mut empty, mut many) = (0, 0);
        for (frame, board) in boards() {
            let [mut found, mut all] = [Vec::new(), Vec::new()];
            search(&mut walk, &frame, &board, |chain| {
                found.push(chain);
                None
            });
            search_from(&Starts::ALL, &mut walk, &frame, &board, |chain| {
                all.push(chain);
                None
            });
            assert_eq!(found, all);
            empty += usize::from(found.is_empty());
            many += usize::from(found.len() > 1);
        }
        assert!(empty > 10 && many > 10, "{empty} {many}");
    }
}
