//! Shards of boards of other sizes and shapes: together they are the whole.

use crate::common::program::{PUZZLE, SOLUTION};
use crate::common::variants;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use proptest::prelude::*;
use sudoku_batch::shards::{
    CorpusPiece, Plan, PlanError, PlannedCorpus, open_pieces, plan_corpora,
};
use sudoku_batch::variant::{
    Alphabet, Format, OpenCorpora, Reading, VariantLine, VariantLines, write_cells,
};

/// Everything that corpora give, in words.
fn entries(lines: VariantLines) -> Vec<String> {
    let show = |line: Result<VariantLine, _>| match line {
        Ok(VariantLine { place, entry }) => format!("{place} {entry:?}"),
        Err(error) => format!("{error}"),
    };
    lines.map(show).collect()
}

/// A line, or several, of a file of boards.
fn piece_of_text() -> impl Strategy<Value = String> {
    let sixteen = |alphabet| {
        (0..30_usize).prop_map(move |sparse| {
            variants::text(variants::boxes(4, 4), alphabet, |cell| cell % 31 >= sparse)
        })
    };
    let rows = variants::text(variants::boxes(2, 3), Alphabet::OneBased, |cell| {
        cell % 2 == 0
    });
    let rows: Vec<String> = (0..6).map(|row| rows[6 * row..][..6].to_owned()).collect();
    prop_oneof![
        3 => Just("1...2...3...4...".to_owned()),
        2 => Just("1...2...3...4... # note".to_owned()),
        3 => sixteen(Alphabet::OneBased),
        3 => sixteen(Alphabet::ZeroBased),
        1 => sixteen(Alphabet::Numbers),
        // Rows of a board, all or some.
        2 => (1..8_usize).prop_map(move |count| rows[..count.min(6)].join("\n")),
        1 => Just(format!("{}\tdiagonals", ".".repeat(81))),
        1 => any::<u64>().prop_map(|seed| {
            let puzzle = variants::puzzle(seed);
            Format::Fields
                .write(&puzzle, Alphabet::usual(puzzle.layout().side()), None, &Reading::default())
                .unwrap_or_default()
        }),
        1 => Just("# comment".to_owned()),
        1 => Just(String::new()),
        1 => Just("nonsense".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn pieces_of_other_boards_have_the_puzzles_of_the_whole(
        files in prop::collection::vec((
            prop::collection::vec(piece_of_text(), 0..25),
            prop_oneof![Just("\n"), Just("\r\n")],
            prop::option::of(prop_oneof![Just("puzzle,note"), Just("id;start")]),
        ), 1..4),
        has_flags in any::<bool>(),
        shards in 1..7_usize,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut corpora: Vec<(PathBuf, String)> = Vec::new();
        for (number, (lines, end, header)) in files.iter().enumerate() {
            let lines = lines.iter().map(|line| match header {
                Some("id;start") => format!("7;{line}"),
                _ => line.clone(),
            });
            let lines = header.iter().map(|it| (*it).to_owned()).chain(lines);
            let text: String = lines.map(|line| line.replace('\n', end) + end).collect();
            let path = folder.path().join(format!("{number}.txt"));
            fs::write(&path, text).unwrap();
            corpora.push((path, number.to_string()));
        }
        let column = Some("start").filter(|_| files.iter().all(|file| file.2 == Some("id;start")));
        let reading = has_flags.then(|| Reading {
            boxes: Some(variants::boxes(4, 4)),
            ..Reading::default()
        });
        let paths: Vec<PathBuf> = corpora.iter().map(|(path, _)| path.clone()).collect();
        let whole = || OpenCorpora::open(paths.clone(), reading.clone(), column);
        let planned = PlannedCorpus::all(corpora.clone(), reading.as_ref(), column);
        let out = folder.path().join("plan.json");
        let count = match plan_corpora("solve", &planned, column, shards, &out, |_| {}) {
            Ok(count) => count,
            Err(PlanError::NoPuzzles) => {
                prop_assert!(whole().into_lines().all(|line| line.is_err()));
                return Ok(());
            }
            // A table without a known column.
            Err(PlanError::Corpus(error)) => {
                prop_assert!(entries(whole().into_lines()).contains(&error.to_string()));
                return Ok(());
            }
            Err(error) => panic!("{error}"),
        };
        let plan = Plan::open(&out).unwrap();
        let mut found = Vec::new();
        for shard in &plan.shards {
            let pieces: Vec<CorpusPiece> = plan.files(shard).unwrap();
            let pieces = pieces.into_iter().map(|piece| piece.checked().unwrap()).collect();
            found.extend(entries(open_pieces(pieces, plan.other_boards).into_lines()));
        }
        prop_assert_eq!(plan.other_boards, matches!(whole(), OpenCorpora::Variant(_)));
        prop_assert_eq!(found, entries(whole().into_lines()));
        let weights = plan.shards.iter().map(|shard| shard.weight);
        prop_assert_eq!(weights.sum::<u64>(), count);
    }
}

fn program(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    let output = command
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    assert_ne!(output.status.code(), None);
    output
}

fn expect(code: i32, folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = program(folder, arguments);
    let texts = (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    );
    assert_eq!(
        output.status.code(),
        Some(code),
        "{arguments:?}: {}",
        texts.1
    );
    texts
}

/// Files of boards of 6x6, one of them packed as a table with a column of an unusual name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let generated = |seed: &str| {
        let generate = ["generate", "-n", "40", "--layout", "6x6", "--seed", seed];
        let lines = expect(0, folder.path(), &generate).0;
        lines
            .lines()
            .map(|line| line[..36].to_owned())
            .collect::<Vec<String>>()
    };
    let mut text = generated("1").join("\n");
    text += "\n11..................................\nwhat\n";
    fs::write(folder.path().join("six.txt"), text).unwrap();
    let rows = generated("2").join(",hard\n");
    fs::write(
        folder.path().join("six.csv"),
        format!("Start,note\n{rows},easy\n"),
    )
    .unwrap();
    folder
}

/// Does all shards of a plan, and merges them.
fn sharded(
    folder: &Path,
    command: &str,
    shards: usize,
    more: &[&str],
    code: i32,
) -> (String, String) {
    for shard in 0..shards {
        let shard = format!("{shard}/{shards}");
        let arguments = [
            command,
            "--plan",
            "plan.json",
            "--shard",
            &shard,
            "--out",
            "parts",
        ];
        let output = program(folder, &[&arguments[..], more].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{told}");
    }
    expect(
        code,
        folder,
        &["merge", "parts", "--plan", "plan.json", "--out", "merged"],
    )
}

#[test]
fn answers_of_shards_are_those_of_the_whole() {
    for (name, flags) in [
        ("six.txt", &["--boxes", "2x3"][..]),
        (
            "six.csv",
            &["--boxes", "2x3", "--puzzle-column", "start"][..],
        ),
    ] {
        let folder = folder();
        let folder = folder.path();
        let whole = program(folder, &[&["solve", name][..], flags].concat());
        let plan = [&["plan", "solve", name, "--shards", "4"][..], flags].concat();
        let (told, _) = expect(0, folder, &plan);
        assert!(told.contains("in 4 shards"), "{told}");
        let plan = Plan::open(&folder.join("plan.json")).unwrap();
        assert!(
            plan.shards
                .iter()
                .all(|shard| (9..12).contains(&shard.weight))
        );
        sharded(folder, "solve", 4, &[], whole.status.code().unwrap());
        let merged = fs::read(folder.join("merged/solutions.txt")).unwrap();
        assert_eq!(merged, whole.stdout, "{name}");
        assert_eq!(
            merged.iter().filter(|byte| **byte == b'\n').count(),
            40 + usize::from(name == "six.txt")
        );
        let problems = fs::read_to_string(folder.join("merged/problems.txt")).unwrap();
        let errors = String::from_utf8(whole.stderr).unwrap();
        assert!(errors.starts_with(&problems), "{errors}\n{problems}");
        assert_eq!(
            problems.lines().count(),
            if name == "six.txt" { 2 } else { 0 }
        );
    }
}

#[test]
fn measurements_of_shards_are_of_the_same_puzzles_as_the_whole() {
    let folder = folder();
    let folder = folder.path();
    let quick = [
        "--budget",
        "20ms",
        "--no-throughput",
        "--solvers",
        "mrv",
        "--per-puzzle",
    ];
    let flags = ["--boxes", "2x3"];
    let bench = [&["bench", "six.txt", "--out", "whole"][..], &flags, &quick].concat();
    expect(1, folder, &bench);
    let plan = ["plan", "bench", "six.txt", "--shards", "3"];
    expect(0, folder, &[&plan[..], &flags].concat());
    sharded(folder, "bench", 3, &quick, 1);
    let read = |run: &str| -> serde_json::Value {
        serde_json::from_slice(&fs::read(folder.join(run).join("summary.json")).unwrap()).unwrap()
    };
    let (whole, merged) = (read("whole"), read("merged"));
    let same = |part: &str, keys: &[&str]| {
        for key in keys {
            assert!(!whole[part][0][key].is_null(), "{key}");
            assert_eq!(whole[part][0][key], merged[part][0][key], "{key}");
        }
    };
    same("corpora", &["name", "file", "puzzles", "bad_lines", "hash"]);
    same(
        "rows",
        &["solver", "puzzles", "unique", "guesses_mean", "nodes_mean"],
    );
    assert_eq!(whole["corpora"][0]["puzzles"], 41);
    // All but the times.
    let puzzles = |run: &str| -> Vec<String> {
        let table = fs::read_to_string(folder.join(run).join("puzzles.csv")).unwrap();
        let columns: Vec<&str> = table.lines().next().unwrap().split(',').collect();
        let kept: Vec<usize> = (0..columns.len())
            .filter(|column| columns[*column] != "us")
            .collect();
        assert_eq!(kept.len() + 1, columns.len());
        let row = |line: &str| {
            let fields: Vec<&str> = line.split(',').collect();
            kept.iter()
                .map(|column| fields[*column])
                .collect::<Vec<_>>()
                .join(",")
        };
        table.lines().map(row).collect()
    };
    assert_eq!(puzzles("whole"), puzzles("merged"));
    assert_eq!(puzzles("whole").len(), 42);
}

#[test]
fn classic_files_among_others_are_planned_as_they_are_solved() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let classic = format!("{}\n", PUZZLE).repeat(3);
    fs::write(folder.join("classic.txt"), classic).unwrap();
    fs::write(folder.join("small.txt"), "1...2...3...4...\n").unwrap();
    let files = ["classic.txt", "small.txt"];
    let whole = program(folder, &[&["solve"][..], &files].concat());
    // More shards than puzzles: some are empty.
    expect(
        0,
        folder,
        &[&["plan", "solve", "--shards", "6"][..], &files].concat(),
    );
    sharded(folder, "solve", 6, &[], whole.status.code().unwrap());
    let merged = fs::read(folder.join("merged/solutions.txt")).unwrap();
    assert_eq!(merged, whole.stdout);
    assert!(merged.starts_with(SOLUTION.as_bytes()));
}

#[test]
fn flags_of_a_plan_are_given_to_the_plan() {
    let folder = folder();
    let folder = folder.path();
    let (_, told) = expect(2, folder, &["plan", "solve", "six.txt", "--shards", "2"]);
    assert!(told.contains("may have boxes 2x3 or 3x2"), "{told}");
    let (_, told) = expect(2, folder, &["plan", "solve", "six.csv", "--shards", "2"]);
    assert!(told.contains("--puzzle-column"), "{told}");
    let (_, told) = expect(2, folder, &["plan", "rate", "six.txt", "--shards", "2"]);
    assert!(told.contains("rate supports only classic boards"), "{told}");
    expect(
        0,
        folder,
        &[
            "plan", "solve", "six.txt", "--boxes", "2x3", "--shards", "2",
        ],
    );
    let shard = ["solve", "--plan", "plan.json", "--shard", "0/2"];
    for (flags, word) in [
        (&["--boxes", "2x3"][..], "flags for other boards"),
        (&["--puzzle-column", "start"], "--puzzle-column"),
        (&["--pretty"], "--pretty"),
    ] {
        let (_, told) = expect(2, folder, &[&shard[..], flags].concat());
        assert!(told.contains(word), "{told}");
    }
    // Regions and symbols are in the plan, too.
    let regions = "1122112233443344";
    let given = ["--regions", regions, "--symbols", "A-Z"];
    let text = write_cells(
        &variants::values(&[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]),
        Alphabet::Letters,
    );
    fs::write(folder.join("letters.txt"), text.unwrap() + "\n").unwrap();
    let whole = program(folder, &[&["solve", "letters.txt"][..], &given].concat());
    expect(
        0,
        folder,
        &[
            &["plan", "solve", "letters.txt", "--shards", "2"][..],
            &given,
        ]
        .concat(),
    );
    sharded(folder, "solve", 2, &[], whole.status.code().unwrap());
    assert_eq!(
        fs::read(folder.join("merged/solutions.txt")).unwrap(),
        whole.stdout
    );
}
