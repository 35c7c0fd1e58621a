//! A corpus through all solvers, chunk by chunk, in flat memory.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use core_affinity::CoreId;
use rayon::prelude::*;

use super::clock::Clock;
use super::config::{BenchConfig, Repeat};
use super::external::External;
use super::external_row::external_row;
use super::feed::{Chunk, Feed};
use super::hardest::Hardest;
use super::latency::{Lane, Sample, Setting, WrongAnswer, measure};
use super::problem::Problem;
use super::row::{CorpusResult, CorpusRow, Row};
use super::spool::Spool;
use super::tally::Kind;
use super::throughput::Crew;
use super::verify::Reference;
use crate::corpus::{CorpusError, Entry, Place};
use crate::grid::Puzzle;
use crate::roster::SolverSpec;

/// Wrong answers of a row that are told one by one.
const TOLD: u64 = 5;

/// A measurement, ready to be made on one corpus after the other.
pub struct Bench<'a> {
    config: BenchConfig,
    solvers: Vec<SolverSpec>,
    externals: Vec<External>,
    clock: Clock,
    core: Option<CoreId>,
    stop: &'a AtomicBool,
}

/// What happens during a measurement.
#[derive(Debug)]
pub enum Event<'a> {
    /// Something is wrong.
    Problem(&'a Problem),
    /// A puzzle was timed; only if asked for.
    Sample {
        /// The corpus.
        corpus: &'a str,
        /// Line of the puzzle in its file.
        line: u64,
        /// The puzzle.
        puzzle: &'a Puzzle,
        /// The solver.
        solver: &'a str,
        /// How it did.
        sample: Sample,
    },
    /// So many puzzles of the corpus have been read and measured.
    Progress(u64),
}

impl<'a> Bench<'a> {
    /// Measures the clock and chooses a core. `stop` ends the measurement after the puzzle in hand.
    pub fn new(
        config: BenchConfig,
        solvers: Vec<SolverSpec>,
        externals: Vec<External>,
        stop: &'a AtomicBool,
    ) -> Bench<'a> {
        // The first core serves most interrupts; the last one is the quietest.
        let core = core_affinity::get_core_ids().and_then(|cores| cores.last().copied());
        let core = core.filter(|&core| on_core(Some(core), |pinned| pinned));
        Bench {
            clock: on_core(core, |_| Clock::measure()),
            config,
            solvers,
            externals,
            core,
            stop,
        }
    }

    /// The clock that times the puzzles.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// The core that the measuring thread is pinned to, if that is possible here.
    pub fn core(&self) -> Option<usize> {
        self.core.map(|core| core.id)
    }

    /// Measures all solvers on a corpus. Runs in the current rayon pool.
    ///
    /// Memory does not grow with the corpus. When every budget has run out the rest is still read,
    /// so that puzzles and bad lines are counted. Samples are told if `per_puzzle` is set.
    pub fn corpus(
        &self,
        name: &str,
        file: &str,
        entries: impl Iterator<Item = Result<Entry, CorpusError>>,
        per_puzzle: bool,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> CorpusResult {
        let config = &self.config;
        let mut teller = Teller::new(name, file, per_puzzle, on_event);
        let mut feed = Feed::new(entries, config.limit, self.stop);
        if let Some(count) = config.sample {
            feed.draw(count, config.seed, &mut |problem| teller.problem(problem));
        }
        let specs = self.solvers.iter();
        let mut lanes: Vec<Lane> = specs.clone().map(|spec| Lane::new(*spec)).collect();
        let mut hardest = Hardest::default();
        let crews = specs.map(|spec| Crew::new(*spec));
        let mut crews: Vec<Crew> = crews.filter(|_| config.throughput).collect();
        let mut spool = match &self.externals[..] {
            [] => None,
            _ => Some(Spool::new()),
        };
        let mut round = 0;
        let mut read = 0;
        loop {
            let chunk =
                feed.next_chunk(config.chunk.max(1), &mut |problem| teller.problem(problem));
            if chunk.len() == 0 {
                break;
            }
            let is_whole_corpus = read == 0 && chunk.len() < config.chunk;
            let repeat = is_whole_corpus.then_some(config.repeat);
            read += chunk.len() as u64;
            if let Some(Ok(disk)) = &mut spool
                && let Err(error) = disk.push(&chunk)
            {
                spool = Some(Err(error));
            }
            let is_cut = lanes.iter().all(Lane::is_cut) && crews.iter().all(Crew::is_cut);
            if !is_cut && !self.is_stopped() {
                let references: Vec<Reference> =
                    chunk.puzzles.par_iter().map(Reference::of).collect();
                self.latency(
                    &mut lanes,
                    &mut round,
                    &chunk,
                    &references,
                    repeat,
                    &mut teller,
                );
                hardest.add(&lanes, &chunk);
                for crew in &mut crews {
                    self.throughput(crew, &chunk, &references, repeat, &mut teller);
                }
            }
            teller.progress(read);
        }
        let reading = feed.finish();
        let mut corpus = CorpusRow {
            name: name.to_owned(),
            file: file.to_owned(),
            puzzles: reading.puzzles,
            bad_lines: reading.bad_lines,
            wrong_solutions: reading.wrong_solutions,
            broken: reading.broken,
            blake3: reading.hash,
            hardest: Vec::new(),
        };
        let row = |lane: &Lane| lane.row(name, reading.puzzles, config);
        let mut rows: Vec<Row> = lanes.iter().map(row).collect();
        let throughput = crews.iter().zip(&rows);
        let throughput = throughput
            .map(|(crew, row)| crew.row(row, self.setting()))
            .collect();
        if let Some(mut spool) = spool {
            for external in &self.externals {
                if corpus.puzzles > 0 && !self.is_stopped() {
                    let spool = spool.as_mut().map_err(|error| &*error);
                    let row = self.external(external, &corpus, spool, &mut hardest, &mut teller);
                    rows.push(row);
                }
            }
        }
        teller.finish();
        corpus.hardest = hardest.finish();
        CorpusResult {
            corpus,
            rows,
            throughput,
            stopped: self.is_stopped(),
        }
    }

    /// One pass of all lanes over the chunk; more where it is all there is.
    #[allow(clippy::too_many_arguments)]
    fn latency(
        &self,
        lanes: &mut [Lane],
        round: &mut u64,
        chunk: &Chunk,
        references: &[Reference],
        repeat: Option<Repeat>,
        teller: &mut Teller<'_>,
    ) {
        let setting = self.setting();
        let mut is_first_pass = true;
        loop {
            for lane in lanes.iter_mut() {
                lane.start_pass(is_first_pass);
            }
            on_core(self.core, |_| {
                measure(lanes, round, chunk, references, is_first_pass, setting);
            });
            for lane in lanes.iter() {
                teller.wrong(lane.name(), &lane.wrong, chunk);
                for sample in lane.samples.iter().filter(|_| is_first_pass) {
                    teller.sample(lane.name(), *sample, chunk);
                }
            }
            is_first_pass = false;
            let enough = |repeat| {
                lanes
                    .iter()
                    .all(|lane| lane.is_cut() || lane.has_enough(repeat))
            };
            if self.is_stopped() || repeat.is_none_or(enough) {
                break;
            }
        }
    }

    /// The same for all threads.
    fn throughput(
        &self,
        crew: &mut Crew,
        chunk: &Chunk,
        references: &[Reference],
        repeat: Option<Repeat>,
        teller: &mut Teller<'_>,
    ) {
        let mut is_first_pass = true;
        while !crew.is_cut() && !self.is_stopped() {
            let wrong = crew.run(chunk, references, is_first_pass, self.setting());
            teller.wrong(crew.name(), &wrong, chunk);
            is_first_pass = false;
            if repeat.is_none_or(|repeat| crew.has_enough(repeat)) {
                break;
            }
        }
    }

    /// The row of an external program.
    fn external(
        &self,
        external: &External,
        corpus: &CorpusRow,
        spool: Result<&mut Spool, &io::Error>,
        hardest: &mut Hardest,
        teller: &mut Teller<'_>,
    ) -> Row {
        let name = &external.name;
        let mut on_chunk = |chunk: &Chunk, wrong: &[WrongAnswer], kinds: &[Kind]| {
            teller.wrong(name, wrong, chunk);
            hardest.add_external(name, chunk, kinds);
            for (index, &kind) in kinds.iter().enumerate() {
                let cost = None;
                teller.sample(name, Sample { index, kind, cost }, chunk);
            }
        };
        let (config, stop) = (&self.config, self.stop);
        let (row, failure) = external_row(external, corpus, spool, config, stop, &mut on_chunk);
        if let Some(why) = failure {
            teller.problem(&Problem::Row {
                corpus: corpus.name.clone(),
                solver: name.clone(),
                why,
            });
        }
        row
    }

    fn setting(&self) -> Setting<'_> {
        Setting {
            config: &self.config,
            clock: self.clock,
            stop: self.stop,
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Does the work on a thread of its own that stays on this core; says whether that is so.
fn on_core<T: Send>(core: Option<CoreId>, work: impl FnOnce(bool) -> T + Send) -> T {
    thread::scope(|scope| {
        let worker = scope.spawn(|| work(core.is_some_and(core_affinity::set_for_current)));
        worker
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Tells what happens on a corpus.
struct Teller<'a> {
    corpus: &'a str,
    file: Arc<str>,
    /// Whether single puzzles are told.
    per_puzzle: bool,
    /// Wrong answers by solver.
    wrong: BTreeMap<String, u64>,
    on_event: &'a mut dyn FnMut(Event<'_>),
}

impl<'a> Teller<'a> {
    fn new(
        corpus: &'a str,
        file: &str,
        per_puzzle: bool,
        on_event: &'a mut dyn FnMut(Event<'_>),
    ) -> Teller<'a> {
        Teller {
            corpus,
            file: file.into(),
            per_puzzle,
            wrong: BTreeMap::new(),
            on_event,
        }
    }

    fn problem(&mut self, problem: &Problem) {
        (self.on_event)(Event::Problem(problem));
    }

    fn progress(&mut self, puzzles: u64) {
        (self.on_event)(Event::Progress(puzzles));
    }

    fn sample(&mut self, solver: &str, sample: Sample, chunk: &Chunk) {
        if !self.per_puzzle {
            return;
        }
        (self.on_event)(Event::Sample {
            corpus: self.corpus,
            line: chunk.lines[sample.index],
            puzzle: &chunk.puzzles[sample.index],
            solver,
            sample,
        });
    }

    /// Tells the first wrong answers of a solver one by one, and counts the others.
    fn wrong(&mut self, solver: &str, wrong: &[WrongAnswer], chunk: &Chunk) {
        for &(place, why) in wrong {
            let told = self.wrong.entry(solver.to_owned()).or_default();
            *told += 1;
            if *told <= TOLD {
                let place = Place {
                    file: Arc::clone(&self.file),
                    line: chunk.lines[place],
                };
                let solver = solver.to_owned();
                self.problem(&Problem::Answer { place, solver, why });
            }
        }
    }

    fn finish(mut self) {
        for (solver, wrong) in std::mem::take(&mut self.wrong) {
            if wrong > TOLD {
                self.problem(&Problem::MoreAnswers {
                    corpus: self.corpus.to_owned(),
                    solver,
                    more: wrong - TOLD,
                });
            }
        }
    }
}
