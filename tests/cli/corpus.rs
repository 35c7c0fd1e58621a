//! `sudoku-batch corpus` from outside: rows, files, errors, exit codes.

use crate::common::program;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use program::{PUZZLE, SOLUTION, fed};

fn corpus(folder: &Path, arguments: &[&str]) -> Output {
    fed_corpus(folder, arguments, "")
}

fn fed_corpus(folder: &Path, arguments: &[&str], stdin: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    command.current_dir(folder).arg("corpus").args(arguments);
    fed(command.stdin(Stdio::null()), stdin.as_bytes())
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The puzzle with the digits renamed and the first two rows swapped.
fn equivalent(puzzle: &str) -> String {
    let swapped = format!("{}{}{}", &puzzle[9..18], &puzzle[..9], &puzzle[18..]);
    let rename = |cell: char| match cell.to_digit(10) {
        Some(digit) => char::from_digit(10 - digit, 10).unwrap(),
        None => cell,
    };
    swapped.chars().map(rename).collect()
}

/// Another puzzle with the same solution and one more given.
fn sibling() -> String {
    let mut cells = PUZZLE.to_owned();
    let more = &SOLUTION[78..79];
    cells.replace_range(78..79, more);
    cells
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn a_closed_output_pipe_is_no_error() {
    let folder = folder(&[("p.txt", &format!("{PUZZLE}\n").repeat(20_000))]);
    for arguments in [
        &["canon", "p.txt"][..],
        &["dedup", "--by", "exact", "p.txt"],
        &["sample", "--per-bin", "20000", "p.txt"],
        &["augment", "-n", "2", "p.txt"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
        command.current_dir(folder.path()).arg("corpus");
        command.args(arguments).arg("-q").stdin(Stdio::null());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(
            stderr(&output).is_empty() && output.status.code() != Some(2),
            "{arguments:?}: {output:?}"
        );
    }
}

#[test]
fn a_puzzle_without_a_form_keeps_its_row() {
    let ambiguous = ".".repeat(81);
    let folder = folder(&[]);
    for (flags, row) in [(&[][..], ",,,"), (&["--transform"], ",,,,")] {
        let arguments = [&["canon", "--form", "solution"], flags].concat();
        let output = fed_corpus(folder.path(), &arguments, &format!("{ambiguous}\n"));
        let text = stdout(&output);
        assert_eq!(text.lines().nth(1), Some(&*format!("{ambiguous}{row}")));
    }
}

#[test]
fn a_form_is_the_same_for_every_image() {
    let text = format!("{PUZZLE}\nbad\n{}\n", equivalent(PUZZLE));
    let folder = folder(&[]);
    let output = fed_corpus(folder.path(), &["canon", "--transform"], &text);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("<stdin>:2"), "{}", stderr(&output));
    let rows = stdout(&output);
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows[0][..4], ["puzzle", "canon", "id", "automorphisms"]);
    assert_eq!(rows[1][1..4], rows[2][1..4]);
    assert_ne!(rows[1][4], rows[2][4]);
    assert_eq!(rows[1][2].len(), 20);
    let output = fed_corpus(folder.path(), &["canon", "--plain"], PUZZLE);
    assert_eq!(stdout(&output), format!("{}\n", rows[1][1]));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn duplicates_are_removed_and_listed() {
    let table = format!(
        "id,puzzle,er\na,{PUZZLE},1.2\nb,{},2.6\nc,{},7.1\n",
        equivalent(PUZZLE),
        sibling()
    );
    let folder = folder(&[("all.csv", &table)]);
    let arguments = ["dedup", "--removed", "removed.csv", "all.csv"];
    let output = corpus(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let kept = stdout(&output);
    assert!(kept.starts_with("id,puzzle,er\na,") && kept.contains("\nc,"));
    assert_eq!(kept.lines().count(), 3);
    let removed = std::fs::read_to_string(folder.path().join("removed.csv")).unwrap();
    assert!(removed.ends_with(",all.csv:3,all.csv:2\n"), "{removed}");
    let output = corpus(
        folder.path(),
        &["dedup", "--by", "solution", "--hardest", "er", "all.csv"],
    );
    assert_eq!(stdout(&output).lines().nth(1).unwrap()[..2], *"c,");
    assert_eq!(stdout(&output).lines().count(), 2);
    let output = corpus(folder.path(), &["dedup", "--hardest", "nothing", "all.csv"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there is no column `nothing`"));
    let output = fed_corpus(folder.path(), &["dedup", "--hardest", "er"], &table);
    assert_eq!(output.status.code(), Some(2));
    let output = corpus(folder.path(), &["dedup", "--against", "all.csv", "all.csv"]);
    assert_eq!(stdout(&output), "id,puzzle,er\n");
}

#[test]
fn leaks_are_counted_by_kind_and_shown() {
    let test = format!("{PUZZLE}\n{}\n", sibling());
    let folder = folder(&[("train.txt", &equivalent(PUZZLE)), ("test.txt", &test)]);
    let arguments = [
        "leaks",
        "--radius",
        "1",
        "--pairs",
        "pairs.csv",
        "--page",
        "page.html",
        "train.txt",
        "test.txt",
    ];
    let output = corpus(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let table = stdout(&output);
    let count = |kind: &str| {
        let row = table.lines().find(|row| row.trim_start().starts_with(kind));
        row.unwrap().split_whitespace().nth(1).unwrap().to_owned()
    };
    let kinds = [
        "exact",
        "relabeled",
        "equivalent",
        "same_solution",
        "neighbour_1",
    ];
    assert_eq!(kinds.map(count), ["0", "0", "1", "2", "2"]);
    let pairs = std::fs::read_to_string(folder.path().join("pairs.csv")).unwrap();
    assert!(
        pairs.contains(",test.txt:2,,,,train.txt:1,train.txt:1\n"),
        "{pairs}"
    );
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains(PUZZLE) && page.contains("same_solution"));
    let output = corpus(
        folder.path(),
        &["leaks", "--by", "relabeling", "train.txt", "test.txt"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}

#[test]
fn a_split_is_confirmed_by_leaks_and_an_altered_one_is_not() {
    let puzzles = std::fs::read_to_string("datasets/puzzles/minimal.txt").unwrap();
    let folder = folder(&[("all.txt", &puzzles)]);
    let split = ["split", "--seed", "3", "--out", "sets", "all.txt"];
    let output = corpus(folder.path(), &split);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let sets = folder.path().join("sets");
    let train = std::fs::read_to_string(sets.join("train.txt")).unwrap();
    let again = folder.path().join("again");
    let output = corpus(
        folder.path(),
        &["split", "--seed", "3", "--out", "again", "all.txt"],
    );
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        std::fs::read_to_string(again.join("train.txt")).unwrap(),
        train
    );
    let output = corpus(folder.path(), &["leaks", "--split", "sets"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert_eq!(stdout(&output).matches("equivalent").count() % 3, 0);
    let test = std::fs::read_to_string(sets.join("test.txt")).unwrap();
    let leaked = equivalent(train.lines().next().unwrap());
    std::fs::write(sets.join("test.txt"), format!("{test}{leaked}\n")).unwrap();
    let output = corpus(folder.path(), &["leaks", "--split", "sets"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("test.txt"), "{}", stderr(&output));
    let shares = ["split", "--train", "90%", "--out", "sets", "all.txt"];
    let output = corpus(folder.path(), &shares);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("110.00%"), "{}", stderr(&output));
}

#[test]
fn checks_report_each_problem() {
    let clash = PUZZLE.replacen("53.", "535", 1);
    let text = format!("{PUZZLE}\n{clash}\n{}\n{SOLUTION}\n", ".".repeat(81));
    let folder = folder(&[]);
    let output = fed_corpus(folder.path(), &["check"], &text);
    assert_eq!(output.status.code(), Some(1));
    let rows = stdout(&output);
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!(rows.len(), 5);
    assert!(rows[1].starts_with("<stdin>:1,") && rows[1].contains(",30,one,"));
    assert!(
        rows[2].ends_with("row 1 has 5 twice: r1c1 and r1c3"),
        "{}",
        rows[2]
    );
    assert!(rows[3].contains(",0,many,0,,"));
    assert!(rows[4].contains(",81,one,0,r1c1 r1c2 "));
    let output = fed_corpus(folder.path(), &["check", "--bad-only"], &text);
    assert_eq!(stdout(&output).lines().count(), 3);
    let output = fed_corpus(folder.path(), &["check", "--minimal"], SOLUTION);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_collection_is_counted() {
    let table = format!("puzzle,er\n{PUZZLE},1.2\n{},\n", equivalent(PUZZLE));
    let folder = folder(&[("all.csv", &table)]);
    let output = corpus(folder.path(), &["stats", "--page", "page.html", "all.csv"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("            1  different after symmetries\n"),
        "{text}"
    );
    assert!(text.contains("1 to 2") && text.contains("without a difficulty"));
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("Statistics of a collection"));
    let output = corpus(folder.path(), &["stats", "--json", "--rate", "all.csv"]);
    let counts: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(counts["puzzles"], 2);
    assert_eq!(counts["classes"]["equivalent"], 1);
    assert_eq!(
        counts["difficulty"]
            .as_object()
            .unwrap()
            .values()
            .next()
            .unwrap(),
        2
    );
}

#[test]
fn samples_are_balanced_and_do_not_depend_on_the_order() {
    let puzzles = std::fs::read_to_string("datasets/puzzles/minimal.txt").unwrap();
    let mut rows: Vec<String> = puzzles
        .lines()
        .take(60)
        .map(|line| line[..81].to_owned())
        .collect();
    let forward = rows.join("\n");
    rows.reverse();
    let backward = rows.join("\n");
    let folder = folder(&[("forward.txt", &forward), ("backward.txt", &backward)]);
    let sample = |file| {
        let arguments = [
            "sample",
            "--givens",
            "23..25",
            "--per-bin",
            "2",
            "--seed",
            "5",
            file,
        ];
        let output = corpus(folder.path(), &arguments);
        let mut rows: Vec<String> = stdout(&output).lines().map(str::to_owned).collect();
        rows.sort();
        rows
    };
    let taken = sample("forward.txt");
    assert_eq!(taken, sample("backward.txt"));
    for givens in 23..=25 {
        let of = taken
            .iter()
            .filter(|row| row.bytes().filter(|&cell| cell != b'.').count() == givens);
        assert_eq!(of.count(), 2, "{givens}");
    }
    let output = corpus(
        folder.path(),
        &["sample", "--er", "1..", "--per-bin", "2", "forward.txt"],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--rate"), "{}", stderr(&output));
}

#[test]
fn input_without_puzzles_is_an_error() {
    let folder = folder(&[("empty.txt", ""), ("bad.txt", "what\n")]);
    for command in ["canon", "dedup", "check", "stats"] {
        for file in ["empty.txt", "bad.txt", "missing.txt"] {
            let output = corpus(folder.path(), &[command, file]);
            assert_eq!(output.status.code(), Some(2), "{command} {file}");
            assert!(stderr(&output).contains(file), "{command} {file}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_read_once_and_completely() {
    let text = format!("{PUZZLE}\n{}\n", sibling());
    let folder = folder(&[]);
    let output = fed_corpus(folder.path(), &["dedup", "/dev/stdin"], &text);
    assert_eq!(stdout(&output), text, "{}", stderr(&output));
    let output = fed_corpus(
        folder.path(),
        &["split", "--out", "sets", "/dev/stdin"],
        &text,
    );
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn a_board_with_other_rules_among_classic_ones_is_a_bad_line() {
    let text = format!("{PUZZLE}\n{PUZZLE}\tdiagonals\n");
    let folder = folder(&[]);
    for command in ["check", "canon", "stats", "dedup"] {
        let output = fed_corpus(folder.path(), &[command], &text);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{command}: {message}");
        assert!(
            message.contains("<stdin>:2: the line has diagonals"),
            "{command}: {message}"
        );
        assert!(message.contains("1 bad line"), "{command}: {message}");
    }
}

#[test]
fn boards_of_other_sizes_and_shapes_are_checked() {
    let folder = folder(&[]);
    let (full, twice) = ("1234341221434321", "11..............");
    let text = format!("{full}\n{twice}\n{}\nwhat\n", ".".repeat(16));
    let output = fed_corpus(folder.path(), &["check"], &text);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let rows = stdout(&output);
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!(rows.len(), 4);
    assert!(
        rows[1].starts_with("<stdin>:1,1234341221434321,16,one,0,r1c1 "),
        "{}",
        rows[1]
    );
    assert!(
        rows[2].contains(",2,none,0,,") && rows[2].contains("1 twice in row 1"),
        "{}",
        rows[2]
    );
    assert!(rows[3].contains(",0,many,0,,"), "{}", rows[3]);
    assert!(
        stderr(&output).contains("1 bad line"),
        "{}",
        stderr(&output)
    );
    // The rules can be given by flags.
    let message = fed_corpus(folder.path(), &["check", "--diagonals"], PUZZLE);
    assert!(
        stdout(&message).contains("\tdiagonals,30,none,0,"),
        "{}",
        stdout(&message)
    );
}
