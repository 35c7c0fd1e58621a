//! Joins runs over parts of corpora into one.

use super::config::Conditions;
use super::measurement::{CorpusMeasurement, MergeError};
use super::summary::BenchSummary;
use crate::environment::Environment;

/// A run and the measurements it is derived from.
type Run = (BenchSummary, Vec<CorpusMeasurement>);

/// Joins runs over parts of the same corpora, with the same settings. Times from different kinds of
/// machines are not added: a corpus then has rows for each kind, named in the corpus column.
/// Conditions are those of the first run, with the highest load of all. `None` if there is no run.
///
/// # Errors
///
/// [`MergeError`], if solvers or goals differ.
pub fn merge_runs(runs: Vec<Run>) -> Result<Option<Run>, MergeError> {
    let mut machines: Vec<Environment> = Vec::new();
    let mut corpora: Vec<(usize, CorpusMeasurement)> = Vec::new();
    let mut first: Option<BenchSummary> = None;
    for (summary, measured) in runs {
        let environment = &summary.environment.environment;
        let known = machines.iter().position(|known| known == environment);
        let machine = known.unwrap_or(machines.len());
        if known.is_none() {
            machines.push(environment.clone());
        }
        for part in measured {
            let same = |(on, whole): &&mut (usize, CorpusMeasurement)| {
                *on == machine && whole.name == part.name
            };
            match corpora.iter_mut().find(same) {
                Some((_, whole)) => whole.merge(part)?,
                None => corpora.push((machine, part)),
            }
        }
        match &mut first {
            Some(first) => first.environment.take_in(&summary.environment),
            none => *none = Some(summary),
        }
    }
    let Some(first) = first else {
        return Ok(None);
    };
    let are_unlike = machines.len() > 1;
    let measured = corpora.into_iter().map(|(machine, mut corpus)| {
        if are_unlike {
            let machine = format!("machine {} ({})", machine + 1, machines[machine].cpu);
            corpus.name = format!("{} on {machine}", corpus.name);
        }
        corpus
    });
    let measured: Vec<CorpusMeasurement> = measured.collect();
    let summary = BenchSummary::new(first.config, first.environment, &measured);
    Ok(Some((summary, measured)))
}

impl Conditions {
    /// Updates the load with that of another run.
    fn take_in(&mut self, other: &Conditions) {
        let most =
            |own: Option<f64>, more: Option<f64>| own.into_iter().chain(more).reduce(f64::max);
        self.load_before = most(self.load_before, other.load_before);
        self.load_after = most(self.load_after, other.load_after);
    }
}
