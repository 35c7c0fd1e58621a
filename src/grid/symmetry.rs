//! Symmetries of the board: ways to rewrite a puzzle that change nothing about how it is solved.
//!
//! Relabeling the digits, permuting the bands, the rows within a band, the stacks, the columns
//! within a stack, and transposing generate all of them, 9! · 6^8 · 2 in number (Russell and Jarvis,
//! 2006).

use super::cell::{Cell, CellMap};
use super::digit::{Digit, DigitSet};
use super::puzzle::Puzzle;
use super::solution::Solution;

/// Turns a puzzle into an equivalent one: same number of solutions, each the image of one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// For each cell of the image, the cell its content comes from.
    sources: CellMap<Cell>,
    /// For each digit, by [`Digit::index`], what it becomes.
    labels: [Digit; 9],
}

impl Symmetry {
    /// Changes nothing.
    pub fn identity() -> Symmetry {
        Symmetry {
            sources: CellMap::from_fn(|cell| cell),
            labels: Digit::ALL,
        }
    }

    /// Each digit becomes the one at its place in `labels`, if those are nine different digits.
    pub fn relabel(labels: [Digit; 9]) -> Option<Symmetry> {
        let different: DigitSet = labels.into_iter().collect();
        (different == DigitSet::ALL).then_some(Symmetry {
            labels,
            ..Symmetry::identity()
        })
    }

    /// Row `i` of the image, from 0, is row `order[i]` of the original; `None` unless the order
    /// names each row once and keeps the rows of a band together.
    pub fn permute_rows(order: [usize; 9]) -> Option<Symmetry> {
        keeps_thirds(&order).then(|| Symmetry {
            sources: CellMap::from_fn(|cell| {
                Cell::at(order[cell.row()], cell.column()).expect("the order holds 0 to 8")
            }),
            ..Symmetry::identity()
        })
    }

    /// Column `i` of the image, from 0, is column `order[i]` of the original; `None` unless the
    /// order names each column once and keeps the columns of a stack together.
    pub fn permute_columns(order: [usize; 9]) -> Option<Symmetry> {
        let transpose = Symmetry::transpose();
        let rows = Symmetry::permute_rows(order)?;
        Some(transpose.then(&rows).then(&transpose))
    }

    /// Swaps rows with columns.
    pub fn transpose() -> Symmetry {
        Symmetry {
            sources: CellMap::from_fn(|cell| {
                Cell::at(cell.column(), cell.row()).expect("rows and columns are 0 to 8")
            }),
            labels: Digit::ALL,
        }
    }

    /// This symmetry, and the next one on its image.
    #[must_use]
    pub fn then(&self, next: &Symmetry) -> Symmetry {
        Symmetry {
            sources: next.sources.map(|&cell| self.sources[cell]),
            labels: self.labels.map(|digit| next.labels[digit.index()]),
        }
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Symmetry {
        let mut inverse = Symmetry::identity();
        for (image, &source) in self.sources.iter() {
            inverse.sources[source] = image;
        }
        for digit in Digit::ALL {
            inverse.labels[self.labels[digit.index()].index()] = digit;
        }
        inverse
    }

    /// The equivalent puzzle.
    pub fn puzzle(&self, puzzle: &Puzzle) -> Puzzle {
        Puzzle::from_givens(self.sources.map(|&source| {
            let given = puzzle.given(source)?;
            Some(self.labels[given.index()])
        }))
    }

    /// The image of a solution: it solves the image of every puzzle that the original solves.
    pub fn solution(&self, solution: &Solution) -> Solution {
        let image = self
            .sources
            .map(|&source| self.labels[solution.digit(source).index()]);
        Solution::new(image).expect("houses go to houses, and different digits stay different")
    }
}

/// Whether the order names 0 to 8 once each, and its thirds are those of 0 to 8.
fn keeps_thirds(order: &[usize; 9]) -> bool {
    let mut named = [false; 9];
    for &line in order {
        match named.get_mut(line) {
            Some(named) if !*named => *named = true,
            _ => return false,
        }
    }
    order
        .chunks(3)
        .all(|third| third.iter().all(|line| line / 3 == third[0] / 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_that_split_a_band_repeat_or_leave_the_board_are_refused() {
        assert!(Symmetry::permute_rows([2, 0, 1, 8, 6, 7, 3, 4, 5]).is_some());
        for order in [
            [0, 1, 3, 2, 4, 5, 6, 7, 8],
            [0, 0, 1, 3, 4, 5, 6, 7, 8],
            [0, 1, 9, 3, 4, 5, 6, 7, 8],
        ] {
            assert_eq!(Symmetry::permute_rows(order), None);
            assert_eq!(Symmetry::permute_columns(order), None);
        }
        assert_eq!(Symmetry::relabel([Digit::ALL[0]; 9]), None);
    }

    #[test]
    fn rows_and_columns_come_from_where_the_order_says() {
        let mut puzzle = Puzzle::empty();
        puzzle.set(Cell::at(2, 4).unwrap(), Some(Digit::ALL[6]));
        let order = [2, 0, 1, 3, 4, 5, 6, 7, 8];
        let rows = Symmetry::permute_rows(order).unwrap().puzzle(&puzzle);
        assert_eq!(rows.given(Cell::at(0, 4).unwrap()), Some(Digit::ALL[6]));
        let turned = Symmetry::transpose().puzzle(&puzzle);
        assert_eq!(turned.given(Cell::at(4, 2).unwrap()), Some(Digit::ALL[6]));
        let columns = Symmetry::permute_columns(order).unwrap().puzzle(&turned);
        assert_eq!(columns, Symmetry::transpose().puzzle(&rows));
    }
}
