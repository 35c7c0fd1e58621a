//! `sudoku-batch solve` from outside: output, errors, exit codes; and the stream module below it.

use crate::common::program;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread;

use program::{PUZZLE, SOLUTION, fed};
use proptest::prelude::*;
use sudoku_batch::corpus::Corpora;
use sudoku_batch::grid::Puzzle;
use sudoku_batch::roster::{SolverSpec, fastest_complete, find};
use sudoku_batch::solve::Goal;
use sudoku_batch::stream::{Ask, End, StreamConfig, answer_all};

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    command.arg("solve").stdin(Stdio::null());
    command
}

fn solve(arguments: &[&str], stdin: &[u8]) -> Output {
    fed(command().args(arguments), stdin)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Two digits do not occur; swapping them everywhere gives another solution.
fn ambiguous() -> String {
    SOLUTION.replace(['1', '2'], ".")
}

fn unsolvable() -> String {
    PUZZLE.replacen("53.", "535", 1)
}

#[test]
fn answers_come_in_input_order_and_bad_lines_are_named() {
    let text = format!(
        "{PUZZLE}\n{}\n{}\nbad\n{PUZZLE} again\n",
        unsolvable(),
        ambiguous()
    );
    let output = solve(&[], text.as_bytes());
    let expected = format!("{SOLUTION}\nunsolvable\nmultiple\n{SOLUTION}\n");
    assert_eq!(stdout(&output), expected);
    let message = stderr(&output);
    let first = "<stdin>:4: column 1: 'b' is neither a digit nor a blank";
    assert_eq!(message.lines().next(), Some(first));
    let summary = message.lines().nth(1).unwrap();
    assert!(summary.starts_with("solved 2 puzzles in "), "{summary}");
    assert!(
        summary.ends_with(", 1 multiple, 1 unsolvable, 1 bad line"),
        "{summary}"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_requested_goal_determines_the_answer() {
    let puzzle = ambiguous();
    let line = |goal: &str| stdout(&solve(&["--goal", goal], puzzle.as_bytes()));
    assert_eq!(line("unique"), "multiple\n");
    let all: Vec<String> = line("count:100000")
        .trim_end()
        .split(',')
        .map(str::to_owned)
        .collect();
    assert!(all.len() >= 2 && all.contains(&SOLUTION.to_owned()));
    assert!(all.contains(&line("first").trim_end().to_owned()));
    assert_eq!(line("count:2").trim_end().split(',').count(), 2);
    assert_eq!(line("count:1").trim_end().len(), 81);
    let counted = solve(&["--count", "100000"], puzzle.as_bytes());
    assert_eq!(stdout(&counted), line("count:100000"));
    let given: Puzzle = puzzle.parse().unwrap();
    for solution in &all {
        let solution: Puzzle = solution.parse().unwrap();
        assert!(solution.is_consistent() && solution.given_count() == 81);
        assert!(
            given
                .givens()
                .all(|(cell, digit)| solution.given(cell) == Some(digit))
        );
    }
}

#[test]
fn unanswered_puzzles_are_marked_and_count_as_failures() {
    // AI Escargot, by Arto Inkala: neither singles nor pairs solve it.
    let hard = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
    let lines = format!("{PUZZLE}\n{hard}\n{SOLUTION}\n");
    for (arguments, answer, message) in [
        (&["--solver", "logic"][..], "stuck", "solved 2 puzzles"),
        (&["--max-guesses", "1"], "timeout", "1 timed out"),
        (&["--max-nodes", "2"], "timeout", "1 timed out"),
    ] {
        let output = solve(arguments, lines.as_bytes());
        let expected = format!("{SOLUTION}\n{answer}\n{SOLUTION}\n");
        assert_eq!(stdout(&output), expected, "{arguments:?}");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
    // Blank first rows are the worst case for plain backtracking.
    let slow = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7...";
    let late = ["--solver", "backtracking-scan", "--time-limit", "20ms"];
    let output = solve(&late, slow.as_bytes());
    assert_eq!(
        (stdout(&output).as_str(), output.status.code()),
        ("timeout\n", Some(1))
    );
    let enough = solve(&["--time-limit", "1h", "-q"], slow.as_bytes());
    assert_eq!(enough.status.code(), Some(0), "{}", stderr(&enough));
}

#[test]
fn given_solutions_are_checked() {
    let table = |solution: &str| format!("quizzes,solutions\n{PUZZLE},{solution}\n");
    let right = solve(&["-q"], table(SOLUTION).as_bytes());
    assert_eq!(
        (right.status.code(), stderr(&right)),
        (Some(0), String::new())
    );
    let wrong = solve(&["-q"], table(&SOLUTION.replace('1', "2")).as_bytes());
    assert_eq!(stdout(&wrong), format!("{SOLUTION}\n"));
    let complaint = "<stdin>:2: the solution given with the puzzle is not its solution\n";
    assert_eq!(
        (wrong.status.code(), stderr(&wrong)),
        (Some(1), complaint.to_owned())
    );
}

#[test]
fn a_useless_run_gives_exit_code_2_with_a_hint() {
    for (arguments, stdin, error) in [
        (&[][..], "", "error: no puzzles in <stdin>"),
        (&[], "bad\n", "error: no line of <stdin> is a puzzle"),
        (&["/no/such/file"], "", "error: cannot read /no/such/file: "),
        (&["."], "", "error: cannot read .: it is a folder"),
        (
            &["--solver", "mvr"],
            PUZZLE,
            "error: no solver is named \"mvr\" (did you mean mrv?)",
        ),
        (
            &["--goal", "count:0"],
            PUZZLE,
            "error: invalid value 'count:0' for '--goal <GOAL>'",
        ),
        (
            &["--count", "2", "--goal", "first"],
            PUZZLE,
            "error: the argument '--count <N>' cannot be used with '--goal <GOAL>'",
        ),
        (
            &["--time-limit", "soon"],
            PUZZLE,
            "error: invalid value 'soon' for '--time-limit <TIME>'",
        ),
        (&["--json"], PUZZLE, "error: solve does not support --json"),
    ] {
        let output = solve(arguments, stdin.as_bytes());
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(error), "{message}");
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn one_missing_file_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.sdm");
    fs::write(&file, format!("{PUZZLE}\r\n")).unwrap();
    let output = command()
        .arg("/no/such/file")
        .arg(&file)
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(stdout(&output), format!("{SOLUTION}\n{SOLUTION}\n"));
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).ends_with(", 1 broken file\n"));
}

#[test]
fn a_closed_output_pipe_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("many.txt");
    fs::write(&file, format!("{PUZZLE}\n").repeat(20_000)).unwrap();
    let mut child = command()
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    drop(reader);
    let output = child.wait_with_output().unwrap();
    assert_eq!(line.trim_end(), SOLUTION);
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (Some(0), String::new())
    );
}

#[test]
fn a_full_disk_is_an_error() {
    if !Path::new("/dev/full").exists() {
        println!("skipped: this system has no /dev/full");
        return;
    }
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.txt");
    fs::write(&file, PUZZLE).unwrap();
    let output = command().arg(&file).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("error: cannot write the answers: "));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_answers_the_lines_it_has_read() {
    let mut child = command()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let config = StreamConfig::new(fastest_complete(), Goal::ProveUnique);
    let count = 3 * config.chunk;
    let writer = thread::spawn(move || {
        // The run may end before reading everything.
        let _ = stdin.write_all(format!("{PUZZLE}\n").repeat(count).as_bytes());
        stdin
    });
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(answers.next().unwrap().unwrap(), SOLUTION);
    let kill = Command::new("kill")
        .arg("-INT")
        .arg(child.id().to_string())
        .status()
        .unwrap();
    assert!(kill.success());
    // Close the input only after the signal has been acknowledged.
    let mut message = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(message.next().unwrap().unwrap().starts_with("stopping"));
    let closer = thread::spawn(move || drop(writer.join().unwrap()));
    let rest: Vec<String> = answers.map(Result::unwrap).collect();
    closer.join().unwrap();
    assert!(rest.len() < count && rest.iter().all(|line| line == SOLUTION));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(message.next().unwrap().unwrap().starts_with("solved "));
}

/// Answers and errors for a text, with this number of threads and chunk size.
fn streamed(
    text: &str,
    solver: &SolverSpec,
    goal: Goal,
    threads: usize,
    config: StreamConfig,
) -> (Vec<u8>, Vec<String>) {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let name = file.path().display().to_string();
    let corpora = Corpora::new(vec![file.path().to_owned()]);
    let (mut answers, mut message) = (Vec::new(), Vec::new());
    let (_, end) = pool
        .install(|| {
            answer_all(
                corpora,
                solver,
                Ask::unlimited(goal),
                config,
                &AtomicBool::new(false),
                &mut answers,
                &mut |problem| message.push(problem.to_string().replace(&name, "f")),
            )
        })
        .unwrap();
    assert_eq!(end, End::Complete);
    (answers, message)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn chunks_and_threads_never_change_the_output(
        lines in proptest::collection::vec((0..4_usize, 0..81_usize), 0..60),
        solver in proptest::sample::select(vec!["bands", "lockstep"]),
        count: bool,
        threads in 1..5_usize,
        chunk in 1..50_usize,
        batch in 1..20_usize,
    ) {
        let text: String = lines
            .iter()
            .map(|&(kind, blank)| {
                let mut line = match kind {
                    0 => PUZZLE.to_owned(),
                    1 => SOLUTION.to_owned(),
                    2 => unsolvable(),
                    _ => "bad".to_owned(),
                };
                if blank < line.len() {
                    line.replace_range(blank..=blank, ".");
                }
                line + "\n"
            })
            .collect();
        // Which of several solutions lockstep finds first depends on the other puzzles in the batch.
        let goal = if count && solver == "bands" {
            Goal::Count(3.try_into().unwrap())
        } else {
            Goal::ProveUnique
        };
        let solver = find(solver).unwrap();
        let large = StreamConfig { chunk: 1000, batch: 1000 };
        let one = streamed(&text, solver, goal, 1, large);
        let other = streamed(&text, solver, goal, threads, StreamConfig { chunk, batch });
        prop_assert_eq!(&one, &other);
        let bad = lines.iter().filter(|(kind, _)| *kind == 3).count();
        let answered = one.0.iter().filter(|&&byte| byte == b'\n').count();
        prop_assert_eq!((answered, one.1.len()), (lines.len() - bad, bad));
    }
}
