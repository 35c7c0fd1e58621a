//! Runs that are kept, and whether a new one differs from them beyond the noise.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::row::{CorpusRow, Row};

/// Changes up to this are not worth a flag, however certain.
const LEAST_CHANGE: f64 = 0.02;
/// Rounds that a row must have in both runs to be compared.
const LEAST_ROUNDS: usize = 5;
/// Groups of neighbouring rounds whose means are taken for independent.
const GROUPS: usize = 12;

/// A run that was kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// What it is called.
    pub name: String,
    /// Where it was measured, to be shown beside the comparison.
    pub environment: serde_json::Value,
    /// Puzzles of a round.
    pub block: usize,
    /// Hash of the puzzles by the name of the corpus.
    pub corpora: BTreeMap<String, String>,
    /// The rows that count.
    pub rows: Vec<BaselineRow>,
}

/// A row of a run that was kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BaselineRow {
    /// Name of the corpus.
    pub corpus: String,
    /// Name of the solver.
    pub solver: String,
    /// What was asked.
    pub goal: String,
    /// Rate on one thread.
    pub puzzles_per_s: f64,
    /// Nanoseconds a puzzle of each round.
    pub round_ns: Vec<f64>,
    /// Nanoseconds that a fixed piece of work took before each round.
    pub yardstick_ns: Vec<f64>,
}

/// A run against one that was kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// What the kept one is called.
    pub baseline: String,
    /// Its processor.
    pub cpu: String,
    /// Its commit.
    pub commit: String,
    /// A row a row.
    pub rows: Vec<Change>,
}

/// A row against the one that was kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Name of the corpus.
    pub corpus: String,
    /// Name of the solver.
    pub solver: String,
    /// How the times changed, or why that cannot be told.
    #[serde(flatten)]
    pub outcome: ChangeOutcome,
}

/// What a comparison of two rows gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum ChangeOutcome {
    /// Times a puzzle, new over old, in units of the fixed work that was timed beside them.
    Compared {
        /// Geometric mean of the ratios of the rounds.
        ratio: f64,
        /// Lower end of the 99 % confidence interval.
        low: f64,
        /// Upper end.
        high: f64,
        /// Time of the fixed work, new over old: how much slower the machine was.
        machine: f64,
        /// Whether it is a change beyond the noise.
        flag: Flag,
    },
    /// The rows do not measure the same.
    NotComparable {
        /// Why.
        why: String,
    },
}

/// Whether times changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// Less time, beyond the noise.
    Faster,
    /// More time, beyond the noise.
    Slower,
    /// Nothing that could be told from noise, or too little to matter.
    Same,
}

impl Baseline {
    /// Compares a run with this one, row by row.
    pub fn compare(&self, block: usize, corpora: &[CorpusRow], rows: &[Row]) -> Comparison {
        let told = |key: &str| {
            let value = self.environment.get(key).and_then(|value| value.as_str());
            value.unwrap_or("unknown").to_owned()
        };
        let change = |row: &Row| Change {
            corpus: row.corpus.clone(),
            solver: row.solver.clone(),
            outcome: match self.partner(block, corpora, row) {
                Ok(old) => change(
                    Rounds(&old.round_ns, &old.yardstick_ns),
                    Rounds(&row.round_ns, &row.yardstick_ns),
                ),
                Err(why) => ChangeOutcome::NotComparable { why },
            },
        };
        Comparison {
            baseline: self.name.clone(),
            cpu: told("cpu"),
            commit: told("commit"),
            rows: rows.iter().map(change).collect(),
        }
    }

    /// The kept row that measured the same, or why there is none.
    fn partner(
        &self,
        block: usize,
        corpora: &[CorpusRow],
        row: &Row,
    ) -> Result<&BaselineRow, String> {
        let now = corpora.iter().find(|corpus| corpus.name == row.corpus);
        let now = now.map(|corpus| &corpus.blake3);
        match self.corpora.get(&row.corpus) {
            None => return Err("the baseline has no such corpus".to_owned()),
            then if then != now => return Err("the puzzles are others".to_owned()),
            Some(_) => {}
        }
        if !row.counts() {
            return Err("the row does not count".to_owned());
        }
        if row.round_ns.is_empty() {
            return Err("it is not timed in rounds".to_owned());
        }
        if block != self.block {
            return Err("the rounds are of another length".to_owned());
        }
        let same = |old: &&BaselineRow| old.corpus == row.corpus && old.solver == row.solver;
        let mut olds = self.rows.iter().filter(same).peekable();
        if olds.peek().is_none() {
            return Err("the baseline has no such row".to_owned());
        }
        let old = olds.find(|old| old.goal == row.goal);
        let old = old.ok_or_else(|| "the baseline has another goal".to_owned())?;
        if old.round_ns.len().min(row.round_ns.len()) < LEAST_ROUNDS {
            return Err(format!("fewer than {LEAST_ROUNDS} rounds in common"));
        }
        Ok(old)
    }
}

/// Nanoseconds a puzzle of each round, and of the fixed work beside it.
#[derive(Clone, Copy)]
struct Rounds<'a>(&'a [f64], &'a [f64]);

/// Pairs the rounds of two runs, which hold the same puzzles, and asks whether the mean of the
/// logarithms of their ratios is zero, after the machine's part is taken out. Neighbouring rounds
/// share the state of the machine, so groups of them are taken for the independent observations (the
/// method of batch means), by their medians, which a round that was interrupted does not move.
/// Student's t gives the interval.
fn change(old: Rounds<'_>, new: Rounds<'_>) -> ChangeOutcome {
    let machine = ratios(old.1, new.1);
    let machine = if machine.is_empty() {
        0.0
    } else {
        median(machine)
    };
    let own = ratios(old.0, new.0);
    let size = own.len().div_ceil(GROUPS);
    let groups: Vec<f64> = own
        .chunks(size)
        .map(|group| median(group.to_vec()) - machine)
        .collect();
    let center = mean(&groups);
    let freedom = groups.len() - 1;
    let squares = groups.iter().map(|group| (group - center).powi(2));
    let deviation = (squares.sum::<f64>() / freedom as f64).sqrt();
    let reach = student(freedom) * deviation / (groups.len() as f64).sqrt();
    let (low, high) = (center - reach, center + reach);
    // The fixed work is not the solver's: half of what it takes out stays in doubt.
    let least = (1.0 + LEAST_CHANGE).ln() + 0.5 * machine.abs();
    ChangeOutcome::Compared {
        ratio: center.exp(),
        low: low.exp(),
        high: high.exp(),
        machine: machine.exp(),
        flag: if low > 0.0 && center > least {
            Flag::Slower
        } else if high < 0.0 && center < -least {
            Flag::Faster
        } else {
            Flag::Same
        },
    }
}

/// Logarithms of the ratios, new over old.
fn ratios(old: &[f64], new: &[f64]) -> Vec<f64> {
    // A clock too coarse for a round may tell no time at all.
    let logarithm = |ns: &f64| ns.max(1e-3).ln();
    let pairs = old.iter().zip(new);
    pairs
        .map(|(old, new)| logarithm(new) - logarithm(old))
        .collect()
}

/// The middle of the values, or of the two in the middle; there is one at least.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 {
        values[half]
    } else {
        mean(&values[half - 1..=half])
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Quantile 0.995 of Student's distribution, for intervals of 99 %.
const fn student(freedom: usize) -> f64 {
    const TABLE: [f64; 11] = [
        63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250, 3.169, 3.106,
    ];
    let last = TABLE.len() - 1;
    let place = if freedom > last {
        last
    } else {
        freedom.saturating_sub(1)
    };
    TABLE[place]
}
