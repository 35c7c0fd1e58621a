//! Jobs split into shards: the same bytes as on one machine, and errors that name the problem.

mod corpora;
mod measurements;
mod photos;
mod refusals;

use crate::common::same_files;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use sudoku_batch::corpus::{Corpora, CorpusError};

/// Runs the program in a folder.
fn program(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// The same with an expected exit code; returns stdout and stderr.
fn expect(code: i32, folder: &Path, args: &[&str]) -> (String, String) {
    let output = program(folder, args);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert_eq!(
        output.status.code(),
        Some(code),
        "{args:?}: {stdout}{stderr}"
    );
    (stdout, stderr)
}

/// A folder of photos: two with the same stem, one with ground truth, a broken one, a name that is not UTF-8, a video.
fn photos() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets");
    let copy = |from: &str, to: &str| {
        let to = folder.path().join("photos").join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(root.join(from), to).unwrap();
    };
    copy("photos/000-newspaper.jpg", "a/page.jpg");
    copy("photos/000-newspaper.txt", "a/page.txt");
    copy("photos/003-tilt.jpg", "b/page.jpg");
    copy("photos/003-tilt.txt", "b/page.txt");
    copy("photos/007-two-boards.jpg", "two.jpg");
    copy("photos/007-two-boards.txt", "two.txt");
    copy("photos/017-text.jpg", "text.jpg");
    copy("photos/017-text.txt", "text.txt");
    copy("photos/012-poor.jpg", "z.jpg");
    copy("photos/000-newspaper.jpg", "same again.jpg");
    fs::write(folder.path().join("photos/broken.jpg"), b"no picture").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"photos/caf\xE9.jpg");
        fs::copy(root.join("photos/011-small.jpg"), folder.path().join(name)).unwrap();
        let fifo = folder.path().join("photos/pipe.jpg");
        assert!(Command::new("mkfifo").arg(fifo).status().unwrap().success());
    }
    folder
}

const BOARD: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Everything that a corpus gives, in words.
fn entries(corpora: Corpora) -> Vec<String> {
    let show = |entry: Result<sudoku_batch::corpus::Entry, CorpusError>| match entry {
        Ok(entry) => format!(
            "{} {:?} {} {:?}",
            entry.place, entry.puzzle, entry.note, entry.expected
        ),
        Err(error) => error.to_string(),
    };
    corpora.map(show).collect()
}
