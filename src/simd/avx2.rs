//! 16 lanes of AVX2.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::floats::{Floats, MAX_FLOATS};
use super::isa::{COLUMNS, Isa, Kernel, MAX_LANES, ROW, part, part_mut};
use super::operations::operations;

/// Proof that this CPU has AVX2, and what came with it: multiplication and addition in one, and instructions for bits.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Returns the token, where the CPU has the instructions and the system saves their registers.
    pub fn detect() -> Option<Avx2> {
        let there = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        there.then_some(Avx2(()))
    }
}

impl Isa for Avx2 {
    type Vector = __m256i;
    /// All bits of a lane, or none.
    type Mask = __m256i;
    const LANES: usize = 16;

    #[inline(always)]
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
        fn enter<K: Kernel<Avx2>>(isa: Avx2, kernel: K) -> K::Output {
            kernel.run(isa)
        }
        // SAFETY: the token is proof that the CPU has these instructions.
        unsafe { enter(self, kernel) }
    }

    operations! {
        "avx2,bmi1,bmi2,fma,lzcnt,popcnt";
        splat(value: u16) -> __m256i { _mm256_set1_epi16(value.cast_signed()) }
        and(a: __m256i, b: __m256i) -> __m256i { _mm256_and_si256(a, b) }
        or(a: __m256i, b: __m256i) -> __m256i { _mm256_or_si256(a, b) }
        and_not(a: __m256i, b: __m256i) -> __m256i { _mm256_andnot_si256(b, a) }
        and3(a: __m256i, b: __m256i, c: __m256i) -> __m256i { _mm256_and_si256(_mm256_and_si256(a, b), c) }
        or3(a: __m256i, b: __m256i, c: __m256i) -> __m256i { _mm256_or_si256(_mm256_or_si256(a, b), c) }
        majority(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
            _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(c, _mm256_or_si256(a, b)))
        }
        and_neither(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
            _mm256_andnot_si256(_mm256_or_si256(b, c), a)
        }
        and_or(a: __m256i, b: __m256i, c: __m256i) -> __m256i { _mm256_or_si256(_mm256_and_si256(a, b), c) }
        add(a: __m256i, b: __m256i) -> __m256i { _mm256_add_epi16(a, b) }
        min(a: __m256i, b: __m256i) -> __m256i { _mm256_min_epu16(a, b) }
        max(a: __m256i, b: __m256i) -> __m256i { _mm256_max_epu16(a, b) }
        count_ones(a: __m256i) -> __m256i {
            // Mula's: four bits at a time by a table, then the counts of both bytes of a lane.
            let counts = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            ));
            let nibble = _mm256_set1_epi8(15);
            let low = _mm256_shuffle_epi8(counts, _mm256_and_si256(a, nibble));
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(a), nibble);
            let bytes = _mm256_add_epi8(low, _mm256_shuffle_epi8(counts, high));
            _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1))
        }
        disjoint(a: __m256i, b: __m256i) -> __m256i {
            _mm256_cmpeq_epi16(_mm256_and_si256(a, b), _mm256_setzero_si256())
        }
        equal(a: __m256i, b: __m256i) -> __m256i { _mm256_cmpeq_epi16(a, b) }
        less(a: __m256i, b: __m256i) -> __m256i {
            // Where the larger of both is not a.
            _mm256_andnot_si256(_mm256_cmpeq_epi16(_mm256_max_epu16(a, b), a), _mm256_set1_epi16(-1))
        }
        keep(mask: __m256i, a: __m256i) -> __m256i { _mm256_and_si256(mask, a) }
        select(mask: __m256i, yes: __m256i, no: __m256i) -> __m256i { _mm256_blendv_epi8(no, yes, mask) }
        bits(mask: __m256i) -> u32 {
            // Two bytes a lane; packing makes it one, in the order of the halves.
            let bytes = _mm256_packs_epi16(mask, _mm256_setzero_si256());
            let bits = _mm256_movemask_epi8(bytes).cast_unsigned();
            (bits & 0xFF) | (bits >> 8 & 0xFF00)
        }
        mask(bits: u32) -> __m256i {
            #[rustfmt::skip]
            let lane = _mm256_setr_epi16(
                1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, i16::MIN,
            );
            let bits = _mm256_set1_epi16((bits as u16).cast_signed());
            _mm256_cmpeq_epi16(_mm256_and_si256(bits, lane), lane)
        }
        load(lanes: &[u16; MAX_LANES]) -> __m256i {
            // SAFETY: 32 bytes are read of an array of 64.
            unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
        }
        lanes(vector: __m256i) -> [u16; MAX_LANES] {
            let mut lanes = [0; MAX_LANES];
            // SAFETY: 32 bytes are written to an array of 64.
            unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), vector) };
            lanes
        }
        permute(a: __m256i, from: __m256i) -> __m256i { permuted(a, from) }
        look_up(table: &[u16; MAX_LANES], index: __m256i) -> __m256i {
            let [low, high] = [&table[..16], &table[16..]].map(|half| {
                // SAFETY: 32 bytes are read of a half, which has as many.
                unsafe { _mm256_loadu_si256(half.as_ptr().cast()) }
            });
            let index = _mm256_and_si256(index, _mm256_set1_epi16(31));
            let is_high = _mm256_cmpgt_epi16(index, _mm256_set1_epi16(15));
            let lane = _mm256_and_si256(index, _mm256_set1_epi16(15));
            _mm256_blendv_epi8(permuted(low, lane), permuted(high, lane), is_high)
        }
        columns(rows: &[&[u8; ROW]], at: usize) -> [__m256i; COLUMNS] {
            let rows: &[&[u8; ROW]; 16] = rows.try_into().expect("a row for each lane");
            let mut r = [_mm_setzero_si128(); 16];
            for (r, row) in r.iter_mut().zip(rows) {
                let part = part(row, at);
                // SAFETY: 16 bytes are read of an array of 16.
                *r = unsafe { _mm_loadu_si128(part.as_ptr().cast()) };
            }
            let r = transpose(r);
            let mut columns = [_mm256_setzero_si256(); COLUMNS];
            for (column, r) in columns.iter_mut().zip(r) {
                *column = _mm256_cvtepu8_epi16(r);
            }
            columns
        }
        rows(columns: &[__m256i; COLUMNS], rows: &mut [[u8; ROW]; MAX_LANES], at: usize) -> () {
            let low_byte = _mm256_set1_epi16(0xFF);
            let mut c = [_mm_setzero_si128(); 16];
            for (c, column) in c.iter_mut().zip(columns) {
                let low = _mm256_and_si256(*column, low_byte);
                let packed = _mm256_packus_epi16(low, low);
                *c = _mm256_castsi256_si128(_mm256_permute4x64_epi64::<0b1000>(packed));
            }
            for (row, r) in rows.iter_mut().zip(transpose(c)) {
                let part = part_mut(row, at);
                // SAFETY: 16 bytes are written to an array of 16.
                unsafe { _mm_storeu_si128(part.as_mut_ptr().cast(), r) };
            }
        }
    }
}

impl Floats for Avx2 {
    type Floats = __m256;
    const FLOATS: usize = 8;
    const TILE: usize = 2;

    operations! {
        "avx2,fma";
        load_floats(numbers: &[f32; MAX_FLOATS]) -> __m256 {
            // SAFETY: 32 bytes are read of an array of 64.
            unsafe { _mm256_loadu_ps(numbers.as_ptr()) }
        }
        splat_float(number: f32) -> __m256 { _mm256_set1_ps(number) }
        plus_product(sum: __m256, a: __m256, b: __m256) -> __m256 { _mm256_fmadd_ps(a, b, sum) }
        store_floats(lanes: __m256, numbers: &mut [f32]) -> () {
            let whole = |to: &mut [f32; 8]| {
                // SAFETY: 32 bytes are written to an array of as many.
                unsafe { _mm256_storeu_ps(to.as_mut_ptr(), lanes) };
            };
            match numbers.first_chunk_mut() {
                Some(numbers) => whole(numbers),
                None => {
                    let mut all = [0.0; 8];
                    whole(&mut all);
                    numbers.copy_from_slice(&all[..numbers.len()]);
                }
            }
        }
    }
}

/// Returns a vector whose lane `l` is lane `from[l]` of `a`.
#[inline]
#[target_feature(enable = "avx2")]
fn permuted(a: __m256i, from: __m256i) -> __m256i {
    // Bytes 2 f and 2 f + 1 of the eight lanes of a half, from either half; then the right one.
    let lane = _mm256_and_si256(from, _mm256_set1_epi16(7));
    let bytes = _mm256_add_epi16(
        _mm256_mullo_epi16(lane, _mm256_set1_epi16(0x0202)),
        _mm256_set1_epi16(0x0100),
    );
    let low = _mm256_permute2x128_si256::<0x00>(a, a);
    let high = _mm256_permute2x128_si256::<0x11>(a, a);
    let is_high = _mm256_cmpgt_epi16(from, _mm256_set1_epi16(7));
    _mm256_blendv_epi8(
        _mm256_shuffle_epi8(low, bytes),
        _mm256_shuffle_epi8(high, bytes),
        is_high,
    )
}

/// Transposes 16 rows of 16 bytes: four rounds, each of which interleaves row `i` with row `i + 8`.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose(mut r: [__m128i; 16]) -> [__m128i; 16] {
    for _ in 0..4 {
        let mut s = r;
        for i in 0..8 {
            s[2 * i] = _mm_unpacklo_epi8(r[i], r[i + 8]);
            s[2 * i + 1] = _mm_unpackhi_epi8(r[i], r[i + 8]);
        }
        r = s;
    }
    r
}
