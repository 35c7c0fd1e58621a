//! Photos and videos that arrive while the program runs.
#![cfg(unix)]

use std::fs::File;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::Run;

/// A run that watches a folder, ended when the test fails.
struct Watching {
    run: Run,
    program: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Watching {
    fn start() -> Watching {
        let run = Run::new(&[]);
        std::fs::create_dir(run.folder.path().join("in")).unwrap();
        let mut command = run.command(&["in", "--watch", "--quiet"]);
        let mut program = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(program.stdout.take().unwrap()).lines();
        // It starts watching before it starts its table.
        while !run.path("results.csv").exists() {
            sleep(Duration::from_millis(20));
        }
        Watching {
            run,
            program,
            lines,
        }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.run.folder.path().join("in").join(name)
    }

    fn line(&mut self) -> String {
        self.lines.next().unwrap().unwrap()
    }

    /// Ends the run as Ctrl-C does, and returns the rows of its table.
    fn stop(mut self) -> Vec<String> {
        let id = self.program.id().to_string();
        let stopped = Command::new("kill").args(["-INT", &id]).status();
        assert!(stopped.unwrap().success());
        assert!(self.program.wait().unwrap().code().is_some_and(|it| it < 2));
        assert!(self.run.path("summary.json").is_file());
        let table = std::fs::read_to_string(self.run.path("results.csv")).unwrap();
        table.lines().skip(1).map(str::to_owned).collect()
    }
}

fn photo(name: &str) -> Vec<u8> {
    let photos = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/photos");
    std::fs::read(photos.join(name)).unwrap()
}

#[test]
fn photos_that_arrive_are_read_until_the_run_is_stopped() {
    let mut watching = Watching::start();
    for name in ["000-newspaper.jpg", "001-book.jpg"] {
        // Written in two pieces by a program that opens it twice: the first piece is not a photo.
        let (bytes, path) = (photo(name), watching.path(name));
        std::fs::write(&path, &bytes[..1000]).unwrap();
        sleep(Duration::from_millis(200));
        std::fs::write(&path, &bytes).unwrap();
        let line = watching.line();
        assert!(line.starts_with(&format!("in/{name}\tsolved\t")), "{line}");
        // The row is in the table already.
        let table = std::fs::read_to_string(watching.run.path("results.csv")).unwrap();
        assert!(table.contains(name), "{table}");
    }
    assert_eq!(watching.stop().len(), 2);
}

/// Only Linux reports when a file is closed.
#[cfg(target_os = "linux")]
#[test]
fn a_slow_writer_is_waited_for() {
    let mut watching = Watching::start();
    let bytes = photo("000-newspaper.jpg");
    let mut file = File::create(watching.path("slow.jpg")).unwrap();
    for piece in bytes.chunks(bytes.len().div_ceil(3)) {
        file.write_all(piece).unwrap();
        sleep(Duration::from_millis(1500));
    }
    // A later one is not delayed.
    std::fs::write(watching.path("fast.jpg"), photo("001-book.jpg")).unwrap();
    let line = watching.line();
    assert!(line.starts_with("in/fast.jpg\tsolved\t"), "{line}");
    drop(file);
    let line = watching.line();
    assert!(line.starts_with("in/slow.jpg\tsolved\t"), "{line}");
    assert_eq!(watching.stop().len(), 2);
}

#[test]
fn a_file_changed_after_reading_is_read_again() {
    let mut watching = Watching::start();
    let (bytes, path) = (photo("000-newspaper.jpg"), watching.path("part.jpg"));
    std::fs::write(&path, &bytes[..1000]).unwrap();
    let line = watching.line();
    assert!(line.starts_with("in/part.jpg\tunreadable\t"), "{line}");
    std::fs::write(&path, &bytes).unwrap();
    let line = watching.line();
    assert!(line.starts_with("in/part.jpg\tsolved\t"), "{line}");
    // A moved file is complete immediately.
    let elsewhere = watching.run.folder.path().join("b.jpg");
    std::fs::write(&elsewhere, photo("001-book.jpg")).unwrap();
    std::fs::rename(&elsewhere, watching.path("b.jpg")).unwrap();
    let line = watching.line();
    assert!(line.starts_with("in/b.jpg\tsolved\t"), "{line}");
    let rows = watching.stop();
    let names: Vec<_> = rows
        .iter()
        .filter_map(|row| row.split(',').next())
        .collect();
    assert_eq!(names, ["in/part.jpg", "in/part.jpg", "in/b.jpg"]);
}
