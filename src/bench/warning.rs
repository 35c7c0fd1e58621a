//! What spoils a measurement, with advice. After hyperfine's warnings, by David Peter.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::conditions::Conditions;
use super::row::{Row, ThroughputRow};

/// Rounds below which a row says little about how much its times vary.
const FEW_ROUNDS: u64 = 10;
/// Measured time of a row, in seconds, below which so few rounds are few.
const SHORT_S: f64 = 1.0;
/// Steps of the clock that a median must be long.
const STEPS: f64 = 20.0;
/// By how much a tenth of the looks at the yardstick may be slower than the median.
const STEADY: f64 = 0.15;
/// Time of an external program, in multiples of its start-up, below which it is mostly start-up.
const STARTUPS: f64 = 5.0;

/// Something that makes numbers less worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Warning {
    /// A name for scripts.
    pub kind: Cow<'static, str>,
    /// What it is.
    pub text: String,
    /// What to do about it.
    pub advice: Cow<'static, str>,
}

impl Warning {
    /// All that there is to warn of.
    pub fn all(
        conditions: &Conditions,
        rows: &[Row],
        throughput: &[ThroughputRow],
    ) -> Vec<Warning> {
        let environment = &conditions.environment;
        let cores = environment.cores;
        let load = conditions.load_before.unwrap_or(0.0);
        let resolution_ns = conditions.clock.resolution_ns;
        let shortest_us = STEPS * resolution_ns as f64 / 1e3;
        let rows_that = |is_spoiled: &dyn Fn(&Row) -> bool| -> Vec<String> {
            let spoiled = rows.iter().filter(|row| row.counts() && is_spoiled(row));
            spoiled.map(name).collect()
        };
        let coarse = rows_that(&|row| row.median_us.is_some_and(|median| median < shortest_us));
        let few = rows_that(&|row| {
            let is_short = row.rounds < FEW_ROUNDS && row.total_s * row.passes < SHORT_S;
            is_short && row.startup_s.is_none()
        });
        let startup = rows_that(&|row| row.startup_s.is_some_and(|s| row.total_s < STARTUPS * s));
        // Half a core of others' work is felt where there are few, less where there are many.
        let is_busy = load > 0.5 * (cores as f64).sqrt();
        let warnings = [
            is_busy.then_some(Flaw::Load { load, cores }),
            (environment.profile == "debug").then_some(Flaw::DebugBuild),
            conditions.pinned_core.is_none().then_some(Flaw::NotPinned),
            of_rows(coarse, |rows| Flaw::CoarseClock {
                rows,
                resolution_ns,
            }),
            of_rows(few, |rows| Flaw::FewRounds { rows }),
            of_rows(unsteady(rows), |rows| Flaw::Unsteady { rows }),
            of_rows(startup, |rows| Flaw::Startup { rows }),
            of_rows(cut(rows, throughput), |rows| Flaw::Cut { rows }),
        ];
        warnings.into_iter().flatten().map(Warning::from).collect()
    }
}

impl From<Flaw> for Warning {
    fn from(flaw: Flaw) -> Warning {
        Warning {
            kind: flaw.kind().into(),
            text: flaw.to_string(),
            advice: flaw.advice().into(),
        }
    }
}

/// What can spoil a measurement.
enum Flaw {
    /// Other programs were running.
    Load {
        /// Threads that wanted to run.
        load: f64,
        /// Threads that the machine runs at once.
        cores: usize,
    },
    /// The program was built without optimization.
    DebugBuild,
    /// The measuring thread may wander from core to core.
    NotPinned,
    /// The clock is too coarse for the times of single puzzles.
    CoarseClock {
        /// The rows whose median is only a few steps of the clock.
        rows: Vec<String>,
        /// The step, in nanoseconds.
        resolution_ns: u64,
    },
    /// Rows with few rounds.
    FewRounds {
        /// The rows.
        rows: Vec<String>,
    },
    /// The machine was not always equally fast.
    Unsteady {
        /// The rows, with how much slower a tenth of their rounds found it, in percent.
        rows: Vec<String>,
    },
    /// Rows that stopped before the end of their corpus.
    Cut {
        /// The rows, with what they covered.
        rows: Vec<String>,
    },
    /// External programs that spent most of their time on starting.
    Startup {
        /// The rows.
        rows: Vec<String>,
    },
}

impl Flaw {
    /// What to do about it.
    const fn advice(&self) -> &'static str {
        match self {
            Flaw::Load { .. } => "end other programs and run again",
            Flaw::DebugBuild => "build with `cargo build --release`",
            Flaw::NotPinned => {
                "this system does not pin threads: run several times and compare by --baseline"
            }
            Flaw::CoarseClock { .. } => "trust the rate, not the times of single puzzles",
            Flaw::FewRounds { .. } => "give a corpus of more puzzles, or a larger --budget",
            Flaw::Unsteady { .. } => "end other programs and run again",
            Flaw::Cut { .. } => {
                "compare rows of one corpus only with the same --sample, or give a larger --budget"
            }
            Flaw::Startup { .. } => "give a corpus of more puzzles",
        }
    }

    /// A name for scripts.
    const fn kind(&self) -> &'static str {
        match self {
            Flaw::Load { .. } => "load",
            Flaw::DebugBuild => "debug-build",
            Flaw::NotPinned => "not-pinned",
            Flaw::CoarseClock { .. } => "coarse-clock",
            Flaw::FewRounds { .. } => "few-rounds",
            Flaw::Unsteady { .. } => "unsteady",
            Flaw::Cut { .. } => "cut",
            Flaw::Startup { .. } => "startup",
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Load { load, cores } => write!(
                f,
                "the machine was busy before the run: load {load:.1} on {cores} cores"
            ),
            Flaw::DebugBuild => write!(f, "this is a debug build, many times slower"),
            Flaw::NotPinned => write!(f, "the measuring thread is not pinned to a core"),
            Flaw::CoarseClock {
                rows,
                resolution_ns,
            } => write!(
                f,
                "the clock steps by {resolution_ns} ns, too coarse for single puzzles: {}",
                rows.join(", ")
            ),
            Flaw::FewRounds { rows } => {
                write!(f, "too few rounds to know the noise: {}", rows.join(", "))
            }
            Flaw::Unsteady { rows } => {
                write!(f, "the machine slowed down at times: {}", rows.join(", "))
            }
            Flaw::Cut { rows } => {
                write!(
                    f,
                    "the budget ran out before the corpus: {}",
                    rows.join(", ")
                )
            }
            Flaw::Startup { rows } => {
                write!(f, "the time is mostly start-up: {}", rows.join(", "))
            }
        }
    }
}

/// The warning about these rows, if there are any.
fn of_rows(rows: Vec<String>, warning: impl Fn(Vec<String>) -> Flaw) -> Option<Flaw> {
    (!rows.is_empty()).then(|| warning(rows))
}

/// Rows during which the machine was slower at times.
fn unsteady(rows: &[Row]) -> Vec<String> {
    let rows = rows.iter().filter(|row| row.counts());
    let told = rows.filter_map(|row| {
        let slower = slower_tenth(&row.yardstick_ns)?;
        (slower > STEADY).then(|| format!("{} (by {:.0} %)", name(row), 100.0 * slower))
    });
    told.collect()
}

/// Rows that stopped early, with what they covered.
fn cut(rows: &[Row], throughput: &[ThroughputRow]) -> Vec<String> {
    let one_thread = rows.iter().filter(|row| row.cut);
    let one_thread = one_thread.map(|row| (name(row), row.covered, &row.corpus));
    let all_threads = throughput.iter().filter(|row| row.cut).map(|row| {
        let name = format!("{} on {}, {} threads", row.solver, row.corpus, row.threads);
        (name, row.puzzles, &row.corpus)
    });
    let told = one_thread
        .chain(all_threads)
        .map(|(name, covered, corpus)| {
            let row = rows.iter().find(|row| row.corpus == *corpus);
            let puzzles = row.map_or(covered, |row| row.puzzles);
            format!("{name} ({covered} of {puzzles})")
        });
    told.collect()
}

fn name(row: &Row) -> String {
    format!("{} on {}", row.solver, row.corpus)
}

/// How much longer than the median a tenth of the times are at least; of a few rounds at least.
fn slower_tenth(times: &[f64]) -> Option<f64> {
    if times.len() < FEW_ROUNDS as usize {
        return None;
    }
    let mut times = times.to_vec();
    times.sort_unstable_by(f64::total_cmp);
    let (median, late) = (times[times.len() / 2], times[times.len() * 9 / 10]);
    (median > 0.0).then(|| late / median - 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::clock::Clock;
    use super::*;
    use crate::environment::Environment;

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

    /// A row without a fault.
    fn row() -> Row {
        Row {
            corpus: "c".to_owned(),
            solver: "s".to_owned(),
            puzzles: 100,
            covered: 100,
            median_us: Some(1.0),
            total_s: 2.0,
            passes: 1.0,
            rounds: 12,
            round_ns: vec![1000.0; 12],
            yardstick_ns: vec![30_000.0; 12],
            ..Row::default()
        }
    }

    fn kinds(conditions: &Conditions, row: Row) -> Vec<Cow<'static, str>> {
        let warnings = Warning::all(conditions, &[row], &[]);
        warnings.into_iter().map(|warning| warning.kind).collect()
    }

    #[test]
    fn a_clean_measurement_gives_none_and_each_fault_its_own() {
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
        assert_eq!(
            spoiled(&|_, r| (r.rounds, r.total_s) = (3, 0.1)),
            ["few-rounds"]
        );
        let wild = |_: &mut Conditions, r: &mut Row| {
            r.yardstick_ns[3..6].fill(40_000.0);
        };
        assert_eq!(spoiled(&wild), ["unsteady"]);
        assert_eq!(spoiled(&|_, r| (r.cut, r.covered) = (true, 7)), ["cut"]);
        assert_eq!(spoiled(&|_, r| r.startup_s = Some(1.0)), ["startup"]);
        // A struck row has faults enough.
        assert!(spoiled(&|_, r| (r.struck, r.rounds) = (Some(String::new()), 0)).is_empty());
    }

    #[test]
    fn warnings_are_written_with_their_advice() {
        let json = serde_json::to_value(Warning::from(Flaw::NotPinned)).unwrap();
        assert_eq!(json["kind"], "not-pinned");
        assert_eq!(json["advice"], Flaw::NotPinned.advice());
    }
}
