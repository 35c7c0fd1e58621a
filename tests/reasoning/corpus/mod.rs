//! Corpora in every format, intact and damaged: entries, and exact messages about bad lines.

mod pieces;

use crate::common::data;
use std::io::{Cursor, Write};
use std::path::PathBuf;

use data::{data_folder, folder_below};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use sudoku_batch::corpus::{BadLine, Corpora, Corpus, CorpusError, Entry, RowFile, Rows};
use sudoku_batch::grid::Puzzle;

/// From Wikipedia's article on Sudoku.
const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn read(bytes: &[u8]) -> Vec<Result<Entry, String>> {
    let corpus = Corpus::from_reader("f", Cursor::new(bytes.to_vec())).unwrap();
    corpus
        .map(|item| item.map_err(|error| error.to_string()))
        .collect()
}

/// Entries as `line puzzle`, errors unchanged.
fn outcomes(bytes: &[u8]) -> Vec<String> {
    let outcome = |entry: Entry| format!("{} {}", entry.place.line, entry.puzzle);
    read(bytes)
        .into_iter()
        .map(|item| item.map_or_else(|error| error, outcome))
        .collect()
}

fn rows(puzzle: &str) -> Vec<&str> {
    (0..9).map(|row| &puzzle[row * 9..][..9]).collect()
}

fn nine_lines(puzzle: &str) -> String {
    rows(puzzle).join("\n") + "\n"
}

/// In the format of Simple Sudoku.
fn drawn(puzzle: &str) -> String {
    let mut text = String::from("*-----------*\n");
    for (place, row) in rows(puzzle).into_iter().enumerate() {
        if place % 3 == 0 && place > 0 {
            text.push_str("|---+---+---|\n");
        }
        text += &format!("|{}|{}|{}|\n", &row[..3], &row[3..6], &row[6..]);
    }
    text + "*-----------*\n"
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &[u8]) -> Vec<u8> {
    compress_to_vec(text, CompressionLevel::Fastest)
}

#[test]
fn every_format_gives_the_same_puzzle_compressed_or_not() {
    let spaced = rows(PUZZLE)
        .into_iter()
        .map(|row| row.split("").collect::<Vec<_>>().join(" ") + "\n")
        .collect::<String>();
    let dashes = PUZZLE.replace('.', "-");
    let texts = [
        format!("{PUZZLE}\n"),
        PUZZLE.to_owned(),
        format!("# a comment\n\n  {PUZZLE} \n"),
        format!("{}\n", PUZZLE.replace('.', "0")),
        format!("{}\n", PUZZLE.replace('.', "*")),
        format!("{}\n", PUZZLE.replace('.', "_")),
        format!("{dashes}\n"),
        format!("quizzes,solutions\n{PUZZLE},{SOLUTION}\n"),
        format!("id;Puzzle\n7;\"{PUZZLE}\"\n"),
        nine_lines(PUZZLE),
        nine_lines(&dashes),
        spaced,
        drawn(PUZZLE),
        drawn(PUZZLE).replace('|', "│").replace('-', "─"),
        drawn(PUZZLE).replace("|---+---+---|", "---------"),
        drawn(PUZZLE).replace("|---+---+---|\n", "\n"),
        format!("#A somebody\n#B 2020\n[Puzzle]\n{}", nine_lines(PUZZLE)),
        format!(
            "[Puzzle]\n{}[State]\n{}",
            nine_lines(PUZZLE),
            nine_lines(SOLUTION)
        ),
    ];
    for text in &texts {
        for text in [
            text.clone(),
            text.replace('\n', "\r\n"),
            text.replace('\n', "\r"),
            format!("\u{feff}{text}"),
        ] {
            for packed in [
                text.clone().into_bytes(),
                gzip(text.as_bytes()),
                zstd(text.as_bytes()),
            ] {
                let entries = read(&packed);
                assert_eq!(entries.len(), 1, "{text}");
                assert_eq!(
                    entries[0].as_ref().unwrap().puzzle.to_line(),
                    PUZZLE,
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn notes_and_solutions_are_kept() {
    for (after, note) in [
        ("", ""),
        (" Golden Nugget ", "Golden Nugget"),
        ("  # ER 11.9", "ER 11.9"),
        (",hard;very", "hard;very"),
        ("\t\u{e9}t\u{e9}", "\u{e9}t\u{e9}"),
    ] {
        let entries = read(format!("{PUZZLE}{after}\n").as_bytes());
        assert_eq!(entries[0].as_ref().unwrap().note, note);
    }
    let table = format!("puzzle,note,solution\n{PUZZLE},\"a,b\",{SOLUTION}\n{PUZZLE},,\n");
    let expected: Vec<Option<Puzzle>> = read(table.as_bytes())
        .into_iter()
        .map(|entry| entry.unwrap().expected)
        .collect();
    assert_eq!(expected, [Some(SOLUTION.parse().unwrap()), None]);
}

#[test]
fn bad_lines_are_named_and_the_next_ones_are_read() {
    let x = PUZZLE.replacen('7', "x", 1);
    for (line, complaint) in [
        (&PUZZLE[1..], "expected 81 cells, found 80"),
        (&format!("{PUZZLE}1"), "expected 81 cells, found 82"),
        (&format!("{PUZZLE}1x"), "expected 81 cells, found 82"),
        (",x", "column 1: ',' is neither a digit nor a blank"),
        ("12345", "expected 81 cells, found 5"),
        (&x, "column 5: 'x' is neither a digit nor a blank"),
        (
            &format!("  {x}"),
            "column 7: 'x' is neither a digit nor a blank",
        ),
        ("53\u{e9}", "column 3: 'é' is neither a digit nor a blank"),
        ("53\0", "column 3: '\\0' is neither a digit nor a blank"),
        ("hello", "column 1: 'h' is neither a digit nor a blank"),
    ] {
        let text = format!("{PUZZLE}\n{line}\n{PUZZLE}\n");
        let expected = [
            format!("1 {PUZZLE}"),
            format!("f:2: {complaint}"),
            format!("3 {PUZZLE}"),
        ];
        assert_eq!(outcomes(text.as_bytes()), expected);
    }
    let mut bytes = b"53\xff".to_vec();
    bytes.extend_from_slice(format!("\n{PUZZLE}").as_bytes());
    let complaint = "f:1: column 3: a byte that is not UTF-8 text is neither a digit nor a blank";
    assert_eq!(outcomes(&bytes), [complaint, &format!("2 {PUZZLE}")]);
}

#[test]
fn bad_rows_of_tables_are_named() {
    let x = PUZZLE.replacen('7', "x", 1);
    let text = format!(
        "id,puzzle,solution\n1,{x},\n2\n3,{PUZZLE},{}\n4,{PUZZLE}!,\n\n5,{PUZZLE},{SOLUTION}\n",
        &SOLUTION[1..]
    );
    let expected = [
        "f:2: column 7: 'x' is neither a digit nor a blank".to_owned(),
        "f:3: expected a puzzle in field 2 of the row, found 1 fields".to_owned(),
        "f:4: in the solution, expected 81 cells, found 80".to_owned(),
        "f:5: column 84: '!' is neither a digit nor a blank".to_owned(),
        format!("7 {PUZZLE}"),
    ];
    assert_eq!(outcomes(text.as_bytes()), expected);
}

#[test]
fn rules_of_another_board_are_found_in_any_column_but_the_solution() {
    let regions =
        "111111222133311222433333252436666255446667555844667755884447995888777799888799999";
    let rows =
        format!("rules,puzzle,solution\n,{PUZZLE},\nwindows,{PUZZLE},\n,{PUZZLE},{regions}\n");
    let found = outcomes(rows.as_bytes());
    assert_eq!(
        [&found[0], &found[2]],
        [&format!("2 {PUZZLE}"), &format!("4 {PUZZLE}")]
    );
    assert!(
        found.len() == 3 && found[1].starts_with("f:3: the line has windows"),
        "{found:?}"
    );
}

#[test]
fn the_columns_of_a_table_are_kept_with_its_rows() {
    let text = format!("id; Quiz ;Note\n7;{PUZZLE};\"a;b\"\n8;{PUZZLE}\n");
    let mut corpus = Corpus::from_reader("f", Cursor::new(text.clone())).unwrap();
    corpus.keep_rows();
    let entries: Vec<Entry> = corpus.by_ref().map(Result::unwrap).collect();
    let lines: Vec<&str> = text.lines().collect();
    let rows: Vec<&[u8]> = entries
        .iter()
        .map(|entry| entry.row.as_deref().unwrap())
        .collect();
    assert_eq!(rows, [lines[1].as_bytes(), lines[2].as_bytes()]);
    let columns = corpus.columns().unwrap();
    assert_eq!(columns.header(), lines[0].as_bytes());
    assert_eq!(columns.names(), ["id", "quiz", "note"]);
    let places = ["NOTE", "quiz", "id", "rating"].map(|name| columns.place(name));
    assert_eq!(places, [Some(2), Some(1), Some(0), None]);
    assert_eq!(columns.field(rows[0], 2).as_deref(), Some("a;b"));
    assert_eq!(columns.field(rows[0], 0).as_deref(), Some("7"));
    assert_eq!(columns.field(rows[1], 2), None);
    let mut plain = Corpus::from_reader("f", Cursor::new(text)).unwrap();
    assert!(plain.next().unwrap().unwrap().row.is_none() && plain.columns().is_none());
}

#[test]
fn a_table_without_a_column_of_puzzles_is_told_from_bad_lines() {
    let errors = |text: &str, column: Option<&str>| -> Vec<CorpusError> {
        let mut corpus = Corpus::from_reader("f", Cursor::new(text.to_owned())).unwrap();
        corpus.take_column(column);
        corpus.filter_map(Result::err).collect()
    };
    let foreign = format!("start,end\n{PUZZLE},{SOLUTION}\n");
    for column in [None, Some("middle")] {
        let found = errors(&foreign, column);
        assert!(found.len() == 1 && found[0].lacks_column());
        assert!(!found[0].is_of_line() && !<Corpus as RowFile>::is_of_line(&found[0]));
    }
    assert!(errors(&foreign, Some("Start")).is_empty());
    // Whoever names a column has a table, whatever its rows are like.
    assert!(errors(&format!("start,end\n{PUZZLE}\n"), Some("middle"))[0].lacks_column());
    // Without rows like it the first line is a bad one.
    let found = errors(&format!("start,end\n{PUZZLE}\n"), None);
    assert!(found.len() == 1 && found[0].is_of_line() && !found[0].lacks_column());
    let damaged = gzip(PUZZLE.repeat(9).as_bytes());
    let corpus = Corpus::from_reader("f", Cursor::new(damaged[..damaged.len() - 9].to_vec()));
    let last = corpus.unwrap().last().unwrap().unwrap_err();
    assert!(!last.is_of_line() && !last.lacks_column(), "{last}");
}

#[test]
fn the_first_row_is_known_before_it_is_taken() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(
        file.path(),
        format!("puzzle,rating\n{PUZZLE},1\n{PUZZLE},2\n"),
    )
    .unwrap();
    let mut rows = Rows::open(vec![file.path().to_owned()]).unwrap();
    let first = rows.first().unwrap().as_ref().unwrap().clone();
    assert_eq!(
        (&*first.text, first.place.line),
        (format!("{PUZZLE},1").as_bytes(), 2)
    );
    assert_eq!(rows.next().unwrap().unwrap(), first);
    assert!(rows.first().is_none());
    assert_eq!(rows.next().unwrap().unwrap().place.line, 3);
    assert!(rows.next().is_none());
}

#[test]
fn a_bad_grid_is_one_error_and_the_next_grid_is_read() {
    let grid = nine_lines(PUZZLE);
    let short: String = grid.split_inclusive('\n').take(7).collect();
    for (bad, complaint) in [
        (
            short.clone() + "\n",
            "f:1: expected a grid of 9 rows, found 7",
        ),
        (
            grid.replacen("98", "9x8", 1),
            "f:3: column 3: 'x' is neither a digit nor a blank",
        ),
        (
            grid.replacen("98", "988", 1),
            "f:3: expected 9 cells, found 10",
        ),
    ] {
        let next = bad.lines().count() + 1;
        let got = outcomes((bad + &grid).as_bytes());
        assert_eq!(got, [complaint.to_owned(), format!("{next} {PUZZLE}")]);
    }
    let got = outcomes(format!("{short}{PUZZLE}\n").as_bytes());
    let complaint = "f:1: expected a grid of 9 rows, found 7".to_owned();
    assert_eq!(got, [complaint, format!("8 {PUZZLE}")]);
}

#[test]
fn a_truncated_compressed_file_gives_its_intact_part() {
    let text: String = (0..2000)
        .map(|i| format!("{PUZZLE} note {}\n", i * 7919 % 2003))
        .collect();
    for (packed, name) in [
        (gzip(text.as_bytes()), "gzip"),
        (zstd(text.as_bytes()), "zstd"),
    ] {
        let whole = outcomes(&packed);
        assert_eq!(whole.len(), 2000);
        for end in [packed.len() - 2, packed.len() * 3 / 4] {
            let got = outcomes(&packed[..end]);
            let (error, entries) = got.split_last().unwrap();
            assert_eq!(entries, &whole[..entries.len()]);
            let line = entries.len() + 1;
            assert!(
                error.starts_with(&format!("f:{line}: the {name} data ")),
                "{error}"
            );
        }
        let cut = outcomes(&packed[..packed.len() * 3 / 4]);
        assert!(cut.last().unwrap().contains("is cut short"), "{cut:?}");
        assert!(name == "zstd" || cut.len() > 1000);
    }
}

/// Puzzles and errors, with this batch size.
fn taken(packed: &[u8], batch: usize) -> (Vec<String>, Vec<String>) {
    let corpus = Corpus::from_reader("f", Cursor::new(packed.to_vec()));
    let (mut puzzles, mut complaints) = (Vec::new(), Vec::new());
    let mut corpus = corpus.unwrap();
    loop {
        let mut lines = Vec::new();
        corpus.take_lines(batch, &mut lines);
        puzzles.extend(lines.iter().map(|line| line.puzzle().to_line()));
        match corpus.next() {
            Some(Ok(entry)) => puzzles.push(entry.puzzle.to_line()),
            Some(Err(error)) => complaints.push(error.to_string()),
            None => return (puzzles, complaints),
        }
    }
}

/// A damaged archive may report its end when read again after an error.
#[test]
fn damage_anywhere_is_reported_for_any_batch_size() {
    let text: String = (0..4000)
        .map(|n| format!("{n:0>4}{}\n", ".".repeat(77)))
        .collect();
    for packed in [gzip(text.as_bytes()), zstd(text.as_bytes())] {
        for part in 1..40 {
            let mut damaged = packed.clone();
            let at = packed.len() * part / 40;
            damaged[at] ^= 0x55;
            let (expected, complaints) = taken(&damaged, 0);
            for batch in [1, 2, 3, 7, 100, 799, 800, 801, 1024, 5000] {
                let found = taken(&damaged, batch);
                assert_eq!(found.1, complaints, "byte {at}, {batch} lines");
                assert_eq!(found.0, expected, "byte {at}, {batch} lines");
            }
        }
    }
}

#[test]
fn a_line_of_ten_megabytes_is_one_error() {
    let mut text = "1".repeat(10 << 20);
    text += &format!("\n{PUZZLE}\n");
    let expected = [
        "f:1: the line is longer than 65536 bytes".to_owned(),
        format!("2 {PUZZLE}"),
    ];
    assert_eq!(outcomes(text.as_bytes()), expected);
}

#[test]
fn binary_input_is_refused_or_reported_by_name() {
    for utf16 in [
        &[0xff, 0xfe, b'5', 0, b'3', 0][..],
        &[0xfe, 0xff, 0, b'5', 0, b'3'],
        &[b'5', 0, b'3', 0],
        &[0, b'5', 0, b'3'],
    ] {
        let read = Corpus::from_reader("f", Cursor::new(utf16.to_vec()));
        let error = read.err().unwrap();
        assert!(matches!(error, CorpusError::Unreadable { .. }));
        assert_eq!(
            error.to_string(),
            "cannot read f: it is UTF-16 text: save it as UTF-8"
        );
    }
    assert!(outcomes(b"").is_empty());
    assert!(outcomes(b"\n \n# only a comment\n").is_empty());
    let missing: Vec<String> =
        Corpora::new(vec![PathBuf::from("/no/such/file"), PathBuf::from("/")])
            .map(|item| item.unwrap_err().to_string())
            .collect();
    assert_eq!(missing.len(), 2);
    assert!(missing[0].starts_with("cannot read /no/such/file: "));
    assert!(missing[1].contains("it is a folder"));
}

#[test]
fn the_published_collections_are_read_without_errors() {
    let Some(data) = data_folder("puzzles") else {
        return;
    };
    for (file, count) in [
        ("17_clue.txt", 49_158),
        ("tictop_mixed7035.txt", 7_034),
        ("kaggle_equiv_100k.txt", 100_000),
        ("top95.txt", 95),
    ] {
        let path = data.join(file);
        let corpus = Corpus::open(&path).unwrap();
        let read = corpus.map(|item| item.unwrap().puzzle.given_count());
        assert_eq!(read.filter(|&givens| givens >= 17).count(), count, "{file}");
    }
}

fn any_puzzle() -> impl Strategy<Value = String> {
    let cell = prop_oneof![3 => Just('.'), 1 => proptest::char::range('1', '9')];
    proptest::collection::vec(cell, 81).prop_map(|cells| cells.into_iter().collect())
}

proptest! {
    #[test]
    fn printed_puzzles_are_read_back(
        // A note with `=` may name the rules of another board, which is refused.
        puzzles in proptest::collection::vec((any_puzzle(), 0..4_usize, "[ -<>-~]{0,20}"), 0..12),
    ) {
        let mut text = String::new();
        let mut expected = Vec::new();
        for (puzzle, form, note) in &puzzles {
            expected.push(puzzle.clone());
            text += &match form {
                0 => puzzle.parse::<Puzzle>().unwrap().to_line() + "\n",
                1 => format!("{puzzle} {note}\n"),
                2 => nine_lines(puzzle),
                _ => drawn(puzzle),
            };
        }
        let got: Vec<String> = read(text.as_bytes())
            .into_iter()
            .map(|entry| entry.unwrap().puzzle.to_line())
            .collect();
        prop_assert_eq!(got, expected);
    }

    #[test]
    fn tables_round_trip_puzzles_and_solutions(
        rows in proptest::collection::vec((any_puzzle(), any_puzzle()), 0..12),
    ) {
        let mut text = "quizzes,solutions\n".to_owned();
        for (puzzle, solution) in &rows {
            text += &format!("{puzzle},{solution}\n");
        }
        let got: Vec<(String, String)> = read(text.as_bytes())
            .into_iter()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.puzzle.to_line(), entry.expected.unwrap().to_line()))
            .collect();
        prop_assert_eq!(got, rows);
    }

    #[test]
    fn any_bytes_are_read_in_order_and_no_line_is_reported_twice(
        pieces in proptest::collection::vec(
            prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..40),
                any_puzzle().prop_map(String::into_bytes),
                "[-.|+=*0-9x#\\[\\], ]{0,30}".prop_map(String::into_bytes),
                any_puzzle().prop_map(|puzzle| nine_lines(&puzzle).into_bytes()),
            ],
            0..20,
        ),
    ) {
        let text = pieces.join(&b'\n');
        let Ok(corpus) = Corpus::from_reader("f", Cursor::new(text)) else {
            return Ok(());
        };
        let mut last = 0;
        for item in corpus {
            let line = match item {
                Ok(entry) => entry.place.line,
                Err(CorpusError::BadLine { place, why }) => {
                    prop_assert_ne!(why, BadLine::Length { expected: 81, found: 81 });
                    place.line
                }
                Err(CorpusError::Broken { place, .. }) => place.line,
                Err(error) => return Err(TestCaseError::fail(error.to_string())),
            };
            prop_assert!(line > last, "line {} after {}", line, last);
            last = line;
        }
    }

    #[test]
    fn damaged_archives_never_panic(at in 0..200_usize, value: u8, gzipped: bool) {
        let text = format!("{PUZZLE}\n").repeat(50);
        let mut packed = if gzipped { gzip(text.as_bytes()) } else { zstd(text.as_bytes()) };
        let length = packed.len();
        packed[4 + at % (length - 4)] = value;
        let corpus = Corpus::from_reader("f", Cursor::new(packed)).unwrap();
        prop_assert!(corpus.take(1_000_000).count() < 1_000_000);
    }
}

#[test]
fn without_data_tests_are_skipped_but_not_where_ci_is_set() {
    let data = || Some("/data".into());
    let found = Some(PathBuf::from("/data/puzzles"));
    assert_eq!(folder_below(data(), false, "puzzles"), found);
    assert_eq!(folder_below(data(), true, "puzzles"), found);
    assert_eq!(folder_below(None, false, "puzzles"), None);
    let refused = std::panic::catch_unwind(|| folder_below(None, true, "puzzles"));
    assert!(refused.is_err());
}
