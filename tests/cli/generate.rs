//! `generate` of classic boards from outside.

use crate::common::program;
use std::fs;
use std::process::{Command, Output};

use program::fed;
use sudoku_batch::generate::weight;
use sudoku_batch::grid::{Cell, Puzzle};
use sudoku_batch::logic::{EXPLAINER, HODOKU, Level, Measure, Rater};

fn generate(arguments: &[&str], stdin: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    fed(command.arg("generate").args(arguments), stdin.as_bytes())
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn lines(arguments: &[&str], stdin: &str) -> Vec<String> {
    let output = generate(arguments, stdin);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn puzzles(arguments: &[&str]) -> Vec<Puzzle> {
    let lines = lines(arguments, "");
    lines.iter().map(|line| line.parse().unwrap()).collect()
}

const BLANK: &str =
    ".................................................................................";

#[test]
fn the_same_seed_gives_the_same_puzzles_on_any_number_of_threads() {
    let four = [
        "-n",
        "200",
        "--seed",
        "9",
        "--givens",
        "..24",
        "--threads",
        "4",
    ];
    let one = [
        "-n",
        "90",
        "--seed",
        "9",
        "--givens",
        "..24",
        "--threads",
        "1",
    ];
    let (four, one) = (lines(&four, ""), lines(&one, ""));
    assert_eq!((four.len(), one.len()), (200, 90));
    assert_eq!(four[..90], one);
    assert_ne!(lines(&["-n", "90", "--givens", "..24"], ""), one);
}

#[test]
fn puzzles_have_the_requested_rating_level_and_givens() {
    for puzzle in puzzles(&["-n", "4", "--er", "7.1..7.8"]) {
        let measure = Rater::new(&EXPLAINER).rate(&puzzle).unwrap().measure;
        let Measure::Tenths { er: Some(er), .. } = measure else {
            panic!("{measure:?}");
        };
        assert!((71..=78).contains(&er), "{puzzle} {er}");
    }
    for puzzle in puzzles(&["-n", "4", "--level", "hard", "--givens", "24..25"]) {
        let measure = Rater::new(&HODOKU).rate(&puzzle).unwrap().measure;
        let hard = matches!(
            measure,
            Measure::Score {
                level: Level::Hard,
                ..
            }
        );
        assert!(hard, "{puzzle} {measure:?}");
        assert!((24..=25).contains(&puzzle.given_count()), "{puzzle}");
    }
}

#[test]
fn givens_are_symmetric_or_follow_a_pattern_file() {
    for puzzle in puzzles(&["-n", "5", "--symmetry", "rotational"]) {
        for (cell, _) in puzzle.givens() {
            let image = Cell::new(80 - cell.index()).unwrap();
            assert!(puzzle.given(image).is_some(), "{puzzle} {cell}");
        }
    }
    let pattern =
        "x.x...x.x.x.x.x.x.x.x.x.x.x...x.x...x...x...x.x...x.x.x.x.x.x.x.x.x.x.x...x.x...x";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("patterns.txt");
    fs::write(&file, format!("# a comment\n\n{pattern}\n")).unwrap();
    let by_file = lines(&["-n", "2", "--pattern", file.to_str().unwrap()], "");
    assert_eq!(by_file, lines(&["-n", "2", "--pattern", "-"], pattern));
    for line in by_file {
        let mask = line.replace(|cell: char| cell.is_ascii_digit(), "x");
        assert_eq!(mask, pattern);
    }
}

#[test]
fn weights_are_written_as_a_table() {
    let rows = lines(
        &["-n", "2", "--distribution", "controlled", "--weights"],
        "",
    );
    assert_eq!(rows[0], "puzzle,givens,weight");
    assert_eq!(rows.len(), 3);
    for row in &rows[1..] {
        let [puzzle, givens, held] = row.split(',').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let puzzle: Puzzle = puzzle.parse().unwrap();
        assert_eq!(givens, puzzle.given_count().to_string());
        let held: f64 = held.parse().unwrap();
        assert!(
            (held / weight(puzzle.given_count()) - 1.0).abs() < 1e-6,
            "{row}"
        );
    }
}

#[test]
fn the_closing_line_states_the_distribution() {
    for (arguments, stated) in [
        (&[][..], "top-down, favours few givens, boards not uniform"),
        (
            &["--distribution", "bottom-up", "--symmetry", "full"],
            "bottom-up, favours few givens, boards not uniform; full symmetry",
        ),
        (
            &["--distribution", "controlled"],
            "controlled, weights by the number of givens, boards uniform",
        ),
        (&["--givens", "..23"], "all others rejected"),
        (&["--kind", "easy"], "easy, boards not uniform"),
    ] {
        let output = generate(arguments, "");
        let message = stderr(&output);
        assert!(message.contains(stated), "{arguments:?}: {message}");
        assert!(
            generate(&[arguments, &["--quiet"]].concat(), "")
                .stderr
                .is_empty()
        );
    }
}

#[test]
fn impossible_requests_are_refused_with_advice() {
    let few = format!("{}{}", "x".repeat(16), &BLANK[16..]);
    for (arguments, stdin, error) in [
        (&["--kind", "hard"][..], "", "hint: use `--er 8..`"),
        (
            &["--kind", "easy", "--symmetry", "full"],
            "",
            "do not go together",
        ),
        (
            &["--distribution", "controlled", "--symmetry", "full"],
            "",
            "do not go together",
        ),
        (
            &["--pattern", "-", "--symmetry", "full"],
            &*"x".repeat(81),
            "do not go together",
        ),
        (
            &["--distribution", "top-down", "--weights"],
            "",
            "--distribution controlled",
        ),
        (&["--givens", "..16"], "", "no puzzle has ..16 givens"),
        (&["--er", "9..8"], "", "ends before it begins"),
        (&["--er", "hard"], "", "no rating such as 8.3"),
        (&["--level", "evil"], "", "expected one of easy"),
        (&["--symmetry", "sideways"], "", "expected one of half-turn"),
        (&["--pattern", "-"], &few, "-:1: a pattern of 16 cells"),
        (&["--pattern", "-"], "\n", "has no pattern"),
        (
            &["--pattern", "no-such-file"],
            "",
            "cannot read no-such-file",
        ),
        (
            &["--layout", "6x6", "--er", "8.."],
            "",
            "cannot be used with",
        ),
    ] {
        let output = generate(arguments, stdin);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let message = stderr(&output);
        assert!(message.contains(error), "{arguments:?}: {message}");
    }
}

#[test]
fn givens_beyond_those_of_minimal_puzzles_are_added() {
    let output = generate(&["-n", "20", "--givens", "30..32"], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let message = stderr(&output);
    assert!(message.contains("20 puzzles"), "{message}");
    assert!(message.contains("givens added"), "{message}");
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let puzzle: Puzzle = line.parse().unwrap();
        assert!((30..=32).contains(&puzzle.given_count()), "{line}");
    }
}

#[test]
fn unreachable_requests_stop_at_a_limit() {
    for arguments in [
        &["--er", "12..13", "--trials", "50"][..],
        &["--kind", "minimal", "--givens", "38", "--trials", "50"],
        &["--er", "12..13", "--time-limit", "1ms"],
    ] {
        let output = generate(arguments, "");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let message = stderr(&output);
        assert!(
            message.contains("error: found 0 of 1 puzzle: given up after "),
            "{message}"
        );
        assert!(message.contains("hint: "), "{message}");
    }
}

#[test]
fn the_help_states_every_distribution() {
    let output = generate(&["--help"], "");
    let help = String::from_utf8(output.stdout).unwrap();
    for stated in [
        "bottom-up",
        "top-down",
        "controlled",
        "C(81, n)",
        "no orbit is redundant",
    ] {
        assert!(help.contains(stated), "{stated}");
    }
}
