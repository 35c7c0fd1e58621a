//! Feeds mutated seeds to the targets: `fuzz [TARGET|all] [SECONDS] [SEED]`. Ends with 1 at the first input that makes a
//! target panic, wait or fill the memory, and leaves it in `artifacts/`.

use std::alloc::System;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, exit};
use std::time::{Duration, Instant};
use std::{env, fs, panic};

use cap::Cap;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sudoku_batch_fuzz::mutation::mutated;
use sudoku_batch_fuzz::targets::{TARGETS, Target};
use sudoku_batch_fuzz::watch::{Limits, Watch};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

const LIMITS: Limits = Limits {
    time: Duration::from_secs(5),
    memory: 256 << 20,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let argument = |at: usize| arguments.get(at).map(String::as_str);
    let name = argument(0).unwrap_or("all");
    let number = |at: usize, usual: u64| argument(at).map_or(Some(usual), |it| it.parse().ok());
    let chosen: Vec<Target> = TARGETS
        .into_iter()
        .filter(|(target, _)| name == "all" || *target == name)
        .collect();
    let (Some(seconds), Some(seed), false) = (number(1, 60), number(2, 0), chosen.is_empty())
    else {
        let names = TARGETS.map(|(name, _)| name).join("|");
        eprintln!("usage: fuzz [all|{names}] [SECONDS] [SEED]");
        return ExitCode::from(2);
    };
    for target in chosen {
        run(target, Duration::from_secs(seconds), seed);
    }
    ExitCode::SUCCESS
}

/// Feeds a target for so long.
fn run((name, target): Target, time: Duration, seed: u64) {
    let seeds = seeds(name);
    // What is made once and kept, such as tables of a solver, is no cost of an input.
    seeds.iter().for_each(|seed| target(seed));
    let report = move |input: &[u8], why: &str| {
        let path = keep(name, input);
        eprintln!("{name}: {why} for {}", path.display());
        exit(1);
    };
    let watch = Watch::start(LIMITS, || ALLOCATOR.allocated(), report);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let start = Instant::now();
    let mut count = 0u64;
    while start.elapsed() < time {
        let [one, other] = [0; 2].map(|_| &seeds[random.random_range(0..seeds.len())]);
        let input = mutated(one, other, &mut random);
        watch.begin(&input);
        if panic::catch_unwind(|| target(&input)).is_err() {
            report(&input, "panic");
        }
        watch.end();
        count += 1;
    }
    let rate = count as f64 / start.elapsed().as_secs_f64();
    println!("{name}: {count} inputs, {rate:.0} a second, nothing found");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The seeds of a target; nothing at all is one, too.
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

/// Keeps an input under a name that tells it from others.
fn keep(name: &str, input: &[u8]) -> PathBuf {
    let folder = root().join("artifacts").join(name);
    let path = folder.join(sudoku_batch::files::content_hash(input));
    let kept = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, input));
    if let Err(error) = kept {
        eprintln!("cannot keep the input: {error}");
    }
    path
}
