//! `sudoku-batch.toml`: flags by command, precedence, and errors.

use crate::common;
use std::fs;
use std::path::Path;

use common::{PUZZLES, Said, board_png, program, say};

/// A folder with a configuration file.
fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sudoku-batch.toml"), text).unwrap();
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Said {
    let mut command = program(arguments);
    say(command
        .current_dir(folder)
        .env_remove("SUDOKU_BATCH_CONFIG"))
}

/// The puzzles that `generate` prints.
fn puzzles(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let said = run(folder, &[&["generate"], arguments].concat());
    assert_eq!(said.code, Some(0), "{said:?}");
    said.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn the_command_line_overrides_the_file_and_tables_override_global_keys() {
    let folder = folder("seed = 7\n[generate]\ncount = 3\nkind = 'easy'\n[solve]\ncount = 9\n");
    let folder = folder.path();
    let plain = |arguments: &[&str]| puzzles(folder, &[&["--no-config"], arguments].concat());
    let from_file = puzzles(folder, &[]);
    assert_eq!(
        from_file,
        plain(&["--seed", "7", "--count", "3", "--kind", "easy"])
    );
    assert_eq!(puzzles(folder, &["-n", "2"]), from_file[..2]);
    assert_eq!(
        puzzles(folder, &["--seed=8"]),
        plain(&["--seed", "8", "-n3", "-k", "easy"])
    );
    assert_eq!(plain(&[]).len(), 1);
    fs::write(
        folder.join("other.toml"),
        "[generate]\nseed = 8\ncount = 2\n",
    )
    .unwrap();
    let other = plain(&["--seed", "8", "--count", "2"]);
    assert_eq!(puzzles(folder, &["--config", "other.toml"]), other);
    let said = say(program(&["generate"])
        .current_dir(folder)
        .env("SUDOKU_BATCH_CONFIG", "other.toml"));
    assert_eq!(said.stdout.lines().collect::<Vec<_>>(), other);
    // `train` has its own `--config`, which is allowed in the file.
    let said = run(folder, &["train", "--config", "none.json", "none"]);
    assert!(
        said.stderr.contains("none") && !said.stderr.contains("toml"),
        "{said:?}"
    );
    // `--goal` excludes `--count`, so the value in the file is ignored.
    fs::write(folder.join("puzzle.txt"), PUZZLES[0]).unwrap();
    assert_eq!(
        run(folder, &["solve", "--goal", "unique", "puzzle.txt"]).code,
        Some(0)
    );
}

#[test]
fn switches_and_lists_are_applied_and_overridden() {
    let folder = folder("[recognize]\noverlay = true\nfresh = false\nexclude = ['b*', 'c*']\n");
    let folder = folder.path();
    fs::create_dir(folder.join("photos")).unwrap();
    for name in ["a.png", "b.png", "c.png"] {
        fs::write(folder.join("photos").join(name), board_png(PUZZLES[0])).unwrap();
    }
    let listed = |arguments: &[&str]| {
        let all = [&["recognize", "photos", "--dry-run"], arguments].concat();
        run(folder, &all).stdout
    };
    assert_eq!(listed(&[]), "photos/a.png\n");
    assert_eq!(listed(&["--exclude", "a*"]), "photos/b.png\nphotos/c.png\n");
    assert_eq!(
        run(folder, &["recognize", "photos", "--out", "out"]).code,
        Some(0)
    );
    assert!(folder.join("out/overlays/a.jpg").is_file());
}

#[test]
fn a_key_may_be_a_former_flag_name() {
    let folder = folder("[dataset.synth.photos]\nlooks = ['chess']\nout = 'here'\n");
    let said = run(folder.path(), &["dataset", "synth", "photos", "-n", "1"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(folder.path().join("here/000-chess.jpg").is_file());
}

#[test]
fn errors_name_file_line_and_the_nearest_key() {
    let cases = [
        (
            "[generate]\n\ncuont = 3\n",
            ":3: there is no key `cuont` of `generate`",
            "the nearest is `count`",
        ),
        (
            "# 1\n[generat]\n",
            ":2: there is no command `generat`",
            "the nearest is `generate`",
        ),
        (
            "[dataset.synth.photo]\n",
            ":1: there is no command `photo` of `dataset synth`",
            "`photos`",
        ),
        (
            "thread = 1\n",
            ":1: there is no key `thread`",
            "the nearest is `threads`",
        ),
        // Also in the table of another command.
        (
            "[recognize]\noverlay = 1\n",
            ":2: `overlay` takes true or false, not a number",
            "keys are",
        ),
        (
            "[generate]\ncount = [1]\n",
            ":2: `count` takes a string or a number",
            "keys are",
        ),
        (
            "[generate]\nkind = 'x'\ncount = 'y'\n",
            ": invalid value",
            "see `sudoku-batch generate",
        ),
        ("[generate\n", ":1: unclosed table", "keys are"),
        (
            "[generate]\nconfig = 'x'\n",
            ":2: there is no key `config`",
            "the nearest is",
        ),
        (
            "[recognize]\nffmpeg = './x'\n",
            ":2: `ffmpeg` names a program to run",
            "--config",
        ),
    ];
    for (text, message, hint) in cases {
        let folder = folder(text);
        let said = run(folder.path(), &["generate"]);
        assert_eq!(said.code, Some(2), "{text}: {said:?}");
        assert_eq!(said.stderr.lines().count(), 2, "{text}: {said:?}");
        assert!(
            said.stderr.contains("error: sudoku-batch.toml:"),
            "{text}: {said:?}"
        );
        assert!(
            said.stderr.contains(message) && said.stderr.contains(hint),
            "{text}: {said:?}"
        );
        // Unless no file is to be used.
        assert_eq!(
            run(folder.path(), &["generate", "--no-config"]).code,
            Some(0)
        );
        assert_eq!(run(folder.path(), &["generate", "--help"]).code, Some(0));
    }
    let folder = tempfile::tempdir().unwrap();
    let said = run(folder.path(), &["generate", "--config", "none.toml"]);
    assert!(
        said.code == Some(2) && said.stderr.contains("cannot read none.toml"),
        "{said:?}"
    );
    fs::write(
        folder.path().join("named.toml"),
        "[recognize]\nffmpeg = './x'\n",
    )
    .unwrap();
    assert_eq!(
        run(folder.path(), &["generate", "--config", "named.toml"]).code,
        Some(0)
    );
}

#[test]
fn doctor_shows_the_file_and_what_it_sets() {
    let folder = folder("threads = 1\n[recognize]\nexclude = [ 'a',\n 'b' ]\n");
    let doctor = ["doctor", "--fonts", "no-fonts"];
    let screen = run(folder.path(), &doctor).stdout;
    let line = screen
        .lines()
        .find(|line| line.contains("configuration"))
        .unwrap();
    assert!(
        line.contains("sudoku-batch.toml: recognize exclude = [ 'a', 'b' ]; threads = 1"),
        "{line}"
    );
    let json = run(folder.path(), &[&doctor[..], &["--json"]].concat()).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["configuration"]["path"], "sudoku-batch.toml");
    assert_eq!(json["configuration"]["settings"][1], "threads = 1");
    let screen = run(folder.path(), &[&doctor[..], &["--no-config"]].concat()).stdout;
    let line = screen
        .lines()
        .find(|line| line.contains("configuration"))
        .unwrap();
    assert!(line.starts_with("--"), "{line}");
}
