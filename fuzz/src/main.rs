//! Feeds mutated seeds to the targets: `fuzz [TARGET|all] [SECONDS] [SEED]`. Ends with 1 at the first input that makes a
//! target panic, hang or exhaust memory, and leaves it in `artifacts/`. `all` runs each target in its own process, as many
//! at once as there are processors. `fuzz TARGET FILE` replays one input.

use std::alloc::System;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, exit};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, io, thread};

use cap::Cap;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sudoku_batch_fuzz::folder::Folder;
use sudoku_batch_fuzz::mutation::mutated;
use sudoku_batch_fuzz::panics;
use sudoku_batch_fuzz::targets::{TARGETS, Target};
use sudoku_batch_fuzz::watch::{Allocated, Limits, Watch};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Limit of all allocations, above that of one input, to protect the rest of the machine.
const RUNAWAY: usize = 4 << 30;

/// Exit code of a finding that was reported.
const FOUND: i32 = 1;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let argument = |at: usize| arguments.get(at).map(String::as_str);
    let name = argument(0).unwrap_or("all");
    let number = |at: usize, usual: u64| argument(at).map_or(Some(usual), |it| it.parse().ok());
    let known = TARGETS.into_iter().find(|(target, _)| *target == name);
    match (number(1, 60), number(2, 0), known, argument(3)) {
        (Some(seconds), Some(seed), Some(target), Some(running)) => {
            run(
                target,
                Duration::from_secs(seconds),
                seed,
                Path::new(running),
            );
            ExitCode::SUCCESS
        }
        (Some(seconds), Some(seed), _, None) if name == "all" || known.is_some() => {
            let chosen = TARGETS.into_iter();
            let chosen = chosen.filter(|(target, _)| name == "all" || *target == name);
            match run_each(chosen.collect(), seconds, seed) {
                Ok(true) => ExitCode::SUCCESS,
                Ok(false) => ExitCode::FAILURE,
                Err(error) => {
                    eprintln!("cannot feed a target: {error}");
                    ExitCode::from(2)
                }
            }
        }
        (None, ..) if known.is_some() && arguments.len() == 2 => again(known, &arguments[1]),
        _ => {
            let names = TARGETS.map(|(name, _)| name).join("|");
            eprintln!("usage: fuzz [all|{names}] [SECONDS] [SEED]\n       fuzz TARGET FILE");
            ExitCode::from(2)
        }
    }
}

/// Replays a saved input.
fn again(target: Option<Target>, file: &str) -> ExitCode {
    match (target, fs::read(file)) {
        (Some((_, target)), Ok(input)) => {
            let start = Instant::now();
            target(&input);
            let most = ALLOCATOR.max_allocated() >> 20;
            println!("{} ms, {most} MB", start.elapsed().as_millis());
            ExitCode::SUCCESS
        }
        (_, Err(error)) => {
            eprintln!("cannot read {file}: {error}");
            ExitCode::from(2)
        }
        (None, _) => ExitCode::from(2),
    }
}

/// Runs targets, each in its own process; returns whether nothing was found.
fn run_each(targets: Vec<Target>, seconds: u64, seed: u64) -> io::Result<bool> {
    let left = Mutex::new(targets.into_iter());
    let feed = || {
        let mut is_clean = true;
        loop {
            // The lock is held only while taking the next one.
            let next = left.lock().ok().and_then(|mut left| left.next());
            let Some((name, _)) = next else {
                return Ok(is_clean);
            };
            is_clean &= run_alone(name, seconds, seed)?;
        }
    };
    thread::scope(|scope| {
        let count = thread::available_parallelism().map_or(1, usize::from);
        let feeders: Vec<_> = (0..count).map(|_| scope.spawn(feed)).collect();
        let mut is_clean = true;
        for feeder in feeders {
            let crashed = |_| Err(io::Error::other("a thread crashed"));
            is_clean &= feeder.join().unwrap_or_else(crashed)?;
        }
        Ok(is_clean)
    })
}

/// Runs a target in its own process, which keeps the current input in a file: after a stack overflow nothing is left
/// to report it.
fn run_alone(name: &str, seconds: u64, seed: u64) -> io::Result<bool> {
    let folder = Folder::new();
    let running = folder.at("running");
    let mut process = Command::new(env::current_exe()?);
    let numbers = [seconds, seed].map(|number| number.to_string());
    let ended = process.arg(name).args(numbers).arg(&running).status()?;
    if ended.code() != Some(0) && ended.code() != Some(FOUND) {
        let path = keep(name, &fs::read(&running)?);
        eprintln!("{name}: {ended} for {}", path.display());
    }
    Ok(ended.success())
}

/// Runs a target for this long.
fn run((name, target): Target, time: Duration, seed: u64, running: &Path) {
    let seeds = seeds(name);
    // Data that is built once, such as tables of a solver, does not count as a cost of an input.
    seeds.iter().for_each(|seed| target(seed));
    let report = move |input: &[u8], why: &str| {
        let path = keep(name, input);
        eprintln!("{name}: {why} for {}", path.display());
        exit(FOUND);
    };
    let allocated = || Allocated {
        now: ALLOCATOR.allocated(),
        most: ALLOCATOR.max_allocated(),
    };
    if ALLOCATOR.set_limit(RUNAWAY).is_err() {
        eprintln!("{name}: the seeds alone fill the memory");
        exit(FOUND);
    }
    let watch = Watch::start(Limits::USUAL, allocated, report);
    let mut running = Running::new(running);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let start = Instant::now();
    let (mut count, mut longest) = (0u64, Duration::ZERO);
    while start.elapsed() < time {
        let [one, other] = [0; 2].map(|_| &seeds[random.random_range(0..seeds.len())]);
        let input = mutated(one, other, &mut random);
        running.note(&input);
        let begun = Instant::now();
        watch.begin(&input);
        let ended = panics::heard(|| target(&input));
        let cost = watch.end();
        longest = longest.max(begun.elapsed());
        if let Err(why) = ended.and(cost) {
            report(&input, &why);
        }
        count += 1;
    }
    let rate = count as f64 / start.elapsed().as_secs_f64();
    let (most, longest) = (watch.most() >> 20, longest.as_millis());
    println!(
        "{name}: {count} inputs, {rate:.0} a second, at most {longest} ms and {most} MB, nothing found"
    );
}

fn artifacts(name: &str) -> PathBuf {
    root().join("artifacts").join(name)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The seeds of a target, including empty input.
fn seeds(name: &str) -> Vec<Vec<u8>> {
    let files = fs::read_dir(root().join("seeds").join(name));
    let mut paths: Vec<PathBuf> = files
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    let read = paths.iter().filter_map(|path| fs::read(path).ok());
    read.chain([Vec::new()]).collect()
}

/// The current input, in a file.
struct Running {
    file: File,
    length: usize,
}

impl Running {
    fn new(path: &Path) -> Running {
        let file = File::create(path).unwrap_or_else(|error| {
            eprintln!("cannot write {}: {error}", path.display());
            exit(2);
        });
        Running { file, length: 0 }
    }

    fn note(&mut self, input: &[u8]) {
        let written = self.file.write_all_at(input, 0);
        let is_shorter = input.len() < self.length;
        let cut = match is_shorter {
            true => self.file.set_len(input.len() as u64),
            false => Ok(()),
        };
        self.length = input.len();
        if let Err(error) = written.and(cut) {
            eprintln!("cannot write the input in hand: {error}");
        }
    }
}

/// Saves an input under a unique name.
fn keep(name: &str, input: &[u8]) -> PathBuf {
    let folder = artifacts(name);
    let path = folder.join(sudoku_batch::files::content_hash(input));
    let kept = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, input));
    if let Err(error) = kept {
        eprintln!("cannot keep the input: {error}");
    }
    path
}
