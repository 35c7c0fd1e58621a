//! `sudoku-batch bench` from outside: files, errors, exit codes.

use crate::common::bench;
use crate::common::program;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use bench::{Bench, lines, messages, text};
use flate2::Compression;
use flate2::write::GzEncoder;
use program::{PUZZLE, SOLUTION};
use sudoku_batch::bench::CorpusMeasurement;

#[test]
fn a_clean_run_writes_all_its_files() {
    let bench = Bench::new();
    let corpus = bench.corpus("easy.txt", lines(20));
    let output = bench.run(&[&corpus, "--per-puzzle"], b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(bench.rows().len(), 1);
    for (column, value) in [
        ("corpus", "easy"),
        ("goal", "unique"),
        ("threads", "1"),
        ("puzzles", "20"),
        ("covered", "20"),
        ("unique", "20"),
        ("wrong", "0"),
        ("no_guess_pct", "100.000"),
    ] {
        assert_eq!(bench.field("mrv", column), value, "{column}");
    }
    let throughput = bench.file("throughput.csv");
    let header = "corpus,solver,goal,threads,puzzles,seconds,puzzles_per_s,times_one_thread,\
        puzzles_per_s_low,puzzles_per_s_high,times_one_thread_low,times_one_thread_high";
    assert_eq!(throughput.lines().next(), Some(header));
    assert_eq!(throughput.lines().count(), 2);
    let puzzles = bench.file("puzzles.csv");
    let header = "corpus,line,puzzle,solver,verdict,guesses,nodes,us";
    assert_eq!(puzzles.lines().next(), Some(header));
    assert_eq!(puzzles.lines().count(), 21);
    let start = format!("easy,20,{PUZZLE},mrv,unique,0,1,");
    assert!(
        puzzles.lines().last().unwrap().starts_with(&start),
        "{puzzles}"
    );
    let json = bench.json();
    for key in [
        "version",
        "config",
        "corpora",
        "rows",
        "throughput",
        "warnings",
        "comparison",
    ] {
        assert!(json.get(key).is_some(), "{key}");
    }
    assert_eq!(json["command"], "bench");
    for key in [
        "cpu",
        "cores",
        "rustc",
        "commit",
        "profile",
        "cpu_features",
        "load_before",
        "clock",
    ] {
        assert!(json["environment"].get(key).is_some(), "{key}");
    }
    assert!(bench.file("report.md").contains("| **mrv** |"));
    assert!(bench.file("report.html").contains(">mrv</th>"));
    assert!(text(&output.stdout).contains("mrv"));
    // The short list was repeated often enough for an interval that contains the rate.
    let number = |column: &str| bench.field("mrv", column).parse::<f64>().unwrap();
    let rate = number("puzzles_per_s");
    assert!(number("puzzles_per_s_low") <= rate && rate <= number("puzzles_per_s_high"));
    assert!(number("rounds") >= 20.0);
    // The rows can be derived again from the saved data.
    let kept: Vec<CorpusMeasurement> =
        serde_json::from_str(&bench.file("measurements.json")).unwrap();
    assert_eq!(kept[0].rows()[0].covered, 20);
    assert_eq!(
        serde_json::to_value(&kept[0].rows()[0]).unwrap()["rounds"],
        json["rows"][0]["rounds"]
    );
}

#[test]
fn json_replaces_the_table() {
    let bench = Bench::new();
    let corpus = bench.corpus("easy.txt", lines(3));
    bench.run(&[&corpus, "--per-puzzle"], b"");
    assert!(bench.out("throughput.csv").exists() && bench.out("puzzles.csv").exists());
    let output = bench.run(&[&corpus, "--json", "--no-throughput", "-q"], b"");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["rows"][0]["covered"], 3);
    assert_eq!(json["throughput"].as_array().unwrap().len(), 0);
    assert!(!bench.out("throughput.csv").exists() && !bench.out("puzzles.csv").exists());
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn invalid_arguments_give_exit_code_2() {
    let bench = Bench::new();
    let corpus = bench.corpus("easy.txt", lines(1));
    let empty = bench.corpus("empty.txt", "# nothing\n\n");
    let bad = bench.corpus("bad.txt", "no\nnot a puzzle\n");
    for (arguments, error) in [
        (
            &["--solvers", "mvr", &corpus][..],
            "no solver is named \"mvr\" (did you mean mrv?); known: ",
        ),
        (&[], "required arguments were not provided"),
        (&[&empty], "no puzzles in "),
        (&[&bad], "no line of "),
        (&["/no/such/file"], "cannot read /no/such/file: "),
        (&[&corpus, "--external", "nothing"], "expected NAME=CMD"),
        (
            &[&corpus, "--external", "mrv=cat"],
            "two rows would have the name mrv",
        ),
        (&[&corpus, "--baseline", "none"], "no baseline \"none\""),
        (
            &[&corpus, "--save-baseline", "../x"],
            "not a valid name for a baseline",
        ),
        (&[&corpus, "--limit", "0"], "invalid value '0'"),
        (
            &[&corpus, "--cpu", "99999"],
            "this process cannot run on core 99999",
        ),
    ] {
        let output = bench.run(arguments, b"");
        let messages = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {messages}");
        assert!(
            messages.contains("error: ") && messages.contains(error),
            "{messages}"
        );
        assert_eq!(text(&output.stdout), "");
    }
}

#[test]
fn an_impossible_output_folder_is_reported_before_measuring() {
    let bench = Bench::new();
    let corpus = bench.corpus("easy.txt", lines(1));
    bench.corpus("out", "a file of this name exists");
    let output = bench.run(&[&corpus], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(messages(&output)[0].starts_with("error: cannot write "));
}

#[test]
fn the_roster_is_listed() {
    let output = Bench::new().run(&["--list"], b"");
    let listed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        listed
            .lines()
            .any(|line| line.trim_start().starts_with("mrv ")),
        "{listed}"
    );
}

#[test]
fn solvers_run_in_the_given_order_without_duplicates() {
    let bench = Bench::new();
    let corpus = bench.corpus("easy.txt", lines(1));
    let output = bench.run(&["--solvers", "mrv,mrv", &corpus], b"");
    assert_eq!((output.status.code(), bench.rows().len()), (Some(0), 1));
}

#[test]
fn bad_lines_are_named_and_the_rest_is_measured() {
    let bench = Bench::new();
    let zeros = "\0".repeat(81);
    let corpus = bench.corpus(
        "odd.txt",
        format!("\u{feff}{PUZZLE}\r\nbad\r\n{zeros}\r\n\r\n{PUZZLE}\r\n"),
    );
    let empty = bench.corpus("empty.txt", "");
    let output = bench.run(&[&corpus, &empty, "/no/such/file", "-"], PUZZLE.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let messages = messages(&output);
    let character = "is neither a digit nor a blank";
    assert_eq!(
        messages[0],
        format!("{corpus}:2: column 1: 'b' {character}")
    );
    assert_eq!(
        messages[1],
        format!("{corpus}:3: column 1: '\\0' {character}")
    );
    assert_eq!(messages[2], format!("error: no puzzles in {empty}"));
    assert!(messages[3].starts_with("error: cannot read /no/such/file: "));
    let rows = bench.rows();
    let shown: Vec<_> = rows.iter().map(|row| (&*row[0], &*row[5])).collect();
    assert_eq!(shown, [("odd", "2"), ("stdin", "1")]);
    assert_eq!(bench.json()["corpora"][0]["bad_lines"], 2);
}

#[test]
fn truncated_compressed_files_are_measured_up_to_the_cut() {
    let bench = Bench::new();
    let whole = lines(20_000);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::none());
    gzip.write_all(whole.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let cut = bench.corpus("cut.txt.gz", &gzip[..gzip.len() / 2]);
    let output = bench.run(&["--no-throughput", &cut], b"");
    assert_eq!(output.status.code(), Some(1));
    let messages = messages(&output);
    assert!(
        messages[0].contains("the gzip data is cut short; the lines before it are kept"),
        "{messages:?}"
    );
    let covered: u64 = bench.field("mrv", "covered").parse().unwrap();
    assert!((5_000..15_000).contains(&covered), "{covered}");
    assert_eq!(bench.field("mrv", "corpus"), "cut");

    // A zstd frame of uncompressed blocks (RFC 8878): magic number, a descriptor without content
    // size, a window of 1 MiB, then blocks whose three bytes hold size, type and whether it is the last.
    let mut zstd = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50];
    for block in whole.as_bytes().chunks(82 * 1000) {
        let header = (block.len() as u32) << 3;
        zstd.extend_from_slice(&header.to_le_bytes()[..3]);
        zstd.extend_from_slice(block);
    }
    let cut = bench.corpus("cut.txt.zst", &zstd[..zstd.len() / 2]);
    let output = bench.run(&["--no-throughput", &cut], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("the zstd data is cut short"),
        "{}",
        text(&output.stderr)
    );
    let covered: u64 = bench.field("mrv", "covered").parse().unwrap();
    assert!((5_000..15_000).contains(&covered), "{covered}");
}

#[test]
fn a_solution_column_is_checked() {
    let bench = Bench::new();
    let wrong = SOLUTION.replace('1', "2");
    let corpus = bench.corpus(
        "t.csv",
        format!("quizzes,solutions\n{PUZZLE},{SOLUTION}\n{PUZZLE},{wrong}\n"),
    );
    let output = bench.run(&[&corpus], b"");
    assert_eq!(output.status.code(), Some(1));
    let complaint =
        format!("error: {corpus}:3: the solution given with the puzzle is not its solution");
    assert_eq!(messages(&output)[0], complaint);
}

#[test]
fn corpora_with_the_same_stem_stay_separate_and_formula_names_are_escaped() {
    let bench = Bench::new();
    let one = bench.corpus("=1+1.txt", lines(1));
    let two = bench.corpus("=1+1.sdm", lines(2));
    let output = bench.run(&[&one, &two], b"");
    assert_eq!(output.status.code(), Some(0));
    let names: Vec<String> = bench
        .rows()
        .into_iter()
        .map(|mut row| row.remove(0))
        .collect();
    assert_eq!(names, ["'=1+1", "'=1+1-2"]);
}

#[test]
fn limits_and_samples_select_the_puzzles() {
    let bench = Bench::new();
    let corpus = bench.corpus("many.txt", lines(100));
    bench.run(
        &[&corpus, "--limit", "7", "--per-puzzle", "--no-throughput"],
        b"",
    );
    assert_eq!(bench.field("mrv", "puzzles"), "7");
    let drawn = |seed: &str| -> Vec<u64> {
        bench.run(
            &[
                &corpus,
                "--sample",
                "9",
                "--seed",
                seed,
                "--per-puzzle",
                "--no-throughput",
            ],
            b"",
        );
        let puzzles = bench.file("puzzles.csv");
        let rows = puzzles.lines().skip(1);
        rows.map(|row| row.split(',').nth(1).unwrap().parse().unwrap())
            .collect()
    };
    let first = drawn("1");
    assert!(first.len() == 9 && first.is_sorted());
    assert_eq!(first, drawn("1"));
    assert_ne!(first, drawn("2"));
}

#[test]
fn a_run_is_compared_with_a_saved_one() {
    let bench = Bench::new();
    let corpus = bench.corpus("easy.txt", lines(30));
    let output = bench.run(&[&corpus, "--save-baseline", "before"], b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(bench.out("baselines/before.json").exists());
    let output = bench.run(&[&corpus, "--baseline", "before"], b"");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("compared with before"));
    let change = &bench.json()["comparison"]["rows"][0];
    assert_eq!(
        (&change["solver"], &change["outcome"]),
        (&"mrv".into(), &"compared".into())
    );
    let other = bench.corpus("easy.txt", lines(31));
    bench.run(&[&other, "--baseline", "before"], b"");
    let change = &bench.json()["comparison"]["rows"][0];
    assert_eq!(change["why"], "other puzzles");
    // A run is known by its folder, too.
    let folder = bench.out("").to_str().unwrap().to_owned();
    let output = bench.run(&[&other, "--compare", &folder], b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let change = &bench.json()["comparison"]["rows"][0];
    assert_eq!(change["outcome"], "compared");
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_pipe_is_read_in_constant_memory() {
    /// Peak memory of a run over this many puzzles, in KiB.
    fn peak(bench: &Bench, puzzles: usize) -> u64 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
            .args(["bench", "-", "-q", "--solvers", "mrv", "--out"])
            .arg(bench.out(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let block = lines(1000);
        for _ in 0..puzzles / 1000 {
            stdin.write_all(block.as_bytes()).unwrap();
        }
        stdin.flush().unwrap();
        // Everything has been measured except what is buffered in the pipe and the reader.
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(0));
        let line = status
            .lines()
            .find(|line| line.starts_with("VmHWM:"))
            .unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
    let bench = Bench::new();
    let (short, long) = (peak(&bench, 50_000), peak(&bench, 400_000));
    assert_eq!(bench.field("mrv", "covered"), "400000");
    // 350,000 puzzles are 28 MB as text alone.
    assert!(
        long < short + 8 * 1024,
        "{short} KiB for few, {long} KiB for many"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_writes_its_results() {
    let bench = Bench::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
        .args(["bench", "-", "--solvers", "mrv", "--out"])
        .arg(bench.out(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(lines(40_000).as_bytes()).unwrap();
    let kill = Command::new("kill")
        .arg("-INT")
        .arg(child.id().to_string())
        .status();
    assert!(kill.unwrap().success());
    let mut stderr = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut stderr, &mut line).unwrap();
    assert!(line.starts_with("stopping"), "{line}");
    // The signal has arrived; the reader checks it at the next line.
    let _ = stdin.write_all(lines(1).as_bytes());
    drop(stdin);
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut stderr, &mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert_eq!(bench.json()["interrupted"], true);
    let covered: u64 = bench.field("mrv", "covered").parse().unwrap();
    assert!(covered >= 16_384, "{covered}");
}

#[test]
fn results_are_never_written_beside_the_output_folder() {
    let bench = Bench::new();
    let corpus = bench.corpus("easy.txt", lines(2));
    bench.run(&[&corpus], b"");
    let names = |path: &Path| -> Vec<String> {
        let entries = fs::read_dir(path).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(bench.0.path()), ["easy.txt", "out"]);
    let files = [
        // The marker of the command that wrote there.
        ".sudoku-batch",
        "bench.csv",
        "measurements.json",
        "report.html",
        "report.md",
        "summary.json",
        "throughput.csv",
    ];
    assert_eq!(names(&bench.out("")), files);
}
