//! Patterns, symmetries, ranges, and requests that end without a puzzle.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sudoku_batch::generate::{
    Distribution, Filter, GivensPattern, GivensSymmetry, Kind, Made, PatternError, Request,
    RequestError, Span,
};
use sudoku_batch::grid::{Cell, CellSet};
use sudoku_batch::solve::Deadline;
use sudoku_batch::stream::{DrawLimits, End, generate_all};

use super::{drawn, givens, is_unique, kept, made, without};

#[test]
fn a_stopped_generator_ends_and_reports_it() {
    let impossible = kept(Filter {
        givens: Some("17".parse().unwrap()),
        ..Filter::default()
    });
    let stop = AtomicBool::new(true);
    let drawn = generate_all(&impossible, 0, 1, DrawLimits::only(&stop), &mut |_, _| {
        Ok(())
    })
    .unwrap();
    assert_eq!((drawn.end, drawn.trials), (End::Interrupted, 0));
    assert!(!drawn.gave_up);
}

#[test]
fn a_limit_ends_a_futile_search_and_the_trials_are_reported() {
    let impossible = kept(Filter {
        er: Some("15..16".parse().unwrap()),
        ..Filter::default()
    });
    let stop = AtomicBool::new(false);
    let limits = DrawLimits {
        trials: Some(100),
        ..DrawLimits::only(&stop)
    };
    let mut message = Vec::new();
    let mut write = |made: Vec<Made>, trials: u64| {
        assert!(made.is_empty());
        message.push(trials);
        Ok(())
    };
    let drawn = generate_all(&impossible, 0, 1, limits, &mut write).unwrap();
    assert!(drawn.gave_up);
    assert_eq!((drawn.end, drawn.trials), (End::Complete, 100));
    assert_eq!(message.last(), Some(&100));
    let limits = DrawLimits {
        deadline: Deadline::after(Some(Duration::ZERO)),
        ..DrawLimits::only(&stop)
    };
    let drawn = generate_all(&impossible, 0, 1, limits, &mut |_, _| Ok(())).unwrap();
    assert!(drawn.gave_up);
}

#[test]
fn symmetric_puzzles_need_every_orbit() {
    for symmetry in GivensSymmetry::ALL {
        for distribution in [Distribution::BottomUp, Distribution::TopDown] {
            let request = Request {
                symmetry: Some(symmetry),
                ..drawn(distribution)
            };
            for Made { puzzle, .. } in made(&request, 4, 6).0 {
                assert!(is_unique(&puzzle), "{puzzle}");
                let cells = givens(&puzzle);
                for cell in cells {
                    let orbit = symmetry.orbit(cell);
                    assert_eq!(
                        orbit.difference(cells),
                        CellSet::EMPTY,
                        "{symmetry} {puzzle}"
                    );
                    let without = without(&puzzle, orbit);
                    assert!(!is_unique(&without), "{symmetry} {puzzle} {cell}");
                }
            }
        }
    }
}

/// An independent implementation of the moves: where a rotated or mirrored board has its givens.
#[test]
fn symmetries_match_their_names() {
    let turned = |row: usize, column: usize| Cell::at(column, 8 - row).unwrap();
    let corner = Cell::at(0, 1).unwrap();
    let orbit = |cells: &[(usize, usize)]| -> CellSet {
        cells
            .iter()
            .map(|&(row, column)| Cell::at(row, column).unwrap())
            .collect()
    };
    for (symmetry, cells) in [
        (GivensSymmetry::HalfTurn, &[(0, 1), (8, 7)][..]),
        (
            GivensSymmetry::QuarterTurn,
            &[(0, 1), (1, 8), (8, 7), (7, 0)],
        ),
        (GivensSymmetry::Horizontal, &[(0, 1), (8, 1)]),
        (GivensSymmetry::Vertical, &[(0, 1), (0, 7)]),
        (GivensSymmetry::Diagonal, &[(0, 1), (1, 0)]),
        (GivensSymmetry::AntiDiagonal, &[(0, 1), (7, 8)]),
        (
            GivensSymmetry::BothMirrors,
            &[(0, 1), (8, 1), (0, 7), (8, 7)],
        ),
        (
            GivensSymmetry::BothDiagonals,
            &[(0, 1), (1, 0), (7, 8), (8, 7)],
        ),
    ] {
        assert_eq!(symmetry.orbit(corner), orbit(cells), "{symmetry}");
        assert_eq!(symmetry.name().parse(), Ok(symmetry));
    }
    assert_eq!(GivensSymmetry::Full.orbit(corner).len(), 8);
    assert_eq!("rotational".parse(), Ok(GivensSymmetry::HalfTurn));
    assert!(
        "sideways"
            .parse::<GivensSymmetry>()
            .unwrap_err()
            .contains("quarter-turn")
    );
    for orbit in GivensSymmetry::QuarterTurn.orbits() {
        let image: CellSet = orbit
            .into_iter()
            .map(|cell| turned(cell.row(), cell.column()))
            .collect();
        assert_eq!(image, orbit);
    }
    for symmetry in GivensSymmetry::ALL {
        let all = symmetry.orbits();
        assert_eq!(
            all.iter().map(|orbit| orbit.len()).sum::<usize>(),
            81,
            "{symmetry}"
        );
    }
}

#[test]
fn puzzles_follow_their_patterns_in_turn() {
    let patterns: Vec<GivensPattern> = [
        "xxx...xxxx.......xx.......x...xxx......x.x......xxx...x.......xx.......xxxx...xxx",
        "x.x...x.x.x.x.x.x.x.x.x.x.x...x.x...x...x...x.x...x.x.x.x.x.x.x.x.x.x.x...x.x...x",
    ]
    .iter()
    .map(|line| line.parse().unwrap())
    .collect();
    let request = Request {
        patterns: patterns.clone(),
        ..Request::from(Kind::Minimal)
    };
    let (all, _) = made(&request, 1, 4);
    for (n, Made { puzzle, .. }) in all.iter().enumerate() {
        assert!(is_unique(puzzle), "{puzzle}");
        assert_eq!(givens(puzzle), patterns[n % 2].cells(), "{puzzle}");
    }
    assert_ne!(all[0], all[2]);
}

#[test]
fn patterns_without_a_puzzle_are_refused_with_a_reason() {
    let parse = |line: &str| line.parse::<GivensPattern>();
    assert!(matches!(parse("x.x"), Err(PatternError::Line(_))));
    let few = format!("{}{}", "x".repeat(16), ".".repeat(65));
    assert_eq!(parse(&few), Err(PatternError::TooFew(16)));
    let rows = format!("{}{}", "x".repeat(63), ".".repeat(18));
    let why = parse(&rows).unwrap_err().to_string();
    assert_eq!(
        why,
        "row 8 and row 9 have no given, so their digits can change places"
    );
    let columns = "xxx..xxxx".repeat(9);
    let why = parse(&columns).unwrap_err().to_string();
    assert_eq!(
        why,
        "column 4 and column 5 have no given, so their digits can change places"
    );
    // One line of a band may be empty, and there are five ways to write blanks.
    let line = format!("{}.0*_-....", "\u{e9}".repeat(72));
    assert_eq!(parse(&line).unwrap().cells().len(), 72);
}

#[test]
fn contradictory_requests_are_refused() {
    let pattern: GivensPattern = "x".repeat(81).parse().unwrap();
    let mut with_patterns = drawn(Distribution::TopDown);
    with_patterns.patterns = vec![pattern];
    let symmetric = |request: Request| Request {
        symmetry: Some(GivensSymmetry::Full),
        ..request
    };
    let mut easy_pattern = Request::from(Kind::Easy);
    easy_pattern.patterns = vec![pattern];
    let mut pattern_with_symmetry = symmetric(Request::from(Kind::Minimal));
    pattern_with_symmetry.patterns = vec![pattern];
    let easy_drawn = Request {
        kind: Kind::Easy,
        ..drawn(Distribution::BottomUp)
    };
    for request in [
        with_patterns,
        symmetric(drawn(Distribution::Controlled)),
        symmetric(Request::from(Kind::Easy)),
        easy_pattern,
        pattern_with_symmetry,
        easy_drawn,
    ] {
        let refused = request.check().unwrap_err();
        assert!(
            matches!(refused, RequestError::Conflict { .. }),
            "{refused}"
        );
    }
    for (span, distribution) in [
        ("..16", Distribution::BottomUp),
        ("41..", Distribution::TopDown),
        ("35", Distribution::Controlled),
    ] {
        let mut request = drawn(distribution);
        request.filter.givens = Some(span.parse().unwrap());
        let refused = request.check().unwrap_err();
        assert!(matches!(refused, RequestError::Givens { .. }), "{refused}");
    }
}

#[test]
fn ranges_round_trip_through_text() {
    let span = |text: &str| text.parse::<Span<usize>>();
    for (text, inside, outside) in [
        ("22..24", &[22, 23, 24][..], &[21, 25][..]),
        ("24", &[24], &[23, 25]),
        ("24..", &[24, 80], &[23]),
        ("..24", &[0, 24], &[25]),
    ] {
        let span = span(text).unwrap();
        assert!(inside.iter().all(|&value| span.contains(value)), "{text}");
        assert!(!outside.iter().any(|&value| span.contains(value)), "{text}");
        assert_eq!(span.to_string(), text);
    }
    for text in ["", "..", "a", "3..2", "1..2..3", "-1"] {
        assert!(span(text).is_err(), "{text}");
    }
    let er = |text: &str| text.parse::<Span<sudoku_batch::generate::Tenths>>();
    assert_eq!(er("8.0..9").unwrap().to_string(), "8.0..9.0");
    for text in ["8.55", "8.", "x..9", "8,1", "800"] {
        assert!(er(text).is_err(), "{text}");
    }
    let level = |text: &str| text.parse::<Span<sudoku_batch::generate::LevelName>>();
    assert_eq!(level("Medium..").unwrap().to_string(), "medium..");
    assert!(level("extreme..easy").is_err());
    assert!(level("simple").unwrap_err().contains("unfair"));
}
