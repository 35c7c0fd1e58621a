//! Ground truth, threads, and output streams.

use std::fs;

use super::Fixture;
use super::common::{PUZZLES, program, say};

#[test]
fn unmatched_ground_truth_is_reported_and_a_row_counts_once() {
    let fixture = Fixture::new();
    let truth = |rows: &[(&str, &str)]| {
        let rows = rows
            .iter()
            .map(|(photo, givens)| format!("{photo},{givens}\n"));
        let table = fixture.folder.path().join("truth.csv");
        let text = format!("photo,givens\n{}", rows.collect::<String>());
        fs::write(&table, text).unwrap();
        let mut command = program(&["recognize", "--json", "--truth"]);
        command.arg(table).arg("-o").arg(fixture.out.path());
        say(command.arg(fixture.folder.path()))
    };
    let said = truth(&[("other.png", PUZZLES[0])]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.stderr
            .contains("no photo of this run has its ground truth in"),
        "{said:?}"
    );
    let saved = fs::read_to_string(fixture.out.path().join("summary.json")).unwrap();
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
    let fixture = Fixture::new();
    let mut command = program(&["recognize", "--json", "-j", "4000", "-o"]);
    let said = say(command.arg(fixture.out.path()).arg(fixture.folder.path()));
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
    let fixture = Fixture::new();
    let good = fixture.folder.path().join("good.png");
    let (good, out) = (good.to_str().unwrap(), fixture.out.path().to_str().unwrap());
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
    let fixture = Fixture::new();
    let mut command = program(&["recognize", "--progress", "always", "-o"]);
    let said = say(command.arg(fixture.out.path()).arg(fixture.folder.path()));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stderr.contains("/1 photos"), "{said:?}");
    assert!(!said.stderr.contains('\u{1b}'), "{said:?}");
}

#[test]
fn a_run_that_reads_nothing_keeps_the_previous_speed() {
    let fixture = Fixture::new();
    let speed = |flags: &[&str]| {
        let mut command = program(&["recognize", "--json", "-o"]);
        command.arg(fixture.out.path()).arg(fixture.folder.path());
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
