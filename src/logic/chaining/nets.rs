//! Forcing chains from several assumptions, and from one that contradicts itself.

use super::board::{Board, Frame, HOMES, bits, cells_of_house, peers_of};
use super::closure::{Closure, Convergence};
use super::conclusion::{Conclusion, NetKind, Rank, eliminated_by};
use super::extras::Extras;
use super::inside::{Causes, Inside, Shown, Signature};
use std::collections::{HashMap, HashSet};

use super::implication_graph::{Cause, ImplicationGraph, Nested};
use super::loops::Found;
use super::walk::Walk;

/// Searches inside a chain.
#[derive(Debug, Default)]
struct Inner {
    walk: Walk,
    /// What chains eliminate on the boards that have come up.
    chains: HashMap<[u16; 81], Vec<Found>>,
    nets: Option<Box<Nets>>,
    /// Boards on which a kind of forcing chains has nothing.
    exhausted: HashSet<(NetKind, [u16; 81])>,
}

/// Follows assumptions on a board, and keeps what follows.
#[derive(Debug, Default)]
pub(super) struct Nets {
    /// For each claim that was assumed what follows.
    pub(super) graphs: Vec<Option<ImplicationGraph>>,
    idle: Vec<ImplicationGraph>,
    /// The claims that several assumptions come to.
    shared: Vec<u64>,
    /// The same, in the order in which the first of them comes to them.
    targets: Vec<usize>,
    inner: Inner,
    /// The last search of dynamic chains, if it followed all claims to their end and found nothing.
    known: Option<Known>,
    /// Decides where several assumptions can come to the same.
    closure: Closure,
    /// Whether chains inside chains are kept in full.
    pub(super) explaining: bool,
}

/// A search that found nothing.
#[derive(Debug)]
struct Known {
    kind: NetKind,
    frame: Frame,
    cells: [u16; 81],
}

impl Known {
    /// Whether a search of this kind on a board can go on from where this one ended.
    fn leads_to(&self, frame: &Frame, board: &Board, kind: NetKind) -> bool {
        matches!((self.kind, kind), (NetKind::Dynamic(from), NetKind::Dynamic(to)) if tried(from, to).is_some())
            && self.cells == board.cells
            && self.frame.is_like(frame)
    }
}

/// Returns how many of the techniques of level `to` find nothing on the boards where the graphs of
/// level `from` end; `None` if a graph of that level cannot grow on from there. Levels 2 and 3 share
/// locked candidates to X-wings, then chains; 4 and 5 share the former, then dynamic forcing chains.
fn tried(from: u8, to: u8) -> Option<u8> {
    match (from, to) {
        (0 | 1, _) if from < to => Some(from),
        (2, 3) | (4, 5) => Some(2),
        _ => None,
    }
}

impl Nets {
    /// Shows the conclusions in the order in which they are looked for; `show` answers the rank that
    /// further ones are to be less than, if any.
    pub(super) fn search(
        &mut self,
        frame: &Frame,
        board: &Board,
        kind: NetKind,
        show: impl FnMut(Rank, Conclusion) -> Option<Rank>,
    ) {
        let known = self.known.take().filter(|_| !self.explaining);
        let mut convergence = Convergence::ANY;
        if kind == NetKind::Multiple {
            self.closure.begin(board);
            convergence = self.closure.convergence(frame, board);
            if convergence.is_nowhere() {
                return;
            }
        }
        if known.is_none_or(|known| !known.leads_to(frame, board, kind)) {
            self.begin(frame);
        }
        self.search_at(convergence, (frame, board), kind, show);
    }

    /// As [`Nets::search`], where consequences may meet.
    fn search_at(
        &mut self,
        convergence: Convergence,
        (frame, board): (&Frame, &Board),
        kind: NetKind,
        show: impl FnMut(Rank, Conclusion) -> Option<Rank>,
    ) {
        let mut search = Search {
            convergence,
            nets: self,
            frame,
            board,
            kind,
            limit: None,
            found: false,
            show,
        };
        for cell in 0..81 {
            search.at_cell(cell);
        }
        if matches!(kind, NetKind::Dynamic(_)) && !search.found && !frame.clock.is_over() {
            self.known = Some(Known {
                kind,
                frame: frame.clone(),
                cells: board.cells,
            });
        }
    }

    /// Forgets what followed from earlier assumptions.
    pub(super) fn begin(&mut self, frame: &Frame) {
        self.known = None;
        self.inner.chains.clear();
        self.inner.exhausted.clear();
        self.idle.extend(self.graphs.drain(..).flatten());
        self.graphs.resize_with(2 * frame.len(), || None);
    }

    /// Follows a claim, if that was not done before; no further than where all conclusions would be
    /// beyond the limit.
    pub(super) fn follow(
        &mut self,
        (frame, board): (&Frame, &Board),
        claim: usize,
        kind: NetKind,
        limit: Option<Rank>,
    ) {
        let level = kind.level();
        let held = self.graphs[claim].take();
        if held.as_ref().is_some_and(|graph| graph.level == level) {
            self.graphs[claim] = held;
            return;
        }
        let resumed = held.as_ref().and_then(|graph| tried(graph.level, level));
        let mut tried = resumed;
        let mut graph = match held {
            Some(graph) => graph,
            None => self.idle.pop().unwrap_or_default(),
        };
        graph.level = level;
        let (inner, explaining) = (&mut self.inner, self.explaining);
        let extra = |now: &Board, graph: &mut ImplicationGraph| {
            let inside = Inside {
                frame,
                source: board,
                board: now,
                explaining,
            };
            let before = graph.len();
            let is_last = inside.extend(graph, level, tried.take().unwrap_or(0), inner);
            // What follows rests on one of those that were added.
            !is_last
                || limit.is_none_or(|limit| {
                    let added = before..graph.len();
                    let least = added.map(|at| graph.length(at as u16)).min();
                    least.is_some_and(|least| Rank::new(kind.base(), least, 0) < limit)
                })
        };
        if resumed.is_some() {
            graph.resume(frame, board, kind.reach(), extra);
        } else {
            graph.follow(frame, board, claim, kind.reach(), extra);
        }
        self.graphs[claim] = Some(graph);
    }

    /// Counts what the consequences of a claim rest on.
    fn count(&mut self, claim: usize) {
        if let Some(graph) = &mut self.graphs[claim] {
            graph.count();
        }
    }

    /// What follows from a claim that was followed.
    pub(super) fn graph(&self, claim: usize) -> &ImplicationGraph {
        self.graphs[claim].as_ref().expect("the claim was followed")
    }

    /// Where the branches of a conclusion end: the claim that is assumed, and the position of the
    /// last claim among those that follow.
    pub(super) fn ends(
        &self,
        frame: &Frame,
        board: &Board,
        conclusion: Conclusion,
    ) -> Vec<(usize, u16)> {
        if let Conclusion::Absurd(claim) = conclusion {
            let clash = self.graph(claim).clash.unwrap_or([0, 0]);
            return clash.map(|at| (claim, at)).to_vec();
        }
        let target = conclusion.target(frame.len());
        let assumed = conclusion.assumed(frame, board).into_iter();
        assumed
            .map(|claim| (claim, self.graph(claim).at(target)))
            .collect()
    }

    /// The length of all different chains inside these branches.
    fn nested_length(&self, ends: &[(usize, u16)]) -> u32 {
        let mut seen: Vec<u64> = Vec::new();
        let lengths = ends.iter().map(|&(claim, at)| {
            let graph = self.graph(claim);
            graph.nested_length(&graph.lineage(at), &mut seen)
        });
        lengths.sum()
    }
}

impl Inside<'_> {
    /// Adds what the first technique of this level that finds something eliminates on the board
    /// that a chain has come to. Whether that is the last technique of the level: then all that
    /// follows later rests on what was added. The first `tried` techniques are known to find nothing.
    fn extend(
        &self,
        graph: &mut ImplicationGraph,
        level: u8,
        tried: u8,
        inner: &mut Inner,
    ) -> bool {
        if level == 0 {
            return false;
        }
        let before = graph.len();
        let added = |graph: &ImplicationGraph| graph.len() > before;
        if tried < 1 {
            Extras {
                frame: self.frame,
                source: self.source,
                board: self.board,
                graph,
            }
            .add();
            if added(graph) {
                return false;
            }
        }
        if (2..4).contains(&level) && tried < 2 {
            self.loops(graph, &mut inner.walk, &mut inner.chains);
            if level == 2 || added(graph) {
                return level == 2;
            }
        }
        let kinds = [
            (level == 3).then_some(NetKind::Multiple),
            (level >= 4).then_some(NetKind::Dynamic(0)),
            (level >= 5).then_some(NetKind::Dynamic(level.saturating_sub(3))),
        ];
        let tried = if level == 5 && tried == 2 { 1 } else { 0 };
        let mut kinds = kinds.into_iter().flatten().skip(tried).peekable();
        while let Some(kind) = kinds.next() {
            self.nets(graph, kind, inner);
            if added(graph) {
                return kinds.peek().is_none();
            }
        }
        false
    }

    fn nets(&self, graph: &mut ImplicationGraph, kind: NetKind, inner: &mut Inner) {
        let key = (kind, self.board.cells);
        if inner.exhausted.contains(&key) {
            return;
        }
        let nets = inner.nets.get_or_insert_default();
        nets.explaining = self.explaining;
        let mut found = Vec::new();
        nets.search(self.frame, self.board, kind, |rank, conclusion| {
            found.push((rank, conclusion));
            None
        });
        if found.is_empty() {
            if !self.frame.clock.is_over() {
                inner.exhausted.insert(key);
            }
            return;
        }
        found.sort_by_key(|&(rank, _)| rank);
        let mut shown = Shown::default();
        for (rank, conclusion) in found {
            let target = conclusion.target(self.frame.len());
            if shown.is_new(&[eliminated_by(self.frame, self.board, target)]) {
                self.nested_net(nets, rank.length(), conclusion, graph);
            }
        }
    }

    /// Adds what a conclusion eliminates.
    fn nested_net(
        &self,
        nets: &Nets,
        length: u32,
        conclusion: Conclusion,
        graph: &mut ImplicationGraph,
    ) {
        let (frame, board) = (self.frame, self.board);
        let ends = nets.ends(frame, board, conclusion);
        let mut causes = Causes::default();
        let mut signature = Signature::new(ends.len());
        let mut branches = Vec::new();
        for &(claim, at) in &ends {
            let inner = nets.graph(claim);
            let line = inner.lineage(at);
            for &at in &line {
                let on = inner.claim(at);
                signature.add(on);
                if on >= frame.len() {
                    continue;
                }
                let cause = match (inner.cause(at), conclusion) {
                    (Cause::Assumed, Conclusion::Cell(..)) => Cause::Cell,
                    (Cause::Assumed, Conclusion::House(house, ..)) => {
                        let kind = [1, 2, 0][house / 9];
                        Cause::House(kind)
                    }
                    (cause, _) => cause,
                };
                causes.of(self, on, cause);
            }
            signature.end();
            if self.explaining {
                branches.push(inner.branch(at));
            }
        }
        let eliminated = [eliminated_by(frame, board, conclusion.target(frame.len()))];
        let nested = Nested {
            length,
            signature: signature.value,
            branches,
        };
        self.eliminate(&eliminated, &causes.claims, nested, graph);
    }
}

/// A search on a board, with what is known of it.
struct Search<'a, S> {
    nets: &'a mut Nets,
    frame: &'a Frame,
    board: &'a Board,
    kind: NetKind,
    /// The cells and houses to look at.
    convergence: Convergence,
    limit: Option<Rank>,
    found: bool,
    show: S,
}

impl<S: FnMut(Rank, Conclusion) -> Option<Rank>> Search<'_, S> {
    /// What the candidates of a cell come to, one by one and together, and the places of their
    /// digits in the houses where this is the first.
    fn at_cell(&mut self, cell: usize) {
        let (frame, board) = (self.frame, self.board);
        let dynamic = self.kind.reach().dynamic;
        let nishio = self.kind == NetKind::Nishio;
        let held = board.cells[cell].count_ones();
        if held < 2 || held == 2 && !dynamic || frame.clock.is_over() {
            return;
        }
        for digit in bits(board.cells[cell]) {
            let number = frame.number(cell, digit);
            if dynamic {
                for (claim, holds) in [(number, true), (number + frame.len(), false)] {
                    if !nishio || digit_contradicts(board, cell, digit, holds) {
                        self.absurd(claim);
                    }
                }
            }
            if nishio {
                continue;
            }
            if dynamic && held > 2 {
                let conclude = |target| Conclusion::Double(number, target);
                self.common(&[number, number + frame.len()], conclude);
            }
            for (house, place) in HOMES[cell] {
                let house = house as usize;
                let places = board.places[house][digit];
                let converges = self.convergence.houses[house] >> digit & 1 == 1;
                if converges
                    && places.trailing_zeros() == u32::from(place)
                    && places.count_ones() > 1
                {
                    let assumed = Conclusion::House(house, digit, 0).assumed(frame, board);
                    self.common(&assumed, |target| Conclusion::House(house, digit, target));
                }
            }
        }
        if !nishio && self.convergence.cells >> cell & 1 == 1 {
            let assumed = Conclusion::Cell(cell, 0).assumed(frame, board);
            self.common(&assumed, |target| Conclusion::Cell(cell, target));
        }
    }

    fn follow(&mut self, claim: usize) {
        let (frame, board) = (self.frame, self.board);
        self.nets
            .follow((frame, board), claim, self.kind, self.limit);
    }

    /// Whether a claim comes to a contradiction.
    fn absurd(&mut self, claim: usize) {
        self.follow(claim);
        if let Some([one, other]) = self.nets.graph(claim).clash {
            self.nets.count(claim);
            let graph = self.nets.graph(claim);
            let length = graph.counted(one) + graph.counted(other);
            self.conclude(Conclusion::Absurd(claim), length);
        }
    }

    /// The claims that all these assumptions come to.
    fn common(&mut self, assumed: &[usize], conclude: impl Fn(usize) -> Conclusion) {
        for &claim in assumed {
            self.follow(claim);
        }
        let mut shared = std::mem::take(&mut self.nets.shared);
        shared.clone_from(&self.nets.graph(assumed[0]).reached);
        for &claim in &assumed[1..] {
            let theirs = &self.nets.graph(claim).reached;
            shared
                .iter_mut()
                .zip(theirs)
                .for_each(|(word, theirs)| *word &= theirs);
        }
        if shared.iter().any(|&word| word != 0) {
            for &claim in assumed {
                self.nets.count(claim);
            }
            let mut targets = std::mem::take(&mut self.nets.targets);
            targets.clear();
            targets.extend(self.nets.graph(assumed[0]).reached_in_order());
            targets.retain(|&target| shared[target / 64] >> (target % 64) & 1 == 1);
            for &target in &targets {
                if eliminated_by(self.frame, self.board, target).1 != 0 {
                    let graphs = assumed.iter().map(|&claim| self.nets.graph(claim));
                    let length = graphs.map(|graph| graph.counted(graph.at(target))).sum();
                    self.conclude(conclude(target), length);
                }
            }
            self.nets.targets = targets;
        }
        self.nets.shared = shared;
    }

    /// Shows a conclusion; `length` is its length without chains inside it.
    fn conclude(&mut self, conclusion: Conclusion, length: u32) {
        let rank = |length| Rank::new(self.kind.base(), length, conclusion.sort());
        if self.limit.is_some_and(|limit| rank(length) >= limit) {
            return;
        }
        let nested = if self.kind.is_nested() {
            let ends = self.nets.ends(self.frame, self.board, conclusion);
            self.nets.nested_length(&ends)
        } else {
            0
        };
        let rank = rank(length + nested);
        if self.limit.is_none_or(|limit| rank < limit) {
            self.found = true;
            self.limit = (self.show)(rank, conclusion);
        }
    }
}

/// Returns whether a digit is left without a place in some house once it is placed in a cell, or
/// eliminated from it, and hidden singles of the digit are followed: what Nishio finds in claims, by
/// bits.
fn digit_contradicts(board: &Board, cell: usize, digit: usize, holds: bool) -> bool {
    let mut places = board.cells_of(digit);
    let mut right = 0_u128;
    places &= if holds {
        right |= 1 << cell;
        !peers_of(cell)
    } else {
        !(1 << cell)
    };
    loop {
        let before = right;
        for (house, held) in board.places.iter().enumerate() {
            let left = places & cells_of_house(house);
            if held[digit] == 0 {
                continue;
            }
            if left == 0 {
                return true;
            }
            if left & (left - 1) == 0 && right & left == 0 {
                right |= left;
                places &= !peers_of(left.trailing_zeros() as usize);
            }
        }
        if right == before {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::implication_graph::testing::{boards, grids};
    use super::*;

    type Shown = Vec<(Rank, Conclusion)>;

    #[test]
    fn cells_and_houses_excluded_by_the_closure_have_no_multiple_chains() {
        let mut nets = Nets::default();
        let (mut empty, mut some) = (0, 0);
        for (frame, board) in boards() {
            let [mut found, mut all] = [Shown::new(), Shown::new()];
            nets.search(&frame, &board, NetKind::Multiple, |rank, conclusion| {
                found.push((rank, conclusion));
                None
            });
            nets.begin(&frame);
            let kind = NetKind::Multiple;
            nets.search_at(
                Convergence::ANY,
                (&frame, &board),
                kind,
                |rank, conclusion| {
                    all.push((rank, conclusion));
                    None
                },
            );
            assert_eq!(found, all);
            nets.closure.begin(&board);
            if nets.closure.starts(&board).is_none() {
                empty += usize::from(found.is_empty());
                some += usize::from(!found.is_empty());
            }
        }
        assert!(empty > 10 && some > 3, "{empty} {some}");
    }

    #[test]
    fn continuing_from_the_level_below_finds_the_same_as_a_fresh_search() {
        let mut resumed = 0;
        for grid in grids() {
            let (frame, board) = (Frame::new(&grid), Board::new(&grid));
            let mut nets = Nets::default();
            for level in 0..3 {
                let kind = NetKind::Dynamic(level);
                let [mut found, mut fresh] = [Shown::new(), Shown::new()];
                resumed += usize::from(nets.known.is_some());
                nets.search(&frame, &board, kind, |rank, conclusion| {
                    found.push((rank, conclusion));
                    Some(rank)
                });
                Nets::default().search(&frame, &board, kind, |rank, conclusion| {
                    fresh.push((rank, conclusion));
                    Some(rank)
                });
                assert_eq!(found, fresh);
            }
        }
        assert!(resumed > 3, "{resumed}");
    }

    #[test]
    fn a_digit_contradicts_itself_where_its_claims_clash() {
        let (mut clashes, mut spared) = (0, 0);
        for grid in grids() {
            let (frame, board) = (Frame::new(&grid), Board::new(&grid));
            let mut nets = Nets::default();
            nets.begin(&frame);
            for claim in 0..2 * frame.len() {
                nets.follow((&frame, &board), claim, NetKind::Nishio, None);
                let (cell, digit) = frame.mark(claim % frame.len());
                let holds = claim < frame.len();
                let clash = nets.graph(claim).clash.is_some();
                let expected = digit_contradicts(&board, cell, digit, holds);
                assert!(expected || !clash);
                clashes += usize::from(clash);
                spared += usize::from(!expected);
            }
        }
        assert!(clashes > 0 && spared > 1000, "{clashes} {spared}");
    }
}
