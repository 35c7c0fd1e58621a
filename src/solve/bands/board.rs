//! A position of the search, and everything that follows from it without a guess.

use super::band_set::BandSet;
use super::tables::{left_by_columns, left_by_rows, minicolumns, only_places, unseen};
use crate::grid::{Cell, CellMap, Contradiction, Digit, DigitSet, Puzzle, Solution};

/// The places of every digit, in bands. A cell whose digit is decided is closed: no other digit
/// has it among its places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    places: [BandSet; 9],
    /// What each digit's places were when nothing more followed from them alone.
    reached: [Reached; 9],
    open: BandSet,
    /// Digits whose places changed since.
    changed: DigitSet,
}

#[derive(Clone, Copy, Debug)]
struct Reached {
    bands: [u32; 3],
    minicolumns: u32,
}

impl Board {
    /// The board with these givens. What contradicts itself is found by [`Board::propagate`].
    pub(super) fn new(puzzle: &Puzzle) -> Board {
        let mut places = [BandSet::ALL; 9];
        let mut given = [BandSet::EMPTY; 9];
        let mut closed = BandSet::EMPTY;
        for (cell, digit) in puzzle.givens() {
            closed.insert(cell);
            given[digit.index()].insert(cell);
            places[digit.index()] = places[digit.index()] & unseen(cell);
        }
        for (places, given) in places.iter_mut().zip(given) {
            *places = places.difference(closed) | *places & given;
        }
        let all = BandSet::ALL.bands();
        let nothing_follows = Reached {
            bands: all,
            minicolumns: minicolumns(all),
        };
        Board {
            places,
            reached: [nothing_follows; 9],
            open: BandSet::ALL.difference(closed),
            changed: DigitSet::ALL,
        }
    }

    /// The cells whose digit is not decided.
    pub(super) fn open(&self) -> BandSet {
        self.open
    }

    /// What may stand in this cell.
    pub(super) fn candidates(&self, cell: Cell) -> DigitSet {
        let places = self.places.iter().enumerate();
        let bit = |(index, places): (usize, &BandSet)| u16::from(places.contains(cell)) << index;
        DigitSet::from_bits(places.map(bit).sum())
    }

    /// The open cells with two candidates, after [`Board::propagate`].
    pub(super) fn pairs(&self) -> BandSet {
        let [mut one, mut two, mut three] = [BandSet::EMPTY; 3];
        for places in self.places {
            three = three | two & places;
            two = two | one & places;
            one = one | places;
        }
        self.open.difference(three)
    }

    /// Puts one of its candidates into an open cell.
    pub(super) fn place(&mut self, cell: Cell, digit: Digit) {
        let left = self.places[digit.index()] & unseen(cell);
        let mut lost = 0;
        for (index, places) in self.places.iter_mut().enumerate() {
            lost |= u16::from(places.contains(cell)) << index;
            places.remove(cell);
        }
        self.places[digit.index()] = left;
        self.open.remove(cell);
        self.changed = self.changed.union(DigitSet::from_bits(lost));
    }

    /// Applies locked candidates and naked and hidden singles until nothing more follows.
    pub(super) fn propagate(&mut self) -> Result<(), Contradiction> {
        loop {
            while let Some(digit) = self.changed.into_iter().next() {
                self.changed = self.changed.without(digit);
                self.settle(digit)?;
            }
            let [mut one, mut two] = [BandSet::EMPTY; 2];
            for places in self.places {
                two = two | one & places;
                one = one | places;
            }
            if one != BandSet::ALL {
                return Err(Contradiction);
            }
            let singles = self.open.difference(two);
            if singles.is_empty() {
                return Ok(());
            }
            self.open = self.open.difference(singles);
            for digit in Digit::ALL {
                let places = &mut self.places[digit.index()];
                let hits = *places & singles;
                if !hits.is_empty() {
                    // Of two that see each other both go, and the digit finds a house without it.
                    hits.for_each(|cell| *places = *places & unseen(cell));
                    self.changed = self.changed.with(digit);
                }
            }
        }
    }

    /// What follows from the places of one digit: locked candidates, then hidden singles, whose
    /// cells the other digits lose.
    #[inline]
    fn settle(&mut self, digit: Digit) -> Result<(), Contradiction> {
        let reached = self.reached[digit.index()];
        let mut bands = self.places[digit.index()].bands();
        for (band, reached) in bands.iter_mut().zip(reached.bands) {
            if *band != reached {
                *band = left_by_rows(*band);
            }
        }
        let mut columns = minicolumns(bands);
        while columns != reached.minicolumns {
            let left = left_by_columns(bands, columns);
            if same(left, bands) {
                break;
            }
            let [top, middle, bottom] = left;
            bands = [
                left_by_rows(top),
                left_by_rows(middle),
                left_by_rows(bottom),
            ];
            if same(left, bands) {
                break;
            }
            columns = minicolumns(bands);
        }
        if bands.contains(&0) {
            return Err(Contradiction);
        }
        self.reached[digit.index()] = Reached {
            bands,
            minicolumns: columns,
        };
        let places = BandSet::new(bands);
        self.places[digit.index()] = places;
        let [top, middle, bottom] = bands;
        let singles = [only_places(top), only_places(middle), only_places(bottom)];
        let singles = BandSet::new(singles) & self.open;
        if !singles.is_empty() {
            self.open = self.open.difference(singles);
            let mut lost = 0;
            for (index, places) in self.places.iter_mut().enumerate() {
                lost |= u16::from(!(*places & singles).is_empty()) << index;
                *places = places.difference(singles);
            }
            self.places[digit.index()] = places;
            self.changed = self.changed.union(DigitSet::from_bits(lost)).without(digit);
        }
        Ok(())
    }

    /// The solved board, once no cell is open and [`Board::propagate`] found no contradiction.
    pub(super) fn solution(&self) -> Solution {
        let mut digits = CellMap::from_fn(|_| Digit::ALL[0]);
        for digit in Digit::ALL {
            self.places[digit.index()].for_each(|cell| digits[cell] = digit);
        }
        // Each of 81 cells has one digit, and each digit a place in each of its nine houses of a
        // kind: so it has one in each.
        Solution::new(digits).expect("no digit is missing from a house")
    }
}

/// One branch for three comparisons.
#[inline]
fn same(a: [u32; 3], b: [u32; 3]) -> bool {
    (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) == 0
}
