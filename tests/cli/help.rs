//! Rules for every command: help with examples, manual pages, completions, colours, and errors
//! with advice.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use crate::common;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{PUZZLES, Said, board_png, program, say};

/// The help of a command.
fn help(command: &[String]) -> String {
    let names: Vec<&str> = command.iter().map(String::as_str).collect();
    let said = say(program(&names).arg("--help"));
    assert_eq!(said.code, Some(0), "{command:?}");
    said.stdout
}

/// The program and all commands below it, as their help lists them.
fn commands() -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut next = 0;
    while next < commands.len() {
        let command = commands[next].clone();
        let help = help(&command);
        let listed = help.split("\nCommands:\n").nth(1).unwrap_or_default();
        for line in listed.lines().take_while(|line| line.starts_with("  ")) {
            let is_name = !line.starts_with("   ");
            let name = line.split_whitespace().next().unwrap();
            if is_name && name != "help" {
                commands.push([&command[..], &[name.to_owned()]].concat());
            }
        }
        next += 1;
    }
    assert!(commands.len() >= 19, "{commands:?}");
    commands
}

/// The lines under `Examples:`.
fn examples(help: &str) -> Vec<&str> {
    let examples = help.split("\nExamples:\n").nth(1).unwrap_or_default();
    let lines = examples.lines();
    lines.take_while(|line| line.starts_with("  ")).collect()
}

#[test]
fn every_help_ends_with_examples_and_exit_codes() {
    for command in commands() {
        let help = help(&command);
        let examples = examples(&help);
        let own = format!("sudoku-batch {}", command.join(" "));
        let is_own = examples.iter().any(|line| line.contains(own.trim_end()));
        assert!(is_own, "{own}: {examples:?}");
        let last = help.trim_end().rsplit("\n\n").next().unwrap();
        assert!(last.starts_with("Exit codes: 0 "), "{own}: {last}");
        assert!(
            help.lines().all(|line| line.chars().count() <= 110),
            "{own}"
        );
    }
}

#[test]
fn every_command_of_the_examples_exists() {
    let known = commands();
    for command in &known {
        let help = help(command);
        for example in examples(&help) {
            for call in example.split("sudoku-batch ").skip(1) {
                let name = call.split_whitespace().next().unwrap();
                let exists = known
                    .iter()
                    .any(|known| known.first().is_some_and(|first| first == name));
                assert!(exists, "{example}");
            }
        }
    }
}

#[test]
fn every_command_has_a_manual_page_with_its_examples() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("man1");
    let said = say(program(&["man", "--out"]).arg(&out));
    assert_eq!(said.code, Some(0), "{said:?}");
    let commands = commands();
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), commands.len());
    for command in commands {
        let name = [&["sudoku-batch".to_owned()][..], &command]
            .concat()
            .join("-");
        let page = std::fs::read_to_string(out.join(format!("{name}.1"))).unwrap();
        let mut print = program(&["man"]);
        assert_eq!(say(print.args(&command)).stdout, page, "{name}");
        for section in [
            "NAME",
            "SYNOPSIS",
            "DESCRIPTION",
            "OPTIONS",
            "EXIT STATUS",
            "EXAMPLES",
        ] {
            let found = page.lines().filter(|line| {
                line.strip_prefix(".SH ")
                    .is_some_and(|title| title.trim_matches('"') == section)
            });
            assert_eq!(found.count(), 1, "{name}: {section}");
        }
        // In roff a hyphen is `\-`.
        let plain = page.replace("\\-", "-");
        let help = help(&command);
        for example in examples(&help) {
            assert!(
                plain.contains(&example.replace('\\', "\\\\")),
                "{name}: {example}"
            );
        }
        assert_groff_accepts(&name, &page);
    }
}

/// If groff is installed, it must accept the page without warnings.
fn assert_groff_accepts(name: &str, page: &str) {
    let mut groff = Command::new("groff");
    groff.args(["-man", "-ww", "-z"]);
    groff.stdin(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = groff.spawn() else {
        println!("skipped: groff is not installed");
        return;
    };
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), page.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
}

#[test]
fn completions_of_every_shell_know_every_command() {
    let commands = commands();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let said = say(&mut program(&["completions", shell]));
        assert_eq!(said.code, Some(0), "{shell}");
        for name in commands.iter().flatten() {
            let is_there = said
                .stdout
                .split(|c: char| !c.is_alphanumeric() && c != '-')
                .any(|word| word == name);
            assert!(is_there, "{shell}: {name}");
        }
    }
}

#[test]
fn colours_are_for_terminals_unless_the_environment_overrides() {
    let is_colored = |variables: &[(&str, &str)]| {
        let run = |arguments: &[&str]| {
            let mut command = program(arguments);
            for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
                command.env_remove(name);
            }
            say(command.envs(variables.iter().copied()))
        };
        [
            run(&["recognize", "no-such-photo.jpg"]).stderr,
            run(&["doctor", "--fonts", "no-fonts"]).stdout,
            run(&["--help"]).stdout,
        ]
        .map(|text| text.contains('\x1b'))
    };
    assert_eq!(is_colored(&[]), [false; 3]);
    assert_eq!(is_colored(&[("CLICOLOR_FORCE", "1")]), [true; 3]);
    assert_eq!(is_colored(&[("NO_COLOR", "1")]), [false; 3]);
    assert_eq!(
        is_colored(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]),
        [false; 3]
    );
}

#[test]
fn a_closed_pipe_is_no_error_for_commands_that_only_print() {
    for arguments in [&["man"][..], &["completions", "bash"], &["--help"]] {
        let mut command = program(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

/// Runs the program in a folder with `bad.txt` (not a puzzle), `file`, the empty `folder`, and
/// `crops` with a single crop.
fn run_in_bad_folder(place: &Path, arguments: &[&str]) -> Said {
    std::fs::write(place.join("bad.txt"), "not a puzzle\n").unwrap();
    std::fs::write(place.join("file"), "").unwrap();
    std::fs::create_dir_all(place.join("folder")).unwrap();
    let ones = place.join("crops/1");
    std::fs::create_dir_all(&ones).unwrap();
    std::fs::write(ones.join("one.png"), board_png(PUZZLES[0])).unwrap();
    let mut command = program(arguments);
    say(command.current_dir(place).stdin(Stdio::null()))
}

#[test]
fn bad_input_is_an_error_that_names_it_and_a_hint() {
    let place = tempfile::tempdir().unwrap();
    for (arguments, named) in [
        (&["recognize", "missing.jpg"][..], "missing.jpg"),
        (&["recognize", "folder"], "folder"),
        (
            &["recognize", "bad.txt", "--truth", "missing.csv"],
            "missing.csv",
        ),
        (
            &["recognize", "bad.txt", "--model", "folder"],
            "folder/card.json",
        ),
        (&["recognize", "bad.txt", "--out", "file/x"], "file/x"),
        (&["solve", "missing.txt"], "missing.txt"),
        (&["solve", "bad.txt"], "bad.txt"),
        (&["solve", "file"], "file"),
        (&["rate", "missing.txt"], "missing.txt"),
        (&["explain", "missing.txt"], "missing.txt"),
        (&["explain", "bad.txt"], "bad.txt:1"),
        (&["bench", "missing.txt"], "missing.txt"),
        (&["bench", "bad.txt"], "bad.txt"),
        (&["bench", "bad.txt", "--out", "file/x"], "file/x"),
        (&["train", "missing"], "missing"),
        (&["train", "--config", "bad.txt"], "bad.txt"),
        (&["train", "--init", "folder"], "folder/card.json"),
        (&["dataset", "stats", "missing"], "missing"),
        (&["dataset", "harvest", "missing"], "missing"),
        (&["dataset", "review", "missing"], "missing"),
        (&["dataset", "apply", "missing"], "missing"),
        (
            &[
                "dataset", "synth", "crops", "-n", "1", "--config", "bad.txt",
            ],
            "bad.txt",
        ),
        (
            &[
                "dataset", "synth", "photos", "-n", "1", "--out", "file/x", "--fonts", "folder",
            ],
            "file/x",
        ),
        (&["dataset", "stats", "crops", "--out", "file/x"], "file/x"),
        (&["dataset", "review", "folder"], "folder/photos.jsonl"),
        (
            &["explain", PUZZLES[0], "--svg", "file/x.svg"],
            "file/x.svg",
        ),
        (&["man", "missing"], "missing"),
        (&["man", "--out", "file/x"], "file/x"),
    ] {
        let said = run_in_bad_folder(place.path(), arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}: {said:?}");
        let lines: Vec<&str> = said.stderr.lines().collect();
        let error = lines.iter().find(|line| line.starts_with("error: "));
        assert!(error.is_some(), "{arguments:?}: {said:?}");
        assert!(said.stderr.contains(named), "{arguments:?}: {said:?}");
        let last = lines.last().unwrap();
        assert!(last.starts_with("hint: "), "{arguments:?}: {said:?}");
        for line in &lines {
            let styled = ["error: ", "hint: ", "warning: "]
                .iter()
                .any(|label| line.starts_with(label));
            // A bad line of a corpus is reported like a compiler error.
            assert!(
                styled || line.starts_with("bad.txt:1: "),
                "{arguments:?}: {line}"
            );
        }
    }
}

#[test]
fn invalid_arguments_are_one_error_and_one_hint() {
    let place = tempfile::tempdir().unwrap();
    for (arguments, error, hint) in [
        (
            &["recognize"][..],
            "error: the following required arguments were not provided: <PATH>...",
            "hint: see `sudoku-batch recognize --help`",
        ),
        (
            &["recogniz"],
            "error: unrecognized subcommand 'recogniz'",
            "hint: a similar subcommand exists: 'recognize'; see `sudoku-batch --help`",
        ),
        (
            &["dataset", "synth", "crops", "-n", "0"],
            "error: invalid value '0' for '--count <N>': ",
            "hint: see `sudoku-batch dataset synth crops --help`",
        ),
        (
            &["completions", "foo"],
            "error: invalid value 'foo' for '<SHELL>' [possible values: bash, elvish, fish, powershell, zsh]",
            "hint: see `sudoku-batch completions --help`",
        ),
        (
            &["generate", "--cuont", "3"],
            "error: unexpected argument '--cuont' found",
            "hint: a similar argument exists: '--count'; see `sudoku-batch generate --help`",
        ),
    ] {
        let said = run_in_bad_folder(place.path(), arguments);
        assert_eq!(said.code, Some(2), "{said:?}");
        let lines: Vec<&str> = said.stderr.lines().collect();
        assert_eq!(lines.len(), 2, "{said:?}");
        assert!(lines[0].starts_with(error), "{said:?}");
        assert_eq!(lines[1], hint);
    }
}
