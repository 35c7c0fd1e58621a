//! `sudoku-batch bench`.

use std::collections::HashSet;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sudoku_batch::bench::{
    Bench, BenchConfig, BenchEntry, BenchSummary, Conditions, Contender, CorpusMeasurement, Event,
    External, Problem, Sample, Settings, baseline_path,
};
use sudoku_batch::corpus::{CorpusError, Entry};
use sudoku_batch::environment::{Environment, load_average};
use sudoku_batch::files::{WholeFile, write_whole};
use sudoku_batch::report::{self, PuzzleTable};
use sudoku_batch::roster::{ROSTER, UnknownSolver, find};
use sudoku_batch::solve::Goal;
use sudoku_batch::variant::{OpenCorpora, VARIANT_SOLVERS, find_variant};

use super::args::{BenchArgs, Common, GoalName};
use super::corpora::{FORMATS, advice, corpus_names, no_reading_of_plan, open};
use super::error::{CliError, WRITABLE, cannot_write, print_error, print_hint, print_warning};
use super::interrupt::stop_flag;
use super::out_folder::take_folder;
use super::progress::bar;
use super::shard::{ShardTask, Task};
use super::status::Status;
use super::stdout::print;
use super::threads::pool;

pub(crate) fn run(common: &Common, args: &BenchArgs) -> Result<Status, CliError> {
    if args.list {
        print(&report::roster_terminal(ROSTER, VARIANT_SOLVERS));
        return Ok(Status::Clean);
    }
    no_reading_of_plan(&args.table, Some(&args.layout), &args.shard)?;
    let (task, folder, corpora) = match Task::of(common, &args.shard, "bench", &args.out)? {
        Task::Done(status) => return Ok(status),
        Task::Paths => (None, args.out.clone(), whole_corpora(args)?),
        Task::Shard(task) => {
            let (folder, corpora) = (task.folder().to_owned(), pieces(&task)?);
            (Some(*task), folder, corpora)
        }
    };
    let is_classic = |it: &Measured| matches!(it.corpus, OpenCorpora::Classic(_));
    let has_other_boards = task.as_ref().is_some_and(ShardTask::has_other_boards);
    if !has_other_boards && corpora.iter().all(is_classic) {
        let solvers = solvers(&args.solvers, ROSTER, find)?;
        measure(common, args, solvers, (task, folder, corpora), classic)
    } else {
        let solvers = solvers(&args.solvers, VARIANT_SOLVERS, find_variant);
        let solvers = solvers.map_err(|error| error.with_advice(OTHER_BOARDS))?;
        let lines = OpenCorpora::into_lines;
        measure(common, args, solvers, (task, folder, corpora), lines)
    }
}

/// What to do where a solver of classic puzzles is asked for on other boards.
const OTHER_BOARDS: &str =
    "these boards have other sizes or shapes; see `bench --list` for their solvers";

/// The entries of a corpus.
type Entries<E, F> = Box<dyn Iterator<Item = Result<E, F>> + Send>;

/// The entries of a corpus that holds nothing but classic puzzles.
fn classic(corpus: OpenCorpora) -> Entries<Entry, CorpusError> {
    match corpus {
        OpenCorpora::Classic(corpora) => corpora,
        OpenCorpora::Variant(_) => Box::new(std::iter::empty()),
    }
}

/// Where the corpora come from, where the results go, and the corpora.
type Job = (Option<ShardTask>, PathBuf, Vec<Measured>);

/// Measures solvers of one kind of board.
fn measure<C: Contender, E: Into<BenchEntry<C::Puzzle>>, F: Into<Problem>>(
    common: &Common,
    args: &BenchArgs,
    solvers: Vec<C>,
    (task, folder, corpora): Job,
    entries: fn(OpenCorpora) -> Entries<E, F>,
) -> Result<Status, CliError> {
    let names = solver_names(&solvers, &args.external)?;
    let config = config(common, args);
    let _lock = match task {
        Some(_) => None,
        None => Some(take_folder(common, &folder, args.wait)?),
    };
    writable(&folder)?;
    let baseline = baseline(args)?;
    let pool = pool(common)?;
    let load_before = load_average();
    let bench = Bench::new(config, solvers, args.external.clone(), stop_flag());
    let bench =
        bench.map_err(|error| CliError::with_hint(error, "omit --cpu to use the fastest core"))?;
    let mut runner = Runner {
        bench: &bench,
        common,
        samples: Samples::new(&folder, args.per_puzzle)?,
        problems: 0,
    };
    let mut results: Vec<CorpusMeasurement> = Vec::new();
    for corpus in corpora {
        results.extend(pool.install(|| runner.corpus(corpus, entries)));
        if results.last().is_some_and(|result| result.stopped) {
            break;
        }
    }
    let Runner {
        samples, problems, ..
    } = runner;
    if results.is_empty() && task.is_none() {
        print_hint(advice(&args.corpora, &args.table, FORMATS));
        return Ok(Status::Failed);
    }
    let conditions = Conditions {
        environment: Environment::of_this_machine(pool.current_num_threads()),
        load_before,
        load_after: load_average(),
        clock: bench.clock(),
        pinned_core: bench.core(),
    };
    let mut summary = BenchSummary::new(Settings::new(&config, names), conditions, &results);
    if let Some((name, base)) = &baseline {
        summary = summary.compared_with(name, base);
    }
    remove_optional(&folder);
    samples.finish()?;
    write(&folder, &summary, &results)?;
    if let Some(name) = &args.save_baseline {
        let kept = summary.save_baseline(&args.out, name);
        kept.map_err(|error| CliError::with_hint(error, WRITABLE))?;
    }
    let status = if summary.interrupted {
        Status::Interrupted
    } else if problems == 0 {
        Status::Clean
    } else {
        Status::Partial
    };
    match task {
        None => show(common, &args.out, args.per_puzzle, &summary)?,
        Some(_) if summary.interrupted => {}
        Some(task) => {
            let mut settings = serde_json::to_value(&summary.config).map_err(CliError::new)?;
            settings["per_puzzle"] = args.per_puzzle.into();
            task.finish(common, &summary.environment.environment, settings, status)?;
        }
    }
    Ok(status)
}

/// A corpus that is measured, whole or in part.
struct Measured {
    /// Its name in the tables.
    name: String,
    path: PathBuf,
    corpus: OpenCorpora,
    is_whole: bool,
}

fn whole_corpora(args: &BenchArgs) -> Result<Vec<Measured>, CliError> {
    let names = corpus_names(&args.corpora).into_iter();
    let corpora = names.zip(&args.corpora).map(|(name, path)| {
        Ok(Measured {
            name,
            path: path.clone(),
            corpus: open(vec![path.clone()], &args.layout, &args.table)?,
            is_whole: true,
        })
    });
    corpora.collect()
}

/// The pieces of corpora in a shard.
fn pieces(task: &ShardTask) -> Result<Vec<Measured>, CliError> {
    let pieces = task.pieces()?.into_iter();
    let corpora = pieces.map(|piece| Measured {
        name: piece.name.clone(),
        path: piece.path.clone(),
        corpus: task.open(vec![piece]),
        is_whole: false,
    });
    Ok(corpora.collect())
}

/// The table or the summary on stdout, the warnings and where the files are on stderr.
pub(super) fn show(
    common: &Common,
    folder: &Path,
    per_puzzle: bool,
    summary: &BenchSummary,
) -> Result<(), CliError> {
    if common.json {
        let json = serde_json::to_string(summary).map_err(CliError::new)?;
        print(&format!("{json}\n"));
    } else {
        print(&report::bench_terminal(summary));
    }
    if !common.quiet {
        for warning in &summary.warnings {
            print_warning(format!("{}: {}", warning.text, warning.advice));
        }
        let mut files = vec!["bench.csv"];
        files.extend((!summary.throughput.is_empty()).then_some("throughput.csv"));
        files.extend(per_puzzle.then_some("puzzles.csv"));
        files.extend(["summary.json", "measurements.json"]);
        files.extend(["report.md", "report.html"]);
        let folder = folder.display();
        // Who closed stderr does not want it.
        let _ = writeln!(anstream::stderr(), "{folder}: {}", files.join(", "));
    }
    Ok(())
}

/// The run to compare with, and its name; also whether this one can be kept, before anything is measured.
fn baseline(args: &BenchArgs) -> Result<Option<(String, BenchSummary)>, CliError> {
    if let Some(name) = &args.save_baseline {
        baseline_path(&args.out, name).map_err(CliError::new)?;
    }
    let load = |name: &String| {
        let base = BenchSummary::load_baseline(&args.out, name).map_err(|error| {
            let hint =
                "save a run with --save-baseline NAME and the same --out, or give the folder of a run";
            CliError::with_hint(error, hint)
        });
        Ok((name.clone(), base?))
    };
    args.baseline.as_ref().map(load).transpose()
}

/// The solvers that were asked for, each once.
fn solvers<C: Contender>(
    names: &[String],
    all: &[C],
    find: fn(&str) -> Result<&'static C, UnknownSolver>,
) -> Result<Vec<C>, CliError> {
    if names.is_empty() {
        return Ok(all.to_vec());
    }
    let mut seen = HashSet::new();
    let names = names.iter().filter(|name| seen.insert(*name));
    names
        .map(|name| find(name).copied().map_err(CliError::new))
        .collect()
}

/// The names of all rows of a corpus, each of one row.
fn solver_names<C: Contender>(
    solvers: &[C],
    externals: &[External],
) -> Result<Vec<String>, CliError> {
    let mut names: Vec<String> = solvers.iter().map(|spec| spec.name().to_owned()).collect();
    for external in externals {
        if names.contains(&external.name) {
            return Err(CliError::with_hint(
                format!("two rows would have the name {}", external.name),
                "give the external program another name: --external NAME=CMD",
            ));
        }
        names.push(external.name.clone());
    }
    Ok(names)
}

fn config(common: &Common, args: &BenchArgs) -> BenchConfig {
    let usual = BenchConfig::default();
    BenchConfig {
        goal: match args.goal {
            GoalName::Unique => Goal::ProveUnique,
            GoalName::First => Goal::FirstSolution,
        },
        limits: args.limits.limits(Some(args.time_limit)),
        budget: args.budget,
        limit: args.limit,
        sample: args.sample,
        seed: common.seed,
        cpu: args.cpu,
        throughput: !args.no_throughput,
        block: args.block,
        chunk: usual.chunk.max(args.block),
        ..usual
    }
}

/// Runs corpora, and reports what goes wrong.
struct Runner<'a, C: Contender> {
    bench: &'a Bench<'a, C>,
    common: &'a Common,
    samples: Samples,
    problems: u64,
}

impl<C: Contender> Runner<'_, C> {
    /// What was measured; nothing where there is no puzzle, which has been reported then.
    fn corpus<E: Into<BenchEntry<C::Puzzle>>, F: Into<Problem>>(
        &mut self,
        measured: Measured,
        entries: fn(OpenCorpora) -> Entries<E, F>,
    ) -> Option<CorpusMeasurement> {
        let path = &measured.path;
        let mut entries = entries(measured.corpus).map(|entry| entry.map_err(F::into));
        let first = entries.next();
        if let Some(Err(problem)) = &first
            && problem.is_unreadable()
        {
            self.problem(problem);
            return None;
        }
        let entries = first.into_iter().chain(entries);
        let file = if path == Path::new("-") {
            "<stdin>".to_owned()
        } else {
            path.display().to_string()
        };
        let bar = bar(self.common, 0, "puzzles");
        let bench = self.bench;
        let per_puzzle = self.samples.is_wanted();
        let name = &measured.name;
        let result = bench.corpus(name, &file, entries, per_puzzle, &mut |event| match event {
            Event::Problem(problem) => bar.suspend(|| self.report(problem)),
            Event::Progress(puzzles) => {
                bar.set_length(puzzles);
                bar.set_position(puzzles);
            }
            Event::Sample {
                corpus,
                line,
                puzzle,
                solver,
                sample,
            } => self.samples.write(corpus, line, puzzle, solver, &sample),
        });
        bar.finish_and_clear();
        if measured.is_whole && result.reading.puzzles == 0 && !result.stopped {
            let why = match result.reading.bad_lines {
                0 => format!("no puzzles in {file}"),
                _ => format!("no line of {file} is a puzzle"),
            };
            self.problem(&why);
            return None;
        }
        Some(result)
    }

    /// Reports a problem of a line or row, and counts it.
    fn report(&mut self, problem: &Problem) {
        if problem.is_bad_line() {
            self.problems += 1;
            // Who closed stderr does not want it.
            let _ = writeln!(anstream::stderr(), "{problem}");
        } else {
            self.problem(problem);
        }
    }

    fn problem(&mut self, problem: &dyn Display) {
        self.problems += 1;
        print_error(problem);
    }
}

/// Makes the folder and checks that files can be written there, before anything is measured.
fn writable(folder: &Path) -> Result<(), CliError> {
    std::fs::create_dir_all(folder)
        .and_then(|()| tempfile::tempfile_in(folder).map(drop))
        .map_err(|error| cannot_write(folder, &error))
}

/// `puzzles.csv`, if it is wanted, and the first thing that stopped it.
struct Samples {
    path: PathBuf,
    table: Option<PuzzleTable<WholeFile>>,
    failure: Option<io::Error>,
}

impl Samples {
    fn new(folder: &Path, is_wanted: bool) -> Result<Samples, CliError> {
        let path = folder.join("puzzles.csv");
        let table = || PuzzleTable::new(WholeFile::create(&path)?);
        let table = is_wanted.then(table).transpose();
        Ok(Samples {
            table: table.map_err(|error| cannot_write(&path, &error))?,
            path,
            failure: None,
        })
    }

    fn is_wanted(&self) -> bool {
        self.table.is_some()
    }

    /// A row, unless one before it could not be written.
    fn write(&mut self, corpus: &str, line: u64, puzzle: &str, solver: &str, sample: &Sample) {
        if let (Some(table), None) = (&mut self.table, &self.failure) {
            self.failure = table.write(corpus, line, puzzle, solver, sample).err();
        }
    }

    fn finish(self) -> Result<(), CliError> {
        let finished = match (self.failure, self.table) {
            (Some(error), _) => Err(error),
            (None, Some(table)) => table.finish().and_then(WholeFile::finish),
            (None, None) => Ok(()),
        };
        finished.map_err(|error| cannot_write(&self.path, &error))
    }
}

/// Files that not every run writes must not stay from one before.
pub(super) fn remove_optional(folder: &Path) {
    for name in ["throughput.csv", "puzzles.csv"] {
        // Mostly it is not there.
        let _ = std::fs::remove_file(folder.join(name));
    }
}

pub(super) fn write(
    folder: &Path,
    summary: &BenchSummary,
    measurements: &[CorpusMeasurement],
) -> Result<(), CliError> {
    let write = |name: &str, fill: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
        let path = folder.join(name);
        write_whole(&path, fill).map_err(|error| cannot_write(&path, &error))
    };
    write("bench.csv", &|writer| {
        report::bench_csv(writer, &summary.rows)
    })?;
    if !summary.throughput.is_empty() {
        write("throughput.csv", &|writer| {
            report::throughput_csv(writer, &summary.throughput)
        })?;
    }
    write("summary.json", &|writer| {
        serde_json::to_writer_pretty(&mut *writer, summary)?;
        writer.write_all(b"\n")
    })?;
    write("measurements.json", &|writer| {
        serde_json::to_writer(&mut *writer, measurements)?;
        writer.write_all(b"\n")
    })?;
    write("report.md", &|writer| {
        writer.write_all(report::bench_markdown(summary).as_bytes())
    })?;
    write("report.html", &|writer| {
        writer.write_all(report::bench_page(summary).as_bytes())
    })
}
