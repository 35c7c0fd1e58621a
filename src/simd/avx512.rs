//! 32 lanes of AVX-512, with the byte permutations and bit counts of Ice Lake, Zen 4 and later.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::floats::{Floats, MAX_FLOATS};
use super::isa::{COLUMNS, Isa, Kernel, MAX_LANES, ROW, part, part_mut};
use super::operations::operations;

/// Proof that this CPU has AVX-512 F, BW, VL, VBMI and BITALG.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// Returns the token, where the CPU has the instructions and the system saves their registers.
    pub fn detect() -> Option<Avx512> {
        let there = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512bitalg");
        there.then_some(Avx512(()))
    }
}

impl Isa for Avx512 {
    type Vector = __m512i;
    type Mask = u32;
    const LANES: usize = 32;

    #[inline(always)]
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg")]
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        fn enter<K: Kernel<Avx512>>(isa: Avx512, kernel: K) -> K::Output {
            kernel.run(isa)
        }
        // SAFETY: the token is proof that the CPU has these instructions.
        unsafe { enter(self, kernel) }
    }

    operations! {
        "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,bmi1,bmi2,lzcnt,popcnt";
        splat(value: u16) -> __m512i { _mm512_set1_epi16(value.cast_signed()) }
        and(a: __m512i, b: __m512i) -> __m512i { _mm512_and_si512(a, b) }
        or(a: __m512i, b: __m512i) -> __m512i { _mm512_or_si512(a, b) }
        and_not(a: __m512i, b: __m512i) -> __m512i { _mm512_andnot_si512(b, a) }
        and3(a: __m512i, b: __m512i, c: __m512i) -> __m512i { _mm512_ternarylogic_epi32::<0x80>(a, b, c) }
        or3(a: __m512i, b: __m512i, c: __m512i) -> __m512i { _mm512_ternarylogic_epi32::<0xFE>(a, b, c) }
        majority(a: __m512i, b: __m512i, c: __m512i) -> __m512i { _mm512_ternarylogic_epi32::<0xE8>(a, b, c) }
        and_neither(a: __m512i, b: __m512i, c: __m512i) -> __m512i { _mm512_ternarylogic_epi32::<0x10>(a, b, c) }
        and_or(a: __m512i, b: __m512i, c: __m512i) -> __m512i { _mm512_ternarylogic_epi32::<0xEA>(a, b, c) }
        add(a: __m512i, b: __m512i) -> __m512i { _mm512_add_epi16(a, b) }
        min(a: __m512i, b: __m512i) -> __m512i { _mm512_min_epu16(a, b) }
        max(a: __m512i, b: __m512i) -> __m512i { _mm512_max_epu16(a, b) }
        count_ones(a: __m512i) -> __m512i { _mm512_popcnt_epi16(a) }
        disjoint(a: __m512i, b: __m512i) -> u32 { _mm512_testn_epi16_mask(a, b) }
        equal(a: __m512i, b: __m512i) -> u32 { _mm512_cmpeq_epu16_mask(a, b) }
        less(a: __m512i, b: __m512i) -> u32 { _mm512_cmplt_epu16_mask(a, b) }
        keep(mask: u32, a: __m512i) -> __m512i { _mm512_maskz_mov_epi16(mask, a) }
        select(mask: u32, yes: __m512i, no: __m512i) -> __m512i { _mm512_mask_mov_epi16(no, mask, yes) }
        permute(a: __m512i, from: __m512i) -> __m512i { _mm512_permutexvar_epi16(from, a) }
        bits(mask: u32) -> u32 { mask }
        mask(bits: u32) -> u32 { bits }
        load(lanes: &[u16; MAX_LANES]) -> __m512i { loaded(lanes) }
        lanes(vector: __m512i) -> [u16; MAX_LANES] {
            let mut lanes = [0; MAX_LANES];
            // SAFETY: 64 bytes are written to an array of 64.
            unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), vector) };
            lanes
        }
        look_up(table: &[u16; MAX_LANES], index: __m512i) -> __m512i {
            _mm512_permutexvar_epi16(index, loaded(table))
        }
        columns(rows: &[&[u8; ROW]], at: usize) -> [__m512i; COLUMNS] {
            let rows: &[&[u8; ROW]; 32] = rows.try_into().expect("a row for each lane");
            let zero = _mm512_setzero_si512();
            // r[i] holds 16 bytes each of rows i, i + 8, i + 16 and i + 24.
            let mut r = [zero; 8];
            for (i, r) in r.iter_mut().enumerate() {
                let x = _mm512_castsi128_si512(sixteen(part(rows[i], at)));
                let x = _mm512_inserti32x4::<1>(x, sixteen(part(rows[i + 8], at)));
                let x = _mm512_inserti32x4::<2>(x, sixteen(part(rows[i + 16], at)));
                *r = _mm512_inserti32x4::<3>(x, sixteen(part(rows[i + 24], at)));
            }
            // In each quarter: s[2 i], s[2 i + 1] hold columns 0 to 7 and 8 to 15 of rows 2 i, 2 i + 1.
            let mut s = [zero; 8];
            for i in 0..4 {
                s[2 * i] = _mm512_unpacklo_epi8(r[2 * i], r[2 * i + 1]);
                s[2 * i + 1] = _mm512_unpackhi_epi8(r[2 * i], r[2 * i + 1]);
            }
            // r[4 i + j] holds columns 4 j to 4 j + 3 of rows 4 i to 4 i + 3.
            for i in 0..2 {
                for j in 0..2 {
                    r[4 * i + 2 * j] = _mm512_unpacklo_epi16(s[4 * i + j], s[4 * i + j + 2]);
                    r[4 * i + 2 * j + 1] = _mm512_unpackhi_epi16(s[4 * i + j], s[4 * i + j + 2]);
                }
            }
            // s[i] holds columns 2 i and 2 i + 1, of eight rows each.
            for i in 0..4 {
                s[2 * i] = _mm512_unpacklo_epi32(r[i], r[i + 4]);
                s[2 * i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 4]);
            }
            let mut columns = [zero; COLUMNS];
            for (i, column) in columns.iter_mut().enumerate() {
                let widen = bytes(&WIDEN[i % 2]);
                *column = _mm512_maskz_permutexvar_epi8(0x5555_5555_5555_5555, widen, s[i / 2]);
            }
            columns
        }
        rows(columns: &[__m512i; COLUMNS], rows: &mut [[u8; ROW]; MAX_LANES], at: usize) -> () {
            let zero = _mm512_setzero_si512();
            let narrow = bytes(&NARROW);
            // The way of `columns` back. r[i] holds columns 2 i and 2 i + 1 of all rows, row by row.
            let mut r = [zero; 8];
            for (i, r) in r.iter_mut().enumerate() {
                *r = _mm512_permutex2var_epi8(columns[2 * i], narrow, columns[2 * i + 1]);
            }
            // In each quarter: s[2 i], s[2 i + 1] hold columns 4 i to 4 i + 3 of rows 0 to 3 and 4 to 7.
            let mut s = [zero; 8];
            for i in 0..4 {
                s[2 * i] = _mm512_unpacklo_epi16(r[2 * i], r[2 * i + 1]);
                s[2 * i + 1] = _mm512_unpackhi_epi16(r[2 * i], r[2 * i + 1]);
            }
            // r[2 i + j] holds columns 8 j to 8 j + 7 of rows 2 i and 2 i + 1.
            for i in 0..2 {
                for j in 0..2 {
                    r[4 * i + j] = _mm512_unpacklo_epi32(s[4 * j + i], s[4 * j + i + 2]);
                    r[4 * i + j + 2] = _mm512_unpackhi_epi32(s[4 * j + i], s[4 * j + i + 2]);
                }
            }
            for i in 0..8 {
                let (a, b) = (r[i / 2 * 2], r[i / 2 * 2 + 1]);
                let x = if i % 2 == 0 {
                    _mm512_unpacklo_epi64(a, b)
                } else {
                    _mm512_unpackhi_epi64(a, b)
                };
                let quarters = [
                    _mm512_castsi512_si128(x),
                    _mm512_extracti32x4_epi32::<1>(x),
                    _mm512_extracti32x4_epi32::<2>(x),
                    _mm512_extracti32x4_epi32::<3>(x),
                ];
                for (quarter, bytes) in quarters.into_iter().enumerate() {
                    let part = part_mut(&mut rows[i + 8 * quarter], at);
                    // SAFETY: 16 bytes are written to an array of 16.
                    unsafe { _mm_storeu_si128(part.as_mut_ptr().cast(), bytes) };
                }
            }
        }
    }
}

impl Floats for Avx512 {
    type Floats = __m512;
    const FLOATS: usize = 16;
    const TILE: usize = 5;

    operations! {
        "avx512f";
        load_floats(numbers: &[f32; MAX_FLOATS]) -> __m512 {
            // SAFETY: 64 bytes are read of an array of as many.
            unsafe { _mm512_loadu_ps(numbers.as_ptr()) }
        }
        splat_float(number: f32) -> __m512 { _mm512_set1_ps(number) }
        plus_product(sum: __m512, a: __m512, b: __m512) -> __m512 { _mm512_fmadd_ps(a, b, sum) }
        store_floats(lanes: __m512, numbers: &mut [f32]) -> () {
            let lane_count = numbers.len().min(MAX_FLOATS) as u32;
            let mask = ((1u32 << lane_count) - 1) as u16;
            // SAFETY: only the lanes of the mask are written, and there are as many numbers.
            unsafe { _mm512_mask_storeu_ps(numbers.as_mut_ptr(), mask, lanes) };
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn loaded(lanes: &[u16; MAX_LANES]) -> __m512i {
    // SAFETY: 64 bytes are read of an array of 64.
    unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn bytes(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: 64 bytes are read of an array of 64.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sixteen(bytes: &[u8; COLUMNS]) -> __m128i {
    // SAFETY: 16 bytes are read of an array of 16.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// For either half of a register of two columns, the byte that becomes the low byte of each lane.
static WIDEN: [[u8; 64]; 2] = {
    let mut index = [[0; 64]; 2];
    let mut lane = 0;
    while lane < 32 {
        let from = lane / 8 * 16 + lane % 8;
        index[0][2 * lane] = from as u8;
        index[1][2 * lane] = from as u8 + 8;
        lane += 1;
    }
    index
};

/// The low bytes of two vectors, interleaved lane by lane.
static NARROW: [u8; 64] = {
    let mut index = [0; 64];
    let mut lane = 0;
    while lane < 32 {
        index[2 * lane] = 2 * lane as u8;
        index[2 * lane + 1] = 64 + 2 * lane as u8;
        lane += 1;
    }
    index
};
