//! Takes away every given that is not needed, in a given order, with few questions.
//!
//! The plain way asks of each given in turn whether the puzzle has one solution without it. Here most answers are
//! foretold: a given stays if a known unavoidable set has no other given left. Only of the first one that no known set
//! keeps a question is asked. If the puzzle has more than one solution without it, each of them shows an unavoidable
//! set that was not known. So no question is asked twice, and half of them are never asked.
//!
//! Before the first given that stays, all go without a question of their own: where that is, is found from above.
//!
//! Sets are numbers whose bits are givens in the order in which they are tried. Foretelling then is one pass over
//! the sets in ascending order: one without a given that stays makes the last of its own stay, its highest bit.

use super::prover::Prover;
use super::unavoidable::obvious;
use crate::grid::{Cell, CellSet, Puzzle, Solution};

/// Takes givens away from the puzzle that has those of these orbits and only this solution: orbit by orbit in this
/// order, each unless more than one solution would be left. An orbit is cells that go together or not at all.
pub(super) fn thin(
    solution: &Solution,
    others: &[Solution],
    orbits: &[CellSet],
    prover: &mut Prover,
) -> Puzzle {
    let mut thinning = Thinning::new(solution, orbits);
    thinning.learn_all(others);
    thinning.begin(prover);
    while thinning.foretell() {
        match thinning.other_solution(prover) {
            Some(other) => thinning.learn(&other),
            None => thinning.certain = thinning.foretold,
        }
    }
    thinning.puzzle()
}

/// What is known while givens are taken away.
struct Thinning<'a> {
    solution: &'a Solution,
    orbits: &'a [CellSet],
    /// The cells of all orbits, and the place of each in the order.
    cells: Vec<(Cell, u8)>,
    /// How many of these cells have a place below 64.
    low: usize,
    /// Unavoidable sets as sets of places, ascending.
    sets: Vec<u128>,
    /// Places whose answers are certain.
    certain: usize,
    /// Places whose answers are foretold, and asked about; the others are all there.
    foretold: usize,
    /// Places that stay.
    kept: u128,
    /// The puzzle that was asked about last, and its places.
    puzzle: Puzzle,
    given: u128,
}

impl<'a> Thinning<'a> {
    fn new(solution: &'a Solution, orbits: &'a [CellSet]) -> Thinning<'a> {
        let in_order = orbits.iter().zip(0..);
        let cells: Vec<(Cell, u8)> = in_order
            .flat_map(|(orbit, place)| orbit.into_iter().map(move |cell| (cell, place)))
            .collect();
        Thinning {
            solution,
            orbits,
            low: cells.partition_point(|&(_, place)| place < 64),
            cells,
            sets: Vec::new(),
            certain: 0,
            foretold: 0,
            kept: 0,
            puzzle: Puzzle::empty(),
            given: 0,
        }
    }

    /// Learns unavoidable sets that are seen, and those in which other boards differ, before anything is foretold.
    fn learn_all(&mut self, others: &[Solution]) {
        let mut bits = [0; Cell::COUNT];
        for &(cell, place) in &self.cells {
            bits[cell.index()] = 1 << place;
        }
        let mut sets = obvious(self.solution, &bits);
        let others = others.iter().map(|other| self.difference(other));
        sets.extend(others.filter(|set| *set != 0));
        sets.sort_unstable();
        sets.dedup();
        self.sets = sets;
    }

    /// Learns the unavoidable set in which another solution differs.
    fn learn(&mut self, other: &Solution) {
        let set = self.difference(other);
        let at = self.sets.partition_point(|&known| known < set);
        if self.sets.get(at) != Some(&set) {
            self.sets.insert(at, set);
        }
    }

    /// The places of the givens in which another solution differs: all solutions do in one.
    fn difference(&self, other: &Solution) -> u128 {
        let places = |cells: &[(Cell, u8)]| {
            cells.iter().fold(0u64, |places, &(cell, place)| {
                let differs = self.solution.digit(cell) != other.digit(cell);
                places | u64::from(differs) << (place % 64)
            })
        };
        let (low, high) = self.cells.split_at(self.low);
        u128::from(places(low)) | u128::from(places(high)) << 64
    }

    /// Takes all givens away at once that go before the first one that stays. That one is no later than the last of
    /// any unavoidable set, so it is found from above: each other solution shows a set that ends before.
    fn begin(&mut self, prover: &mut Prover) {
        while let Some(&least) = self.sets.first() {
            let Some(first) = least.checked_ilog2() else {
                return;
            };
            let first = first as usize;
            self.kept = self.all() >> first << first;
            match prover.second(&self.puzzle(), self.solution) {
                Some(other) => self.learn(&other),
                None => {
                    self.certain = first;
                    return;
                }
            }
        }
    }

    /// All places.
    fn all(&self) -> u128 {
        (1 << self.orbits.len()) - 1
    }

    /// Foretells which of the next places stay, up to the first one that goes; false if none does. More at a time
    /// would save questions, but the sets that answers show would be larger, and so weaker: it takes longer.
    fn foretell(&mut self) -> bool {
        let mut kept = self.kept & ((1 << self.certain) - 1);
        let mut sets = self.sets.partition_point(|&set| set >> self.certain == 0);
        let mut goes = false;
        let mut place = self.certain;
        while place < self.orbits.len() && !goes {
            let mut stays = false;
            while let Some(&set) = self.sets.get(sets)
                && set >> place == 1
            {
                stays |= set & kept == 0;
                sets += 1;
            }
            kept |= u128::from(stays) << place;
            goes = !stays;
            place += 1;
        }
        self.foretold = place;
        self.kept = kept | self.all() >> place << place;
        goes
    }

    /// A solution other than the known one, if what goes leaves any. It differs in the orbit that goes last: with
    /// that, there was none.
    fn other_solution(&mut self, prover: &mut Prover) -> Option<Solution> {
        let puzzle = self.puzzle();
        let last = self.orbits[self.foretold - 1];
        last.into_iter()
            .find_map(|cell| prover.other(&puzzle, self.solution, cell))
    }

    /// The givens of the places that stay.
    fn puzzle(&mut self) -> Puzzle {
        let mut changed = self.kept ^ self.given;
        self.given = self.kept;
        while changed != 0 {
            let place = changed.trailing_zeros();
            let stays = self.kept >> place & 1 == 1;
            for cell in self.orbits[place as usize] {
                let digit = stays.then(|| self.solution.digit(cell));
                self.puzzle.set(cell, digit);
            }
            changed &= changed - 1;
        }
        self.puzzle
    }
}
