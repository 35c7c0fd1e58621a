//! 16 lanes of WebAssembly's 128-bit vectors, in pairs.
#![allow(unsafe_code)]
// Here calling a function compiled for instructions is safe: they are checked with the module.
#![allow(unused_unsafe)]

use core::arch::wasm32::*;

use super::isa::{COLUMNS, Isa, Kernel, MAX_LANES, ROW, part, part_mut};
use super::operations::operations;
use super::square::Square;

/// Proof that this build may use 128-bit vectors: a browser without them refuses the whole module.
#[derive(Clone, Copy, Debug)]
pub struct Simd128(());

impl Simd128 {
    /// Returns the token, where the build uses the instructions.
    pub fn detect() -> Option<Simd128> {
        cfg!(target_feature = "simd128").then_some(Simd128(()))
    }
}

/// Two vectors of eight lanes.
type Pair = [v128; 2];

/// Applies an intrinsic to both vectors of its arguments.
macro_rules! both {
    ($intrinsic:path, $($arg:expr),+) => {
        [$intrinsic($($arg[0]),+), $intrinsic($($arg[1]),+)]
    };
}

impl Isa for Simd128 {
    type Vector = Pair;
    /// All bits of a lane, or none.
    type Mask = Pair;
    const LANES: usize = 16;

    #[inline(always)]
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        // What `detect` asks for is switched on for the whole build.
        kernel.run(self)
    }

    operations! {
        "simd128";
        splat(value: u16) -> Pair { [u16x8_splat(value); 2] }
        and(a: Pair, b: Pair) -> Pair { both!(v128_and, a, b) }
        or(a: Pair, b: Pair) -> Pair { both!(v128_or, a, b) }
        and_not(a: Pair, b: Pair) -> Pair { both!(v128_andnot, a, b) }
        and3(a: Pair, b: Pair, c: Pair) -> Pair { both!(v128_and, both!(v128_and, a, b), c) }
        or3(a: Pair, b: Pair, c: Pair) -> Pair { both!(v128_or, both!(v128_or, a, b), c) }
        majority(a: Pair, b: Pair, c: Pair) -> Pair {
            // Where the two differ the third decides.
            both!(v128_bitselect, c, a, both!(v128_xor, a, b))
        }
        and_neither(a: Pair, b: Pair, c: Pair) -> Pair {
            both!(v128_andnot, a, both!(v128_or, b, c))
        }
        and_or(a: Pair, b: Pair, c: Pair) -> Pair { both!(v128_or, both!(v128_and, a, b), c) }
        add(a: Pair, b: Pair) -> Pair { both!(u16x8_add, a, b) }
        min(a: Pair, b: Pair) -> Pair { both!(u16x8_min, a, b) }
        max(a: Pair, b: Pair) -> Pair { both!(u16x8_max, a, b) }
        count_ones(a: Pair) -> Pair { both!(counted, a) }
        disjoint(a: Pair, b: Pair) -> Pair { both!(is_zero, both!(v128_and, a, b)) }
        equal(a: Pair, b: Pair) -> Pair { both!(u16x8_eq, a, b) }
        less(a: Pair, b: Pair) -> Pair { both!(u16x8_lt, a, b) }
        keep(mask: Pair, a: Pair) -> Pair { both!(v128_and, mask, a) }
        select(mask: Pair, yes: Pair, no: Pair) -> Pair { both!(v128_bitselect, yes, no, mask) }
        bits(mask: Pair) -> u32 {
            u32::from(u16x8_bitmask(mask[0])) | u32::from(u16x8_bitmask(mask[1])) << 8
        }
        mask(bits: u32) -> Pair {
            const LANE_BITS: v128 = u16x8(1, 2, 4, 8, 16, 32, 64, 128);
            let bits = [u16x8_splat(bits as u16 & 0xFF), u16x8_splat(bits as u16 >> 8)];
            both!(u16x8_eq, both!(v128_and, bits, [LANE_BITS; 2]), [LANE_BITS; 2])
        }
        load(lanes: &[u16; MAX_LANES]) -> Pair {
            let from = lanes.as_ptr().cast::<v128>();
            // SAFETY: 32 bytes are read of an array of 64; the instruction needs no alignment.
            unsafe { [v128_load(from), v128_load(from.add(1))] }
        }
        lanes(vector: Pair) -> [u16; MAX_LANES] {
            let mut lanes = [0; MAX_LANES];
            let to = lanes.as_mut_ptr().cast::<v128>();
            // SAFETY: 32 bytes are written to an array of 64; the instruction needs no alignment.
            unsafe {
                v128_store(to, vector[0]);
                v128_store(to.add(1), vector[1]);
            }
            lanes
        }
        permute(a: Pair, from: Pair) -> Pair {
            let bytes = both!(byte_places, from);
            [picked(&a, bytes[0]), picked(&a, bytes[1])]
        }
        look_up(table: &[u16; MAX_LANES], index: Pair) -> Pair {
            let from = table.as_ptr().cast::<v128>();
            // SAFETY: 64 bytes are read of an array of 64; the instruction needs no alignment.
            let table = unsafe { [0, 1, 2, 3].map(|at| v128_load(from.add(at))) };
            let last = u16x8_splat(MAX_LANES as u16 - 1);
            let bytes = both!(byte_places, both!(v128_and, index, [last; 2]));
            [picked(&table, bytes[0]), picked(&table, bytes[1])]
        }
        columns(rows: &[&[u8; ROW]], at: usize) -> [Pair; COLUMNS] {
            let rows: &[&[u8; ROW]; 16] = rows.try_into().expect("a row for each lane");
            let mut r = [u8x16_splat(0); 16];
            for (r, row) in r.iter_mut().zip(rows) {
                // SAFETY: 16 bytes are read of an array of 16; the instruction needs no alignment.
                *r = unsafe { v128_load(part(row, at).as_ptr().cast()) };
            }
            transpose(r).map(|r| [u16x8_extend_low_u8x16(r), u16x8_extend_high_u8x16(r)])
        }
        rows(columns: &[Pair; COLUMNS], rows: &mut [[u8; ROW]; MAX_LANES], at: usize) -> () {
            // The instruction takes numbers beyond a byte for the largest byte.
            let low = u16x8_splat(0xFF);
            let bytes = |column: Pair| {
                let column = both!(v128_and, column, [low; 2]);
                u8x16_narrow_i16x8(column[0], column[1])
            };
            for (row, r) in rows.iter_mut().zip(transpose(columns.map(bytes))) {
                // SAFETY: 16 bytes are written to an array of 16; the instruction needs no alignment.
                unsafe { v128_store(part_mut(row, at).as_mut_ptr().cast(), r) };
            }
        }
    }
}

impl Square for Simd128 {
    type Constants = ();

    operations! {
        "simd128";
        constants() -> () {}
        single(_constants: (), a: Pair) -> Pair {
            let less = both!(u16x8_sub, a, [u16x8_splat(1); 2]);
            both!(v128_and, a, both!(is_zero, both!(v128_and, a, less)))
        }
        columns_rotated(_constants: (), a: Pair) -> [Pair; 2] {
            [both!(columns_by_one, a), both!(columns_by_two, a)]
        }
        rows_rotated(a: Pair) -> [Pair; 2] {
            // A vector holds two rows.
            [
                [u64x2_shuffle::<1, 2>(a[0], a[1]), u64x2_shuffle::<0, 3>(a[0], a[1])],
                [u64x2_shuffle::<0, 2>(a[1], a[0]), u64x2_shuffle::<1, 3>(a[0], a[1])],
            ]
        }
        all_equal(a: Pair, b: Pair) -> bool {
            let equal = both!(u16x8_eq, a, b);
            u16x8_all_true(v128_and(equal[0], equal[1]))
        }
    }
}

#[inline]
#[target_feature(enable = "simd128")]
fn columns_by_one(a: v128) -> v128 {
    u16x8_shuffle::<1, 2, 0, 3, 5, 6, 4, 7>(a, a)
}

#[inline]
#[target_feature(enable = "simd128")]
fn columns_by_two(a: v128) -> v128 {
    u16x8_shuffle::<2, 0, 1, 3, 6, 4, 5, 7>(a, a)
}

/// Returns a mask of the lanes that are 0.
#[inline]
#[target_feature(enable = "simd128")]
fn is_zero(a: v128) -> v128 {
    u16x8_eq(a, u16x8_splat(0))
}

/// Returns the number of bits set in each lane.
#[inline]
#[target_feature(enable = "simd128")]
fn counted(a: v128) -> v128 {
    u16x8_extadd_pairwise_u8x16(u8x16_popcnt(a))
}

/// Returns the byte indices of each lane of a table.
#[inline]
#[target_feature(enable = "simd128")]
fn byte_places(lanes: v128) -> v128 {
    u16x8_add(u16x8_mul(lanes, u16x8_splat(0x0202)), u16x8_splat(0x0100))
}

/// Returns the bytes of a table at these indices. A swizzle yields 0 for indices beyond its vector,
/// and for those before it, which have wrapped around.
#[inline]
#[target_feature(enable = "simd128")]
fn picked(table: &[v128], places: v128) -> v128 {
    let mut bytes = u8x16_splat(0);
    let mut places = places;
    for vector in table {
        bytes = v128_or(bytes, u8x16_swizzle(*vector, places));
        places = u8x16_sub(places, u8x16_splat(16));
    }
    bytes
}

/// Transposes 16 rows of 16 bytes: four rounds, each of which interleaves row `i` with row `i + 8`.
#[inline]
#[target_feature(enable = "simd128")]
fn transpose(mut r: [v128; 16]) -> [v128; 16] {
    for _ in 0..4 {
        let mut s = r;
        for i in 0..8 {
            s[2 * i] = u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(
                r[i],
                r[i + 8],
            );
            s[2 * i + 1] =
                u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(
                    r[i],
                    r[i + 8],
                );
        }
        r = s;
    }
    r
}
