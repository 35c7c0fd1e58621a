//! Search for the least image of a full grid.
//!
//! The least image has the least second row that any two rows of a band, or columns of a stack, can have below
//! `123456789`. A table knows it for each of the 36 ordered pairs, and the few orders of columns that lead there; see
//! [`super::row_pairs`]. Pair and order settle everything else: which row is the third, and the order of the others,
//! which begin with the labels that are left, ascending within bands. So the candidates are compared row by row, and
//! most of them end with the third row.

use std::cmp::Ordering;

use super::least::{Least, Way};
use super::row_pairs::{Entry, Permutation, ROW_PAIRS, RowPairs};
use super::rows::COLUMN;
use crate::grid::{Cell, Solution};

/// The rows of a grid and of its transpose.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    /// Six bits for each column: four times its digit.
    rows: [[u64; 9]; 2],
    /// The column of each digit, four bits each at four times the digit.
    columns: [[u64; 9]; 2],
}

impl Grid {
    /// Returns the rows of a full grid.
    pub(super) fn new(solution: &Solution) -> Grid {
        let mut rows = [[0; 9]; 2];
        let mut columns = [[0; 9]; 2];
        for cell in Cell::all() {
            let (row, column) = (cell.row(), cell.column());
            let digit = 4 * u64::from(solution.digit(cell).value());
            rows[0][row] |= digit << (COLUMN * column as u32);
            rows[1][column] |= digit << (COLUMN * row as u32);
            columns[0][row] |= (column as u64) << digit;
            columns[1][column] |= (row as u64) << digit;
        }
        Grid { rows, columns }
    }

    /// The columns in which the first row has the digits of the second.
    fn permutation(&self, pair: Pair) -> Permutation {
        let columns = self.columns[usize::from(pair.transposed)][usize::from(pair.first)];
        let row = self.rows[usize::from(pair.transposed)][usize::from(pair.second)];
        (0..9).fold(0, |permutation, column| {
            // A shift minds the lowest six bits of its distance only.
            let digit = row >> (COLUMN * column);
            permutation | (columns.wrapping_shr(digit as u32) & 15) << (4 * column)
        })
    }
}

/// Two rows of a band, the first two of an image.
#[derive(Debug, Clone, Copy, Default)]
struct Pair {
    transposed: bool,
    first: u8,
    second: u8,
}

impl Pair {
    fn reversed(self) -> Pair {
        Pair {
            first: self.second,
            second: self.first,
            ..self
        }
    }
}

/// A way to make the second row least.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    pair: Pair,
    /// The columns in their order, times [`COLUMN`].
    columns: [u8; 9],
    /// The label of each digit, four bits each at four times the digit.
    labels: u64,
}

impl Candidate {
    fn new(grid: &Grid, pair: Pair, columns: [u8; 9]) -> Candidate {
        let row = grid.rows[usize::from(pair.transposed)][usize::from(pair.first)];
        let mut labels = 0;
        for (label, &column) in (1u64..).zip(&columns) {
            labels |= label << (row >> (column & 63) & 63);
        }
        Candidate {
            pair,
            columns,
            labels,
        }
    }

    /// The labels of a row, four bits each.
    fn line(&self, grid: &Grid, row: u8) -> u64 {
        let row = grid.rows[usize::from(self.pair.transposed)][usize::from(row)];
        self.columns.iter().fold(0, |line, &column| {
            let digit = row >> (column & 63);
            line << 4 | self.labels.wrapping_shr(digit as u32) & 15
        })
    }

    /// The row that stands third.
    fn third(&self) -> u8 {
        let first = self.pair.first / 3 * 3;
        3 * first + 3 - self.pair.first - self.pair.second
    }

    /// The rows in their order.
    fn rows(&self, grid: &Grid) -> [u8; 9] {
        // The columns of the transposed grid are rows of this one.
        let column = usize::from(self.columns[0]) / COLUMN as usize;
        let digits = grid.rows[usize::from(!self.pair.transposed)][column];
        let label = |row: u8| {
            let digit = digits >> (COLUMN * u32::from(row));
            self.labels.wrapping_shr(digit as u32) & 15
        };
        let band = self.pair.first / 3;
        let mut bands = [(band + 1) % 3, (band + 2) % 3].map(|band| {
            let mut rows = [0, 1, 2].map(|i| (label(3 * band + i), 3 * band + i));
            rows.sort_unstable();
            rows
        });
        bands.sort_unstable();
        let [[a, b, c], [d, e, f]] = bands.map(|rows| rows.map(|(_, row)| row));
        [
            self.pair.first,
            self.pair.second,
            self.third(),
            a,
            b,
            c,
            d,
            e,
            f,
        ]
    }

    fn way(&self, grid: &Grid) -> Way {
        Way {
            transposed: self.pair.transposed,
            rows: self.rows(grid),
            columns: self.columns.map(|column| column / COLUMN as u8),
            labels: std::array::from_fn(|digit| (self.labels >> (4 * digit) & 15) as u8),
        }
    }
}

/// Returns the least image of a full grid.
pub(super) fn least_grid(grid: &Grid) -> Least {
    let mut ways = 0;
    let best = search(grid, |order, _| match order {
        Ordering::Less => ways = 1,
        Ordering::Equal => ways += 1,
        Ordering::Greater => {}
    });
    Least {
        lines: best.lines,
        way: best.candidate.way(grid),
        ways,
    }
}

/// Puts every way from a full grid to its least image into `ways`.
pub(super) fn all_ways(grid: &Grid, ways: &mut Vec<Way>) {
    search(grid, |order, candidate| {
        if order.is_lt() {
            ways.clear();
        }
        if order.is_le() {
            ways.push(candidate.way(grid));
        }
    });
}

/// Finds the least image. What comes of each candidate, `seen` gets to know: whether it is less than all before.
fn search(grid: &Grid, mut seen: impl FnMut(Ordering, &Candidate)) -> Best {
    let tables = &*ROW_PAIRS;
    let (pairs, count) = best_pairs(grid, tables);
    let mut best = Best::NONE;
    for &(pair, entry) in &pairs[..count] {
        let reversed = pair.reversed();
        let reversed = (reversed, tables.entry(grid.permutation(reversed)));
        for (pair, entry) in [(pair, entry), reversed] {
            for columns in tables.orders(entry) {
                let candidate = Candidate::new(grid, pair, *columns);
                seen(best.compare(grid, &candidate), &candidate);
            }
        }
    }
    best.complete(grid);
    best
}

/// The pairs of rows of the least class, each in one order: in the other one they are of the same class.
fn best_pairs(grid: &Grid, tables: &RowPairs) -> ([(Pair, Entry); 18], usize) {
    let mut best = [(Pair::default(), Entry::default()); 18];
    let mut count = 0;
    for transposed in [false, true] {
        for (first, second) in PAIRS {
            let pair = Pair {
                transposed,
                first,
                second,
            };
            let entry = tables.entry(grid.permutation(pair));
            if entry.class < best[0].1.class {
                count = 0;
            }
            if count == 0 || entry.class == best[0].1.class {
                best[count] = (pair, entry);
                count += 1;
            }
        }
    }
    (best, count)
}

/// Two rows of a band.
const PAIRS: [(u8, u8); 9] = [
    (0, 1),
    (0, 2),
    (1, 2),
    (3, 4),
    (3, 5),
    (4, 5),
    (6, 7),
    (6, 8),
    (7, 8),
];

/// The best candidate so far, whose lines are written only as far as they were compared.
struct Best {
    candidate: Candidate,
    lines: [u64; 9],
    /// How many lines are written: none, or three and more.
    written: usize,
    /// The rows, once more than three lines are written.
    rows: [u8; 9],
}

impl Best {
    const NONE: Best = Best {
        candidate: Candidate {
            pair: Pair {
                transposed: false,
                first: 0,
                second: 0,
            },
            columns: [0; 9],
            labels: 0,
        },
        lines: [u64::MAX; 9],
        written: 0,
        rows: [0; 9],
    };

    /// Compares a candidate with the best one, and takes it if it is less.
    #[inline(always)]
    fn compare(&mut self, grid: &Grid, candidate: &Candidate) -> Ordering {
        let third = candidate.line(grid, candidate.third());
        match third.cmp(&self.lines[2]) {
            Ordering::Less => {
                self.candidate = *candidate;
                self.lines[2] = third;
                self.written = 3;
                Ordering::Less
            }
            Ordering::Equal => self.compare_rest(grid, candidate),
            Ordering::Greater => Ordering::Greater,
        }
    }

    /// Compares from the fourth line on.
    fn compare_rest(&mut self, grid: &Grid, candidate: &Candidate) -> Ordering {
        let rows = candidate.rows(grid);
        for place in 3..9 {
            if self.written == place {
                self.write(grid);
            }
            let line = candidate.line(grid, rows[place]);
            match line.cmp(&self.lines[place]) {
                Ordering::Less => {
                    self.candidate = *candidate;
                    self.rows = rows;
                    self.lines[place] = line;
                    self.written = place + 1;
                    return Ordering::Less;
                }
                Ordering::Equal => {}
                Ordering::Greater => return Ordering::Greater,
            }
        }
        Ordering::Equal
    }

    /// Writes the next line.
    fn write(&mut self, grid: &Grid) {
        if self.written == 3 {
            self.rows = self.candidate.rows(grid);
        }
        self.lines[self.written] = self.candidate.line(grid, self.rows[self.written]);
        self.written += 1;
    }

    /// Writes all lines that are not written yet.
    fn complete(&mut self, grid: &Grid) {
        self.lines[0] = 0x1_2345_6789;
        self.lines[1] = self.candidate.line(grid, self.candidate.pair.second);
        while self.written < 9 {
            self.write(grid);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::Board;
    use super::super::search::least_image;
    use super::*;
    use crate::grid::PuzzleLine;

    /// Grids with and without automorphisms; the fourth has 648.
    const GRIDS: [&str; 5] = [
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
        "483921657967345821251876493548132976729564138136798245372689514814253769695417382",
        "123456789456789231789231456231564897564897312897312564312645978645978123978123645",
        "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
        "245981376169273584837564219976125438513498627482736951391657842728349165654812793",
    ];

    #[test]
    fn the_search_for_full_grids_agrees_with_the_general_search() {
        for text in GRIDS {
            let solution: Solution = text.parse().unwrap();
            let line = PuzzleLine::new(solution.to_ascii()).unwrap();
            let grid = Grid::new(&solution);
            let (fast, slow) = (least_grid(&grid), least_image(&Board::of_line(&line)));
            assert_eq!((fast.line(), fast.ways), (slow.line(), slow.ways));
            let mut ways = vec![fast.way];
            all_ways(&grid, &mut ways);
            assert_eq!(ways.len() as u64, fast.ways);
            for way in ways {
                assert_eq!(way.symmetry().line(&line), fast.line());
            }
        }
    }
}
