//! The same puzzle in another guise.

use std::sync::Arc;

use super::layout::{Boxes, Cage, Layout, LayoutError};
use super::puzzle::{PuzzleError, VariantPuzzle};
use super::value::Value;

impl Layout {
    /// The same rules with rows and columns exchanged.
    ///
    /// # Errors
    /// None that a layout which exists could have.
    pub fn transposed(&self) -> Result<Layout, LayoutError> {
        let side = self.side();
        let at = |cell: usize| cell % side * side + cell / side;
        let mut layout = match self.boxes() {
            Some(Boxes { rows, columns }) => Layout::with_boxes(Boxes {
                rows: columns,
                columns: rows,
            })?,
            None => {
                let regions = (0..self.cells()).map(|cell| self.region(at(cell)) as u32);
                Layout::jigsaw(&regions.collect::<Vec<u32>>())?
            }
        };
        if self.has_diagonals() {
            layout = layout.and_diagonals();
        }
        if self.has_windows() {
            layout = layout.and_windows()?;
        }
        let cages = self.cages().iter().map(|cage| Cage {
            sum: cage.sum,
            cells: cage.cells.iter().map(|cell| at(*cell)).collect(),
        });
        layout.and_cages(cages.collect())
    }
}

impl VariantPuzzle {
    /// The same puzzle on a layout that is [`Layout::transposed`] of its own.
    ///
    /// # Errors
    /// [`PuzzleError`], if the layout has another size.
    pub fn transposed(&self, layout: Arc<Layout>) -> Result<VariantPuzzle, PuzzleError> {
        let side = self.layout().side();
        let givens =
            (0..self.givens().len()).map(|cell| self.givens()[cell % side * side + cell / side]);
        VariantPuzzle::new(layout, givens.collect())
    }

    /// The same puzzle with each value exchanged for that at its place in `order`; a puzzle with cages as it
    /// is, since sums tell their values apart.
    ///
    /// # Errors
    /// [`PuzzleError`], if `order` has values that the board has not.
    pub fn relabelled(&self, order: &[Value]) -> Result<VariantPuzzle, PuzzleError> {
        if !self.layout().cages().is_empty() {
            return Ok(self.clone());
        }
        let givens = self.givens().iter();
        let givens = givens.map(|given| given.map(|value| order[value.index()]));
        VariantPuzzle::new(self.layout().clone(), givens.collect())
    }
}
