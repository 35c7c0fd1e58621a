//! Boards of other sizes and shapes from outside: `solve`, `convert`, `generate`, `explain` and `bench`.

use crate::common::program;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

use program::{PUZZLE, SOLUTION, fed};

fn run(arguments: &[&str], stdin: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    fed(command.args(arguments), stdin.as_bytes())
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Puzzles of a layout that `generate` makes.
fn generated(layout: &str, count: usize) -> String {
    let count = count.to_string();
    let output = run(
        &["generate", "-n", &count, "--layout", layout, "--quiet"],
        "",
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

const LAYOUTS: [&str; 9] = [
    "4x4", "6x6", "8x8", "12x12", "16x16", "x", "windoku", "jigsaw", "killer",
];

#[test]
fn every_solver_proves_generated_puzzles_unique() {
    for layout in LAYOUTS {
        let puzzles = generated(layout, 3);
        assert_eq!(puzzles.lines().count(), 3, "{layout}");
        let solved = run(&["solve", "--quiet"], &puzzles);
        assert_eq!(
            solved.status.code(),
            Some(0),
            "{layout}: {}",
            stderr(&solved)
        );
        for solver in ["mrv", "sat", "dlx"] {
            let by = run(&["solve", "--quiet", "--solver", solver], &puzzles);
            if (layout, solver) == ("killer", "dlx") {
                assert_eq!(stdout(&by), "stuck\nstuck\nstuck\n");
                assert!(
                    stderr(&by).contains("dlx does not support the rules"),
                    "{}",
                    stderr(&by)
                );
            } else {
                assert_eq!(stdout(&by), stdout(&solved), "{layout} by {solver}");
            }
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_puzzles() {
    for layout in ["6x6", "jigsaw", "killer"] {
        let two = generated(layout, 2);
        assert_eq!(two, generated(layout, 2));
        assert!(two.starts_with(&generated(layout, 1)));
    }
}

#[test]
fn the_boards_of_the_repository_are_reproduced_by_their_commands() {
    let layouts = [
        "6x6",
        "8x8",
        "x",
        "windoku",
        "jigsaw",
        "7x7-jigsaw",
        "killer",
        "6x6-killer",
        "16x16",
    ];
    let generate = |layout: &str, more: &[&str]| {
        let start = [
            "generate", "-q", "-n", "2", "--seed", "2026", "--layout", layout,
        ];
        stdout(&run(&[&start, more].concat(), ""))
    };
    let mut made: String = layouts.iter().map(|layout| generate(layout, &[])).collect();
    made += &generate("jigsaw", &["--kind", "minimal"]);
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/datasets/puzzles/other-boards.txt"
    );
    assert_eq!(made, fs::read_to_string(file).unwrap());
}

#[test]
fn puzzles_round_trip_through_every_format_that_can_hold_them() {
    for layout in LAYOUTS {
        let puzzles = generated(layout, 2);
        let expected = stdout(&run(&["solve", "--quiet"], &puzzles));
        for format in ["fields", "tatham", "sumocue", "perfect", "numbers", "cells"] {
            let converted = run(&["convert", "--quiet", "--to", format], &puzzles);
            match converted.status.code() {
                Some(0) => {
                    let symbols = ["solve", "--quiet", "--symbols", "1-9A-Z"];
                    let is_numbers = format == "numbers";
                    let symbols = if is_numbers {
                        &symbols[..2]
                    } else {
                        &symbols[..]
                    };
                    let mut solved = stdout(&run(symbols, &stdout(&converted)));
                    if is_numbers {
                        let back = [
                            "convert",
                            "--quiet",
                            "--to",
                            "cells",
                            "--to-symbols",
                            "1-9A-Z",
                        ];
                        solved = stdout(&run(&back, &solved));
                        // A full board is a puzzle, too; its rules are not given.
                        if !["4x4", "16x16"].contains(&layout) {
                            continue;
                        }
                    }
                    assert_eq!(solved, expected, "{layout} as {format}");
                }
                // Some have givens in cages.
                Some(1 | 2) => {
                    let message = stderr(&converted);
                    assert!(
                        message.contains("use --to"),
                        "{layout} as {format}: {message}"
                    );
                }
                code => panic!("{layout} as {format}: {code:?} {}", stderr(&converted)),
            }
        }
    }
}

#[test]
fn boxes_are_never_guessed() {
    let blank = ".".repeat(36);
    let output = run(&["solve"], &blank);
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(
        message.contains("2x3 or 3x2") && message.contains("--boxes"),
        "{message}"
    );
    let counted = run(&["solve", "--count", "2", "--boxes", "3x2"], &blank);
    assert_eq!(stdout(&counted).trim_end().split(',').count(), 2);
}

#[test]
fn zero_cannot_be_a_blank_and_a_digit() {
    // Hexadecimal digits, in which 0 is a value, and a board in which 0 is a blank.
    let mut text = "0123456789ABCDEF".to_owned() + &".".repeat(240);
    let output = run(&["solve", "--goal", "first"], &text);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    text.replace_range(16..17, "G");
    let output = run(&["solve", "--goal", "first"], &text);
    assert_ne!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("--symbols"), "{}", stderr(&output));
}

#[test]
fn clashes_are_named() {
    let text = "1...".to_owned() + "1..." + &".".repeat(8);
    let output = run(&["solve"], &text);
    assert_eq!(stdout(&output), "unsolvable\n");
    let message = stderr(&output);
    assert!(
        message.contains("<stdin>:1: unsolvable: 1 twice in column 1: rows 1 and 2"),
        "{message}"
    );
}

#[test]
fn a_classic_board_is_drawn() {
    let output = run(&["solve", "--pretty", "--quiet"], PUZZLE);
    let drawn = stdout(&output);
    let digits: String = drawn.chars().filter(char::is_ascii_digit).collect();
    assert_eq!(digits, SOLUTION);
    assert!(
        drawn.starts_with('┏') && drawn.trim_end().ends_with('┛'),
        "{drawn}"
    );
}

#[test]
fn classic_files_and_others_are_solved_together() {
    let folder = tempfile::tempdir().unwrap();
    let (classic, other) = (folder.path().join("a.txt"), folder.path().join("b.txt"));
    fs::write(&classic, PUZZLE).unwrap();
    fs::write(&other, generated("16x16", 1)).unwrap();
    let paths = [classic.to_str().unwrap(), other.to_str().unwrap()];
    let output = run(&["solve", "--quiet", paths[0], paths[1]], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let lengths: Vec<usize> = stdout(&output).lines().map(str::len).collect();
    assert_eq!(lengths, [81, 256]);
}

#[test]
fn features_for_the_classic_board_only_are_refused_elsewhere() {
    let puzzles = generated("16x16", 1);
    for arguments in [&["rate"][..], &["explain", "--hint", "1", "-"]] {
        let output = run(arguments, &puzzles);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = stderr(&output);
        assert!(
            message.contains("board") && message.lines().count() <= 2,
            "{message}"
        );
    }
}

#[test]
fn explanations_of_other_boards_end_at_the_solution_or_say_that_they_are_stuck() {
    let puzzles = generated("jigsaw", 4);
    let solved = stdout(&run(&["solve", "--quiet"], &puzzles));
    for (puzzle, solution) in puzzles.lines().zip(solved.lines()) {
        let output = run(&["explain", "-"], puzzle);
        let message = stdout(&output);
        assert!(
            message.contains(&format!("Solved: {solution}")) || message.contains("Stuck"),
            "{message}"
        );
        let json = run(&["explain", "--json", "-"], puzzle);
        let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!(json["solved"], message.contains("Solved"));
    }
}

#[test]
fn a_board_is_drawn_as_svg() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.svg");
    let puzzle = generated("killer", 1);
    run(&["explain", "--svg", path.to_str().unwrap(), "-"], &puzzle);
    let svg = fs::read_to_string(path).unwrap();
    let sums = svg.matches("class=\"sum\"").count();
    assert!(svg.starts_with("<svg") && sums > 10, "{sums} sums");
    assert!(!svg.contains("class=\"seen\"") && !svg.contains("class=\"struck\""));
    // A requested step is shown: here the first one by a cage sum.
    let path = folder.path().join("step.svg");
    let path = path.to_str().unwrap();
    let steps = stdout(&run(&["explain", "--json", "-"], &puzzle));
    let steps: serde_json::Value = serde_json::from_str(&steps).unwrap();
    let steps = steps["steps"].as_array().unwrap();
    let sum = steps
        .iter()
        .position(|step| step["technique"] == "Cage sum")
        .unwrap();
    let number = (sum + 1).to_string();
    run(&["explain", "--svg", path, "--step", &number, "-"], &puzzle);
    let svg = fs::read_to_string(path).unwrap();
    assert!(svg.contains("class=\"struck\""));
}

#[cfg(unix)]
#[test]
fn a_search_on_a_large_board_ends_when_it_is_interrupted() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
        .args(["solve", "--count", "100000", "-j", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Counting all solutions of the empty board would take hours.
    let small = "1234341221434321";
    let text = format!("{small}\n{PUZZLE}\n{}\n{small}\n", ".".repeat(25 * 25));
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(answers.next().unwrap().unwrap(), small);
    assert_eq!(answers.next().unwrap().unwrap(), SOLUTION);
    let mut kill = Command::new("kill");
    kill.arg("-INT").arg(child.id().to_string());
    assert!(kill.status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(
        answers.count(),
        0,
        "what comes after it would be on its line"
    );
}

#[test]
fn bench_measures_boards_of_other_sizes_with_intervals() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("jigsaw.txt");
    fs::write(&corpus, generated("jigsaw", 20)).unwrap();
    let out = folder.path().join("out");
    let output = run(
        &[
            "bench",
            "--quiet",
            "--budget",
            "2s",
            "--out",
            out.to_str().unwrap(),
            corpus.to_str().unwrap(),
        ],
        "",
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mut table = csv::Reader::from_path(out.join("bench.csv")).unwrap();
    let headers = table.headers().unwrap().clone();
    let field = |row: &csv::StringRecord, name: &str| {
        let place = headers.iter().position(|header| header == name).unwrap();
        row[place].to_owned()
    };
    let rows: Vec<_> = table.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4);
    for row in &rows {
        assert_eq!(field(row, "unique"), "20", "{row:?}");
        assert_eq!(field(row, "wrong"), "0", "{row:?}");
        assert!(!field(row, "puzzles_per_s_low").is_empty(), "{row:?}");
    }
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("data:image/svg+xml"));
}

#[test]
fn other_rules_in_a_file_that_begins_with_classic_puzzles_are_bad_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mixed.txt");
    let table = folder.path().join("mixed.csv");
    let regions = generated("jigsaw", 1);
    let (_, regions) = regions.trim().split_once('\t').unwrap();
    let cages = "9=r1c1,r1c2 8=r2c1";
    let others = ["diagonals", "windoku", "boxes=1x9", regions, cages];
    let lines: String = others.map(|rules| format!("{PUZZLE} {rules}\n")).concat();
    fs::write(&file, format!("{PUZZLE}\n{lines}3x3:a1b2\n")).unwrap();
    let rows: String = others
        .map(|rules| format!("{PUZZLE},\"{rules}\"\n"))
        .concat();
    fs::write(
        &table,
        format!("puzzle,more\n{PUZZLE},\n{rows}{PUZZLE},9=r1c1\n"),
    )
    .unwrap();
    let out = folder.path().join("out");
    let bench = [
        "--solvers",
        "mrv",
        "--budget",
        "200ms",
        "-q",
        "--out",
        out.to_str().unwrap(),
    ];
    for file in [&file, &table] {
        let file = file.to_str().unwrap();
        for arguments in [
            &["solve", "-q", file][..],
            &["rate", "-q", file],
            &["explain", file],
            &[&["bench"][..], &bench, &[file]].concat(),
        ] {
            let output = run(arguments, "");
            let message = stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
            let refused = message.matches("into a file of their own").count();
            let found = message.matches(&format!("{file}:")).count();
            assert_eq!(
                (refused, found),
                (if file.ends_with("csv") { 6 } else { 5 }, 6),
                "{message}"
            );
        }
        assert_eq!(
            stdout(&run(&["solve", "-q", file], "")),
            format!("{SOLUTION}\n")
        );
    }
}

#[test]
fn answers_to_large_boards_are_printed_immediately() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    let puzzles = generated("16x16", 2);
    let mut program = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
        .args(["solve", "-j", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = program.stdin.take().unwrap();
    let mut answers = BufReader::new(program.stdout.take().unwrap()).lines();
    // Each puzzle is answered while the pipe is open.
    for puzzle in puzzles.lines() {
        writeln!(stdin, "{puzzle}").unwrap();
        assert_eq!(answers.next().unwrap().unwrap().len(), 256);
    }
    // After a signal, no further board is started.
    let pid = program.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let mut message = BufReader::new(program.stderr.take().unwrap()).lines();
    assert!(message.next().unwrap().unwrap().starts_with("stopping"));
    let _ = stdin.write_all(puzzles.repeat(500).as_bytes());
    drop(stdin);
    assert!(answers.count() < 10);
    assert_eq!(program.wait().unwrap().code(), Some(130));
}

#[test]
fn damaged_ids_and_samurais_are_named_in_the_error() {
    let samurai: String = (0..441)
        .map(|cell| match (cell / 21, cell % 21) {
            (row, column) if row == column && row < 9 => "123456789".as_bytes()[row] as char,
            _ => '.',
        })
        .collect();
    for (line, expected) in [
        ("3x3:zzz", "a Solo game id: "),
        ("SumoCueV1=x", "a SumoCue line: "),
        (samurai.as_str(), "a samurai is no single board"),
    ] {
        for command in ["solve", "explain"] {
            let output = run(&[command, "-"], line);
            let message = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{message}");
            assert!(message.contains(expected), "{message}");
        }
    }
    let boxed = run(
        &["solve", "-", "--boxes", "3x7", "--goal", "first"],
        &samurai,
    );
    assert_eq!(boxed.status.code(), Some(0), "{}", stderr(&boxed));
    let short = run(&["solve"], &"1".repeat(48));
    assert!(
        stderr(&short).contains("16 (4x4) to 1,296 (36x36)"),
        "{}",
        stderr(&short)
    );
}

#[test]
fn several_solutions_with_zeros_as_blanks_ask_once_whether_0_is_a_value() {
    let board = format!("0123456789ABCDEF{}\n", "0".repeat(240));
    let output = run(&["solve"], &board.repeat(2));
    let message = stderr(&output);
    assert_eq!(stdout(&output), "multiple\nmultiple\n");
    assert_eq!(
        message
            .matches("if 0 is a value, use --symbols 0-9A-Z")
            .count(),
        1,
        "{message}"
    );
    for other in [board.replace("123", "12G"), board.replace('0', ".")] {
        let message = stderr(&run(&["solve"], &other));
        assert!(!message.contains("if 0 is a value"), "{message}");
    }
}

#[test]
fn symbols_may_end_at_the_largest_value() {
    let puzzle = generated("16x16", 1);
    let shifted: String = puzzle
        .chars()
        .map(|symbol| match symbol.to_digit(36) {
            Some(rank) => char::from(b'A' + rank as u8 - 1),
            None => symbol,
        })
        .collect();
    let plain = run(&["solve", "-q", "--symbols", "1-9A-G"], &puzzle);
    assert_eq!(plain.status.code(), Some(0), "{}", stderr(&plain));
    let letters = run(&["solve", "-q", "--symbols", "A-P"], &shifted);
    assert_eq!(letters.status.code(), Some(0), "{}", stderr(&letters));
}

#[test]
fn large_killers_have_few_cages_of_one_cell() {
    let puzzles = generated("12x12-killer", 4);
    let cages = puzzles.lines().map(|line| {
        let field = line.split('\t').find(|field| field.contains("=r")).unwrap();
        field.split(' ').filter(|cage| !cage.contains(',')).count()
    });
    let single: Vec<usize> = cages.collect();
    assert!(single.iter().sum::<usize>() < 16, "{single:?}");
    let solved = run(&["solve", "--solver", "sat"], &puzzles);
    assert!(
        stderr(&solved).starts_with("solved 4 puzzles"),
        "{}",
        stderr(&solved)
    );
}
