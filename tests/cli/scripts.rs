//! The command line as scripts see it: exit codes, files, streams.

use crate::common;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use common::{PUZZLES, Said, board_png, program, results, say};
use sudoku_batch::folder_lock::MARKER;

/// A folder with photos of the three puzzles and their ground truth.
fn photos() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (number, line) in PUZZLES.into_iter().enumerate() {
        std::fs::write(folder.path().join(format!("{number}.png")), board_png(line)).unwrap();
        std::fs::write(folder.path().join(format!("{number}.txt")), line).unwrap();
    }
    folder
}

fn recognize(paths: &[&Path], out: &Path, flags: &[&str]) -> Said {
    let mut command = program(&["recognize"]);
    say(command.args(paths).arg("-o").arg(out).args(flags))
}

#[test]
fn clean_photos_give_exit_code_0_and_every_file() {
    let (photos, out) = (photos(), tempfile::tempdir().unwrap());
    let said = recognize(
        &[photos.path()],
        out.path(),
        &["--overlay", "--save-crops", "--json"],
    );
    assert_eq!(said.code, Some(0), "{said:?}");
    let summary: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(summary["photos"], 3);
    assert_eq!(summary["status"]["solved"], 3);
    assert_eq!(summary["accuracy"]["decoded_exact"], 3);
    assert_eq!(summary["accuracy"]["cells"], 243);
    assert_eq!(summary["accuracy"]["silent_wrong"], 0);
    for key in [
        "command",
        "version",
        "config",
        "environment",
        "throughput",
        "stages_ms",
    ] {
        assert!(!summary[key].is_null(), "{key}");
    }
    let saved = std::fs::read_to_string(out.path().join("summary.json")).unwrap();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&saved).unwrap(),
        summary
    );
    let rows = results(out.path());
    assert_eq!(rows.len(), 3);
    for (row, line) in rows.iter().zip(PUZZLES) {
        assert_eq!((&row[2], &row[4], &row[6]), ("solved", line, "1"));
    }
    for file in [
        "report.html",
        "overlays/0.jpg",
        "crops/0.png",
        "crops/manifest.csv",
    ] {
        assert!(out.path().join(file).is_file(), "{file}");
    }
    let temporary = std::fs::read_dir(out.path()).unwrap();
    let names: Vec<_> = temporary.map(|entry| entry.unwrap().file_name()).collect();
    assert!(
        names
            .iter()
            .all(|name| name == MARKER || !name.to_string_lossy().starts_with('.')),
        "{names:?}"
    );
}

#[test]
fn a_second_run_into_the_folder_resumes_and_fresh_does_not() {
    let (photos, out) = (photos(), tempfile::tempdir().unwrap());
    let resumed = |flags: &[&str]| {
        let said = recognize(&[photos.path()], out.path(), flags);
        assert_eq!(said.code, Some(0), "{said:?}");
        let summary: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
        summary["resumed"].as_u64().unwrap()
    };
    assert_eq!(resumed(&["--json"]), 0);
    assert_eq!(resumed(&["--json", "--resume"]), 3);
    assert_eq!(resumed(&["--json", "--fresh"]), 0);
    assert_eq!(resumed(&["--json", "--decode", "argmax"]), 0);
}

#[test]
fn a_failed_or_misread_photo_gives_exit_code_1() {
    let (photos, out) = (photos(), tempfile::tempdir().unwrap());
    std::fs::write(photos.path().join("text.jpg"), "text").unwrap();
    let said = recognize(&[photos.path()], out.path(), &[]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stdout.contains("text.jpg"), "{}", said.stdout);
    std::fs::remove_file(photos.path().join("text.jpg")).unwrap();

    std::fs::write(photos.path().join("0.txt"), PUZZLES[1]).unwrap();
    let said = recognize(&[photos.path()], out.path(), &[]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stdout.contains("1 silent error"), "{}", said.stdout);
}

#[test]
fn a_photo_known_to_have_no_board_is_correctly_refused() {
    let (photos, out) = (photos(), tempfile::tempdir().unwrap());
    let paper = image::RgbImage::from_pixel(300, 200, image::Rgb([240; 3]));
    paper.save(photos.path().join("paper.png")).unwrap();
    std::fs::write(photos.path().join("paper.txt"), "none\n").unwrap();
    let said = recognize(&[photos.path()], out.path(), &["--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let summary: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(summary["accuracy"]["photos"], 3);
    assert_eq!(summary["accuracy"]["refused"], 1);
}

#[test]
fn a_useless_run_gives_exit_code_2_with_an_error_and_a_hint() {
    let photos = photos();
    let out = tempfile::tempdir().unwrap();
    let empty = tempfile::tempdir().unwrap();
    let file = out.path().join("file");
    std::fs::write(&file, "").unwrap();
    let missing = Path::new("no/such/photo.jpg");
    let list = out.path().join("list");
    std::fs::write(&list, "\n").unwrap();
    let list = format!("--files-from={}", list.display());
    let cases: [(&[&Path], &Path, &[&str], &str); 9] = [
        (
            &[missing],
            out.path(),
            &[],
            "no such file or folder: no/such/photo.jpg",
        ),
        (&[empty.path()], out.path(), &[], "no photos in"),
        (&[], out.path(), &[&list], "no photos in an empty list"),
        (&[photos.path()], &file, &[], "cannot write"),
        (&[photos.path()], &file.join("below"), &[], "cannot write"),
        (&[photos.path()], out.path(), &["--solver", "mvr"], "mrv"),
        (
            &[photos.path()],
            out.path(),
            &["--solver", "logic"],
            "may get stuck",
        ),
        (
            &[photos.path()],
            out.path(),
            &["--truth", "nowhere.csv"],
            "nowhere.csv",
        ),
        (
            &[photos.path()],
            out.path(),
            &["--model", "nowhere"],
            "nowhere",
        ),
    ];
    for (paths, out, flags, expected) in cases {
        let said = recognize(paths, out, flags);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stdout.is_empty(), "{said:?}");
        assert!(said.stderr.starts_with("error: "), "{said:?}");
        assert!(said.stderr.contains(expected), "{said:?}");
        assert!(said.stderr.lines().count() <= 2, "{said:?}");
    }
    assert!(!out.path().join("results.csv").exists());
    assert_eq!(say(&mut program(&["recognize"])).code, Some(2));
}

#[cfg(not(feature = "opencv"))]
#[test]
fn a_missing_back_end_is_named_with_its_feature() {
    let (photos, out) = (photos(), tempfile::tempdir().unwrap());
    let said = recognize(&[photos.path()], out.path(), &["--backend", "opencv"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("--features opencv"), "{said:?}");
    assert!(said.stderr.contains("libopencv-dev"), "{said:?}");
}

#[test]
fn paths_are_read_from_stdin() {
    let (photos, out) = (photos(), tempfile::tempdir().unwrap());
    for (flags, separator) in [(&[][..], "\n"), (&["-0"][..], "\0")] {
        let mut command = program(&["recognize", "--files-from", "-", "-o"]);
        command.arg(out.path()).args(flags);
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = command.spawn().unwrap();
        let list: String = ["2.png", "0.png"]
            .map(|name| format!("{}{separator}", photos.path().join(name).display()))
            .concat();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(list.as_bytes())
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0));
        let rows = results(out.path());
        let decoded: Vec<&str> = rows.iter().map(|row| &row[4]).collect();
        assert_eq!(decoded, [PUZZLES[2], PUZZLES[0]]);
    }
}

#[test]
fn readings_are_scored_against_a_truth_table() {
    let (photos, out) = (photos(), tempfile::tempdir().unwrap());
    let table = out.path().join("truth.csv");
    std::fs::write(&table, format!("photo,givens\n0.png,{}\n", PUZZLES[0])).unwrap();
    let flag = format!("--truth={}", table.display());
    let said = recognize(&[photos.path()], out.path(), &[&flag, "--json"]);
    let summary: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(summary["accuracy"]["photos"], 1);
    assert_eq!(summary["accuracy"]["decoded_exact"], 1);
}

/// After an interrupt in the middle of a run its results are written, and the next run resumes.
#[cfg(unix)]
#[test]
fn an_interrupted_run_writes_its_results_and_the_next_one_resumes() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    const COUNT: usize = 150;
    for number in 0..COUNT {
        let mut bytes = board_png(PUZZLES[number % 3]);
        // Bytes after the end of a PNG are ignored, but change its hash.
        bytes.extend(number.to_string().bytes());
        std::fs::write(folder.path().join(format!("{number:03}.png")), bytes).unwrap();
    }
    let mut command = program(&["recognize", "-v", "-j", "1", "-o"]);
    command.arg(out.path()).arg(folder.path());
    command.stderr(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert!(line.contains("solved"), "{line}");
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    std::io::copy(&mut stderr, &mut std::io::sink()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let done = results(out.path()).len();
    assert!(0 < done && done < COUNT, "{done} rows");

    let said = recognize(&[folder.path()], out.path(), &["--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let summary: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(summary["resumed"], done);
    assert_eq!(results(out.path()).len(), COUNT);
}

#[test]
fn name_patterns_select_files_and_a_dry_run_reads_none() {
    let (photos, out) = (photos(), tempfile::tempdir().unwrap());
    let listed = |flags: &[&str]| -> Vec<String> {
        let said = recognize(&[photos.path()], &out.path().join("none"), flags);
        assert_eq!(said.code, Some(0), "{said:?}");
        let stem = |line: &str| {
            Path::new(line)
                .file_stem()
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        };
        said.stdout.lines().map(stem).collect()
    };
    assert_eq!(listed(&["--dry-run"]), ["0", "1", "2"]);
    assert_eq!(listed(&["--dry-run", "--include", "[12].png"]), ["1", "2"]);
    let flags = [
        "--dry-run",
        "--include",
        "*.png",
        "--exclude",
        "1.*",
        "--exclude",
        "2*",
    ];
    assert_eq!(listed(&flags), ["0"]);
    assert!(!out.path().join("none").exists());
    let said = recognize(&[photos.path()], out.path(), &["--exclude", "[01].png"]);
    assert_eq!((said.code, results(out.path()).len()), (Some(0), 1));
    let said = recognize(&[photos.path()], out.path(), &["--include", "[1"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("no pattern"), "{said:?}");
    let said = recognize(&[photos.path()], out.path(), &["--include", "*.tiff"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("--include and --exclude"), "{said:?}");
}

#[test]
fn rows_are_printed_as_json_lines() {
    let (photos, out) = (photos(), tempfile::tempdir().unwrap());
    std::fs::write(photos.path().join("broken.jpg"), "no photo").unwrap();
    let said = recognize(&[photos.path()], out.path(), &["--jsonl"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let lines = said.stdout.lines().map(serde_json::from_str);
    let rows: Vec<serde_json::Value> = lines.map(Result::unwrap).collect();
    let table = results(out.path());
    assert_eq!((rows.len(), table.len()), (4, 4));
    for (row, cells) in rows.iter().zip(&table) {
        for (name, at) in [("photo", 0), ("status", 2)] {
            assert_eq!(row[name], &cells[at]);
        }
        assert_eq!(row["decoded"].as_str().unwrap_or_default(), &cells[4]);
        assert_eq!(row["confidence"].is_number(), row["corners"].is_array());
        assert_eq!(row["error"].is_null(), cells[12].is_empty());
    }
    assert_eq!(rows[3]["status"], "unreadable");
    assert!(rows[3]["decoded"].is_null());
}

/// A killed run leaves its finished rows.
#[cfg(unix)]
#[test]
fn rows_are_written_as_soon_as_photos_are_read() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for number in 0..150 {
        let name = format!("{number:03}.png");
        std::fs::write(folder.path().join(name), board_png(PUZZLES[number % 3])).unwrap();
    }
    let mut command = program(&["recognize", "-v", "-j", "1", "-o"]);
    command.arg(out.path()).arg(folder.path());
    command.stderr(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    for _ in 0..3 {
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        assert!(line.contains("solved"), "{line}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let rows = results(out.path());
    assert!((3..150).contains(&rows.len()), "{} rows", rows.len());
    assert!(
        rows.iter()
            .zip(PUZZLES.iter().cycle())
            .all(|(row, line)| &row[4] == *line)
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let (photos, out) = (photos(), tempfile::tempdir().unwrap());
    let mut command = program(&["recognize", "-o"]);
    command.arg(out.path()).arg(photos.path());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn help_of_recognize() {
    let said = say(&mut program(&["recognize", "--help"]));
    assert_eq!(said.code, Some(0));
    insta::assert_snapshot!(said.stdout);
}

/// A name may contain any characters; terminal output must not.
#[cfg(unix)]
#[test]
fn file_names_do_not_control_the_terminal() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let name = "a\r\u{1b}[2Jb.png";
    std::fs::write(folder.path().join(name), board_png(PUZZLES[0])).unwrap();
    let said = recognize(&[folder.path()], out.path(), &["-v"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.stderr.contains("a\\r\\u{1b}[2Jb.png: solved"),
        "{said:?}"
    );
    let missing = recognize(&[Path::new("x\r\u{1b}[2J")], out.path(), &[]);
    assert!(
        missing
            .stderr
            .contains("no such file or folder: x\\r\\u{1b}[2J")
    );
    assert!(!missing.stderr.contains(['\r', '\u{1b}']), "{missing:?}");
}
