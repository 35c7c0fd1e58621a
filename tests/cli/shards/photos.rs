//! Folders of photos in shards.

use std::fs;
use std::process::Command;

use sudoku_batch::folder_lock::MARKER;

use super::same_files::{assert_same_files, files};
use super::{BOARD, expect, photos, program};

#[test]
fn parts_merge_to_the_output_of_one_machine() {
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
    // Output derived from it later is the same, too.
    expect(0, folder, &["report", "merged"]);
    assert_same_files(&folder.join("one"), &folder.join("merged"));

    // A finished shard is not run again.
    let again = [
        "recognize",
        "--plan",
        "plan.json",
        "--shard",
        "2/4",
        "--out",
        "parts",
    ];
    let (_, message) = expect(
        program(folder, &again).status.code().unwrap(),
        folder,
        &again,
    );
    assert!(
        message.contains("shard 2 is done: parts/shard-00002"),
        "{message}"
    );
}

#[cfg(unix)]
#[test]
fn leftovers_of_a_killed_shard_are_removed_but_running_ones_stay() {
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
fn a_photo_changed_since_the_plan_is_reported_and_nothing_is_written() {
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
    // If the ground truth is in a table, sidecars are ignored.
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
fn a_shard_is_chosen_by_number_or_scheduler_variable() {
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
