//! Measurements in shards.

use std::fs;
use std::path::Path;

use super::same_files::files;
use super::{BOARD, expect};

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

/// Changes a part to claim that it was made on another machine.
fn pretend_another_machine(part: &Path) {
    let path = part.join("summary.json");
    let mut summary: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let machine = match summary.get_mut("machines") {
        Some(machines) => &mut machines[0]["environment"],
        None => &mut summary["environment"],
    };
    machine["cpu"] = "Abacus 1".into();
    fs::write(&path, summary.to_string()).unwrap();
    // It would have been recorded like this.
    let path = part.join("part.json");
    let mut head: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    head["files"]
        .as_object_mut()
        .unwrap()
        .remove("summary.json");
    fs::write(&path, head.to_string()).unwrap();
}

#[test]
fn times_of_different_machines_are_kept_separate() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("p.txt"), format!("{BOARD}\n").repeat(40)).unwrap();
    for number in 0..4 {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/photos/011-small.jpg");
        fs::create_dir_all(folder.join("photos")).unwrap();
        fs::copy(root, folder.join(format!("photos/{number}.jpg"))).unwrap();
    }
    let mut message = Vec::new();
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
        pretend_another_machine(&folder.join(command).join("shard-00002"));
        let out = format!("{command}-merged");
        let (output, errors) = expect(
            0,
            folder,
            &["merge", command, "--plan", "plan.json", "--out", &out],
        );
        let summary = fs::read(folder.join(&out).join("summary.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
        message.push((output + &errors, summary));
    }
    let [(photos, read), (_, solved), (table, benched)] = &message[..] else {
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
