//! `corpus dedup`, `stats` and `sample` on boards of other sizes and shapes, from outside.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use program::{PUZZLE, fed};

fn corpus(folder: &Path, arguments: &[&str], stdin: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    let command = command.arg("corpus").args(arguments).current_dir(folder);
    fed(command, stdin.as_bytes())
}

/// Runs a command that ends with this code. Returns stdout and stderr.
fn expect(code: i32, folder: &Path, arguments: &[&str], stdin: &str) -> (String, String) {
    let output = corpus(folder, arguments, stdin);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, told) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
    (out, told)
}

/// A puzzle of 6x6; the same with other labels; with rows and columns exchanged, so that boxes stand upright.
const SIX: &str = "6.3..515....5....42...1.....21...4..";
const RELABELED: &str = "5.2..464....4....31...6.....16...3..";

fn transposed() -> String {
    let cells: Vec<char> = SIX.chars().collect();
    (0..36).map(|cell| cells[cell % 6 * 6 + cell / 6]).collect()
}

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
