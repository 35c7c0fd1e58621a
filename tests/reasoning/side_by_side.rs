//! Saved measurements compared with each other: what is comparable, and what is not.

use proptest::prelude::*;
use sudoku_batch::bench::{
    BenchConfig, BenchSideBySide, BenchSummary, Clock, Conditions, CorpusRow, Flag, RateVerdict,
    Reading, Round, Rounds, Row, Settings,
};
use sudoku_batch::environment::Environment;
use sudoku_batch::report;

fn row(solver: &str, puzzles_per_s: f64) -> Row {
    let mut rounds = Rounds::default();
    for number in 0..12 {
        let round = Round {
            number,
            puzzles: 1_000_000,
            solves: 1_000_000,
            ns: (1e15 / puzzles_per_s) as u64,
            calibration_ns: 30_000,
        };
        rounds.add(round);
    }
    Row {
        rounds,
        corpus: "c".to_owned(),
        solver: solver.to_owned(),
        goal: "unique".to_owned(),
        puzzles: 100,
        covered: 100,
        unique: 100,
        puzzles_per_s,
        ..Row::default()
    }
}

fn run(rows: Vec<Row>) -> BenchSummary {
    let conditions = Conditions {
        environment: Environment::of_this_machine(2),
        load_before: Some(0.0),
        load_after: None,
        clock: Clock {
            cost_ns: 25,
            resolution_ns: 1,
        },
        pinned_core: Some(1),
    };
    let solvers = rows.iter().map(|row| row.solver.clone()).collect();
    let corpus = CorpusRow {
        name: "c".to_owned(),
        reading: Reading {
            puzzles: 100,
            ..Reading::default()
        },
        ..CorpusRow::default()
    };
    let settings = Settings::new(&BenchConfig::default(), solvers);
    BenchSummary {
        corpora: vec![corpus],
        rows,
        ..BenchSummary::new(settings, conditions, &[])
    }
}

/// A change to a run.
type Change<'a> = &'a dyn Fn(&mut BenchSummary);

fn against(first: &BenchSummary, second: &BenchSummary) -> BenchSideBySide {
    BenchSideBySide::new(&[("first", first), ("second", second)])
}

#[test]
fn rows_of_different_measurements_have_no_ratio() {
    let first = run(vec![row("s", 100.0)]);
    let second = |change: Change<'_>| {
        let mut second = run(vec![row("s", 150.0)]);
        change(&mut second);
        let runs = against(&first, &second);
        let entry = runs.rows[0].entries[1].clone().unwrap();
        assert_eq!(entry.ratio.is_none(), runs.verdicts[0].apart == 1);
        assert_eq!(entry.ratio.is_some(), runs.verdicts[0].compared == 1);
        assert_eq!(entry.flag.is_some(), entry.ratio.is_some());
        let ratio = entry.ratio.map(|ratio| (1e6 * ratio).round() / 1e6);
        ratio.ok_or_else(|| entry.notes.join("; "))
    };
    assert_eq!(second(&|_| {}), Ok(1.5));
    let cases: [(Change<'_>, &str); 6] = [
        (
            &|run| run.corpora[0].reading.hash.add("another"),
            "other puzzles",
        ),
        (&|run| run.rows[0].goal = "first".to_owned(), "another goal"),
        (
            &|run| run.rows[0].struck = Some("2 wrong answers".to_owned()),
            "invalid: 2 wrong answers; a row that does not count",
        ),
        (
            &|run| run.rows[0].covered = 0,
            "covered 0 of 100; a row that does not count",
        ),
        (
            &|run| run.rows[0].covered = 50,
            "covered 50 of 100; not as many of the puzzles covered",
        ),
        (
            &|run| run.rows[0].timeout = 3,
            "3 timeout; not as many of the puzzles given up",
        ),
    ];
    for (change, why) in cases {
        assert_eq!(second(change), Err(why.to_owned()));
    }
}

#[test]
fn problems_with_all_rates_of_a_run_are_reported() {
    let first = run(vec![row("s", 100.0)]);
    let mut second = first.clone();
    second.environment.environment.cpu = "<another>".to_owned();
    second.environment.environment.profile = "debug".into();
    second.config.time_limit_s = Some(9.0);
    second.interrupted = true;
    let runs = against(&first, &second);
    assert_eq!((runs.caveats[0].len(), runs.caveats[1].len()), (0, 4));
    assert!(runs.caveats[1][0].starts_with("another machine: <another>"));
    assert_eq!(runs.settings.len(), 1);
    assert_eq!(runs.settings[0].name, "time_limit_s");
    // The first run may also be the one on the slower machine.
    assert_eq!(against(&second, &first).caveats[1].len(), 3);
}

proptest! {
    #[test]
    fn verdicts_count_every_row_once_and_are_antisymmetric(
        pairs in prop::collection::vec((1.0..1e6f64, 1.0..1e6f64), 1..8)
    ) {
        let rows = |rate: &dyn Fn(&(f64, f64)) -> f64| {
            let rows = pairs.iter().enumerate();
            run(rows.map(|(number, pair)| row(&format!("s{number}"), rate(pair))).collect())
        };
        let (first, second) = (rows(&|pair| pair.0), rows(&|pair| pair.1));
        let forth = against(&first, &second);
        let RateVerdict { compared, faster, slower, mean_ratio, .. } = forth.verdicts[0].clone();
        prop_assert_eq!(compared, pairs.len());
        let ratios = || pairs.iter().map(|(a, b)| b / a);
        // There is no noise here, and a change of 2 % matters.
        prop_assert_eq!(faster, ratios().filter(|ratio| *ratio > 1.02).count());
        let flags = forth.rows.iter().map(|row| row.entries[1].as_ref().unwrap().flag);
        prop_assert_eq!(faster, flags.filter(|flag| *flag == Some(Flag::Faster)).count());
        let product: f64 = ratios().map(f64::ln).sum();
        let mean = mean_ratio.unwrap();
        prop_assert!((mean.ln() - product / pairs.len() as f64).abs() < 1e-6);
        let back = against(&second, &first).verdicts[0].clone();
        prop_assert_eq!((back.faster, back.slower), (slower, faster));
        prop_assert!((back.mean_ratio.unwrap() * mean - 1.0).abs() < 1e-6);
        let best = pairs.iter().map(|(a, b)| a.max(*b)).fold(0.0, f64::max);
        prop_assert_eq!(forth.fastest[0].puzzles_per_s, best);
    }

    /// Numbers lose their last digits in a file; the page must not show it.
    #[test]
    fn a_page_round_trips_through_its_file(rates in prop::collection::vec(any::<f64>(), 3)) {
        let rates = rates.into_iter().map(|rate| rate.abs().clamp(1e-3, 1e9));
        let named = ["a<b>", "\"c\"", "d"].into_iter().zip(rates);
        let rows = named.map(|(name, rate)| Row {
            guesses_mean: Some(rate / 3.0),
            median_us: Some(1e6 / rate),
            max_us: Some(7e6 / rate),
            total_s: 100.0 / rate,
            ..row(name, rate)
        });
        let summary = run(rows.collect());
        let json = serde_json::to_string_pretty(&summary).unwrap();
        let back: BenchSummary = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(report::bench_page(&back), report::bench_page(&summary));
    }
}
