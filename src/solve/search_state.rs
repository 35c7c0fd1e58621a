//! What is still possible on a board: for each digit, the cells that may hold it.
//!
//! Sets of cells are 81 bits, so a few operations on nine of them see all cells at once. Places
//! kept by digit, looked at in bands of 27 bits, and cells told apart by one, two or more
//! candidates in bit slices are ideas of JCZSolve by zhouyundong_2012, champagne and JasonLion
//! (players' forum, "3.77us solver", 2012).

use crate::grid::{Cell, CellMap, CellSet, Contradiction, Digit, DigitSet, Puzzle, Solution};

/// The places left for each digit. A placed digit keeps its own cell among its places.
#[derive(Clone, Debug)]
pub(super) struct SearchState {
    places: [CellSet; 9],
    placed: CellSet,
}

impl SearchState {
    /// The state after the givens, unless two of them contradict each other.
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

    /// Puts a digit into a cell, and strikes what it excludes.
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

    /// Places naked and hidden singles until there are none.
    pub(super) fn place_singles(&mut self) -> Result<(), Contradiction> {
        while self.place_naked_singles()? || self.place_hidden_singles()? {}
        Ok(())
    }

    /// One round: every cell that has a single candidate. True if there was one.
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

    /// One round: for every digit and house with a single place. True if there was one.
    fn place_hidden_singles(&mut self) -> Result<bool, Contradiction> {
        let mut any = false;
        for digit in Digit::ALL {
            let places = self.places[digit.index()];
            let open = places.difference(self.placed);
            if open.is_empty() && places.len() == 9 {
                continue;
            }
            let singles = only_places(places)?.difference(self.placed);
            if !singles.is_empty() {
                self.place_all(singles, digit);
                any = true;
            }
        }
        Ok(any)
    }

    /// The cells with at least one, two and three candidates.
    fn at_least(&self) -> [CellSet; 3] {
        let [mut one, mut two, mut three] = [CellSet::EMPTY; 3];
        for places in self.places {
            three = three.union(two.intersection(places));
            two = two.union(one.intersection(places));
            one = one.union(places);
        }
        [one, two, three]
    }

    /// The blanks with the fewest candidates; none, if no cell is blank.
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

    /// The cells that are not placed.
    pub(super) fn blanks(&self) -> CellSet {
        CellSet::ALL.difference(self.placed)
    }

    /// The cells that may hold this digit, those that do included.
    pub(super) fn places(&self, digit: Digit) -> CellSet {
        self.places[digit.index()]
    }

    /// What may stand in this cell.
    pub(super) fn candidates(&self, cell: Cell) -> DigitSet {
        Digit::ALL
            .into_iter()
            .filter(|digit| self.places[digit.index()].contains(cell))
            .collect()
    }

    /// The board, once every cell is placed without a contradiction.
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

/// Bits of a band: three rows of nine cells, the lowest bit for the cell at the top left.
///
/// ```text
///  0  1  2 |  3  4  5 |  6  7  8
///  9 10 11 | 12 13 14 | 15 16 17
/// 18 19 20 | 21 22 23 | 24 25 26
/// ```
const BAND: u32 = (1 << 27) - 1;
const ROW: u32 = 0x1ff;
const BLOCK: u32 = 0b111 | 0b111 << 9 | 0b111 << 18;
/// The six houses that lie within a band.
const HOUSES_OF_BAND: [u32; 6] = [ROW, ROW << 9, ROW << 18, BLOCK, BLOCK << 3, BLOCK << 6];
/// Times this, a row is copied to all three rows of a band.
const EVERY_ROW: u32 = 1 | 1 << 9 | 1 << 18;

/// Of the places of one digit those that are the only one in some house.
fn only_places(places: CellSet) -> Result<CellSet, Contradiction> {
    let bits = places.bits();
    let bands = [0, 27, 54].map(|shift| (bits >> shift) as u32 & BAND);
    let mut only = [0; 3];
    let (mut in_column, mut twice_in_column) = (0, 0);
    for (band, only) in bands.into_iter().zip(&mut only) {
        for house in HOUSES_OF_BAND {
            let held = band & house;
            if held == 0 {
                return Err(Contradiction);
            }
            if held & (held - 1) == 0 {
                *only |= held;
            }
        }
        for row in [band & ROW, band >> 9 & ROW, band >> 18] {
            twice_in_column |= in_column & row;
            in_column |= row;
        }
    }
    if in_column != ROW {
        return Err(Contradiction);
    }
    let columns = (in_column & !twice_in_column) * EVERY_ROW;
    let [top, middle, bottom] =
        std::array::from_fn(|band| u128::from(only[band] | bands[band] & columns));
    Ok(CellSet::from_bits(top | middle << 27 | bottom << 54))
}
