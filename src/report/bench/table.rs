//! The tables of a measurement, shared by all its reports.

use crate::bench::{
    BenchSummary, Change, ChangeOutcome, Flag, Interval, Ratio, Row, ThroughputRow,
};
use crate::report::number::{grouped, rate, time};

/// The method in short; `docs/src/explanation/bench.md` has the details.
pub(super) const METHOD: &str = "Puzzles/s: a solver gets a block of puzzles as lines of text in one call and \
    writes 81 bytes and a count for each, all of which is timed. Each block is a round: every solver solves it \
    before the next one, in a random order for each round, after the same warm-up on other puzzles; \
    a short list is repeated in new orders. Times: each puzzle in its own call, the median of \
    its repeats. Every answer is checked, outside the timed region, by a solver that shares no search code with \
    the row; a wrong answer invalidates the row. Intervals: 95 %, percentile bootstrap over rounds (2,000 \
    resamples, circular blocks, seeded); ratios are paired by round. Rates are called different only if the \
    interval of their ratio excludes 1.";

/// Titles of the table of a corpus.
pub(super) const TITLES: [&str; 10] = [
    "solver",
    "puzzles/s",
    "95 % interval",
    "median",
    "p90",
    "p99",
    "max",
    "no guess",
    "guesses",
    "answers",
];

/// Titles of the table of all threads.
pub(super) const THROUGHPUT_TITLES: [&str; 8] = [
    "corpus",
    "solver",
    "threads",
    "puzzles/s",
    "95 % interval",
    "times one thread",
    "95 % interval",
    "",
];

/// Titles of the comparison. The change of the rate excludes the machine's part.
pub(super) const CHANGE_TITLES: [&str; 6] = [
    "corpus",
    "solver",
    "rate",
    "95 % interval",
    "machine",
    "verdict",
];

/// A row with its rank in its corpus.
pub(super) struct Ranked<'a> {
    pub(super) row: &'a Row,
    /// Its rate relative to the highest one, from 0 to 1; `None` for an invalid row.
    pub(super) share: Option<f64>,
    /// Whether it is the fastest of those that answered all they tried, or not distinguishable from
    /// it. Rows that gave up do not count, since giving up is quick.
    pub(super) is_best: bool,
}

/// Returns the rows of a corpus, the fastest first, then those that are invalid or have covered
/// nothing.
pub(super) fn ranked<'a>(rows: &'a [Row], corpus: &str) -> Vec<Ranked<'a>> {
    let rows = rows.iter().filter(|row| row.corpus == corpus);
    let rates = rows.clone().filter(|row| row.counts());
    let highest = rates.map(|row| row.puzzles_per_s).fold(0.0, f64::max);
    let share = |row: &Row| row.counts().then(|| row.puzzles_per_s / highest.max(1e-9));
    let complete = rows.clone().filter(|row| row.answered_all());
    let fastest = complete.max_by(|a, b| a.puzzles_per_s.total_cmp(&b.puzzles_per_s));
    let fastest = fastest.map(|row| &row.solver);
    let is_tied = |row: &Row| {
        let interval = row.vs_fastest.and_then(|ratio| ratio.interval);
        row.answered_all() && interval.is_some_and(|interval| !interval.excludes(1.0))
    };
    let mut ranked: Vec<Ranked<'_>> = rows
        .map(|row| Ranked {
            row,
            share: share(row),
            is_best: Some(&row.solver) == fastest || is_tied(row),
        })
        .collect();
    ranked.sort_by(|a, b| {
        let key = |ranked: &Ranked<'_>| ranked.share.unwrap_or(-1.0);
        key(b).total_cmp(&key(a))
    });
    ranked
}

/// Returns the rate of a row relative to that of the fastest one that answered all.
pub(super) fn standing(row: &Row) -> String {
    match row.vs_fastest {
        None => "fastest".to_owned(),
        Some(ratio) if !ratio.is_difference() => match ratio.interval {
            Some(_) => "as fast".to_owned(),
            None => format!("about {}", factor(ratio.value)),
        },
        Some(ratio) => factor(ratio.value),
    }
}

fn factor(ratio: f64) -> String {
    match ratio {
        ratio if ratio > 1.0 => format!("{}× faster", rate(ratio)),
        ratio => format!("{}× slower", rate(1.0 / ratio.max(f64::MIN_POSITIVE))),
    }
}

/// Returns an interval as text; empty if there is none.
pub(super) fn range(interval: Option<Interval>) -> String {
    interval.map_or_else(String::new, |Interval { low, high }| {
        format!("{} to {}", rate(low), rate(high))
    })
}

/// Returns the cells of a row below [`TITLES`]. Invalid rows have a name and the reason.
pub(super) fn cells(row: &Row) -> [String; TITLES.len()] {
    if row.struck.is_some() {
        let mut cells = [const { String::new() }; TITLES.len()];
        cells[0] = row.solver.clone();
        cells[TITLES.len() - 1] = answers(row);
        return cells;
    }
    let us = |value: Option<f64>| value.map_or_else(String::new, time);
    let decimals = |value: Option<f64>| {
        value.map_or_else(String::new, |value| match value {
            value if value < 9.995 => format!("{value:.2}"),
            value if value < 9999.5 => format!("{value:.1}"),
            value => grouped(value.round() as u64),
        })
    };
    let percent = row.no_guess_pct.map(|percent| format!("{percent:.1} %"));
    [
        row.solver.clone(),
        if row.covered > 0 {
            rate(row.puzzles_per_s)
        } else {
            String::new()
        },
        range(row.rate_interval),
        us(row.median_us),
        us(row.p90_us),
        us(row.p99_us),
        us(row.max_us),
        percent.unwrap_or_default(),
        decimals(row.guesses_mean),
        answers(row),
    ]
}

/// Returns the sort keys of [`cells`].
pub(super) fn values(row: &Row) -> [Option<f64>; TITLES.len()] {
    let rate = (row.covered > 0).then_some(row.puzzles_per_s);
    let numbers = [
        None,
        rate,
        row.rate_interval.map(|interval| interval.low),
        row.median_us,
        row.p90_us,
        row.p99_us,
        row.max_us,
        row.no_guess_pct,
        row.guesses_mean,
        None,
    ];
    numbers.map(|number| number.filter(|_| row.struck.is_none()))
}

/// Returns a text with the counts of answers; for an invalid row the reason.
fn answers(row: &Row) -> String {
    if let Some(why) = &row.struck {
        return format!("invalid: {why}");
    }
    let solved = if row.goal == "first" {
        "solved"
    } else {
        "unique"
    };
    let counts = [
        (row.unique, solved),
        (row.assumed, "assumed unique"),
        (row.multiple, "multiple"),
        (row.unsolvable, "unsolvable"),
        (row.stuck, "stuck"),
        (row.timeout, "timeout"),
    ];
    let mut parts: Vec<String> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{} {name}", grouped(count)))
        .collect();
    if let Some(startup) = row.startup_s {
        parts.push(format!(
            "external, started for each round, which takes {}",
            time(1e6 * startup)
        ));
    }
    if row.covered < row.puzzles {
        let (covered, puzzles) = (grouped(row.covered), grouped(row.puzzles));
        parts.push(format!("covered {covered} of {puzzles}"));
    }
    parts.join(", ")
}

/// Returns the cells of a row below [`THROUGHPUT_TITLES`].
pub(super) fn throughput_cells(row: &ThroughputRow) -> [String; THROUGHPUT_TITLES.len()] {
    let (corpus, solver) = (row.corpus.clone(), row.solver.clone());
    let threads = row.threads.to_string();
    let ratio = |of: &dyn Fn(Ratio) -> String| row.vs_one_thread.map(of).unwrap_or_default();
    if let Some(why) = &row.struck {
        let note = format!("invalid: {why}");
        let empty = String::new;
        return [
            corpus,
            solver,
            threads,
            empty(),
            empty(),
            empty(),
            empty(),
            note,
        ];
    }
    [
        corpus,
        solver,
        threads,
        rate(row.puzzles_per_s),
        range(row.rate_interval),
        ratio(&|ratio| format!("{:.2}", ratio.value)),
        ratio(&|ratio| range(ratio.interval)),
        String::new(),
    ]
}

/// Returns the sort keys of [`throughput_cells`].
pub(super) fn throughput_values(row: &ThroughputRow) -> [Option<f64>; 5] {
    let ratio = row.vs_one_thread;
    [
        Some(row.threads as f64),
        Some(row.puzzles_per_s),
        row.rate_interval.map(|interval| interval.low),
        ratio.map(|ratio| ratio.value),
        ratio.and_then(|ratio| ratio.interval).map(|it| it.low),
    ]
}

/// Returns the cells of a row below [`CHANGE_TITLES`], and the flag of the row, if it was compared.
pub(super) fn change_cells(change: &Change) -> ([String; CHANGE_TITLES.len()], Option<Flag>) {
    let (corpus, solver) = (change.corpus.clone(), change.solver.clone());
    match &change.outcome {
        ChangeOutcome::NotComparable { why } => {
            let verdict = format!("not comparable: {why}");
            let empty = String::new;
            ([corpus, solver, empty(), empty(), empty(), verdict], None)
        }
        ChangeOutcome::Compared {
            ratio,
            interval,
            machine,
            flag,
        } => {
            let verdict = match (flag, interval) {
                (Flag::Faster, _) => "faster",
                (Flag::Slower, _) => "slower",
                (Flag::Same, Some(_)) => "no change beyond the noise",
                (Flag::Same, None) => "too few rounds to tell",
            };
            let ends = |it: &Interval| format!("{} to {}", percent(it.low), percent(it.high));
            let interval = interval.as_ref().map_or_else(String::new, ends);
            let machine = machine.map_or_else(|| "another one".to_owned(), percent);
            let verdict = verdict.to_owned();
            let cells = [corpus, solver, percent(*ratio), interval, machine, verdict];
            (cells, Some(*flag))
        }
    }
}

/// Returns a ratio as a change: `+3.1 %`.
fn percent(ratio: f64) -> String {
    format!("{:+.1} %", 100.0 * (ratio - 1.0))
}

/// Returns the conditions of the measurement on one line.
pub(super) fn machine(summary: &BenchSummary) -> String {
    let conditions = &summary.environment;
    let environment = &conditions.environment;
    let load = conditions
        .load_before
        .map(|load| format!(", load {load:.2}"));
    format!(
        "{}, {} cores, {} {}{}; {} build of sudoku-batch {} ({}), {}; clock costs {} ns{}",
        environment.cpu,
        environment.cores,
        environment.os,
        environment.arch,
        load.unwrap_or_default(),
        environment.profile,
        environment.version,
        environment.commit,
        environment.rustc,
        conditions.clock.cost_ns,
        conditions
            .pinned_core
            .map_or_else(String::new, |core| format!(", pinned to core {core}")),
    )
}

/// Returns the goal and the limits on one line.
pub(super) fn asked(summary: &BenchSummary) -> String {
    let config = &summary.config;
    let mut text = match config.goal.as_str() {
        "first" => "Goal: a first solution".to_owned(),
        _ => "Goal: the solution and the proof that it is the only one".to_owned(),
    };
    if let Some(seconds) = config.time_limit_s {
        text += &format!("; {seconds} s a puzzle");
    }
    text += &format!(", {} s a solver and corpus", config.budget_s);
    if let Some(sample) = config.sample {
        text += &format!(
            "; a sample of {} by seed {}",
            grouped(sample as u64),
            config.seed
        );
    }
    if let Some(limit) = config.limit {
        text += &format!("; the first {} puzzles", grouped(limit));
    }
    text
}
