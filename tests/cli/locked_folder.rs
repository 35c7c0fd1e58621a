//! Only one command at a time may write to an output folder.
#![cfg(unix)]

use crate::common;
use common::{PUZZLES, board_png, program, say};
use sudoku_batch::folder_lock::{FolderLock, Holder};

#[test]
fn one_run_at_a_time_writes_into_a_folder() {
    let (photos, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(photos.path().join("a.png"), board_png(PUZZLES[0])).unwrap();
    let run = |flags: &[&str]| {
        let mut command = program(&["recognize", "-o"]);
        command.arg(out.path()).arg(photos.path()).args(flags);
        command
    };
    // Watches its folder until it is stopped.
    let mut first = run(&["--watch", "--quiet"]).spawn().unwrap();
    let begun = || out.path().join("results.csv").is_file();
    let start = std::time::Instant::now();
    while !begun() {
        assert!(start.elapsed().as_secs() < 60);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let said = say(&mut run(&[]));
    assert_eq!(said.code, Some(2), "{said:?}");
    let holder = format!("belongs to another run: process {}, since 20", first.id());
    assert!(said.stderr.contains(&holder), "{said:?}");
    assert!(said.stderr.contains("--watch --quiet"), "{said:?}");
    assert!(said.stderr.contains("hint: "), "{said:?}");
    let mut waiting = run(&["--wait", "--json"]);
    waiting.stdout(std::process::Stdio::piped());
    let waiting = waiting.spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    // However the process ends, its lock is released.
    first.kill().unwrap();
    first.wait().unwrap();
    let output = waiting.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["photos"], 1);
}

#[test]
fn no_command_writes_into_a_locked_folder() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("a.png"), board_png(PUZZLES[0])).unwrap();
    std::fs::write(folder.join("a.txt"), PUZZLES[0]).unwrap();
    std::fs::write(folder.join("p.txt"), PUZZLES.join("\n")).unwrap();
    let row = "photo,board,cell,digit,hash\na.png,1,r1c1,5,\n";
    std::fs::write(folder.join("corrections.csv"), row).unwrap();
    let say_in = |line: &str| {
        let line = line.replace(
            "CROPS",
            concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/crops"),
        );
        let words: Vec<&str> = line.split(' ').collect();
        say(program(&words).current_dir(folder))
    };
    assert_eq!(say_in("recognize a.png --out run").code, Some(0));
    let holder = Holder::this_process("noon".to_owned());
    for (command, out) in [
        ("dataset synth crops -n 2 --out held", "held"),
        ("dataset synth photos -n 1 --out held", "held"),
        ("dataset synth videos -n 1 --out held", "held"),
        ("dataset harvest a.png --out held", "held"),
        ("dataset stats CROPS --out held", "held"),
        ("dataset review run --out held", "held"),
        ("dataset apply corrections.csv --run run --out held", "held"),
        (
            "corpus split p.txt --train 50% --test 50% --validation 0% --out held",
            "held",
        ),
        ("corpus export p.txt --to csv --out held", "held"),
        ("report run run --out held", "held"),
        ("report run", "run"),
        ("train CROPS --out held", "held"),
        ("bench p.txt --out held", "held"),
        ("recognize a.png --out held", "held"),
    ] {
        let out = folder.join(out);
        let lock = FolderLock::take(&out, &holder).unwrap();
        let files = || std::fs::read_dir(&out).unwrap().count();
        let before = files();
        let said = say_in(command);
        assert_eq!(said.code, Some(2), "{command}: {said:?}");
        let held = "belongs to another run: process";
        assert!(said.stderr.contains(held), "{command}: {said:?}");
        assert_eq!(files(), before, "{command}");
        drop(lock);
    }
}
