//! `sudoku-batch explain` from outside: text, JSON, hints, pictures, errors, exit codes.

use crate::common::program;
use std::fs;
use std::process::{Command, Output};

use program::{PUZZLE, SOLUTION, fed};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use sudoku_batch::generate::{Generator, Kind};
use sudoku_batch::grid::{
    Candidate, CandidateGrid, Cell, Digit, DigitSet, PencilMarks, Puzzle, Solution,
};
use sudoku_batch::logic::{Effect, Explanation, NATIVE, PROFILES, Position};
use sudoku_batch::report::{explain_json, explain_svg};
use sudoku_batch::solve::{Deadline, Goal, Limits, Mrv, Solver, Verdict, random_symmetry};

/// AI Escargot, by Arto Inkala: only its first step is a single.
const ESCARGOT: &str =
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";

fn explain(arguments: &[&str], stdin: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    fed(command.arg("explain").args(arguments), stdin.as_bytes())
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = explain(&[&["--json"], arguments].concat(), "");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The marks of a puzzle in 729 characters.
fn marks(puzzle: &str) -> String {
    let grid = CandidateGrid::new(&puzzle.parse().unwrap()).unwrap();
    PencilMarks::of(&grid).to_string()
}

/// Two digits do not occur; swapping them everywhere gives another solution.
fn ambiguous() -> String {
    SOLUTION.replace(['1', '2'], ".")
}

#[test]
fn a_puzzle_is_explained_from_start_to_end() {
    let output = explain(&[PUZZLE], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    insta::assert_snapshot!(stdout(&output));
}

#[test]
fn a_stuck_path_prints_the_remaining_marks() {
    let output = explain(&[ESCARGOT], "");
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains("\nStuck: "), "{text}");
    assert!(text.contains("| 1    2568  2468 |"), "{text}");
    let end = &json(&[ESCARGOT])["end"];
    assert_eq!(end["status"], "stuck");
    let left: PencilMarks = end["candidates"].as_str().unwrap().parse().unwrap();
    assert!(left.grid().is_ok());
}

#[test]
fn a_puzzle_is_an_argument_a_file_or_stdin_in_one_line_or_nine() {
    let expected = stdout(&explain(&[PUZZLE], ""));
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[9 * row..][..9]).collect();
    let rows = rows.join("\n");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("puzzle.txt");
    fs::write(&file, format!("# Wikipedia\n{PUZZLE}\n")).unwrap();
    for (argument, stdin) in [
        (file.to_str().unwrap(), ""),
        ("-", PUZZLE),
        ("-", &rows),
        (&rows, ""),
        (&PUZZLE.replace('.', "0"), ""),
    ] {
        let output = explain(&[argument], stdin);
        assert_eq!(stdout(&output), expected, "{argument}: {}", stderr(&output));
    }
    // A blank board of dashes looks like a flag.
    let dashes = PUZZLE.replace('.', "-").replacen("53", "-3", 1);
    let output = explain(&[&dashes, "--hint", "1"], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn explanations_continue_from_pencil_marks() {
    let whole = json(&[PUZZLE]);
    let of_marks = json(&[&marks(PUZZLE)]);
    assert_eq!(of_marks["steps"], whole["steps"]);
    assert_eq!(of_marks["end"], whole["end"]);
    assert_eq!(of_marks["solutions"], "1");
    // One more mark is missing than the givens imply: no step needs to eliminate it again.
    let solution: Puzzle = SOLUTION.parse().unwrap();
    let mut bytes = marks(PUZZLE).into_bytes();
    let cell = Cell::at(0, 2).unwrap();
    let digit = solution.given(cell).unwrap();
    for other in Digit::ALL {
        if other != digit {
            bytes[9 * cell.index() + other.index()] = b'.';
        }
    }
    let fewer = String::from_utf8(bytes).unwrap();
    let first = stdout(&explain(&[&fewer, "--hint", "2"], ""));
    assert_eq!(first, "Naked single: one candidate in r1c3.\n");
    // Marks without any given, in nine lines.
    let rows: Vec<String> = (0..9).map(|_| "123456789".repeat(9)).collect();
    let output = explain(&["-"], &rows.join("\n"));
    assert!(stderr(&output).starts_with("error: many solutions: "));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn hints_come_in_three_levels() {
    let hint = |level| stdout(&explain(&[PUZZLE, "--hint", level], ""));
    assert_eq!(hint("1"), "Look at block 5.\n");
    assert_eq!(hint("2"), "Naked single: one candidate in r5c5.\n");
    assert!(hint("3").starts_with("Naked single: r5c5=5. r5c5 has no candidate but 5: it sees "));
    let value = json(&[PUZZLE, "--hint", "1"]);
    assert_eq!(value["hint"], "Look at block 5.");
    assert_eq!(value["level"], 1);
    assert_eq!(value.get("steps"), None);
    let solved = explain(&[SOLUTION, "--hint", "1"], "");
    assert!(stdout(&solved).starts_with("Solved: "));
    assert_eq!(solved.status.code(), Some(0));
}

#[test]
fn puzzles_without_a_unique_solution_are_reported_first() {
    let clash = PUZZLE.replacen("53.", "535", 1);
    let cases = [
        (ambiguous(), "many solutions: r1c8 can be 1 or 2", "2+"),
        (
            clash.clone(),
            "no solution: r1c1 and r1c3 see each other and are both 5",
            "0",
        ),
        (PUZZLE.replacen("53.", "532", 1), "no solution", "0"),
        (".".repeat(729), "no solution", "0"),
    ];
    for (puzzle, complaint, solutions) in cases {
        let output = explain(&[&puzzle], "");
        assert_eq!(stderr(&output), format!("error: {complaint}\n"));
        assert_eq!(output.status.code(), Some(1));
        assert!(stdout(&output).starts_with("+---"));
        let value = json(&[&puzzle]);
        assert_eq!(value["complaint"], complaint);
        assert_eq!(value["solutions"], solutions);
    }
    let hint = explain(&[&clash, "--hint", "3"], "");
    assert_eq!((stdout(&hint).as_str(), hint.status.code()), ("", Some(1)));
}

#[test]
fn an_invalid_puzzle_is_an_error_with_a_reason() {
    let long = format!("{}x", &marks(PUZZLE)[..728]);
    for (argument, stdin, error) in [
        (
            &PUZZLE[..80],
            "",
            "<argument>:1: expected 81 cells, found 80",
        ),
        (
            &PUZZLE.replace("53", "5x"),
            "",
            "<argument>:1: column 2: 'x' is neither a digit nor a blank",
        ),
        ("-", "", "no puzzle in <stdin>"),
        (
            &long,
            "",
            "<argument>: in the pencil marks of r9c9, 'x' stands",
        ),
        (
            &long[..700],
            "",
            "<argument>:1: found 700 cells: a board has as many rows as columns",
        ),
        (".", "", "cannot read .: "),
    ] {
        let output = explain(&[argument], stdin);
        let message = stderr(&output);
        assert!(message.starts_with(&format!("error: {error}")), "{message}");
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn a_mistyped_flag_is_not_a_puzzle() {
    for flag in ["--profil", "-x"] {
        let output = explain(&[flag], "");
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains("there is no such flag"), "{said}");
    }
}

#[test]
fn a_path_that_assumes_one_solution_is_refused_where_there_are_more() {
    for profile in ["hodoku-2.2", "se-1.2.1"] {
        let mut generator = Generator::default();
        // Remove givens until a path relies on a false assumption of uniqueness.
        let found = (0..200).find_map(|n| {
            let mut puzzle = generator.puzzle(Kind::Easy, 3, n);
            let given = puzzle.givens().map(|(cell, _)| cell).nth(n as usize % 20)?;
            puzzle.set(given, None);
            let solver = &mut Mrv::new();
            let verdict = solver
                .solve(&puzzle, Goal::ProveUnique, Limits::NONE)
                .verdict;
            let profile = PROFILES.iter().find(|known| known.name == profile)?;
            let path = Explanation::new(profile, &puzzle.into(), Deadline::NONE);
            let lies = matches!(verdict, Verdict::Multiple(_)) && path.assumes_uniqueness();
            lies.then(|| puzzle.to_string())
        });
        let puzzle = found.unwrap();
        let refused = explain(&[&puzzle, "--profile", profile], "");
        assert_eq!(
            (stdout(&refused).as_str(), refused.status.code()),
            ("", Some(1))
        );
        let message = stderr(&refused);
        assert!(message.starts_with("error: many solutions: "), "{message}");
        assert!(
            message.contains("hint: this profile has steps that assume that there is only one"),
            "{message}"
        );
        let value = json(&[&puzzle, "--profile", profile]);
        assert_eq!(value["end"]["status"], "refused");
        assert_eq!(value["steps"], Value::Array(vec![]));
        assert_eq!(value["profile"], profile);
        let taken = explain(&[&puzzle, "--profile", profile, "--assume-unique"], "");
        assert!(stdout(&taken).contains("\n  1. "), "{}", stdout(&taken));
        assert!(!stdout(&taken).contains("this is the only one"));
        let native = json(&[&puzzle]);
        assert_eq!(native["end"]["status"], "stuck");
    }
}

#[test]
fn every_puzzle_of_a_file_is_explained_in_its_order() {
    let text = format!("{PUZZLE}\nbad\n{}\n{PUZZLE} again\n", ambiguous());
    let output = explain(&["-"], &text);
    assert_eq!(output.status.code(), Some(1));
    let one = stdout(&explain(&[PUZZLE], ""));
    let message = stdout(&output);
    assert!(
        message.starts_with(&format!("<stdin>:1\n{one}\n<stdin>:3\n+---")),
        "{message}"
    );
    assert!(
        message.ends_with(&format!("\n<stdin>:4\n{one}\n")),
        "{message}"
    );
    let complaints = stderr(&output);
    let complaints: Vec<&str> = complaints.lines().collect();
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(complaints[0].starts_with("error: <stdin>:2: column 1: 'b'"));
    assert!(complaints[1].starts_with("error: <stdin>:3: many solutions: "));
    // Nine puzzles are as long as pencil marks.
    let nine = format!("{PUZZLE}\n").repeat(9);
    let output = explain(&["-", "--hint", "1", "-j", "3"], &nine);
    assert_eq!(output.status.code(), Some(0));
    let expected: String = (1..10)
        .map(|line| format!("<stdin>:{line}: Look at block 5.\n"))
        .collect();
    assert_eq!(stdout(&output), expected);
    let output = explain(&["-", "--json"], &nine);
    let whole = json(&[PUZZLE]);
    let lines: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines, vec![whole; 9]);
    let output = explain(&["-", "--svg", "step.svg"], &nine);
    assert!(stderr(&output).starts_with("error: - contains more than one puzzle"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_step_is_drawn_completely_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("step.svg");
    let path = file.to_str().unwrap();
    let output = explain(&[PUZZLE, "--svg", path, "--step", "2"], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), format!("step 2 drawn in {path}\n"));
    assert_eq!(stdout(&output), stdout(&explain(&[PUZZLE], "")));
    let picture = fs::read_to_string(&file).unwrap();
    assert!(picture.starts_with("<svg xmlns="));
    let beyond = explain(&[PUZZLE, "--svg", path, "--step", "99"], "");
    assert!(stderr(&beyond).starts_with("error: there is no step 99: the last one is step 51"));
    assert_eq!(beyond.status.code(), Some(2));
    let nothing = explain(&[SOLUTION, "--svg", path], "");
    assert!(stderr(&nothing).contains("there is no step to draw"));
    assert_eq!(fs::read_to_string(&file).unwrap(), picture);
    let nowhere = explain(&[PUZZLE, "--svg", "/dev/null/step.svg"], "");
    assert!(stderr(&nowhere).starts_with("error: cannot write /dev/null/step.svg"));
    assert_eq!(nowhere.status.code(), Some(2));
}

#[test]
fn help_of_explain() {
    let output = explain(&["--help"], "");
    insta::assert_snapshot!(stdout(&output));
}

/// A puzzle of any difficulty under a random symmetry, and its solution.
fn any_puzzle(n: u64, seed: u64) -> (Puzzle, Solution) {
    let kind = if n.is_multiple_of(8) {
        Kind::Easy
    } else {
        Kind::Minimal
    };
    let symmetry = random_symmetry(&mut ChaCha8Rng::seed_from_u64(seed));
    let puzzle = symmetry.puzzle(&Generator::default().puzzle(kind, 5, n));
    let verdict = solve(&puzzle);
    (puzzle, *verdict.solution().unwrap())
}

fn solve(puzzle: &Puzzle) -> Verdict {
    let goal = Goal::ProveUnique;
    Mrv::new().solve(puzzle, goal, Limits::NONE).verdict
}

fn candidates(value: &Value) -> Vec<Candidate> {
    let candidates = value.as_array().unwrap().iter();
    candidates
        .map(|value| {
            let name = value["cell"].as_str().unwrap();
            let digit = value["digit"].as_u64().unwrap() as u8;
            Candidate {
                cell: Cell::all().find(|cell| cell.to_string() == name).unwrap(),
                digit: Digit::new(digit).unwrap(),
            }
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Follows the steps independently of the library: a placed digit is eliminated from its peers.
    #[test]
    fn the_steps_in_json_lead_to_the_solution(n in 0_u64..400, seed in any::<u64>()) {
        let (puzzle, solution) = any_puzzle(n, seed);
        let position = Position::Puzzle(puzzle);
        let explanation = Explanation::new(&NATIVE, &position, Deadline::NONE);
        let text = explain_json(&position, &solve(&puzzle), &explanation);
        let value: Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(value["puzzle"].as_str().unwrap(), puzzle.to_line());
        prop_assert_eq!(&value["solutions"], "1");
        let mut grid = CandidateGrid::new(&puzzle).unwrap();
        for (step, number) in value["steps"].as_array().unwrap().iter().zip(1_u64..) {
            prop_assert_eq!(step["step"].as_u64(), Some(number));
            for part in step["evidence"]["parts"].as_array().unwrap() {
                for candidate in candidates(&part["candidates"]) {
                    prop_assert!(grid.contains(candidate), "{}", step);
                }
            }
            let name = step["technique"].as_str().unwrap();
            let chain = step["evidence"]["chain"].as_array();
            prop_assert_eq!(
                chain.is_some(),
                ["chain", "loop", "AIC"].iter().any(|kind| name.ends_with(kind)),
                "{}", step
            );
            prop_assert!(chain.is_none_or(|claims| claims.len() % 2 == 0), "{}", step);
            let branches = step["evidence"]["branches"].as_array();
            prop_assert_eq!(branches.is_some(), name.contains("orcing"), "{}", step);
            for branch in branches.into_iter().flatten() {
                for (at, claim) in branch.as_array().unwrap().iter().enumerate() {
                    prop_assert_eq!(at == 0, claim["why"] == "assumed", "{}", step);
                    let mut causes = claim["causes"].as_array().unwrap().iter();
                    prop_assert!(causes.all(|cause| cause.as_u64().unwrap() < at as u64));
                }
            }
            let placements = candidates(&step["placements"]);
            let eliminations = candidates(&step["eliminations"]);
            prop_assert!(placements.is_empty() != eliminations.is_empty());
            for placed in placements {
                prop_assert!(grid.contains(placed) && !grid.placed().contains(placed.cell));
                prop_assert_eq!(solution.digit(placed.cell), placed.digit, "{}", step);
                grid.place(placed).unwrap();
            }
            for struck in eliminations {
                prop_assert!(grid.contains(struck), "{}", step);
                prop_assert!(solution.digit(struck.cell) != struck.digit, "{}", step);
                let cells = std::iter::once(struck.cell).collect();
                grid.eliminate(cells, struck.digit).unwrap();
            }
        }
        let end = &value["end"];
        match end["status"].as_str().unwrap() {
            "unique" => {
                prop_assert_eq!(grid.solution(), Some(solution));
                prop_assert_eq!(end["solution"].as_str().unwrap(), solution.to_line());
            }
            status => {
                prop_assert_eq!(status, "stuck");
                let left = PencilMarks::of(&grid).to_string();
                prop_assert_eq!(end["candidates"].as_str().unwrap(), left);
                prop_assert_eq!(grid.solution(), None);
            }
        }
    }

    /// Checks that every element is closed, and that each change is marked.
    #[test]
    fn pictures_are_well_formed(n in 0_u64..400, step in 0_usize..200) {
        let (puzzle, _) = any_puzzle(n, 0);
        let position = Position::Puzzle(puzzle);
        let steps = Explanation::new(&NATIVE, &position, Deadline::NONE).steps;
        let step = &steps[step % steps.len()];
        let picture = explain_svg(&position, step, 1);
        let mut open = Vec::new();
        for tag in picture.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').unwrap();
            let name = tag.split(' ').next().unwrap();
            match name.strip_prefix('/') {
                Some(closed) => prop_assert_eq!(open.pop(), Some(closed)),
                None => open.push(name),
            }
        }
        prop_assert_eq!(open, Vec::<&str>::new());
        let count = |class: &str| picture.matches(&format!("class=\"{class}\"")).count();
        let changed = match step.argument().effect {
            Effect::Place(_) => (1, 0),
            Effect::Eliminate(struck) => (0, struck.len()),
        };
        prop_assert_eq!((count("ring"), count("strike")), changed);
        let placed = count("digit") + count("digit given");
        prop_assert_eq!(placed, step.before.placed().len());
    }
}

/// Two rows in which 5 has two places in the same columns; nothing else is known.
fn x_wing() -> String {
    let mut grid = CandidateGrid::empty();
    let five = Digit::new(5).unwrap();
    for row in [1, 5] {
        let others = (0..9).filter(|column| ![2, 7].contains(column));
        let cells = others
            .map(|column| Cell::at(row, column).unwrap())
            .collect();
        grid.eliminate(cells, five).unwrap();
    }
    PencilMarks::of(&grid).to_string()
}

#[test]
fn all_instances_of_a_technique_are_found_on_the_given_board() {
    let output = explain(&["--find", "x-WING", &x_wing()], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("1. X-wing: 5 r26 c38 => "), "{text}");
    assert!(text.ends_with("x-WING: 1 found\n"), "{text}");
    let found = json(&["--find", "naked-single", PUZZLE]);
    let steps = found["steps"].as_array().unwrap();
    let grid = CandidateGrid::new(&PUZZLE.parse().unwrap()).unwrap();
    assert_eq!(steps.len(), grid.naked_singles().len());
    assert_eq!(found["puzzle"], PUZZLE);
    let none = explain(&["--find", "swordfish", SOLUTION], "");
    assert_eq!(none.status.code(), Some(1));
    assert!(stdout(&none).ends_with("swordfish: none found\n"));
}

#[test]
fn techniques_are_listed_and_unknown_names_get_the_nearest() {
    let names = stdout(&explain(&["--find", "list"], ""));
    assert!(names.starts_with("full house\nnaked single\n"), "{names}");
    let wrong = explain(&["--find", "sky scraper", PUZZLE], "");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        stderr(&wrong).contains("did you mean \"skyscraper\"?"),
        "{}",
        stderr(&wrong)
    );
}

#[test]
fn a_solving_path_ends_at_its_time_limit() {
    let late = json(&["--profile", "se-1.2.1", "--time-limit", "1ns", ESCARGOT]);
    assert_eq!(late["end"]["status"], "late");
    let late = explain(&["--time-limit", "1ns", ESCARGOT], "");
    assert_eq!(late.status.code(), Some(1));
    assert!(stdout(&late).ends_with("Stopped at the time limit.\n"));
}

#[test]
fn the_profile_all_uses_patterns_that_others_leave_out() {
    let path = json(&["--profile", "all", ESCARGOT]);
    assert_eq!(path["profile"], "all");
    let steps = path["steps"].as_array().unwrap();
    let is_als = |step: &Value| step["technique"].as_str().unwrap().starts_with("ALS");
    assert!(steps.iter().any(is_als));
}

#[test]
fn partial_pencil_marks_that_contradict_each_other_are_left_out() {
    // Two cells of the first row have only the mark 4.
    let grid = CandidateGrid::new(&PUZZLE.parse().unwrap()).unwrap();
    let four = Digit::new(4).unwrap();
    let marks = PencilMarks::from_fn(|cell| match cell.index() {
        2 | 5 => DigitSet::only(four),
        _ => grid.candidates(cell),
    });
    let output = explain(&["-"], &marks.to_string());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{message}");
    assert!(message.contains("so they are partial ones"), "{message}");
    let of_givens = explain(&["-"], PUZZLE);
    assert_eq!(output.stdout, of_givens.stdout);
}
