//! Locked candidates, pairs and X-wings inside a chain: what they eliminate once the chain has
//! eliminated what was in their way.

use super::board::{Board, CELLS, Frame, HOMES, Pairs, bits, wide_bits};
use super::implication_graph::{Cause, ImplicationGraph};
use crate::grid::{Cell, House};
use crate::logic::technique_id::{SubsetSize, TechniqueId};

/// The techniques, by the numbers of [`Cause::Extra`].
pub(super) const TECHNIQUES: [TechniqueId; 5] = [
    TechniqueId::Pointing,
    TechniqueId::Claiming,
    TechniqueId::HiddenSubset(SubsetSize::Two),
    TechniqueId::NakedSubset(SubsetSize::Two),
    TechniqueId::BasicFish(SubsetSize::Two),
];

/// Rows, columns and blocks as the houses of a kind begin.
const ROWS: usize = 0;
const COLUMNS: usize = 9;
const BLOCKS: usize = 18;

/// The boards before and within a chain, and the claims of the chain.
pub(super) struct Extras<'a> {
    pub(super) frame: &'a Frame,
    pub(super) source: &'a Board,
    pub(super) board: &'a Board,
    pub(super) graph: &'a mut ImplicationGraph,
}

/// In which third of a house all of two or three places lie: the rows of a block or a third of a
/// line, and the columns of a block.
static THIRDS: [[u8; 512]; 2] = thirds();
const NO_THIRD: u8 = 3;

const fn thirds() -> [[u8; 512]; 2] {
    let mut thirds = [[NO_THIRD; 512]; 2];
    let mut places: u16 = 0;
    while places < 512 {
        let mut third = 0;
        while places.count_ones() > 1 && third < 3 {
            if places & !(0b111 << (3 * third)) == 0 {
                thirds[0][places as usize] = third;
            }
            if places & !(0b001_001_001 << third) == 0 {
                thirds[1][places as usize] = third;
            }
            third += 1;
        }
        places += 1;
    }
    thirds
}

/// Whether a digit has all its places of a block in one line and others in that line, or all of a line in one block and
/// others in that block.
///
/// The lines and blocks of a band, or a stack, cross in nine groups of three cells: a bit for each group that has places.
fn can_lock(board: &Board) -> bool {
    let mut can = false;
    for first in (ROWS..COLUMNS + 9).step_by(3) {
        let mut groups = [0_u16; 9];
        for (line, places) in board.places[first..first + 3].iter().enumerate() {
            for (groups, &places) in groups.iter_mut().zip(places) {
                *groups |= ((places | places >> 1 | places >> 2) & 0b001_001_001) << line;
            }
        }
        for groups in groups {
            can |= LOCKABLE[groups as usize];
        }
    }
    can
}

/// Whether one of the nine groups, in three rows of three, is alone in its row or its column, but not in both.
static LOCKABLE: [bool; 512] = lockable();

const fn lockable() -> [bool; 512] {
    let mut lockable = [false; 512];
    let mut groups: u16 = 0;
    while groups < 512 {
        let mut at = 0;
        while at < 9 {
            let in_row = groups & 0b111 << (at / 3 * 3);
            let in_column = groups & 0b001_001_001 << (at % 3);
            let (row, column) = (in_row.count_ones(), in_column.count_ones());
            if groups >> at & 1 == 1 && (row == 1) != (column == 1) {
                lockable[groups as usize] = true;
            }
            at += 1;
        }
        groups += 1;
    }
    lockable
}

impl Extras<'_> {
    /// Adds what the first of the techniques that has something to add finds.
    pub(super) fn add(&mut self) {
        let before = self.graph.len();
        if can_lock(self.board) {
            self.locked();
            if self.graph.len() > before {
                return;
            }
        }
        let pairs = Pairs::of(self.board);
        let searches = [Self::hidden_pairs, Self::naked_pairs, Self::x_wings];
        for search in searches {
            search(self, &pairs);
            if self.graph.len() > before {
                return;
            }
        }
    }

    /// Adds that these are false because those are, unless nothing is: then it was seen before.
    fn eliminate(
        &mut self,
        technique: u8,
        eliminated: &mut [(usize, usize)],
        causes: &[(usize, usize)],
    ) {
        if causes.is_empty() {
            return;
        }
        eliminated.sort_unstable();
        let count = self.frame.len();
        for &mut (cell, digit) in eliminated {
            let claim = self.frame.number(cell, digit) + count;
            if self.graph.add_new(claim, Cause::Extra(technique)) {
                for &(cell, digit) in causes {
                    self.graph
                        .add_parent(self.frame.number(cell, digit) + count);
                }
            }
        }
    }

    fn locked(&mut self) {
        for (from, to) in [
            (BLOCKS, COLUMNS),
            (BLOCKS, ROWS),
            (COLUMNS, BLOCKS),
            (ROWS, BLOCKS),
        ] {
            let thirds = &THIRDS[usize::from(from == BLOCKS && to == COLUMNS)];
            for confined in from..from + 9 {
                // The digits with all places in one third of the house.
                let mut digits = [0_u16; 4];
                let (now, before) = (&self.board.places[confined], &self.source.places[confined]);
                for digit in 0..9 {
                    let third = if now[digit] == before[digit] {
                        NO_THIRD
                    } else {
                        thirds[now[digit] as usize]
                    };
                    digits[third as usize] |= 1 << digit;
                }
                if digits[..3] == [0; 3] {
                    continue;
                }
                for (other, digits) in crossing(confined, to).zip(digits) {
                    for digit in bits(digits) {
                        self.lock(confined, other, digit);
                    }
                }
            }
        }
    }

    fn lock(&mut self, confined: usize, other: usize, digit: usize) {
        let places = self.board.places[confined][digit];
        let gone = self.source.places[confined][digit] & !places & !SHARED[confined][other];
        let beyond = self.board.places[other][digit] & !SHARED[other][confined];
        if gone == 0 || beyond == 0 {
            return;
        }
        let at = |house: usize| move |place: usize| (CELLS[house][place] as usize, digit);
        let mut eliminated: Vec<_> = bits(beyond).map(at(other)).collect();
        let causes: Vec<_> = bits(gone).map(at(confined)).collect();
        self.eliminate(u8::from(confined < BLOCKS), &mut eliminated, &causes);
    }

    fn hidden_pairs(&mut self, pairs: &Pairs) {
        for house in [BLOCKS, COLUMNS, ROWS]
            .into_iter()
            .flat_map(|kind| kind..kind + 9)
        {
            if self.frame.blanks[house] <= 4 {
                continue;
            }
            let places = &self.board.places[house];
            let pairs = pairs.houses[house];
            for second in bits(pairs) {
                for first in bits(pairs & ((1 << second) - 1)) {
                    if places[first] != places[second] {
                        continue;
                    }
                    let cells = || bits(places[first]).map(|place| CELLS[house][place] as usize);
                    let pair = 1 << first | 1 << second;
                    let others = |cell: usize| {
                        bits(self.board.cells[cell] & !pair).map(move |digit| (cell, digit))
                    };
                    let mut eliminated: Vec<_> = cells().flat_map(others).collect();
                    if eliminated.is_empty() {
                        continue;
                    }
                    let mut causes = Vec::new();
                    for place in bits(0x1ff & !places[first]) {
                        for digit in [first, second] {
                            if self.source.places[house][digit] >> place & 1 == 1 {
                                causes.push((CELLS[house][place] as usize, digit));
                            }
                        }
                    }
                    self.eliminate(2, &mut eliminated, &causes);
                }
            }
        }
    }

    fn naked_pairs(&mut self, pairs: &Pairs) {
        // The places of cells with two candidates.
        let mut bivalue = [0_u16; 27];
        for cell in wide_bits(pairs.cells) {
            for (house, place) in HOMES[cell] {
                bivalue[house as usize] |= 1 << place;
            }
        }
        for house in [BLOCKS, COLUMNS, ROWS]
            .into_iter()
            .flat_map(|kind| kind..kind + 9)
        {
            if self.frame.blanks[house] < 4 {
                continue;
            }
            let pairs = bivalue[house];
            if pairs & pairs.wrapping_sub(1) == 0 {
                continue;
            }
            let cells = CELLS[house].map(usize::from);
            for second in bits(pairs) {
                let pair = self.board.cells[cells[second]];
                for first in bits(pairs & ((1 << second) - 1)) {
                    if self.board.cells[cells[first]] != pair {
                        continue;
                    }
                    let mut eliminated = Vec::new();
                    for place in (0..9).filter(|&place| place != first && place != second) {
                        let cell = cells[place];
                        eliminated
                            .extend(bits(self.board.cells[cell] & pair).map(|digit| (cell, digit)));
                    }
                    if eliminated.is_empty() {
                        continue;
                    }
                    let gone = |cell: usize| {
                        bits(self.source.cells[cell] & !pair).map(move |digit| (cell, digit))
                    };
                    let causes: Vec<_> = gone(cells[first]).chain(gone(cells[second])).collect();
                    self.eliminate(3, &mut eliminated, &causes);
                }
            }
        }
    }

    fn x_wings(&mut self, pairs: &Pairs) {
        for (base, cover) in [(COLUMNS, ROWS), (ROWS, COLUMNS)] {
            for second in 1..9 {
                for first in 0..second {
                    for digit in bits(pairs.houses[base + first] & pairs.houses[base + second]) {
                        self.x_wing([base + first, base + second], cover, digit);
                    }
                }
            }
        }
    }

    fn x_wing(&mut self, [first, second]: [usize; 2], cover: usize, digit: usize) {
        let places = self.board.places[first][digit];
        if self.board.places[second][digit] != places || self.frame.placed[digit] > 5 {
            return;
        }
        let mut eliminated = Vec::new();
        for line in bits(places).map(|place| cover + place) {
            let corners = SHARED[line][first] | SHARED[line][second];
            for place in bits(self.board.places[line][digit] & !corners) {
                eliminated.push((CELLS[line][place] as usize, digit));
            }
        }
        if eliminated.is_empty() {
            return;
        }
        let mut causes = Vec::new();
        for base in [first, second] {
            for place in bits(self.source.places[base][digit] & !places) {
                causes.push((CELLS[base][place] as usize, digit));
            }
        }
        self.eliminate(4, &mut eliminated, &causes);
    }
}

/// For each house and each other one, the places of the first that the other shares.
static SHARED: [[u16; House::COUNT]; House::COUNT] = shared();

const fn shared() -> [[u16; House::COUNT]; House::COUNT] {
    let mut shared = [[0; House::COUNT]; House::COUNT];
    let mut index = 0;
    while let Some(cell) = Cell::new(index) {
        let houses = cell.houses();
        let mut pair = 0;
        while pair < 9 {
            let (house, other) = (houses[pair / 3], houses[pair % 3]);
            shared[house.index()][other.index()] |= 1 << house.place_of(cell);
            pair += 1;
        }
        index += 1;
    }
    shared
}

/// The houses of a kind, by the first of them, that share cells with this one.
fn crossing(house: usize, kind: usize) -> impl Iterator<Item = usize> {
    (kind..kind + 9).filter(move |&other| SHARED[house][other] != 0)
}

#[cfg(test)]
mod tests {
    use super::super::implication_graph::testing::boards;
    use super::*;

    /// Whether a digit has all its places of some house in another one, which has more of them.
    fn is_locked(board: &Board) -> bool {
        let houses = || 0..House::COUNT;
        houses().any(|confined| {
            houses().any(|other| {
                let crosses = (confined < BLOCKS) != (other < BLOCKS);
                crosses
                    && (0..9).any(|digit| {
                        let within = board.places[confined][digit] & !SHARED[confined][other];
                        let beyond = board.places[other][digit] & !SHARED[other][confined];
                        board.places[confined][digit] != 0 && within == 0 && beyond != 0
                    })
            })
        })
    }

    #[test]
    fn locked_candidates_are_looked_for_where_there_are_some() {
        let (mut some, mut none) = (0, 0);
        for (_, mut board) in boards() {
            let locked = is_locked(&board);
            assert_eq!(can_lock(&board), locked);
            some += usize::from(locked);
            // One digit left.
            let digit = board.cells.iter().position(|&digits| digits != 0).unwrap() % 9;
            for cell in 0..81 {
                for other in (0..9).filter(|&other| other != digit) {
                    board.eliminate(cell, other);
                }
            }
            let locked = is_locked(&board);
            assert_eq!(can_lock(&board), locked);
            none += usize::from(!locked);
        }
        assert!(some > 10 && none > 10, "{some} {none}");
    }

    #[test]
    fn a_line_and_a_block_that_cross_share_three_cells() {
        for [from, to] in [
            [BLOCKS, COLUMNS],
            [BLOCKS, ROWS],
            [COLUMNS, BLOCKS],
            [ROWS, BLOCKS],
        ] {
            for house in from..from + 9 {
                assert_eq!(crossing(house, to).count(), 3);
                for other in crossing(house, to) {
                    let shared = bits(SHARED[house][other]).map(|at| CELLS[house][at]);
                    let shared: Vec<u8> = shared.collect();
                    assert_eq!(shared.len(), 3);
                    assert!(shared.iter().all(|cell| CELLS[other].contains(cell)));
                }
            }
        }
    }
}
