//! `sudoku-batch train` from outside: its output, its errors, and full disks.

use crate::common;
use crate::common::toy;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{PUZZLES, board, program, say};
use sudoku_batch::digits::Artifact;
use sudoku_batch::folder_lock::MARKER;
use sudoku_batch::report::train_page;
use sudoku_batch::training::TrainingSummary;
use toy::{crops, run, toy_config};

fn sudoku_batch(arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    command.args(arguments).output().unwrap()
}

#[test]
fn without_data_crops_are_rendered_and_the_model_is_compared_with_its_start() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = toy_config(1);
    settings.rendered = 600;
    let json = serde_json::to_vec(&settings).unwrap();
    std::fs::write(folder.path().join("settings.json"), json).unwrap();
    let train = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
        command.current_dir(&folder).arg("train").args(arguments);
        say(command.args(["--config", "settings.json", "--fonts", "none"]))
    };
    let first = train(&["-o", "first"]);
    assert_eq!(first.code, Some(0), "{first:?}");
    let card = |run: &str| Artifact::read(&folder.path().join(run)).unwrap().card;
    let data = card("first").data;
    let [rendered] = &data[..] else {
        panic!("{data:?}");
    };
    assert_eq!((&*rendered.name, rendered.training), ("rendered", 600));
    assert!((20..200).contains(&rendered.validation), "{data:?}");
    assert!(!first.stdout.contains("started from"), "{first:?}");

    let second = train(&["-o", "second", "--init", "first"]);
    assert_eq!(second.code, Some(0), "{second:?}");
    let share = 100.0 * card("first").validation.accuracy;
    let said = format!("the model it started from: {share:.2} % of them");
    assert!(second.stdout.contains(&said), "{second:?}");
}

#[test]
fn train_tunes_a_model_writes_tables_and_evaluates_photos() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (crops, photos, out) = (crops(folder.path()), at("photos"), at("out"));
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("training/digits/model");
    std::fs::create_dir(&photos).unwrap();
    board(PUZZLES[0]).save(photos.join("a.png")).unwrap();
    let tune = || {
        let arguments: [&dyn AsRef<std::ffi::OsStr>; 12] = [
            &"train",
            &crops,
            &"--init",
            &built_in,
            &"--epochs",
            &"1",
            &"--learning-rate",
            &"1e-5",
            &"--evaluate",
            &photos,
            &"--out",
            &out,
        ];
        sudoku_batch(&arguments)
    };
    let untrue = tune();
    let text = String::from_utf8_lossy(&untrue.stderr).into_owned();
    assert_eq!(untrue.status.code(), Some(2), "{text}");
    assert!(text.contains("truth beside it"), "{text}");

    std::fs::write(photos.join("a.txt"), PUZZLES[0]).unwrap();
    let done = tune();
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(0), "{text}");
    let table = |name: &str, header: &str, rows: std::ops::RangeInclusive<usize>| {
        let text = std::fs::read_to_string(out.join(name)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], header, "{name}");
        assert!(rows.contains(&(lines.len() - 1)), "{name}: {}", lines.len());
    };
    table("metrics.csv", "epoch,split,loss,accuracy,seconds", 2..=2);
    table(
        "classes.csv",
        "class,crops,read,right,precision,recall",
        10..=10,
    );
    table("sources.csv", "source,crops,accuracy", 1..=1);
    table(
        "reliability.csv",
        "temperature,from,to,crops,confidence,accuracy",
        30..=30,
    );
    table(
        "worst.csv",
        "rank,label,read,confidence,loss,photo,source",
        1..=50,
    );
    assert!(image::open(out.join("worst.png")).is_ok());
    let json = |path: PathBuf| -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
    };
    let summary = json(out.join("summary.json"));
    let kept: TrainingSummary = serde_json::from_value(summary.clone()).unwrap();
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    let picture = std::fs::read(out.join("worst.png")).unwrap();
    assert_eq!(page, train_page(&kept, &picture));
    assert!(page.contains("1 of 1") && page.contains("photos read without an error"));
    let started = &json(built_in.join("card.json"))["weights"];
    assert_eq!(summary["card"]["init"], *started);
    assert_eq!(summary["evaluation"]["accuracy"]["decoded_exact"], 1);

    // The same figures as from `recognize`.
    let read = at("read");
    let arguments: [&dyn AsRef<std::ffi::OsStr>; 6] =
        [&"recognize", &photos, &"--model", &out, &"--out", &read];
    assert!(sudoku_batch(&arguments).status.success());
    let figures = &json(read.join("summary.json"))["accuracy"];
    assert_eq!(summary["evaluation"]["accuracy"], *figures);
}

#[test]
fn invalid_settings_are_reported_before_data_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let model = at("model");
    run(&toy_config(1), &at("run"))
        .unwrap()
        .artifact
        .write(&model)
        .unwrap();
    let message = |settings: &str, arguments: &[&str]| {
        std::fs::write(at("settings.json"), settings).unwrap();
        let mut command = program(&["train", "no such folder", "--config"]);
        command.arg(at("settings.json")).args(arguments);
        let said = say(command.arg("-o").arg(at("out")));
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(!at("out").exists());
        said.stderr
    };
    let init = ["--init", model.to_str().unwrap()];
    let wider = message("{}", &init);
    assert!(
        wider.contains("hidden 16, kind_units 0, but that of the settings"),
        "{wider}"
    );
    assert!(wider.contains("hint: set `net` in the settings"), "{wider}");
    let zero = message(r#"{"batch_size": 0}"#, &[]);
    assert!(zero.contains("batch_size"), "{zero}");
    let unknown = message(r#"{"epoch": 3}"#, &[]);
    assert!(
        unknown.contains("settings.json: unknown field `epoch`"),
        "{unknown}"
    );
    let devices = [
        ("cuda", cfg!(feature = "cuda")),
        ("wgpu", cfg!(feature = "wgpu")),
    ];
    for (device, _) in devices.into_iter().filter(|(_, is_built)| !is_built) {
        let missing = message("{}", &["--device", device]);
        let expected = format!("no device `{device}`: build with `--features {device}`");
        assert!(missing.contains(&expected), "{missing}");
    }
    for name in ["weights", "card.json"] {
        let whole = std::fs::read(model.join(name)).unwrap();
        std::fs::write(model.join(name), &whole[..whole.len() / 2]).unwrap();
        let damaged = message("{}", &init);
        let file = model.join(name).display().to_string();
        assert!(damaged.contains(&format!("{file} is damaged")), "{damaged}");
        std::fs::write(model.join(name), whole).unwrap();
    }
}

/// A file size limit simulates a full disk: the system refuses the bytes in both cases.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_at_most_the_current_epoch() {
    let folder = tempfile::tempdir().unwrap();
    let (crops, out) = (crops(folder.path()), folder.path().join("out"));
    let settings = folder.path().join("settings.json");
    let json = serde_json::to_vec(&toy_config(2)).unwrap();
    std::fs::write(&settings, json).unwrap();
    let train = |arguments: &[&str], blocks: &str| {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_sudoku-batch")]);
        command.arg("train").arg(&crops).args(arguments);
        match arguments.contains(&"--resume") {
            true => say(command.arg(&out)),
            false => say(command.arg("--config").arg(&settings).arg("-o").arg(&out)),
        }
    };
    let said = train(&[], "1");
    assert_eq!(said.code, Some(2), "{said:?}");
    let file = out.join("checkpoints/epoch-0001/weights");
    let expected = format!("cannot write checkpoint {}", file.display());
    assert!(said.stderr.contains(&expected), "{said:?}");
    assert!(
        said.stderr
            .contains("hint: free some space, then start again"),
        "{said:?}"
    );

    // A partial checkpoint is ignored: the run starts over.
    assert_eq!(train(&[], "unlimited").code, Some(0));
    let model = || Artifact::read(&out).unwrap();
    let before = model();
    let pages =
        || ["report.html", "summary.json"].map(|name| std::fs::read(out.join(name)).unwrap());
    let pages_before = pages();
    let longer = train(&["--epochs", "3", "--resume"], "1");
    assert_eq!(longer.code, Some(2), "{longer:?}");
    assert!(
        longer
            .stderr
            .contains("hint: free some space, then resume with"),
        "{longer:?}"
    );
    // The run is complete, so nothing is left to train.
    let said = train(&["--resume"], "1");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("error: cannot write "), "{said:?}");
    assert!(said.stderr.contains("no epoch is lost"), "{said:?}");
    assert_eq!(model().card, before.card);
    assert_eq!(pages(), pages_before);
    let left = |name: &std::ffi::OsStr| name != MARKER && name.to_string_lossy().starts_with('.');
    let mut entries = std::fs::read_dir(&out).unwrap();
    assert!(!entries.any(|entry| left(&entry.unwrap().file_name())));
    assert_eq!(
        train(&["--epochs", "3", "--resume"], "unlimited").code,
        Some(0)
    );
    assert_eq!(model().card.config.epochs, 3);
}

#[test]
fn damaged_checkpoints_are_reported_with_what_to_remove() {
    let folder = tempfile::tempdir().unwrap();
    let (crops, run_folder) = (crops(folder.path()), folder.path().join("run"));
    run(&toy_config(2), &run_folder).unwrap();
    for epoch in ["epoch-0001", "epoch-0002"] {
        let state = run_folder
            .join("checkpoints")
            .join(epoch)
            .join("state.json");
        std::fs::write(&state, "{").unwrap();
    }
    for flag in ["--resume", "--out"] {
        let said = say(program(&["train"]).arg(&crops).arg(flag).arg(&run_folder));
        assert_eq!(said.code, Some(2), "{said:?}");
        let checkpoints = run_folder.join("checkpoints");
        let hint = format!("hint: remove {} and start again", checkpoints.display());
        assert!(
            said.stderr.contains("epoch-0002/state.json is damaged"),
            "{said:?}"
        );
        assert!(said.stderr.contains(&hint), "{said:?}");
    }
}

#[test]
fn missing_data_excessive_weights_and_empty_data_are_different_errors() {
    let folder = tempfile::tempdir().unwrap();
    let crops = crops(folder.path());
    let heavy = format!("{}:1e9", crops.display());
    for (data, expected) in [
        ("nowhere", "error: no such folder: nowhere"),
        ("nowhere:3", "error: no such folder: nowhere"),
        (
            &*heavy,
            "each crop would be drawn 1000000000 times per epoch",
        ),
        (folder.path().to_str().unwrap(), "holds no labeled crops"),
    ] {
        let said = say(program(&["train", data, "-o"]).arg(folder.path().join("out")));
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains(expected), "{data}: {said:?}");
    }
}

#[test]
fn a_resumed_run_uses_its_own_data_and_refuses_a_forged_history() {
    let folder = tempfile::tempdir().unwrap();
    let crops = crops(folder.path());
    let settings = serde_json::to_vec(&toy_config(1)).unwrap();
    std::fs::write(folder.path().join("settings.json"), settings).unwrap();
    let run = folder.path().join("run");
    let train = |arguments: &[&str]| {
        let mut command = program(&["train"]);
        command.current_dir(folder.path()).args(arguments);
        say(&mut command)
    };
    let crops = crops.file_name().unwrap().to_str().unwrap();
    let weighted = format!("{crops}:2");
    let first = train(&[&weighted, "--config", "settings.json", "-o", "run"]);
    assert_eq!(first.code, Some(0), "{first:?}");
    // From another folder, and without naming the data.
    let mut command = program(&["train", "--epochs", "2", "--resume"]);
    let second = say(command.arg(&run));
    assert_eq!(second.code, Some(0), "{second:?}");
    let state = run.join("checkpoints/epoch-0002/state.json");
    let text = std::fs::read_to_string(&state).unwrap();
    let mut forged: serde_json::Value = serde_json::from_str(&text).unwrap();
    forged["history"][1]["epoch"] = 99.into();
    std::fs::write(&state, forged.to_string()).unwrap();
    std::fs::remove_dir_all(run.join("checkpoints/epoch-0001")).unwrap();
    let third = say(program(&["train", "--resume"]).arg(&run));
    assert_eq!(third.code, Some(2), "{third:?}");
    assert!(
        third.stderr.contains("epochs are not numbered"),
        "{third:?}"
    );
}

#[test]
fn a_model_with_the_wrong_size_or_nan_is_refused_before_it_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let photo = folder.path().join("a.png");
    board(PUZZLES[0]).save(&photo).unwrap();
    let refused = |model: &Artifact| {
        let path = folder.path().join("model");
        model.write(&path).unwrap();
        let mut command = program(&["recognize", "-o"]);
        command.arg(folder.path().join("out")).arg("--model");
        let said = say(command.arg(path).arg(&photo));
        assert_eq!(said.code, Some(2), "{said:?}");
        said.stderr
    };
    let mut wide = Artifact::built_in().unwrap();
    wide.card.config.net.widths = vec![4096; 6];
    let said = refused(&wide);
    assert!(said.contains("weights or more, and the file has"), "{said}");
    let mut odd = Artifact::built_in().unwrap();
    // The last values of the file are those of a tensor.
    let end = odd.weights.len();
    odd.weights[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    odd.card.weights = blake3::hash(&odd.weights).to_string();
    let said = refused(&odd);
    assert!(said.contains("not all of them are numbers"), "{said}");
}
