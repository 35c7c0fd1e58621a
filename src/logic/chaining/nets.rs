//! Forcing chains from several assumptions, and from one that contradicts itself.

use super::board::{Board, CELLS, Frame, HOMES, bits};
use super::inside::{Inner, Inside};
use super::rank::Rank;
use super::wave::{Cause, Reach, Wave};

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
        mut show: impl FnMut(Rank, Conclusion) -> Option<Rank>,
    ) {
        self.begin(frame);
        let mut limit = None;
        let dynamic = kind.reach().dynamic;
        for cell in 0..81 {
            let held = board.cells[cell].count_ones();
            if held < 2 || held == 2 && !dynamic {
                continue;
            }
            for digit in bits(board.cells[cell]) {
                let number = frame.number(cell, digit);
                self.follow(frame, board, number, kind);
                if dynamic {
                    self.binary(frame, board, number, kind, &mut limit, &mut show);
                }
                if kind == NetKind::Nishio {
                    continue;
                }
                for (house, place) in HOMES[cell] {
                    let places = board.places[house as usize][digit];
                    if places.trailing_zeros() == u32::from(place) && places.count_ones() > 1 {
                        let house = house as usize;
                        let assumed = Conclusion::House(house, digit, 0).assumed(frame, board);
                        let conclude = |target| Conclusion::House(house, digit, target);
                        self.common(
                            (frame, board, kind),
                            &assumed,
                            conclude,
                            &mut limit,
                            &mut show,
                        );
                    }
                }
            }
            if kind != NetKind::Nishio {
                let assumed = Conclusion::Cell(cell, 0).assumed(frame, board);
                let conclude = |target| Conclusion::Cell(cell, target);
                self.common(
                    (frame, board, kind),
                    &assumed,
                    conclude,
                    &mut limit,
                    &mut show,
                );
            }
        }
    }

    /// Forgets what followed from earlier assumptions.
    pub(super) fn begin(&mut self, frame: &Frame) {
        self.idle.extend(self.waves.drain(..).flatten());
        self.waves.resize_with(2 * frame.len(), || None);
    }

    /// Follows a claim, if that was not done before.
    pub(super) fn follow(&mut self, frame: &Frame, board: &Board, claim: usize, kind: NetKind) {
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
            inside.extend(wave, kind.level(), inner);
        });
        self.waves[claim] = Some(wave);
    }

    /// Counts what the consequences of a claim rest on.
    fn count(&mut self, claim: usize) {
        if let Some(wave) = &mut self.waves[claim] {
            wave.count();
        }
    }

    pub(super) fn wave(&self, claim: usize) -> &Wave {
        self.waves[claim].as_ref().expect("the claim was followed")
    }

    /// What a candidate comes to when it is right and when it is not.
    fn binary(
        &mut self,
        frame: &Frame,
        board: &Board,
        number: usize,
        kind: NetKind,
        limit: &mut Option<Rank>,
        show: &mut impl FnMut(Rank, Conclusion) -> Option<Rank>,
    ) {
        let count = frame.len();
        for claim in [number, number + count] {
            self.follow(frame, board, claim, kind);
            if self.wave(claim).clash.is_some() {
                self.count(claim);
                self.conclude((frame, board, kind), Conclusion::Absurd(claim), limit, show);
            }
        }
        let (cell, _) = frame.mark(number);
        if kind == NetKind::Nishio || board.cells[cell].count_ones() < 3 {
            return;
        }
        let conclude = |target| Conclusion::Double(number, target);
        let assumed = [number, number + count];
        self.common((frame, board, kind), &assumed, conclude, limit, show);
    }

    /// The claims that all these assumptions come to.
    fn common(
        &mut self,
        (frame, board, kind): (&Frame, &Board, NetKind),
        assumed: &[usize],
        conclude: impl Fn(usize) -> Conclusion,
        limit: &mut Option<Rank>,
        show: &mut impl FnMut(Rank, Conclusion) -> Option<Rank>,
    ) {
        for &claim in assumed {
            self.follow(frame, board, claim, kind);
        }
        let mut shared = std::mem::take(&mut self.shared);
        shared.clone_from(&self.wave(assumed[0]).reached);
        for &claim in &assumed[1..] {
            for (word, theirs) in shared.iter_mut().zip(&self.wave(claim).reached) {
                *word &= theirs;
            }
        }
        self.shared = shared;
        if self.shared.iter().all(|&word| word == 0) {
            return;
        }
        for &claim in assumed {
            self.count(claim);
        }
        let first = self.wave(assumed[0]);
        for at in first.reached_in_order() {
            {
                let target = first.claim(at);
                if self.shared[target / 64] >> (target % 64) & 1 == 0 {
                    continue;
                }
                if struck_by(frame, board, target).1 != 0 {
                    self.conclude((frame, board, kind), conclude(target), limit, show);
                }
            }
        }
    }

    fn conclude(
        &self,
        (frame, board, kind): (&Frame, &Board, NetKind),
        conclusion: Conclusion,
        limit: &mut Option<Rank>,
        show: &mut impl FnMut(Rank, Conclusion) -> Option<Rank>,
    ) {
        let ends = self.ends(frame, board, conclusion);
        let counts = ends.iter().map(|&(claim, at)| self.wave(claim).counted(at));
        let length = counts.sum();
        let rank = |length| Rank::new(kind.base(), length, conclusion.sort());
        if limit.is_some_and(|limit| rank(length) >= limit) {
            return;
        }
        let rank = rank(length + self.nested_length(&ends));
        if limit.is_none_or(|limit| rank < limit) {
            *limit = show(rank, conclusion);
        }
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
            .map(|claim| (claim, self.wave(claim).at(target) as u16))
            .collect()
    }

    /// The length of all different chains inside these branches.
    fn nested_length(&self, ends: &[(usize, u16)]) -> u32 {
        let mut seen: Vec<u64> = Vec::new();
        let mut length = 0;
        for &(claim, at) in ends {
            let wave = self.wave(claim);
            if wave.nested.is_empty() {
                continue;
            }
            for at in wave.lineage(at as usize) {
                if let Cause::Nested(number) = wave.cause(at) {
                    let nested = &wave.nested[number as usize];
                    if !seen.contains(&nested.signature) {
                        seen.push(nested.signature);
                        length += nested.length;
                    }
                }
            }
        }
        length
    }
}
