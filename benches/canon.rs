//! Rates of canonical forms and random images: of shuffled puzzles with 17 givens if `SUDOKU_BATCH_DATA` names
//! the folder of published puzzles, of generated ones otherwise.
//!
//! `cargo bench --bench canon` prints `thrpt`, puzzles, grids and images a second on one core.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::hint::black_box;

use sudoku_batch::canon::{Augmenter, Canonizer, Moves};
use sudoku_batch::generate::{Generator, Kind};
use sudoku_batch::grid::{PuzzleLine, Solution};
use sudoku_batch::solve::{Goal, Limits, Lockstep, Solver, Verdict, random_symmetry};

/// Puzzles per round.
const PUZZLES: usize = 5_000;
/// Images per puzzle.
const IMAGES: usize = 100;

/// Random images of different puzzles.
fn puzzles() -> Vec<PuzzleLine> {
    let puzzles: Vec<PuzzleLine> = match std::env::var_os("SUDOKU_BATCH_DATA") {
        Some(data) => {
            let text = fs::read_to_string(Path::new(&data).join("puzzles/17_clue.txt")).unwrap();
            let lines = text
                .lines()
                .filter_map(|line| PuzzleLine::from_slice(line.as_bytes()));
            // From all over the file, which is sorted.
            lines.step_by(9).take(PUZZLES).collect()
        }
        None => {
            let mut generator = Generator::default();
            let numbers = 0..PUZZLES as u64;
            numbers
                .map(|n| PuzzleLine::from(&generator.puzzle(Kind::Minimal, 0, n)))
                .collect()
        }
    };
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    puzzles
        .iter()
        .map(|puzzle| random_symmetry(&mut rng).line(puzzle))
        .collect()
}

fn canon(criterion: &mut Criterion) {
    let puzzles = puzzles();
    let mut grids: Vec<Solution> = Vec::new();
    Lockstep::default().solve_lines(&puzzles, Goal::ProveUnique, Limits::NONE, &mut |outcome| {
        if let Verdict::Unique(solution) = outcome.verdict {
            grids.push(solution);
        }
    });
    let mut canonizer = Canonizer::new();
    let mut group = criterion.benchmark_group("canon");
    group.throughput(Throughput::Elements(puzzles.len() as u64));
    group.bench_function("minlex_line", |bencher| {
        bencher.iter(|| {
            for puzzle in &puzzles {
                black_box(canonizer.minlex_line(puzzle));
            }
        });
    });
    group.bench_function("minlex", |bencher| {
        bencher.iter(|| {
            for puzzle in &puzzles {
                black_box(canonizer.minlex(puzzle));
            }
        });
    });
    group.bench_function("pattern", |bencher| {
        bencher.iter(|| {
            for puzzle in &puzzles {
                black_box(canonizer.pattern(puzzle));
            }
        });
    });
    group.throughput(Throughput::Elements(grids.len() as u64));
    group.bench_function("grid_line", |bencher| {
        bencher.iter(|| {
            for grid in &grids {
                black_box(canonizer.grid_line(grid));
            }
        });
    });
    group.bench_function("grid", |bencher| {
        bencher.iter(|| {
            for grid in &grids {
                black_box(canonizer.grid(grid));
            }
        });
    });
    group.bench_function("by_solution", |bencher| {
        bencher.iter(|| {
            for (puzzle, grid) in puzzles.iter().zip(&grids) {
                black_box(canonizer.by_solution(puzzle, grid));
            }
        });
    });
    group.finish();
}

fn augment(criterion: &mut Criterion) {
    let puzzles = puzzles();
    let mut augmenter = Augmenter::new(Moves::ALL);
    let mut group = criterion.benchmark_group("augment");
    let few = &puzzles[..100];
    group.throughput(Throughput::Elements((few.len() * IMAGES) as u64));
    group.bench_function("images", |bencher| {
        let mut text: Vec<u8> = Vec::with_capacity(82 * few.len() * IMAGES);
        bencher.iter(|| {
            text.clear();
            for (seed, puzzle) in (0..).zip(few) {
                for image in augmenter.images(puzzle, IMAGES, seed) {
                    text.extend_from_slice(image.line.as_bytes());
                    text.push(b'\n');
                }
            }
            black_box(&text);
        });
    });
    group.finish();
}

criterion_group!(benches, canon, augment);
criterion_main!(benches);
