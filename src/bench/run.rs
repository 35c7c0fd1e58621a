//! Measures all rows on a corpus, chunk by chunk, in constant memory.

use std::sync::atomic::AtomicBool;

use core_affinity::CoreId;

use super::clock::Clock;
use super::config::BenchConfig;
use super::contender::{BenchEntry, Contender};
use super::contestant::Contestant;
use super::core::{CoreError, choose, on_core};
use super::event::{Event, Reporter, Sample};
use super::external::External;
use super::hardest;
use super::measurement::CorpusMeasurement;
use super::problem::Problem;
use super::program::Program;
use super::reader::{Chunk, CorpusReader};
use super::team::{self, Team};
use super::work::{Context, Turn, Work, shuffled};

/// Purposes of random orders: of the rows, for each kind of round.
const ALONE: u64 = 1 << 32;
const BLOCKS: u64 = 2 << 32;
const ALL_THREADS: u64 = 3 << 32;
/// Purpose of the order of puzzles that are repeated.
const PUZZLES: u64 = 4 << 32;

/// A measurement with its settings, for one corpus after the other.
pub struct Bench<'a, C> {
    config: BenchConfig,
    solvers: Vec<C>,
    externals: Vec<External>,
    clock: Clock,
    core: Option<CoreId>,
    stop: &'a AtomicBool,
}

impl<'a, C: Contender> Bench<'a, C> {
    /// Chooses a core and measures the clock. `stop` ends the measurement after the current call.
    ///
    /// # Errors
    ///
    /// [`CoreError`], if the core in the settings is not available.
    pub fn new(
        config: BenchConfig,
        solvers: Vec<C>,
        externals: Vec<External>,
        stop: &'a AtomicBool,
    ) -> Result<Bench<'a, C>, CoreError> {
        let core = choose(config.cpu)?;
        Ok(Bench {
            clock: on_core(core, |_| Clock::measure()),
            config,
            solvers,
            externals,
            core,
            stop,
        })
    }

    /// Returns the clock that times the puzzles.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the core that the measuring thread is pinned to, if pinning is possible.
    pub fn core(&self) -> Option<usize> {
        self.core.map(|core| core.id)
    }

    /// Measures all solvers on a corpus. Runs in the current rayon pool.
    ///
    /// Memory does not grow with the corpus. When every budget has run out the rest is still read,
    /// so that puzzles and bad lines are counted. Samples are reported if `per_puzzle` is set.
    pub fn corpus<E: Into<BenchEntry<C::Puzzle>>, F: Into<Problem>>(
        &self,
        name: &str,
        file: &str,
        entries: impl Iterator<Item = Result<E, F>>,
        per_puzzle: bool,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> CorpusMeasurement {
        let config = &self.config;
        let mut reporter = Reporter::new(name, file, per_puzzle, on_event);
        let entries = entries.map(|entry| entry.map(E::into).map_err(F::into));
        let mut reader = CorpusReader::new(entries, C::text, config.limit, self.stop);
        if let Some(count) = config.sample {
            reader.draw(count, config.seed, &mut |problem| reporter.problem(problem));
        }
        let mut rows = Rows::new(self);
        let mut measurement = CorpusMeasurement {
            name: name.to_owned(),
            file: file.to_owned(),
            seed: config.seed,
            ..CorpusMeasurement::default()
        };
        let (mut read, mut number) = (0, 0);
        loop {
            let chunk = reader.next_chunk(config.chunk.max(1), &mut |problem| {
                reporter.problem(problem);
            });
            if chunk.len() == 0 {
                break;
            }
            let is_whole = read == 0 && chunk.len() < config.chunk;
            read += chunk.len() as u64;
            if !rows.are_out() && !self.context().is_stopped() {
                rows.measure(&chunk, number, is_whole, &mut reporter);
                let hard = hardest::of_chunk(&chunk, C::text, &rows.samples());
                let kept = std::mem::take(&mut measurement.hardest);
                measurement.hardest = hardest::merge(kept, hard);
            }
            number += 1;
            reporter.progress(read);
        }
        measurement.reading = reader.finish();
        measurement.stopped = self.context().is_stopped();
        let Rows {
            own,
            programs,
            teams,
            ..
        } = rows;
        for program in programs.iter().map(|program| &program.measurement) {
            if let Some(why) = &program.failure {
                reporter.row(&program.solver, why);
            }
        }
        let teams = teams.into_iter().map(|team| Some(team.measured));
        let teams = teams.chain(std::iter::repeat_with(|| None));
        let own = own.into_iter().zip(teams).map(|(row, all_threads)| {
            let mut measurement = row.measurement;
            measurement.all_threads = all_threads;
            measurement
        });
        let programs = programs.into_iter().map(|program| program.measurement);
        measurement.solvers = own.chain(programs).collect();
        reporter.finish();
        measurement
    }

    fn context(&self) -> Context<'_> {
        Context {
            config: &self.config,
            clock: self.clock,
            stop: self.stop,
        }
    }
}

/// All rows of a corpus.
struct Rows<'a, C: Contender> {
    bench: &'a Bench<'a, C>,
    own: Vec<Contestant<C>>,
    programs: Vec<Program<'a, C>>,
    teams: Vec<Team<C>>,
    /// Number of rounds of single puzzles, of blocks, and on all threads.
    rounds: [u64; 3],
}

impl<'a, C: Contender> Rows<'a, C> {
    fn new(bench: &'a Bench<'a, C>) -> Rows<'a, C> {
        let goal = bench.config.goal;
        let own = bench
            .solvers
            .iter()
            .map(|spec| Contestant::new(*spec, goal));
        let team = |spec: &C| Team::new(*spec, goal);
        let teams = bench.solvers.iter().filter(|_| bench.config.throughput);
        let cores = core_affinity::get_core_ids().unwrap_or_default();
        let others = cores.into_iter().find(|core| Some(*core) != bench.core);
        let programs = bench.externals.iter();
        Rows {
            bench,
            own: own.collect(),
            programs: programs.map(|it| Program::new(it, goal, others)).collect(),
            teams: teams.map(team).collect(),
            rounds: [0; 3],
        }
    }

    /// Returns whether no budget is left.
    fn are_out(&self) -> bool {
        self.own.iter().all(Contestant::is_out) && self.programs.iter().all(Program::is_out)
    }

    /// Returns the answers to the puzzles of the chunk, by solver.
    fn samples(&self) -> Vec<(&str, &[Sample])> {
        let own = self.own.iter();
        let own = own.map(|row| (&*row.measurement.solver, &*row.samples));
        let programs = self.programs.iter();
        let programs = programs.map(|row| (&*row.measurement.solver, &*row.samples));
        own.chain(programs).collect()
    }

    /// Measures all rows on a chunk: single puzzles, then blocks, then all threads. A chunk that is
    /// the whole corpus is repeated until there are enough rounds.
    fn measure(
        &mut self,
        chunk: &Chunk<C::Puzzle>,
        number: u64,
        is_whole: bool,
        reporter: &mut Reporter<'_>,
    ) {
        let bench = self.bench;
        let context = bench.context();
        let own = self.own.iter().map(|row| row.referee);
        let programs = self.programs.iter().map(|row| row.referee);
        let work = &Work::new(chunk, own.chain(programs).collect(), context.config, number);
        for row in &mut self.own {
            row.start_chunk();
            row.look_at(chunk);
        }
        self.programs.iter_mut().for_each(|row| row.samples.clear());
        on_core(bench.core, |_| {
            self.single_puzzles(work, context);
            self.blocks(work, is_whole, context);
        });
        self.all_threads(work, is_whole, context);
        for row in &mut self.own {
            let (name, wrong) = (row.name(), std::mem::take(&mut row.wrong));
            reporter.wrong(name, &wrong, &chunk.lines);
            reporter.samples(name, &row.samples, chunk, C::text);
        }
        for row in &mut self.programs {
            let (name, wrong) = (&row.measurement.solver, std::mem::take(&mut row.wrong));
            reporter.wrong(name, &wrong, &chunk.lines);
            reporter.samples(name, &row.samples, chunk, C::text);
        }
        for team in &mut self.teams {
            let wrong = std::mem::take(&mut team.wrong);
            reporter.wrong(team.name(), &wrong, &chunk.lines);
        }
    }

    /// Times single puzzles, block by block, the rows in a varying order.
    fn single_puzzles(&mut self, work: &Work<'_, C>, context: Context<'_>) {
        let all: Vec<usize> = (0..work.lines.len()).collect();
        for places in all.chunks(context.config.block.max(1)) {
            let turn = self.turn(ALONE, places, true);
            for row in self.order(ALONE, turn.number, self.own.len()) {
                self.own[row].time_alone(&turn, work, context);
            }
        }
    }

    /// Times blocks, each by every row before the next one, the rows in a varying order.
    fn blocks(&mut self, work: &Work<'_, C>, is_whole: bool, context: Context<'_>) {
        let config = context.config;
        let (count, own) = (work.lines.len(), self.own.len());
        for pass in 0.. {
            let order = self.puzzle_order(count, pass);
            for places in order.chunks(config.block.max(1)) {
                let turn = self.turn(BLOCKS, places, pass == 0);
                for row in self.order(BLOCKS, turn.number, own + self.programs.len()) {
                    match self.own.get_mut(row) {
                        Some(row) => {
                            if pass == 0 || !row.has_enough(config.repeat, config.budget) {
                                for part in turn.parts(row.reached, row.pace_ns(), 1) {
                                    row.round(&part, work, context);
                                }
                            }
                        }
                        None => {
                            let row = &mut self.programs[row - own];
                            if pass == 0 || !row.has_enough(config.repeat) {
                                for part in turn.parts(usize::MAX, row.pace_ns(), 1) {
                                    row.round(&part, work, context);
                                }
                            }
                        }
                    }
                }
            }
            let own = self.own.iter();
            let is_enough = own
                .clone()
                .all(|row| row.has_enough(config.repeat, config.budget));
            let programs = self.programs.iter();
            let programs = programs.filter(|row| !row.is_out());
            let is_enough = is_enough && programs.clone().all(|row| row.has_enough(config.repeat));
            if !is_whole || is_enough || context.is_stopped() {
                break;
            }
        }
    }

    /// Times all threads, the rows in a varying order.
    fn all_threads(&mut self, work: &Work<'_, C>, is_whole: bool, context: Context<'_>) {
        let repeat = context.config.repeat;
        for pass in 0.. {
            let order = self.puzzle_order(work.lines.len(), pass);
            for places in order.chunks(team::BLOCK) {
                let turn = self.turn(ALL_THREADS, places, pass == 0);
                for row in self.order(ALL_THREADS, turn.number, self.teams.len()) {
                    let (team, one) = (&mut self.teams[row], &self.own[row]);
                    if pass == 0 || !team.has_enough(repeat) {
                        let rounds = &one.measurement.rounds;
                        let pace_ns = rounds.rate().map_or(0.0, |rate| 1e9 / rate);
                        for part in turn.parts(one.reached, pace_ns, team.least()) {
                            team.round(&part, rounds, work, context);
                        }
                    }
                }
            }
            let mut pairs = self.teams.iter().zip(&self.own);
            let is_enough = pairs.all(|(team, one)| one.reached == 0 || team.has_enough(repeat));
            if !is_whole || is_enough || context.is_stopped() {
                break;
            }
        }
    }

    /// Returns the next round of this kind.
    fn turn(&mut self, kind: u64, places: &[usize], is_first: bool) -> Turn {
        let next = &mut self.rounds[(kind >> 32) as usize - 1];
        *next += 1;
        Turn {
            number: *next - 1,
            places: places.to_vec(),
            is_first,
        }
    }

    /// Returns the order of the rows in a round of this kind.
    fn order(&self, kind: u64, round: u64, rows: usize) -> Vec<usize> {
        shuffled(rows, self.bench.config.seed, round, kind)
    }

    /// Returns the order of the puzzles of a chunk: as they come at first, then drawn by seed.
    fn puzzle_order(&self, count: usize, pass: u64) -> Vec<usize> {
        match pass {
            0 => (0..count).collect(),
            pass => shuffled(count, self.bench.config.seed, pass, PUZZLES),
        }
    }
}
