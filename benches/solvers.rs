//! Every solver on small generated sets, uniqueness proven; and the generator.
#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use sudoku_batch::grid::PuzzleLine;
use sudoku_batch::roster::ROSTER;
use sudoku_batch::solve::{Generator, Goal, Kind, Limits, Outcome};

const KINDS: [(Kind, &str, u64); 3] = [
    (Kind::Easy, "easy", 100),
    (Kind::Minimal, "minimal", 100),
    (Kind::Hard, "hard", 10),
];

fn solving(criterion: &mut Criterion) {
    let mut generator = Generator::default();
    let mut group = criterion.benchmark_group("solve");
    for (kind, set, count) in KINDS {
        let puzzles = (0..count).map(|n| generator.puzzle(kind, 0, n));
        let lines: Vec<PuzzleLine> = puzzles.map(|puzzle| PuzzleLine::from(&puzzle)).collect();
        group.throughput(Throughput::Elements(count));
        for spec in ROSTER {
            let mut solver = (spec.build)();
            group.bench_function(format!("{}/{set}", spec.name), |bencher| {
                bencher.iter(|| {
                    let mut nodes = 0;
                    let sink = &mut |outcome: Outcome| nodes += outcome.effort.nodes;
                    solver.solve_lines(&lines, Goal::ProveUnique, Limits::NONE, sink);
                    nodes
                });
            });
        }
    }
    group.finish();
}

fn generating(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generate");
    group.sample_size(10);
    for (kind, name, _) in KINDS {
        let mut generator = Generator::default();
        let mut n = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                n += 1;
                generator.puzzle(kind, 0, n)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, solving, generating);
criterion_main!(benches);
