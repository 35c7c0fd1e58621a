//! Accumulators of a corpus while it is measured. They are additive: measurements of parts, from
//! several machines or runs, merge to that of the whole; rows of tables are derived at the end.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::answer::{AnswerKind, Tally};
use super::contender::Answered;
use super::hardest::{self, HardPuzzle};
use super::reader::Reading;
use super::rounds::{Round, Rounds};
use super::row::{CorpusRow, Row, ThroughputRow};
use super::times::{Times, at};

/// A corpus, and every solver on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CorpusMeasurement {
    /// Its name in the tables.
    pub name: String,
    /// The file as the user named it.
    pub file: String,
    /// Seed of the run, used for the intervals.
    pub seed: u64,
    /// Counts of reading it.
    pub reading: Reading,
    /// One measurement per solver, in the given order.
    pub solvers: Vec<SolverMeasurement>,
    /// The hardest puzzles of each solver, in the order of the file.
    pub hardest: Vec<HardPuzzle>,
    /// Whether the measurement was stopped before the end.
    pub stopped: bool,
}

/// A solver on a corpus.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolverMeasurement {
    /// Its name.
    pub solver: String,
    /// The goal.
    pub goal: String,
    /// The reference solver for its answers.
    pub referee: String,
    /// Whether it is an external program.
    pub is_external: bool,
    /// The rounds on one thread.
    pub rounds: Rounds,
    /// The rounds on all threads, if they were measured.
    pub all_threads: Option<AllThreads>,
    /// Whether its budget ran out before the corpus did.
    pub cut: bool,
    /// Why the row is invalid, beside wrong answers.
    pub failure: Option<String>,
    /// Start-up time in seconds, of a program that is started for every round.
    pub startup_s: Option<f64>,
    pub(super) tally: Tally,
    pub(super) times: Times,
}

/// A solver on all threads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AllThreads {
    /// Number of threads.
    pub threads: usize,
    /// Number of puzzles answered, each counted once.
    pub puzzles: u64,
    /// Number of wrong answers.
    pub wrong: u64,
    /// The rounds.
    pub rounds: Rounds,
}

/// Error of merging measurements of different things.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what} of the parts differ")]
pub struct MergeError {
    what: &'static str,
}

impl CorpusMeasurement {
    /// Adds the measurement of another part of the corpus by the same solvers.
    ///
    /// # Errors
    ///
    /// [`MergeError`], if the solvers, the goal or the number of threads differ.
    pub fn merge(&mut self, part: CorpusMeasurement) -> Result<(), MergeError> {
        let same = |what, holds: bool| {
            if holds {
                Ok(())
            } else {
                Err(MergeError { what })
            }
        };
        let pairs = || self.solvers.iter().zip(&part.solvers);
        let names = self.solvers.len() == part.solvers.len()
            && pairs().all(|(own, more)| own.solver == more.solver);
        same("the solvers", names)?;
        same(
            "the goals",
            pairs().all(|(own, more)| own.goal == more.goal),
        )?;
        let threads = |row: &SolverMeasurement| row.all_threads.as_ref().map(|it| it.threads);
        let threads = pairs().all(|(own, more)| threads(own) == threads(more));
        same("the threads", threads)?;
        let shape = |rounds: fn(&SolverMeasurement) -> Option<&Rounds>| {
            let own = self.solvers.iter().filter_map(rounds);
            Rounds::shape(own, part.solvers.iter().filter_map(rounds))
        };
        let shapes = [
            shape(|row| Some(&row.rounds)),
            shape(|row| row.all_threads.as_ref().map(|all| &all.rounds)),
        ];
        for (own, more) in self.solvers.iter_mut().zip(part.solvers) {
            own.merge(more, shapes);
        }
        self.reading.merge(&part.reading);
        self.hardest = hardest::merge(std::mem::take(&mut self.hardest), part.hardest);
        self.stopped |= part.stopped;
        Ok(())
    }

    /// Returns the row of the corpus.
    pub fn corpus_row(&self) -> CorpusRow {
        CorpusRow {
            name: self.name.clone(),
            file: self.file.clone(),
            reading: self.reading.clone(),
            hardest: self.hardest.clone(),
        }
    }

    /// Returns the rows of all solvers, in the given order.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = self.solvers.iter().map(|it| it.row(self)).collect();
        let complete = rows.iter().filter(|row| row.answered_all());
        let fastest = complete.max_by(|a, b| a.puzzles_per_s.total_cmp(&b.puzzles_per_s));
        if let Some(fastest) = fastest.cloned() {
            for row in &mut rows {
                if row.counts() && row.solver != fastest.solver {
                    row.vs_fastest = row.rounds.ratio(&fastest.rounds, self.seed);
                }
            }
        }
        rows
    }

    /// Returns the rows on all threads, for solvers that were measured so.
    pub fn throughput_rows(&self) -> Vec<ThroughputRow> {
        let rows = self.solvers.iter();
        rows.filter_map(|it| it.throughput_row(self)).collect()
    }
}

impl SolverMeasurement {
    /// Adds a round on one thread. The answers of its first pass are counted, if it is the first
    /// round over its puzzles; of all others only the wrong ones.
    pub(super) fn add_round<O>(
        &mut self,
        round: Round,
        is_first: bool,
        kinds: &[AnswerKind],
        answers: &[impl Answered<O>],
    ) {
        self.rounds.add(round);
        let firsts = if is_first { round.puzzles } else { 0 };
        for (number, (kind, answer)) in (0..).zip(kinds.iter().zip(answers)) {
            if number < firsts {
                self.tally.add(*kind, answer.effort());
            } else {
                self.tally.wrong_again += u64::from(*kind == AnswerKind::Wrong);
            }
        }
    }

    fn merge(&mut self, part: SolverMeasurement, [one, all]: [(u32, u64); 2]) {
        self.tally.merge(&part.tally);
        self.times.merge(&part.times);
        self.rounds.append(part.rounds, one);
        if let (Some(own), Some(more)) = (&mut self.all_threads, part.all_threads) {
            own.puzzles += more.puzzles;
            own.wrong += more.wrong;
            own.rounds.append(more.rounds, all);
        }
        self.cut |= part.cut;
        self.failure = self.failure.take().or(part.failure);
        let startups = self.startup_s.into_iter().chain(part.startup_s);
        self.startup_s = startups.reduce(f64::max);
    }

    fn row(&self, corpus: &CorpusMeasurement) -> Row {
        let tally = &self.tally;
        let covered = tally.covered();
        let (unique, assumed) = if self.goal == "first" {
            (tally.unique + tally.solved, 0)
        } else {
            (tally.unique, tally.solved)
        };
        let wrong = tally.wrong + tally.wrong_again;
        let rate = self.rounds.rate().unwrap_or(0.0);
        let times = self.times.all();
        // Nothing is known of the guesses of another program.
        let own = |value: Option<f64>| value.filter(|_| !self.is_external);
        Row {
            corpus: corpus.name.clone(),
            solver: self.solver.clone(),
            goal: self.goal.clone(),
            threads: (!self.is_external).then_some(1),
            puzzles: corpus.reading.puzzles,
            covered,
            unique,
            multiple: tally.multiple,
            unsolvable: tally.unsolvable,
            stuck: tally.stuck,
            timeout: tally.timeout,
            wrong,
            assumed,
            no_guess_pct: own(tally.no_guess_pct()),
            guesses_mean: own(tally.guesses_mean()),
            nodes_mean: own(tally.nodes_mean()),
            min_us: at(&times, 0.0),
            median_us: at(&times, 0.5),
            p90_us: at(&times, 0.9),
            p99_us: at(&times, 0.99),
            max_us: at(&times, 1.0),
            total_s: if rate > 0.0 {
                covered as f64 / rate
            } else {
                0.0
            },
            puzzles_per_s: rate,
            rate_interval: self.rounds.rate_interval(corpus.seed),
            vs_fastest: None,
            repeats: self.times.repeats(),
            referee: self.referee.clone(),
            cut: self.cut && covered < corpus.reading.puzzles,
            struck: self.failure.clone().or_else(|| struck(wrong)),
            startup_s: self.startup_s,
            answered: self.times.answered(),
            by_guesses: self.times.by_guesses(),
            times,
            rounds: self.rounds.clone(),
        }
    }

    fn throughput_row(&self, corpus: &CorpusMeasurement) -> Option<ThroughputRow> {
        let all = self.all_threads.as_ref()?;
        let rate = all.rounds.rate().unwrap_or(0.0);
        let seconds = if rate > 0.0 {
            all.puzzles as f64 / rate
        } else {
            0.0
        };
        Some(ThroughputRow {
            corpus: corpus.name.clone(),
            solver: self.solver.clone(),
            goal: self.goal.clone(),
            threads: all.threads,
            puzzles: all.puzzles,
            seconds,
            puzzles_per_s: rate,
            rate_interval: all.rounds.rate_interval(corpus.seed),
            vs_one_thread: all.rounds.ratio_apart(&self.rounds, corpus.seed),
            struck: struck(all.wrong),
        })
    }
}

/// Returns why a row with this many wrong answers is invalid.
fn struck(wrong: u64) -> Option<String> {
    let plural = if wrong == 1 { "" } else { "s" };
    (wrong > 0).then(|| format!("{wrong} wrong answer{plural}"))
}
