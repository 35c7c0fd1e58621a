//! Files of puzzles of any size: published ones, damaged ones, and how they differ from classic ones.

use crate::common::data;
use crate::common::variants;
use std::fs;
use std::path::{Path, PathBuf};

use sudoku_batch::variant::{
    Alphabet, Boxes, Format, Reading, VariantCorpus, VariantCorpusError, VariantEntry, VariantLine,
    VariantSolution, is_variant, parse_line, sniff,
};
use variants::{boxes, pattern, read, text};

/// The rules given in the comments of a published file.
fn reading_of(text: &str) -> Reading {
    let comments: String = text.lines().filter(|line| line.starts_with('#')).collect();
    let boxed = comments.split("box ").nth(1).map(|rest| {
        let name: String = rest
            .chars()
            .take_while(|c| c.is_ascii_digit() || *c == 'x')
            .collect();
        let (rows, columns) = name.split_once('x').unwrap();
        boxes(rows.parse().unwrap(), columns.parse().unwrap())
    });
    // The 6x6 killers are those of a magazine that draws boxes of two rows.
    let boxed = boxed.or(comments
        .contains("size 6; fields: givens")
        .then_some(boxes(2, 3)));
    Reading {
        boxes: boxed,
        diagonals: comments.contains(", diagonals;"),
        ..Reading::default()
    }
}

fn published() -> Option<Vec<PathBuf>> {
    let folder = data::data_folder("sizes")?;
    let texts = |folder: &Path| -> Vec<PathBuf> {
        let files = fs::read_dir(folder).unwrap();
        files.map(|file| file.unwrap().path()).collect()
    };
    let mut files = texts(&folder);
    files.extend(texts(&folder.join("not_unique")));
    files.retain(|file| {
        let name = file.file_name().unwrap().to_str().unwrap();
        let is_other = ["evenodd", "samurai"]
            .iter()
            .any(|kind| name.starts_with(kind));
        name.ends_with(".txt") && !is_other
    });
    files.sort();
    assert!(files.len() > 30, "{files:?}");
    Some(files)
}

#[test]
fn every_published_puzzle_is_read_and_its_solution_obeys_the_rules() {
    let Some(files) = published() else { return };
    let (mut puzzles, mut solved) = (0, 0);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let reading = reading_of(&text);
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let corpus = VariantCorpus::open(&file, reading.clone()).unwrap();
        let entries: Vec<VariantEntry> = corpus.map(|line| line.unwrap().entry).collect();
        assert_eq!(entries.len(), lines.len(), "{}", file.display());
        let is_clashing = file.to_str().unwrap().contains("clashing");
        for (entry, line) in entries.iter().zip(lines) {
            let alone = parse_line(line, &reading).unwrap();
            assert_eq!(*entry, alone, "{line}");
            assert_eq!(entry.puzzle.clash().is_some(), is_clashing, "{line}");
            if let Some(expected) = &entry.expected {
                let solution = VariantSolution::new(&entry.puzzle, expected.clone());
                assert!(solution.is_some(), "{}: {line}", file.display());
                solved += 1;
            }
            puzzles += 1;
        }
    }
    assert!(puzzles > 7_000 && solved > 1_700, "{puzzles} {solved}");
}

#[test]
fn tatham_counts_the_rows_of_a_box_first() {
    let Some(files) = published() else { return };
    let mut compared = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let reading = reading_of(&text);
        let Some((_, rest)) = text.split_once("--generate 1 '") else {
            continue;
        };
        let parameters = rest.split("d").next().unwrap();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let entry = parse_line(line, &reading).unwrap();
            let id = Format::Tatham
                .write(
                    &entry.puzzle,
                    entry.alphabet,
                    entry.expected.as_deref(),
                    &reading,
                )
                .unwrap();
            assert_eq!(id.split(':').next(), Some(parameters), "{line}");
            let back = parse_line(&id, &Reading::default()).unwrap();
            assert_eq!(
                (&back.puzzle, &back.expected),
                (&entry.puzzle, &entry.expected)
            );
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn lines_with_ambiguous_symbols_follow_the_rest_of_the_file() {
    let hex = boxes(4, 4);
    let letters_only = text(hex, Alphabet::Letters, |cell| pattern(hex)[cell] < 7);
    let clear = text(hex, Alphabet::OneBased, |cell| cell % 3 == 0);
    assert_eq!(read(&letters_only).alphabet, Alphabet::Letters);
    let corpus = |text: String| {
        let reader = std::io::Cursor::new(text.into_bytes());
        let corpus = VariantCorpus::from_reader("test", reader, Reading::default()).unwrap();
        corpus.map(|line| line.unwrap().entry).collect::<Vec<_>>()
    };
    for text in [
        format!("{letters_only}\n{clear}\n"),
        format!("# two\n\n{clear}\r\n{letters_only}"),
    ] {
        let entries = corpus(text);
        assert!(
            entries
                .iter()
                .all(|entry| entry.alphabet == Alphabet::OneBased)
        );
    }
    let no_zero = text(hex, Alphabet::ZeroBased, |cell| pattern(hex)[cell] % 5 == 3);
    let zero = text(hex, Alphabet::ZeroBased, |cell| cell % 3 == 0);
    let entries = corpus(format!("{no_zero}\n{no_zero}\n{zero}\n"));
    assert!(
        entries
            .iter()
            .all(|entry| entry.alphabet == Alphabet::ZeroBased)
    );
    assert_eq!(
        corpus(format!("{no_zero}\n"))[0].alphabet,
        Alphabet::OneBased
    );
}

#[test]
fn bad_lines_are_named_and_reading_continues() {
    let text = "# comment\n\n1..4............\n1..?............\r\n1...\n............3=r1\n4321....\n\
                .123............\t4123123434122341\n";
    let corpus = |bytes: Vec<u8>| {
        let reader = std::io::Cursor::new(bytes);
        VariantCorpus::from_reader("a.txt", reader, Reading::default()).unwrap()
    };
    let said: Vec<String> = corpus(text.as_bytes().to_vec())
        .map(|line| match line {
            Ok(line) => format!("{} {}", line.place, line.entry.expected.is_some()),
            Err(why @ VariantCorpusError::BadLine { .. }) => why.to_string(),
            Err(why) => panic!("{why}"),
        })
        .collect();
    assert_eq!(said.len(), 6, "{said:?}");
    assert_eq!(
        (said[0].as_str(), said[5].as_str()),
        ("a.txt:3 false", "a.txt:8 true")
    );
    assert!(
        said[1].starts_with("a.txt:4: character 4: '?' is neither"),
        "{said:?}"
    );
    assert!(said[2].starts_with("a.txt:5: found 4 cells"), "{said:?}");

    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, text.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    assert_eq!(corpus(packed.clone()).filter(Result::is_ok).count(), 2);
    let broken: Vec<_> = corpus(packed[..packed.len() - 12].to_vec()).collect();
    let last = broken.last().unwrap().as_ref().unwrap_err().to_string();
    assert!(last.contains("the gzip data is cut short"), "{last}");

    let table =
        "id,puzzle,regions,solution\n1,1...............,1112122233443344,1234341221434321\n2,\n";
    let entries: Vec<_> = corpus(table.as_bytes().to_vec()).collect();
    let entry = &entries[0].as_ref().unwrap().entry;
    assert!(entry.expected.is_some() && entry.puzzle.layout().boxes().is_none());
    assert_eq!((entry.note.as_str(), entries[1].is_err()), ("1", true));
    let missing = Path::new("/no/such/file");
    assert!(VariantCorpus::open(missing, Reading::default()).is_err());
}

#[test]
fn classic_files_are_distinguished_from_others() {
    let classic =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let layout =
        "000000001222304111222344111222344411555333444665553777666553777666583777688888888";
    let hex = text(boxes(4, 4), Alphabet::ZeroBased, |cell| cell % 2 == 0);
    for head in [
        classic.to_owned(),
        format!("# a\n\n{classic}\t{}\n", classic.replace('.', "1")),
        format!("{classic}# 1112122233443344"),
        format!("quizzes,solutions\n{classic},{classic}"),
        "[Puzzle]\n53..7....\n".to_owned(),
        "5 3 . | . 7 . | . . .\n".to_owned(),
        "+-------+-------+-------+\n".to_owned(),
        "-------------------------\n| 5 3 . | . 7 . | . . . |\n".to_owned(),
        "5....\n".to_owned(),
        "1.34.6\n".repeat(5) + classic,
        String::new(),
    ] {
        assert!(!is_variant(head.as_bytes(), None), "{head}");
    }
    for head in [
        hex.clone(),
        ".".repeat(81) + "1G" + &".".repeat(173),
        hex.replacen('.', "?", 1),
        ".".repeat(36),
        layout.to_owned(),
        format!("{classic}\t{layout}"),
        format!("{classic} diagonals"),
        format!("# a\n{classic} 9=r1c3,r2c2"),
        format!("\u{feff}puzzle,id\n{hex},1"),
        text(boxes(3, 3), Alphabet::Letters, |cell| cell % 2 == 0),
        text(boxes(3, 3), Alphabet::Numbers, |cell| cell % 2 == 0),
        "3x3:4a5c1a8b9_7c5e2b4a7b3a5b9a9b7b3a3b2a8b7a4b3e8c2_3b5a3c4a2".to_owned(),
        "1,2,.,4".to_owned() + &",.".repeat(12),
        "[Puzzle]\n".to_owned() + &"1.34.6\n".repeat(6),
        "1.34.6.8.A.C\n".repeat(12),
    ] {
        assert!(is_variant(head.as_bytes(), None), "{head}");
    }
    for bytes in [hex.into_bytes(), classic.as_bytes().to_vec()] {
        let (_, mut text) = sniff(std::io::Cursor::new(bytes.clone()), None).unwrap();
        let mut back = Vec::new();
        std::io::Read::read_to_end(&mut text, &mut back).unwrap();
        assert_eq!(back, bytes);
    }
}

/// The rows of a full board, one per line, after the name of a section.
fn row_by_row(boxes: Boxes) -> (String, String) {
    let side = boxes.side();
    let line = text(boxes, Alphabet::OneBased, |cell| !cell.is_multiple_of(7));
    let rows = line
        .as_bytes()
        .chunks(side)
        .map(|row| String::from_utf8(row.to_vec()).unwrap() + "\n");
    ("[Puzzle]\n".to_owned() + &rows.collect::<String>(), line)
}

#[test]
fn boards_may_be_written_row_by_row() {
    for size in [
        boxes(2, 3),
        boxes(2, 4),
        boxes(3, 4),
        boxes(4, 4),
        boxes(4, 5),
        boxes(5, 5),
    ] {
        let (grid, line) = row_by_row(size);
        let twice = format!("{grid}\n{grid}");
        assert!(is_variant(twice.as_bytes(), None), "{twice}");
        let reading = Reading {
            boxes: Some(size),
            ..Reading::default()
        };
        let read = |text: String| -> Vec<VariantLine> {
            let reader = std::io::Cursor::new(text.into_bytes());
            let corpus = VariantCorpus::from_reader("f", reader, reading.clone()).unwrap();
            corpus.map(Result::unwrap).collect()
        };
        let expected = read(line).pop().unwrap().entry.puzzle;
        let found = read(twice);
        assert_eq!(found.len(), 2, "{size}");
        assert!(
            found.iter().all(|line| line.entry.puzzle == expected),
            "{size}"
        );
        assert_eq!(found[0].place.line, 2);
    }
}
