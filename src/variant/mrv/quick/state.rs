//! What the search asks of a representation of small boards.

use std::ops::ControlFlow;

use super::super::super::value::Value;

/// The board has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction;

/// Whether the board may still have a solution.
pub(super) type Possible = ControlFlow<Contradiction>;

/// What is still possible on a board. Copied for each guess.
pub(super) trait QuickState: Clone {
    /// What depends on the layout only.
    type Tables;

    /// The state after these givens.
    fn new(tables: &Self::Tables, givens: &[Option<Value>]) -> ControlFlow<Contradiction, Self>;

    /// Applies all rules until nothing changes.
    fn propagate(&mut self, tables: &Self::Tables) -> Possible;

    /// A cell with the fewest values and the least of them, or none where all cells are placed.
    fn choose(&self) -> Option<(usize, usize)>;

    /// Puts a value that is still possible into a cell.
    fn assign(&mut self, tables: &Self::Tables, cell: usize, value: usize) -> Possible;

    /// Strikes a value from a cell.
    fn strike(&mut self, tables: &Self::Tables, cell: usize, value: usize);

    /// The value of each cell, where all are placed.
    fn solution(&self) -> Vec<Value>;
}
