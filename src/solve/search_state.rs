//! State of a search: for each digit, the cells that may hold it.
//!
//! Sets of cells are 81 bits, so a few operations on nine of them process all cells at once.
//! Keeping places by digit, and finding cells with one, two or more candidates by bit slices, are
//! ideas of JCZSolve by zhouyundong_2012, champagne and JasonLion (players' forum, "3.77us solver",
//! 2012).

use crate::grid::{
    CandidateGrid, Cell, CellMap, CellSet, Contradiction, Digit, DigitSet, Puzzle, Solution,
};

/// The possible cells of each digit. A placed digit keeps its own cell among them.
#[derive(Clone, Debug)]
pub(super) struct SearchState {
    places: [CellSet; 9],
    placed: CellSet,
}

impl SearchState {
    /// Returns the state after the givens, unless two of them contradict each other.
    pub(super) fn new(puzzle: &Puzzle) -> Option<SearchState> {
        let mut given = [CellSet::EMPTY; 9];
        let mut seen = [CellSet::EMPTY; 9];
        let mut placed = CellSet::EMPTY;
        for (cell, digit) in puzzle.givens() {
            given[digit.index()] = given[digit.index()].with(cell);
            seen[digit.index()] = seen[digit.index()].union(cell.peers());
            placed = placed.with(cell);
        }
        let clash = (0..9).any(|digit| !given[digit].intersection(seen[digit]).is_empty());
        if clash {
            return None;
        }
        let open = CellSet::ALL.difference(placed);
        let places = std::array::from_fn(|d| open.difference(seen[d]).union(given[d]));
        Some(SearchState { places, placed })
    }

    /// Returns the state with the candidates of a grid.
    pub(super) fn of_marks(grid: &CandidateGrid) -> SearchState {
        SearchState {
            places: Digit::ALL.map(|digit| grid.places(digit)),
            placed: grid.placed(),
        }
    }

    /// Places a digit, and removes the candidates that it excludes.
    pub(super) fn place(&mut self, cell: Cell, digit: Digit) {
        self.place_all(CellSet::only(cell), digit);
    }

    fn place_all(&mut self, cells: CellSet, digit: Digit) {
        for places in &mut self.places {
            *places = places.difference(cells);
        }
        let mut places = self.places[digit.index()].union(cells);
        for cell in cells {
            places = places.difference(cell.peers());
        }
        self.places[digit.index()] = places;
        self.placed = self.placed.union(cells);
    }

    /// Places naked and hidden singles that follow, in at most `rounds` rounds.
    pub(super) fn place_near_singles(&mut self, rounds: usize) -> Result<(), Contradiction> {
        for _ in 0..rounds {
            if !(self.place_naked_singles()? || self.place_hidden_singles()?) {
                break;
            }
        }
        Ok(())
    }

    /// Places naked and hidden singles until there are none.
    pub(super) fn place_singles(&mut self) -> Result<(), Contradiction> {
        while self.place_naked_singles()? || self.place_hidden_singles()? {}
        Ok(())
    }

    /// Places every naked single, one round. Returns whether there was one.
    fn place_naked_singles(&mut self) -> Result<bool, Contradiction> {
        let [one, two, _] = self.at_least();
        if one != CellSet::ALL {
            return Err(Contradiction);
        }
        let singles = one.difference(two).difference(self.placed);
        if singles.is_empty() {
            return Ok(false);
        }
        for places in &mut self.places {
            // Two equal singles that see each other strike one another: the next round notices.
            for cell in places.intersection(singles) {
                *places = places.difference(cell.peers());
            }
        }
        self.placed = self.placed.union(singles);
        Ok(true)
    }

    /// Places every hidden single, one round. Returns whether there was one.
    fn place_hidden_singles(&mut self) -> Result<bool, Contradiction> {
        let mut any = false;
        for digit in Digit::ALL {
            let places = self.places[digit.index()];
            let open = places.difference(self.placed);
            if open.is_empty() && places.len() == 9 {
                continue;
            }
            if !places.meets_every_house() {
                return Err(Contradiction);
            }
            let singles = places.alone_in_a_house().difference(self.placed);
            if !singles.is_empty() {
                self.place_all(singles, digit);
                any = true;
            }
        }
        Ok(any)
    }

    /// Returns the cells with at least one, two and three candidates.
    fn at_least(&self) -> [CellSet; 3] {
        let [mut one, mut two, mut three] = [CellSet::EMPTY; 3];
        for places in self.places {
            three = three.union(two.intersection(places));
            two = two.union(one.intersection(places));
            one = one.union(places);
        }
        [one, two, three]
    }

    /// Returns the blanks with the fewest candidates; none, if no cell is blank.
    pub(super) fn with_fewest_candidates(&self) -> CellSet {
        let [_, two, three] = self.at_least();
        let blanks = self.blanks();
        let pairs = two.difference(three).intersection(blanks);
        if !pairs.is_empty() {
            return pairs;
        }
        let count = |cell: Cell| self.candidates(cell).len();
        let fewest = blanks.into_iter().map(count).min();
        let has_fewest = |&cell: &Cell| Some(count(cell)) == fewest;
        blanks.into_iter().filter(has_fewest).collect()
    }

    /// Returns the cells that are not placed.
    pub(super) fn blanks(&self) -> CellSet {
        CellSet::ALL.difference(self.placed)
    }

    /// Returns the cells that have this digit as a candidate, placed cells included.
    pub(super) fn places(&self, digit: Digit) -> CellSet {
        self.places[digit.index()]
    }

    /// Returns the candidates of this cell.
    pub(super) fn candidates(&self, cell: Cell) -> DigitSet {
        Digit::ALL
            .into_iter()
            .filter(|digit| self.places[digit.index()].contains(cell))
            .collect()
    }

    /// Returns the board, once every cell is placed without a contradiction.
    pub(super) fn solution(&self) -> Solution {
        let mut digits = CellMap::from_fn(|_| Digit::ALL[0]);
        for digit in Digit::ALL {
            for cell in self.places[digit.index()] {
                digits[cell] = digit;
            }
        }
        Solution::new(digits).expect("every cell is placed and no two equal digits see each other")
    }
}
