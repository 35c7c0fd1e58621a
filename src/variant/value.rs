//! A value of a cell on boards of any size.

use std::num::NonZeroU8;

/// The largest side of a board: ten digits and twenty-six letters.
pub const MOST_SIDE: usize = 36;

/// A value from 1 to 36. Its layout says which ones a board has, its alphabet how they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(NonZeroU8);

impl Value {
    /// The value of this number; none for 0, or where it is too large.
    pub const fn new(number: u8) -> Option<Value> {
        match NonZeroU8::new(number) {
            Some(number) if number.get() as usize <= MOST_SIDE => Some(Value(number)),
            _ => None,
        }
    }

    /// Its number, from 1.
    pub const fn get(self) -> u8 {
        self.0.get()
    }

    /// Its place among the values, from 0.
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The value at this place, from 0.
    ///
    /// # Panics
    /// If it is 36 or more.
    pub fn at(index: usize) -> Value {
        u8::try_from(index + 1)
            .ok()
            .and_then(Value::new)
            .expect("a board has no more than 36 values")
    }
}
