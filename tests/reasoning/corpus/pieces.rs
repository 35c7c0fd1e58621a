//! Corpora cut into pieces, and lines taken in batches.

use std::io::Cursor;

use proptest::prelude::*;
use sudoku_batch::corpus::{Corpus, CorpusError, Entry, Piece, Position};
use sudoku_batch::files::content_hash;

use super::{PUZZLE, SOLUTION, any_puzzle, drawn, gzip, nine_lines, taken, zstd};

#[test]
fn a_file_can_be_cut_behind_every_line_and_row_but_not_within_a_grid() {
    let positions = |text: &str| -> Vec<Option<u64>> {
        let mut corpus = Corpus::from_reader("f", Cursor::new(text.to_owned())).unwrap();
        assert_eq!(corpus.position(), Some(Position::START));
        let mut all = Vec::new();
        while corpus.next().is_some() {
            all.push(corpus.position().map(|position| position.byte));
        }
        all
    };
    let lines = format!("{PUZZLE}\n# a comment\n{PUZZLE} note\n{PUZZLE}\n");
    assert_eq!(positions(&lines), [Some(82), Some(181), Some(263)]);
    let table = format!("puzzle,rating\n{PUZZLE},1\n{PUZZLE},2\n");
    assert_eq!(positions(&table), [Some(98), Some(182)]);
    let grid = nine_lines(PUZZLE);
    assert_eq!(positions(&format!("{grid}\n{grid}")).len(), 2);
    let mut corpus = Corpus::from_reader("f", Cursor::new(lines)).unwrap();
    let mut taken = Vec::new();
    assert!(corpus.next().is_some());
    corpus.take_lines(1, &mut taken);
    // The line with a note was read, but not taken.
    assert_eq!((taken.len(), corpus.position()), (0, None));
    assert_eq!(corpus.next().unwrap().unwrap().note, "note");
    assert_eq!(corpus.position().unwrap().byte, 181);
    corpus.take_lines(9, &mut taken);
    assert_eq!((taken.len(), corpus.position().unwrap().byte), (1, 263));
    // A grid that ends early ends in another section than the puzzle's, of which nothing is a puzzle.
    let sections = format!("[Puzzle]\n{}[State]\n{grid}[Puzzle]\n{grid}", &grid[..30]);
    assert_eq!(positions(&sections), [None, Some(sections.len() as u64)]);
}

#[test]
fn no_more_lines_are_taken_than_were_asked_for() {
    let text = format!("{PUZZLE}\n").repeat(2_000);
    let mut corpus = Corpus::from_reader("f", Cursor::new(text)).unwrap();
    assert!(corpus.next().is_some());
    let mut taken = Vec::new();
    // Across the ends of the buffer, too.
    for limit in (3..2_000).step_by(7) {
        corpus.take_lines(limit, &mut taken);
        assert_eq!(taken.len(), limit);
    }
    corpus.take_lines(usize::MAX, &mut taken);
    assert_eq!(taken.len(), 1_999);
}

/// Texts of all kinds: tables and lines, with grids, notes and damage in between.
fn any_text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => any_puzzle(),
        1 => any_puzzle().prop_map(|puzzle| format!("{puzzle},{SOLUTION},note")),
        1 => any_puzzle().prop_map(|puzzle| nine_lines(&puzzle)),
        1 => any_puzzle().prop_map(|puzzle| drawn(&puzzle)),
        1 => "[-.|#0-9x, ]{0,30}",
        1 => Just("[State]".to_owned()),
        1 => Just("[Puzzle]".to_owned()),
    ];
    let header = prop_oneof![
        3 => Just(String::new()),
        1 => Just("puzzle,solution\n".to_owned()),
        1 => Just("\u{feff}".to_owned()),
        1 => Just("origin,note,rating\n".to_owned()),
    ];
    let end = prop_oneof![Just("\n"), Just("\r\n"), Just("\r")];
    let parts = proptest::collection::vec(part, 0..14);
    (header, parts, end, any::<bool>()).prop_map(|(header, parts, end, is_ended)| {
        let last = if is_ended { "\n" } else { "" };
        (header + &parts.join("\n") + last).replace('\n', end)
    })
}

proptest! {
    #[test]
    fn lines_taken_in_batches_are_those_read_one_by_one(text in any_text(), batch in 1..9_usize) {
        prop_assume!(Corpus::from_reader("f", Cursor::new(text.clone())).is_ok());
        prop_assert_eq!(taken(text.as_bytes(), batch), taken(text.as_bytes(), 0));
    }

    /// Wherever a file may be cut, no entry is lost, doubled or counted wrong.
    #[test]
    fn pieces_of_a_file_have_the_entries_of_the_whole(
        text in any_text(),
        packing in 0..3,
        cuts in proptest::collection::vec(any::<bool>(), 1..30),
    ) {
        let packed = match packing {
            0 => text.clone().into_bytes(),
            1 => gzip(text.as_bytes()),
            _ => zstd(text.as_bytes()),
        };
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), packed).unwrap();
        let Ok(mut corpus) = Corpus::open(file.path()) else {
            return Ok(());
        };
        let named = |item: Result<Entry, CorpusError>| match item {
            Ok(entry) => format!("{} {}", entry.place, entry.puzzle),
            Err(error) => error.to_string(),
        };
        let mut cuts = cuts.iter().cycle();
        let mut places = vec![Position::START];
        let mut whole = Vec::new();
        loop {
            let place = corpus.position();
            let Some(item) = corpus.next() else {
                break;
            };
            whole.push(named(item));
            places.extend(place.filter(|place| *cuts.next().unwrap() && *place != Position::START));
        }
        let is_refused = whole.iter().any(|item| item.contains("none of its columns"));
        prop_assert!(is_refused || corpus.end().byte == text.len() as u64);
        let mut joined = Vec::new();
        let mut hashes = Vec::new();
        for (at, &from) in places.iter().enumerate() {
            let piece = Piece {
                from,
                to: places.get(at + 1).map_or(u64::MAX, |next| next.byte),
                ..Piece::whole(file.path().to_owned())
            };
            joined.extend(Corpus::open_piece(&piece).unwrap().map(named));
            let bytes = &text.as_bytes()[from.byte as usize..];
            let length = piece.to.min(text.len() as u64) - from.byte;
            hashes.push((piece.hash().unwrap(), content_hash(&bytes[..length as usize])));
        }
        prop_assert_eq!(joined, whole);
        for (hash, expected) in hashes {
            prop_assert_eq!(hash, expected);
        }
    }
}
