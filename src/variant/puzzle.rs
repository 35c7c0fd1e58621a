//! A puzzle of any layout, and its solutions.

use std::sync::Arc;

use thiserror::Error;

use super::layout::{HouseKind, Layout};
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

    /// Its rules.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The given of each cell, in reading order.
    pub fn givens(&self) -> &[Option<Value>] {
        &self.givens
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
        let mut seen = [None; super::layout::MOST_SIDE];
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
        let full = values.iter().copied().map(Some).collect();
        let full = VariantPuzzle::new(puzzle.layout.clone(), full).ok()?;
        let mut pairs = puzzle.givens.iter().zip(&full.givens);
        let kept = pairs.all(|(given, value)| given.is_none() || given == value);
        (kept && full.clash().is_none()).then_some(VariantSolution { values })
    }

    /// The value of each cell, in reading order.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}
