//! Distributions, kinds, and filters of generated puzzles.

use std::collections::HashSet;
use std::time::Instant;

use sudoku_batch::generate::{
    Distribution, Filter, GenerateConfig, Generator, GivensSymmetry, Kind, Made, Request, weight,
};
use sudoku_batch::grid::{Cell, CellSet, Puzzle};
use sudoku_batch::logic::{EXPLAINER, HODOKU, Level, Measure, Rater};

use super::{drawn, givens, is_unique, kept, made, prove, without};

fn assert_minimal(puzzle: &Puzzle) {
    assert!(is_unique(puzzle), "{puzzle}");
    for cell in givens(puzzle) {
        let without = without(puzzle, CellSet::only(cell));
        assert!(!is_unique(&without), "{puzzle} does not need {cell}");
    }
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
    let minimal = made(&Request::from(Kind::Minimal), 5, 1).0[0].puzzle;
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

/// `cargo test --release --test reasoning distributions -- --ignored --nocapture`: puzzles per second on one thread. On a
/// shared machine the best of several short runs is closest to what a core can do.
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
