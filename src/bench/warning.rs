//! Warnings about a measurement, with advice. After hyperfine's warnings, by David Peter.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::config::Conditions;
use super::row::Row;
use crate::statistics::{LEAST_ROUNDS, quantile};

/// Least median time, in steps of the clock.
const STEPS: f64 = 20.0;
/// Largest excess of the slowest tenth of the calibration loops over the median.
const STEADY: f64 = 0.15;
/// Largest share of an external program's rounds that its start-up may take.
const STARTUP: f64 = 0.2;

/// A warning about the quality of the numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Warning {
    /// Identifier for scripts.
    pub kind: Cow<'static, str>,
    /// What was found.
    pub text: String,
    /// What to do about it.
    pub advice: Cow<'static, str>,
}

impl Warning {
    /// Returns all warnings about a run.
    pub fn all(conditions: &Conditions, rows: &[Row]) -> Vec<Warning> {
        let environment = &conditions.environment;
        let cores = environment.cores;
        let load = conditions.load_before.unwrap_or(0.0);
        let resolution_ns = conditions.clock.resolution_ns;
        let shortest_us = STEPS * resolution_ns as f64 / 1e3;
        let that = |is_spoiled: &dyn Fn(&Row) -> bool| -> String {
            let spoiled = rows.iter().filter(|row| row.counts() && is_spoiled(row));
            spoiled.map(name).collect::<Vec<_>>().join(", ")
        };
        let coarse = that(&|row| row.median_us.is_some_and(|median| median < shortest_us));
        let few = that(&|row| row.rate_interval.is_none());
        let startup = that(&|row| {
            let round_s = row.rounds.spent_ns() as f64 / 1e9 / row.rounds.count().max(1) as f64;
            row.startup_s.is_some_and(|s| s > STARTUP * round_s)
        });
        let (unsteady, cut) = (unsteady(rows), cut(rows));
        // Half a core of others' work is felt where there are few, less where there are many.
        let is_busy = load > 0.5 * (cores as f64).sqrt();
        let warnings = [
            (
                is_busy,
                "load",
                format!("the machine was busy before the run: load {load:.1} on {cores} cores"),
                "close other programs and run again",
            ),
            (
                environment.profile == "debug",
                "debug-build",
                "this is a debug build, many times slower".to_owned(),
                "build with `cargo build --release`",
            ),
            (
                conditions.pinned_core.is_none(),
                "not-pinned",
                "the measuring thread is not pinned to a core".to_owned(),
                "this system does not support pinning: run several times and compare with --baseline",
            ),
            (
                !coarse.is_empty(),
                "coarse-clock",
                format!(
                    "the resolution of the clock is {resolution_ns} ns, too coarse for single puzzles: {coarse}"
                ),
                "trust the rate, not the times of single puzzles",
            ),
            (
                !few.is_empty(),
                "few-rounds",
                format!("fewer than {LEAST_ROUNDS} rounds, so rates without an interval: {few}"),
                "use a larger corpus or --budget; differences between these rows are not reliable",
            ),
            (
                !unsteady.is_empty(),
                "unsteady",
                format!("the machine slowed down at times: {unsteady}"),
                "close other programs and run again",
            ),
            (
                !startup.is_empty(),
                "startup",
                format!(
                    "restarted for every round, which takes more than a fifth of its time: {startup}"
                ),
                "let the program answer each line as it comes, or use a larger --block",
            ),
            (
                !cut.is_empty(),
                "cut",
                format!("the budget ran out before the corpus: {cut}"),
                "compare only rows with the same --sample, or use a larger --budget",
            ),
        ];
        let given = warnings.into_iter().filter(|(is_given, ..)| *is_given);
        let warning =
            |(_, kind, text, advice): (bool, &'static str, String, &'static str)| Warning {
                kind: kind.into(),
                text,
                advice: advice.into(),
            };
        given.map(warning).collect()
    }
}

/// Lists rows during which the machine was slower at times.
fn unsteady(rows: &[Row]) -> String {
    let rows = rows.iter().filter(|row| row.counts());
    let named = rows.filter_map(|row| {
        let slower = slower_tenth(row.rounds.calibration_ns())?;
        (slower > STEADY).then(|| format!("{} (by {:.0} %)", name(row), 100.0 * slower))
    });
    named.collect::<Vec<_>>().join(", ")
}

/// Lists rows that stopped early, with what they covered.
fn cut(rows: &[Row]) -> String {
    let cut = rows.iter().filter(|row| row.cut);
    let named = cut.map(|row| format!("{} ({} of {})", name(row), row.covered, row.puzzles));
    named.collect::<Vec<_>>().join(", ")
}

fn name(row: &Row) -> String {
    format!("{} on {}", row.solver, row.corpus)
}

/// Returns by how much the slowest tenth of the times exceeds the median, if there are enough
/// rounds.
fn slower_tenth(mut times: Vec<f64>) -> Option<f64> {
    times.sort_unstable_by(f64::total_cmp);
    let (median, late) = (quantile(&times, 0.5), quantile(&times, 0.9));
    (times.len() >= LEAST_ROUNDS && median > 0.0).then(|| late / median - 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::clock::Clock;
    use super::super::rounds::{Round, Rounds};
    use super::*;
    use crate::environment::Environment;
    use crate::statistics::Interval;

    /// A quiet machine.
    fn conditions() -> Conditions {
        let environment = Environment {
            cores: 4,
            profile: "release".into(),
            ..Environment::of_this_machine(4)
        };
        Conditions {
            environment,
            load_before: Some(0.1),
            load_after: None,
            clock: Clock {
                cost_ns: 25,
                resolution_ns: 1,
            },
            pinned_core: Some(3),
        }
    }

    /// Rounds of a second with these times of the calibration loop.
    fn rounds(calibration_ns: &[u64]) -> Rounds {
        let mut rounds = Rounds::default();
        for (number, &calibration_ns) in (0..).zip(calibration_ns) {
            let round = Round {
                number,
                puzzles: 100,
                solves: 100,
                ns: 1_000_000_000,
                calibration_ns,
            };
            rounds.add(round);
        }
        rounds
    }

    /// A row without a fault.
    fn row() -> Row {
        Row {
            corpus: "c".to_owned(),
            solver: "s".to_owned(),
            puzzles: 100,
            covered: 100,
            median_us: Some(1.0),
            rate_interval: Some(Interval {
                low: 0.9e6,
                high: 1.1e6,
            }),
            rounds: rounds(&[30_000; 12]),
            ..Row::default()
        }
    }

    fn kinds(conditions: &Conditions, row: Row) -> Vec<Cow<'static, str>> {
        let warnings = Warning::all(conditions, &[row]);
        warnings.into_iter().map(|warning| warning.kind).collect()
    }

    #[test]
    fn each_fault_gives_its_own_warning_and_a_clean_measurement_none() {
        assert_eq!(kinds(&conditions(), row()), Vec::<Cow<'_, str>>::new());
        let spoiled = |spoil: &dyn Fn(&mut Conditions, &mut Row)| {
            let (mut conditions, mut row) = (conditions(), row());
            spoil(&mut conditions, &mut row);
            kinds(&conditions, row)
        };
        assert_eq!(spoiled(&|c, _| c.load_before = Some(3.0)), ["load"]);
        assert_eq!(
            spoiled(&|c, _| c.environment.profile = "debug".into()),
            ["debug-build"]
        );
        assert_eq!(spoiled(&|c, _| c.pinned_core = None), ["not-pinned"]);
        assert_eq!(
            spoiled(&|c, _| c.clock.resolution_ns = 100),
            ["coarse-clock"]
        );
        assert_eq!(spoiled(&|_, r| r.rate_interval = None), ["few-rounds"]);
        let wild = |_: &mut Conditions, r: &mut Row| {
            r.rounds = rounds(&[[30_000; 9].as_slice(), &[40_000; 3]].concat());
        };
        assert_eq!(spoiled(&wild), ["unsteady"]);
        assert_eq!(spoiled(&|_, r| (r.cut, r.covered) = (true, 7)), ["cut"]);
        assert_eq!(spoiled(&|_, r| r.startup_s = Some(1.0)), ["startup"]);
        // A disqualified row gets no further warnings.
        assert!(
            spoiled(&|_, r| (r.struck, r.rate_interval) = (Some(String::new()), None)).is_empty()
        );
    }

    #[test]
    fn warnings_include_advice() {
        let mut conditions = conditions();
        conditions.pinned_core = None;
        let json = serde_json::to_value(Warning::all(&conditions, &[row()])).unwrap();
        assert_eq!(json[0]["kind"], "not-pinned");
        assert!(json[0]["advice"].as_str().unwrap().contains("--baseline"));
    }
}
