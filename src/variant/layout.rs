//! Which cells of a board of any size must differ, and which must add up to a sum.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::value::{MOST_SIDE, Value};

/// The smallest side of a board.
pub const LEAST_SIDE: usize = 4;

/// Rows and columns of the boxes of a board: its side is their product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Boxes {
    /// Rows of a box.
    pub rows: usize,
    /// Columns of a box.
    pub columns: usize,
}

impl Boxes {
    /// Cells of a box, and of a row.
    pub const fn side(self) -> usize {
        self.rows * self.columns
    }

    /// The number of the box with this cell, in reading order.
    const fn of(self, cell: usize) -> usize {
        let (row, column) = (cell / self.side(), cell % self.side());
        row / self.rows * self.rows + column / self.columns
    }

    /// The square boxes of a board of this side, if it is a square number.
    pub fn square(side: usize) -> Option<Boxes> {
        let root = side.isqrt();
        (root * root == side).then_some(Boxes {
            rows: root,
            columns: root,
        })
    }
}

impl std::fmt::Display for Boxes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

/// What a house is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HouseKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box, or a region of a jigsaw.
    Region,
    /// One of the two diagonals.
    Diagonal,
    /// An extra box of a windoku.
    Window,
}

/// As many cells as the board has values, all different. Cells are numbered in reading order, from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct House {
    /// What it is.
    pub kind: HouseKind,
    /// Its number among those of its kind, from 0.
    pub number: usize,
    /// Its cells, in ascending order.
    pub cells: Vec<usize>,
}

/// Cells whose values differ and add up to a sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cage {
    /// The sum of its values.
    pub sum: u32,
    /// Its cells, in ascending order.
    pub cells: Vec<usize>,
}

/// Why a layout cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LayoutError {
    /// The side is too small or too large.
    #[error("a side of {0} is not supported: it must be from {LEAST_SIDE} to {MOST_SIDE}")]
    Side(usize),
    /// The regions are not as many cells as a square has.
    #[error("{0} cells are no square board")]
    NoSquare(usize),
    /// There are not as many regions as rows.
    #[error("{regions} regions on a board of side {side}")]
    Regions {
        /// How many there are.
        regions: usize,
        /// Cells of a row.
        side: usize,
    },
    /// A region has more or fewer cells than a row.
    #[error("region {region} has {cells} cells instead of {side}")]
    RegionSize {
        /// Its number, from 1, in the order of first cells.
        region: usize,
        /// Its cells.
        cells: usize,
        /// Cells of a row.
        side: usize,
    },
    /// Windows are asked for where boxes are not square.
    #[error("windows need square boxes")]
    Windows,
    /// A cage names a cell twice, or one that another cage has, or one outside the board.
    #[error("row {row}, column {column} is in two cages, or twice in one")]
    CageOverlap {
        /// Of the cell, from 1.
        row: usize,
        /// Of the cell, from 1.
        column: usize,
    },
    /// A cage names a cell outside the board.
    #[error("a cage has a cell outside the board")]
    CageOutside,
    /// No different values of this board add up to the sum.
    #[error("a cage of {cells} cells cannot add up to {sum}")]
    CageSum {
        /// Cells of the cage.
        cells: usize,
        /// Its sum.
        sum: u32,
    },
}

/// The rules of a board: rows, columns and regions, and perhaps diagonals, windows and cages.
///
/// ```
/// use sudoku_batch::variant::{Boxes, Layout};
///
/// let layout = Layout::with_boxes(Boxes { rows: 2, columns: 3 })?.and_diagonals();
/// assert_eq!(layout.side(), 6);
/// assert_eq!(layout.houses().len(), 6 + 6 + 6 + 2);
/// # Ok::<(), sudoku_batch::variant::LayoutError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    side: usize,
    boxes: Option<Boxes>,
    /// The region of each cell, from 0, numbered in the order of first cells.
    regions: Vec<usize>,
    houses: Vec<House>,
    cages: Vec<Cage>,
    diagonals: bool,
    windows: bool,
}

impl Layout {
    /// Rows, columns and boxes.
    ///
    /// # Errors
    /// [`LayoutError::Side`].
    pub fn with_boxes(boxes: Boxes) -> Result<Layout, LayoutError> {
        let side = boxes.rows.checked_mul(boxes.columns);
        let side = checked_side(side.unwrap_or(usize::MAX))?;
        let regions = (0..side * side).map(|cell| boxes.of(cell)).collect();
        let mut layout = Layout::with_regions(regions)?;
        layout.boxes = Some(boxes);
        Ok(layout)
    }

    /// Rows, columns and the regions of a jigsaw: any number for each region, cell by cell. Where they are
    /// boxes, this is the layout of [`Layout::with_boxes`].
    ///
    /// # Errors
    /// See [`LayoutError`].
    pub fn jigsaw(regions: &[u32]) -> Result<Layout, LayoutError> {
        let mut names: Vec<u32> = Vec::new();
        let numbered = regions.iter().map(|region| {
            names
                .iter()
                .position(|name| name == region)
                .unwrap_or_else(|| {
                    names.push(*region);
                    names.len() - 1
                })
        });
        let mut layout = Layout::with_regions(numbered.collect())?;
        let side = layout.side;
        let boxes = (1..=side).filter(|rows| side % rows == 0);
        let mut boxes = boxes.map(|rows| Boxes {
            rows,
            columns: side / rows,
        });
        let regions = layout.regions.iter().enumerate();
        layout.boxes = boxes.find(|boxes| {
            let mut regions = regions.clone();
            regions.all(|(cell, region)| boxes.of(cell) == *region)
        });
        Ok(layout)
    }

    fn with_regions(regions: Vec<usize>) -> Result<Layout, LayoutError> {
        let side = regions.len().isqrt();
        if side * side != regions.len() {
            return Err(LayoutError::NoSquare(regions.len()));
        }
        checked_side(side)?;
        let count = regions.iter().max().map_or(0, |most| most + 1);
        if count != side {
            return Err(LayoutError::Regions {
                regions: count,
                side,
            });
        }
        let mut layout = Layout {
            side,
            boxes: None,
            houses: Vec::with_capacity(3 * side),
            cages: Vec::new(),
            diagonals: false,
            windows: false,
            regions,
        };
        let mut members = vec![Vec::with_capacity(side); side];
        for (cell, region) in layout.regions.iter().enumerate() {
            members[*region].push(cell);
        }
        for number in 0..side {
            layout.add(
                HouseKind::Row,
                number,
                (0..side).map(|at| number * side + at),
            );
        }
        for number in 0..side {
            layout.add(
                HouseKind::Column,
                number,
                (0..side).map(|at| at * side + number),
            );
        }
        for (number, cells) in members.into_iter().enumerate() {
            layout.add(HouseKind::Region, number, cells);
        }
        match layout.houses.iter().find(|house| house.cells.len() != side) {
            Some(region) => Err(LayoutError::RegionSize {
                region: region.number + 1,
                cells: region.cells.len(),
                side,
            }),
            None => Ok(layout),
        }
    }

    /// The same with both diagonals.
    #[must_use]
    pub fn and_diagonals(mut self) -> Layout {
        if !self.diagonals {
            let side = self.side;
            self.diagonals = true;
            self.add(HouseKind::Diagonal, 0, (0..side).map(|at| at * (side + 1)));
            self.add(HouseKind::Diagonal, 1, (1..=side).map(|at| at * (side - 1)));
        }
        self
    }

    /// The same with the extra boxes of a windoku, which stand one cell apart: four on a board of side 9,
    /// nine on one of side 16.
    ///
    /// # Errors
    /// [`LayoutError::Windows`], unless the regions are square boxes.
    pub fn and_windows(mut self) -> Result<Layout, LayoutError> {
        let width = match self.boxes {
            Some(boxes) if boxes.rows == boxes.columns => boxes.rows,
            _ => return Err(LayoutError::Windows),
        };
        if !self.windows {
            let side = self.side;
            self.windows = true;
            let place = |at: usize| (!at.is_multiple_of(width + 1)).then_some(at / (width + 1));
            for number in 0..(width - 1) * (width - 1) {
                let window = (Some(number / (width - 1)), Some(number % (width - 1)));
                let has = |cell: &usize| (place(cell / side), place(cell % side)) == window;
                self.add(HouseKind::Window, number, (0..side * side).filter(has));
            }
        }
        Ok(self)
    }

    /// The same with these cages; cells may be in none.
    ///
    /// # Errors
    /// See [`LayoutError`].
    pub fn and_cages(mut self, cages: Vec<Cage>) -> Result<Layout, LayoutError> {
        let side = self.side;
        let mut caged = vec![false; side * side];
        for mut cage in cages {
            cage.cells.sort_unstable();
            for &cell in &cage.cells {
                let taken = caged.get_mut(cell).ok_or(LayoutError::CageOutside)?;
                if std::mem::replace(taken, true) {
                    return Err(LayoutError::CageOverlap {
                        row: cell / side + 1,
                        column: cell % side + 1,
                    });
                }
            }
            let (cells, most) = (cage.cells.len() as u32, side as u32);
            let least_sum = cells * (cells + 1) / 2;
            let most_sum = cells * most - cells * cells.saturating_sub(1) / 2;
            if cells == 0 || cells > most || cage.sum < least_sum || cage.sum > most_sum {
                return Err(LayoutError::CageSum {
                    cells: cage.cells.len(),
                    sum: cage.sum,
                });
            }
            self.cages.push(cage);
        }
        self.cages.sort_unstable_by_key(|cage| cage.cells[0]);
        Ok(self)
    }

    /// The same without its cages.
    #[must_use]
    pub fn without_cages(mut self) -> Layout {
        self.cages.clear();
        self
    }

    fn add(&mut self, kind: HouseKind, number: usize, cells: impl IntoIterator<Item = usize>) {
        self.houses.push(House {
            kind,
            number,
            cells: cells.into_iter().collect(),
        });
    }

    /// Cells of a row, and values of a cell.
    pub const fn side(&self) -> usize {
        self.side
    }

    /// Cells of the board.
    pub const fn cells(&self) -> usize {
        self.side * self.side
    }

    /// All values of this board, in ascending order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = Value> + use<> {
        (1..=self.side as u8).filter_map(Value::new)
    }

    /// The boxes, where the regions are boxes.
    pub const fn boxes(&self) -> Option<Boxes> {
        self.boxes
    }

    /// The region of a cell, from 0, numbered in the order of first cells.
    pub fn region(&self, cell: usize) -> usize {
        self.regions[cell]
    }

    /// Rows, columns, regions, diagonals and windows, in this order.
    pub fn houses(&self) -> &[House] {
        &self.houses
    }

    /// The cages, in the order of their first cells.
    pub fn cages(&self) -> &[Cage] {
        &self.cages
    }

    /// Whether the diagonals are houses.
    pub const fn has_diagonals(&self) -> bool {
        self.diagonals
    }

    /// Whether it has the extra boxes of a windoku.
    pub const fn has_windows(&self) -> bool {
        self.windows
    }
}

fn checked_side(side: usize) -> Result<usize, LayoutError> {
    if (LEAST_SIDE..=MOST_SIDE).contains(&side) {
        Ok(side)
    } else {
        Err(LayoutError::Side(side))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn houses_have_as_many_cells_as_there_are_values() {
        for (rows, columns) in [(2, 2), (2, 3), (3, 2), (3, 4), (5, 5), (6, 6)] {
            let boxes = Boxes { rows, columns };
            let layout = Layout::with_boxes(boxes).unwrap().and_diagonals();
            let side = rows * columns;
            assert_eq!(layout.houses().len(), 3 * side + 2);
            assert!(
                layout
                    .houses()
                    .iter()
                    .all(|house| house.cells.len() == side)
            );
        }
        let windoku = Layout::with_boxes(Boxes::square(16).unwrap()).unwrap();
        let windoku = windoku.and_windows().unwrap();
        assert_eq!(windoku.houses().len(), 48 + 9);
        assert!(windoku.houses().iter().all(|house| house.cells.len() == 16));
    }

    #[test]
    fn boxes_are_rows_by_columns() {
        let layout = Layout::with_boxes(Boxes {
            rows: 2,
            columns: 3,
        })
        .unwrap();
        assert_eq!(layout.houses()[12].cells, [0, 1, 2, 6, 7, 8]);
        let regions: Vec<u32> = (0..36).map(|cell| 9 - layout.region(cell) as u32).collect();
        assert_eq!(Layout::jigsaw(&regions).unwrap(), layout);
    }

    #[test]
    fn impossible_layouts_are_refused() {
        let boxes = |rows, columns| Layout::with_boxes(Boxes { rows, columns });
        assert_eq!(boxes(1, 3), Err(LayoutError::Side(3)));
        assert_eq!(boxes(7, 7), Err(LayoutError::Side(49)));
        assert_eq!(boxes(usize::MAX, 2), Err(LayoutError::Side(usize::MAX)));
        assert_eq!(Layout::jigsaw(&[0; 15]), Err(LayoutError::NoSquare(15)));
        let mut regions: Vec<u32> = (0..16).map(|cell| cell / 4).collect();
        regions[0] = 1;
        assert!(matches!(
            Layout::jigsaw(&regions),
            Err(LayoutError::RegionSize { .. })
        ));
        let cage = |sum, cells: &[usize]| Cage {
            sum,
            cells: cells.to_vec(),
        };
        let caged = |cages| boxes(2, 2).unwrap().and_cages(cages);
        assert_eq!(
            caged(vec![cage(3, &[0, 16])]),
            Err(LayoutError::CageOutside)
        );
        assert!(matches!(
            caged(vec![cage(3, &[0, 1]), cage(3, &[1, 2])]),
            Err(LayoutError::CageOverlap { row: 1, column: 2 })
        ));
        assert!(matches!(
            caged(vec![cage(2, &[0, 1])]),
            Err(LayoutError::CageSum { .. })
        ));
        assert!(matches!(
            caged(vec![cage(8, &[0, 1])]),
            Err(LayoutError::CageSum { .. })
        ));
        assert!(caged(vec![cage(7, &[1, 0]), cage(1, &[5])]).is_ok());
    }
}
