//! Measuring, with solvers that lie, get stuck, dawdle or change their mind; and the reports.
#![allow(clippy::unwrap_used, missing_docs)]

use std::io::Cursor;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sudoku_batch::bench::{
    Baseline, Bench, BenchConfig, BenchSummary, ChangeOutcome, Clock, Conditions, CorpusResult,
    CorpusRow, Event, Flag, Kind, Repeat, Row, Settings, ThroughputRow,
};
use sudoku_batch::corpus::Corpus;
use sudoku_batch::environment::Environment;
use sudoku_batch::grid::{Candidate, CandidateGrid, Cell, Digit, Puzzle};
use sudoku_batch::report;
use sudoku_batch::roster::{ROSTER, SolverSpec, find};
use sudoku_batch::solve::{
    Budget, Effort, Generator, Goal, Kind as Wanted, Limits, Mrv, Outcome, Solver, Verdict,
};

/// From Wikipedia's article on Sudoku.
const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// A solver made of a function that may spoil the answer of `mrv`.
struct Fake {
    calls: u64,
    spoil: fn(u64, &Puzzle, Outcome) -> Outcome,
}

impl Solver for Fake {
    fn solve(&mut self, puzzle: &Puzzle, goal: Goal, budget: Budget) -> Outcome {
        self.calls += 1;
        let outcome = Mrv::new().solve(puzzle, goal, budget);
        (self.spoil)(self.calls, puzzle, outcome)
    }
}

macro_rules! fake {
    ($name:literal, $spoil:expr) => {
        SolverSpec {
            name: $name,
            about: "a fake",
            complete: true,
            build: || {
                Box::new(Fake {
                    calls: 0,
                    spoil: $spoil,
                })
            },
        }
    };
}

fn mrv() -> SolverSpec {
    *find("mrv").unwrap()
}

/// A configuration that is done at once: a corpus is gone over just once.
fn quick() -> BenchConfig {
    BenchConfig {
        repeat: Repeat {
            rounds: 0,
            least: Duration::ZERO,
            enough: Duration::ZERO,
        },
        ..BenchConfig::default()
    }
}

fn measured(
    config: BenchConfig,
    solvers: &[SolverSpec],
    text: &str,
) -> (CorpusResult, Vec<String>) {
    let stop = AtomicBool::new(false);
    let bench = Bench::new(config, solvers.to_vec(), Vec::new(), &stop);
    let corpus = Corpus::from_reader("f", Cursor::new(text.to_owned().into_bytes())).unwrap();
    let mut problems = Vec::new();
    let result = bench.corpus("c", "f", corpus, true, &mut |event| {
        if let Event::Problem(problem) = event {
            problems.push(problem.to_string());
        }
    });
    (result, problems)
}

fn ambiguous() -> String {
    SOLUTION.replace(['1', '2'], ".")
}

fn unsolvable() -> String {
    PUZZLE.replacen("53.", "535", 1)
}

/// A corpus with one puzzle of each kind.
fn mixed() -> String {
    format!("{PUZZLE}\n{}\n{}\n", ambiguous(), unsolvable())
}

#[test]
fn every_row_of_the_roster_is_right_about_puzzles_of_every_kind() {
    let mut generator = Generator::default();
    let mut text = mixed();
    for n in 0..40 {
        text += &format!("{}\n", generator.puzzle(Wanted::Easy, 1, n));
    }
    for goal in [Goal::ProveUnique, Goal::FirstSolution] {
        let config = BenchConfig { goal, ..quick() };
        let (result, problems) = measured(config, ROSTER, &text);
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!(result.rows.len(), ROSTER.len());
        for (row, spec) in result.rows.iter().zip(ROSTER) {
            assert_eq!(row.solver, spec.name);
            assert_eq!((row.puzzles, row.covered, row.wrong), (43, 43, 0));
            assert_eq!(row.struck, None);
            let answered = row.unique + row.multiple + row.unsolvable;
            assert_eq!(answered + row.stuck + row.timeout, 43);
            // A slow machine may run into the limit of a puzzle with a slow row.
            if spec.complete && row.timeout == 0 {
                let first = goal == Goal::FirstSolution;
                assert_eq!(row.unique, if first { 42 } else { 41 });
                assert_eq!((row.unsolvable, row.stuck), (1, 0));
            }
            assert!(row.min_us <= row.median_us && row.median_us <= row.p90_us);
            assert!(row.p90_us <= row.p99_us && row.p99_us <= row.max_us);
            assert!(row.puzzles_per_s > 0.0 && row.total_s > 0.0);
        }
        assert_eq!(result.throughput.len(), ROSTER.len());
        assert!(
            result
                .throughput
                .iter()
                .all(|row| row.puzzles == 43 && row.struck.is_none())
        );
    }
}

#[test]
fn a_lie_strikes_the_row_and_is_told_with_its_line() {
    let lies: [(SolverSpec, &str); 4] = [
        (
            fake!("no", |_, _, outcome| Outcome {
                verdict: Verdict::Unsolvable,
                ..outcome
            }),
            "there is no solution, but there is one",
        ),
        (
            fake!("only", |_, _, outcome| Outcome {
                verdict: match outcome.verdict {
                    Verdict::Multiple(two) => Verdict::Unique(two[0]),
                    verdict => verdict,
                },
                ..outcome
            }),
            "its solution is the only one, but there are more",
        ),
        (
            fake!("twice", |_, _, outcome| Outcome {
                verdict: match outcome.verdict {
                    Verdict::Unique(one) => Verdict::Multiple(vec![one, one]),
                    verdict => verdict,
                },
                ..outcome
            }),
            "does not show two different ones",
        ),
        (
            fake!("struck", |_, _, outcome| Outcome {
                verdict: match outcome.verdict {
                    Verdict::Unique(_) => {
                        let other: Puzzle = SOLUTION.replace(['1', '2'], ".").parse().unwrap();
                        let mut grid = CandidateGrid::new(&other).unwrap();
                        let cell = Cell::new(7).unwrap();
                        let digit = Digit::new(2).unwrap();
                        grid.place(Candidate { cell, digit }).unwrap();
                        Verdict::Stuck(Box::new(grid))
                    }
                    verdict => verdict,
                },
                ..outcome
            }),
            "it struck a candidate that belongs to a solution",
        ),
    ];
    for (liar, why) in lies {
        let (result, problems) = measured(quick(), &[liar, mrv()], &mixed());
        let row = &result.rows[0];
        assert!(
            row.wrong > 0 && row.struck.is_some() && !row.counts(),
            "{row:?}"
        );
        assert!(
            problems.iter().any(|problem| problem.contains(why)),
            "{problems:?}"
        );
        assert!(
            problems
                .iter()
                .all(|problem| problem.starts_with("f:") && problem.contains(liar.name))
        );
        assert_eq!((result.rows[1].wrong, &result.rows[1].struck), (0, &None));
        assert!(result.throughput[0].struck.is_some());
    }
}

#[test]
fn many_lies_are_counted_and_a_few_told() {
    let liar = fake!("no", |_, _, outcome| Outcome {
        verdict: Verdict::Unsolvable,
        ..outcome
    });
    let config = BenchConfig {
        throughput: false,
        ..quick()
    };
    let (result, problems) = measured(config, &[liar], &format!("{PUZZLE}\n").repeat(50));
    // One more in the warm-up.
    assert_eq!(result.rows[0].wrong, 51);
    assert_eq!(result.rows[0].covered, 50);
    assert_eq!(problems.len(), 6);
    assert_eq!(problems[5], "no on c: 46 more wrong answers");
}

#[test]
fn a_solver_that_lies_only_later_is_caught_too() {
    let liar = fake!("later", |calls, _, outcome| Outcome {
        verdict: if calls == 3000 {
            Verdict::Unsolvable
        } else {
            outcome.verdict
        },
        ..outcome
    });
    let config = BenchConfig {
        throughput: false,
        repeat: Repeat {
            rounds: 20,
            least: Duration::ZERO,
            enough: Duration::MAX,
        },
        ..quick()
    };
    let (result, _) = measured(config, &[liar], PUZZLE);
    let row = &result.rows[0];
    assert_eq!((row.covered, row.unique, row.wrong), (1, 1, 1));
    assert!(row.struck.is_some());
}

#[test]
fn getting_stuck_and_running_out_of_time_are_no_lies() {
    let stuck = fake!("stuck", |_, puzzle, outcome| Outcome {
        verdict: CandidateGrid::new(puzzle)
            .map_or(Verdict::Unsolvable, |grid| Verdict::Stuck(Box::new(grid))),
        ..outcome
    });
    let late = fake!("late", |_, _, outcome| Outcome {
        verdict: Verdict::OutOfBudget,
        ..outcome
    });
    let (result, problems) = measured(quick(), &[stuck, late], &mixed());
    assert_eq!(problems, Vec::<String>::new());
    let [stuck, late] = &result.rows[..] else {
        panic!("two rows");
    };
    assert_eq!((stuck.stuck, stuck.unsolvable), (2, 1));
    assert_eq!((late.timeout, late.no_guess_pct), (3, Some(0.0)));
}

#[test]
fn a_slow_solver_stops_at_its_budget_and_the_rest_is_still_read() {
    let slow = fake!("slow", |_, _, outcome| {
        std::thread::sleep(Duration::from_millis(2));
        outcome
    });
    let config = BenchConfig {
        budget: Duration::from_millis(20),
        chunk: 32,
        block: 16,
        ..quick()
    };
    let text = format!("{PUZZLE}\n").repeat(200) + "bad\n";
    let (result, problems) = measured(config, &[slow, mrv()], &text);
    assert_eq!(problems.len(), 1);
    let [slow, mrv] = &result.rows[..] else {
        panic!("two rows");
    };
    assert!(slow.cut && (1..=11).contains(&slow.covered), "{slow:?}");
    assert!(slow.puzzles == 200 && slow.unique == slow.covered);
    assert_eq!((mrv.covered, mrv.cut), (200, false));
    assert!(result.throughput[0].cut && result.throughput[0].puzzles < 200);
    assert_eq!((result.corpus.puzzles, result.corpus.bad_lines), (200, 1));
}

#[test]
fn few_puzzles_are_gone_over_again_and_counted_once() {
    let config = BenchConfig {
        throughput: false,
        repeat: Repeat {
            rounds: 10,
            least: Duration::ZERO,
            enough: Duration::MAX,
        },
        ..quick()
    };
    let (result, _) = measured(config, &[mrv()], &mixed());
    let row = &result.rows[0];
    assert_eq!((row.rounds, row.covered), (10, 3));
    // The first round is a single pass, the others are as many as fit, but whole ones.
    assert!(row.passes >= 10.0 && row.passes.fract() == 0.0, "{row:?}");
    assert_eq!((row.unique, row.multiple, row.unsolvable), (1, 1, 1));
    assert_eq!(row.round_ns.len(), 10);
}

#[test]
fn a_corpus_with_a_wrong_solution_is_told() {
    let wrong = SOLUTION.replace('1', "2");
    let text = format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n{PUZZLE},{wrong}\n");
    let (result, problems) = measured(quick(), &[mrv()], &text);
    assert_eq!(
        problems,
        ["f:3: the solution given with the puzzle is not its solution"]
    );
    assert_eq!(
        (result.corpus.wrong_solutions, result.rows[0].wrong),
        (1, 0)
    );
}

/// Everything but times and the machine.
fn timeless(mut row: Row) -> Row {
    row.round_ns.clear();
    row.yardstick_ns.clear();
    for time in [
        &mut row.min_us,
        &mut row.median_us,
        &mut row.p90_us,
        &mut row.p99_us,
        &mut row.max_us,
    ] {
        *time = None;
    }
    Row {
        total_s: 0.0,
        puzzles_per_s: 0.0,
        ..row
    }
}

#[test]
fn the_same_seed_gives_the_same_rows_but_for_times() {
    let mut generator = Generator::default();
    let text: String = (0..100)
        .map(|n| format!("{}\n", generator.puzzle(Wanted::Easy, 2, n)))
        .collect();
    let rows = |seed, chunk| -> (Vec<Row>, String) {
        let config = BenchConfig {
            sample: Some(30),
            seed,
            chunk,
            block: 8,
            limits: Limits::NONE,
            throughput: false,
            ..quick()
        };
        let (result, _) = measured(config, ROSTER, &text);
        (
            result.rows.into_iter().map(timeless).collect(),
            result.corpus.blake3,
        )
    };
    assert_eq!(rows(1, 64), rows(1, 64));
    assert_eq!(rows(1, 64), rows(1, 16));
    assert_ne!(rows(1, 64).1, rows(2, 64).1);
}

#[test]
fn samples_are_told_for_each_puzzle_and_solver_once() {
    let stop = AtomicBool::new(false);
    let bench = Bench::new(BenchConfig::default(), vec![mrv()], Vec::new(), &stop);
    let corpus = Corpus::from_reader("f", Cursor::new(mixed().into_bytes())).unwrap();
    let mut seen = Vec::new();
    bench.corpus("c", "f", corpus, true, &mut |event| {
        if let Event::Sample { line, sample, .. } = event {
            assert!(sample.cost.is_some());
            seen.push((line, sample.kind));
        }
    });
    assert_eq!(
        seen,
        [
            (1, Kind::Unique),
            (2, Kind::Multiple),
            (3, Kind::Unsolvable)
        ]
    );
}

#[test]
fn a_run_that_is_stopped_at_once_measures_nothing() {
    let stop = AtomicBool::new(true);
    let bench = Bench::new(quick(), vec![mrv()], Vec::new(), &stop);
    let corpus = Corpus::from_reader("f", Cursor::new(mixed().into_bytes())).unwrap();
    let result = bench.corpus("c", "f", corpus, false, &mut |_| {});
    assert!(result.stopped);
    assert_eq!(result.rows[0].covered, 0);
}

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
        passes: 1.0,
        rounds: 10,
        round_ns: (0..10)
            .map(|n| 1e9 / rate * (1.0 + 0.01 * f64::from(n % 3)))
            .collect(),
        ..Row::default()
    };
    let mut cut = row("slow", 412.0);
    cut.covered = 123;
    cut.unique = 121;
    cut.timeout = 1;
    cut.cut = true;
    let mut struck = row("liar|x", 999_999.0);
    struck.wrong = 2;
    struck.struck = Some("2 wrong answers".to_owned());
    let rows = vec![cut, struck, row("mrv", 144_244.0)];
    let result = CorpusResult {
        corpus: CorpusRow {
            name: "hard_<set>".to_owned(),
            file: "data/hard_<set>.txt".to_owned(),
            puzzles: 10_000,
            bad_lines: 2,
            blake3: "00".repeat(32),
            ..CorpusRow::default()
        },
        rows,
        throughput: vec![ThroughputRow {
            corpus: "hard_<set>".to_owned(),
            solver: "mrv".to_owned(),
            goal: "unique".to_owned(),
            threads: 8,
            puzzles: 10_000,
            seconds: 0.0093,
            puzzles_per_s: 1_075_268.8,
            times_one_thread: Some(7.45),
            ..ThroughputRow::default()
        }],
        stopped: false,
    };
    let conditions = Conditions {
        environment: Environment {
            cpu: "Some CPU @ 3 GHz".to_owned(),
            arch: "x86_64",
            os: "linux",
            cores: 8,
            threads: 8,
            cpu_features: vec!["avx2"],
            build_features: vec!["sse2"],
            rustc: "rustc 1.95.0",
            version: "0.1.0",
            commit: "abcdef0",
            profile: "release",
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
    BenchSummary::new(settings, conditions, vec![result], None)
}

#[test]
fn the_report_in_markdown() {
    let mut summary = fixed();
    let kept = summary.baseline("before");
    summary.comparison = Some(kept.compare(1024, &summary.corpora, &summary.rows));
    insta::assert_snapshot!(report::bench_markdown(&summary));
}

#[test]
fn the_table_on_the_terminal() {
    let text = report::bench_terminal(&fixed());
    // As a pipe gets it: without styles.
    let plain = anstream::adapter::strip_str(&text).to_string();
    insta::assert_snapshot!(plain);
}

#[test]
fn who_gives_up_is_not_the_best() {
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
fn the_page_escapes_names_and_stands_alone() {
    let page = report::bench_page(&fixed());
    assert!(page.contains("hard_&lt;set&gt;") && !page.contains("<set>"));
    assert!(!page.contains("http") && !page.contains("<script"));
    assert!(page.contains("width: 100.0%") && page.contains("2 wrong answers"));
}

/// The fixed run with each round's time changed by `change(round)`.
fn changed(change: impl Fn(usize) -> f64) -> BenchSummary {
    let mut summary = fixed();
    for row in &mut summary.rows {
        row.round_ns = (0..48)
            .map(|round| 5000.0 * (1.0 + 0.3 * (round % 5) as f64) * change(round))
            .collect();
    }
    summary
}

fn flags(old: &BenchSummary, new: &BenchSummary) -> Vec<Option<Flag>> {
    let kept = old.baseline("before");
    // By way of the file, since that is how it is used.
    let folder = tempfile::tempdir().unwrap();
    kept.save(folder.path()).unwrap();
    let kept = Baseline::load(folder.path(), "before").unwrap();
    let comparison = kept.compare(new.config.block, &new.corpora, &new.rows);
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
    // Certain, and too little to matter.
    assert_eq!(flags(&base, &changed(|_| 1.01)), all(Flag::Same));
    let mut false_alarms = 0;
    for seed in 0..100 {
        let noisy = flags(&base, &changed(noise(seed)));
        false_alarms += usize::from(noisy != all(Flag::Same));
        let slower = changed(|round| 1.25 * noise(seed)(round));
        assert_eq!(flags(&base, &slower), all(Flag::Slower), "{seed}");
    }
    // One in a hundred is what an interval of 99 % promises.
    assert!(false_alarms <= 4, "{false_alarms}");
}

#[test]
fn a_slower_machine_is_no_slower_solver() {
    let with = |yardstick: f64, change: f64| {
        let mut summary = changed(move |_| yardstick * change);
        for row in &mut summary.rows {
            row.yardstick_ns = vec![30_000.0 * yardstick; 48];
        }
        summary
    };
    let base = with(1.0, 1.0);
    let flag = |yardstick, change| flags(&base, &with(yardstick, change))[0];
    assert_eq!(flag(1.3, 1.0), Some(Flag::Same));
    assert_eq!(flag(1.3, 1.04), Some(Flag::Same));
    assert_eq!(flag(1.3, 1.3), Some(Flag::Slower));
    assert_eq!(flag(1.05, 0.9), Some(Flag::Faster));
}

#[test]
fn only_the_same_measurement_is_compared() {
    let base = changed(|_| 1.0);
    let kept = base.baseline("before");
    let why = |spoil: &dyn Fn(&mut BenchSummary)| {
        let mut new = changed(|_| 1.0);
        spoil(&mut new);
        let comparison = kept.compare(new.config.block, &new.corpora, &new.rows);
        match &comparison.rows[0].outcome {
            ChangeOutcome::NotComparable { why } => why.clone(),
            outcome => panic!("{outcome:?}"),
        }
    };
    assert_eq!(
        why(&|new| new.corpora[0].blake3 = "11".repeat(32)),
        "the puzzles are others"
    );
    assert_eq!(
        why(&|new| new.rows[0].corpus = "x".to_owned()),
        "the baseline has no such corpus"
    );
    assert_eq!(
        why(&|new| new.rows[0].solver = "x".to_owned()),
        "the baseline has no such row"
    );
    assert_eq!(
        why(&|new| new.rows[0].goal = "first".to_owned()),
        "the baseline has another goal"
    );
    assert_eq!(
        why(&|new| new.config.block = 7),
        "the rounds are of another length"
    );
    assert_eq!(
        why(&|new| new.rows[0].round_ns.truncate(4)),
        "fewer than 5 rounds in common"
    );
    assert_eq!(
        why(&|new| new.rows[0].struck = Some(String::new())),
        "the row does not count"
    );
}

#[test]
fn an_unknown_baseline_lists_the_known_ones() {
    let folder = tempfile::tempdir().unwrap();
    let error = |name: &str| Baseline::load(folder.path(), name).unwrap_err().to_string();
    assert!(error("x").ends_with("there: none"));
    for name in ["b", "a"] {
        fixed().baseline(name).save(folder.path()).unwrap();
    }
    assert!(error("x").ends_with("there: a, b"));
    assert!(error("../x").contains("no name for a baseline"));
    std::fs::write(folder.path().join("baselines/c.json"), "{").unwrap();
    assert!(error("c").starts_with("cannot read the baseline"));
}

#[test]
fn effort_is_counted_once_a_puzzle() {
    let fixed = fake!("fixed", |_, _, outcome| Outcome {
        effort: Effort {
            guesses: 3,
            nodes: 7
        },
        ..outcome
    });
    let (result, _) = measured(BenchConfig::default(), &[fixed], &mixed());
    let row = &result.rows[0];
    assert_eq!((row.guesses_mean, row.nodes_mean), (Some(3.0), Some(7.0)));
    assert_eq!(row.no_guess_pct, Some(0.0));
}
