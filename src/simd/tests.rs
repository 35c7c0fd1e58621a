//! Tests every operation of every instruction set of this CPU against its definition in plain Rust.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::floats::{Floats, MAX_FLOATS};
use super::isa::{COLUMNS, Isa, Kernel, MAX_LANES, ROW};
use super::portable::Portable;
use super::square::Square;

type Lanes = [u16; MAX_LANES];

/// Number of rounds. Under Miri a few are enough: what it checks does not depend on the numbers.
const ROUNDS: usize = if cfg!(miri) { 2 } else { 500 };

/// Calls the check for each instruction set that this CPU has.
macro_rules! on_all {
    ($check:ident) => {
        $check(Portable);
        #[cfg(target_arch = "x86_64")]
        {
            super::avx2::Avx2::detect().map($check);
            super::avx512::Avx512::detect().map($check);
            super::narrow::NarrowAvx512::detect().map($check);
        }
        #[cfg(target_arch = "aarch64")]
        super::neon::Neon::detect().map($check);
        #[cfg(target_arch = "wasm32")]
        super::wasm::Simd128::detect().map($check);
    };
}

/// Returns random lanes, with many that are equal, empty, full or have one bit.
fn random(rng: &mut ChaCha8Rng) -> Lanes {
    std::array::from_fn(|_| match rng.random_range(0..6) {
        0 => 0,
        1 => u16::MAX,
        2 => 1 << rng.random_range(0..16),
        3 => rng.random_range(0..4),
        _ => rng.random(),
    })
}

/// Asserts that the lanes of a vector are these, up to the number of lanes.
fn assert_lanes<I: Isa>(isa: I, what: &str, found: I::Vector, expected: impl Fn(usize) -> u16) {
    let found = isa.lanes(found);
    for (lane, &value) in found.iter().enumerate() {
        let expected = if lane < I::LANES { expected(lane) } else { 0 };
        assert_eq!(value, expected, "{what}, lane {lane} of {}", I::LANES);
    }
}

fn assert_flags<I: Isa>(isa: I, what: &str, found: I::Mask, expected: impl Fn(usize) -> bool) {
    let expected = (0..I::LANES).fold(0, |bits, lane| bits | u32::from(expected(lane)) << lane);
    assert_eq!(isa.bits(found), expected, "{what} of {} lanes", I::LANES);
}

fn check_lanewise<I: Isa>(isa: I) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..ROUNDS {
        let [x, y, z] = std::array::from_fn(|_| random(&mut rng));
        let (a, b, c) = (isa.load(&x), isa.load(&y), isa.load(&z));
        let value = rng.random();
        assert_lanes(isa, "load", a, |l| x[l]);
        assert_lanes(isa, "splat", isa.splat(value), |_| value);
        assert_lanes(isa, "and", isa.and(a, b), |l| x[l] & y[l]);
        assert_lanes(isa, "or", isa.or(a, b), |l| x[l] | y[l]);
        assert_lanes(isa, "and_not", isa.and_not(a, b), |l| x[l] & !y[l]);
        assert_lanes(isa, "and3", isa.and3(a, b, c), |l| x[l] & y[l] & z[l]);
        assert_lanes(isa, "or3", isa.or3(a, b, c), |l| x[l] | y[l] | z[l]);
        assert_lanes(isa, "majority", isa.majority(a, b, c), |l| {
            (x[l] & y[l]) | (x[l] & z[l]) | (y[l] & z[l])
        });
        assert_lanes(isa, "and_neither", isa.and_neither(a, b, c), |l| {
            x[l] & !y[l] & !z[l]
        });
        assert_lanes(isa, "and_or", isa.and_or(a, b, c), |l| (x[l] & y[l]) | z[l]);
        assert_lanes(isa, "add", isa.add(a, b), |l| x[l].wrapping_add(y[l]));
        assert_lanes(isa, "min", isa.min(a, b), |l| x[l].min(y[l]));
        assert_lanes(isa, "max", isa.max(a, b), |l| x[l].max(y[l]));
        assert_lanes(isa, "count_ones", isa.count_ones(a), |l| {
            x[l].count_ones() as u16
        });
        assert_flags(isa, "disjoint", isa.disjoint(a, b), |l| x[l] & y[l] == 0);
        assert_flags(isa, "equal", isa.equal(a, b), |l| x[l] == y[l]);
        assert_flags(isa, "less", isa.less(a, b), |l| x[l] < y[l]);
        let bits: u32 = rng.random();
        let mask = isa.mask(bits);
        let is_set = |l: usize| bits >> l & 1 == 1;
        assert_flags(isa, "mask", mask, is_set);
        assert_lanes(isa, "keep", isa.keep(mask, a), |l| {
            if is_set(l) { x[l] } else { 0 }
        });
        assert_lanes(isa, "select", isa.select(mask, a, b), |l| {
            if is_set(l) { x[l] } else { y[l] }
        });
    }
}

fn check_between_lanes<I: Isa>(isa: I) {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..ROUNDS {
        let [x, table] = std::array::from_fn(|_| random(&mut rng));
        let from: Lanes = std::array::from_fn(|_| rng.random_range(0..I::LANES as u16));
        let moved = isa.permute(isa.load(&x), isa.load(&from));
        assert_lanes(isa, "permute", moved, |l| x[usize::from(from[l])]);
        let index: Lanes = std::array::from_fn(|_| rng.random_range(0..256));
        let found = isa.look_up(&table, isa.load(&index));
        assert_lanes(isa, "look_up", found, |l| {
            table[usize::from(index[l]) % MAX_LANES]
        });
    }
}

fn check_columns_and_rows<I: Isa>(isa: I) {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for at in [0, 16, 48, 65] {
        let rows: [[u8; ROW]; MAX_LANES] =
            std::array::from_fn(|_| std::array::from_fn(|_| rng.random()));
        let lines: Vec<&[u8; ROW]> = rows.iter().take(I::LANES).collect();
        let mut columns = isa.columns(&lines, at);
        for (column, vector) in columns.iter().enumerate() {
            assert_lanes(isa, "columns", *vector, |l| u16::from(rows[l][at + column]));
        }
        // Only low bytes count on the way back.
        for vector in &mut columns {
            *vector = isa.or(*vector, isa.splat(0xA500));
        }
        let mut back = [[7; ROW]; MAX_LANES];
        let mut expected = back;
        isa.rows(&columns, &mut back, at);
        let written = at..at + COLUMNS;
        for (expected, row) in expected.iter_mut().zip(&rows[..I::LANES]) {
            expected[written.clone()].copy_from_slice(&row[written.clone()]);
        }
        assert_eq!(back, expected);
    }
}

fn panics(work: impl FnOnce()) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err()
}

fn check_bounds<I: Isa>(isa: I) {
    let row = [0; ROW];
    let rows = vec![&row; I::LANES];
    let columns = [isa.splat(0); COLUMNS];
    let read = |rows: &[&[u8; ROW]], at| {
        panics(|| {
            let _ = isa.columns(rows, at);
        })
    };
    for at in [ROW - COLUMNS + 1, ROW, usize::MAX - COLUMNS + 1, usize::MAX] {
        assert!(read(&rows, at), "{at} is read in {} lanes", I::LANES);
        let written = panics(|| isa.rows(&columns, &mut [[0; ROW]; MAX_LANES], at));
        assert!(written, "{at} is written in {} lanes", I::LANES);
    }
    assert!(read(&rows[1..], 0), "{} rows", I::LANES - 1);
    assert!(!read(&rows, ROW - COLUMNS));
}

/// Runs an operation as a kernel, where compilers generate different code.
struct Sum<'a>(&'a [Lanes]);

impl<I: Isa> Kernel<I> for Sum<'_> {
    type Output = Lanes;

    #[inline(always)]
    fn run(self, isa: I) -> Lanes {
        let mut sum = isa.splat(0);
        for lanes in self.0 {
            sum = isa.add(sum, isa.count_ones(isa.load(lanes)));
        }
        isa.lanes(sum)
    }
}

fn check_kernel<I: Isa>(isa: I) {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let all: Vec<Lanes> = (0..ROUNDS).map(|_| random(&mut rng)).collect();
    let sum = isa.run(Sum(&all));
    for lane in 0..I::LANES {
        let expected: u32 = all.iter().map(|lanes| lanes[lane].count_ones()).sum();
        assert_eq!(u32::from(sum[lane]), expected);
    }
}

fn check_squares<I: Square>(isa: I) {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..ROUNDS {
        let mut x = random(&mut rng);
        for edge in [3, 7, 11, 12, 13, 14, 15] {
            x[edge] = 7;
        }
        let a = isa.load(&x);
        let columns = isa.columns_rotated(isa.constants(), a);
        let rows = isa.rows_rotated(a);
        let single = isa.single(isa.constants(), a);
        assert_lanes(isa, "single", single, |l| match x[l].count_ones() {
            0 | 1 => x[l],
            _ => 0,
        });
        for (by, (columns, rows)) in (1..).zip(columns.into_iter().zip(rows)) {
            let is_edge = |l: usize| l % 4 == 3 || l / 4 == 3;
            assert_lanes(isa, "columns_rotated", columns, |l| match is_edge(l) {
                true => 7,
                false => x[l / 4 * 4 + (l % 4 + by) % 3],
            });
            assert_lanes(isa, "rows_rotated", rows, |l| match is_edge(l) {
                true => 7,
                false => x[(l / 4 + by) % 3 * 4 + l % 4],
            });
        }
        assert!(isa.all_equal(a, a));
        let lane = rng.random_range(0..16);
        x[lane] ^= 1 << rng.random_range(0..16);
        assert!(!isa.all_equal(a, isa.load(&x)), "lane {lane}");
    }
}

#[test]
fn squares_are_rotated() {
    check_squares(Portable);
    #[cfg(target_arch = "x86_64")]
    {
        let _ = super::avx2::Avx2::detect().map(check_squares);
        let _ = super::narrow::NarrowAvx512::detect().map(check_squares);
    }
    #[cfg(target_arch = "aarch64")]
    let _ = super::neon::Neon::detect().map(check_squares);
    #[cfg(target_arch = "wasm32")]
    let _ = super::wasm::Simd128::detect().map(check_squares);
}

fn check_floats<I: Floats>(isa: I) {
    let a: [f32; MAX_FLOATS] = std::array::from_fn(|lane| lane as f32 - 2.5);
    let b: [f32; MAX_FLOATS] = std::array::from_fn(|lane| 0.5 * lane as f32);
    let sum = isa.plus_product(
        isa.splat_float(0.25),
        isa.load_floats(&a),
        isa.load_floats(&b),
    );
    // Fewer numbers than lanes, as many, and more.
    for length in 0..2 * MAX_FLOATS {
        let mut numbers = vec![9.0; length];
        isa.store_floats(sum, &mut numbers);
        for (lane, &number) in numbers.iter().enumerate() {
            let is_lane = lane < I::FLOATS;
            let expected = if is_lane {
                0.25 + a[lane] * b[lane]
            } else {
                9.0
            };
            assert_eq!(number, expected, "lane {lane} of {length} numbers");
        }
    }
}

#[test]
fn floats_are_multiplied_added_and_stored_in_bounds() {
    check_floats(Portable);
    #[cfg(target_arch = "x86_64")]
    {
        let _ = super::avx2::Avx2::detect().map(check_floats);
        let _ = super::avx512::Avx512::detect().map(check_floats);
    }
}

#[test]
fn lane_operations_match_their_names() {
    on_all!(check_lanewise);
}

#[test]
fn lanes_are_permuted() {
    on_all!(check_between_lanes);
}

#[test]
fn byte_tables_are_transposed_and_restored() {
    on_all!(check_columns_and_rows);
}

#[test]
fn no_column_past_the_end_of_a_row_is_touched() {
    on_all!(check_bounds);
}

#[test]
fn kernels_run_on_all_instructions() {
    on_all!(check_kernel);
}
