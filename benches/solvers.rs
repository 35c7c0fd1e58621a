//! Every solver on small generated sets, uniqueness proven; and the generator.
#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use sudoku_batch::generate::{Distribution, Filter, Generator, Kind, Request};
use sudoku_batch::grid::PuzzleLine;
use sudoku_batch::roster::ROSTER;
use sudoku_batch::solve::{Goal, Limits, Outcome};

const KINDS: [(Kind, &str); 2] = [(Kind::Easy, "easy"), (Kind::Minimal, "minimal")];

/// Number of puzzles per set, and the sets.
fn sets() -> Vec<(&'static str, Vec<PuzzleLine>)> {
    let mut generator = Generator::default();
    let mut sets: Vec<(&str, Vec<PuzzleLine>)> = KINDS
        .into_iter()
        .map(|(kind, name)| {
            let puzzles = (0..100).map(|n| generator.puzzle(kind, 0, n));
            (
                name,
                puzzles.map(|puzzle| PuzzleLine::from(&puzzle)).collect(),
            )
        })
        .collect();
    let hard = include_str!("../datasets/puzzles/hard.txt")
        .lines()
        .take(10);
    let hard = hard.map(|line| PuzzleLine::from_slice(line.as_bytes()).unwrap());
    sets.push(("hard", hard.collect()));
    sets
}

fn solving(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    for (set, lines) in sets() {
        group.throughput(Throughput::Elements(lines.len() as u64));
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
    for (kind, name) in KINDS {
        let mut generator = Generator::default();
        let mut n = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                n += 1;
                generator.puzzle(kind, 0, n)
            });
        });
    }
    // Trials; `tests/reasoning/generator/` prints the number of trials per puzzle.
    let controlled = Request {
        distribution: Some(Distribution::Controlled),
        ..Request::from(Kind::Minimal)
    };
    let rated = Request {
        filter: Filter {
            er: Some("8..".parse().unwrap()),
            ..Filter::default()
        },
        ..Request::from(Kind::Minimal)
    };
    for (request, name) in [(controlled, "controlled"), (rated, "er 8.0.. and more")] {
        let mut generator = Generator::default();
        let mut n = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                n += 1;
                generator.trial(&request, 0, n)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, solving, generating);
criterion_main!(benches);
