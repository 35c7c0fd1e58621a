//! Vectors of four 32-bit floats, where the compiler does not vectorize by itself.

#[cfg(target_arch = "wasm32")]
use core::arch::wasm32::{f32x4, f32x4_add, f32x4_extract_lane, f32x4_mul, f32x4_splat, v128};

/// A vector of four 32-bit floats.
#[cfg(target_arch = "wasm32")]
#[derive(Clone, Copy, Debug)]
pub struct F32x4(v128);

#[cfg(target_arch = "wasm32")]
impl F32x4 {
    /// Returns the same number in every lane.
    #[inline(always)]
    pub fn splat(value: f32) -> F32x4 {
        F32x4(f32x4_splat(value))
    }

    /// Returns `self + a * b`, rounded twice.
    #[inline(always)]
    pub fn plus_product(self, a: F32x4, b: F32x4) -> F32x4 {
        F32x4(f32x4_add(self.0, f32x4_mul(a.0, b.0)))
    }

    /// Returns the lanes in order.
    #[inline(always)]
    pub fn to_array(self) -> [f32; 4] {
        [
            f32x4_extract_lane::<0>(self.0),
            f32x4_extract_lane::<1>(self.0),
            f32x4_extract_lane::<2>(self.0),
            f32x4_extract_lane::<3>(self.0),
        ]
    }
}

#[cfg(target_arch = "wasm32")]
impl From<[f32; 4]> for F32x4 {
    #[inline(always)]
    fn from([a, b, c, d]: [f32; 4]) -> F32x4 {
        F32x4(f32x4(a, b, c, d))
    }
}

/// A vector of four 32-bit floats.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug)]
pub struct F32x4([f32; 4]);

#[cfg(not(target_arch = "wasm32"))]
impl F32x4 {
    /// Returns the same number in every lane.
    #[inline(always)]
    pub fn splat(value: f32) -> F32x4 {
        F32x4([value; 4])
    }

    /// Returns `self + a * b`, rounded twice.
    #[inline(always)]
    pub fn plus_product(self, a: F32x4, b: F32x4) -> F32x4 {
        let mut sum = self.0;
        for (lane, sum) in sum.iter_mut().enumerate() {
            *sum += a.0[lane] * b.0[lane];
        }
        F32x4(sum)
    }

    /// Returns the lanes in order.
    #[inline(always)]
    pub fn to_array(self) -> [f32; 4] {
        self.0
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl From<[f32; 4]> for F32x4 {
    #[inline(always)]
    fn from(lanes: [f32; 4]) -> F32x4 {
        F32x4(lanes)
    }
}
