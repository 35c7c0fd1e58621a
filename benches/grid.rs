//! Puzzles as text, and their symmetries.
#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::hint::black_box;

use sudoku_batch::grid::Puzzle;
use sudoku_batch::solve::random_symmetry;

/// The first puzzle of Project Euler's problem 96.
const EULER: &str =
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";

fn grid(criterion: &mut Criterion) {
    let puzzle: Puzzle = EULER.parse().unwrap();
    let symmetry = random_symmetry(&mut ChaCha8Rng::seed_from_u64(0));
    criterion.bench_function("grid/parse", |bencher| {
        bencher.iter(|| black_box(EULER).parse::<Puzzle>());
    });
    criterion.bench_function("grid/print", |bencher| {
        bencher.iter(|| black_box(&puzzle).to_line());
    });
    criterion.bench_function("grid/consistent", |bencher| {
        bencher.iter(|| black_box(&puzzle).is_consistent());
    });
    criterion.bench_function("grid/symmetry", |bencher| {
        bencher.iter(|| symmetry.puzzle(black_box(&puzzle)));
    });
}

criterion_group!(benches, grid);
criterion_main!(benches);
