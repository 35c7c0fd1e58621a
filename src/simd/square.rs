//! Vectors of 16 lanes as squares, whose rows and columns can be rotated.

use super::isa::Isa;
use super::portable::Portable;

/// 16 lanes as four rows of four, of which three rows and three columns are rotated:
///
/// ```text
///   lanes 0  1  2 |  3       columns rotated   1  2  0 |  3       rows rotated   4  5  6 |  3
///         4  5  6 |  7       by one:           5  6  4 |  7       by one:        8  9 10 |  7
///         8  9 10 | 11                         9 10  8 | 11                      0  1  2 | 11
///        ---------+---                        ---------+---                     ---------+---
///        12 13 14 | 15                        12 13 14 | 15                     12 13 14 | 15
/// ```
///
/// What rotations make of the last row and column is left open, but for this: where all lanes of
/// these hold the same number, they keep it.
pub trait Square: Isa {
    /// Constants that some operations need.
    type Constants: Copy;

    /// Makes the constants, once for a kernel.
    ///
    /// Kernels hide them from the compiler by [`black_box`](std::hint::black_box): where it knows
    /// them, it takes two instructions for one.
    fn constants(self) -> Self::Constants;

    /// Returns the lanes in which at most one bit is set; 0 in the others.
    fn single(self, constants: Self::Constants, a: Self::Vector) -> Self::Vector;

    /// Returns the vector with its columns rotated by one and by two.
    fn columns_rotated(self, constants: Self::Constants, a: Self::Vector) -> [Self::Vector; 2];

    /// Returns the vector with its rows rotated by one and by two.
    fn rows_rotated(self, a: Self::Vector) -> [Self::Vector; 2];

    /// Returns whether all lanes of the two are equal.
    fn all_equal(self, a: Self::Vector, b: Self::Vector) -> bool;
}

impl Square for Portable {
    type Constants = ();

    #[inline(always)]
    fn constants(self) {}

    #[inline(always)]
    fn single(self, (): (), a: [u16; 16]) -> [u16; 16] {
        let mut single = [0; 16];
        for l in 0..16 {
            let more = a[l] & a[l].wrapping_sub(1);
            single[l] = if more == 0 { a[l] } else { 0 };
        }
        single
    }

    // The lanes one by one, so that the compiler sees fixed orders, and finds instructions for them.
    #[inline(always)]
    fn columns_rotated(self, (): (), a: [u16; 16]) -> [[u16; 16]; 2] {
        [
            [
                a[1], a[2], a[0], a[3], a[5], a[6], a[4], a[7], a[9], a[10], a[8], a[11], a[13],
                a[14], a[12], a[15],
            ],
            [
                a[2], a[0], a[1], a[3], a[6], a[4], a[5], a[7], a[10], a[8], a[9], a[11], a[14],
                a[12], a[13], a[15],
            ],
        ]
    }

    #[inline(always)]
    fn rows_rotated(self, a: [u16; 16]) -> [[u16; 16]; 2] {
        [
            [
                a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[0], a[1], a[2], a[3], a[12],
                a[13], a[14], a[15],
            ],
            [
                a[8], a[9], a[10], a[11], a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[12],
                a[13], a[14], a[15],
            ],
        ]
    }

    #[inline(always)]
    fn all_equal(self, a: [u16; 16], b: [u16; 16]) -> bool {
        a == b
    }
}
