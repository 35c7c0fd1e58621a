//! `sudoku-batch rate` from outside: rows, errors, exit codes.

use crate::common::program;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};
use std::thread;

use program::{PUZZLE, SOLUTION, fed};
use serde_json::Value;

/// AI Escargot, by Arto Inkala.
const ESCARGOT: &str =
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    command.arg("rate").stdin(Stdio::null());
    command
}

fn rate(arguments: &[&str], stdin: &str) -> Output {
    fed(command().args(arguments), stdin.as_bytes())
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The rows, by column name.
fn rows(output: &Output) -> Vec<HashMap<String, String>> {
    let mut table = csv::Reader::from_reader(&*output.stdout);
    table.deserialize().map(Result::unwrap).collect()
}

/// Two digits do not occur; swapping them everywhere gives another solution.
fn ambiguous() -> String {
    SOLUTION.replace(['1', '2'], ".")
}

#[test]
fn rows_are_in_input_order_and_errors_are_named() {
    let clash = PUZZLE.replacen("53.", "535", 1);
    let text = format!("{PUZZLE}\n{clash}\nbad\n{}\n{SOLUTION} full\n", ambiguous());
    let output = rate(&[], &text);
    assert_eq!(output.status.code(), Some(1));
    let rows = rows(&output);
    let column = |name: &str| -> Vec<&str> { rows.iter().map(|row| &*row[name]).collect() };
    let two_open = ambiguous();
    assert_eq!(column("puzzle"), [PUZZLE, &clash, &two_open, SOLUTION]);
    assert_eq!(column("givens"), ["30", "31", "63", "81"]);
    assert_eq!(column("solved"), ["1", "0", "0", "1"]);
    assert_eq!(column("error"), ["", "no solution", "many solutions", ""]);
    assert_eq!(column("profile"), ["native"; 4]);
    assert_eq!(column("guesses"), ["0", "", "", "0"]);
    assert_eq!(column("steps"), ["51", "", "", "0"]);
    assert_eq!(column("lee_givens")[0], "difficult");
    assert_eq!(column("lee_givens")[2..], ["extremely easy"; 2]);
    assert_eq!(column("lee_houses")[0], "evil");
    let message = stderr(&output);
    let mut lines = message.lines();
    let bad = lines.next().unwrap();
    assert!(bad.starts_with("<stdin>:3: column 1: 'b'"), "{message}");
    let summary = lines.next().unwrap();
    assert!(summary.starts_with("rated 4 puzzles in "), "{message}");
    assert!(
        summary.ends_with(", 2 without exactly one solution, 1 bad line"),
        "{message}"
    );
}

#[test]
fn threads_do_not_change_the_rows() {
    let text = format!("{PUZZLE}\n{ESCARGOT}\n").repeat(120);
    let one = rate(&["-j", "1"], &text);
    let three = rate(&["-j", "3"], &text);
    assert_eq!(one.status.code(), Some(0));
    assert_eq!(one.stdout, three.stdout);
    let rows = rows(&one);
    assert_eq!(rows.len(), 240);
    assert_eq!(rows[1]["puzzle"], ESCARGOT);
    assert_eq!(rows[239], rows[1]);
    assert_ne!(rows[0], rows[1]);
}

/// A puzzle that HoDoKu solves with chains, and one that singles solve.
#[test]
fn each_profile_fills_its_own_columns() {
    let text = format!("{ESCARGOT}\n{PUZZLE}\n");
    let of = |profile: &str| {
        let output = rate(&["--profile", profile], &text);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        rows(&output)
    };
    let filled = |row: &HashMap<String, String>| -> Vec<bool> {
        let columns = ["er", "ep", "ed", "level", "score"];
        columns.map(|name| !row[name].is_empty()).to_vec()
    };
    for (profile, columns) in [
        ("native", [false; 5]),
        ("hodoku-2.2", [false, false, false, true, true]),
        ("se-1.2.1", [true, true, true, false, false]),
    ] {
        for row in of(profile) {
            assert_eq!(row["profile"], profile);
            assert_eq!(filled(&row), columns, "{row:?}");
            assert_eq!(row["error"], "");
            assert_eq!(row["solved"] == "1", row["guesses"] == "0", "{row:?}");
        }
    }
    // As published in the forum: 10.5/1.2/1.2.
    let row = &of("se-1.2.1")[0];
    assert_eq!(
        (&*row["er"], &*row["ep"], &*row["ed"]),
        ("10.5", "1.2", "1.2")
    );
    assert_eq!(row["solved"], "1");
    let row = &of("hodoku-2.2")[1];
    assert_eq!((&*row["level"], &*row["hardest"]), ("EASY", "NAKED_SINGLE"));
    // An incomplete path has no rating.
    let row = &of("hodoku-2.2")[0];
    assert_eq!(
        (&*row["level"], &*row["hardest"]),
        ("EXTREME", "BRUTE_FORCE")
    );
}

#[test]
fn puzzles_with_many_solutions_are_rated_on_request_and_never_guessed() {
    for profile in ["native", "hodoku-2.2", "se-1.2.1", "all"] {
        let arguments = ["--profile", profile, "--assume-unique"];
        let output = rate(&arguments, &ambiguous());
        let row = &rows(&output)[0];
        assert_eq!(&*row["guesses"], "0");
        assert!(!stderr(&output).contains("with guesses"));
        let is_open = row["error"].contains("the steps end before the board is full");
        assert_eq!(is_open, &*row["solved"] == "0", "{profile}");
    }
    let output = rate(&["--assume-unique"], &".".repeat(81));
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("1 without exactly one solution"));
    assert_eq!(&*rows(&output)[0]["solved"], "0");
}

#[test]
fn a_full_board_has_no_steps() {
    for profile in ["native", "se-1.2.1"] {
        let rows = rows(&rate(&["--profile", profile], SOLUTION));
        assert_eq!((&*rows[0]["solved"], &*rows[0]["error"]), ("1", ""));
    }
}

#[test]
fn a_puzzle_over_its_time_limit_has_a_timeout_row() {
    let arguments = ["--profile", "se-1.2.1", "--time-limit", "1ns"];
    let output = rate(&arguments, &format!("{ESCARGOT}\n{SOLUTION}\n"));
    assert_eq!(output.status.code(), Some(1));
    let rows = rows(&output);
    assert_eq!(rows[0]["puzzle"], ESCARGOT);
    assert_eq!(
        (&*rows[0]["error"], &*rows[0]["solved"]),
        ("time limit", "0")
    );
    assert!(stderr(&output).contains(" over the time limit"));
    let output = rate(&["--time-limit", "1h"], PUZZLE);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn slow_columns_are_added_on_request() {
    let text = format!("{PUZZLE}\n{}\n{ESCARGOT}\n", ambiguous());
    let output = rate(&["--with", "guesses_median", "--copies", "21"], &text);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let found = rows(&output);
    assert_eq!(found[0]["guesses_median"], "0");
    assert_eq!(found[1]["guesses_median"], "", "it has many solutions");
    assert!(found[2]["guesses_median"].parse::<f64>().unwrap() > 3.0);
    assert!(!found[0].contains_key("eta"));
    // The same at any position in the file, and on any number of threads.
    let turned = format!("{ESCARGOT}\n{PUZZLE}\n");
    let arguments = [
        "--with",
        "guesses_median,eta",
        "--trajectories",
        "40",
        "--longest",
        "30",
    ];
    let one = rows(&rate(&[&["-j", "1"], &arguments[..]].concat(), &turned));
    let two = rows(&rate(&[&["-j", "2"], &arguments[..]].concat(), &text));
    assert_eq!(one[1]["eta"], two[0]["eta"]);
    assert_eq!(one[0]["guesses_median"], two[2]["guesses_median"]);
    let eta: f64 = one[1]["eta"].parse().unwrap();
    let error: f64 = one[1]["eta_error"].parse().unwrap();
    assert!((0.3..1.3).contains(&eta) && (0.02..0.2).contains(&error));
    assert_eq!(
        one[0]["eta"], "",
        "so short a time says nothing of a hard puzzle"
    );
    let plain = rate(&[], PUZZLE);
    assert!(plain.stdout.starts_with(b"puzzle,givens,lee_givens,"));
    assert!(
        plain
            .stdout
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap()
            .ends_with(b",error")
    );
}

#[test]
fn counts_are_one_object() {
    let output = rate(&["--json", "-q"], &format!("{PUZZLE}\n").repeat(3));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["command"], "rate");
    assert_eq!(value["puzzles"], 3);
    assert_eq!(value["solved"], 3);
    assert_eq!(value["hardest"].as_object().unwrap().len(), 1);
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_useless_run_gives_exit_code_2_with_a_hint() {
    for (arguments, stdin, error) in [
        (&["--profile", "nativ"][..], "", "expected native"),
        (
            &["--with", "beta"],
            "",
            "possible values: guesses_median, eta",
        ),
        (&["--longest", "0"], "", "expected a time from 10 to 500"),
        (&["/nowhere.txt"], "", "error: cannot read /nowhere.txt"),
        (&["-"], "", "error: no puzzles in <stdin>"),
        (&["-"], "bad\n", "error: no line of <stdin> is a puzzle"),
    ] {
        let output = rate(arguments, stdin);
        let message = stderr(&output);
        assert!(message.contains(error), "{message}");
        assert_eq!(output.status.code(), Some(2), "{message}");
    }
}

#[test]
fn a_closed_output_pipe_is_no_error() {
    let mut child = command()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let feeder = thread::spawn(
        move || {
            while stdin.write_all(format!("{PUZZLE}\n").as_bytes()).is_ok() {}
        },
    );
    let mut head = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut head).unwrap();
    assert!(head.starts_with("puzzle,givens,"));
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
}
