//! What the searches find.

use crate::grid::{Digit, PuzzleLine, Symmetry};

/// The least image of a board.
#[derive(Debug, Clone)]
pub(super) struct Least {
    /// The rows of the image, four bits a cell, the first cell highest; 0 is a blank.
    pub(super) lines: [u64; 9],
    /// How the board becomes this image.
    pub(super) way: Way,
    /// In how many ways it does.
    pub(super) ways: u64,
}

/// How a board becomes its image.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    /// Whether rows and columns are swapped first.
    pub(super) transposed: bool,
    /// The row of the (transposed) board that stands at each place of the image.
    pub(super) rows: [u8; 9],
    /// The column of the (transposed) board that stands at each place of the image.
    pub(super) columns: [u8; 9],
    /// The label of each digit; 0 for a digit that stands nowhere, and for a blank.
    pub(super) labels: [u8; 10],
}

impl Least {
    /// Returns the image as text.
    pub(super) fn line(&self) -> PuzzleLine {
        const TEXT: [u8; 16] = *b".123456789......";
        let mut bytes = [b'.'; 81];
        for (row, line) in bytes.as_chunks_mut::<9>().0.iter_mut().zip(self.lines) {
            for (i, byte) in row.iter_mut().enumerate() {
                *byte = TEXT[(line >> (32 - 4 * i)) as usize & 15];
            }
        }
        PuzzleLine::new(bytes).expect("labels are 1 to 9")
    }
}

impl Way {
    /// Returns the way that a symmetry is.
    pub(super) fn of_symmetry(symmetry: &Symmetry) -> Way {
        let mut labels = [0; 10];
        for (label, digit) in labels[1..].iter_mut().zip(symmetry.labels()) {
            *label = digit.value();
        }
        Way {
            transposed: symmetry.is_transposed(),
            rows: symmetry.row_order().map(|row| row as u8),
            columns: symmetry.column_order().map(|column| column as u8),
            labels,
        }
    }

    /// Returns the way as a symmetry; digits without a label get those that are left, ascending.
    pub(super) fn symmetry(&self) -> Symmetry {
        let is_left = |digit: &Digit| !self.labels[1..].contains(&digit.value());
        let mut left = Digit::ALL.into_iter().filter(is_left);
        let labels = std::array::from_fn(|index| {
            let label = Digit::new(self.labels[index + 1]).or_else(|| left.next());
            label.expect("as many labels are left as digits without one")
        });
        let rows = self.rows.map(usize::from);
        let columns = self.columns.map(usize::from);
        let symmetry = Symmetry::new(self.transposed, rows, columns, labels);
        symmetry.expect("a way permutes bands, stacks, and lines within them")
    }
}
