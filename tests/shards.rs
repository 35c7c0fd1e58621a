//! Jobs done in shards: the same bytes as one machine writes, and refusals that name what is wrong.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "common/same_files.rs"]
mod same_files;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use proptest::prelude::*;
use same_files::{assert_same_files, files};
use sudoku_batch::corpus::{Corpora, CorpusError};
use sudoku_batch::folder_lock::MARKER;
use sudoku_batch::shards::{
    CorpusPiece, Plan, PlanError, PlannedCorpus, open_pieces, plan_corpora,
};
use sudoku_batch::variant::OpenCorpora;

/// Runs the program in a folder.
fn program(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// The same, with the exit code that it must have; its output and its errors.
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

/// A folder of photos: two of one stem, one with its truth, a broken one, a name that is not UTF-8, a video.
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

#[test]
fn parts_merge_to_the_bytes_that_one_machine_writes() {
    let folder = photos();
    let folder = folder.path();
    let flags = ["--overlay", "--save-crops"];
    expect(
        1,
        folder,
        &[&["recognize", "photos", "--out", "one"], &flags[..]].concat(),
    );
    let plan = [
        "plan",
        "recognize",
        "photos",
        "--shards",
        "4",
        "--out",
        "plan.json",
    ];
    let (_, problems) = expect(1, folder, &plan);
    assert!(problems.contains("it is a pipe"), "{problems}");
    let missing = ["merge", "parts", "--plan", "plan.json", "--missing"];
    fs::create_dir(folder.join("parts")).unwrap();
    assert_eq!(expect(1, folder, &missing).0, "0\n1\n2\n3\n");
    for shard in [2, 0, 3, 1] {
        let shard = format!("{shard}/4");
        let shard = [
            "recognize",
            "--plan",
            "plan.json",
            "--shard",
            &shard,
            "--out",
            "parts",
        ];
        let output = program(folder, &[&shard[..], &flags].concat());
        assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    }
    assert_eq!(expect(0, folder, &missing).0, "");
    expect(
        1,
        folder,
        &["merge", "parts", "--plan", "plan.json", "--out", "merged"],
    );
    assert_same_files(&folder.join("one"), &folder.join("merged"));
    // What is made of it later is the same, too.
    expect(0, folder, &["report", "merged"]);
    assert_same_files(&folder.join("one"), &folder.join("merged"));

    // A shard that is done is not done again.
    let again = [
        "recognize",
        "--plan",
        "plan.json",
        "--shard",
        "2/4",
        "--out",
        "parts",
    ];
    let (_, told) = expect(
        program(folder, &again).status.code().unwrap(),
        folder,
        &again,
    );
    assert!(
        told.contains("shard 2 is done: parts/shard-00002"),
        "{told}"
    );
}

#[cfg(unix)]
#[test]
fn what_a_killed_shard_left_goes_when_it_is_done_again_and_what_runs_stays() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("p.txt"), format!("{BOARD}\n{BOARD}\n")).unwrap();
    let plan = [
        "plan",
        "solve",
        "p.txt",
        "--shards",
        "2",
        "--out",
        "plan.json",
    ];
    expect(0, folder, &plan);
    let begun = |name: &str| {
        let begun = folder.join("parts").join(name);
        fs::create_dir_all(&begun).unwrap();
        fs::write(begun.join("solutions.txt"), "half").unwrap();
        fs::File::create(begun.join(MARKER)).unwrap()
    };
    let killed = begun(".shard-00000-killed");
    drop(killed);
    let running = begun(".shard-00000-running");
    running.try_lock().unwrap();
    drop(begun(".shard-00001-another"));
    let shard = [
        "solve",
        "--plan",
        "plan.json",
        "--shard",
        "0/2",
        "--out",
        "parts",
    ];
    expect(0, folder, &shard);
    let names = || {
        let entries = fs::read_dir(folder.join("parts")).unwrap();
        let mut names: Vec<_> = entries.map(|it| it.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(
        names(),
        [
            ".shard-00000-running",
            ".shard-00001-another",
            "shard-00000"
        ]
    );
    drop(running);
    expect(0, folder, &shard);
    assert_eq!(names(), [".shard-00001-another", "shard-00000"]);
}

#[test]
fn parts_that_are_not_those_of_the_plan_are_refused_by_name() {
    let folder = photos();
    let folder = folder.path();
    let plan = |name: &str, shards: &str| {
        let args = [
            "plan",
            "recognize",
            "photos",
            "--shards",
            shards,
            "--out",
            name,
        ];
        expect(1, folder, &args);
    };
    let shard = |plan: &str, shard: &str, flags: &[&str]| {
        let args = [
            "recognize",
            "--plan",
            plan,
            "--shard",
            shard,
            "--out",
            "parts",
        ];
        let output = program(folder, &[&args[..], flags].concat());
        assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    };
    let merge = || {
        let args = ["merge", "parts", "--plan", "plan.json", "--out", "merged"];
        let (_, errors) = expect(2, folder, &args);
        assert!(!folder.join("merged").exists());
        errors
    };
    plan("plan.json", "2");
    plan("other.json", "3");
    shard("plan.json", "0/2", &[]);
    assert!(merge().contains("shards without a part: 1"));
    shard("plan.json", "1/2", &["--decode", "argmax"]);
    let errors = merge();
    assert!(
        errors.contains("parts/shard-00001 was made with another setting of `decode`"),
        "{errors}"
    );
    fs::remove_dir_all(folder.join("parts/shard-00001")).unwrap();
    fs::write(folder.join("table.csv"), "photo,givens\ntext.jpg,none\n").unwrap();
    shard("plan.json", "1/2", &["--truth", "table.csv"]);
    let errors = merge();
    assert!(
        errors.contains("parts/shard-00001 was made with another setting of `truth`"),
        "{errors}"
    );
    fs::remove_dir_all(folder.join("parts/shard-00001")).unwrap();
    shard("plan.json", "1/2", &[]);
    shard("other.json", "2/3", &[]);
    let errors = merge();
    assert!(
        errors.contains("parts/shard-00002 is a part of another plan"),
        "{errors}"
    );
    let copied = |to: &str| {
        let (from, to) = (folder.join("parts/shard-00001"), folder.join(to));
        fs::create_dir_all(&to).unwrap();
        fs::copy(from.join("part.json"), to.join("part.json")).unwrap();
    };
    fs::remove_dir_all(folder.join("parts/shard-00002")).unwrap();
    copied("parts/shard-00001 copy");
    let errors = merge();
    assert!(errors.contains("shard 1 has two parts"), "{errors}");
    fs::remove_dir_all(folder.join("parts/shard-00001 copy")).unwrap();
    fs::write(folder.join("parts/shard-00001/part.json"), "{\"plan\":").unwrap();
    let errors = merge();
    assert!(errors.contains("parts/shard-00001 is no part"), "{errors}");
    let part = folder.join("parts/shard-00001");
    for (damaged, damage) in [
        ("results.csv", Some("")),
        ("results.csv", Some("photo,puzzle\n")),
        ("photos.jsonl", None),
        ("summary.json", Some("{}")),
        ("thumbnails", None),
    ] {
        fs::remove_dir_all(&part).unwrap();
        shard("plan.json", "1/2", &[]);
        let path = part.join(damaged);
        let path = match path.is_dir() {
            true => fs::read_dir(path).unwrap().next().unwrap().unwrap().path(),
            false => path,
        };
        match damage {
            Some(text) => fs::write(path, text).unwrap(),
            None => fs::remove_file(path).unwrap(),
        }
        let errors = merge();
        let expected = format!("parts/shard-00001 is no part: {damaged} is not as it was written");
        assert!(errors.contains(&expected), "{errors}");
    }
}

#[test]
fn a_photo_that_changed_since_the_plan_is_named_and_nothing_is_written() {
    let folder = photos();
    let folder = folder.path();
    let plan = [
        "plan",
        "recognize",
        "photos",
        "--shards",
        "1",
        "--out",
        "plan.json",
    ];
    expect(1, folder, &plan);
    let shard = [
        "recognize",
        "--plan",
        "plan.json",
        "--shard",
        "0/1",
        "--out",
        "parts",
    ];
    let photo = folder.join("photos/two.jpg");
    let bytes = fs::read(&photo).unwrap();
    let another = fs::read(folder.join("photos/text.jpg")).unwrap();
    for (change, how) in [
        (Some(&another[..]), "its content is another"),
        (Some(b"broken now"), "its content is another"),
        (None, "No such file"),
    ] {
        match change {
            Some(bytes) => fs::write(&photo, bytes).unwrap(),
            None => fs::remove_file(&photo).unwrap(),
        }
        let (_, errors) = expect(2, folder, &shard);
        let expected = format!("photos/two.jpg has changed since the plan was made: {how}");
        assert!(errors.contains(&expected), "{errors}");
        assert_eq!(files(&folder.join("parts")).len(), 0);
    }
    fs::write(&photo, bytes).unwrap();
    // Where the ground truth is in a table, what lies beside the photos does not count.
    fs::write(
        folder.join("table.csv"),
        format!("photo,givens\ntext.jpg,none\ntwo.jpg,{BOARD}\n"),
    )
    .unwrap();
    let tabled = [&shard[..], &["--truth", "table.csv"]].concat();
    for (sidecar, name) in [("two.txt", "two.jpg"), ("z.txt", "z.jpg")] {
        let path = folder.join("photos").join(sidecar);
        let before = fs::read(&path).ok();
        fs::write(&path, format!("{BOARD}\n")).unwrap();
        let (_, errors) = expect(2, folder, &shard);
        let expected = format!(
            "photos/{name} has changed since the plan was made: the ground truth beside it is another"
        );
        assert!(errors.contains(&expected), "{errors}");
        expect(1, folder, &tabled);
        fs::remove_dir_all(folder.join("parts/shard-00000")).unwrap();
        match before {
            Some(text) => fs::write(&path, text).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
    }
    expect(1, folder, &shard);
    assert!(folder.join("parts/shard-00000/part.json").is_file());
}

#[test]
fn a_shard_is_chosen_by_number_or_by_the_engine_that_starts_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("p.txt"), format!("{BOARD}\n{BOARD}\n")).unwrap();
    expect(
        0,
        folder,
        &[
            "plan",
            "solve",
            "p.txt",
            "--shards",
            "2",
            "--out",
            "plan.json",
        ],
    );
    let auto = |variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
        command.args(["solve", "--plan", "plan.json", "--shard", "auto"]);
        for name in [
            "SLURM_ARRAY_TASK_ID",
            "JOB_COMPLETION_INDEX",
            "AWS_BATCH_JOB_ARRAY_INDEX",
        ] {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied()).current_dir(folder);
        let output = command.output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), errors)
    };
    let (code, errors) = auto(&[]);
    assert!(
        code == 2 && errors.contains("JOB_COMPLETION_INDEX (Kubernetes)"),
        "{errors}"
    );
    let (code, errors) = auto(&[("SLURM_ARRAY_TASK_ID", "2")]);
    assert!(
        code == 2 && errors.contains("has 2 shards, counted from 0"),
        "{errors}"
    );
    assert_eq!(auto(&[("SLURM_ARRAY_TASK_ID", "1")]).0, 0);
    assert_eq!(auto(&[("AWS_BATCH_JOB_ARRAY_INDEX", "0")]).0, 0);
    assert!(folder.join("parts/shard-00000").is_dir() && folder.join("parts/shard-00001").is_dir());

    for (args, why) in [
        (
            &["solve", "--plan", "plan.json", "--shard", "2/2"][..],
            "count from 0",
        ),
        (
            &["solve", "--plan", "plan.json", "--shard", "1/3"],
            "has 2 shards, not 3",
        ),
        (
            &["rate", "--plan", "plan.json", "--shard", "0/2"],
            "a plan for `solve`, not for `rate`",
        ),
        (
            &["solve", "--plan", "p.txt", "--shard", "0/2"],
            "not a plan",
        ),
        (
            &["solve", "--plan", "no.json", "--shard", "0/2"],
            "cannot read no.json",
        ),
        (
            &["plan", "recognize", "none", "--shards", "2"],
            "no such file or folder: none",
        ),
        (
            &["plan", "solve", "-", "--shards", "2"],
            "stdin cannot be planned",
        ),
        (
            &["plan", "solve", "no.txt", "--shards", "2"],
            "cannot read no.txt",
        ),
        (
            &["merge", "none", "--plan", "plan.json", "--out", "m"],
            "there is no folder none",
        ),
    ] {
        let (_, errors) = expect(2, folder, args);
        assert!(errors.contains(why), "{args:?}: {errors}");
        assert!(
            errors.contains("hint: ") || errors.contains("error: "),
            "{errors}"
        );
    }
}

const BOARD: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

#[test]
fn answers_and_counts_of_parts_are_those_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let count = ["generate", "--count", "700", "--kind", "easy"];
    let generated = expect(0, folder, &count).0;
    fs::write(
        folder.join("many.txt"),
        format!("{generated}bad line\n{}\n", "1".repeat(81)),
    )
    .unwrap();
    let mut table = "puzzle,solution\r\n".to_owned();
    for line in generated.lines().take(50) {
        table.push_str(&format!("{line},\r\n"));
    }
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(table.as_bytes()).unwrap();
    fs::write(folder.join("table.csv.gz"), packed.finish().unwrap()).unwrap();
    let rows: Vec<&str> = (0..9).map(|row| &BOARD[9 * row..][..9]).collect();
    fs::write(folder.join("one.sdk"), rows.join("\n")).unwrap();
    let corpora = ["many.txt", "table.csv.gz", "one.sdk"];
    for (command, name) in [("solve", "solutions.txt"), ("rate", "ratings.csv")] {
        let whole = program(folder, &[&[command], &corpora[..]].concat());
        assert_eq!(whole.status.code(), Some(1));
        let plan = [&["plan", command], &corpora[..], &["--shards", "5"]].concat();
        expect(0, folder, &plan);
        for shard in 0..5 {
            let shard = format!("{shard}/5");
            let args = [
                command,
                "--plan",
                "plan.json",
                "--shard",
                &shard,
                "--out",
                command,
            ];
            let code = program(folder, &args).status.code();
            assert!(matches!(code, Some(0 | 1)), "{code:?}");
        }
        let out = format!("{command}-merged");
        let merge = ["merge", command, "--plan", "plan.json", "--out", &out];
        let (_, told) = expect(1, folder, &merge);
        assert_eq!(
            fs::read(folder.join(&out).join(name)).unwrap(),
            whole.stdout
        );
        let errors = String::from_utf8(whole.stderr).unwrap();
        let problems = fs::read_to_string(folder.join(&out).join("problems.txt")).unwrap();
        assert!(problems.contains("many.txt:701: "), "{problems}");
        assert_eq!(errors.lines().next(), problems.lines().next());
        let counts = |text: &str| {
            let line = text.lines().find(|line| line.contains(" in ")).unwrap();
            let (words, rest) = line.split_once(" in ").unwrap();
            let rest = rest.split_once("/s)").unwrap().1;
            format!("{words}{rest}")
        };
        assert_eq!(counts(&told), counts(&errors));
    }
}

#[test]
fn a_corpus_that_changed_since_the_plan_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = format!("{BOARD}\n").repeat(8);
    fs::write(folder.join("p.txt"), &text).unwrap();
    expect(0, folder, &["plan", "solve", "p.txt", "--shards", "2"]);
    fs::write(folder.join("p.txt"), text.replacen('5', ".", 1)).unwrap();
    // Only the shard in which something changed.
    let args = |shard| ["solve", "--plan", "plan.json", "--shard", shard];
    let (_, errors) = expect(2, folder, &args("0/2"));
    assert!(
        errors.contains("p.txt has changed since the plan was made"),
        "{errors}"
    );
    expect(0, folder, &args("1/2"));
}

#[test]
fn measurements_of_parts_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let generated = expect(0, folder, &["generate", "--count", "300"]).0;
    fs::write(folder.join("a.txt"), &generated).unwrap();
    fs::write(folder.join("b.txt"), format!("{BOARD}\n{BOARD}\n")).unwrap();
    expect(
        0,
        folder,
        &["plan", "bench", "a.txt", "b.txt", "--shards", "3"],
    );
    let flags = [
        "--solvers",
        "mrv,bands",
        "--no-throughput",
        "--per-puzzle",
        "--budget",
        "2s",
    ];
    for shard in ["0/3", "1/3", "2/3"] {
        let args = [
            "bench",
            "--plan",
            "plan.json",
            "--shard",
            shard,
            "--out",
            "parts",
        ];
        expect(0, folder, &[&args[..], &flags].concat());
    }
    let (table, _) = expect(
        0,
        folder,
        &["merge", "parts", "--plan", "plan.json", "--out", "merged"],
    );
    assert!(table.contains("bands"), "{table}");
    let whole = [&["bench", "a.txt", "b.txt", "--out", "one"], &flags[..]].concat();
    expect(0, folder, &whole);
    let read = |folder: &Path, name: &str| -> serde_json::Value {
        serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap()
    };
    let (one, merged) = (folder.join("one"), folder.join("merged"));
    let (expected, found) = (read(&one, "summary.json"), read(&merged, "summary.json"));
    for (expected, found) in expected["corpora"]
        .as_array()
        .unwrap()
        .iter()
        .zip(found["corpora"].as_array().unwrap())
    {
        for key in ["name", "file", "puzzles", "bad_lines", "hash"] {
            assert!(!found[key].is_null(), "{key}");
            assert_eq!(expected[key], found[key], "{key}");
        }
    }
    for (expected, found) in expected["rows"]
        .as_array()
        .unwrap()
        .iter()
        .zip(found["rows"].as_array().unwrap())
    {
        for key in [
            "corpus",
            "solver",
            "puzzles",
            "covered",
            "unique",
            "wrong",
            "guesses_mean",
            "nodes_mean",
        ] {
            assert!(!found[key].is_null(), "{key}");
            assert_eq!(expected[key], found[key], "{key}");
        }
    }
    let lines = |folder: &Path| {
        fs::read_to_string(folder.join("puzzles.csv"))
            .unwrap()
            .lines()
            .count()
    };
    assert_eq!(lines(&one), lines(&merged));
    let names = |folder: &Path| {
        let mut names: Vec<String> = files(folder).into_keys().collect();
        names.sort();
        names
    };
    assert_eq!(names(&one), names(&merged));
}

/// Lets a part say that it was made on another machine.
fn on_another_machine(part: &Path) {
    let path = part.join("summary.json");
    let mut summary: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let machine = match summary.get_mut("machines") {
        Some(machines) => &mut machines[0]["environment"],
        None => &mut summary["environment"],
    };
    machine["cpu"] = "Abacus 1".into();
    fs::write(&path, summary.to_string()).unwrap();
    // It would have been noted so.
    let path = part.join("part.json");
    let mut head: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    head["files"]
        .as_object_mut()
        .unwrap()
        .remove("summary.json");
    fs::write(&path, head.to_string()).unwrap();
}

#[test]
fn times_of_unlike_machines_are_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("p.txt"), format!("{BOARD}\n").repeat(40)).unwrap();
    for number in 0..4 {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/photos/011-small.jpg");
        fs::create_dir_all(folder.join("photos")).unwrap();
        fs::copy(root, folder.join(format!("photos/{number}.jpg"))).unwrap();
    }
    let mut told = Vec::new();
    for (command, input) in [
        ("recognize", "photos"),
        ("solve", "p.txt"),
        ("bench", "p.txt"),
    ] {
        expect(0, folder, &["plan", command, input, "--shards", "4"]);
        for shard in ["0/4", "1/4", "2/4", "3/4"] {
            let mut args = vec![
                command,
                "--plan",
                "plan.json",
                "--shard",
                shard,
                "--out",
                command,
            ];
            if command == "bench" {
                args.extend(["--solvers", "bands", "--no-throughput", "--budget", "100ms"]);
            }
            expect(0, folder, &args);
        }
        on_another_machine(&folder.join(command).join("shard-00002"));
        let out = format!("{command}-merged");
        let (output, errors) = expect(
            0,
            folder,
            &["merge", command, "--plan", "plan.json", "--out", &out],
        );
        let summary = fs::read(folder.join(&out).join("summary.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
        told.push((output + &errors, summary));
    }
    let [(photos, read), (_, solved), (table, benched)] = &told[..] else {
        panic!("three commands");
    };
    assert!(
        photos.contains("2 kinds of machines, reported separately"),
        "{photos}"
    );
    assert!(photos.contains("Abacus 1, "), "{photos}");
    let machines = |summary: &serde_json::Value, key: &str| -> Vec<u64> {
        let machines = summary["machines"].as_array().unwrap().iter();
        machines
            .map(|machine| machine[key].as_u64().unwrap())
            .collect()
    };
    assert_eq!(machines(read, "photos"), [3, 1]);
    assert_eq!(read["photos"], 4);
    assert_eq!(machines(solved, "shards"), [3, 1]);
    assert_eq!(machines(solved, "puzzles"), [30, 10]);
    assert!(table.contains("p on machine 2 (Abacus 1)"), "{table}");
    let corpora: Vec<_> = benched["corpora"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["puzzles"])
        .collect();
    assert_eq!(corpora, [30, 10]);
}

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn pieces_of_corpora_have_the_entries_of_the_whole(
        texts in prop::collection::vec((
            prop::collection::vec(prop_oneof![
                4 => Just(BOARD.to_owned()),
                1 => Just(format!("  {BOARD} # note")),
                1 => Just(String::new()),
                1 => Just("# comment".to_owned()),
                1 => Just("nonsense".to_owned()),
                1 => (1..12_usize).prop_map(|rows| vec!["12.......\n"; rows].concat()),
                1 => Just("[Puzzle]".to_owned()),
                1 => Just("[State]".to_owned()),
            ], 0..30),
            prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
            prop::option::of(prop_oneof![Just("puzzle,solution"), Just("id;quizzes")]),
            any::<bool>(),
        ), 1..4),
        shards in 1..7_usize,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut corpora: Vec<(PathBuf, String)> = Vec::new();
        for (number, (lines, end, header, is_packed)) in texts.iter().enumerate() {
            let lines = lines.iter().map(|line| match header {
                Some("id;quizzes") => format!("7;{line}"),
                _ => line.clone(),
            });
            let lines = header.iter().map(|it| (*it).to_owned()).chain(lines);
            let text: String = lines.map(|line| line.replace('\n', end) + end).collect();
            let path = folder.path().join(format!("{number}.txt"));
            let bytes = if *is_packed {
                let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                packed.write_all(text.as_bytes()).unwrap();
                packed.finish().unwrap()
            } else {
                text.into_bytes()
            };
            fs::write(&path, bytes).unwrap();
            corpora.push((path, number.to_string()));
        }
        let out = folder.path().join("plan.json");
        let mut counted = 0;
        let whole = || Corpora::new(corpora.iter().map(|(path, _)| path.clone()).collect());
        let planned = PlannedCorpus::all(corpora.clone(), None, None);
        let plan = |on_puzzles: &mut dyn FnMut(u64)| {
            plan_corpora("solve", &planned, None, shards, &out, on_puzzles)
        };
        if whole().all(|entry| entry.is_err()) {
            let planned = plan(&mut |_| {});
            prop_assert!(matches!(planned, Err(PlanError::NoPuzzles)));
            prop_assert!(!out.exists());
            return Ok(());
        }
        let puzzles = plan(&mut |more| counted += more).unwrap();
        prop_assert_eq!(puzzles, counted);
        let plan = Plan::open(&out).unwrap();
        prop_assert_eq!(plan.shards.len(), shards);
        let mut found = Vec::new();
        for shard in &plan.shards {
            let pieces: Vec<CorpusPiece> = plan.files(shard).unwrap();
            let pieces = pieces.into_iter().map(|piece| piece.checked().unwrap());
            let OpenCorpora::Classic(corpora) = open_pieces(pieces.collect(), false) else {
                panic!("a plan of classic puzzles");
            };
            found.extend(entries(*corpora));
        }
        prop_assert_eq!(found, entries(whole()));
        let weights = plan.shards.iter().map(|shard| shard.weight);
        prop_assert_eq!(weights.sum::<u64>(), puzzles);
    }
}
