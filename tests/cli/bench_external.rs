//! External programs as rows of `sudoku-batch bench`: good ones, and those that fail, give wrong answers or are slow.
#![cfg(unix)]

use crate::common::bench;
use crate::common::program;
use std::collections::BTreeMap;

use bench::{Bench, lines, text};
use program::{PUZZLE, SOLUTION};

/// Runs `mrv` and an external command line on three kinds of puzzles; returns the exit code.
fn external(bench: &Bench, command: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let ambiguous = SOLUTION.replace(['1', '2'], ".");
    let unsolvable = PUZZLE.replacen("53.", "535", 1);
    let corpus = bench.corpus(
        "three.txt",
        format!("{PUZZLE}\n{ambiguous}\n{unsolvable}\n"),
    );
    let named = format!("other={command}");
    let mut all = vec![&*corpus, "--external", &named, "--no-throughput"];
    all.extend(arguments);
    let output = bench.run(&all, b"");
    assert_eq!(bench.field("mrv", "covered"), "3");
    (output.status.code(), text(&output.stderr))
}

#[test]
fn an_external_program_is_an_ordinary_row() {
    let bench = Bench::new();
    let own = format!("'{}' solve -", env!("CARGO_BIN_EXE_sudoku-batch"));
    let (code, messages) = external(&bench, &own, &["--per-puzzle"]);
    assert_eq!(code, Some(0), "{messages}");
    for (column, value) in [
        ("threads", ""),
        ("covered", "3"),
        ("unique", "1"),
        ("multiple", "1"),
        ("unsolvable", "1"),
        ("wrong", "0"),
        ("median_us", ""),
        ("guesses_mean", ""),
    ] {
        assert_eq!(bench.field("other", column), value, "{column}");
    }
    let row = &bench.json()["rows"][1];
    // `solve` writes at the end of its input, so it is started for every round.
    assert!(row["startup_s"].as_f64().unwrap() > 0.0 && row["struck"].is_null());
    let rounds = |row: usize| {
        let row = &bench.json()["rows"][row];
        row["rounds"]["entries"].as_array().unwrap().len()
    };
    assert!(rounds(1) >= 20, "{}", rounds(1));
    assert!(bench.file("puzzles.csv").contains(",other,multiple,,,"));
}

#[test]
fn a_failing_external_program_disqualifies_only_its_row() {
    let ambiguous_too = format!("{SOLUTION}\\n{SOLUTION}\\nunsolvable\\n");
    for (script, why) in [
        (
            "cat >/dev/null; echo oh no >&2; exit 3",
            "it ended with exit status: 3: oh no",
        ),
        ("kill -SEGV $$", "it ended with signal: 11"),
        (
            "head -n 1 | tr . 1 >/dev/null; echo unsolvable",
            "it gave 1 answers to 3 puzzles",
        ),
        (
            "while read p; do echo unsolvable; echo unsolvable; done",
            "more answers than there are puzzles (3)",
        ),
        (
            "while read p; do echo garbage; done",
            "its line 1 is no answer: \"garbage\"",
        ),
        ("cat", "its line 1 is no answer: \"53..7"),
        ("exit 0", "it gave 0 answers to 3 puzzles"),
        ("exec 0<&-; exit 0", "it gave 0 answers to 3 puzzles"),
        ("head -c 100000 /dev/zero", "its line 1 is no answer"),
        (
            "while read p; do echo unsolvable; done",
            "there is no solution, but there is one",
        ),
        (
            &format!("cat >/dev/null; printf '{ambiguous_too}'"),
            "a unique solution, but there are more",
        ),
        (
            "while read p; do echo $p | tr . 1; done",
            "its solution breaks the rules",
        ),
    ] {
        let bench = Bench::new();
        let (code, messages) = external(
            &bench,
            &format!("sh -c \"{}\"", script.replace('$', "\\$")),
            &[],
        );
        assert_eq!(code, Some(1), "{script}: {messages}");
        assert!(messages.contains(why), "{script}: {messages}");
        let row = &bench.json()["rows"][1];
        assert!(row["struck"].is_string(), "{row}");
        assert_eq!(
            bench.field("other", "puzzles_per_s"),
            "",
            "a struck row has no times"
        );
        assert!(bench.file("report.md").contains("~~other~~"));
    }
    let bench = Bench::new();
    let (code, messages) = external(&bench, "/no/such/program", &[]);
    assert_eq!(code, Some(1));
    assert!(messages.contains("it cannot be run: "), "{messages}");
}

#[test]
fn a_slow_external_program_is_killed_with_its_children() {
    let bench = Bench::new();
    // The inner sleep would hold the pipes open for a minute.
    let script = "sh -c 'while read p; do echo unsolvable; sleep 60; done'";
    let begun = std::time::Instant::now();
    let (code, messages) = external(&bench, script, &["--budget", "300ms"]);
    assert!(begun.elapsed().as_secs() < 30, "the pipes were waited for");
    assert_eq!(code, Some(1), "{messages}");
    let row = &bench.json()["rows"][1];
    assert_eq!((&row["covered"], &row["cut"]), (&1.into(), &true.into()));
}

#[cfg(target_os = "linux")]
#[test]
fn an_external_program_does_not_outlive_a_killed_run() {
    let bench = Bench::new();
    let corpus = bench.corpus("one.txt", format!("{PUZZLE}\n"));
    let pid = bench.0.path().join("pid");
    let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
        .args([
            "bench",
            "--solvers",
            "mrv",
            "--no-throughput",
            &corpus,
            "--out",
        ])
        .arg(bench.0.path().join("out"))
        .arg("--external")
        .arg(format!(
            "other=sh -c 'echo $$ > {}; while read -r p; do echo {SOLUTION}; done; exec sleep 600'",
            pid.display()
        ))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let wait_until = |is_so: &dyn Fn() -> bool| {
        let begun = std::time::Instant::now();
        while !is_so() {
            assert!(
                begun.elapsed().as_secs() < 60,
                "nothing has changed in a minute"
            );
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    };
    let id = || std::fs::read_to_string(&pid).unwrap_or_default();
    wait_until(&|| id().ends_with('\n'));
    // By now the run has started it, and it answers.
    std::thread::sleep(std::time::Duration::from_millis(300));
    run.kill().unwrap();
    run.wait().unwrap();
    let state = std::path::Path::new("/proc").join(id().trim()).join("stat");
    // A process that ended but was not waited for is a zombie.
    wait_until(&|| {
        std::fs::read_to_string(&state).is_ok_and(|it| it.contains(") Z")) || !state.exists()
    });
}

#[test]
fn an_external_program_may_buffer_its_output() {
    let bench = Bench::new();
    let corpus = bench.corpus("many.txt", lines(20_000));
    // One answers line by line, the others buffer their answers.
    let prompt = format!("prompt=sed -u s/.*/{SOLUTION}/");
    let late = format!("late=sed s/.*/{SOLUTION}/");
    let counts = format!("counts=sh -c 'n=$(wc -l); yes {SOLUTION} | head -n $n'");
    let programs = [&prompt, &late, &counts];
    let mut arguments = vec!["--no-throughput", &*corpus];
    arguments.extend(programs.iter().flat_map(|it| ["--external", it.as_str()]));
    let output = bench.run(&arguments, b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let own = bench.json()["rows"][0]["rounds"]["entries"].clone();
    for (number, (solver, is_lasting)) in
        (1..).zip([("prompt", true), ("late", false), ("counts", false)])
    {
        assert_eq!(bench.field(solver, "unique"), "20000");
        let row = &bench.json()["rows"][number];
        assert_eq!(row["startup_s"].is_null(), is_lasting, "{solver}");
        // The same blocks as for built-in solvers: 1,024 puzzles each, and the rest. A slow program
        // may have processed a block in consecutively numbered parts.
        let puzzles = |rounds: &serde_json::Value| {
            let mut blocks = BTreeMap::new();
            for round in rounds.as_array().unwrap() {
                let [number, puzzles] = [0, 1].map(|field| round[field].as_u64().unwrap());
                *blocks.entry(number / 16).or_insert(0) += puzzles;
            }
            blocks
        };
        assert_eq!(puzzles(&row["rounds"]["entries"]), puzzles(&own));
        let interval = row["vs_fastest"]["interval"].clone();
        assert_eq!(interval.is_null(), row["vs_fastest"].is_null(), "{row}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_external_program_runs_on_the_measured_core() {
    let bench = Bench::new();
    let corpus = bench.corpus("two.txt", lines(2));
    let seen = bench.out("seen");
    std::fs::create_dir_all(bench.out("")).unwrap();
    let script = format!(
        "spy=sh -c \"grep Cpus_allowed_list /proc/self/status >'{}'; exec sed -u s/.*/{SOLUTION}/\"",
        seen.display()
    );
    let arguments = ["--no-throughput", "--external", &script, &*corpus];
    let output = bench.run(&arguments, b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let core = bench.json()["environment"]["pinned_core"].as_u64().unwrap();
    let seen = std::fs::read_to_string(seen).unwrap();
    assert_eq!(seen.split_whitespace().last(), Some(&*core.to_string()));
}
