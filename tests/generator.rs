//! The generator, and the puzzle files made with it.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "common/puzzles.rs"]
mod puzzles;

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use puzzles::{own, puzzles_in};
use sudoku_batch::generate::{
    Distribution, Filter, GenerateConfig, Generator, GivensPattern, GivensSymmetry, Kind, Made,
    PatternError, Request, RequestError, Span, weight,
};
use sudoku_batch::grid::{Cell, CellSet, Puzzle};
use sudoku_batch::logic::{EXPLAINER, HODOKU, Level, Measure, Rater};
use sudoku_batch::solve::{Deadline, Goal, Limits, Mrv, Outcome, Solver, Verdict};
use sudoku_batch::stream::{DrawLimits, End, generate_all};

fn prove(puzzle: &Puzzle) -> Outcome {
    Mrv::new().solve(puzzle, Goal::ProveUnique, Limits::NONE)
}

fn is_unique(puzzle: &Puzzle) -> bool {
    matches!(prove(puzzle).verdict, Verdict::Unique(_))
}

fn givens(puzzle: &Puzzle) -> CellSet {
    puzzle.givens().map(|(cell, _)| cell).collect()
}

fn without(puzzle: &Puzzle, cells: CellSet) -> Puzzle {
    let mut without = *puzzle;
    cells.into_iter().for_each(|cell| without.set(cell, None));
    without
}

fn assert_minimal(puzzle: &Puzzle) {
    assert!(is_unique(puzzle), "{puzzle}");
    for cell in givens(puzzle) {
        let without = without(puzzle, CellSet::only(cell));
        assert!(!is_unique(&without), "{puzzle} does not need {cell}");
    }
}

fn drawn(distribution: Distribution) -> Request {
    Request {
        distribution: Some(distribution),
        ..Request::from(Kind::Minimal)
    }
}

fn kept(filter: Filter) -> Request {
    Request {
        filter,
        ..Request::from(Kind::Minimal)
    }
}

/// The first puzzles of a request, and the trials that they took.
fn made(request: &Request, seed: u64, count: usize) -> (Vec<Made>, u64) {
    request.check().unwrap();
    let mut generator = Generator::default();
    let mut made = Vec::new();
    let mut trials = 0;
    while made.len() < count {
        made.extend(generator.trial(request, seed, trials).unwrap());
        trials += 1;
    }
    made.truncate(count);
    (made, trials)
}

const KINDS: [(Kind, &str); 2] = [(Kind::Easy, "easy"), (Kind::Minimal, "minimal")];

#[test]
fn a_generated_puzzle_depends_on_kind_seed_and_number_only() {
    for (kind, name) in KINDS {
        let mut forward = Generator::default();
        let listed: Vec<Puzzle> = (0..60).map(|n| forward.puzzle(kind, 5, n)).collect();
        for n in (0..60).rev().step_by(7) {
            let alone = Generator::default().puzzle(kind, 5, n);
            assert_eq!(alone, listed[n as usize], "{name} {n}");
        }
        let mut different = listed.clone();
        different.sort_by_key(Puzzle::to_line);
        different.dedup();
        assert_eq!(different.len(), listed.len(), "{name}");
        assert_ne!(forward.puzzle(kind, 6, 0), listed[0], "{name}");
    }
}

#[test]
fn puzzles_are_the_same_on_any_number_of_threads() {
    let symmetric = Request {
        symmetry: Some(GivensSymmetry::HalfTurn),
        ..drawn(Distribution::TopDown)
    };
    let rated = kept(Filter {
        er: Some("3.0..7.1".parse().unwrap()),
        ..Filter::default()
    });
    let requests = [
        (Request::from(Kind::Easy), 70),
        (Request::from(Kind::Minimal), 130),
        (symmetric, 65),
        (rated, 30),
        (drawn(Distribution::Controlled), 4),
    ];
    for (request, count) in requests {
        let (alone, trials) = made(&request, 3, count);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let mut all = Vec::new();
            let mut write = |made: Vec<Made>, _: u64| {
                all.extend(made);
                Ok(())
            };
            let stop = AtomicBool::new(false);
            let drawn = pool.build().unwrap().install(|| {
                generate_all(
                    &request,
                    3,
                    count as u64,
                    DrawLimits::only(&stop),
                    &mut write,
                )
                .unwrap()
            });
            assert_eq!(drawn.end, End::Complete);
            assert!(drawn.trials >= trials, "{request}");
            assert_eq!(all, alone, "{request} on {threads} threads");
        }
    }
}

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
fn givens_are_added_to_puzzles_of_any_kind() {
    let request = Request {
        kind: Kind::Any,
        ..kept(Filter {
            givens: Some("30..32".parse().unwrap()),
            ..Filter::default()
        })
    };
    let (puzzles, trials) = made(&request, 5, 60);
    assert_eq!(trials, 60);
    let counts: HashSet<usize> = puzzles
        .iter()
        .map(|made| made.puzzle.given_count())
        .collect();
    assert_eq!(counts, HashSet::from([30, 31, 32]));
    assert!(puzzles.iter().all(|made| is_unique(&made.puzzle)));
    let minimal = Generator::default().puzzle(Kind::Minimal, 5, 0);
    let more = puzzles[0].puzzle;
    assert!(
        minimal
            .givens()
            .all(|(cell, digit)| more.given(cell) == Some(digit))
    );
}

#[test]
fn easy_puzzles_are_solved_by_singles_and_keep_their_givens() {
    let config = GenerateConfig::default();
    let mut generator = Generator::new(config.clone());
    for n in 0..200 {
        let puzzle = generator.puzzle(Kind::Easy, 1, n);
        assert!(is_unique(&puzzle), "{puzzle}");
        assert_eq!(prove(&puzzle).effort.guesses, 0, "{puzzle}");
        assert!(puzzle.given_count() >= config.easy_givens, "{puzzle}");
    }
}

#[test]
fn minimal_puzzles_need_every_given() {
    for (distribution, count) in [
        (Distribution::BottomUp, 80),
        (Distribution::TopDown, 80),
        (Distribution::Controlled, 5),
    ] {
        for Made { puzzle, .. } in made(&drawn(distribution), 2, count).0 {
            assert_minimal(&puzzle);
        }
    }
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

/// The filter keeps the same puzzles as an independent rating.
#[test]
fn filters_agree_with_an_independent_rating() {
    let mut generator = Generator::default();
    let puzzles: Vec<Puzzle> = (0..120)
        .map(|n| generator.puzzle(Kind::Minimal, 8, n))
        .collect();
    let er = |puzzle: &Puzzle| match Rater::new(&EXPLAINER).rate(puzzle).unwrap().measure {
        Measure::Tenths { er, .. } => er.unwrap(),
        _ => panic!("the profile rates in tenths"),
    };
    let level = |puzzle: &Puzzle| match Rater::new(&HODOKU).rate(puzzle).unwrap().measure {
        Measure::Score { level, .. } => level,
        _ => panic!("the profile has levels"),
    };
    let ratings: Vec<(u16, Level)> = puzzles
        .iter()
        .map(|puzzle| (er(puzzle), level(puzzle)))
        .collect();
    for (text, least, most) in [
        ("6.7..", 67, u16::MAX),
        ("7.1..", 71, u16::MAX),
        ("8..", 80, u16::MAX),
        ("..3.4", 0, 34),
        ("2.6..7.0", 26, 70),
        ("6.6..7.2", 66, 72),
        ("1.5", 15, 15),
        ("7.0..8.4", 70, 84),
    ] {
        let filter = Filter {
            er: Some(text.parse().unwrap()),
            ..Filter::default()
        };
        let mut kept = 0;
        for (puzzle, (er, _)) in puzzles.iter().zip(&ratings) {
            let inside = (least..=most).contains(er);
            assert_eq!(filter.keeps(puzzle), inside, "{text}: {puzzle} has {er}");
            kept += usize::from(inside);
        }
        assert!(kept < puzzles.len(), "{text}");
    }
    let filter = Filter {
        level: Some("medium..unfair".parse().unwrap()),
        ..Filter::default()
    };
    for (puzzle, (_, level)) in puzzles.iter().zip(&ratings) {
        let inside = (Level::Medium..=Level::Unfair).contains(level);
        assert_eq!(filter.keeps(puzzle), inside, "{puzzle}");
    }
}

#[test]
fn filters_and_symmetries_combine() {
    let request = Request {
        symmetry: Some(GivensSymmetry::Diagonal),
        filter: Filter {
            givens: Some("..27".parse().unwrap()),
            er: Some("2.0..".parse().unwrap()),
            level: None,
        },
        ..drawn(Distribution::TopDown)
    };
    for Made { puzzle, .. } in made(&request, 0, 5).0 {
        assert!(puzzle.given_count() <= 27, "{puzzle}");
        let cells = givens(&puzzle);
        assert!(
            cells
                .into_iter()
                .all(|cell| cells.contains(Cell::at(cell.column(), cell.row()).unwrap()))
        );
    }
}

fn mean_givens(made: &[Made], weight: impl Fn(&Made) -> f64) -> f64 {
    let total: f64 = made.iter().map(&weight).sum();
    let givens = |made: &Made| made.puzzle.given_count() as f64;
    made.iter()
        .map(|made| weight(made) * givens(made))
        .sum::<f64>()
        / total
}

/// Berthier (2009) has 23.87 givens bottom-up with a slightly different generator, 24.38 top-down, and 25.67 with a
/// controlled bias, which his weights correct to 26.58.
#[test]
fn distributions_have_the_stated_numbers_of_givens() {
    let mean = |distribution, count| mean_givens(&made(&drawn(distribution), 1, count).0, |_| 1.0);
    let bottom_up = mean(Distribution::BottomUp, 1500);
    assert!((23.9..24.2).contains(&bottom_up), "{bottom_up}");
    let top_down = mean(Distribution::TopDown, 1500);
    assert!((24.25..24.55).contains(&top_down), "{top_down}");
    let (controlled, _) = made(&drawn(Distribution::Controlled), 1, 40);
    let plain = mean_givens(&controlled, |_| 1.0);
    let weighted = mean_givens(&controlled, |made| made.weight);
    assert!((25.0..26.4).contains(&plain), "{plain}");
    assert!((25.7..27.6).contains(&weighted), "{weighted}");
}

#[test]
fn weights_follow_the_relation_of_berthier() {
    assert_eq!(weight(26), 1.0);
    for givens in 17..40 {
        let ratio = weight(givens + 1) / weight(givens);
        let expected = (81 - givens) as f64 / (givens + 1) as f64;
        assert!((ratio / expected - 1.0).abs() < 1e-12, "{givens}");
    }
    for Made {
        puzzle,
        weight: held,
    } in made(&drawn(Distribution::Controlled), 5, 2).0
    {
        assert_eq!(held, weight(puzzle.given_count()));
    }
}

#[test]
fn every_puzzle_of_the_repository_has_one_solution() {
    for (name, least) in [
        ("easy", 300),
        ("minimal", 300),
        ("hard", 300),
        ("hardest", 20),
    ] {
        let puzzles = puzzles_in(&own(&format!("{name}.txt")));
        assert!(puzzles.len() >= least, "{name}");
        for puzzle in &puzzles {
            assert!(is_unique(puzzle), "{name}: {puzzle}");
        }
    }
}

/// 300 each, with seed 0: `datasets/README.md` has the commands.
#[test]
fn the_generated_files_are_reproduced_by_their_commands() {
    let mut generator = Generator::default();
    for (kind, name) in KINDS {
        let listed = puzzles_in(&own(&format!("{name}.txt")));
        assert_eq!(listed.len(), 300, "{name}");
        for (n, puzzle) in listed.iter().enumerate() {
            assert_eq!(generator.puzzle(kind, 0, n as u64), *puzzle, "{name} {n}");
        }
    }
}

/// `cargo test --release --test generator -- --ignored --nocapture`: puzzles per second on one thread. On a shared
/// machine the best of several short runs is closest to what a core can do.
#[test]
#[ignore = "measures"]
fn speed() {
    let rated = kept(Filter {
        er: Some("8..".parse().unwrap()),
        ..Filter::default()
    });
    for (name, request, batch, runs) in [
        ("minimal, bottom-up", drawn(Distribution::BottomUp), 256, 60),
        ("minimal, top-down", drawn(Distribution::TopDown), 256, 60),
        ("easy", Request::from(Kind::Easy), 64, 20),
        ("ER 8.0 and more", rated, 1024, 30),
        ("controlled", drawn(Distribution::Controlled), 16, 30),
    ] {
        let mut generator = Generator::default();
        let mut rates: Vec<f64> = Vec::new();
        let (mut puzzles, mut seconds) = (0, 0.0);
        for run in 0..runs {
            let started = Instant::now();
            let made: usize = (run * batch..(run + 1) * batch)
                .map(|n| generator.trial(&request, 0, n).unwrap().len())
                .sum();
            let took = started.elapsed().as_secs_f64();
            rates.push(made as f64 / took);
            puzzles += made;
            seconds += took;
        }
        rates.sort_by(f64::total_cmp);
        let (median, best) = (rates[rates.len() / 2], rates[rates.len() - 1]);
        println!(
            "{name}: {:.1} a second, {median:.1} in the median run of {runs}, {best:.1} in the best; \
             {puzzles} puzzles",
            puzzles as f64 / seconds
        );
    }
}
