//! Normalization and inference of cell crops on one thread; `MODEL=DIR` selects another model.
#![allow(missing_docs)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sudoku_batch::digits::{DigitClassifier, NetClassifier, normalize};
use sudoku_batch::vision::{CROP_SIDE, CellCrop};

/// Crops with one stroke each, so none is a clear blank.
fn crops(count: usize) -> Vec<CellCrop> {
    let ink =
        |i: usize, at: usize| (at % CROP_SIDE).abs_diff(10 + i % 12) < 3 && at / CROP_SIDE > 6;
    let crop = |i: usize| CellCrop {
        pixels: Box::new(std::array::from_fn(|at| if ink(i, at) { 50 } else { 210 })),
        board_contrast: 160.0,
    };
    (0..count).map(crop).collect()
}

fn digits(criterion: &mut Criterion) {
    let classifier = match std::env::var_os("MODEL") {
        Some(folder) => NetClassifier::load(folder.as_ref()),
        None => NetClassifier::built_in(),
    };
    let classifier = classifier.expect("the model fits");
    let mut group = criterion.benchmark_group("digits");
    group.measurement_time(Duration::from_secs(3));
    for count in [1, 81, 1024] {
        let crops = crops(count);
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new("normalize", count), |bencher| {
            bencher.iter(|| normalize(black_box(&crops)));
        });
        group.bench_function(BenchmarkId::new("classify", count), |bencher| {
            bencher.iter(|| classifier.classify(black_box(&crops)));
        });
    }
    group.finish();
}

criterion_group!(benches, digits);
criterion_main!(benches);
