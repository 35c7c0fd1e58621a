//! A partly arranged board: what is settled of an image while its rows are placed one by one.
//!
//! Columns that have shown the same content so far stay tied: their order is settled only when a row tells them
//! apart. So the boards that are mostly blank, which look the same under most symmetries, need few states.

use super::least::Way;
use super::orders::of_tied;

/// Columns in their order, with ties; rows that are placed; labels that are given.
#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    /// Whether rows and columns are swapped first.
    pub(super) transposed: bool,
    /// The row of the (transposed) board that stands at each place of the image, where one is placed.
    pub(super) rows: [u8; 9],
    /// The column of the (transposed) board at each place of the image.
    pub(super) columns: [u8; 9],
    /// Bit `p`: the columns at places `p - 1` and `p` belong to one stack and can be swapped.
    tied_columns: u16,
    /// Bit `s`: the stacks at places `s - 1` and `s` can be swapped.
    tied_stacks: u8,
    /// The label of each digit; 0 for a digit without one, and for a blank.
    pub(super) labels: [u8; 10],
    /// Labels that are given.
    given: u8,
}

/// Three cells of a row in an order that is least.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Triple {
    /// The labels of the cells, four bits each.
    pub(super) value: u16,
    /// Whether one of the cells gets a new label.
    pub(super) is_new: bool,
    columns: [u8; 3],
    digits: [u8; 3],
}

/// The least triples of a stack: more than one where new labels can be given in several ways.
#[derive(Debug, Clone, Copy)]
pub(super) struct Triples {
    triples: [Triple; 6],
    count: usize,
}

impl Triples {
    pub(super) fn as_slice(&self) -> &[Triple] {
        &self.triples[..self.count]
    }
}

impl State {
    /// Returns the state in which nothing is settled but whether rows and columns are swapped.
    pub(super) fn new(transposed: bool) -> State {
        State {
            transposed,
            rows: [0; 9],
            columns: [0, 1, 2, 3, 4, 5, 6, 7, 8],
            tied_columns: 0b110_110_110,
            tied_stacks: 0b110,
            labels: [0; 10],
            given: 0,
        }
    }

    /// Whether a row can stand at a place, all places before it being taken.
    pub(super) fn can_be_next(&self, row: u8, place: usize) -> bool {
        let band = place - place % 3;
        if place == band {
            self.rows[..band].iter().all(|placed| placed / 3 != row / 3)
        } else {
            self.rows[band] / 3 == row / 3 && !self.rows[band..place].contains(&row)
        }
    }

    /// Returns the place behind the last stack that is tied to this one.
    pub(super) fn end_of_tie(&self, stack: usize) -> usize {
        let mut end = stack + 1;
        while end < 3 && self.tied_stacks >> end & 1 == 1 {
            end += 1;
        }
        end
    }

    /// Returns the least triples that a row can show in the stack at a place.
    pub(super) fn triples(&self, row: &[u8; 9], stack: usize) -> Triples {
        let columns: [u8; 3] = std::array::from_fn(|i| self.columns[3 * stack + i]);
        let is_tied = |place: usize| self.tied_columns >> (3 * stack + place) & 1 == 1;
        let mut least = Triples {
            triples: [Triple::default(); 6],
            count: 0,
        };
        for order in of_tied(is_tied(1), is_tied(2)) {
            let columns = order.map(|i| columns[usize::from(i)]);
            let triple = self.triple(columns, columns.map(|column| row[usize::from(column)]));
            let best = least.triples[0].value;
            if least.count == 0 || triple.value < best {
                least.triples[0] = triple;
                least.count = 1;
            } else if triple.value == best {
                let is_known = |known: &Triple| known.digits == triple.digits;
                if !least.as_slice().iter().any(is_known) {
                    least.triples[least.count] = triple;
                    least.count += 1;
                }
            }
        }
        least
    }

    /// The triple of these columns in this order.
    fn triple(&self, columns: [u8; 3], digits: [u8; 3]) -> Triple {
        let mut given = u16::from(self.given);
        let mut value = 0;
        for (i, &digit) in digits.iter().enumerate() {
            let mut label = u16::from(self.labels[usize::from(digit)]);
            if digit != 0 && label == 0 {
                // New, unless one of the cells before has the same digit.
                let before = digits[..i].iter().position(|&before| before == digit);
                label = match before {
                    Some(before) => value >> (4 * (i - 1 - before)) & 15,
                    None => {
                        given += 1;
                        given
                    }
                };
            }
            value = value << 4 | label;
        }
        Triple {
            value,
            is_new: given > u16::from(self.given),
            columns,
            digits,
        }
    }

    /// Brings the stack at place `from` to place `to` before it, those between one place back. They are tied.
    pub(super) fn bring_forward(&mut self, from: usize, to: usize) {
        self.columns[3 * to..3 * from + 3].rotate_right(3);
    }

    /// Settles what a triple says about the stack at a place: the order of its columns, and labels.
    pub(super) fn settle(&mut self, stack: usize, triple: &Triple) {
        self.columns[3 * stack..3 * stack + 3].copy_from_slice(&triple.columns);
        for i in 1..3 {
            if triple.digits[i] != triple.digits[i - 1] {
                self.tied_columns &= !(1 << (3 * stack + i));
            }
        }
        for (i, &digit) in triple.digits.iter().enumerate() {
            if digit != 0 && self.labels[usize::from(digit)] == 0 {
                let label = (triple.value >> (8 - 4 * i)) as u8 & 15;
                self.labels[usize::from(digit)] = label;
                self.given = self.given.max(label);
            }
        }
    }

    /// Unties the stack at a place from the one before it.
    pub(super) fn cut_before(&mut self, stack: usize) {
        self.tied_stacks &= !(1 << stack);
    }

    /// Returns the way to the image, once all rows are placed.
    pub(super) fn way(&self) -> Way {
        Way {
            transposed: self.transposed,
            rows: self.rows,
            columns: self.columns,
            labels: self.labels,
        }
    }

    /// Returns in how many ways columns and stacks that are still tied can be arranged.
    pub(super) fn arrangements(&self) -> u64 {
        runs(self.tied_columns, 9) * runs(self.tied_stacks.into(), 3)
    }
}

/// The product of the factorials of the lengths of runs of tied places.
fn runs(tied: u16, places: usize) -> u64 {
    let mut length = 1;
    let mut product = 1;
    for place in 1..places {
        length = if tied >> place & 1 == 1 {
            length + 1
        } else {
            1
        };
        product *= length;
    }
    product
}
