//! A corpus through all solvers, chunk by chunk, in flat memory.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use core_affinity::CoreId;
use rayon::prelude::*;

use super::clock::Clock;
use super::config::BenchConfig;
use super::feed::{Chunk, Feed};
use super::latency::{Lane, Sample, Setting, WrongAnswer, measure};
use super::problem::Problem;
use super::row::{CorpusRow, Row, ThroughputRow};
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

/// What was measured on a corpus.
#[derive(Clone, Debug, Default)]
pub struct CorpusResult {
    /// The corpus.
    pub corpus: CorpusRow,
    /// A row a solver, in the order they were given.
    pub rows: Vec<Row>,
    /// The same on all threads, unless it was not asked for.
    pub throughput: Vec<ThroughputRow>,
    /// Whether it was asked to stop before the end.
    pub stopped: bool,
}

impl<'a> Bench<'a> {
    /// Measures the clock and chooses a core. `stop` ends the measurement after the puzzle in hand.
    pub fn new(config: BenchConfig, solvers: Vec<SolverSpec>, stop: &'a AtomicBool) -> Bench<'a> {
        // The first core serves most interrupts; the last one is the quietest.
        let core = core_affinity::get_core_ids().and_then(|cores| cores.last().copied());
        let core = core.filter(|&core| on_core(Some(core), |pinned| pinned));
        Bench {
            clock: on_core(core, |_| Clock::measure()),
            config,
            solvers,
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
        let setting = Setting {
            config,
            clock: self.clock,
            stop: self.stop,
        };
        let mut feed = Feed::new(entries, config.limit, self.stop);
        if let Some(count) = config.sample {
            feed.draw(count, config.seed, &mut |p| on_event(Event::Problem(p)));
        }
        let specs = self.solvers.iter();
        let mut lanes: Vec<Lane> = specs
            .clone()
            .map(|spec| Lane::new(*spec, per_puzzle))
            .collect();
        let crews = specs.map(|spec| Crew::new(*spec));
        let mut crews: Vec<Crew> = crews.filter(|_| config.throughput).collect();
        let mut complaints = Complaints::new(name, file, &self.solvers);
        let mut round = 0;
        let mut read = 0;
        loop {
            let chunk = feed.next_chunk(config.chunk.max(1), &mut |p| on_event(Event::Problem(p)));
            if chunk.len() == 0 {
                break;
            }
            let is_whole_corpus = read == 0 && chunk.len() < config.chunk;
            read += chunk.len() as u64;
            let cut = lanes.iter().all(Lane::is_cut) && crews.iter().all(Crew::is_cut);
            if !cut && !self.is_stopped() {
                let references: Vec<Reference> =
                    chunk.puzzles.par_iter().map(Reference::of).collect();
                let mut is_first_pass = true;
                while !self.is_stopped() {
                    lanes.iter_mut().for_each(Lane::start_chunk);
                    on_core(self.core, |_| {
                        measure(
                            &mut lanes,
                            &mut round,
                            &chunk,
                            &references,
                            is_first_pass,
                            setting,
                        );
                    });
                    for (solver, lane) in lanes.iter().enumerate() {
                        complaints.tell(solver, &lane.wrong, &chunk, on_event);
                        tell_samples(name, lane, &chunk, on_event);
                    }
                    is_first_pass = false;
                    let enough = |lane: &Lane| lane.is_cut() || lane.has_enough(config.repeat);
                    if !is_whole_corpus || lanes.iter().all(enough) {
                        break;
                    }
                }
                for (solver, crew) in crews.iter_mut().enumerate() {
                    let mut is_first_pass = true;
                    while !crew.is_cut() && !self.is_stopped() {
                        let wrong = crew.run(&chunk, &references, is_first_pass, setting);
                        complaints.tell(solver, &wrong, &chunk, on_event);
                        is_first_pass = false;
                        if !is_whole_corpus || crew.has_enough(config.repeat) {
                            break;
                        }
                    }
                }
            }
            on_event(Event::Progress(read));
        }
        complaints.finish(on_event);
        let reading = feed.finish();
        let row = |lane: &Lane| lane.row(name, reading.puzzles, config);
        let rows: Vec<Row> = lanes.iter().map(row).collect();
        let throughput = crews.iter().zip(&rows);
        CorpusResult {
            throughput: throughput
                .map(|(crew, row)| crew.row(row, setting))
                .collect(),
            rows,
            corpus: CorpusRow {
                name: name.to_owned(),
                file: file.to_owned(),
                puzzles: reading.puzzles,
                bad_lines: reading.bad_lines,
                wrong_solutions: reading.wrong_solutions,
                broken: reading.broken,
                blake3: reading.hash,
            },
            stopped: self.is_stopped(),
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

fn tell_samples(corpus: &str, lane: &Lane, chunk: &Chunk, on_event: &mut dyn FnMut(Event<'_>)) {
    for &sample in lane.samples.iter().flatten() {
        on_event(Event::Sample {
            corpus,
            line: chunk.lines[sample.index],
            puzzle: &chunk.puzzles[sample.index],
            solver: lane.name(),
            sample,
        });
    }
}

/// Wrong answers, the first ones of each solver told one by one.
struct Complaints<'a> {
    corpus: &'a str,
    file: &'a str,
    solvers: Vec<(&'static str, u64)>,
}

impl<'a> Complaints<'a> {
    fn new(corpus: &'a str, file: &'a str, solvers: &[SolverSpec]) -> Complaints<'a> {
        Complaints {
            corpus,
            file,
            solvers: solvers.iter().map(|spec| (spec.name, 0)).collect(),
        }
    }

    fn tell(
        &mut self,
        solver: usize,
        wrong: &[WrongAnswer],
        chunk: &Chunk,
        on_event: &mut dyn FnMut(Event<'_>),
    ) {
        let (name, told) = &mut self.solvers[solver];
        for &(place, why) in wrong {
            *told += 1;
            if *told <= TOLD {
                on_event(Event::Problem(&Problem::Answer {
                    place: Place {
                        file: self.file.into(),
                        line: chunk.lines[place],
                    },
                    solver: (*name).to_owned(),
                    why,
                }));
            }
        }
    }

    fn finish(self, on_event: &mut dyn FnMut(Event<'_>)) {
        for (solver, told) in self.solvers {
            if told > TOLD {
                on_event(Event::Problem(&Problem::MoreAnswers {
                    corpus: self.corpus.to_owned(),
                    solver: solver.to_owned(),
                    more: told - TOLD,
                }));
            }
        }
    }
}
