//! `sudoku-batch bench`.

use std::collections::HashSet;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sudoku_batch::bench::{
    Bench, BenchConfig, BenchSummary, Conditions, CorpusResult, Event, Problem, Settings, Warning,
};
use sudoku_batch::corpus::{Corpus, CorpusError};
use sudoku_batch::environment::{Environment, load_average};
use sudoku_batch::files::write_whole;
use sudoku_batch::report;
use sudoku_batch::roster::{ROSTER, SolverSpec, find};
use sudoku_batch::solve::Goal;

use super::args::{BenchArgs, Common, GoalName};
use super::error::{CliError, print_error, print_warning};
use super::interrupt::stop_flag;
use super::progress::bar;
use super::status::Status;
use super::stdout::print;
use super::threads::pool;

pub(crate) fn run(common: &Common, args: &BenchArgs) -> Result<Status, CliError> {
    if args.list {
        print(&report::roster_terminal(ROSTER));
        return Ok(Status::Clean);
    }
    let solvers = solvers(&args.solvers)?;
    let config = config(common, args);
    writable(&args.out)?;
    let pool = pool(common)?;
    let load_before = load_average();
    let bench = Bench::new(config, solvers.clone(), stop_flag());
    let mut runner = Runner {
        bench: &bench,
        common,
        problems: 0,
    };
    let names = names(&args.corpora);
    let mut results = Vec::new();
    for (path, name) in args.corpora.iter().zip(&names) {
        results.extend(pool.install(|| runner.corpus(path, name)));
        if results
            .last()
            .is_some_and(|result: &CorpusResult| result.stopped)
        {
            break;
        }
    }
    let interrupted = results.iter().any(|result| result.stopped);
    let problems = runner.problems;
    if results.is_empty() {
        return Ok(Status::Failed);
    }
    let environment = Conditions {
        environment: Environment::of_this_machine(pool.current_num_threads()),
        load_before,
        load_after: load_average(),
        clock: bench.clock(),
        pinned_core: bench.core(),
    };
    let (mut corpora, mut rows, mut throughput) = (Vec::new(), Vec::new(), Vec::new());
    for result in results {
        corpora.push(result.corpus);
        rows.extend(result.rows);
        throughput.extend(result.throughput);
    }
    let names = solvers.iter().map(|spec| spec.name.to_owned()).collect();
    let summary = BenchSummary {
        command: "bench",
        version: env!("CARGO_PKG_VERSION"),
        config: Settings::new(&config, names),
        warnings: Warning::all(&environment, &rows, &throughput),
        environment,
        corpora,
        rows,
        throughput,
        comparison: None,
        interrupted,
    };
    write(&args.out, &summary)?;
    if common.json {
        let json = serde_json::to_string(&summary).map_err(CliError::new)?;
        print(&format!("{json}\n"));
    } else {
        print(&report::bench_terminal(&summary));
    }
    if !common.quiet {
        for warning in &summary.warnings {
            print_warning(format!("{warning}: {}", warning.advice()));
        }
    }
    Ok(if interrupted {
        Status::Interrupted
    } else if problems == 0 {
        Status::Clean
    } else {
        Status::Partial
    })
}

/// The solvers that were asked for, each once.
fn solvers(names: &[String]) -> Result<Vec<SolverSpec>, CliError> {
    if names.is_empty() {
        return Ok(ROSTER.to_vec());
    }
    let mut seen = HashSet::new();
    let names = names.iter().filter(|name| seen.insert(*name));
    names
        .map(|name| find(name).copied().map_err(CliError::new))
        .collect()
}

fn config(common: &Common, args: &BenchArgs) -> BenchConfig {
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
        throughput: !args.no_throughput,
        ..BenchConfig::default()
    }
}

/// A name for each corpus: the stem of its file, numbered where two are the same.
fn names(paths: &[PathBuf]) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut names = Vec::new();
    for path in paths {
        let stem = stem(path);
        let numbered = (2..).map(|number| format!("{stem}-{number}"));
        let mut candidates = std::iter::once(stem.clone()).chain(numbered);
        let name = candidates.find(|name| taken.insert(name.clone()));
        names.push(name.unwrap_or(stem));
    }
    names
}

/// The name of a file without what it is packed by and without its ending.
fn stem(path: &Path) -> String {
    if path == Path::new("-") {
        return "stdin".to_owned();
    }
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy();
    let unpacked = [".gz", ".zst"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    let name = unpacked.unwrap_or(&name);
    let stem = Path::new(name)
        .file_stem()
        .map(|stem| stem.to_string_lossy());
    stem.unwrap_or_default().into_owned()
}

/// Runs corpora, and tells what goes wrong.
struct Runner<'a> {
    bench: &'a Bench<'a>,
    common: &'a Common,
    problems: u64,
}

impl Runner<'_> {
    /// What was measured; nothing where there is no puzzle, which has been told then.
    fn corpus(&mut self, path: &Path, name: &str) -> Option<CorpusResult> {
        let corpus = match Corpus::open(path) {
            Ok(corpus) => corpus,
            Err(error) => {
                self.problem(&error);
                return None;
            }
        };
        let file = if path == Path::new("-") {
            "<stdin>".to_owned()
        } else {
            path.display().to_string()
        };
        let bar = bar(self.common, 0, "puzzles");
        let bench = self.bench;
        let result = bench.corpus(name, &file, corpus, false, &mut |event| match event {
            Event::Problem(problem) => bar.suspend(|| self.tell(problem)),
            Event::Progress(puzzles) => {
                bar.set_length(puzzles);
                bar.set_position(puzzles);
            }
            Event::Sample { .. } => {}
        });
        bar.finish_and_clear();
        if result.corpus.puzzles == 0 && !result.stopped {
            let why = match result.corpus.bad_lines {
                0 => format!("no puzzles in {file}"),
                _ => format!("no line of {file} is a puzzle"),
            };
            self.problem(&why);
            return None;
        }
        Some(result)
    }

    /// Tells a problem of a line or row, and counts it.
    fn tell(&mut self, problem: &Problem) {
        match problem {
            Problem::Corpus(CorpusError::BadLine { .. }) => {
                self.problems += 1;
                // Who closed stderr does not want it.
                let _ = writeln!(anstream::stderr(), "{problem}");
            }
            problem => self.problem(problem),
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
        .map_err(|error| unwritable(folder, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> CliError {
    CliError::with_hint(
        format!("cannot write {}: {error}", path.display()),
        "give a folder that can be written to with --out",
    )
}

fn write(folder: &Path, summary: &BenchSummary) -> Result<(), CliError> {
    let write = |name: &str, fill: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
        let path = folder.join(name);
        write_whole(&path, fill).map_err(|error| unwritable(&path, &error))
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
    })
}
