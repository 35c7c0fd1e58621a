//! Houses (rows, columns and blocks): all geometry of the board.

use super::cell::{Cell, CellSet};

/// A row, a column or a block: nine cells that hold each digit once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct House(u8);

/// Cells of every house: rows 0 to 8, columns 9 to 17, blocks 18 to 26.
static CELLS: [CellSet; House::COUNT] = house_cells();
/// For every cell, the 20 other cells of its three houses.
static PEERS: [CellSet; Cell::COUNT] = peers();

impl House {
    /// Number of houses on a board.
    pub const COUNT: usize = 27;

    /// Returns the house of this index: rows 0 to 8, columns 9 to 17, blocks 18 to 26.
    pub const fn new(index: usize) -> Option<House> {
        if index < House::COUNT {
            Some(House(index as u8))
        } else {
            None
        }
    }

    /// Returns all houses: rows from the top, then columns from the left, then blocks in reading
    /// order.
    pub fn all() -> impl Iterator<Item = House> + Clone {
        (0..House::COUNT as u8).map(House)
    }

    /// Returns the index of the house: rows 0 to 8, columns 9 to 17, blocks 18 to 26.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the nine cells of the house.
    pub const fn cells(self) -> CellSet {
        CELLS[self.index()]
    }

    /// Whether it is a row, a column or a block.
    pub const fn kind(self) -> HouseKind {
        match self.0 / 9 {
            0 => HouseKind::Row,
            1 => HouseKind::Column,
            _ => HouseKind::Block,
        }
    }

    /// Number of the house among those of its kind, 0 to 8.
    pub const fn number(self) -> usize {
        self.index() % 9
    }

    /// The place of a cell in the house, 0 to 8: its column in a row, its row in a column, reading order in a block.
    pub const fn place_of(self, cell: Cell) -> usize {
        match self.kind() {
            HouseKind::Row => cell.column(),
            HouseKind::Column => cell.row(),
            HouseKind::Block => cell.place_in_block(),
        }
    }
}

/// The three kinds of houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HouseKind {
    /// Nine cells side by side.
    Row,
    /// Nine cells one below the other.
    Column,
    /// Three by three cells.
    Block,
}

/// "row 4", "column 7" or "block 9", counted from 1.
impl std::fmt::Display for House {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.kind() {
            HouseKind::Row => "row",
            HouseKind::Column => "column",
            HouseKind::Block => "block",
        };
        write!(f, "{kind} {}", self.number() + 1)
    }
}

/// The two directions of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// The nine rows.
    Rows,
    /// The nine columns.
    Columns,
}

impl Lines {
    /// Rows and columns, in this order.
    pub const BOTH: [Lines; 2] = [Lines::Rows, Lines::Columns];

    /// Returns the nine lines of this direction, from the top or from the left.
    pub fn houses(self) -> impl Iterator<Item = House> + Clone {
        let skipped = match self {
            Lines::Rows => 0,
            Lines::Columns => 9,
        };
        House::all().skip(skipped).take(9)
    }
}

/// A set of houses: 27 bits, the lowest for the first row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct HouseSet(u32);

impl HouseSet {
    /// The empty set.
    pub const EMPTY: HouseSet = HouseSet(0);

    /// Returns the number of houses in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set holds no house.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set holds this house.
    pub const fn contains(self, house: House) -> bool {
        self.0 >> house.0 & 1 == 1
    }

    /// Returns this set with that house added.
    #[must_use]
    pub const fn with(self, house: House) -> HouseSet {
        HouseSet(self.0 | 1 << house.0)
    }

    /// Returns the houses, in the order of [`House::all`].
    pub fn iter(self) -> impl Iterator<Item = House> + Clone {
        House::all().filter(move |&house| self.contains(house))
    }

    /// Returns the cells of all the houses.
    pub fn cells(self) -> CellSet {
        self.iter()
            .fold(CellSet::EMPTY, |cells, house| cells.union(house.cells()))
    }
}

impl FromIterator<House> for HouseSet {
    fn from_iter<I: IntoIterator<Item = House>>(houses: I) -> HouseSet {
        houses.into_iter().fold(HouseSet::EMPTY, HouseSet::with)
    }
}

impl std::fmt::Debug for HouseSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Cell {
    /// Returns the row of the cell, 0 to 8 from the top.
    pub const fn row(self) -> usize {
        self.index() / 9
    }

    /// Returns the column of the cell, 0 to 8 from the left.
    pub const fn column(self) -> usize {
        self.index() % 9
    }

    /// Returns the block of the cell, 0 to 8 in reading order.
    pub const fn block(self) -> usize {
        self.row() / 3 * 3 + self.column() / 3
    }

    /// Returns the place of the cell in its block, 0 to 8 in reading order.
    pub const fn place_in_block(self) -> usize {
        self.row() % 3 * 3 + self.column() % 3
    }

    /// Returns the row, the column and the block of the cell.
    pub const fn houses(self) -> [House; 3] {
        [
            House(self.row() as u8),
            House(9 + self.column() as u8),
            House(18 + self.block() as u8),
        ]
    }

    /// Returns the line of this direction that the cell lies in.
    pub const fn line(self, lines: Lines) -> House {
        let [row, column, _] = self.houses();
        match lines {
            Lines::Rows => row,
            Lines::Columns => column,
        }
    }

    /// Returns the 20 other cells that share a house with this one.
    pub const fn peers(self) -> CellSet {
        PEERS[self.index()]
    }

    /// Returns whether the two are different cells that share a house, so cannot hold the same
    /// digit.
    pub fn sees(self, other: Cell) -> bool {
        self.peers().contains(other)
    }
}

impl CellSet {
    /// Returns the cells that see all cells of this set; of the empty set, all cells.
    pub fn common_peers(self) -> CellSet {
        let peers = self.into_iter().map(Cell::peers);
        peers.fold(CellSet::ALL, CellSet::intersection)
    }
}

const fn house_cells() -> [CellSet; House::COUNT] {
    let mut houses = [CellSet::EMPTY; House::COUNT];
    let mut index = 0;
    while let Some(cell) = Cell::new(index) {
        let of_cell = cell.houses();
        let mut kind = 0;
        while kind < 3 {
            let house = of_cell[kind].index();
            houses[house] = houses[house].with(cell);
            kind += 1;
        }
        index += 1;
    }
    houses
}

const fn peers() -> [CellSet; Cell::COUNT] {
    let houses = house_cells();
    let mut peers = [CellSet::EMPTY; Cell::COUNT];
    let mut index = 0;
    while let Some(cell) = Cell::new(index) {
        let [row, column, block] = cell.houses();
        peers[index] = houses[row.index()]
            .union(houses[column.index()])
            .union(houses[block.index()])
            .without(cell);
        index += 1;
    }
    peers
}

#[cfg(test)]
mod tests {
    use super::super::digit::DigitSet;
    use super::*;

    #[test]
    fn every_house_has_nine_cells_and_every_cell_twenty_peers() {
        assert!(House::all().all(|house| house.cells().len() == 9));
        assert!(Cell::all().all(|cell| cell.peers().len() == 20));
    }

    #[test]
    fn a_set_of_houses_contains_what_was_inserted() {
        assert!(HouseSet::EMPTY.is_empty() && HouseSet::EMPTY.cells().is_empty());
        for house in House::all() {
            let others: HouseSet = House::all().filter(|&other| other != house).collect();
            assert_eq!((others.len(), others.contains(house)), (26, false));
            assert!(others.iter().all(|other| other != house) && !others.is_empty());
            assert_eq!(others.with(house).iter().count(), House::COUNT);
            assert_eq!(HouseSet::EMPTY.with(house).cells(), house.cells());
        }
    }

    #[test]
    fn common_peers_see_every_cell_and_one_or_two_cells_are_told_from_others() {
        for a in Cell::all() {
            let one = CellSet::only(a);
            assert_eq!(
                (one.first(), one.single(), one.pair()),
                (Some(a), Some(a), None)
            );
            for b in Cell::all().filter(|&b| b > a) {
                let two = one.with(b);
                assert_eq!(
                    (two.first(), two.single(), two.pair()),
                    (Some(a), None, Some([a, b]))
                );
                let peers: CellSet = Cell::all().filter(|c| c.sees(a) && c.sees(b)).collect();
                assert_eq!(two.common_peers(), peers);
            }
        }
        let [none, row] = [CellSet::EMPTY, House::all().next().unwrap().cells()];
        assert_eq!(
            (none.first(), none.single(), none.pair()),
            (None, None, None)
        );
        assert_eq!((row.single(), row.pair()), (None, None));
        assert_eq!(none.common_peers(), CellSet::ALL);
        assert!(row.common_peers().is_empty());
    }

    #[test]
    fn subsets_are_all_there_in_ascending_order() {
        let cells: CellSet = Cell::all().step_by(20).collect();
        let subsets: Vec<u128> = cells.subsets().map(CellSet::bits).collect();
        assert_eq!(subsets.len(), 32);
        assert!(subsets.is_sorted_by(|a, b| a < b));
        assert!(subsets.iter().all(|bits| bits & !cells.bits() == 0));
        assert_eq!(
            CellSet::EMPTY.subsets().collect::<Vec<_>>(),
            [CellSet::EMPTY]
        );
        let digits: Vec<u16> = DigitSet::ALL.subsets().map(DigitSet::bits).collect();
        assert_eq!(digits, (0..1 << 9).collect::<Vec<u16>>());
    }

    #[test]
    fn seeing_is_mutual_and_never_of_oneself() {
        for a in Cell::all() {
            assert!(!a.sees(a));
            for b in Cell::all() {
                assert_eq!(a.sees(b), b.sees(a));
                let shared = House::all()
                    .any(|house| house.cells().contains(a) && house.cells().contains(b));
                assert_eq!(a.sees(b), shared && a != b);
            }
        }
    }
}
