//! Reading puzzle files: lines a second of plain text, of CSV with solutions, and under gzip.
#![allow(clippy::unwrap_used, missing_docs)]

use std::io::{Cursor, Write};
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use flate2::Compression;
use flate2::write::GzEncoder;

use sudoku_batch::corpus::Corpus;
use sudoku_batch::generate::{Generator, Kind};

/// Lines of each corpus: enough to make the time of opening it negligible.
const LINES: usize = 20_000;

/// The bytes of a corpus, shared by the readers of all iterations.
#[derive(Clone)]
struct Text(Arc<[u8]>);

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

fn reading(criterion: &mut Criterion) {
    let mut generator = Generator::default();
    let puzzles: Vec<String> = (0..200)
        .map(|n| generator.puzzle(Kind::Minimal, 0, n).to_line())
        .collect();
    let lines = || puzzles.iter().cycle().take(LINES);
    let plain: String = lines().map(|line| format!("{line}\n")).collect();
    let solution =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let rows: String = lines().map(|line| format!("{line},{solution}\n")).collect();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(plain.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();

    let mut group = criterion.benchmark_group("corpus");
    group.throughput(Throughput::Elements(LINES as u64));
    for (name, bytes) in [
        ("plain", plain.into_bytes()),
        ("csv", format!("quizzes,solutions\n{rows}").into_bytes()),
        ("gzip", gzip),
    ] {
        let text = Text(bytes.into());
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let corpus = Corpus::from_reader(name, Cursor::new(text.clone())).unwrap();
                let count = corpus.filter(Result::is_ok).count();
                assert_eq!(count, LINES);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
