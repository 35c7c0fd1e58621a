//! Vectors of 32-bit floats.

use std::fmt::Debug;

use super::f32x4::F32x4;
use super::isa::Isa;
use super::portable::Portable;

/// The largest number of floats of any instruction set.
pub const MAX_FLOATS: usize = 16;

/// An instruction set for vectors of 32-bit floats.
pub trait Floats: Isa + Debug {
    /// [`FLOATS`](Floats::FLOATS) numbers.
    type Floats: Copy + Debug + Send + Sync + 'static;

    /// Number of floats of a vector; at most [`MAX_FLOATS`].
    const FLOATS: usize;
    /// Number of vectors whose products with four numbers are summed up fastest: as many sums as the
    /// registers hold, beside what is added to them.
    const TILE: usize;

    /// Returns the first [`FLOATS`](Floats::FLOATS) of these numbers.
    fn load_floats(self, numbers: &[f32; MAX_FLOATS]) -> Self::Floats;

    /// Returns the same number in every lane.
    fn splat_float(self, number: f32) -> Self::Floats;

    /// Returns `sum + a * b`. Whether the product is rounded before it is added depends on the
    /// instruction set.
    fn plus_product(self, sum: Self::Floats, a: Self::Floats, b: Self::Floats) -> Self::Floats;

    /// Writes the lanes over the first of these numbers: as many as there are of both.
    fn store_floats(self, lanes: Self::Floats, numbers: &mut [f32]);
}

impl Floats for Portable {
    type Floats = F32x4;
    const FLOATS: usize = 4;
    const TILE: usize = 2;

    #[inline(always)]
    fn load_floats(self, &[a, b, c, d, ..]: &[f32; MAX_FLOATS]) -> F32x4 {
        F32x4::from([a, b, c, d])
    }

    #[inline(always)]
    fn splat_float(self, number: f32) -> F32x4 {
        F32x4::splat(number)
    }

    #[inline(always)]
    fn plus_product(self, sum: F32x4, a: F32x4, b: F32x4) -> F32x4 {
        sum.plus_product(a, b)
    }

    #[inline(always)]
    fn store_floats(self, lanes: F32x4, numbers: &mut [f32]) {
        let lanes = lanes.to_array();
        match numbers.first_chunk_mut() {
            Some(numbers) => *numbers = lanes,
            None => numbers.copy_from_slice(&lanes[..numbers.len()]),
        }
    }
}
