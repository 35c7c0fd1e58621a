//! Forcing chains from several assumptions, and from one that contradicts itself.

use super::board::{Board, CELLS, Frame, HOMES, bits};
use super::inside::{Inner, Inside};
use super::rank::Rank;
use super::wave::{Reach, Wave};

/// Which forcing chains are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetKind {
    /// Contradictions of one digit.
    Nishio,
    /// From all candidates of a cell or all places of a digit in a house, each claim following from
    /// one.
    Multiple,
    /// Claims may follow from several, up to this level: from 1 on also by locked candidates, pairs
    /// and X-wings, from 2 on by chains inside the chain.
    Dynamic(u8),
}

/// What was found, by the assumptions it was found from. Claims are numbered as in [`Wave`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conclusion {
    /// This claim comes to a contradiction.
    Absurd(usize),
    /// A candidate right or not, both come to this claim.
    Double(usize, usize),
    /// All candidates of the cell come to this claim.
    Cell(usize, usize),
    /// All places of the digit in the house come to this claim.
    House(usize, usize, usize),
}

/// Follows assumptions on a board, and keeps what follows.
#[derive(Debug, Default)]
pub(super) struct Nets {
    /// For each claim that was assumed what follows.
    pub(super) waves: Vec<Option<Wave>>,
    idle: Vec<Wave>,
    /// The claims that several assumptions come to.
    shared: Vec<u64>,
    /// The same, in the order in which the first of them comes to them.
    targets: Vec<usize>,
    inner: Inner,
    /// Whether chains inside chains are kept in full.
    pub(super) telling: bool,
}

impl NetKind {
    fn base(self) -> u16 {
        match self {
            NetKind::Nishio => 75,
            NetKind::Multiple => 80,
            NetKind::Dynamic(level) => 85 + 5 * u16::from(level),
        }
    }

    fn level(self) -> u8 {
        match self {
            NetKind::Dynamic(level) => level,
            _ => 0,
        }
    }

    /// Whether chains are looked for inside the chain.
    pub(super) fn is_nested(self) -> bool {
        self.level() >= 2
    }

    fn reach(self) -> Reach {
        Reach {
            dynamic: self != NetKind::Multiple,
            cells: self != NetKind::Nishio,
        }
    }
}

impl Conclusion {
    /// In which order conclusions of the same length are taken.
    fn sort(self) -> u8 {
        match self {
            Conclusion::Double(..) => 1,
            Conclusion::Cell(..) => 5,
            Conclusion::House(..) => 6,
            Conclusion::Absurd(_) => 7,
        }
    }

    /// The claim that is shown.
    pub(super) fn target(self, count: usize) -> usize {
        match self {
            Conclusion::Absurd(claim) => (claim + count) % (2 * count),
            Conclusion::Double(_, target)
            | Conclusion::Cell(_, target)
            | Conclusion::House(_, _, target) => target,
        }
    }

    /// The claims that are assumed, in order.
    pub(super) fn assumed(self, frame: &Frame, board: &Board) -> Vec<usize> {
        match self {
            Conclusion::Absurd(claim) => vec![claim, claim],
            Conclusion::Double(number, _) => vec![number, number + frame.len()],
            Conclusion::Cell(cell, _) => {
                let digits = bits(board.cells[cell]);
                digits.map(|digit| frame.number(cell, digit)).collect()
            }
            Conclusion::House(house, digit, _) => {
                let places = bits(board.places[house][digit]);
                let cells = places.map(|place| CELLS[house][place] as usize);
                cells.map(|cell| frame.number(cell, digit)).collect()
            }
        }
    }
}

/// What a claim strikes.
pub(super) fn struck_by(frame: &Frame, board: &Board, claim: usize) -> (usize, u16) {
    let count = frame.len();
    if claim >= count {
        let (cell, digit) = frame.mark(claim - count);
        return (cell, 1 << digit);
    }
    let (cell, digit) = frame.mark(claim);
    (cell, board.cells[cell] & !(1 << digit))
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
        self.begin(frame);
        let mut quest = Quest {
            nets: self,
            frame,
            board,
            kind,
            limit: None,
            show,
        };
        for cell in 0..81 {
            quest.at_cell(cell);
        }
    }

    /// Forgets what followed from earlier assumptions.
    pub(super) fn begin(&mut self, frame: &Frame) {
        self.idle.extend(self.waves.drain(..).flatten());
        self.waves.resize_with(2 * frame.len(), || None);
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
        if self.waves[claim].is_some() {
            return;
        }
        let mut wave = self.idle.pop().unwrap_or_default();
        let (inner, telling) = (&mut self.inner, self.telling);
        wave.follow(frame, board, claim, kind.reach(), |now, wave| {
            let inside = Inside {
                frame,
                source: board,
                board: now,
                telling,
            };
            let before = wave.len();
            let is_last = inside.extend(wave, kind.level(), inner);
            // What follows rests on one of those that were added.
            !is_last
                || limit.is_none_or(|limit| {
                    let added = before..wave.len();
                    let least = added.map(|at| wave.length(at as u16)).min();
                    least.is_some_and(|least| Rank::new(kind.base(), least, 0) < limit)
                })
        });
        self.waves[claim] = Some(wave);
    }

    /// Counts what the consequences of a claim rest on.
    fn count(&mut self, claim: usize) {
        if let Some(wave) = &mut self.waves[claim] {
            wave.count();
        }
    }

    /// What follows from a claim that was followed.
    pub(super) fn wave(&self, claim: usize) -> &Wave {
        self.waves[claim].as_ref().expect("the claim was followed")
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
            let clash = self.wave(claim).clash.unwrap_or([0, 0]);
            return clash.map(|at| (claim, at)).to_vec();
        }
        let target = conclusion.target(frame.len());
        let assumed = conclusion.assumed(frame, board).into_iter();
        assumed
            .map(|claim| (claim, self.wave(claim).at(target)))
            .collect()
    }

    /// The length of all different chains inside these branches.
    fn nested_length(&self, ends: &[(usize, u16)]) -> u32 {
        let mut seen: Vec<u64> = Vec::new();
        let lengths = ends.iter().map(|&(claim, at)| {
            let wave = self.wave(claim);
            wave.nested_length(&wave.lineage(at), &mut seen)
        });
        lengths.sum()
    }
}

/// A search on a board, with what is known of it.
struct Quest<'a, S> {
    nets: &'a mut Nets,
    frame: &'a Frame,
    board: &'a Board,
    kind: NetKind,
    limit: Option<Rank>,
    show: S,
}

impl<S: FnMut(Rank, Conclusion) -> Option<Rank>> Quest<'_, S> {
    /// What the candidates of a cell come to, one by one and together, and the places of their
    /// digits in the houses where this is the first.
    fn at_cell(&mut self, cell: usize) {
        let (frame, board) = (self.frame, self.board);
        let dynamic = self.kind.reach().dynamic;
        let held = board.cells[cell].count_ones();
        if held < 2 || held == 2 && !dynamic || frame.clock.is_late() {
            return;
        }
        for digit in bits(board.cells[cell]) {
            let number = frame.number(cell, digit);
            if dynamic {
                self.absurd(number);
                self.absurd(number + frame.len());
            }
            if self.kind == NetKind::Nishio {
                continue;
            }
            if dynamic && held > 2 {
                let conclude = |target| Conclusion::Double(number, target);
                self.common(&[number, number + frame.len()], conclude);
            }
            for (house, place) in HOMES[cell] {
                let house = house as usize;
                let places = board.places[house][digit];
                if places.trailing_zeros() == u32::from(place) && places.count_ones() > 1 {
                    let assumed = Conclusion::House(house, digit, 0).assumed(frame, board);
                    self.common(&assumed, |target| Conclusion::House(house, digit, target));
                }
            }
        }
        if self.kind != NetKind::Nishio {
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
        if let Some([one, other]) = self.nets.wave(claim).clash {
            self.nets.count(claim);
            let wave = self.nets.wave(claim);
            let length = wave.counted(one) + wave.counted(other);
            self.conclude(Conclusion::Absurd(claim), length);
        }
    }

    /// The claims that all these assumptions come to.
    fn common(&mut self, assumed: &[usize], conclude: impl Fn(usize) -> Conclusion) {
        for &claim in assumed {
            self.follow(claim);
        }
        let mut shared = std::mem::take(&mut self.nets.shared);
        shared.clone_from(&self.nets.wave(assumed[0]).reached);
        for &claim in &assumed[1..] {
            let theirs = &self.nets.wave(claim).reached;
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
            targets.extend(self.nets.wave(assumed[0]).reached_in_order());
            targets.retain(|&target| shared[target / 64] >> (target % 64) & 1 == 1);
            for &target in &targets {
                if struck_by(self.frame, self.board, target).1 != 0 {
                    let waves = assumed.iter().map(|&claim| self.nets.wave(claim));
                    let length = waves.map(|wave| wave.counted(wave.at(target))).sum();
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
            self.limit = (self.show)(rank, conclusion);
        }
    }
}
