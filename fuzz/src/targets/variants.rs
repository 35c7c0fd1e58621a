//! Puzzles of other sizes and shapes, in every text format.

use std::io::{Cursor, Read};
use std::time::Duration;

use sudoku_batch::solve::{Goal, Limits};
use sudoku_batch::variant::{
    Boxes, Format, Reading, VARIANT_SOLVERS, VariantCorpus, VariantEntry, VariantExplanation,
    VariantSolution, VariantVerdict, is_variant, parse_line, parse_regions, pretty, sniff, svg,
};

/// Number of entries that are used.
const ENTRIES: usize = 20;
/// Largest board that is solved and explained.
const SOLVED_SIDE: usize = 9;

/// Reads a corpus of puzzles, writes each in every format and reads it again, solves it, explains it and draws it.
pub fn variants(data: &[u8]) {
    let _ = is_variant(data, None);
    if let Ok((_, mut text)) = sniff(Cursor::new(data.to_vec()), None) {
        let mut all = Vec::new();
        let read = text.read_to_end(&mut all);
        let is_packed = data.starts_with(b"\x1f\x8b") || data.starts_with(b"\x28\xb5\x2f\xfd");
        assert!(is_packed || (read.is_ok() && all == data));
    }
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = parse_regions(text);
        let _ = (text.parse::<Format>(), text.parse::<Boxes>());
    }
    let told = Reading {
        boxes: Some(Boxes {
            rows: 2,
            columns: 3,
        }),
        diagonals: true,
        ..Reading::default()
    };
    for reading in [Reading::default(), told] {
        let corpus =
            VariantCorpus::from_reader("fuzz", Cursor::new(data.to_vec()), reading.clone());
        for line in corpus.into_iter().flatten().take(ENTRIES) {
            match line {
                Ok(line) => entry(&line.entry, &reading),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
}

fn entry(entry: &VariantEntry, reading: &Reading) {
    let (puzzle, alphabet) = (&entry.puzzle, entry.alphabet);
    for format in Format::ALL {
        let Ok(line) = format.write(puzzle, alphabet, None, reading) else {
            continue;
        };
        let symbols = Some(alphabet).filter(|_| format != Format::Numbers);
        let told = Reading {
            symbols,
            ..reading.clone()
        };
        // To SumoCue a cage of one cell is a given, and the same puzzle is read again as another.
        let mut cages = puzzle.layout().cages().iter();
        if format == Format::SumoCue && cages.any(|cage| cage.cells.len() == 1) {
            continue;
        }
        // Whether values start at zero is inferred from the values, if at all.
        if format == Format::Numbers && alphabet.counts_from_zero() {
            continue;
        }
        match parse_line(&line, &told) {
            Ok(again) => assert_eq!(again.puzzle, *puzzle, "{}: {line}", format.name()),
            Err(error) => panic!("{}: {line}: {error}", format.name()),
        }
    }
    let layout = puzzle.layout();
    assert!(svg(puzzle, puzzle.givens(), alphabet, None).starts_with("<svg"));
    assert!(!pretty(layout, puzzle.givens(), alphabet).is_empty());
    if layout.side() > SOLVED_SIDE {
        return;
    }
    let path = VariantExplanation::new(puzzle);
    for step in path.steps.iter().take(5) {
        assert!(!step.notation(layout, alphabet).is_empty());
        assert!(!step.argument(layout, alphabet).is_empty());
    }
    solve(entry, &path);
}

/// Every solver that answers must give the same answer, and the steps must lead to it.
fn solve(entry: &VariantEntry, path: &VariantExplanation) {
    let limits = Limits {
        time: Some(Duration::from_millis(60)),
        nodes: 2000,
        ..Limits::NONE
    };
    let mut known: Option<(&str, u8, Option<VariantSolution>)> = None;
    let puzzle = &entry.puzzle;
    for spec in VARIANT_SOLVERS {
        if !(spec.supports)(puzzle.layout()) {
            continue;
        }
        let verdict = (spec.build)()
            .solve(puzzle, Goal::ProveUnique, limits)
            .verdict;
        let (count, solution) = match verdict {
            VariantVerdict::Unique(solution) => (1, Some(solution)),
            VariantVerdict::Multiple(_) => (2, None),
            VariantVerdict::Unsolvable => (0, None),
            _ => continue,
        };
        let (first, expected, answer) = known.get_or_insert((spec.name, count, solution.clone()));
        assert!(
            (*expected, &*answer) == (count, &solution),
            "{first} finds {expected} and {} finds {count}",
            spec.name
        );
    }
    if let Some((_, count, solution)) = known {
        assert!(!path.is_contradiction || count == 0, "steps contradict");
        if let Some(solution) = solution {
            let mut placed = path.placed.iter().zip(solution.values());
            assert!(placed.all(|(placed, value)| placed.is_none_or(|it| it == *value)));
        }
    }
}
