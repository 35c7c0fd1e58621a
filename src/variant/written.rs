//! A board as it is written, before it is known what its symbols mean.

use serde::{Deserialize, Serialize};

use super::alphabet::Alphabet;
use super::error::FormatError;
use super::layout::LEAST_SIDE;
use super::value::MOST_SIDE;
use super::value::Value;

/// What stands in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// One of `.`, `_`, `*` and `-`.
    Blank,
    /// A rank among `0-9A-Z`, or a decimal number.
    Rank(u32),
}

/// The symbols of a square board, cell by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    side: usize,
    marks: Vec<Mark>,
    is_numbers: bool,
}

/// Whether this character is a cell of a line that has one character a cell.
pub(super) fn is_cell(character: char) -> bool {
    character.is_ascii_alphanumeric() || is_blank(character)
}

fn is_blank(character: char) -> bool {
    matches!(character, '.' | '_' | '*' | '-')
}

/// The side of a board of so many cells, if it is one that is supported.
pub(super) fn side_of(cells: usize) -> Option<usize> {
    let side = cells.isqrt();
    (side * side == cells && (LEAST_SIDE..=MOST_SIDE).contains(&side)).then_some(side)
}

/// What a token of a list of numbers is.
fn number(token: &str) -> Option<Mark> {
    if token.len() <= 2 && token.bytes().all(|byte| byte.is_ascii_digit()) {
        return token.parse().ok().map(Mark::Rank);
    }
    let mut characters = token.chars();
    let is_single = characters.next().is_some_and(is_blank) && characters.next().is_none();
    is_single.then_some(Mark::Blank)
}

/// Whether this could stand in a list of numbers.
pub(super) fn is_number(token: &str) -> bool {
    number(token).is_some()
}

/// What parts the numbers of a list.
pub(super) const BETWEEN_NUMBERS: [char; 2] = [',', ' '];

impl Written {
    /// The board of a text with one character a cell, or with numbers between commas or spaces.
    pub(super) fn new(text: &str) -> Option<Written> {
        Written::characters(text).or_else(|| Written::numbers(text))
    }

    fn characters(text: &str) -> Option<Written> {
        let side = side_of(text.len())?;
        let mark = |character: char| {
            if is_blank(character) {
                return Some(Mark::Blank);
            }
            character.to_digit(36).map(Mark::Rank)
        };
        let marks = text.chars().map(mark).collect::<Option<Vec<Mark>>>()?;
        Some(Written {
            side,
            marks,
            is_numbers: false,
        })
    }

    fn numbers(text: &str) -> Option<Written> {
        let tokens = text
            .split(BETWEEN_NUMBERS)
            .filter(|token| !token.is_empty());
        let marks = tokens.map(number).collect::<Option<Vec<Mark>>>()?;
        Some(Written {
            side: side_of(marks.len())?,
            marks,
            is_numbers: true,
        })
    }

    /// Cells of a row.
    pub(super) fn side(&self) -> usize {
        self.side
    }

    /// The regions that this names: as many names as rows, each for as many cells as a row has, and each in one
    /// piece. No full board is that: equal neighbors stand in each region, and never in a row.
    pub(super) fn regions(&self) -> Option<Vec<u32>> {
        let regions = self.names()?;
        let mut names = regions.clone();
        names.sort_unstable();
        names.dedup();
        let is_region = |name: &u32| {
            let cells: Vec<usize> = (0..regions.len())
                .filter(|cell| regions[*cell] == *name)
                .collect();
            cells.len() == self.side && is_connected(self.side, &cells)
        };
        (names.len() == self.side && names.iter().all(is_region)).then_some(regions)
    }

    /// What stands in each cell, if no cell has one of the characters for blanks.
    pub(super) fn names(&self) -> Option<Vec<u32>> {
        let rank = |mark: &Mark| match mark {
            Mark::Rank(rank) => Some(*rank),
            Mark::Blank => None,
        };
        self.marks.iter().map(rank).collect()
    }

    /// What the values say in this alphabet; `None` for blanks.
    pub(super) fn values(&self, alphabet: Alphabet) -> Result<Vec<Option<Value>>, FormatError> {
        if self.is_numbers == alphabet.is_single() {
            return Err(FormatError::OtherSymbols { alphabet });
        }
        let value = |(cell, mark): (usize, &Mark)| {
            let rank = match *mark {
                Mark::Blank => return Ok(None),
                Mark::Rank(0) if !alphabet.counts_from_zero() => return Ok(None),
                Mark::Rank(rank) => rank,
            };
            let number = alphabet.number(rank);
            let value = u8::try_from(number).ok().and_then(Value::new);
            match value.filter(|_| number <= self.side as i64) {
                Some(value) => Ok(Some(value)),
                None => Err(FormatError::Value {
                    row: cell / self.side + 1,
                    column: cell % self.side + 1,
                    symbol: self.symbol(rank),
                    alphabet,
                    side: self.side,
                }),
            }
        };
        self.marks.iter().enumerate().map(value).collect()
    }

    fn symbol(&self, rank: u32) -> String {
        match char::from_digit(rank, 36) {
            Some(character) if !self.is_numbers => character.to_ascii_uppercase().to_string(),
            _ => rank.to_string(),
        }
    }

    /// Whether 0 stands for a blank under this alphabet.
    pub(super) fn has_blank_zeros(&self, alphabet: Alphabet) -> bool {
        !alphabet.counts_from_zero() && self.marks.contains(&Mark::Rank(0))
    }

    /// Whether this could be five 9x9 boards that overlap: digits at most, and all blank outside of them.
    pub(super) fn is_samurai(&self) -> bool {
        let is_inside = |row: usize, column: usize| {
            let corners = [(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)];
            let mut corners = corners.into_iter();
            corners.any(|(top, left)| {
                (top..top + 9).contains(&row) && (left..left + 9).contains(&column)
            })
        };
        let fits = |(cell, mark): (usize, &Mark)| match *mark {
            Mark::Blank | Mark::Rank(0) => true,
            Mark::Rank(rank) => rank <= 9 && is_inside(cell / 21, cell % 21),
        };
        self.side == 21 && self.marks.iter().enumerate().all(fits)
    }

    /// What it tells of its alphabet.
    pub(super) fn evidence(&self) -> Evidence {
        let mut counts = [0_usize; 36];
        let mut evidence = Evidence::new(self.side, self.is_numbers);
        for mark in &self.marks {
            match *mark {
                Mark::Blank => evidence.has_blank = true,
                Mark::Rank(rank) => match counts.get_mut(rank as usize) {
                    Some(count) => *count += 1,
                    None => evidence.top = evidence.top.max(rank),
                },
            }
        }
        let seen = (0..36).filter(|rank| counts[*rank as usize] > 0);
        evidence.top = seen.clone().max().unwrap_or(0).max(evidence.top);
        evidence.has_digit = counts[1..10].iter().any(|count| *count > 0);
        evidence.has_letter = evidence.top > 9;
        evidence.has_zero = counts[0] > 0;
        let is_full_with_zero = counts[..self.side.min(36)]
            .iter()
            .all(|count| *count == self.side);
        evidence.zero_is_value = is_full_with_zero;
        evidence.zero_is_blank =
            counts[0] > self.side || evidence.has_zero && !evidence.has_blank && !is_full_with_zero;
        evidence
    }
}

/// What boards of one side tell of the alphabet they are written in, line after line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Evidence {
    side: usize,
    is_numbers: bool,
    /// The largest rank among `0-9A-Z`, or number.
    top: u32,
    has_digit: bool,
    has_letter: bool,
    has_zero: bool,
    has_blank: bool,
    zero_is_blank: bool,
    zero_is_value: bool,
}

/// An alphabet, and whether it can be no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) alphabet: Alphabet,
    pub(super) is_certain: bool,
}

impl Evidence {
    fn new(side: usize, is_numbers: bool) -> Evidence {
        Evidence {
            side,
            is_numbers,
            top: 0,
            has_digit: false,
            has_letter: false,
            has_zero: false,
            has_blank: false,
            zero_is_blank: false,
            zero_is_value: false,
        }
    }

    /// Adds what another board tells; nothing, where that is of another side or kind.
    pub(super) fn merge(&mut self, other: &Evidence) {
        if !self.is_like(other) {
            return;
        }
        self.top = self.top.max(other.top);
        self.has_digit |= other.has_digit;
        self.has_letter |= other.has_letter;
        self.has_zero |= other.has_zero;
        self.has_blank |= other.has_blank;
        self.zero_is_blank |= other.zero_is_blank;
        self.zero_is_value |= other.zero_is_value;
    }

    /// Whether it tells of boards of the same side and kind.
    pub(super) fn is_like(&self, other: &Evidence) -> bool {
        (self.side, self.is_numbers) == (other.side, other.is_numbers)
    }

    /// The alphabet that these boards are written in.
    ///
    /// 0 is a value where another character is the blank, and where a board without blanks has each symbol as
    /// often as the others; it is the blank where it is the only one that could be, and where it stands in more
    /// cells than a value can. On boards up to 9 x 9 it is the blank in all other cases.
    ///
    /// # Errors
    /// [`FormatError::Zero`] where 0 would have to be both.
    pub(super) fn verdict(&self) -> Result<Verdict, FormatError> {
        let certain = |alphabet| {
            Ok(Verdict {
                alphabet,
                is_certain: true,
            })
        };
        let (one, zero) = if self.is_numbers {
            (Alphabet::Numbers, Alphabet::NumbersFromZero)
        } else {
            (Alphabet::OneBased, Alphabet::ZeroBased)
        };
        let side = self.side as u32;
        let has_room_for_zero = self.top < side;
        let clash = Err(FormatError::Zero { side: self.side });
        if self.has_zero {
            let is_value = self.zero_is_value || self.has_blank && self.side > 9;
            return match (is_value && !self.zero_is_blank, self.zero_is_blank) {
                (true, _) if has_room_for_zero => certain(zero),
                (true, _) => clash,
                (false, true) if self.zero_is_value => clash,
                // Up to 9 x 9, dots and zeros are both blanks if 0 cannot be a value.
                (false, false) if self.has_blank && has_room_for_zero => clash,
                _ if self.letters_alone() => certain(Alphabet::Letters),
                _ => certain(one),
            };
        }
        if self.letters_alone() {
            let most_letter = self.top - 9;
            return Ok(Verdict {
                alphabet: Alphabet::Letters,
                is_certain: self.top > side || self.side <= 9 || most_letter > side,
            });
        }
        if self.side > Alphabet::OneBased.most() && !self.is_numbers {
            return certain(zero);
        }
        Ok(Verdict {
            alphabet: one,
            is_certain: self.side <= 9 || !has_room_for_zero,
        })
    }

    /// Whether some cell is certainly blank.
    pub(super) fn leaves_blanks(&self) -> bool {
        self.has_blank || self.zero_is_blank
    }

    fn letters_alone(&self) -> bool {
        self.has_letter && !self.has_digit && !self.is_numbers
    }
}

/// Whether these cells hang together by their edges.
pub(super) fn is_connected(side: usize, cells: &[usize]) -> bool {
    let Some(first) = cells.first() else {
        return true;
    };
    let mut reached = vec![*first];
    let mut next = 0;
    while let Some(&cell) = reached.get(next) {
        next += 1;
        for neighbor in neighbors(side, cell) {
            if cells.contains(&neighbor) && !reached.contains(&neighbor) {
                reached.push(neighbor);
            }
        }
    }
    reached.len() == cells.len()
}

/// The cells that share an edge with this one.
pub(super) fn neighbors(side: usize, cell: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / side, cell % side);
    let above = (row > 0).then(|| cell - side);
    let left = (column > 0).then(|| cell - 1);
    let right = (column + 1 < side).then_some(cell + 1);
    let below = (row + 1 < side).then_some(cell + side);
    [above, left, right, below].into_iter().flatten()
}
