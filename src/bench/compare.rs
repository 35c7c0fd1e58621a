//! Compares two runs row by row: which rates differ beyond the noise, and which rows are not
//! comparable.

use super::row::{CorpusRow, Row};
use super::summary::{BenchSummary, Change, ChangeOutcome, Comparison, Flag};
use crate::statistics::{Interval, Ratio};

/// Changes up to this are not flagged, however significant: an interval contains the noise within
/// two runs, but no other differences between them, such as the program's position in memory.
const LEAST_CHANGE: f64 = 0.02;

impl Comparison {
    /// Compares the rows of a run with those of the baseline `base`, which is called `name`.
    pub fn new(run: &BenchSummary, name: &str, base: &BenchSummary) -> Comparison {
        let change = |row: &Row| Change {
            corpus: row.corpus.clone(),
            solver: row.solver.clone(),
            outcome: outcome(run, row, base),
        };
        let environment = &base.environment.environment;
        Comparison {
            base: name.to_owned(),
            cpu: environment.cpu.clone(),
            commit: environment.commit.to_string(),
            rows: run.rows.iter().map(change).collect(),
        }
    }
}

impl BenchSummary {
    /// Adds the comparison with a baseline that is called `name`.
    #[must_use]
    pub fn compared_with(self, name: &str, base: &BenchSummary) -> BenchSummary {
        BenchSummary {
            comparison: Some(Comparison::new(&self, name, base)),
            ..self
        }
    }
}

/// Compares a row with its partner in the baseline.
fn outcome(run: &BenchSummary, row: &Row, base: &BenchSummary) -> ChangeOutcome {
    match partner(run, row, base) {
        Err(why) => ChangeOutcome::NotComparable {
            why: why.to_owned(),
        },
        Ok((old, ratio)) => {
            let machine = machine(run, row, base, old);
            changed(ratio, machine)
        }
    }
}

/// Returns the row of the baseline that measures the same, and the ratio of the rates; or why there
/// is none.
fn partner<'a>(
    run: &BenchSummary,
    row: &Row,
    base: &'a BenchSummary,
) -> Result<(&'a Row, Ratio), &'static str> {
    let hash = |summary: &BenchSummary| {
        let mut corpora = summary.corpora.iter();
        let own = corpora.find(|corpus: &&CorpusRow| corpus.name == row.corpus);
        own.map(|corpus| corpus.reading.hash)
    };
    let claim = |holds: bool, why: &'static str| if holds { Ok(()) } else { Err(why) };
    let then = hash(base).ok_or("the other run has no such corpus")?;
    claim(hash(run) == Some(then), "other puzzles")?;
    let mut rows = base.rows.iter();
    let old = rows.find(|old| old.corpus == row.corpus && old.solver == row.solver);
    let old = old.ok_or("the other run has no such row")?;
    claim(old.goal == row.goal, "another goal")?;
    claim(old.counts() && row.counts(), "a row that does not count")?;
    claim(
        run.config.block == base.config.block,
        "rounds of another length",
    )?;
    claim(
        old.covered == row.covered,
        "not as many of the puzzles covered",
    )?;
    // Giving up is quick.
    let given_up = |row: &Row| row.stuck + row.timeout;
    claim(
        given_up(old) == given_up(row),
        "not as many of the puzzles given up",
    )?;
    let seed = run.config.seed;
    let ratio = match row.rounds.is_aligned(&old.rounds) {
        true => row.rounds.ratio_beside(&old.rounds, seed),
        false => row.rounds.ratio_apart(&old.rounds, seed),
    };
    Ok((old, ratio.ok_or("no time was measured")?))
}

/// Returns the speed of the calibration loop beside the row relative to the baseline's, if it is
/// the same machine.
fn machine(run: &BenchSummary, row: &Row, base: &BenchSummary, old: &Row) -> Option<f64> {
    let of = |summary: &BenchSummary| {
        let environment = &summary.environment.environment;
        (environment.cpu.clone(), environment.cores)
    };
    let times = || Some(old.rounds.calibration()? / row.rounds.calibration()?);
    if of(run) == of(base) { times() } else { None }
}

/// Returns the ratio without the machine's part, and its flag.
fn changed(ratio: Ratio, machine: Option<f64>) -> ChangeOutcome {
    let speed = machine.unwrap_or(1.0);
    let value = ratio.value / speed;
    let interval = ratio.interval.map(|interval| Interval {
        low: interval.low / speed,
        high: interval.high / speed,
    });
    // The calibration loop is not the solver: half of what it takes out stays in doubt.
    let least = (1.0 + LEAST_CHANGE).ln() + 0.5 * speed.ln().abs();
    let is_change = interval.is_some_and(|interval| interval.excludes(1.0));
    let flag = match value.ln() {
        change if is_change && change > least => Flag::Faster,
        change if is_change && change < -least => Flag::Slower,
        _ => Flag::Same,
    };
    ChangeOutcome::Compared {
        ratio: value,
        interval,
        machine,
        flag,
    }
}
