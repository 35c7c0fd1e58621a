//! Reports of a measurement, and runs that are saved and compared.

use std::io::Cursor;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sudoku_batch::bench::{
    Bench, BenchConfig, BenchSummary, ChangeOutcome, Clock, Comparison, Conditions, CorpusRow,
    Flag, Interval, Ratio, Reading, Repeat, Round, Rounds, Row, Settings, ThroughputRow, Warning,
};
use sudoku_batch::corpus::Corpus;
use sudoku_batch::environment::Environment;
use sudoku_batch::report;
use sudoku_batch::roster::find;
use sudoku_batch::solve::{Goal, Limits};

/// A run whose every number is fixed.
fn fixed() -> BenchSummary {
    let row = |solver: &str, rate: f64| Row {
        corpus: "hard_<set>".to_owned(),
        solver: solver.to_owned(),
        goal: "unique".to_owned(),
        threads: Some(1),
        puzzles: 10_000,
        covered: 10_000,
        unique: 9_999,
        multiple: 1,
        no_guess_pct: Some(44.56),
        guesses_mean: Some(5.27),
        nodes_mean: Some(11.5),
        min_us: Some(1.26),
        median_us: Some(3.88),
        p90_us: Some(11.5),
        p99_us: Some(53.8),
        max_us: Some(1830.0),
        total_s: 10_000.0 / rate,
        puzzles_per_s: rate,
        rate_interval: Some(Interval {
            low: 0.99 * rate,
            high: 1.02 * rate,
        }),
        repeats: Some(3),
        rounds: rounds(|n| 1e12 / rate * (1.0 + 0.01 * (n % 3) as f64), 30_000.0),
        ..Row::default()
    };
    let mut cut = row("slow", 412.0);
    cut.covered = 123;
    cut.unique = 121;
    cut.timeout = 1;
    cut.cut = true;
    cut.vs_fastest = Some(Ratio {
        value: 0.00286,
        interval: None,
    });
    let mut struck = row("liar|x", 999_999.0);
    struck.wrong = 2;
    struck.struck = Some("2 wrong answers".to_owned());
    let rows = vec![cut, struck, row("mrv", 144_244.0)];
    let corpus = CorpusRow {
        name: "hard_<set>".to_owned(),
        file: "data/hard_<set>.txt".to_owned(),
        reading: Reading {
            puzzles: 10_000,
            bad_lines: 2,
            ..Reading::default()
        },
        ..CorpusRow::default()
    };
    let throughput = ThroughputRow {
        corpus: "hard_<set>".to_owned(),
        solver: "mrv".to_owned(),
        goal: "unique".to_owned(),
        threads: 8,
        puzzles: 10_000,
        seconds: 0.0093,
        puzzles_per_s: 1_075_268.8,
        rate_interval: Some(Interval {
            low: 1_001_000.0,
            high: 1_080_000.0,
        }),
        vs_one_thread: Some(Ratio {
            value: 7.45,
            interval: Some(Interval {
                low: 6.9,
                high: 7.5,
            }),
        }),
        ..ThroughputRow::default()
    };
    let conditions = Conditions {
        environment: Environment {
            cpu: "Some CPU @ 3 GHz".to_owned(),
            arch: "x86_64".into(),
            os: "linux".into(),
            cores: 8,
            threads: 8,
            cpu_features: vec!["avx2".into()],
            build_features: vec!["sse2".into()],
            rustc: "rustc 1.95.0".into(),
            version: "0.1.0".into(),
            commit: "abcdef0".into(),
            profile: "release".into(),
        },
        load_before: Some(2.5),
        load_after: Some(1.0),
        clock: Clock {
            cost_ns: 25,
            resolution_ns: 1,
        },
        pinned_core: Some(7),
    };
    let solvers = ["slow", "liar|x", "mrv"].map(str::to_owned).to_vec();
    let settings = Settings::new(&BenchConfig::default(), solvers);
    BenchSummary {
        corpora: vec![corpus],
        warnings: Warning::all(&conditions, &rows),
        rows,
        throughput: vec![throughput],
        ..BenchSummary::new(settings, conditions, &[])
    }
}

/// Rounds of a thousand puzzles that take these nanoseconds, with those of the calibration loop.
fn rounds(ns: impl Fn(u64) -> f64, calibration_ns: f64) -> Rounds {
    let mut rounds = Rounds::default();
    for number in 0..48 {
        let round = Round {
            number,
            puzzles: 1000,
            solves: 1000,
            ns: ns(number) as u64,
            calibration_ns: calibration_ns as u64,
        };
        rounds.add(round);
    }
    rounds
}

#[test]
fn the_report_in_markdown() {
    let summary = fixed().compared_with("before", &fixed());
    insta::assert_snapshot!(report::bench_markdown(&summary));
}

#[test]
fn the_table_on_the_terminal() {
    let text = report::bench_terminal(&fixed());
    // As written to a pipe: without styles.
    let plain = anstream::adapter::strip_str(&text).to_string();
    insta::assert_snapshot!(plain);
}

#[test]
fn a_solver_that_gives_up_is_not_the_best() {
    let mut summary = fixed();
    let answers = |rate: f64, stuck: u64| Row {
        stuck,
        puzzles_per_s: rate,
        ..summary.rows[2].clone()
    };
    let named = |name: &str, row: Row| Row {
        solver: name.to_owned(),
        ..row
    };
    summary.rows = vec![
        named("slow", answers(10.0, 0)),
        named("quitter", answers(99.0, 7)),
        named("best", answers(20.0, 0)),
    ];
    let text = report::bench_markdown(&summary);
    let solvers: Vec<&str> = text
        .lines()
        .filter(|line| line.contains(" unique"))
        .map(|line| line.split(" | ").next().unwrap())
        .collect();
    assert_eq!(solvers, ["| quitter", "| **best**", "| slow"]);
}

#[test]
fn the_page_escapes_names_and_is_self_contained() {
    let page = report::bench_page(&fixed());
    assert!(page.contains("hard_&lt;set&gt;") && !page.contains("<set>"));
    assert!(!page.contains("http") && !page.contains("src="));
    assert!(page.contains("width: 100.0%") && page.contains("2 wrong answers"));
}

#[test]
fn the_page_says_what_changed() {
    let summary = changed(|_| 1.1).compared_with("<before>", &changed(|_| 1.0));
    let page = report::bench_page(&summary);
    assert!(page.contains("Compared with &lt;before&gt;"));
    assert!(page.contains("2 slower, 1 not comparable"));
}

/// A run of three solvers over a few puzzles, and a page of it.
fn measured(puzzles: &str, corpora: &[&str]) -> (BenchSummary, String) {
    let config = BenchConfig {
        repeat: Repeat {
            rounds: 1,
            least: Duration::ZERO,
            enough: Duration::ZERO,
        },
        ..BenchConfig::default()
    };
    let names = ["lockstep", "mrv", "logic"];
    let solvers = names.map(|name| *find(name).unwrap()).to_vec();
    let stop = AtomicBool::new(false);
    let bench = Bench::new(config, solvers, Vec::new(), &stop).unwrap();
    let result = |name: &&str| {
        let corpus = Corpus::from_reader("f", Cursor::new(puzzles.to_owned())).unwrap();
        bench.corpus(name, "a <file>", corpus, false, &mut |_| {})
    };
    let results: Vec<_> = corpora.iter().map(result).collect();
    let settings = Settings::new(&config, names.map(str::to_owned).to_vec());
    let summary = BenchSummary::new(settings, fixed().environment, &results);
    let page = report::bench_page(&summary);
    (summary, page)
}

#[test]
fn the_page_lists_every_corpus_and_solver_with_charts() {
    let puzzles = include_str!("../../datasets/puzzles/hard.txt");
    let (summary, page) = measured(puzzles, &["one", "<b>two"]);
    assert_eq!(page.matches("<section").count(), 2);
    assert!(page.contains("&lt;b&gt;two") && !page.contains("<b>two"));
    assert!(!page.contains("<file>"));
    for name in &summary.config.solvers {
        // In the tables of both corpora, and in the charts.
        assert!(
            page.matches(&format!(">{name}</th>")).count() >= 2,
            "{name}"
        );
        assert!(page.contains(&format!("<title>{name}: ")), "{name}");
    }
    assert_eq!(page.matches("<figure").count(), 8);
    for (open, close) in [("<svg", "</svg>"), ("<desc", "</desc>")] {
        assert_eq!(page.matches(open).count(), 8, "{open}");
        assert_eq!(page.matches(close).count(), 8, "{close}");
    }
    assert!(!page.contains("http") && page.len() < 2_000_000);
}

#[test]
fn the_hardest_puzzles_are_those_with_the_most_nodes() {
    let puzzles = include_str!("../../datasets/puzzles/hard.txt");
    let (summary, page) = measured(puzzles, &["one"]);
    let corpus = &summary.corpora[0];
    assert!((3..=9).contains(&corpus.hardest.len()));
    let mut mrv = (find("mrv").unwrap().build)();
    let mut nodes: Vec<u64> = Corpus::from_reader("f", Cursor::new(puzzles.to_owned()))
        .unwrap()
        .map(|entry| entry.unwrap().puzzle)
        .map(|puzzle| {
            mrv.solve(&puzzle, Goal::ProveUnique, Limits::NONE)
                .effort
                .nodes
        })
        .collect();
    nodes.sort_unstable_by(|a, b| b.cmp(a));
    let of_mrv = corpus
        .hardest
        .iter()
        .filter(|puzzle| puzzle.hardest_for.contains(&"mrv".to_owned()));
    let mut kept: Vec<u64> = of_mrv
        .map(|puzzle| {
            puzzle
                .answers
                .iter()
                .find(|answer| answer.solver == "mrv")
                .unwrap()
                .nodes
                .unwrap()
        })
        .collect();
    kept.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(kept, nodes[..3]);
    for puzzle in &corpus.hardest {
        assert_eq!(puzzle.answers.len(), 3);
        assert!(page.contains(&puzzle.puzzle));
    }
}

#[test]
fn the_curves_agree_with_the_table() {
    let (summary, _) = measured(include_str!("../../datasets/puzzles/hard.txt"), &["one"]);
    for row in &summary.rows {
        let at = |share: f64| {
            row.times
                .iter()
                .find(|point| point.share == share)
                .map(|point| point.us)
        };
        assert_eq!(
            (at(0.5), at(0.9), at(0.99)),
            (row.median_us, row.p90_us, row.p99_us)
        );
        let puzzles: u64 = row.by_guesses.iter().map(|times| times.puzzles).sum();
        assert_eq!(puzzles, row.covered);
        assert!(row.answered.is_sorted_by(|a, b| a.us <= b.us));
    }
}

/// The fixed run with each round's time changed by `change(round)`.
fn changed(change: impl Fn(usize) -> f64) -> BenchSummary {
    let mut summary = fixed();
    for row in &mut summary.rows {
        let ns = |round: u64| 5e6 * (1.0 + 0.3 * (round % 5) as f64) * change(round as usize);
        row.rounds = rounds(ns, 30_000.0);
    }
    summary
}

fn flags(old: &BenchSummary, new: &BenchSummary) -> Vec<Option<Flag>> {
    // Through the file, as in real use.
    let folder = tempfile::tempdir().unwrap();
    old.save_baseline(folder.path(), "before").unwrap();
    let kept = BenchSummary::load_baseline(folder.path(), "before").unwrap();
    let comparison = Comparison::new(new, "before", &kept);
    let flag = |outcome: &ChangeOutcome| match outcome {
        ChangeOutcome::Compared { flag, .. } => Some(*flag),
        ChangeOutcome::NotComparable { .. } => None,
    };
    comparison
        .rows
        .iter()
        .map(|row| flag(&row.outcome))
        .collect()
}

/// Noise of up to ±20 % without a trend, from a linear congruential generator.
fn noise(seed: u64) -> impl Fn(usize) -> f64 {
    move |round| {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (round as u64);
        for _ in 0..3 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state ^= state >> 29;
        }
        0.8 + 0.4 * (state >> 40) as f64 / (1u64 << 24) as f64
    }
}

#[test]
fn a_change_is_flagged_beyond_the_noise_and_only_there() {
    let base = changed(|_| 1.0);
    let all = |flag| vec![Some(flag), None, Some(flag)];
    assert_eq!(flags(&base, &base), all(Flag::Same));
    assert_eq!(flags(&base, &changed(|_| 1.1)), all(Flag::Slower));
    assert_eq!(flags(&base, &changed(|_| 1.0 / 1.1)), all(Flag::Faster));
    // Significant, but too small to matter.
    assert_eq!(flags(&base, &changed(|_| 1.01)), all(Flag::Same));
    let mut false_alarms = 0;
    for seed in 0..100 {
        let noisy = flags(&base, &changed(noise(seed)));
        false_alarms += usize::from(noisy != all(Flag::Same));
        let slower = changed(|round| 1.25 * noise(seed)(round));
        assert_eq!(flags(&base, &slower), all(Flag::Slower), "{seed}");
    }
    // An interval of 95 % allows one in twenty, minus those too small to matter.
    assert!(false_alarms <= 12, "{false_alarms}");
}

#[test]
fn a_slower_machine_is_not_a_slower_solver() {
    let with = |machine: f64, change: f64| {
        let mut summary = changed(|_| 1.0);
        for row in &mut summary.rows {
            let ns = |round: u64| 5e6 * (1.0 + 0.1 * (round % 3) as f64) * machine * change;
            row.rounds = rounds(ns, 30_000.0 * machine);
        }
        summary
    };
    let base = with(1.0, 1.0);
    let flag = |machine, change| flags(&base, &with(machine, change))[0];
    assert_eq!(flag(1.3, 1.0), Some(Flag::Same));
    assert_eq!(flag(1.3, 1.04), Some(Flag::Same));
    assert_eq!(flag(1.3, 1.3), Some(Flag::Slower));
    assert_eq!(flag(1.05, 0.9), Some(Flag::Faster));
}

/// A change to a run.
type Change<'a> = &'a dyn Fn(&mut BenchSummary);

#[test]
fn only_the_same_measurement_is_compared() {
    let base = changed(|_| 1.0);
    let why = |change_run: Change<'_>| {
        let mut new = changed(|_| 1.0);
        change_run(&mut new);
        match &Comparison::new(&new, "before", &base).rows[0].outcome {
            ChangeOutcome::NotComparable { why } => why.clone(),
            outcome => panic!("{outcome:?}"),
        }
    };
    let cases: [(Change<'_>, &str); 7] = [
        (
            &|new| new.corpora[0].reading.hash.add("another"),
            "other puzzles",
        ),
        (
            &|new| new.rows[0].corpus = "x".to_owned(),
            "the other run has no such corpus",
        ),
        (
            &|new| new.rows[0].solver = "x".to_owned(),
            "the other run has no such row",
        ),
        (&|new| new.rows[0].goal = "first".to_owned(), "another goal"),
        (&|new| new.config.block = 7, "rounds of another length"),
        (
            &|new| new.rows[0].struck = Some(String::new()),
            "a row that does not count",
        ),
        (
            &|new| new.rows[0].covered = 7,
            "not as many of the puzzles covered",
        ),
    ];
    for (change_run, expected) in cases {
        assert_eq!(why(change_run), expected);
    }
    // Too few rounds for an interval: a ratio, and no verdict.
    let mut few = changed(|_| 2.0);
    few.rows[0].rounds = Rounds::default();
    few.rows[0].rounds.add(Round {
        number: 0,
        puzzles: 1000,
        solves: 1000,
        ns: 1,
        calibration_ns: 1,
    });
    match &Comparison::new(&few, "before", &base).rows[0].outcome {
        ChangeOutcome::Compared {
            interval: None,
            flag: Flag::Same,
            ..
        } => {}
        outcome => panic!("{outcome:?}"),
    }
}

#[test]
fn an_unknown_baseline_lists_the_known_ones() {
    let folder = tempfile::tempdir().unwrap();
    let load = |name: &str| BenchSummary::load_baseline(folder.path(), name);
    let error = |name: &str| load(name).unwrap_err().to_string();
    assert!(error("x").ends_with("known: none"));
    for name in ["b", "a"] {
        fixed().save_baseline(folder.path(), name).unwrap();
    }
    assert!(error("x").ends_with("known: a, b"));
    assert!(error("../x").contains("not a valid name for a baseline"));
    std::fs::write(folder.path().join("baselines/c.json"), "{").unwrap();
    assert!(error("c").starts_with("cannot read the baseline"));
    // A folder of a run is accepted, too.
    let run = folder.path().join("run");
    std::fs::create_dir(&run).unwrap();
    let json = serde_json::to_vec(&fixed()).unwrap();
    std::fs::write(run.join("summary.json"), json).unwrap();
    assert_eq!(load(run.to_str().unwrap()).unwrap(), fixed());
}

#[test]
fn statistically_tied_rows_are_both_best() {
    let mut summary = fixed();
    let row = |name: &str, ratio: Option<[f64; 3]>| Row {
        solver: name.to_owned(),
        puzzles_per_s: 1e5 * ratio.map_or(1.0, |[value, ..]| value),
        vs_fastest: ratio.map(|[value, low, high]| Ratio {
            value,
            interval: Some(Interval { low, high }),
        }),
        ..summary.rows[2].clone()
    };
    summary.rows = vec![
        row("first", None),
        row("tied", Some([0.99, 0.97, 1.01])),
        row("slower", Some([0.98, 0.97, 0.99])),
    ];
    let text = report::bench_markdown(&summary);
    for (name, is_best) in [("first", true), ("tied", true), ("slower", false)] {
        assert_eq!(text.contains(&format!("| **{name}** |")), is_best, "{name}");
    }
    let page = report::bench_page(&summary);
    assert!(page.contains("not distinguishable from tied") && page.contains("as fast"));
    // Whiskers: each of the three bars has a line and two ends.
    assert!(page.contains("95 % interval"));
}
