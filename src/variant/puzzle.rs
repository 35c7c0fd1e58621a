//! A puzzle of any layout, and its solutions.

use std::sync::Arc;

use thiserror::Error;

use super::layout::{Cage, HouseKind, Layout};
use super::value::Value;

/// Givens on a layout. They may contradict each other: see [`VariantPuzzle::clash`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VariantPuzzle {
    layout: Arc<Layout>,
    givens: Vec<Option<Value>>,
}

/// Why givens do not fit a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PuzzleError {
    /// There are more or fewer cells than the layout has.
    #[error("{cells} cells instead of {expected}")]
    Cells {
        /// How many there are.
        cells: usize,
        /// How many the layout has.
        expected: usize,
    },
    /// A value is larger than the side.
    #[error("row {row}, column {column}: {value} is more than {side}")]
    Value {
        /// Of the cell, from 1.
        row: usize,
        /// Of the cell, from 1.
        column: usize,
        /// What stands there.
        value: u8,
        /// The largest value.
        side: usize,
    },
}

/// Two givens that contradict each other, or a cage that its givens overfill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clash {
    /// The same value twice in a house.
    House {
        /// What the house is.
        kind: HouseKind,
        /// Its number among those of its kind, from 0.
        number: usize,
        /// The value.
        value: Value,
        /// Where it stands.
        cells: [usize; 2],
    },
    /// A value twice in a cage, or values that do not come to its sum.
    Cage {
        /// The first cell of the cage.
        cell: usize,
    },
}

impl VariantPuzzle {
    /// These givens, in reading order.
    ///
    /// # Errors
    /// See [`PuzzleError`].
    pub fn new(
        layout: Arc<Layout>,
        givens: Vec<Option<Value>>,
    ) -> Result<VariantPuzzle, PuzzleError> {
        let side = layout.side();
        if givens.len() != layout.cells() {
            return Err(PuzzleError::Cells {
                cells: givens.len(),
                expected: layout.cells(),
            });
        }
        for (cell, given) in givens.iter().enumerate() {
            if let Some(value) = given.filter(|value| usize::from(value.get()) > side) {
                return Err(PuzzleError::Value {
                    row: cell / side + 1,
                    column: cell % side + 1,
                    value: value.get(),
                    side,
                });
            }
        }
        Ok(VariantPuzzle { layout, givens })
    }

    /// No givens at all.
    pub fn empty(layout: Arc<Layout>) -> VariantPuzzle {
        let givens = vec![None; layout.cells()];
        VariantPuzzle { layout, givens }
    }

    /// The same without the given of a cell.
    #[must_use]
    pub fn without(&self, cell: usize) -> VariantPuzzle {
        let mut puzzle = self.clone();
        puzzle.givens[cell] = None;
        puzzle
    }

    /// The same with this given in a cell: a value of the board.
    pub(crate) fn with(&self, cell: usize, value: Value) -> VariantPuzzle {
        let mut puzzle = self.clone();
        puzzle.givens[cell] = Some(value);
        puzzle
    }

    /// Its rules.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The given of each cell, in reading order.
    pub fn givens(&self) -> &[Option<Value>] {
        &self.givens
    }

    /// How many cells have a given.
    pub fn given_count(&self) -> usize {
        self.givens.iter().flatten().count()
    }

    /// The first contradiction among the givens, if they have one.
    pub fn clash(&self) -> Option<Clash> {
        for house in self.layout.houses() {
            if let Some((value, cells)) = self.twice(&house.cells) {
                return Some(Clash::House {
                    kind: house.kind,
                    number: house.number,
                    value,
                    cells,
                });
            }
        }
        let cage = self.layout.cages().iter().find(|cage| {
            let values = cage.cells.iter().filter_map(|cell| self.givens[*cell]);
            let sum: u32 = values.clone().map(|value| u32::from(value.get())).sum();
            let full = values.count() == cage.cells.len();
            let wrong = if full {
                sum != cage.sum
            } else {
                sum >= cage.sum
            };
            wrong || self.twice(&cage.cells).is_some()
        });
        cage.map(|cage| Clash::Cage {
            cell: cage.cells[0],
        })
    }

    /// A value that stands twice in these cells.
    fn twice(&self, cells: &[usize]) -> Option<(Value, [usize; 2])> {
        let mut seen = [None; super::value::MOST_SIDE];
        for &cell in cells {
            if let Some(value) = self.givens[cell] {
                match seen[value.index()] {
                    Some(first) => return Some((value, [first, cell])),
                    None => seen[value.index()] = Some(cell),
                }
            }
        }
        None
    }
}

/// A full board that keeps all rules of its layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VariantSolution {
    values: Vec<Value>,
}

impl VariantSolution {
    /// This board, if it keeps every rule of the puzzle's layout and all its givens.
    pub fn new(puzzle: &VariantPuzzle, values: Vec<Value>) -> Option<VariantSolution> {
        let layout = &puzzle.layout;
        let all = u64::MAX >> (64 - layout.side());
        let mask = |cells: &[usize]| {
            cells
                .iter()
                .fold(0, |mask: u64, &cell| mask | 1 << values[cell].index())
        };
        let is_caged = |cage: &Cage| {
            let sum = cage.cells.iter().map(|&cell| u32::from(values[cell].get()));
            mask(&cage.cells).count_ones() as usize == cage.cells.len()
                && sum.sum::<u32>() == cage.sum
        };
        let mut pairs = puzzle.givens.iter().zip(&values);
        let is_solution = values.len() == layout.cells()
            && pairs.all(|(given, value)| given.is_none_or(|given| given == *value))
            && layout.houses().iter().all(|it| mask(&it.cells) == all)
            && layout.cages().iter().all(is_caged);
        is_solution.then_some(VariantSolution { values })
    }

    /// The value of each cell, in reading order.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::layout::{Boxes, Cage};
    use super::*;

    fn values(text: &str) -> Vec<Value> {
        let value = |byte: u8| Value::new(byte - b'0').unwrap();
        text.bytes().map(value).collect()
    }

    #[test]
    fn a_solution_satisfies_givens_houses_and_cages() {
        let boxes = Layout::with_boxes(Boxes {
            rows: 2,
            columns: 2,
        })
        .unwrap();
        let cage = |sum| {
            vec![Cage {
                sum,
                cells: vec![0, 1, 2],
            }]
        };
        let plain = VariantPuzzle::empty(Arc::new(boxes.clone()));
        let caged =
            |sum| VariantPuzzle::empty(Arc::new(boxes.clone().and_cages(cage(sum)).unwrap()));
        let is_solution = |puzzle: &VariantPuzzle, text: &str| {
            VariantSolution::new(puzzle, values(text)).is_some()
        };
        let board = "1234341221434321";
        assert!(is_solution(&plain, board) && is_solution(&caged(6), board));
        assert!(!is_solution(&caged(7), board));
        // Too short, a value twice in a row, and a value that the board has not.
        for wrong in ["123434122143432", "1134341221434321", "5234341221434321"] {
            assert!(!is_solution(&plain, wrong), "{wrong}");
        }
        // Rows and columns are right, and boxes are not.
        assert!(!is_solution(&plain, "1234234134124123"));
        let mut givens = vec![None; 16];
        givens[15] = Value::new(2);
        let given = VariantPuzzle::new(plain.layout().clone(), givens).unwrap();
        assert!(!is_solution(&given, board));
        // The falling diagonal is 1, 4, 4, 1.
        let diagonals = VariantPuzzle::empty(Arc::new(boxes.and_diagonals()));
        assert!(!is_solution(&diagonals, board));
    }
}
