//! Puzzles in every text format, plain and compressed, and the solvers.

use std::io::{Cursor, Write};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use sudoku_batch::corpus::Corpus;
use sudoku_batch::grid::{PencilMarks, Puzzle, Solution};
use sudoku_batch::logic::{Explanation, NATIVE, Position};
use sudoku_batch::report::{explain_svg, explain_text};
use sudoku_batch::roster::ROSTER;
use sudoku_batch::solve::{Deadline, Goal, Limits, Verdict};

/// Number of entries of a corpus that are used.
const ENTRIES: usize = 10_000;
/// Time for the steps of a position, and for each solver.
const TIME: Duration = Duration::from_millis(300);

/// Reads a corpus plain and compressed; both must give the same.
pub fn corpora(data: &[u8]) {
    let read = |bytes: Vec<u8>| {
        let corpus = Corpus::from_reader("fuzz", Cursor::new(bytes));
        let entries = corpus.into_iter().flatten().take(ENTRIES);
        let told = entries.map(|entry| match entry {
            Ok(entry) => (entry.puzzle.to_line(), entry.place.to_string()),
            Err(error) => (String::new(), error.to_string()),
        });
        told.collect::<Vec<_>>()
    };
    let plain = read(data.to_vec());
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    let written = packed.write_all(data);
    written.expect("bytes fit into memory");
    let packed = packed.finish().expect("bytes fit into memory");
    // Compressed input would be compressed twice, and UTF-16 is detected only by the first bytes of a file.
    let heads: [&[u8]; 4] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xff\xfe", b"\xfe\xff"];
    let is_utf_16 = data.iter().take(4).any(|byte| *byte == 0);
    let has_head = is_utf_16 || heads.iter().any(|head| data.starts_with(head));
    let unpacked = read(packed);
    assert!(
        has_head || unpacked == plain,
        "the packed corpus reads otherwise"
    );
}

/// Explains a puzzle or pencil marks, and draws the steps.
pub fn explanation(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let position = match (text.trim().parse::<Puzzle>(), text.parse::<PencilMarks>()) {
        (Ok(puzzle), _) => Position::Puzzle(puzzle),
        (_, Ok(marks)) => Position::Marks(marks),
        _ => return,
    };
    let path = Explanation::new(&NATIVE, &position, Deadline::after(Some(TIME)));
    assert!(!explain_text(&position, &path).is_empty());
    for (number, step) in (1..).zip(path.steps.iter().take(3)) {
        assert!(explain_svg(&position, step, number).starts_with("<svg"));
    }
}

/// Solves a puzzle with every complete solver: they must agree on the number of solutions.
pub fn solvers(data: &[u8]) {
    let text = std::str::from_utf8(data).unwrap_or_default();
    let Ok(puzzle) = text.trim().parse::<Puzzle>() else {
        return;
    };
    let limits = Limits {
        time: Some(TIME),
        nodes: 20_000,
        ..Limits::NONE
    };
    let mut known: Option<(&str, Option<Solution>, u8)> = None;
    for spec in ROSTER.iter().filter(|spec| spec.complete) {
        let mut solver = (spec.build)();
        let (solution, count) = match solver.solve(&puzzle, Goal::ProveUnique, limits).verdict {
            Verdict::Unique(solution) => (Some(solution), 1),
            Verdict::Multiple(_) => (None, 2),
            Verdict::Unsolvable => (None, 0),
            _ => continue,
        };
        let (first, expected, of_first) = known.get_or_insert((spec.name, solution, count));
        assert!(
            (&*expected, &*of_first) == (&solution, &count),
            "{first} finds {of_first} and {} finds {count}: {puzzle}",
            spec.name
        );
    }
}
