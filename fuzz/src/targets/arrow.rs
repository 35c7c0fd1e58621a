//! Input that other engines send to `worker`.

use std::sync::LazyLock;

use sudoku_batch::reader::{Reader, ReaderConfig};
use sudoku_batch::recognize::RecognizeConfig;
use sudoku_batch::worker::serve;

use super::pictures::small;

static READER: LazyLock<Reader> = LazyLock::new(|| {
    Reader::new(ReaderConfig::default()).expect("what the reader needs is built in")
});

/// Answers an Arrow stream of photos.
pub fn worker(data: &[u8]) {
    let config = RecognizeConfig {
        photo: small(),
        marks: true,
        ..RecognizeConfig::default()
    };
    let mut rows = Vec::new();
    match serve(data, &mut rows, &READER, &config) {
        Ok(()) => assert!(!rows.is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
