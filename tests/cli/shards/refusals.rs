//! Parts that do not belong to a plan.

use std::fs;

use super::{expect, photos, program};

#[test]
fn parts_of_another_plan_are_refused_by_name() {
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
