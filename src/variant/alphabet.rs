//! How values are written: digits and letters, letters alone, or decimal numbers.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

use super::value::MOST_SIDE;
use super::value::Value;

/// How the values of a board are written. Letters are read in either case and written in upper case.
///
/// ```
/// use sudoku_batch::variant::{Alphabet, Value};
///
/// let ten = Value::new(10).unwrap();
/// assert_eq!(Alphabet::OneBased.symbol(ten).as_deref(), Some("A"));
/// assert_eq!(Alphabet::ZeroBased.symbol(ten).as_deref(), Some("9"));
/// assert_eq!("A-Z".parse(), Ok(Alphabet::Letters));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alphabet {
    /// `1-9A-Z`: A is 10. 0 is a blank. Up to side 35.
    OneBased,
    /// `0-9A-Z`: 0 is the first value and F the sixteenth, as in hexadecimal numbers. Up to side 36.
    ZeroBased,
    /// `A-Z`: A is 1. 0 is a blank. Up to side 26.
    Letters,
    /// `numbers`: decimal, with commas or spaces between them. 0 is a blank.
    Numbers,
    /// `0-numbers`: decimal, and 0 is the first value.
    NumbersFromZero,
}

/// A name that no alphabet has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{0:?} names no symbols: it must be one of 1-9A-Z, 0-9A-Z, A-Z (or up to the largest value, as in 1-9A-G), numbers \
     and 0-numbers"
)]
pub struct UnknownAlphabet(String);

impl Alphabet {
    /// All of them.
    pub const ALL: [Alphabet; 5] = [
        Alphabet::OneBased,
        Alphabet::ZeroBased,
        Alphabet::Letters,
        Alphabet::Numbers,
        Alphabet::NumbersFromZero,
    ];

    /// What it is called on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Alphabet::OneBased => "1-9A-Z",
            Alphabet::ZeroBased => "0-9A-Z",
            Alphabet::Letters => "A-Z",
            Alphabet::Numbers => "numbers",
            Alphabet::NumbersFromZero => "0-numbers",
        }
    }

    /// The usual alphabet of boards of this side: `1-9A-Z` where that has enough symbols.
    pub const fn usual(side: usize) -> Alphabet {
        if side <= Alphabet::OneBased.most() {
            Alphabet::OneBased
        } else {
            Alphabet::ZeroBased
        }
    }

    /// The side of the largest board whose values it can write.
    pub const fn most(self) -> usize {
        match self {
            Alphabet::OneBased => 35,
            Alphabet::Letters => 26,
            Alphabet::ZeroBased | Alphabet::Numbers | Alphabet::NumbersFromZero => MOST_SIDE,
        }
    }

    /// Whether each value takes one character.
    pub const fn is_single(self) -> bool {
        !matches!(self, Alphabet::Numbers | Alphabet::NumbersFromZero)
    }

    /// Whether 0 is a value, and not a blank.
    pub const fn counts_from_zero(self) -> bool {
        matches!(self, Alphabet::ZeroBased | Alphabet::NumbersFromZero)
    }

    /// How a value is written, if this alphabet has a symbol for it.
    pub fn symbol(self, value: Value) -> Option<String> {
        let number = value.get();
        match self {
            Alphabet::Numbers => Some(number.to_string()),
            Alphabet::NumbersFromZero => Some((number - 1).to_string()),
            Alphabet::OneBased => character(number).map(String::from),
            Alphabet::ZeroBased => character(number - 1).map(String::from),
            Alphabet::Letters => character(number + 9).map(String::from),
        }
    }

    /// How many characters its longest symbol takes on a board of this side.
    pub fn width(self, side: usize) -> usize {
        let longest = u8::try_from(side).ok().and_then(Value::new);
        let symbol = longest.and_then(|value| self.symbol(value));
        symbol.map_or(2, |symbol| symbol.len())
    }

    /// The number of the value that this rank among `0-9A-Z`, or this decimal number, stands for: from 1;
    /// 0 and less for symbols that stand for none.
    pub(super) const fn number(self, rank: u32) -> i64 {
        let rank = rank as i64;
        match self {
            Alphabet::OneBased | Alphabet::Numbers => rank,
            Alphabet::ZeroBased | Alphabet::NumbersFromZero => rank + 1,
            Alphabet::Letters => rank - 9,
        }
    }
}

/// The character of this rank among `0-9A-Z`.
fn character(rank: u8) -> Option<char> {
    match rank {
        0..=9 => Some(char::from(b'0' + rank)),
        10..=35 => Some(char::from(b'A' + rank - 10)),
        _ => None,
    }
}

impl fmt::Display for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Alphabet {
    type Err = UnknownAlphabet;

    /// A name may end earlier, at the largest value: `1-9A-G`, `0-9A-F`, `A-P`, `1-6`.
    fn from_str(name: &str) -> Result<Alphabet, UnknownAlphabet> {
        let upper = name.to_ascii_uppercase();
        let is = |start: &str, last: RangeInclusive<char>| {
            let rest = upper.strip_prefix(start).unwrap_or_default();
            let mut characters = rest.chars();
            matches!((characters.next(), characters.next()), (Some(one), None) if last.contains(&one))
        };
        if is("1-9A-", 'A'..='Z') || is("1-", '4'..='9') {
            Ok(Alphabet::OneBased)
        } else if is("0-9A-", 'A'..='Z') || is("0-", '3'..='9') {
            Ok(Alphabet::ZeroBased)
        } else if is("A-", 'D'..='Z') {
            Ok(Alphabet::Letters)
        } else {
            let mut all = Alphabet::ALL.into_iter();
            all.find(|alphabet| alphabet.name().eq_ignore_ascii_case(name))
                .ok_or_else(|| UnknownAlphabet(name.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_end_at_the_largest_value() {
        for alphabet in Alphabet::ALL {
            assert_eq!(alphabet.name().parse(), Ok(alphabet));
        }
        for (name, expected) in [
            ("1-9A-G", Alphabet::OneBased),
            ("1-6", Alphabet::OneBased),
            ("0-9a-f", Alphabet::ZeroBased),
            ("0-8", Alphabet::ZeroBased),
            ("A-P", Alphabet::Letters),
        ] {
            assert_eq!(name.parse(), Ok(expected), "{name}");
        }
        for name in ["", "A", "A-", "A-PQ", "1-9A-", "1-9G", "B-P", "number"] {
            assert!(name.parse::<Alphabet>().is_err(), "{name}");
        }
    }
}
