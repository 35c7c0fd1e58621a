//! Folders, links, pipes, and disks.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::Fixture;
use super::common::{PUZZLES, Said, board_png, program, results, say};

#[cfg(unix)]
#[test]
fn a_folder_without_permission_is_one_error_and_the_rest_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::new();
    let closed = fixture.folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::write(closed.join("a.png"), board_png(PUZZLES[0])).unwrap();
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(&closed, 0o000);
    let said = if fs::read_dir(&closed).is_ok() {
        // Root may read everything, so run as the user nobody, from a folder that this user may enter.
        let Some(said) = run_as_nobody(&fixture, &mode) else {
            println!("skipped: cannot run as another user");
            return;
        };
        said
    } else {
        fixture.run()
    };
    mode(&closed, 0o700);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_eq!(said.stderr.lines().count(), 1, "{said:?}");
    assert!(said.stderr.contains("closed"), "{said:?}");
    assert_eq!(fixture.row_of("good.png").0, "solved");
    assert_eq!(results(fixture.out.path()).len(), 1);
}

#[cfg(unix)]
fn run_as_nobody(fixture: &Fixture, mode: &dyn Fn(&Path, u32)) -> Option<Said> {
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65534;
    let place = tempfile::tempdir().unwrap();
    let copy = place.path().join("sudoku-batch");
    fs::copy(env!("CARGO_BIN_EXE_sudoku-batch"), &copy).unwrap();
    for path in [place.path(), fixture.folder.path(), &copy] {
        mode(path, 0o755);
    }
    mode(fixture.out.path(), 0o777);
    let mut command = Command::new(&copy);
    command.args(["recognize", "-o"]).arg(fixture.out.path());
    command.arg(fixture.folder.path()).uid(NOBODY).gid(NOBODY);
    let runs = Command::new(&copy).arg("--version").uid(NOBODY).output();
    runs.is_ok().then(|| say(&mut command))
}

/// A file size limit simulates a full disk: the system refuses the bytes in both cases.
#[cfg(unix)]
#[test]
fn a_full_disk_is_one_error_and_leaves_no_half_written_file() {
    let fixture = Fixture::new();
    for number in 0..8 {
        fixture.put(format!("{number}.png"), &board_png(PUZZLES[number % 3]));
    }
    // Files of at most one block of 512 or 1024 bytes; the resulting signal is ignored.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_sudoku-batch")]);
    command.args(["recognize", "-o"]).arg(fixture.out.path());
    let said = say(command.arg(fixture.folder.path()));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.starts_with("error: cannot write"), "{said:?}");
    assert!(said.stderr.contains("hint: "), "{said:?}");
    let rows = fs::read_to_string(fixture.out.path().join("results.csv")).unwrap();
    assert!(rows.is_empty() || rows.ends_with('\n'), "{rows}");
    // Finished photos are not lost: the next run resumes. The folder also has its marker file.
    let journal = fixture.out.path().join("photos.partial.jsonl");
    assert!(journal.is_file());
    assert_eq!(files_below(fixture.out.path()), 3);
}

/// Counts the files in a folder, recursively.
#[cfg(unix)]
fn files_below(folder: &std::path::Path) -> usize {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .map(|path| if path.is_dir() { files_below(&path) } else { 1 })
        .sum()
}

#[cfg(unix)]
#[test]
fn link_loops_are_cut_and_dangling_links_reported() {
    let fixture = Fixture::new();
    std::os::unix::fs::symlink(fixture.folder.path(), fixture.folder.path().join("loop")).unwrap();
    assert_eq!(fixture.run().code, Some(0));
    let dangling = fixture.folder.path().join("dangling.jpg");
    std::os::unix::fs::symlink("nowhere", dangling).unwrap();
    let said = fixture.run();
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stderr.contains("dangling.jpg"), "{said:?}");
    assert_eq!(results(fixture.out.path()).len(), 1);
}

#[test]
fn missing_files_and_devices_are_rows() {
    let fixture = Fixture::new();
    let good = fixture.folder.path().join("good.png");
    let missing = fixture.folder.path().join("missing.png");
    let mut command = program(&["recognize", "-o"]);
    command.arg(fixture.out.path()).arg(good).arg(missing);
    if Path::new("/dev/zero").exists() {
        command.arg("/dev/zero");
    }
    assert_eq!(say(&mut command).code, Some(1));
    assert_eq!(fixture.row_of("missing.png").0, "unreadable");
    let rows = results(fixture.out.path());
    assert!(rows[1..].iter().all(|row| &row[2] == "unreadable"));
}

#[test]
fn a_file_that_is_named_twice_is_read_once() {
    let fixture = Fixture::new();
    let mut command = program(&["recognize", "good.png", "good.png", "./good.png", ".", "-o"]);
    let said = say(command
        .arg(fixture.out.path())
        .current_dir(fixture.folder.path()));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(results(fixture.out.path()).len(), 1);
    let warning = "warning: listed more than once, but read only once: good.png and 2 more paths";
    assert!(said.stderr.contains(warning), "{said:?}");
}

#[test]
fn pictures_of_earlier_runs_are_skipped() {
    let fixture = Fixture::new();
    let out = |name: &str| fixture.folder.path().join(name);
    let run = |name: &str, flags: &[&str]| {
        let mut command = program(&["recognize", "-o"]);
        say(command
            .arg(out(name))
            .arg(fixture.folder.path())
            .args(flags))
    };
    assert_eq!(run("first", &["--overlay", "--save-crops"]).code, Some(0));
    // A photo added by a user counts; so does one in a folder with the name of a result folder elsewhere.
    fs::create_dir(fixture.folder.path().join("crops")).unwrap();
    fixture.put("crops/mine.png", &board_png(PUZZLES[1]));
    fixture.put("first/mine.png", &board_png(PUZZLES[2]));
    let said = run("second", &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let names: Vec<String> = results(&out("second"))
        .iter()
        .map(|row| row[0].rsplit_once('/').unwrap().1.to_owned())
        .collect();
    assert_eq!(names, ["mine.png", "mine.png", "good.png"]);
    let warning = "pictures made by earlier runs are skipped: those in";
    assert!(said.stderr.contains(warning), "{said:?}");
    assert!(said.stderr.contains("first"), "{said:?}");
    let mut named = program(&["recognize", "--dry-run"]);
    let said = say(named.arg(out("first/overlays")));
    assert_eq!(said.stdout.lines().count(), 1, "{said:?}");
    fs::remove_file(out("first/mine.png")).unwrap();
    let said = say(program(&["recognize", "-o"]).args([out("third"), out("first")]));
    assert_eq!(said.code, Some(2), "{said:?}");
    let hint = "hint: the pictures that an earlier run has made in";
    assert!(said.stderr.contains(hint), "{said:?}");
}

/// Reading a pipe blocks until there is a writer, and a device never ends.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_at_once() {
    let fixture = Fixture::new();
    let made = |name: &str| {
        let pipe = fixture.folder.path().join(name);
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        pipe
    };
    // The ground truth of the good photo.
    let pipe = made("good.txt");
    made("photo.jpg");
    let good = fixture.folder.path().join("good.png");
    let said = fixture.run();
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.stderr.contains("photo.jpg is left out: it is a pipe"),
        "{said:?}"
    );
    assert_eq!(results(fixture.out.path()).len(), 1);
    for path in [pipe.as_path(), Path::new("/dev/zero")] {
        let mut lists = program(&["recognize", "--files-from"]);
        let mut truth = program(&["recognize", "--truth"]);
        let mut model = program(&["train", "--config"]);
        let mut apply = program(&["dataset", "apply"]);
        lists.arg(path);
        truth.arg(path).arg(&good);
        model.arg(path);
        apply.arg(path).arg("--run").arg(fixture.out.path());
        for command in [&mut lists, &mut truth, &mut model, &mut apply] {
            let said = say(command.arg("-o").arg(fixture.out.path()));
            assert_eq!(said.code, Some(2), "{command:?}: {said:?}");
            assert!(said.stderr.contains("not a file"), "{command:?}: {said:?}");
        }
    }
}

/// The argument that a shell passes for `<(command)`.
#[cfg(target_os = "linux")]
#[test]
fn a_list_may_come_from_a_pipe_that_is_open() {
    let fixture = Fixture::new();
    let mut command = program(&["recognize", "--files-from", "/dev/stdin", "-o"]);
    command.arg(fixture.out.path());
    let list = fixture.folder.path().join("good.png");
    let list = format!("{}\n", list.display());
    let mut shell = Command::new("sh");
    shell.args(["-c", "printf %s \"$LIST\" | \"$@\"", "sh"]);
    shell.arg(command.get_program()).args(command.get_args());
    let said = say(shell.env("LIST", list));
    assert_eq!(said.code, Some(0), "{said:?}");
}
