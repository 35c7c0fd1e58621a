//! What singles make of an assumption, a few rounds of them: where HoDoKu's nets come from.

use super::board::Board;
use super::singles_queue::SinglesQueue;
use crate::grid::{Candidate, Cell, CellMap, CellSet, Digit};
use crate::logic::deduction::{Claim, Implication, Reason};

/// Rounds of singles.
const ROUNDS: usize = 4;

/// Marks that may contradict themselves, with the singles that came up.
struct Sketch {
    values: CellMap<Option<Digit>>,
    queue: SinglesQueue,
}

impl Sketch {
    fn new(board: Board<'_>) -> Sketch {
        Sketch {
            values: CellMap::from_fn(|cell| {
                let placed = board.state().placed().contains(cell);
                let digits = board.state().candidates(cell);
                digits.into_iter().next().filter(|_| placed)
            }),
            queue: SinglesQueue::without_singles(board),
        }
    }

    fn place(&mut self, candidate: Candidate) {
        let value = &mut self.values[candidate.cell];
        if *value != Some(candidate.digit) {
            *value = Some(candidate.digit);
            self.queue.place_only(candidate);
        }
    }

    /// The singles that have come up in blank cells: naked ones, then hidden ones, one a cell.
    fn singles(&self) -> Vec<(Candidate, bool)> {
        let blank = |one: &&Candidate| self.values[one.cell].is_none();
        let [naked, hidden] = self.queue.queued();
        let naked = naked.iter().filter(blank);
        let mut singles: Vec<(Candidate, bool)> = naked.map(|&one| (one, true)).collect();
        let mut seen = CellSet::EMPTY;
        for &one in hidden.iter().filter(blank) {
            let mut houses = one.cell.houses().into_iter();
            let alone = houses.any(|house| self.queue.count(house, one.digit) == 1);
            if alone && !seen.contains(one.cell) {
                seen = seen.with(one.cell);
                singles.push((one, false));
            }
        }
        singles
    }
}

/// What follows from one claim, it first; each from earlier ones.
pub(super) struct Lookahead<'a> {
    board: Board<'a>,
    pub(super) implications: Vec<Implication>,
    right: [CellSet; 9],
    wrong: [CellSet; 9],
}

impl Lookahead<'_> {
    pub(super) fn new(board: Board<'_>, start: Claim) -> Lookahead<'_> {
        let mut ahead = Lookahead {
            board,
            implications: Vec::new(),
            right: [CellSet::EMPTY; 9],
            wrong: [CellSet::EMPTY; 9],
        };
        let mut sketch = Sketch::new(board);
        let Candidate { cell, digit } = start.candidate;
        if start.holds {
            ahead.set(&mut sketch, start.candidate, None);
        } else {
            sketch.queue.eliminate(start.candidate);
            ahead.add(start, Vec::new(), Reason::Assumed);
            if let Some(digit) = sketch.queue.marks(cell).single() {
                ahead.set(&mut sketch, Candidate { cell, digit }, Some(true));
            }
        }
        debug_assert!(!sketch.queue.marks(cell).contains(digit));
        for _ in 0..ROUNDS {
            for (single, naked) in sketch.singles() {
                ahead.set(&mut sketch, single, Some(naked));
            }
        }
        ahead
    }

    fn add(&mut self, claim: Claim, causes: Vec<usize>, reason: Reason) {
        let Candidate { cell, digit } = claim.candidate;
        let side = if claim.holds {
            &mut self.right
        } else {
            &mut self.wrong
        };
        if side[digit.index()].contains(cell) {
            return;
        }
        side[digit.index()] = side[digit.index()].with(cell);
        self.implications.push(Implication {
            claim,
            causes,
            reason,
        });
    }

    fn places(&self, claims: impl Iterator<Item = Candidate>, holds: bool) -> Vec<usize> {
        let claims = claims.map(|candidate| Claim { candidate, holds });
        let places = claims.filter_map(|claim| {
            let mut known = self.implications.iter();
            known.position(|implication| implication.claim == claim)
        });
        places.collect()
    }

    /// Places a digit that was assumed, or is a naked or hidden single.
    fn set(&mut self, sketch: &mut Sketch, one: Candidate, naked: Option<bool>) {
        let Candidate { cell, digit } = one;
        let held = sketch.queue.marks(cell);
        sketch.place(one);
        let (causes, reason) = match naked {
            None => (Vec::new(), Reason::Assumed),
            Some(naked) => self.why(one, naked),
        };
        self.add(Claim::right(one), causes, reason);
        let cause = self.places(std::iter::once(one), true);
        let seen = self.board.places(digit).intersection(cell.peers());
        for other in Candidate::in_cells(digit, seen) {
            let reason = seen_by(cell, other.cell);
            self.add(Claim::wrong(other), cause.clone(), reason);
        }
        for other in Candidate::in_cell(cell, held.without(digit)) {
            self.add(Claim::wrong(other), cause.clone(), Reason::SameCell);
        }
    }

    /// The other candidates of the cell, or of a house, that are wrong.
    fn why(&self, one: Candidate, naked: bool) -> (Vec<usize>, Reason) {
        let Candidate { cell, digit } = one;
        let others = self.board.marks(cell).without(digit);
        let gone = |digit: Digit| self.wrong[digit.index()].contains(cell);
        let by_cell = others.into_iter().all(gone);
        let by_house = cell.houses().into_iter().find(|&house| {
            let others = self.board.places_in(digit, house).without(cell);
            others.difference(self.wrong[digit.index()]).is_empty()
        });
        match by_house {
            Some(house) if !naked || !by_cell => {
                let others = self.board.places_in(digit, house).without(cell);
                let others = Candidate::in_cells(digit, others);
                (self.places(others, false), Reason::LastPlace(house))
            }
            _ => {
                let others = Candidate::in_cell(cell, others);
                (self.places(others, false), Reason::LastCandidate(cell))
            }
        }
    }
}

/// Why the digit of one cell is wrong in another.
pub(super) fn seen_by(cell: Cell, other: Cell) -> Reason {
    let mut shared = cell.houses().into_iter();
    match shared.find(|house| house.cells().contains(other)) {
        Some(house) if cell != other => Reason::SameHouse(house),
        _ => Reason::SameCell,
    }
}
