//! Every solver of variants on small generated sets, uniqueness proven; and the generator.
#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use sudoku_batch::solve::{Goal, Limits};
use sudoku_batch::variant::{
    Boxes, LayoutKind, VARIANT_SOLVERS, VariantGenerator, VariantKind, VariantPuzzle,
};

/// A measurement: name, kind, and number of puzzles.
fn sets() -> Vec<(&'static str, VariantKind, u64)> {
    let boxes = |rows, columns| LayoutKind::boxes(Boxes { rows, columns });
    let diagonals = LayoutKind {
        diagonals: true,
        ..boxes(3, 3)
    };
    let killer = LayoutKind {
        cages: Some(5),
        ..boxes(3, 3)
    };
    let kind = |layout, minimal| VariantKind { layout, minimal };
    vec![
        ("6x6", kind(boxes(2, 3), true), 100),
        ("9x9", kind(boxes(3, 3), true), 100),
        ("9x9-diagonals", kind(diagonals, true), 100),
        ("9x9-jigsaw", kind(LayoutKind::jigsaw(9), true), 20),
        ("9x9-killer", kind(killer, true), 20),
        ("16x16", kind(boxes(4, 4), true), 5),
        ("25x25", kind(boxes(5, 5), false), 2),
    ]
}

fn solving(criterion: &mut Criterion) {
    let mut generator = VariantGenerator::new();
    let mut group = criterion.benchmark_group("solve");
    group.sample_size(10);
    for (set, kind, count) in sets() {
        let puzzles: Vec<VariantPuzzle> = (0..count)
            .map(|n| generator.puzzle(kind, 0, n).unwrap().0)
            .collect();
        group.throughput(Throughput::Elements(count));
        for spec in VARIANT_SOLVERS {
            if !(spec.supports)(puzzles[0].layout()) {
                continue;
            }
            let mut solver = (spec.build)();
            group.bench_function(format!("{}/{set}", spec.name), |bencher| {
                bencher.iter(|| {
                    let solve = |puzzle| solver.solve(puzzle, Goal::ProveUnique, Limits::NONE);
                    puzzles
                        .iter()
                        .map(solve)
                        .map(|outcome| outcome.effort.nodes)
                        .sum::<u64>()
                });
            });
        }
    }
    group.finish();
}

fn generating(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generate");
    group.sample_size(10);
    for (set, kind, _) in sets() {
        let mut generator = VariantGenerator::new();
        let mut n = 0;
        group.bench_function(set, |bencher| {
            bencher.iter(|| {
                n += 1;
                generator.puzzle(kind, 0, n).unwrap()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, solving, generating);
criterion_main!(benches);
