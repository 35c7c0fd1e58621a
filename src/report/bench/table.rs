//! The tables of a measurement, as all its reports show them.

use crate::bench::{BenchSummary, Change, ChangeOutcome, Flag, Row, ThroughputRow};
use crate::report::number::{grouped, rate, time};

/// How it was measured, in two sentences.
pub(super) const METHOD: &str = "Every answer was checked outside the clock against a reference \
    solver; a wrong one strikes the row. Times are of single puzzles on one thread, taken in rounds in \
    which the order of the solvers changes, the cost of reading the clock subtracted.";

/// Titles of the table of a corpus.
pub(super) const TITLES: [&str; 9] = [
    "solver",
    "puzzles/s",
    "median",
    "p90",
    "p99",
    "max",
    "no guess",
    "guesses",
    "answers",
];

/// Titles of the table of all threads.
pub(super) const THROUGHPUT_TITLES: [&str; 6] = [
    "corpus",
    "solver",
    "threads",
    "puzzles/s",
    "times one thread",
    "",
];

/// Titles of the comparison. The times are what is left when the machine's change is taken out.
pub(super) const CHANGE_TITLES: [&str; 6] = [
    "corpus",
    "solver",
    "time",
    "99 % interval",
    "machine",
    "verdict",
];

/// A row, and how it stands among those of its corpus.
pub(super) struct Ranked<'a> {
    pub(super) row: &'a Row,
    /// Its rate over the highest one, from 0 to 1; nothing for a struck row.
    pub(super) share: Option<f64>,
    /// Whether it is the fastest of those that answered all they tried; giving up is quick.
    pub(super) is_best: bool,
}

impl Ranked<'_> {
    /// Whether it counts, and gave up on nothing.
    pub(super) fn answered_all(&self) -> bool {
        self.row.counts() && self.row.stuck + self.row.timeout == 0
    }
}

/// The rows of a corpus, the fastest first, then those that are struck or have covered nothing.
pub(super) fn ranked<'a>(rows: &'a [Row], corpus: &str) -> Vec<Ranked<'a>> {
    let rows = rows.iter().filter(|row| row.corpus == corpus);
    let rates = rows.clone().filter(|row| row.counts());
    let highest = rates.map(|row| row.puzzles_per_s).fold(0.0, f64::max);
    let share = |row: &Row| row.counts().then(|| row.puzzles_per_s / highest.max(1e-9));
    let mut ranked: Vec<Ranked<'_>> = rows
        .map(|row| Ranked {
            row,
            share: share(row),
            is_best: false,
        })
        .collect();
    ranked.sort_by(|a, b| {
        let key = |ranked: &Ranked<'_>| ranked.share.unwrap_or(-1.0);
        key(b).total_cmp(&key(a))
    });
    if let Some(best) = ranked.iter_mut().find(|ranked| ranked.answered_all()) {
        best.is_best = true;
    }
    ranked
}

/// The cells of a row below [`TITLES`]. A struck row has a name and the reason.
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
        us(row.median_us),
        us(row.p90_us),
        us(row.p99_us),
        us(row.max_us),
        percent.unwrap_or_default(),
        decimals(row.guesses_mean),
        answers(row),
    ]
}

/// The numbers behind [`cells`], for sorting.
pub(super) fn values(row: &Row) -> [Option<f64>; TITLES.len()] {
    let rate = (row.covered > 0).then_some(row.puzzles_per_s);
    let numbers = [
        None,
        rate,
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

/// How the puzzles were answered, in words; a struck row says why.
fn answers(row: &Row) -> String {
    if let Some(why) = &row.struck {
        return format!("struck: {why}");
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
            "external, without {} of start-up",
            time(1e6 * startup)
        ));
    }
    if row.covered < row.puzzles {
        let (covered, puzzles) = (grouped(row.covered), grouped(row.puzzles));
        parts.push(format!("covered {covered} of {puzzles}"));
    }
    parts.join(", ")
}

/// The cells of a row below [`THROUGHPUT_TITLES`].
pub(super) fn throughput_cells(row: &ThroughputRow) -> [String; THROUGHPUT_TITLES.len()] {
    let times = row.times_one_thread.map(|times| format!("{times:.2}"));
    let (rate, times, note) = match &row.struck {
        Some(why) => (String::new(), None, format!("struck: {why}")),
        None if row.cut => {
            let note = format!("covered {}", grouped(row.puzzles));
            (rate(row.puzzles_per_s), times, note)
        }
        None => (rate(row.puzzles_per_s), times, String::new()),
    };
    [
        row.corpus.clone(),
        row.solver.clone(),
        row.threads.to_string(),
        rate,
        times.unwrap_or_default(),
        note,
    ]
}

/// The cells of a row below [`CHANGE_TITLES`], and the flag of the row, if it was compared.
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
            low,
            high,
            machine,
            flag,
        } => {
            let verdict = match flag {
                Flag::Faster => "faster",
                Flag::Slower => "slower",
                Flag::Same => "no change beyond the noise",
            };
            let interval = format!("{} to {}", percent(*low), percent(*high));
            let (ratio, machine) = (percent(*ratio), percent(*machine));
            let cells = [corpus, solver, ratio, interval, machine, verdict.to_owned()];
            (cells, Some(*flag))
        }
    }
}

/// A ratio as a change: `+3.1 %`.
fn percent(ratio: f64) -> String {
    format!("{:+.1} %", 100.0 * (ratio - 1.0))
}

/// Where it was measured, on one line.
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

/// What was asked of the puzzles and what they were allowed, on one line.
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
