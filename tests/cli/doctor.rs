//! `doctor`: output for people and for scripts.

use crate::common;
use std::path::Path;
use std::process::Command;

use common::{Said, program, say};
use serde_json::Value;

/// Runs doctor in an empty folder, without fonts to check.
fn doctor(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = program(&["doctor", "--fonts", "no-fonts"]);
    command
        .args(arguments)
        .current_dir(folder)
        .env_remove("SUDOKU_BATCH_DATA");
    command
}

fn said(folder: &Path, arguments: &[&str]) -> Said {
    say(&mut doctor(folder, arguments))
}

/// The line with this name, and the continuation lines below it.
fn part(screen: &str, name: &str) -> String {
    let mut lines = screen.lines().skip_while(|line| {
        let mut words = line.split_whitespace();
        words.nth(1) != Some(name)
    });
    let first = lines
        .next()
        .unwrap_or_else(|| panic!("no {name}:\n{screen}"));
    let rest = lines.take_while(|line| line.starts_with(' '));
    [first]
        .into_iter()
        .chain(rest)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_build_reads_photos_anywhere_and_reports_it_on_one_screen() {
    let folder = tempfile::tempdir().unwrap();
    let said = said(folder.path(), &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let screen = &said.stdout;
    assert!(screen.starts_with(concat!(
        "sudoku-batch ",
        env!("CARGO_PKG_VERSION"),
        ", commit "
    )));
    assert!(part(screen, "lockstep").contains("runs on "));
    assert!(part(screen, "detector").contains("built-in"));
    let model = part(screen, "model");
    assert!(model.contains("built-in: classes blank 1 2 3 4 5 6 7 8 9; crops of 32 x 32 pixels"));
    assert!(
        model.contains("seed 0") && model.contains("held out: right on "),
        "{model}"
    );
    assert!(part(screen, "output").starts_with("ok"));
    assert!(screen.ends_with("All that `recognize` needs is there.\n"));
    assert!(screen.lines().count() <= 30, "{screen}");
    assert!(
        screen.lines().all(|line| line.chars().count() <= 100),
        "{screen}"
    );
    // Optional parts that are missing have a hint how to get them.
    let fonts = part(screen, "fonts");
    assert!(
        fonts.starts_with("--") && fonts.contains("hint: install"),
        "{fonts}"
    );
    assert!(part(screen, "datasets/crops").starts_with("--"));
    // The check leaves no files behind.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn missing_requirements_of_recognize_are_problems_with_hints() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    for (arguments, name, what) in [
        (["--out", "file/results"], "output", "file/results"),
        (["--out", "file"], "output", "file"),
        (["--model", "no-model"], "model", "no-model/card.json"),
    ] {
        let said = said(folder.path(), &arguments);
        assert_eq!(said.code, Some(1), "{said:?}");
        let part = part(&said.stdout, name);
        assert!(
            part.starts_with("wrong") && part.contains("hint: "),
            "{part}"
        );
        assert!(part.contains(what), "{part}");
        assert!(
            said.stdout.contains("`recognize` cannot work here"),
            "{said:?}"
        );
        let json = common::say(&mut doctor(
            folder.path(),
            &[&arguments[..], &["--json"]].concat(),
        ));
        assert_eq!(json.code, Some(1));
        let found: Value = serde_json::from_str(&json.stdout).unwrap();
        assert_eq!(found["ready"], false);
        assert!(found[name]["problem"].is_string(), "{found}");
    }
}

#[test]
fn built_in_parts_are_named_and_a_missing_detector_is_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    let built_in = ["--model", "built-in", "--backend", "built-in", "--json"];
    let built_in = said(folder.path(), &built_in);
    assert_eq!(built_in.code, Some(0), "{built_in:?}");
    let found: Value = serde_json::from_str(&built_in.stdout).unwrap();
    assert!(found["model"]["folder"].is_null(), "{found}");
    assert_eq!(found["backend"], "built-in");
    if cfg!(feature = "opencv") {
        return;
    }
    let said = said(folder.path(), &["--backend", "opencv"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let part = part(&said.stdout, "opencv");
    assert!(part.starts_with("wrong"), "{part}");
    assert!(
        part.contains("--features opencv") && part.contains("hint: "),
        "{part}"
    );
    assert!(
        said.stdout.contains("`recognize` cannot work here"),
        "{said:?}"
    );
}

#[test]
fn a_damaged_model_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("training/digits/model");
    std::fs::copy(model.join("card.json"), folder.path().join("card.json")).unwrap();
    std::fs::write(folder.path().join("weights"), "half of them").unwrap();
    let said = said(folder.path(), &["--model", "."]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(part(&said.stdout, "model").contains("damaged"), "{said:?}");
}

#[test]
fn a_missing_data_folder_is_a_problem_but_photos_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let with = |data: &str| say(doctor(folder.path(), &[]).env("SUDOKU_BATCH_DATA", data));
    let absent = with("nowhere");
    assert_eq!(absent.code, Some(0), "{absent:?}");
    let data = part(&absent.stdout, "SUDOKU_BATCH_DATA");
    assert!(
        data.starts_with("wrong") && data.contains("nowhere"),
        "{data}"
    );
    assert!(data.contains("hint: "), "{data}");
    assert!(part(&with(".").stdout, "SUDOKU_BATCH_DATA").starts_with("ok"));
}

#[test]
fn json_contains_everything_on_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    let said = said(folder.path(), &["--json", "--threads", "3"]);
    let found: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(found["command"], "doctor");
    assert_eq!(found["ready"], true);
    assert_eq!(found["environment"]["threads"], 3);
    assert_eq!(found["model"]["card"]["crop_side"], 32);
    assert!(found["model"]["card"]["validation"]["accuracy"].is_number());
    assert_eq!(found["fonts"]["faces"], 0);
    for (key, names) in [
        (
            "lockstep",
            &["AVX-512", "AVX2", "NEON", "WebAssembly", "portable"][..],
        ),
        ("detectors", &["built-in", "opencv"]),
        ("devices", &["cpu", "wgpu", "cuda"]),
        (
            "data",
            &[
                "datasets/puzzles",
                "datasets/photos",
                "datasets/crops",
                "SUDOKU_BATCH_DATA",
            ],
        ),
    ] {
        let parts = found[key].as_array().unwrap();
        let found: Vec<&str> = parts
            .iter()
            .map(|part| part["name"].as_str().unwrap())
            .collect();
        assert_eq!(found, names);
    }
    assert!(found["lockstep"][4]["problem"].is_null());
}
