//! `doctor` as people and scripts see it.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::path::Path;
use std::process::Command;

use common::{Said, program, say};
use serde_json::Value;

/// Doctor in an empty folder, where there are no fonts to go through.
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

/// The line of the screen that has this name, and the lines below it that belong to it.
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
fn a_build_reads_photos_anywhere_and_says_so_on_one_screen() {
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
    // What is not there and need not be says how to get it.
    let fonts = part(screen, "fonts");
    assert!(
        fonts.starts_with("--") && fonts.contains("hint: install"),
        "{fonts}"
    );
    assert!(part(screen, "datasets/crops").starts_with("--"));
    // Looking leaves nothing behind.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_recognize_needs_and_does_not_find_is_wrong_and_has_a_hint() {
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
fn the_built_in_model_and_detector_are_named_so_and_a_detector_that_is_not_there_is_wrong() {
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
fn data_that_the_environment_promises_must_be_there_but_photos_are_read_without_them() {
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
fn json_holds_all_that_the_screen_tells() {
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
