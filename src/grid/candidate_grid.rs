//! Candidates of a board under way.

use std::fmt;

use super::candidate::{Candidate, CandidateSet};
use super::cell::{Cell, CellMap, CellSet};
use super::digit::{Digit, DigitSet};
use super::puzzle::Puzzle;
use super::solution::Solution;

/// The candidates of every cell, and the possible cells of every digit: two views that are kept in
/// step.
///
/// A placed cell has one candidate, and no cell that sees it has that candidate. Every cell has a
/// candidate and every digit a possible cell in every house; a change that removes the last one
/// returns [`Contradiction`], after which the grid must not be used.
#[derive(Clone, PartialEq, Eq)]
pub struct CandidateGrid {
    candidates: CellMap<DigitSet>,
    places: [CellSet; 9],
    placed: CellSet,
}

/// The grid has no solution: some cell has no candidate left, or some digit no place in a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction;

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("some cell has no candidate left, or some digit no place in a house")
    }
}

impl std::error::Error for Contradiction {}

impl CandidateGrid {
    /// Returns the empty board, on which every digit is a candidate of every cell.
    pub fn empty() -> CandidateGrid {
        CandidateGrid {
            candidates: CellMap::from_fn(|_| DigitSet::ALL),
            places: [CellSet::ALL; 9],
            placed: CellSet::EMPTY,
        }
    }

    /// Returns the candidates after the givens are placed.
    ///
    /// # Errors
    ///
    /// [`Contradiction`], if two equal givens see each other, or the givens leave a cell without
    /// candidates or a digit without a place in some house.
    pub fn new(puzzle: &Puzzle) -> Result<CandidateGrid, Contradiction> {
        let mut given = [CellSet::EMPTY; 9];
        let mut seen = [CellSet::EMPTY; 9];
        let mut placed = CellSet::EMPTY;
        for (cell, digit) in puzzle.givens() {
            given[digit.index()] = given[digit.index()].with(cell);
            seen[digit.index()] = seen[digit.index()].union(cell.peers());
            placed = placed.with(cell);
        }
        let blanks = CellSet::ALL.difference(placed);
        let mut candidates = CellMap::from_fn(|_| DigitSet::EMPTY);
        let mut places = [CellSet::EMPTY; 9];
        for digit in Digit::ALL {
            let (given, seen) = (given[digit.index()], seen[digit.index()]);
            let held = blanks.difference(seen).union(given);
            if !given.intersection(seen).is_empty() || !held.meets_every_house() {
                return Err(Contradiction);
            }
            places[digit.index()] = held;
            for cell in held {
                candidates[cell] = candidates[cell].with(digit);
            }
        }
        let grid = CandidateGrid {
            candidates,
            places,
            placed,
        };
        if grid.with_at_most(0).is_empty() {
            Ok(grid)
        } else {
            Err(Contradiction)
        }
    }

    /// Returns the candidates of this cell; of a placed cell, its digit.
    pub fn candidates(&self, cell: Cell) -> DigitSet {
        self.candidates[cell]
    }

    /// Returns the candidates of all these cells together.
    pub fn candidates_of(&self, cells: CellSet) -> DigitSet {
        let candidates = cells.into_iter().map(|cell| self.candidates[cell]);
        candidates.fold(DigitSet::EMPTY, DigitSet::union)
    }

    /// Returns the cells that have this digit as a candidate, placed cells included.
    pub fn places(&self, digit: Digit) -> CellSet {
        self.places[digit.index()]
    }

    /// Returns the cells whose digit is placed.
    pub fn placed(&self) -> CellSet {
        self.placed
    }

    /// Returns the cells that are still blank.
    pub fn blanks(&self) -> CellSet {
        CellSet::ALL.difference(self.placed)
    }

    /// Returns whether this digit is a candidate of this cell.
    pub fn contains(&self, candidate: Candidate) -> bool {
        self.places(candidate.digit).contains(candidate.cell)
    }

    /// Returns the cells with at most `count` candidates; placed cells have one.
    pub fn with_at_most(&self, count: usize) -> CellSet {
        // In slices: after some digits, slice `n` is the cells that hold more than `n` of them.
        let mut more = [CellSet::EMPTY; 9];
        let Some(last) = more.get(count).map(|_| count) else {
            return CellSet::ALL;
        };
        for places in self.places {
            for n in (1..=last).rev() {
                more[n] = more[n].union(more[n - 1].intersection(places));
            }
            more[0] = more[0].union(places);
        }
        CellSet::ALL.difference(more[last])
    }

    /// Returns the blank cells that have a single candidate.
    pub fn naked_singles(&self) -> CellSet {
        self.with_at_most(1).difference(self.placed)
    }

    /// Returns the blank cells that are the only place for this digit in some house.
    pub fn hidden_singles(&self, digit: Digit) -> CellSet {
        let places = self.places(digit);
        if places.difference(self.placed).is_empty() {
            return CellSet::EMPTY;
        }
        places.alone_in_a_house().difference(self.placed)
    }

    /// Places a digit and removes the candidates that it excludes.
    ///
    /// # Errors
    ///
    /// [`Contradiction`], if the digit is no candidate there, or a cell loses its last candidate or
    /// a digit its last place in a house.
    pub fn place(&mut self, Candidate { cell, digit }: Candidate) -> Result<(), Contradiction> {
        if !self.candidates[cell].contains(digit) {
            return Err(Contradiction);
        }
        let mut homeless = false;
        for other in self.candidates[cell].without(digit) {
            let places = self.places[other.index()].without(cell);
            self.places[other.index()] = places;
            for house in cell.houses() {
                homeless |= places.intersection(house.cells()).is_empty();
            }
        }
        self.candidates[cell] = DigitSet::only(digit);
        self.placed = self.placed.with(cell);
        self.eliminate(cell.peers(), digit)?;
        if homeless { Err(Contradiction) } else { Ok(()) }
    }

    /// Removes a digit from the candidates of these cells; cells that do not have it stay as they
    /// are.
    ///
    /// # Errors
    ///
    /// [`Contradiction`], if a cell loses its last candidate or the digit its last place in a
    /// house.
    pub fn eliminate(&mut self, cells: CellSet, digit: Digit) -> Result<(), Contradiction> {
        let places = self.places[digit.index()];
        let struck = places.intersection(cells);
        if struck.is_empty() {
            return Ok(());
        }
        let left = places.difference(struck);
        self.places[digit.index()] = left;
        let mut empty = false;
        for cell in struck {
            let left = self.candidates[cell].without(digit);
            self.candidates[cell] = left;
            empty |= left.is_empty();
        }
        if empty || !left.meets_every_house() {
            Err(Contradiction)
        } else {
            Ok(())
        }
    }

    /// Removes all these candidates.
    ///
    /// # Errors
    ///
    /// As [`CandidateGrid::eliminate`].
    pub fn eliminate_all(&mut self, candidates: &CandidateSet) -> Result<(), Contradiction> {
        let mut struck = Digit::ALL.into_iter();
        struck.try_for_each(|digit| self.eliminate(candidates.places(digit), digit))
    }

    /// Returns the board, once every cell is placed.
    pub fn solution(&self) -> Option<Solution> {
        if self.placed != CellSet::ALL {
            return None;
        }
        let digit = |cell| self.candidates[cell].single().unwrap_or(Digit::ALL[0]);
        Solution::new(CellMap::from_fn(digit))
    }
}

/// Writes nine lines of nine cells, each as its candidates.
impl fmt::Debug for CandidateGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell, candidates) in self.candidates.iter() {
            if cell.column() == 0 {
                writeln!(f)?;
            }
            let digits: String = candidates.into_iter().map(|d| d.to_string()).collect();
            write!(f, "{digits:<10}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::House;
    use proptest::prelude::*;

    /// Whether the invariants of the marks hold, checked cell by cell and house by house.
    fn is_sound(grid: &CandidateGrid) -> bool {
        let views_agree = Cell::all().all(|cell| {
            let digits = Digit::ALL.into_iter();
            let by_places: DigitSet = digits.filter(|&d| grid.places(d).contains(cell)).collect();
            by_places == grid.candidates(cell) && !by_places.is_empty()
        });
        let placed_are_kept = grid.placed().into_iter().all(|cell| {
            let digit = grid.candidates(cell).single();
            digit.is_some_and(|d| grid.places(d).intersection(cell.peers()).is_empty())
        });
        let homes = House::all().all(|house| {
            let mut digits = Digit::ALL.into_iter();
            digits.all(|d| !grid.places(d).intersection(house.cells()).is_empty())
        });
        views_agree && placed_are_kept && homes
    }

    #[test]
    fn a_placed_digit_may_not_take_the_last_place_of_another() {
        let digits = Digit::ALL;
        for house in House::all() {
            let mut grid = CandidateGrid::empty();
            let mut cells = house.cells().into_iter();
            let (last, rest) = (cells.next().unwrap(), cells.collect::<CellSet>());
            assert_eq!(grid.eliminate(rest, digits[3]), Ok(()));
            let [here, there] = [digits[3], digits[4]].map(|digit| Candidate { cell: last, digit });
            assert!(grid.contains(here) && grid.contains(there));
            assert_eq!(grid.clone().place(there), Err(Contradiction), "{house:?}");
            assert_eq!(grid.place(here), Ok(()));
            assert!(grid.contains(here) && !grid.contains(there));
        }
    }

    #[derive(Clone, Debug)]
    enum Change {
        Place(Candidate),
        Eliminate(Vec<usize>, Digit),
    }

    fn change() -> impl Strategy<Value = Change> {
        let digit = (0..9_usize).prop_map(|index| Digit::ALL[index]);
        let place = (0..81_usize, digit.clone()).prop_map(|(cell, digit)| {
            let cell = Cell::new(cell).unwrap();
            Change::Place(Candidate { cell, digit })
        });
        let cells = prop::collection::vec(0..81_usize, 0..12);
        let eliminate = (cells, digit).prop_map(|(cells, digit)| Change::Eliminate(cells, digit));
        prop_oneof![place, eliminate]
    }

    proptest! {
        #[test]
        fn changes_keep_the_invariants_or_are_contradictions(
            changes in prop::collection::vec(change(), 0..60),
        ) {
            let mut grid = CandidateGrid::empty();
            let mut plain = CellMap::from_fn(|_| DigitSet::ALL);
            for change in changes {
                let result = match change {
                    Change::Place(candidate) => {
                        let Candidate { cell, digit } = candidate;
                        let held = plain[cell].contains(digit);
                        plain[cell] = plain[cell].intersection(DigitSet::only(digit));
                        for peer in cell.peers() {
                            plain[peer] = plain[peer].without(digit);
                        }
                        let result = grid.place(candidate);
                        prop_assert!(held || result.is_err());
                        result
                    }
                    Change::Eliminate(cells, digit) => {
                        let cells: CellSet = cells.into_iter().filter_map(Cell::new).collect();
                        for cell in cells {
                            plain[cell] = plain[cell].without(digit);
                        }
                        grid.eliminate(cells, digit)
                    }
                };
                let alike = Cell::all().all(|cell| grid.candidates(cell) == plain[cell]);
                prop_assert_eq!(result.is_ok(), is_sound(&grid) && alike);
                if result.is_err() {
                    break;
                }
                for count in 0..12 {
                    let few = |cell: &Cell| plain[*cell].len() <= count;
                    prop_assert_eq!(grid.with_at_most(count), Cell::all().filter(few).collect());
                }
            }
        }

        #[test]
        fn givens_leave_the_same_marks_as_placing_them_one_by_one(
            givens in prop::collection::vec((0..81_usize, 0..9_usize), 0..25),
        ) {
            let mut puzzle = Puzzle::empty();
            for (cell, digit) in givens {
                puzzle.set(Cell::new(cell).unwrap(), Some(Digit::ALL[digit]));
            }
            let mut one_by_one = CandidateGrid::empty();
            let mut givens = puzzle.givens();
            let placed = givens.try_for_each(|(cell, digit)| {
                one_by_one.place(Candidate { cell, digit })
            });
            prop_assert_eq!(CandidateGrid::new(&puzzle), placed.map(|()| one_by_one));
        }
    }
}
