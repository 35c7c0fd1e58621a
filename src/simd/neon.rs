//! 16 lanes of NEON, as pairs of registers.
#![allow(unsafe_code)]

use core::arch::aarch64::*;

use super::isa::{COLUMNS, Isa, Kernel, MAX_LANES, ROW, part, part_mut};
use super::operations::operations;
use super::square::Square;

/// Proof that this CPU has NEON, which is part of every 64-bit ARM.
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

impl Neon {
    /// Returns the token, where the CPU has the instructions.
    pub fn detect() -> Option<Neon> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Neon(()))
    }
}

/// Applies an intrinsic to both registers of its arguments.
macro_rules! both {
    ($intrinsic:path, $($arg:expr),+) => {
        uint16x8x2_t($intrinsic($($arg.0),+), $intrinsic($($arg.1),+))
    };
}

impl Isa for Neon {
    type Vector = uint16x8x2_t;
    /// All bits of a lane, or none.
    type Mask = uint16x8x2_t;
    const LANES: usize = 16;

    #[inline(always)]
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        // NEON is switched on for all code of this architecture.
        kernel.run(self)
    }

    operations! {
        "neon";
        splat(value: u16) -> uint16x8x2_t { uint16x8x2_t(vdupq_n_u16(value), vdupq_n_u16(value)) }
        and(a: uint16x8x2_t, b: uint16x8x2_t) -> uint16x8x2_t { both!(vandq_u16, a, b) }
        or(a: uint16x8x2_t, b: uint16x8x2_t) -> uint16x8x2_t { both!(vorrq_u16, a, b) }
        and_not(a: uint16x8x2_t, b: uint16x8x2_t) -> uint16x8x2_t { both!(vbicq_u16, a, b) }
        and3(a: uint16x8x2_t, b: uint16x8x2_t, c: uint16x8x2_t) -> uint16x8x2_t {
            both!(vandq_u16, both!(vandq_u16, a, b), c)
        }
        or3(a: uint16x8x2_t, b: uint16x8x2_t, c: uint16x8x2_t) -> uint16x8x2_t {
            both!(vorrq_u16, both!(vorrq_u16, a, b), c)
        }
        majority(a: uint16x8x2_t, b: uint16x8x2_t, c: uint16x8x2_t) -> uint16x8x2_t {
            // Where the two differ the third decides.
            both!(vbslq_u16, both!(veorq_u16, a, b), c, a)
        }
        and_neither(a: uint16x8x2_t, b: uint16x8x2_t, c: uint16x8x2_t) -> uint16x8x2_t {
            both!(vbicq_u16, a, both!(vorrq_u16, b, c))
        }
        and_or(a: uint16x8x2_t, b: uint16x8x2_t, c: uint16x8x2_t) -> uint16x8x2_t {
            both!(vorrq_u16, both!(vandq_u16, a, b), c)
        }
        add(a: uint16x8x2_t, b: uint16x8x2_t) -> uint16x8x2_t { both!(vaddq_u16, a, b) }
        min(a: uint16x8x2_t, b: uint16x8x2_t) -> uint16x8x2_t { both!(vminq_u16, a, b) }
        max(a: uint16x8x2_t, b: uint16x8x2_t) -> uint16x8x2_t { both!(vmaxq_u16, a, b) }
        count_ones(a: uint16x8x2_t) -> uint16x8x2_t { both!(counted, a) }
        disjoint(a: uint16x8x2_t, b: uint16x8x2_t) -> uint16x8x2_t {
            both!(vceqzq_u16, both!(vandq_u16, a, b))
        }
        equal(a: uint16x8x2_t, b: uint16x8x2_t) -> uint16x8x2_t { both!(vceqq_u16, a, b) }
        less(a: uint16x8x2_t, b: uint16x8x2_t) -> uint16x8x2_t { both!(vcltq_u16, a, b) }
        keep(mask: uint16x8x2_t, a: uint16x8x2_t) -> uint16x8x2_t { both!(vandq_u16, mask, a) }
        select(mask: uint16x8x2_t, yes: uint16x8x2_t, no: uint16x8x2_t) -> uint16x8x2_t {
            both!(vbslq_u16, mask, yes, no)
        }
        bits(mask: uint16x8x2_t) -> u32 {
            let bits = both!(vandq_u16, mask, lane_bits());
            u32::from(vaddvq_u16(bits.0)) | u32::from(vaddvq_u16(bits.1)) << 8
        }
        mask(bits: u32) -> uint16x8x2_t {
            let bits = uint16x8x2_t(vdupq_n_u16(bits as u16 & 0xFF), vdupq_n_u16(bits as u16 >> 8));
            both!(vtstq_u16, bits, lane_bits())
        }
        load(lanes: &[u16; MAX_LANES]) -> uint16x8x2_t {
            // SAFETY: 32 bytes are read of an array of 64.
            unsafe { vld1q_u16_x2(lanes.as_ptr()) }
        }
        lanes(vector: uint16x8x2_t) -> [u16; MAX_LANES] {
            let mut lanes = [0; MAX_LANES];
            // SAFETY: 32 bytes are written to an array of 64.
            unsafe { vst1q_u16_x2(lanes.as_mut_ptr(), vector) };
            lanes
        }
        permute(a: uint16x8x2_t, from: uint16x8x2_t) -> uint16x8x2_t {
            let table = uint8x16x2_t(vreinterpretq_u8_u16(a.0), vreinterpretq_u8_u16(a.1));
            let bytes = both!(byte_places, from);
            uint16x8x2_t(
                vreinterpretq_u16_u8(vqtbl2q_u8(table, vreinterpretq_u8_u16(bytes.0))),
                vreinterpretq_u16_u8(vqtbl2q_u8(table, vreinterpretq_u8_u16(bytes.1))),
            )
        }
        look_up(table: &[u16; MAX_LANES], index: uint16x8x2_t) -> uint16x8x2_t {
            // SAFETY: 64 bytes are read of an array of 64.
            let table = unsafe { vld1q_u8_x4(table.as_ptr().cast()) };
            let last = vdupq_n_u16(MAX_LANES as u16 - 1);
            let index = both!(vandq_u16, index, uint16x8x2_t(last, last));
            let bytes = both!(byte_places, index);
            uint16x8x2_t(
                vreinterpretq_u16_u8(vqtbl4q_u8(table, vreinterpretq_u8_u16(bytes.0))),
                vreinterpretq_u16_u8(vqtbl4q_u8(table, vreinterpretq_u8_u16(bytes.1))),
            )
        }
        columns(rows: &[&[u8; ROW]], at: usize) -> [uint16x8x2_t; COLUMNS] {
            let rows: &[&[u8; ROW]; 16] = rows.try_into().expect("a row for each lane");
            let mut r = [vdupq_n_u8(0); 16];
            for (r, row) in r.iter_mut().zip(rows) {
                let part = part(row, at);
                // SAFETY: 16 bytes are read of an array of 16.
                *r = unsafe { vld1q_u8(part.as_ptr()) };
            }
            transpose(r).map(|r| uint16x8x2_t(vmovl_u8(vget_low_u8(r)), vmovl_high_u8(r)))
        }
        rows(columns: &[uint16x8x2_t; COLUMNS], rows: &mut [[u8; ROW]; MAX_LANES], at: usize) -> () {
            let r = transpose(columns.map(|column| vmovn_high_u16(vmovn_u16(column.0), column.1)));
            for (row, r) in rows.iter_mut().zip(r) {
                let part = part_mut(row, at);
                // SAFETY: 16 bytes are written to an array of 16.
                unsafe { vst1q_u8(part.as_mut_ptr(), r) };
            }
        }
    }
}

impl Square for Neon {
    /// Two byte orders that rotate columns.
    type Constants = [uint8x16_t; 2];

    operations! {
        "neon";
        constants() -> [uint8x16_t; 2] {
            const ONE: [u8; 16] = [2, 3, 4, 5, 0, 1, 6, 7, 10, 11, 12, 13, 8, 9, 14, 15];
            const TWO: [u8; 16] = [4, 5, 0, 1, 2, 3, 6, 7, 12, 13, 8, 9, 10, 11, 14, 15];
            // SAFETY: 16 bytes are read of arrays of 16.
            unsafe { [vld1q_u8(ONE.as_ptr()), vld1q_u8(TWO.as_ptr())] }
        }
        single(_constants: [uint8x16_t; 2], a: uint16x8x2_t) -> uint16x8x2_t { both!(single, a) }
        columns_rotated(constants: [uint8x16_t; 2], a: uint16x8x2_t) -> [uint16x8x2_t; 2] {
            let rotated = |order| {
                let half = |half| vreinterpretq_u16_u8(vqtbl1q_u8(vreinterpretq_u8_u16(half), order));
                uint16x8x2_t(half(a.0), half(a.1))
            };
            [rotated(constants[0]), rotated(constants[1])]
        }
        rows_rotated(a: uint16x8x2_t) -> [uint16x8x2_t; 2] {
            // A register holds two rows.
            let [first, second, third, last] = [
                vget_low_u16(a.0),
                vget_high_u16(a.0),
                vget_low_u16(a.1),
                vget_high_u16(a.1),
            ];
            [
                uint16x8x2_t(vcombine_u16(second, third), vcombine_u16(first, last)),
                uint16x8x2_t(vcombine_u16(third, first), vcombine_u16(second, last)),
            ]
        }
        all_equal(a: uint16x8x2_t, b: uint16x8x2_t) -> bool {
            let equal = both!(vceqq_u16, a, b);
            vminvq_u16(vandq_u16(equal.0, equal.1)) == u16::MAX
        }
    }
}

/// Returns a mask of the lanes in which at most one bit is set.
#[inline]
#[target_feature(enable = "neon")]
fn single(a: uint16x8_t) -> uint16x8_t {
    let more = vandq_u16(a, vsubq_u16(a, vdupq_n_u16(1)));
    vandq_u16(a, vceqzq_u16(more))
}

/// Returns the number of bits set in each lane.
#[inline]
#[target_feature(enable = "neon")]
fn counted(a: uint16x8_t) -> uint16x8_t {
    vpaddlq_u8(vcntq_u8(vreinterpretq_u8_u16(a)))
}

/// Returns, for each lane, its bit within its register.
#[inline]
#[target_feature(enable = "neon")]
fn lane_bits() -> uint16x8x2_t {
    const BITS: [u16; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
    // SAFETY: 16 bytes are read of an array of 16.
    let bits = unsafe { vld1q_u16(BITS.as_ptr()) };
    uint16x8x2_t(bits, bits)
}

/// Returns the byte indices of each lane of a table.
#[inline]
#[target_feature(enable = "neon")]
fn byte_places(lanes: uint16x8_t) -> uint16x8_t {
    vaddq_u16(vmulq_n_u16(lanes, 0x0202), vdupq_n_u16(0x0100))
}

/// Transposes 16 rows of 16 bytes: four rounds, each of which interleaves row `i` with row `i + 8`.
#[inline]
#[target_feature(enable = "neon")]
fn transpose(mut r: [uint8x16_t; 16]) -> [uint8x16_t; 16] {
    for _ in 0..4 {
        let mut s = r;
        for i in 0..8 {
            s[2 * i] = vzip1q_u8(r[i], r[i + 8]);
            s[2 * i + 1] = vzip2q_u8(r[i], r[i + 8]);
        }
        r = s;
    }
    r
}
