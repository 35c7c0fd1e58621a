//! Bad photos, names and folders: each gives a row or one clear error, the
//! good photo next to it is still solved, and nothing crashes.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod common;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{PUZZLES, Said, board, board_png, encoded, program, results, say};
use image::{DynamicImage, ImageFormat};
use sudoku_batch::grid::Puzzle;

/// A folder with a good photo and room for bad ones, and a folder for the results.
struct Bench {
    folder: tempfile::TempDir,
    out: tempfile::TempDir,
}

impl Bench {
    fn new() -> Bench {
        let bench = Bench {
            folder: tempfile::tempdir().unwrap(),
            out: tempfile::tempdir().unwrap(),
        };
        bench.put("good.png", &board_png(PUZZLES[0]));
        bench
    }

    fn put(&self, name: impl AsRef<Path>, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn run(&self) -> Said {
        let mut command = program(&["recognize", "-o"]);
        say(command.arg(self.out.path()).arg(self.folder.path()))
    }

    /// Returns status and error of the only row of this photo; checks that the good photo is solved.
    fn row_of(&self, name: &str) -> (String, String) {
        let rows = results(self.out.path());
        let row_of = |name: &str| {
            let rows: Vec<_> = rows.iter().filter(|row| row[0].ends_with(name)).collect();
            assert_eq!(rows.len(), 1, "{name}");
            rows[0]
        };
        let good = row_of("good.png");
        assert_eq!((&good[2], &good[4]), ("solved", PUZZLES[0]));
        let row = row_of(name);
        (row[2].to_owned(), row[12].to_owned())
    }
}

/// Runs over a bad and a good photo, which must give exit code 1; returns the row of the bad one.
fn beside_a_good_one(name: &str, bytes: &[u8]) -> (String, String) {
    let bench = Bench::new();
    bench.put(name, bytes);
    let said = bench.run();
    assert_eq!(said.code, Some(1), "{name}: {said:?}");
    bench.row_of(name)
}

/// Checks that an unusual photo of a good board is solved.
fn is_solved(name: &str, bytes: &[u8]) {
    let bench = Bench::new();
    bench.put(name, bytes);
    let said = bench.run();
    assert_eq!(said.code, Some(0), "{name}: {said:?}");
    assert_eq!(bench.row_of(name).0, "solved");
    let rows = results(bench.out.path());
    assert!(rows.iter().all(|row| &row[4] == PUZZLES[0]));
}

#[test]
fn files_that_are_not_pictures_are_unreadable_with_a_reason() {
    for (name, bytes, why) in [
        ("empty.jpg", &b""[..], "empty"),
        ("text.jpg", b"Dear photo, ...", "not a picture"),
        ("head.png", b"\x89PNG\r\n\x1A\n", "damaged"),
        ("head.jpg", b"\xFF\xD8\xFF\xE0\0\x10JFIF\0", "damaged"),
        ("phone.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC"),
    ] {
        let (status, error) = beside_a_good_one(name, bytes);
        assert_eq!(status, "unreadable", "{name}");
        assert!(error.contains(why), "{name}: {error}");
    }
}

#[test]
fn a_truncated_photo_is_a_row_without_a_wrong_claim() {
    let truth: Puzzle = PUZZLES[1].parse().unwrap();
    for format in [ImageFormat::Jpeg, ImageFormat::Png] {
        let bytes = encoded(board(PUZZLES[1]), format);
        for share in [1, 4, 7] {
            let bench = Bench::new();
            bench.put("cut.bin", &bytes[..bytes.len() * share / 8]);
            let said = bench.run();
            assert!([Some(0), Some(1)].contains(&said.code), "{said:?}");
            let (status, _) = bench.row_of("cut.bin");
            if status == "solved" {
                let decoded: Puzzle = results(bench.out.path())[0][4].parse().unwrap();
                assert!(
                    decoded
                        .givens()
                        .all(|(cell, digit)| truth.given(cell) == Some(digit))
                );
            }
        }
    }
}

#[test]
fn a_wrong_extension_does_not_matter() {
    is_solved("png.jpg", &board_png(PUZZLES[0]));
    is_solved("jpeg.tiff", &encoded(board(PUZZLES[0]), ImageFormat::Jpeg));
    is_solved("photo.backup", &board_png(PUZZLES[0]));
}

#[test]
fn unusual_picture_formats_are_read() {
    let board = DynamicImage::from(board(PUZZLES[0]));
    is_solved("deep.png", &encoded(board.to_rgb16(), ImageFormat::Png));
    is_solved("gray.png", &encoded(board.to_luma8(), ImageFormat::Png));
    is_solved(
        "alpha.png",
        &encoded(board.to_luma_alpha8(), ImageFormat::Png),
    );
    is_solved("deep.tiff", &encoded(board.to_luma16(), ImageFormat::Tiff));
    is_solved("board.webp", &encoded(board.clone(), ImageFormat::WebP));
    is_solved("board.bmp", &encoded(board.clone(), ImageFormat::Bmp));
    is_solved("board.ppm", &encoded(board, ImageFormat::Pnm));
}

#[test]
fn an_animation_of_few_frames_is_read_from_its_first_frame() {
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::gif::GifEncoder::new(&mut bytes);
    for line in [PUZZLES[0], PUZZLES[1]] {
        let frame = DynamicImage::from(board(line)).into_rgba8();
        encoder.encode_frame(image::Frame::new(frame)).unwrap();
    }
    drop(encoder);
    let bench = Bench::new();
    bench.put("moving.gif", &bytes);
    let said = bench.run();
    assert_eq!(said.code, Some(0), "{said:?}");
    let rows = csv::Reader::from_path(bench.out.path().join("boards.csv"));
    let rows: Vec<csv::StringRecord> = rows.unwrap().records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0][2], &rows[0][11]), ("solved", PUZZLES[0]));
}

#[test]
fn pictures_too_small_for_a_board_are_no_grid() {
    for side in [1, 2, 9] {
        let tiny = image::RgbImage::from_pixel(side, 1, image::Rgb([200; 3]));
        let (status, _) = beside_a_good_one("tiny.png", &encoded(tiny, ImageFormat::Png));
        assert_eq!(status, "no-grid", "{side} x 1");
    }
}

#[test]
fn a_cmyk_jpeg_is_read_or_refused_in_a_row() {
    let (status, error) = beside_a_good_one("print.jpg", &cmyk_jpeg());
    assert!(
        ["no-grid", "unreadable"].contains(&&*status),
        "{status}: {error}"
    );
}

/// The smallest baseline JPEG of four components: 8 x 8 pixels, all coefficients 0.
fn cmyk_jpeg() -> Vec<u8> {
    let mut bytes = vec![0xFF, 0xD8];
    let mut segment = |marker: u8, body: &[u8]| {
        bytes.extend([0xFF, marker]);
        bytes.extend((body.len() as u16 + 2).to_be_bytes());
        bytes.extend(body);
    };
    segment(0xEE, b"Adobe\0\x64\0\0\0\0\0");
    segment(0xDB, &[&[0][..], &[1; 64]].concat());
    let components: Vec<u8> = (1..=4).flat_map(|id| [id, 0x11, 0]).collect();
    segment(0xC0, &[&[8, 0, 8, 0, 8, 4][..], &components].concat());
    for class in [0x00, 0x10] {
        // One code of one bit for the symbol 0: no difference, or end of block.
        let mut table = [0; 18];
        table[0] = class;
        table[1] = 1;
        segment(0xC4, &table);
    }
    segment(0xDA, &[4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0]);
    bytes.extend([0x00, 0xFF, 0xD9]);
    bytes
}

#[test]
fn an_enormous_picture_is_refused_before_decoding() {
    let bytes = blank_png(30_000, 30_000);
    assert!(bytes.len() < 8 << 20);
    let (status, error) = beside_a_good_one("bomb.png", &bytes);
    assert_eq!(status, "unreadable");
    assert!(error.contains("30000 x 30000"), "{error}");
}

/// A gray PNG of black pixels, compressed without holding the pixels in memory.
fn blank_png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1A\n".to_vec();
    let mut chunk = |kind: &[u8; 4], body: &[u8]| {
        bytes.extend((body.len() as u32).to_be_bytes());
        let mut checked = flate2::Crc::new();
        checked.update(kind);
        checked.update(body);
        bytes.extend(kind);
        bytes.extend(body);
        bytes.extend(checked.sum().to_be_bytes());
    };
    let size = [width.to_be_bytes(), height.to_be_bytes()].concat();
    chunk(b"IHDR", &[&size[..], &[8, 0, 0, 0, 0]].concat());
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    let row = vec![0; width as usize + 1];
    for _ in 0..height {
        packed.write_all(&row).unwrap();
    }
    chunk(b"IDAT", &packed.finish().unwrap());
    chunk(b"IEND", &[]);
    bytes
}

#[test]
fn names_with_commas_quotes_and_newlines_are_quoted() {
    let bench = Bench::new();
    let names = [
        "a,b.png",
        "say \"hi\".png",
        "two\nlines.png",
        "=1+1.png",
        " .png",
    ];
    for name in names {
        bench.put(name, &board_png(PUZZLES[0]));
    }
    let said = bench.run();
    assert_eq!(said.code, Some(0), "{said:?}");
    for name in names {
        assert_eq!(bench.row_of(name).0, "solved", "{name:?}");
    }
    assert_eq!(results(bench.out.path()).len(), 1 + names.len());
}

#[test]
fn a_file_name_like_a_formula_is_escaped() {
    let bench = Bench::new();
    bench.put("=1+1.png", b"");
    let mut command = program(&["recognize", "good.png", "=1+1.png", "-o"]);
    let said = say(command
        .arg(bench.out.path())
        .current_dir(bench.folder.path()));
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_eq!(&results(bench.out.path())[1][0], "'=1+1.png");
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_are_opened_and_shown_escaped() {
    use std::os::unix::ffi::OsStrExt;
    let bench = Bench::new();
    let name = std::ffi::OsStr::from_bytes(b"caf\xE9.png");
    let path = bench.folder.path().join(name);
    if fs::write(path, board_png(PUZZLES[0])).is_err() {
        println!("skipped: this file system takes UTF-8 only");
        return;
    }
    assert_eq!(bench.run().code, Some(0));
    assert_eq!(bench.row_of("caf\\xE9.png").0, "solved");
}

#[cfg(unix)]
#[test]
fn a_folder_without_permission_is_one_error_and_the_rest_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    let closed = bench.folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::write(closed.join("a.png"), board_png(PUZZLES[0])).unwrap();
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(&closed, 0o000);
    let said = if fs::read_dir(&closed).is_ok() {
        // Root may read everything, so run as the user nobody, from a folder that this user may enter.
        let Some(said) = as_nobody(&bench, &mode) else {
            println!("skipped: cannot run as another user");
            return;
        };
        said
    } else {
        bench.run()
    };
    mode(&closed, 0o700);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_eq!(said.stderr.lines().count(), 1, "{said:?}");
    assert!(said.stderr.contains("closed"), "{said:?}");
    assert_eq!(bench.row_of("good.png").0, "solved");
    assert_eq!(results(bench.out.path()).len(), 1);
}

#[cfg(unix)]
fn as_nobody(bench: &Bench, mode: &dyn Fn(&Path, u32)) -> Option<Said> {
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65534;
    let place = tempfile::tempdir().unwrap();
    let copy = place.path().join("sudoku-batch");
    fs::copy(env!("CARGO_BIN_EXE_sudoku-batch"), &copy).unwrap();
    for path in [place.path(), bench.folder.path(), &copy] {
        mode(path, 0o755);
    }
    mode(bench.out.path(), 0o777);
    let mut command = Command::new(&copy);
    command.args(["recognize", "-o"]).arg(bench.out.path());
    command.arg(bench.folder.path()).uid(NOBODY).gid(NOBODY);
    let runs = Command::new(&copy).arg("--version").uid(NOBODY).output();
    runs.is_ok().then(|| say(&mut command))
}

/// A file size limit simulates a full disk: the system refuses the bytes in both cases.
#[cfg(unix)]
#[test]
fn a_full_disk_is_one_error_and_leaves_no_half_written_file() {
    let bench = Bench::new();
    for number in 0..8 {
        bench.put(format!("{number}.png"), &board_png(PUZZLES[number % 3]));
    }
    // Files of at most one block of 512 or 1024 bytes; the resulting signal is ignored.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_sudoku-batch")]);
    command.args(["recognize", "-o"]).arg(bench.out.path());
    let said = say(command.arg(bench.folder.path()));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.starts_with("error: cannot write"), "{said:?}");
    assert!(said.stderr.contains("hint: "), "{said:?}");
    let rows = fs::read_to_string(bench.out.path().join("results.csv")).unwrap();
    assert!(rows.is_empty() || rows.ends_with('\n'), "{rows}");
    // Finished photos are not lost: the next run resumes. The folder also has its marker file.
    let journal = bench.out.path().join("photos.partial.jsonl");
    assert!(journal.is_file());
    assert_eq!(files_below(bench.out.path()), 3);
}

/// Counts the files in a folder, recursively.
#[cfg(unix)]
fn files_below(folder: &std::path::Path) -> usize {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .map(|path| if path.is_dir() { files_below(&path) } else { 1 })
        .sum()
}

#[cfg(unix)]
#[test]
fn link_loops_are_cut_and_dangling_links_reported() {
    let bench = Bench::new();
    std::os::unix::fs::symlink(bench.folder.path(), bench.folder.path().join("loop")).unwrap();
    assert_eq!(bench.run().code, Some(0));
    let dangling = bench.folder.path().join("dangling.jpg");
    std::os::unix::fs::symlink("nowhere", dangling).unwrap();
    let said = bench.run();
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stderr.contains("dangling.jpg"), "{said:?}");
    assert_eq!(results(bench.out.path()).len(), 1);
}

#[test]
fn missing_files_and_devices_are_rows() {
    let bench = Bench::new();
    let good = bench.folder.path().join("good.png");
    let missing = bench.folder.path().join("missing.png");
    let mut command = program(&["recognize", "-o"]);
    command.arg(bench.out.path()).arg(good).arg(missing);
    if Path::new("/dev/zero").exists() {
        command.arg("/dev/zero");
    }
    assert_eq!(say(&mut command).code, Some(1));
    assert_eq!(bench.row_of("missing.png").0, "unreadable");
    let rows = results(bench.out.path());
    assert!(rows[1..].iter().all(|row| &row[2] == "unreadable"));
}

#[test]
fn a_file_that_is_named_twice_is_read_once() {
    let bench = Bench::new();
    let mut command = program(&["recognize", "good.png", "good.png", "./good.png", ".", "-o"]);
    let said = say(command
        .arg(bench.out.path())
        .current_dir(bench.folder.path()));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(results(bench.out.path()).len(), 1);
    let warning = "warning: listed more than once, but read only once: good.png and 2 more paths";
    assert!(said.stderr.contains(warning), "{said:?}");
}

#[test]
fn pictures_of_earlier_runs_are_skipped() {
    let bench = Bench::new();
    let out = |name: &str| bench.folder.path().join(name);
    let run = |name: &str, flags: &[&str]| {
        let mut command = program(&["recognize", "-o"]);
        say(command.arg(out(name)).arg(bench.folder.path()).args(flags))
    };
    assert_eq!(run("first", &["--overlay", "--save-crops"]).code, Some(0));
    // A photo added by a user counts; so does one in a folder with the name of a result folder elsewhere.
    fs::create_dir(bench.folder.path().join("crops")).unwrap();
    bench.put("crops/mine.png", &board_png(PUZZLES[1]));
    bench.put("first/mine.png", &board_png(PUZZLES[2]));
    let said = run("second", &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let names: Vec<String> = results(&out("second"))
        .iter()
        .map(|row| row[0].rsplit_once('/').unwrap().1.to_owned())
        .collect();
    assert_eq!(names, ["mine.png", "mine.png", "good.png"]);
    let warning = "pictures made by earlier runs are skipped: those in";
    assert!(said.stderr.contains(warning), "{said:?}");
    assert!(said.stderr.contains("first"), "{said:?}");
    let mut named = program(&["recognize", "--dry-run"]);
    let said = say(named.arg(out("first/overlays")));
    assert_eq!(said.stdout.lines().count(), 1, "{said:?}");
    fs::remove_file(out("first/mine.png")).unwrap();
    let said = say(program(&["recognize", "-o"]).args([out("third"), out("first")]));
    assert_eq!(said.code, Some(2), "{said:?}");
    let hint = "hint: the pictures that an earlier run has made in";
    assert!(said.stderr.contains(hint), "{said:?}");
}

/// Reading a pipe blocks until there is a writer, and a device never ends.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_at_once() {
    let bench = Bench::new();
    let made = |name: &str| {
        let pipe = bench.folder.path().join(name);
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        pipe
    };
    // The ground truth of the good photo.
    let pipe = made("good.txt");
    made("photo.jpg");
    let good = bench.folder.path().join("good.png");
    let said = bench.run();
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.stderr.contains("photo.jpg is left out: it is a pipe"),
        "{said:?}"
    );
    assert_eq!(results(bench.out.path()).len(), 1);
    for path in [pipe.as_path(), Path::new("/dev/zero")] {
        let mut lists = program(&["recognize", "--files-from"]);
        let mut truth = program(&["recognize", "--truth"]);
        let mut model = program(&["train", "--config"]);
        let mut apply = program(&["dataset", "apply"]);
        lists.arg(path);
        truth.arg(path).arg(&good);
        model.arg(path);
        apply.arg(path).arg("--run").arg(bench.out.path());
        for command in [&mut lists, &mut truth, &mut model, &mut apply] {
            let said = say(command.arg("-o").arg(bench.out.path()));
            assert_eq!(said.code, Some(2), "{command:?}: {said:?}");
            assert!(said.stderr.contains("not a file"), "{command:?}: {said:?}");
        }
    }
}

/// The argument that a shell passes for `<(command)`.
#[cfg(target_os = "linux")]
#[test]
fn a_list_may_come_from_a_pipe_that_is_open() {
    let bench = Bench::new();
    let mut command = program(&["recognize", "--files-from", "/dev/stdin", "-o"]);
    command.arg(bench.out.path());
    let list = bench.folder.path().join("good.png");
    let list = format!("{}\n", list.display());
    let mut shell = Command::new("sh");
    shell.args(["-c", "printf %s \"$LIST\" | \"$@\"", "sh"]);
    shell.arg(command.get_program()).args(command.get_args());
    let said = say(shell.env("LIST", list));
    assert_eq!(said.code, Some(0), "{said:?}");
}

#[test]
fn unmatched_ground_truth_is_reported_and_a_row_counts_once() {
    let bench = Bench::new();
    let truth = |rows: &[(&str, &str)]| {
        let rows = rows
            .iter()
            .map(|(photo, givens)| format!("{photo},{givens}\n"));
        let table = bench.folder.path().join("truth.csv");
        let text = format!("photo,givens\n{}", rows.collect::<String>());
        fs::write(&table, text).unwrap();
        let mut command = program(&["recognize", "--json", "--truth"]);
        command.arg(table).arg("-o").arg(bench.out.path());
        say(command.arg(bench.folder.path()))
    };
    let said = truth(&[("other.png", PUZZLES[0])]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.stderr
            .contains("no photo of this run has its ground truth in"),
        "{said:?}"
    );
    let saved = fs::read_to_string(bench.out.path().join("summary.json")).unwrap();
    assert!(saved.contains("no photo of this run"));
    let said = truth(&[("good.png", PUZZLES[0]), ("good.png", PUZZLES[0])]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let summary: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(summary["accuracy"]["decoded_exact"], 1);
    assert_eq!(summary["accuracy"]["cells"], 81);
    let warning =
        "in the ground truth more than once, but counted only once: 1 row (line 3: good.png)";
    assert!(said.stderr.contains(warning), "{said:?}");
}

#[test]
fn too_many_threads_are_capped_with_a_warning() {
    let bench = Bench::new();
    let mut command = program(&["recognize", "--json", "-j", "4000", "-o"]);
    let said = say(command.arg(bench.out.path()).arg(bench.folder.path()));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stderr.contains("warning: 4000 threads"), "{said:?}");
    let summary: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let threads = summary["environment"]["threads"].as_u64().unwrap();
    assert!((16..4000).contains(&threads), "{threads}");
    let said = say(&mut program(&["recognize", "-j", "0", "."]));
    assert!(said.stderr.contains("expected a number from 1"), "{said:?}");
}

/// Losing output on stdout is a failure.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_on_stdout_is_an_error() {
    let bench = Bench::new();
    let good = bench.folder.path().join("good.png");
    let (good, out) = (good.to_str().unwrap(), bench.out.path().to_str().unwrap());
    for arguments in [
        &["recognize", good, "-o", out, "--json"][..],
        &["recognize", good, "-o", out],
        &["recognize", good, "--dry-run"],
        &["report", out, "--json"],
        &["explain", PUZZLES[0]],
        &["doctor"],
        &["man"],
        &["completions", "bash"],
        &["solve", "--help"],
        &["--version"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = program(arguments).stdout(full).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("error: "), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_forced_progress_bar_is_drawn_without_a_terminal() {
    let bench = Bench::new();
    let mut command = program(&["recognize", "--progress", "always", "-o"]);
    let said = say(command.arg(bench.out.path()).arg(bench.folder.path()));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stderr.contains("/1 photos"), "{said:?}");
    assert!(!said.stderr.contains('\u{1b}'), "{said:?}");
}

#[test]
fn a_run_that_reads_nothing_keeps_the_previous_speed() {
    let bench = Bench::new();
    let speed = |flags: &[&str]| {
        let mut command = program(&["recognize", "--json", "-o"]);
        command.arg(bench.out.path()).arg(bench.folder.path());
        let said = say(command.args(flags));
        let summary: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
        (summary["resumed"].clone(), summary["throughput"].clone())
    };
    let (_, first) = speed(&[]);
    assert!(first["photos_per_second"].as_f64().unwrap() > 0.0);
    let (resumed, again) = speed(&[]);
    assert_eq!(resumed, 1);
    assert_eq!(again, first);
    let (resumed, _) = speed(&["--fresh"]);
    assert_eq!(resumed, 0);
}

/// A lossless WebP with a canvas of one pixel and a frame of the maximum size.
#[test]
fn a_webp_frame_larger_than_its_canvas_is_refused_before_decoding() {
    let chunk = |kind: &[u8; 4], body: &[u8]| {
        let length = (body.len() as u32).to_le_bytes();
        [&kind[..], &length, body].concat()
    };
    // 14 bits each of width and height minus one; a code of one symbol for each of five alphabets.
    let frame = chunk(b"VP8L", &[0x2F, 0xFF, 0xFF, 0xFF, 0x0F, 0x88, 0x88, 0x08]);
    let canvas = chunk(b"VP8X", &[0; 10]);
    let body = [b"WEBP", &canvas[..], &frame].concat();
    let (status, error) = beside_a_good_one("small.webp", &chunk(b"RIFF", &body));
    assert_eq!(status, "unreadable");
    assert!(error.contains("16384 x 16384"), "{error}");
}

/// A JPEG with several scans stores all coefficients, so it has the pixel limit of a colour photo.
#[test]
fn a_progressive_jpeg_has_the_limit_of_colour_pictures() {
    let tables = cmyk_jpeg();
    let at = |marker: u8| {
        let mut pairs = tables.windows(2);
        pairs.position(|pair| pair == [0xFF, marker]).unwrap()
    };
    // One component of 10,000 x 10,000 pixels, and the first of its scans.
    let frame = [0xFF, 0xC2, 0, 11, 8, 0x27, 0x10, 0x27, 0x10, 1, 1, 0x11, 0];
    let scan = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0, 0, 0xFF, 0xD9];
    let bytes = [
        &[0xFF, 0xD8],
        &tables[at(0xDB)..at(0xC0)],
        &frame,
        &tables[at(0xC4)..at(0xDA)],
        &scan,
    ]
    .concat();
    let (status, error) = beside_a_good_one("scans.jpg", &bytes);
    assert_eq!(status, "unreadable");
    assert!(error.contains("10000 x 10000"), "{error}");
}
