//! Which boards are equivalent, and what counts on that.

use std::fs;
use std::process::Command;

use super::program::{PUZZLE, fed};
use super::{RELABELED, SIX, expect, rows, transposed};

#[test]
fn duplicates_are_named_by_what_counts_as_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = format!(
        "# mine\n{SIX}\tboxes=2x3\tfirst\n{RELABELED}\tboxes=2x3\n{}\tboxes=3x2\n{SIX}\tboxes=2x3\n{SIX}\tboxes=3x2\n",
        transposed()
    );
    fs::write(folder.join("six.txt"), &text).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    for (by, kept) in [
        ("exact", &[1, 2, 3, 5][..]),
        ("relabeling", &[1, 3, 5]),
        ("puzzle", &[1, 5]),
    ] {
        let (out, told) = expect(1, folder, &["dedup", "--by", by, "six.txt"], "");
        let kept: Vec<&str> = kept.iter().map(|row| rows[*row]).collect();
        assert_eq!(out.lines().collect::<Vec<&str>>(), kept, "{by}: {told}");
    }
    // With boxes of 3x2 the last one has other solutions, or not just one.
    let arguments = [
        "dedup",
        "--by",
        "solution",
        "--removed",
        "gone.csv",
        "six.txt",
    ];
    let (out, told) = expect(1, folder, &arguments, "");
    assert!(
        out.starts_with(rows[1]) && out.lines().count() == 2,
        "{told}"
    );
    let gone = fs::read_to_string(folder.join("gone.csv")).unwrap();
    let gone: Vec<&str> = gone.lines().collect();
    assert_eq!(gone[0], "puzzle,place,same_as");
    assert_eq!(
        gone[1],
        format!("{RELABELED}\tboxes=2x3,six.txt:3,six.txt:2")
    );
    assert_eq!(gone.len(), 4);
    // Each kept one is different, so nothing is left to remove.
    expect(0, folder, &["dedup"], rows[1]);
    fs::write(folder.join("known.txt"), RELABELED).unwrap();
    let arguments = [
        "dedup",
        "--against",
        "known.txt",
        "--boxes",
        "2x3",
        "--json",
    ];
    let (json, told) = expect(1, folder, &arguments, SIX);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (json["known"].as_u64(), json["kept"].as_u64()),
        (Some(1), Some(0))
    );
    assert!(told.contains("0 kept, 0 removed, 1 known"), "{told}");
}

#[test]
fn the_hardest_of_a_table_is_kept_with_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    let table = format!("id,Start,er\na,{SIX},2.0\nb,{RELABELED},3.5\nc,{SIX},1\n");
    fs::write(folder.path().join("six.csv"), table).unwrap();
    let arguments = [
        "dedup",
        "--hardest",
        "er",
        "--puzzle-column",
        "start",
        "--boxes",
        "2x3",
        "six.csv",
    ];
    let (out, _) = expect(1, folder.path(), &arguments, "");
    assert_eq!(out, format!("id,Start,er\nb,{RELABELED},3.5\n"));
    // Numbers of a column make bins, though there are no ratings of such boards.
    let arguments = [
        "sample",
        "--er",
        "1..3",
        "--per-bin",
        "1",
        "--puzzle-column",
        "start",
        "--boxes",
        "2x3",
        "six.csv",
    ];
    let (out, told) = expect(0, folder.path(), &arguments, "");
    assert_eq!(
        out,
        format!("id,Start,er\na,{SIX},2.0\nc,{SIX},1\n"),
        "{told}"
    );
}

#[test]
fn cages_keep_their_values_and_regions_their_cells() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let blank = ".".repeat(16);
    let killer = |one: u32, other: u32| format!("{blank}\t{one}=r1c1,r1c2 {other}=r4c3,r4c4\n");
    let turned = format!("{blank}\t3=r4c4,r3c4 7=r1c1,r2c1\n");
    let text = killer(3, 7) + &killer(7, 3) + &killer(4, 6) + &turned;
    let (out, _) = expect(1, folder, &["dedup"], &text);
    assert_eq!(out, killer(3, 7) + &killer(4, 6));
    let (out, _) = expect(0, folder, &["dedup", "--by", "relabeling"], &text);
    assert_eq!(out, text);
    // The same regions with other names, and others.
    let jigsaw = |regions: &str| format!("1..............2\t{regions}\n");
    let text =
        jigsaw("1112132233243444") + &jigsaw("AAACADCCDDCBDBBB") + &jigsaw("1122112233443344");
    let (out, told) = expect(1, folder, &["dedup", "--by", "exact"], &text);
    assert_eq!(out.lines().count(), 2, "{told}");
}

#[test]
fn statistics_are_a_table_json_and_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = format!(
        "{SIX}\tboxes=2x3\n{RELABELED}\tboxes=2x3\n11..............\n{PUZZLE}\twhat\nwhat\n"
    );
    let (table, told) = expect(1, folder, &["stats", "--minimal"], &text);
    for line in [
        "            4  puzzles",
        "            1  without a solution",
        "6x6, boxes 2x3             2  ###",
        "            3  different after relabeling digits",
    ] {
        assert!(table.contains(line), "{line}: {table}");
    }
    assert!(
        told.contains("<stdin>:5: ") && told.contains("1 bad line"),
        "{told}"
    );
    let arguments = ["stats", "--minimal", "--json", "--page", "p.html"];
    let (json, _) = expect(1, folder, &arguments, &text);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["boards"]["9x9"], 1);
    assert_eq!(json["givens"]["2"], 1);
    assert_eq!(
        (&json["puzzles"], &json["bad_lines"]),
        (&4.into(), &1.into())
    );
    assert_eq!(json["classes"]["exact"], 4);
    assert!(json["minimal"].as_u64().is_some_and(|minimal| minimal <= 3));
    let page = fs::read_to_string(folder.join("p.html")).unwrap();
    assert!(page.contains("6x6, boxes 2x3"), "{page}");
    // Minimal puzzles take long on large boards, so they are counted where that is asked for.
    let (json, _) = expect(
        0,
        folder,
        &["stats", "--json"],
        &format!("{SIX}\tboxes=2x3\n"),
    );
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (json["one_solution"].as_u64(), json.get("minimal")),
        (Some(1), None)
    );
}

#[test]
fn bad_input_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let seven = ".".repeat(49);
    for (arguments, text, words) in [
        // The wrong side, or none.
        (
            &["stats"][..],
            SIX,
            "may have boxes 2x3 or 3x2: say which with --boxes",
        ),
        (
            &["dedup", "--boxes", "2x2"],
            SIX,
            "the boxes are for a 4x4 board, and this one is 6x6",
        ),
        (
            &["sample", "--per-bin", "1"],
            &seven,
            "a 7x7 board has no boxes: give its regions",
        ),
        (
            &["stats", "--regions", "112"],
            &seven,
            "--regions: found 3 cells",
        ),
        (
            &["dedup", "--regions", "1122112233443344"],
            &seven,
            "the regions are for a 4x4 board",
        ),
        // Symbols that the board has not, and a name of none.
        (
            &["stats", "--symbols", "0-9A-Z", "--boxes", "2x3"],
            SIX,
            "6 is no value of a 6x6 board",
        ),
        (&["stats", "--symbols", "1-X"], SIX, "names no symbols"),
        // Ratings are of classic boards.
        (
            &["stats", "--rate"],
            "1...2...3...4...",
            "--rate supports only classic boards",
        ),
        (
            &["sample", "--er", "2..", "--per-bin", "1"],
            "1...2...3...4...",
            "only classic boards have ratings",
        ),
    ] {
        let (out, told) = expect(2, folder, arguments, text);
        assert!(told.contains(words), "{arguments:?}: {told}");
        assert_eq!(out, "", "{arguments:?}");
    }
    // Several sizes in one file are no fault, as long as each says what it is.
    let mixed = format!("1...2...3...4...\n{SIX}\n{SIX} boxes=2x3\n");
    let (out, told) = expect(1, folder, &["dedup"], &mixed);
    assert_eq!(out.lines().count(), 2, "{told}");
    assert!(
        told.contains("<stdin>:2: a 6x6 board may have boxes"),
        "{told}"
    );
}

#[test]
fn a_table_without_a_column_of_puzzles_asks_for_it() {
    let folder = tempfile::tempdir().unwrap();
    for puzzle in [PUZZLE, "1...2...3...4..."] {
        let table = format!("Start,note\n{puzzle},easy\n");
        fs::write(folder.path().join("t.csv"), table).unwrap();
        for arguments in [
            &["corpus", "stats", "t.csv"][..],
            &["corpus", "check", "t.csv"],
            &["solve", "t.csv"],
            &["bench", "--out", "b", "t.csv"],
            &["convert", "--to", "cells", "t.csv"],
            &["plan", "solve", "--shards", "2", "t.csv"],
            &["solve", "--puzzle-column", "nope", "t.csv"],
        ] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
            let output = fed(command.args(arguments).current_dir(folder.path()), b"");
            let told = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
            let hint = "hint: --puzzle-column NAME takes the puzzles from the column of this name";
            assert!(told.contains(hint), "{arguments:?}: {told}");
        }
    }
    // A file that is not there is something else.
    let (_, told) = expect(2, folder.path(), &["stats", "missing.txt"], "");
    assert!(!told.contains("--puzzle-column"), "{told}");
}

#[test]
fn images_have_one_canonical_line_that_can_be_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = format!(
        "{SIX}\tboxes=2x3\n{RELABELED}\tboxes=2x3\n{}\tboxes=3x2\n",
        transposed()
    );
    for form in ["minlex", "solution", "pattern"] {
        let (table, told) = expect(0, folder, &["canon", "--form", form], &text);
        assert!(table.starts_with("puzzle,canon,id,automorphisms\n"));
        assert!(told.starts_with("3 forms written"), "{told}");
        let canonical = rows(&table);
        assert_eq!(canonical.len(), 3);
        assert_eq!(canonical[0][0], format!("{SIX}\tboxes=2x3"));
        assert_eq!(canonical[0][2].len(), 20);
        assert!(canonical[0][3].parse::<u64>().unwrap() > 0);
        for row in &canonical[1..] {
            assert_eq!(row[1..], canonical[0][1..], "{form}");
        }
        // The form is a puzzle of its own, and its own form.
        fs::write(folder.join("forms.csv"), &table).unwrap();
        let again = [
            "canon",
            "--form",
            form,
            "--puzzle-column",
            "canon",
            "forms.csv",
        ];
        let (again, _) = expect(0, folder, &again, "");
        let again = rows(&again);
        assert_eq!(again[0][0], canonical[0][1]);
        assert_eq!(again[0][1..], canonical[0][1..], "{form}");
        let (plain, _) = expect(0, folder, &["canon", "--plain", "--form", form], &text);
        assert_eq!(plain.lines().next(), Some(&*canonical[0][1]));
    }
    // Cages, with commas between their cells.
    let killer = format!("{}\t3=r1c1,r1c2 7=r4c3,r4c4\n", ".".repeat(16));
    let turned = format!("{}\t3=r4c4,r3c4 7=r1c1,r2c1\n", ".".repeat(16));
    let (table, _) = expect(0, folder, &["canon"], &(killer.clone() + &turned));
    let canonical = rows(&table);
    assert_eq!(canonical[0][0], killer.trim_end());
    assert_eq!(canonical[0][1..], canonical[1][1..]);
    // A row for each puzzle, even if it has no single solution.
    let (table, told) = expect(1, folder, &["canon", "--form", "solution"], &killer);
    assert!(table.ends_with("\",,,\n"), "{table}");
    assert!(
        told.contains("1 puzzle without exactly one solution"),
        "{told}"
    );
    let (out, told) = expect(2, folder, &["canon", "--transform"], &killer);
    assert!(
        told.contains("--transform supports only classic boards"),
        "{told}"
    );
    assert_eq!(out, "");
}

#[test]
fn leaks_are_counted_among_boards_of_one_kind() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    write("train.txt", format!("1...2...3...4...\n{SIX}\tboxes=2x3\n"));
    let without = SIX.replacen('3', ".", 1);
    write(
        "test.txt",
        format!(
            "{RELABELED}\tboxes=2x3\n{}\tboxes=3x2\n{SIX}\tboxes=3x2\n{without}\tboxes=2x3\n",
            transposed()
        ),
    );
    let arguments = [
        "leaks",
        "--radius",
        "1",
        "--json",
        "--pairs",
        "pairs.csv",
        "train.txt",
        "test.txt",
    ];
    let (json, _) = expect(1, folder, &arguments, "");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let counts = json[0]["result"]["leaks"].as_array().unwrap();
    let count = |kind: usize| counts[kind]["puzzles"].as_u64().unwrap();
    assert_eq!([count(0), count(1), count(2), count(4)], [0, 1, 2, 3]);
    assert!(count(3) >= 2);
    let pairs = fs::read_to_string(folder.join("pairs.csv")).unwrap();
    let second = &rows(&pairs)[1];
    assert_eq!(second[0], format!("{}\tboxes=3x2", transposed()));
    assert_eq!(second[1..5], ["test.txt:2", "", "", "train.txt:2"]);
    let arguments = ["leaks", "--page", "leaks.html", "train.txt", "test.txt"];
    expect(1, folder, &arguments, "");
    let page = fs::read_to_string(folder.join("leaks.html")).unwrap();
    assert!(page.contains(RELABELED) && page.contains("same_solution"));
    // The same cells with other rules are another puzzle, and other sizes have nothing to compare.
    write("classic.txt", format!("{PUZZLE}\n"));
    write("x.txt", format!("{PUZZLE}\tdiagonals\n"));
    write("both.txt", format!("{PUZZLE}\tdiagonals\n{PUZZLE}\n"));
    for (train, test) in [
        ("classic.txt", "test.txt"),
        ("test.txt", "classic.txt"),
        ("classic.txt", "x.txt"),
    ] {
        let (out, told) = expect(2, folder, &["leaks", train, test], "");
        assert!(told.contains("nothing can leak"), "{told}");
        assert_eq!(out, "");
    }
    let (out, _) = expect(1, folder, &["leaks", "classic.txt", "both.txt"], "");
    assert!(out.contains("exact                    1   50.00%"), "{out}");
    let (out, _) = expect(
        1,
        folder,
        &["leaks", "--diagonals", "classic.txt", "x.txt"],
        "",
    );
    assert!(out.contains("exact                    1  100.00%"), "{out}");
}

#[test]
fn a_split_keeps_images_together_and_records_how_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    let generate = ["generate", "--layout", "6x6", "-n", "40", "-q"];
    let made = fed(command.args(generate), b"");
    let made = String::from_utf8(made.stdout).unwrap();
    let mut text = String::new();
    for line in made.lines() {
        let cells = line.split('\t').next().unwrap();
        // The same puzzle upside down, as boxes of 2x3 allow.
        let turned: String = cells.chars().rev().collect();
        text += &format!("{cells}\n{turned}\n");
    }
    fs::write(folder.join("six.txt"), &text).unwrap();
    for group in ["puzzle", "solution", "radius:1"] {
        let arguments = [
            "split",
            "--group",
            group,
            "--boxes",
            "2x3",
            "--train",
            "50%",
            "--validation",
            "20%",
            "--test",
            "30%",
            "--out",
            "sets",
            "six.txt",
        ];
        let (table, told) = expect(0, folder, &arguments, "");
        assert!(
            table.contains("test.txt") && told.contains("groups in sets"),
            "{told}"
        );
        let mut all: Vec<String> = Vec::new();
        for part in ["train", "validation", "test"] {
            let part = fs::read_to_string(folder.join(format!("sets/{part}.txt"))).unwrap();
            all.extend(part.lines().map(str::to_owned));
        }
        let mut expected: Vec<&str> = text.lines().collect();
        all.sort_unstable();
        expected.sort_unstable();
        assert_eq!(all, expected, "{group}");
        // The boxes are those of the split.
        let (out, told) = expect(0, folder, &["leaks", "--split", "sets"], "");
        assert_eq!(out.matches("equivalent  ").count(), 3, "{out}{told}");
        if group == "radius:1" {
            continue;
        }
        // Groups are named like the forms.
        let form = if group == "puzzle" { "minlex" } else { group };
        let arguments = ["canon", "--form", form, "--boxes", "2x3", "six.txt"];
        let (forms, _) = expect(0, folder, &arguments, "");
        let mut ids: Vec<String> = rows(&forms).iter().map(|row| row[2].clone()).collect();
        let groups = fs::read_to_string(folder.join("sets/groups.csv")).unwrap();
        let mut groups: Vec<String> = rows(&groups).iter().map(|row| row[0].clone()).collect();
        ids.sort_unstable();
        ids.dedup();
        groups.sort_unstable();
        assert_eq!(ids, groups, "{group}");
    }
    // A row moved to another set leaks.
    let train = fs::read_to_string(folder.join("sets/train.txt")).unwrap();
    let moved: String = train.lines().next().unwrap().chars().rev().collect();
    fs::write(folder.join("moved.txt"), moved).unwrap();
    let arguments = ["leaks", "--boxes", "2x3", "sets/train.txt", "moved.txt"];
    let (out, _) = expect(1, folder, &arguments, "");
    assert!(out.contains("equivalent               1  100.00%"), "{out}");
    // The sets are exported, read as they were split: what stands in the table is what stands in the array.
    let arguments = ["export", "--to", "csv", "--split", "sets", "--out", "table"];
    let (_, told) = expect(0, folder, &arguments, "");
    assert!(told.starts_with("80 rows written to table"), "{told}");
    let table = fs::read_to_string(folder.join("table/puzzles.csv")).unwrap();
    let table = rows(&table);
    let arguments = [
        "export", "--to", "hrm", "--split", "sets", "--out", "hrm", "--copies", "3",
    ];
    expect(0, folder, &arguments, "");
    let file = |name: &str| fs::read(folder.join("hrm").join(name)).unwrap();
    let train = table.iter().filter(|row| row[6] == "train").count();
    assert_eq!(file("train/all__inputs.npy").len(), 128 + 36 * 4 * train);
    let metadata: serde_json::Value = serde_json::from_slice(&file("train/dataset.json")).unwrap();
    assert_eq!(
        (
            metadata["seq_len"].as_u64(),
            metadata["vocab_size"].as_u64()
        ),
        (Some(36), Some(8))
    );
    let token = |cell: char| cell.to_digit(10).map_or(1, |digit| digit as u8 + 1);
    let test = table.iter().filter(|row| row[6] == "test");
    let [inputs, labels] = [1, 2].map(|column| -> Vec<u8> {
        test.clone()
            .flat_map(|row| row[column].chars().take(36).map(token))
            .collect()
    });
    assert_eq!(file("test/all__inputs.npy")[128..], inputs);
    assert_eq!(file("test/all__labels.npy")[128..], labels);
}
