//! Decoding one board: a clear one, and one with a digit that has to be overruled.
#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

use sudoku_batch::decode::{DecodeConfig, decode};
use sudoku_batch::digits::Posterior;
use sudoku_batch::grid::{Cell, CellMap, Digit, Puzzle};
use sudoku_batch::solve::Mrv;

/// The first puzzle of Project Euler's problem 96.
const EULER: &str =
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";

/// A posterior nearly certain of one content.
fn sure(content: Option<Digit>) -> Posterior {
    let mut weights = [1e-5; 10];
    weights[content.map_or(0, |digit| digit.value() as usize)] = 1.0;
    Posterior::from_weights(weights).unwrap()
}

fn decoding(criterion: &mut Criterion) {
    let truth: Puzzle = EULER.parse().unwrap();
    let well = CellMap::from_fn(|cell| sure(truth.given(cell)));
    let mut misread = well;
    let mut weights = [1e-5; 10];
    (weights[8], weights[3]) = (0.9, 0.1);
    misread[Cell::at(0, 2).unwrap()] = Posterior::from_weights(weights).unwrap();

    let config = DecodeConfig::default();
    let mut solver = Mrv::new();
    for (name, posteriors) in [("read well", well), ("one digit misread", misread)] {
        criterion.bench_function(&format!("decode/{name}"), |bencher| {
            bencher.iter(|| decode(black_box(&posteriors), &mut solver, &config));
        });
    }
}

criterion_group!(benches, decoding);
criterion_main!(benches);
