//! Input and output of `sudoku-batch corpus`: columns of tables, images, neighbours, data sets, pages.

use crate::common::program;
use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Output};

use program::{PUZZLE, SOLUTION, fed};
use sudoku_batch::canon::Canonizer;
use sudoku_batch::grid::{Puzzle, PuzzleLine, Solution, Symmetry};
use sudoku_batch::solve::{Goal, Limits, Mrv, Solver, Verdict};

fn batch(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    fed(command.current_dir(folder).args(arguments), b"")
}

fn corpus(folder: &Path, arguments: &[&str]) -> Output {
    batch(folder, &[&["corpus"], arguments].concat())
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn text(folder: &tempfile::TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap()
}

/// Ten minimal puzzles with one solution.
fn ten() -> Vec<String> {
    let all = std::fs::read_to_string("datasets/puzzles/minimal.txt").unwrap();
    let lines = all.lines().filter(|line| !line.starts_with('#'));
    lines.take(10).map(|line| line[..81].to_owned()).collect()
}

fn solved(puzzle: &str) -> Option<Solution> {
    let puzzle: Puzzle = puzzle.parse().unwrap();
    match Mrv::new()
        .solve(&puzzle, Goal::ProveUnique, Limits::NONE)
        .verdict
    {
        Verdict::Unique(solution) => Some(solution),
        _ => None,
    }
}

fn form(puzzle: &str) -> Vec<u8> {
    let line = PuzzleLine::from(&puzzle.parse::<Puzzle>().unwrap());
    Canonizer::new().minlex_line(&line).as_bytes().to_vec()
}

#[test]
fn columns_of_public_data_sets_are_known_and_others_can_be_given() {
    let question = format!("source,question,answer,rating\nme,{PUZZLE},{SOLUTION},3\n");
    let wrong = question.replace(SOLUTION, &SOLUTION.replace('1', "2"));
    let odd = format!("id,start,end\n1,{PUZZLE},{SOLUTION}\n2,{PUZZLE},{SOLUTION}\n");
    let folder = folder(&[
        ("question.csv", &question),
        ("wrong.csv", &wrong),
        ("odd.csv", &odd),
    ]);
    let solved = batch(folder.path(), &["solve", "question.csv"]);
    assert_eq!(stdout(&solved), format!("{SOLUTION}\n"));
    assert_eq!(solved.status.code(), Some(0), "{}", stderr(&solved));
    let solved = batch(folder.path(), &["solve", "wrong.csv"]);
    assert_eq!(solved.status.code(), Some(1), "{}", stderr(&solved));
    for arguments in [
        &["solve", "odd.csv"][..],
        &["rate", "odd.csv"],
        &["convert", "--to", "cells", "odd.csv"],
        &["solve", "--diagonals", "odd.csv"],
        &["corpus", "check", "odd.csv"],
        &["corpus", "canon", "odd.csv"],
        &["corpus", "leaks", "odd.csv", "question.csv"],
        &["corpus", "export", "--to", "csv", "--out", "out", "odd.csv"],
    ] {
        let refused = batch(folder.path(), arguments);
        let message = stderr(&refused);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(
            message.contains("odd.csv: none of its columns (id, start, end)"),
            "{arguments:?}: {message}"
        );
        assert!(
            message.contains("--puzzle-column"),
            "{arguments:?}: {message}"
        );
        let named = [arguments, &["--puzzle-column", "Start"]].concat();
        if arguments.contains(&"leaks") || arguments.contains(&"--diagonals") {
            continue;
        }
        let read = batch(folder.path(), &named);
        assert_eq!(read.status.code(), Some(0), "{named:?}: {}", stderr(&read));
    }
    let missing = ["solve", "--puzzle-column", "begin", "odd.csv"];
    let message = stderr(&batch(folder.path(), &missing));
    assert!(
        message.contains("no column `begin`") && message.contains("id, start, end"),
        "{message}"
    );
    // A row that only looks like a header is a bad line, and the rest is read.
    std::fs::write(
        folder.path().join("title.txt"),
        format!("hard, by me\n{PUZZLE}\n"),
    )
    .unwrap();
    let read = batch(folder.path(), &["solve", "title.txt"]);
    assert_eq!(stdout(&read), format!("{SOLUTION}\n"));
    assert!(stderr(&read).contains("title.txt:1:"), "{}", stderr(&read));
    let plan = ["solve", "--plan", "p.json", "--shard", "0/1"];
    let plan = [&plan[..], &["--puzzle-column", "start"]].concat();
    assert!(stderr(&batch(folder.path(), &plan)).contains("does not go with --plan"));
}

#[test]
fn a_split_records_how_it_was_made_with_full_hashes() {
    let rows = ten().join("\n") + "\n";
    let folder = folder(&[("the puzzles.txt", &rows)]);
    let split = ["split", "--seed", "3", "--out", "sets", "the puzzles.txt"];
    let output = corpus(folder.path(), &split);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let proof: serde_json::Value = serde_json::from_str(&text(&folder, "sets/split.json")).unwrap();
    assert_eq!(
        proof["command"],
        "sudoku-batch corpus split --seed 3 --out sets 'the puzzles.txt'"
    );
    let whole = blake3::hash(rows.as_bytes()).to_hex();
    assert_eq!(proof["sources"][0]["blake3"], whole.as_str());
    for part in proof["parts"].as_array().unwrap() {
        let of = text(&folder, &format!("sets/{}", part["file"].as_str().unwrap()));
        let whole = blake3::hash(of.as_bytes()).to_hex();
        assert_eq!(part["blake3"], whole.as_str());
    }
}

#[test]
fn a_check_has_a_page_with_the_bad_puzzles() {
    let empty = ".".repeat(81);
    let rows = format!("{PUZZLE}\n{empty}\n");
    let folder = folder(&[("p.txt", &rows), ("six.txt", &".".repeat(36))]);
    let arguments = ["check", "--json", "--page", "page.html", "p.txt"];
    let output = corpus(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let counts: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(counts["many_solutions"], 1);
    let page = text(&folder, "page.html");
    assert!(page.contains("A collection checked") && page.contains("with many solutions"));
    assert!(page.contains("p.txt:2") && page.contains(&empty));
    assert!(
        !page.contains(PUZZLE),
        "a good puzzle is not among the bad ones"
    );
    let others = ["check", "--boxes", "2x3", "--page", "six.html", "six.txt"];
    corpus(folder.path(), &others);
    assert!(text(&folder, "six.html").contains("six.txt:1"));
}

#[test]
fn images_are_distinct_equivalent_and_recorded() {
    let rows = ten();
    let folder = folder(&[("p.txt", &rows.join("\n"))]);
    let arguments = ["augment", "-n", "5", "--solutions", "--seed", "7", "p.txt"];
    let output = corpus(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let table = stdout(&output);
    let mut table = csv::Reader::from_reader(table.as_bytes());
    let mut images = HashSet::new();
    for (number, row) in table.records().map(Result::unwrap).enumerate() {
        let [image, solution, source, transform] = std::array::from_fn(|at| &row[at]);
        assert_eq!(source, rows[number / 5]);
        let symmetry: Symmetry = transform.parse().unwrap();
        let puzzle: Puzzle = source.parse().unwrap();
        assert_eq!(symmetry.puzzle(&puzzle).to_line(), image);
        assert_eq!(solved(image).unwrap().to_puzzle().to_line(), solution);
        assert_eq!(form(image), form(source));
        images.insert(image.to_owned());
    }
    assert_eq!(images.len(), 50);
    assert_eq!(output.stdout, corpus(folder.path(), &arguments).stdout);
    // Relabeling alone keeps the pattern of givens.
    let digits = ["augment", "--moves", "digits", "--plain", "p.txt"];
    let plain = stdout(&corpus(folder.path(), &digits));
    let pattern = |line: &str| line.replace(|cell: char| cell.is_ascii_digit(), "x");
    for (image, source) in plain.lines().zip(&rows) {
        assert_eq!(pattern(image), pattern(source));
    }
    let refused = corpus(folder.path(), &["augment", "--moves", "spin", "p.txt"]);
    assert_eq!(refused.status.code(), Some(2));
    let refused = corpus(
        folder.path(),
        &["augment", "--plain", "--solutions", "p.txt"],
    );
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn neighbours_have_one_solution_and_givens_exchanged() {
    let puzzle = &ten()[0];
    let bad = ".".repeat(81);
    let folder = folder(&[
        ("p.txt", puzzle),
        ("bad.txt", &format!("{bad}\n{puzzle}\nwhat\n")),
    ]);
    let output = corpus(folder.path(), &["near", "p.txt"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let near = stdout(&output);
    let count = |of: &dyn Fn(u8, u8) -> bool, line: &str| {
        let cells = line.bytes().zip(puzzle.bytes());
        cells.filter(|(new, old)| of(*new, *old)).count()
    };
    let mut seen = HashSet::new();
    for line in near.lines() {
        assert!(solved(line).is_some(), "{line}");
        assert_eq!(count(&|new, old| old != b'.' && new != old, line), 1);
        assert_eq!(count(&|new, old| new != b'.' && new != old, line), 1);
        assert!(seen.insert(line), "{line} twice");
    }
    // All of them, by brute force: remove one given, and add one in another cell or with another digit.
    let mut expected = 0;
    for gone in (0..81).filter(|cell| puzzle.as_bytes()[*cell] != b'.') {
        let mut rest = puzzle.clone().into_bytes();
        rest[gone] = b'.';
        for cell in (0..81).filter(|cell| rest[*cell] == b'.') {
            for digit in b'1'..=b'9' {
                let mut other = rest.clone();
                other[cell] = digit;
                let other = String::from_utf8(other).unwrap();
                let is_other = other != *puzzle;
                expected += usize::from(is_other && solved(&other).is_some());
            }
        }
    }
    assert_eq!(seen.len(), expected);
    let minimal = stdout(&corpus(folder.path(), &["near", "--minimal", "p.txt"]));
    let minimal: HashSet<&str> = minimal.lines().collect();
    assert!(minimal.is_subset(&seen) && minimal.len() < seen.len());
    let rated = stdout(&corpus(folder.path(), &["near", "--er", "..1.5", "p.txt"]));
    assert!(rated.lines().all(|line| seen.contains(line)));
    assert!(rated.lines().count() < seen.len());
    let output = corpus(folder.path(), &["near", "bad.txt"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), near);
    let message = stderr(&output);
    assert!(
        message.contains("bad.txt:1: ") && message.contains("bad.txt:3: "),
        "{message}"
    );
    for radius in ["0", "4", "x"] {
        let refused = corpus(folder.path(), &["near", "--radius", radius, "p.txt"]);
        assert_eq!(refused.status.code(), Some(2), "{radius}");
    }
}

#[test]
fn every_format_contains_the_same_rows() {
    let rows = ten();
    let bad = ".".repeat(81);
    let folder = folder(&[("p.txt", &format!("{}\n{bad}\n", rows.join("\n")))]);
    let export = |format: &str| {
        let arguments = ["export", "--to", format, "--out", format];
        let columns = ["--columns", "puzzle,solution,givens"];
        let columns = if format == "hrm" { &[][..] } else { &columns };
        let output = corpus(
            folder.path(),
            &[&arguments[..], columns, &["p.txt"]].concat(),
        );
        assert_eq!(
            output.status.code(),
            Some(1),
            "{format}: {}",
            stderr(&output)
        );
        assert!(stderr(&output).contains("p.txt:11: left out"), "{format}");
        let card = text(&folder, &format!("{format}/README.md"));
        assert!(card.contains("10 Sudoku puzzles"), "{card}");
        assert!(card.contains(&format!(
            "sudoku-batch corpus export --to {format} --out {format}"
        )));
        // Each file exists with the recorded hash.
        for line in text(&folder, &format!("{format}/BLAKE3SUMS")).lines() {
            let (hash, name) = line.split_once("  ").unwrap();
            let bytes = std::fs::read(folder.path().join(format).join(name)).unwrap();
            assert_eq!(blake3::hash(&bytes).to_hex().as_str(), hash, "{name}");
        }
    };
    let expected: Vec<[String; 3]> = rows
        .iter()
        .map(|puzzle| {
            let givens = puzzle.bytes().filter(|cell| *cell != b'.').count();
            let solution = solved(puzzle).unwrap().to_puzzle().to_line();
            [puzzle.clone(), solution, givens.to_string()]
        })
        .collect();
    export("csv");
    let table = text(&folder, "csv/puzzles.csv");
    let mut table = csv::Reader::from_reader(table.as_bytes());
    let found: Vec<[String; 3]> = table
        .records()
        .map(|row| std::array::from_fn(|at| row.as_ref().unwrap()[at].to_owned()))
        .collect();
    assert_eq!(found, expected);
    export("jsonl");
    let lines = text(&folder, "jsonl/puzzles.jsonl");
    let found: Vec<[String; 3]> = lines
        .lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let field = |name: &str| row[name].as_str().map(str::to_owned);
            let givens = row["givens"].as_u64().unwrap().to_string();
            [field("puzzle").unwrap(), field("solution").unwrap(), givens]
        })
        .collect();
    assert_eq!(found, expected);
    export("npy");
    for (name, column) in [("puzzles", 0), ("solutions", 1)] {
        let bytes = std::fs::read(folder.path().join(format!("npy/{name}.npy"))).unwrap();
        assert_eq!(&bytes[..6], b"\x93NUMPY");
        let header = String::from_utf8_lossy(&bytes[..128]).into_owned();
        assert!(header.contains("(10, 81)"), "{header}");
        let cells = &bytes[bytes.len() - 810..];
        for (row, expected) in cells.chunks(81).zip(&expected) {
            let digits = row.iter().map(|digit| match digit {
                0 => '.',
                digit => char::from(b'0' + digit),
            });
            assert_eq!(digits.collect::<String>(), expected[column]);
        }
    }
    export("hrm");
    let cells = std::fs::read(folder.path().join("hrm/train/all__inputs.npy")).unwrap();
    let cells = &cells[cells.len() - 810..];
    let tokens = |line: &str| -> Vec<u8> {
        let plain = |cell: u8| if cell == b'.' { 1 } else { cell - b'0' + 1 };
        line.bytes().map(plain).collect()
    };
    let mut found: Vec<Vec<u8>> = cells.chunks(81).map(<[u8]>::to_vec).collect();
    let mut wanted: Vec<Vec<u8>> = rows.iter().map(|row| tokens(row)).collect();
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
    export("parquet");
    let file = std::fs::read(folder.path().join("parquet/puzzles.parquet")).unwrap();
    assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
}

#[test]
fn contradictory_export_options_are_refused() {
    let folder = folder(&[("p.txt", PUZZLE), ("bad.txt", "what\n")]);
    for (arguments, code, message) in [
        (
            &["--to", "csv", "--json", "p.txt"][..],
            2,
            "leave out --json: README.md",
        ),
        (&["--to", "csv", "--copies", "3", "p.txt"], 2, "hrm"),
        (
            &["--to", "csv", "--columns", "colour", "p.txt"],
            2,
            "colour",
        ),
        (&["--to", "xlsx", "p.txt"], 2, "xlsx"),
        (&["--to", "csv", "--split", "nowhere"], 2, "split.json"),
        (&["--to", "csv", "bad.txt"], 2, "no line of bad.txt"),
        (&["--to", "csv", "missing.txt"], 2, "missing.txt"),
    ] {
        let output = corpus(
            folder.path(),
            &[&["export", "--out", "out"], arguments].concat(),
        );
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        let said = stderr(&output);
        assert!(said.contains(message), "{arguments:?}: {said}");
        assert!(
            !folder.path().join("out/README.md").exists(),
            "{arguments:?}"
        );
    }
}
