//! Symmetries of boards of any size: the same puzzle in another guise.

use std::fmt;

use super::layout::{Cage, Layout, LayoutError};
use super::puzzle::{VariantPuzzle, VariantSolution};
use super::value::Value;

/// Reorders rows and columns, perhaps after these are swapped, and relabels values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantSymmetry {
    /// Whether rows become columns.
    pub(super) is_transposed: bool,
    /// Row `i` of the image is row `rows[i]` of the board, or of its transpose.
    pub(super) rows: Vec<usize>,
    /// The same of columns.
    pub(super) columns: Vec<usize>,
    /// What each value becomes, in ascending order of values.
    pub(super) labels: Vec<Value>,
}

impl VariantSymmetry {
    /// Returns the symmetry that swaps rows with columns and makes these of the values of a board, one for each.
    pub fn transpose(labels: Vec<Value>) -> VariantSymmetry {
        VariantSymmetry {
            is_transposed: true,
            rows: (0..labels.len()).collect(),
            columns: (0..labels.len()).collect(),
            labels,
        }
    }

    /// Returns the cell of the board that each cell of the image is.
    pub(super) fn sources(&self) -> Vec<usize> {
        let side = self.rows.len();
        let rows = self.rows.iter();
        let cells = rows.flat_map(|row| self.columns.iter().map(move |column| (row, column)));
        let cells = cells.map(|(row, column)| match self.is_transposed {
            true => column * side + row,
            false => row * side + column,
        });
        cells.collect()
    }

    /// Returns the rules of the image. Diagonals and windows stay in their places: it is for the caller that they do.
    ///
    /// # Errors
    /// [`LayoutError`], if windows have no boxes.
    pub fn layout(&self, layout: &Layout) -> Result<Layout, LayoutError> {
        let sources = self.sources();
        let regions = sources.iter().map(|source| layout.region(*source) as u32);
        let mut image = Layout::jigsaw(&regions.collect::<Vec<u32>>())?;
        if layout.has_diagonals() {
            image = image.and_diagonals();
        }
        if layout.has_windows() {
            image = image.and_windows()?;
        }
        let mut places = vec![0; sources.len()];
        for (place, source) in sources.iter().enumerate() {
            places[*source] = place;
        }
        let cages = layout.cages().iter().map(|cage| Cage {
            sum: cage.sum,
            cells: cage.cells.iter().map(|cell| places[*cell]).collect(),
        });
        image.and_cages(cages.collect())
    }

    /// Returns the givens of the image, in reading order.
    pub fn givens(&self, puzzle: &VariantPuzzle) -> Vec<Option<Value>> {
        let sources = self.sources().into_iter();
        let given = |source: usize| Some(self.labels[puzzle.givens()[source]?.index()]);
        sources.map(given).collect()
    }

    /// Returns the values of the image of a solution, in reading order.
    pub fn values(&self, solution: &VariantSolution) -> Vec<Value> {
        let sources = self.sources().into_iter();
        let value = |source: usize| self.labels[solution.values()[source].index()];
        sources.map(value).collect()
    }
}

/// Written as [`Symmetry`](crate::grid::Symmetry), with commas between numbers if the side is above 9:
/// `t r=102345 c=012345 d=213456`.
impl fmt::Display for VariantSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if self.rows.len() > 9 { "," } else { "" };
        let mut order = |name: &str, numbers: &mut dyn Iterator<Item = usize>| {
            write!(f, "{name}=")?;
            for (place, number) in numbers.enumerate() {
                let between = if place > 0 { between } else { "" };
                write!(f, "{between}{number}")?;
            }
            Ok(())
        };
        let start = if self.is_transposed { "t r" } else { "r" };
        order(start, &mut self.rows.iter().copied())?;
        order(" c", &mut self.columns.iter().copied())?;
        let mut labels = self.labels.iter().map(|value| usize::from(value.get()));
        order(" d", &mut labels)
    }
}
