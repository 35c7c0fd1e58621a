//! Compares saved runs: which rows are faster, and which are not comparable.

use std::collections::BTreeSet;

use serde::Serialize;

use super::row::{CorpusRow, Row};
use super::summary::{BenchSummary, Change, ChangeOutcome, Comparison, Flag};
use crate::settings::{Setting, differing};
use crate::statistics::Interval;

/// Comparison of runs. Lists with one entry per run are in the order of the runs; the others are
/// compared with the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchSideBySide {
    /// Names of the runs.
    pub runs: Vec<String>,
    /// For each run, what makes all of its rates less comparable with the first run's.
    pub caveats: Vec<Vec<String>>,
    /// Settings that differ between runs.
    pub settings: Vec<Setting>,
    /// One row per corpus and solver, in the order in which they first occur.
    pub rows: Vec<SideRow>,
    /// For each run but the first, a summary of the comparison.
    pub verdicts: Vec<RateVerdict>,
    /// For each corpus that is the same in all runs that have it, the fastest row.
    pub fastest: Vec<Fastest>,
}

/// A corpus and solver in all runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideRow {
    /// Name of the corpus.
    pub corpus: String,
    /// Name of the solver.
    pub solver: String,
    /// The row in each run, if the run has it.
    pub entries: Vec<Option<SideEntry>>,
}

/// The row of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideEntry {
    /// Rate on one thread; `None` where the row is invalid.
    pub puzzles_per_s: Option<f64>,
    /// Rate relative to the first run, where both measure the same; see [`ChangeOutcome`].
    pub ratio: Option<f64>,
    /// The 95 % interval of this ratio, if both have enough rounds.
    pub interval: Option<Interval>,
    /// Whether the change is beyond the noise.
    pub flag: Option<Flag>,
    /// Why there is no ratio, and other notes.
    pub notes: Vec<String>,
}

/// Summary of a run's rates compared with the first one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RateVerdict {
    /// Name of the run.
    pub run: String,
    /// Number of comparable rows.
    pub compared: usize,
    /// Number of these with a higher rate, beyond the noise.
    pub faster: usize,
    /// Number of these with a lower rate, beyond the noise.
    pub slower: usize,
    /// Geometric mean of the ratios; `None` if no row is comparable.
    pub mean_ratio: Option<f64>,
    /// The row with the highest ratio.
    pub highest: Option<RowRatio>,
    /// The row with the lowest ratio.
    pub lowest: Option<RowRatio>,
    /// Number of rows of both runs that are not comparable.
    pub apart: usize,
}

/// A row, and its rate relative to the first run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowRatio {
    /// Name of the corpus.
    pub corpus: String,
    /// Name of the solver.
    pub solver: String,
    /// The ratio.
    pub ratio: f64,
}

/// The fastest row of a corpus.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fastest {
    /// Name of the corpus.
    pub corpus: String,
    /// Name of the run.
    pub run: String,
    /// Name of the solver.
    pub solver: String,
    /// Its rate on one thread.
    pub puzzles_per_s: f64,
}

impl BenchSideBySide {
    /// Compares named runs with the first of them.
    pub fn new(runs: &[(&str, &BenchSummary)]) -> BenchSideBySide {
        let mut known = BTreeSet::new();
        let all = runs.iter().flat_map(|(_, run)| &run.rows);
        let keys: Vec<(&str, &str)> = all
            .map(|row| (row.corpus.as_str(), row.solver.as_str()))
            .filter(|key| known.insert(*key))
            .collect();
        let first = runs.first().map(|(_, run)| *run);
        let comparison = |(name, run): &(&str, &BenchSummary)| {
            first.map(|first| Comparison::new(run, name, first))
        };
        let comparisons: Vec<Option<Comparison>> = runs.iter().map(comparison).collect();
        let side_row = |key: &(&str, &str)| side_row(*key, runs, &comparisons);
        let rows: Vec<SideRow> = keys.iter().map(side_row).collect();
        let settings = runs.iter().map(|(_, run)| {
            serde_json::to_value(&run.config).expect("the settings are plain data")
        });
        let settings: Vec<_> = settings.collect();
        BenchSideBySide {
            runs: runs.iter().map(|(name, _)| (*name).to_owned()).collect(),
            caveats: runs
                .iter()
                .map(|(_, run)| first.map_or_else(Vec::new, |first| caveats(first, run)))
                .collect(),
            verdicts: (1..runs.len())
                .map(|number| verdict(runs[number].0, number, &rows))
                .collect(),
            fastest: fastest(runs),
            settings: differing(&settings),
            rows,
        }
    }
}

fn find<'a>(run: &'a BenchSummary, (corpus, solver): (&str, &str)) -> Option<&'a Row> {
    let mut rows = run.rows.iter();
    rows.find(|row| row.corpus == corpus && row.solver == solver)
}

fn corpus<'a>(run: &'a BenchSummary, name: &str) -> Option<&'a CorpusRow> {
    run.corpora.iter().find(|corpus| corpus.name == name)
}

fn side_row(
    key: (&str, &str),
    runs: &[(&str, &BenchSummary)],
    comparisons: &[Option<Comparison>],
) -> SideRow {
    let is_in_first = runs
        .first()
        .is_some_and(|(_, run)| find(run, key).is_some());
    let entry = |number: usize, run: &BenchSummary| {
        let row = find(run, key)?;
        let mut notes = Vec::new();
        if let Some(why) = &row.struck {
            notes.push(format!("invalid: {why}"));
        } else if row.covered < row.puzzles {
            notes.push(format!("covered {} of {}", row.covered, row.puzzles));
        }
        for (count, name) in [(row.stuck, "stuck"), (row.timeout, "timeout")] {
            if count > 0 {
                notes.push(format!("{count} {name}"));
            }
        }
        let comparison = comparisons[number].as_ref();
        let comparison = comparison.filter(|_| number > 0 && is_in_first);
        let mut changes = comparison.into_iter().flat_map(|it| &it.rows);
        let own = |change: &&Change| (&*change.corpus, &*change.solver) == key;
        let (mut ratio_of, mut interval_of, mut flag_of) = (None, None, None);
        match changes.find(own).map(|change| &change.outcome) {
            Some(ChangeOutcome::NotComparable { why }) => notes.push(why.clone()),
            Some(ChangeOutcome::Compared {
                ratio,
                interval,
                flag,
                ..
            }) => (ratio_of, interval_of, flag_of) = (Some(*ratio), *interval, Some(*flag)),
            None => {}
        }
        Some(SideEntry {
            puzzles_per_s: row.counts().then_some(row.puzzles_per_s),
            ratio: ratio_of,
            interval: interval_of,
            flag: flag_of,
            notes,
        })
    };
    let entries = runs.iter().enumerate();
    SideRow {
        corpus: key.0.to_owned(),
        solver: key.1.to_owned(),
        entries: entries
            .map(|(number, (_, run))| entry(number, run))
            .collect(),
    }
}

/// Returns what makes all rates of a run less comparable.
fn caveats(first: &BenchSummary, run: &BenchSummary) -> Vec<String> {
    let (ours, theirs) = (&run.environment.environment, &first.environment.environment);
    let mut caveats = Vec::new();
    if (&ours.cpu, ours.cores) != (&theirs.cpu, theirs.cores) {
        caveats.push(format!(
            "another machine: {} with {} cores",
            ours.cpu, ours.cores
        ));
    }
    if ours.profile != theirs.profile {
        caveats.push(format!("a {} build", ours.profile));
    }
    let limits = |run: &BenchSummary| {
        let config = &run.config;
        (config.time_limit_s, config.max_nodes, config.max_guesses)
    };
    if limits(first) != limits(run) {
        caveats.push("other limits of a puzzle".to_owned());
    }
    let busy = run.warnings.iter().filter(|warning| warning.kind == "load");
    caveats.extend(busy.map(|warning| warning.text.clone()));
    if run.interrupted {
        caveats.push("stopped before its end".to_owned());
    }
    caveats
}

fn verdict(run: &str, number: usize, rows: &[SideRow]) -> RateVerdict {
    let in_both = |row: &&SideRow| row.entries[0].is_some() && row.entries[number].is_some();
    let both = rows.iter().filter(in_both).count();
    let compared = |row: &SideRow| {
        Some(RowRatio {
            corpus: row.corpus.clone(),
            solver: row.solver.clone(),
            ratio: row.entries[number].as_ref()?.ratio?,
        })
    };
    let mut compared: Vec<RowRatio> = rows.iter().filter_map(compared).collect();
    compared.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let ratios: Vec<f64> = compared.iter().map(|row| row.ratio).collect();
    let entries = rows.iter().filter_map(|row| row.entries[number].as_ref());
    let flagged = |flag| {
        entries
            .clone()
            .filter(|entry| entry.flag == Some(flag))
            .count()
    };
    let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    RateVerdict {
        run: run.to_owned(),
        compared: ratios.len(),
        faster: flagged(Flag::Faster),
        slower: flagged(Flag::Slower),
        mean_ratio: (!ratios.is_empty()).then(|| (logarithms / ratios.len() as f64).exp()),
        apart: both - ratios.len(),
        lowest: compared.first().cloned(),
        highest: compared.pop(),
    }
}

/// Returns, for each corpus that is the same in all runs that have it, the fastest row that
/// answered all puzzles.
fn fastest(runs: &[(&str, &BenchSummary)]) -> Vec<Fastest> {
    let mut known = BTreeSet::new();
    let corpora = runs.iter().flat_map(|(_, run)| &run.corpora);
    let mut list = Vec::new();
    for own in corpora.filter(|corpus| known.insert(corpus.name.as_str())) {
        let here = runs
            .iter()
            .filter_map(|(name, run)| Some((name, run, corpus(run, &own.name)?)));
        let here: Vec<_> = here.collect();
        let goals: BTreeSet<&str> = here.iter().map(|(_, run, _)| &*run.config.goal).collect();
        if goals.len() > 1
            || here
                .iter()
                .any(|(_, _, other)| other.reading.hash != own.reading.hash)
        {
            continue;
        }
        let rows = here
            .iter()
            .flat_map(|(name, run, _)| run.rows.iter().map(move |row| (**name, row)));
        let complete = rows.filter(|(_, row)| {
            row.corpus == own.name && row.answered_all() && row.covered == row.puzzles
        });
        let best = complete.max_by(|(_, a), (_, b)| a.puzzles_per_s.total_cmp(&b.puzzles_per_s));
        list.extend(best.map(|(run, row)| Fastest {
            corpus: own.name.clone(),
            run: run.to_owned(),
            solver: row.solver.clone(),
            puzzles_per_s: row.puzzles_per_s,
        }));
    }
    list
}
