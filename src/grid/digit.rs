//! A digit of the puzzle, and sets of digits.

use std::fmt;
use std::num::NonZeroU8;

/// A digit from 1 to 9. Blanks are `None`: an `Option<Digit>` is as small as a `Digit`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digit(NonZeroU8);

impl Digit {
    /// All nine digits, ascending.
    pub const ALL: [Digit; 9] = {
        let mut all = [Digit(NonZeroU8::MIN); 9];
        let mut index = 0;
        while index < 9 {
            all[index] = Digit::from_index(index);
            index += 1;
        }
        all
    };

    /// Returns the digit of this value, if it is one of 1 to 9.
    pub const fn new(value: u8) -> Option<Digit> {
        match NonZeroU8::new(value) {
            Some(value) if value.get() <= 9 => Some(Digit(value)),
            _ => None,
        }
    }

    /// Returns the digit written as this ASCII character, if it is one of `1` to `9`.
    pub const fn from_ascii(byte: u8) -> Option<Digit> {
        Digit::new(byte.wrapping_sub(b'0'))
    }

    /// Returns the digit written as this ASCII character, which is known to be one of `1` to `9`.
    pub(super) const fn from_checked_ascii(byte: u8) -> Digit {
        Digit::from_index(byte.wrapping_sub(b'1') as usize)
    }

    /// Returns the value, 1 to 9.
    pub const fn value(self) -> u8 {
        self.0.get()
    }

    /// Returns the ASCII character, `1` to `9`.
    pub const fn to_ascii(self) -> u8 {
        b'0' + self.0.get()
    }

    /// Returns the position in [`Digit::ALL`], 0 to 8: an index for arrays with one entry per
    /// digit.
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// Returns the digit at this position in [`Digit::ALL`], which must be below 9.
    const fn from_index(index: usize) -> Digit {
        Digit(NonZeroU8::MIN.saturating_add(index as u8))
    }
}

impl fmt::Debug for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A set of digits: nine bits, the lowest for 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DigitSet(u16);

impl DigitSet {
    /// The empty set.
    pub const EMPTY: DigitSet = DigitSet(0);
    /// All nine digits.
    pub const ALL: DigitSet = DigitSet(0x1ff);

    /// Returns the set with just this digit.
    pub const fn only(digit: Digit) -> DigitSet {
        DigitSet(1 << digit.index())
    }

    /// Returns the set of the digits whose bits are set; bits above the ninth are ignored.
    pub const fn from_bits(bits: u16) -> DigitSet {
        DigitSet(bits & 0x1ff)
    }

    /// Returns the nine bits, the lowest for 1.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Returns the number of digits in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set holds no digit.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set holds this digit.
    pub const fn contains(self, digit: Digit) -> bool {
        self.0 & DigitSet::only(digit).0 != 0
    }

    /// Returns all subsets, the empty one first, in ascending order of their bits.
    pub fn subsets(self) -> impl Iterator<Item = DigitSet> {
        let mut next = Some(0);
        std::iter::from_fn(move || {
            let bits: u16 = next?;
            let after = bits.wrapping_sub(self.0) & self.0;
            next = (after != 0).then_some(after);
            Some(DigitSet(bits))
        })
    }

    /// Returns the digit, if the set holds exactly one.
    pub const fn single(self) -> Option<Digit> {
        if self.0 != 0 && self.0 & (self.0 - 1) == 0 {
            Some(Digit::from_index(self.0.trailing_zeros() as usize))
        } else {
            None
        }
    }

    /// Returns this set with that digit added.
    #[must_use]
    pub const fn with(self, digit: Digit) -> DigitSet {
        DigitSet(self.0 | DigitSet::only(digit).0)
    }

    /// Returns this set without that digit.
    #[must_use]
    pub const fn without(self, digit: Digit) -> DigitSet {
        DigitSet(self.0 & !DigitSet::only(digit).0)
    }

    /// Returns the digits in either set.
    #[must_use]
    pub const fn union(self, other: DigitSet) -> DigitSet {
        DigitSet(self.0 | other.0)
    }

    /// Returns the digits in both sets.
    #[must_use]
    pub const fn intersection(self, other: DigitSet) -> DigitSet {
        DigitSet(self.0 & other.0)
    }

    /// Returns the digits of this set that are not in the other.
    #[must_use]
    pub const fn difference(self, other: DigitSet) -> DigitSet {
        DigitSet(self.0 & !other.0)
    }
}

impl IntoIterator for DigitSet {
    type Item = Digit;
    type IntoIter = DigitSetIter;

    fn into_iter(self) -> DigitSetIter {
        DigitSetIter(self.0)
    }
}

impl FromIterator<Digit> for DigitSet {
    fn from_iter<I: IntoIterator<Item = Digit>>(digits: I) -> DigitSet {
        digits.into_iter().fold(DigitSet::EMPTY, DigitSet::with)
    }
}

impl fmt::Debug for DigitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// The digits of a [`DigitSet`], ascending.
#[derive(Clone, Debug)]
pub struct DigitSetIter(u16);

impl Iterator for DigitSetIter {
    type Item = Digit;

    fn next(&mut self) -> Option<Digit> {
        if self.0 == 0 {
            return None;
        }
        let digit = Digit::from_index(self.0.trailing_zeros() as usize);
        self.0 &= self.0 - 1;
        Some(digit)
    }
}
