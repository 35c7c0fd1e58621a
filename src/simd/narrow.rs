//! Squares of 16 lanes on x86: with AVX2, and with what AVX-512 adds for vectors of that width.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::avx2::Avx2;
use super::avx512::Avx512;
use super::isa::{COLUMNS, Isa, Kernel, MAX_LANES, ROW};
use super::operations::operations;
use super::square::Square;

/// Proof that this CPU has the instructions of [`Avx512`], for vectors half as wide.
///
/// It offers the operations of [`Avx2`], with twice as many registers, Boolean operations of three
/// operands, and an instruction that counts bits.
#[derive(Clone, Copy, Debug)]
pub struct NarrowAvx512(Avx2);

impl NarrowAvx512 {
    /// Returns the token, where the CPU has the instructions and the system saves their registers.
    pub fn detect() -> Option<NarrowAvx512> {
        Avx512::detect()?;
        Avx2::detect().map(NarrowAvx512)
    }
}

/// Writes methods that forward to those of the token inside.
macro_rules! as_inside {
    ($($name:ident($($arg:ident: $type:ty),*) -> $result:ty;)*) => {
        $(#[inline(always)]
        fn $name(self, $($arg: $type),*) -> $result {
            self.0.$name($($arg),*)
        })*
    };
}

impl Isa for NarrowAvx512 {
    type Vector = __m256i;
    /// All bits of a lane, or none.
    type Mask = __m256i;
    const LANES: usize = 16;

    #[inline(always)]
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg")]
        #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
        fn enter<K: Kernel<NarrowAvx512>>(isa: NarrowAvx512, kernel: K) -> K::Output {
            kernel.run(isa)
        }
        // SAFETY: the token is proof that the CPU has these instructions.
        unsafe { enter(self, kernel) }
    }

    operations! {
        "avx512vl,avx512bitalg";
        count_ones(a: __m256i) -> __m256i { _mm256_popcnt_epi16(a) }
    }

    as_inside! {
        splat(value: u16) -> __m256i;
        load(lanes: &[u16; MAX_LANES]) -> __m256i;
        lanes(vector: __m256i) -> [u16; MAX_LANES];
        and(a: __m256i, b: __m256i) -> __m256i;
        or(a: __m256i, b: __m256i) -> __m256i;
        and_not(a: __m256i, b: __m256i) -> __m256i;
        and3(a: __m256i, b: __m256i, c: __m256i) -> __m256i;
        or3(a: __m256i, b: __m256i, c: __m256i) -> __m256i;
        majority(a: __m256i, b: __m256i, c: __m256i) -> __m256i;
        and_neither(a: __m256i, b: __m256i, c: __m256i) -> __m256i;
        and_or(a: __m256i, b: __m256i, c: __m256i) -> __m256i;
        add(a: __m256i, b: __m256i) -> __m256i;
        min(a: __m256i, b: __m256i) -> __m256i;
        max(a: __m256i, b: __m256i) -> __m256i;
        disjoint(a: __m256i, b: __m256i) -> __m256i;
        equal(a: __m256i, b: __m256i) -> __m256i;
        less(a: __m256i, b: __m256i) -> __m256i;
        keep(mask: __m256i, a: __m256i) -> __m256i;
        select(mask: __m256i, yes: __m256i, no: __m256i) -> __m256i;
        bits(mask: __m256i) -> u32;
        mask(bits: u32) -> __m256i;
        permute(a: __m256i, from: __m256i) -> __m256i;
        look_up(table: &[u16; MAX_LANES], index: __m256i) -> __m256i;
        columns(rows: &[&[u8; ROW]], at: usize) -> [__m256i; COLUMNS];
    }

    #[inline(always)]
    fn rows(self, columns: &[__m256i; COLUMNS], rows: &mut [[u8; ROW]; MAX_LANES], at: usize) {
        self.0.rows(columns, rows, at);
    }
}

impl Square for Avx2 {
    /// Two byte orders that rotate columns, and −1.
    type Constants = [__m256i; 3];

    operations! {
        "avx2";
        constants() -> [__m256i; 3] {
            // Two bytes a lane, in each half of the vector by themselves.
            let one = _mm_setr_epi8(2, 3, 4, 5, 0, 1, 6, 7, 10, 11, 12, 13, 8, 9, 14, 15);
            let two = _mm_setr_epi8(4, 5, 0, 1, 2, 3, 6, 7, 12, 13, 8, 9, 10, 11, 14, 15);
            [
                _mm256_broadcastsi128_si256(one),
                _mm256_broadcastsi128_si256(two),
                _mm256_set1_epi16(-1),
            ]
        }
        single(constants: [__m256i; 3], a: __m256i) -> __m256i {
            let more = _mm256_and_si256(a, _mm256_add_epi16(a, constants[2]));
            _mm256_and_si256(a, _mm256_cmpeq_epi16(more, _mm256_setzero_si256()))
        }
        columns_rotated(constants: [__m256i; 3], a: __m256i) -> [__m256i; 2] {
            [_mm256_shuffle_epi8(a, constants[0]), _mm256_shuffle_epi8(a, constants[1])]
        }
        rows_rotated(a: __m256i) -> [__m256i; 2] {
            // A row is 64 bits.
            [
                _mm256_permute4x64_epi64::<0b11_00_10_01>(a),
                _mm256_permute4x64_epi64::<0b11_01_00_10>(a),
            ]
        }
        all_equal(a: __m256i, b: __m256i) -> bool {
            let different = _mm256_xor_si256(a, b);
            _mm256_testz_si256(different, different) == 1
        }
    }
}

impl Square for NarrowAvx512 {
    /// Two byte orders that rotate columns, and −1.
    type Constants = [__m256i; 3];

    as_inside! {
        constants() -> [__m256i; 3];
        single(constants: [__m256i; 3], a: __m256i) -> __m256i;
        columns_rotated(constants: [__m256i; 3], a: __m256i) -> [__m256i; 2];
        rows_rotated(a: __m256i) -> [__m256i; 2];
        all_equal(a: __m256i, b: __m256i) -> bool;
    }
}
