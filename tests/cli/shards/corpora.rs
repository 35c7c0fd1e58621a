//! Puzzle files in shards.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use proptest::prelude::*;
use sudoku_batch::corpus::Corpora;
use sudoku_batch::shards::{
    CorpusPiece, Plan, PlanError, PlannedCorpus, open_pieces, plan_corpora,
};
use sudoku_batch::variant::OpenCorpora;

use super::{BOARD, entries, expect, program};

#[test]
fn answers_and_counts_of_parts_equal_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let count = ["generate", "--count", "700", "--kind", "easy"];
    let generated = expect(0, folder, &count).0;
    fs::write(
        folder.join("many.txt"),
        format!("{generated}bad line\n{}\n", "1".repeat(81)),
    )
    .unwrap();
    let mut table = "puzzle,solution\r\n".to_owned();
    for line in generated.lines().take(50) {
        table.push_str(&format!("{line},\r\n"));
    }
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(table.as_bytes()).unwrap();
    fs::write(folder.join("table.csv.gz"), packed.finish().unwrap()).unwrap();
    let rows: Vec<&str> = (0..9).map(|row| &BOARD[9 * row..][..9]).collect();
    fs::write(folder.join("one.sdk"), rows.join("\n")).unwrap();
    let corpora = ["many.txt", "table.csv.gz", "one.sdk"];
    for (command, name) in [("solve", "solutions.txt"), ("rate", "ratings.csv")] {
        let whole = program(folder, &[&[command], &corpora[..]].concat());
        assert_eq!(whole.status.code(), Some(1));
        let plan = [&["plan", command], &corpora[..], &["--shards", "5"]].concat();
        expect(0, folder, &plan);
        for shard in 0..5 {
            let shard = format!("{shard}/5");
            let args = [
                command,
                "--plan",
                "plan.json",
                "--shard",
                &shard,
                "--out",
                command,
            ];
            let code = program(folder, &args).status.code();
            assert!(matches!(code, Some(0 | 1)), "{code:?}");
        }
        let out = format!("{command}-merged");
        let merge = ["merge", command, "--plan", "plan.json", "--out", &out];
        let (_, message) = expect(1, folder, &merge);
        assert_eq!(
            fs::read(folder.join(&out).join(name)).unwrap(),
            whole.stdout
        );
        let errors = String::from_utf8(whole.stderr).unwrap();
        let problems = fs::read_to_string(folder.join(&out).join("problems.txt")).unwrap();
        assert!(problems.contains("many.txt:701: "), "{problems}");
        assert_eq!(errors.lines().next(), problems.lines().next());
        let counts = |text: &str| {
            let line = text.lines().find(|line| line.contains(" in ")).unwrap();
            let (words, rest) = line.split_once(" in ").unwrap();
            let rest = rest.split_once("/s)").unwrap().1;
            format!("{words}{rest}")
        };
        assert_eq!(counts(&message), counts(&errors));
    }
}

#[test]
fn a_corpus_changed_since_the_plan_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = format!("{BOARD}\n").repeat(8);
    fs::write(folder.join("p.txt"), &text).unwrap();
    expect(0, folder, &["plan", "solve", "p.txt", "--shards", "2"]);
    fs::write(folder.join("p.txt"), text.replacen('5', ".", 1)).unwrap();
    // Only the shard with the change.
    let args = |shard| ["solve", "--plan", "plan.json", "--shard", shard];
    let (_, errors) = expect(2, folder, &args("0/2"));
    assert!(
        errors.contains("p.txt has changed since the plan was made"),
        "{errors}"
    );
    expect(0, folder, &args("1/2"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn pieces_of_corpora_have_the_entries_of_the_file(
        texts in prop::collection::vec((
            prop::collection::vec(prop_oneof![
                4 => Just(BOARD.to_owned()),
                1 => Just(format!("  {BOARD} # note")),
                1 => Just(String::new()),
                1 => Just("# comment".to_owned()),
                1 => Just("nonsense".to_owned()),
                1 => (1..12_usize).prop_map(|rows| vec!["12.......\n"; rows].concat()),
                1 => Just("[Puzzle]".to_owned()),
                1 => Just("[State]".to_owned()),
            ], 0..30),
            prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
            prop::option::of(prop_oneof![Just("puzzle,solution"), Just("id;quizzes")]),
            any::<bool>(),
        ), 1..4),
        shards in 1..7_usize,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut corpora: Vec<(PathBuf, String)> = Vec::new();
        for (number, (lines, end, header, is_packed)) in texts.iter().enumerate() {
            let lines = lines.iter().map(|line| match header {
                Some("id;quizzes") => format!("7;{line}"),
                _ => line.clone(),
            });
            let lines = header.iter().map(|it| (*it).to_owned()).chain(lines);
            let text: String = lines.map(|line| line.replace('\n', end) + end).collect();
            let path = folder.path().join(format!("{number}.txt"));
            let bytes = if *is_packed {
                let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                packed.write_all(text.as_bytes()).unwrap();
                packed.finish().unwrap()
            } else {
                text.into_bytes()
            };
            fs::write(&path, bytes).unwrap();
            corpora.push((path, number.to_string()));
        }
        let out = folder.path().join("plan.json");
        let mut counted = 0;
        let whole = || Corpora::new(corpora.iter().map(|(path, _)| path.clone()).collect());
        let planned = PlannedCorpus::all(corpora.clone(), None, None);
        let plan = |on_puzzles: &mut dyn FnMut(u64)| {
            plan_corpora("solve", &planned, None, shards, &out, on_puzzles)
        };
        if whole().all(|entry| entry.is_err()) {
            let planned = plan(&mut |_| {});
            prop_assert!(matches!(planned, Err(PlanError::NoPuzzles)));
            prop_assert!(!out.exists());
            return Ok(());
        }
        let puzzles = plan(&mut |more| counted += more).unwrap();
        prop_assert_eq!(puzzles, counted);
        let plan = Plan::open(&out).unwrap();
        prop_assert_eq!(plan.shards.len(), shards);
        let mut found = Vec::new();
        for shard in &plan.shards {
            let pieces: Vec<CorpusPiece> = plan.files(shard).unwrap();
            let pieces = pieces.into_iter().map(|piece| piece.checked().unwrap());
            let OpenCorpora::Classic(corpora) = open_pieces(pieces.collect(), false) else {
                panic!("a plan of classic puzzles");
            };
            found.extend(entries(*corpora));
        }
        prop_assert_eq!(found, entries(whole()));
        let weights = plan.shards.iter().map(|shard| shard.weight);
        prop_assert_eq!(weights.sum::<u64>(), puzzles);
    }
}
