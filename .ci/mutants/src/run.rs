//! Runs the tests: each once to see what it reaches, then those that reach a change with that change on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Tests that take longer are not run: one change may be reached by hundreds of tests.
const LONGEST: Duration = Duration::from_secs(20);

/// How much longer than usual a test may take. Beyond that the change made an endless loop.
const PATIENCE: u32 = 10;

struct Test {
    binary: PathBuf,
    name: String,
    time: Duration,
    reaches: BTreeSet<usize>,
}

/// Returns the outcome of each change, and the test that noticed it.
pub fn run(
    copy: &Path,
    binaries: &[PathBuf],
    tried: &[usize],
) -> Result<BTreeMap<usize, (String, String)>, String> {
    let copy = fs::canonicalize(copy).map_err(|error| error.to_string())?;
    let mut names = Vec::new();
    for binary in binaries {
        let listed = Command::new(binary)
            .args(["--list", "--format", "terse"])
            .output()
            .map_err(|error| format!("{}: {error}", binary.display()))?;
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        let tests = listed
            .lines()
            .filter_map(|line| line.strip_suffix(": test"));
        names.extend(tests.map(|name| (binary.clone(), name.to_owned())));
    }
    let mut tests: Vec<Test> = in_parallel(&names, |at, (binary, name)| {
        explore(&copy, at, binary, name)
    })
    .into_iter()
    .flatten()
    .collect();
    tests.sort_by_key(|test| test.time);
    let total: Duration = tests.iter().map(|test| test.time).sum();
    eprintln!(
        "{} of {} tests are run, {} s in all",
        tests.len(),
        names.len(),
        total.as_secs()
    );
    let done = AtomicUsize::new(0);
    let outcomes = in_parallel(tried, |_, &id| {
        let outcome = outcome(&copy, &tests, id);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(100) {
            eprintln!("{done} of {} changes", tried.len());
        }
        (id, outcome)
    });
    Ok(outcomes.into_iter().collect())
}

/// Applies a function to each item, on all processors, in order.
fn in_parallel<T: Sync, R: Send>(items: &[T], each: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(BTreeMap::new());
    let work = || {
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(at)
        {
            let result = each(at, item);
            results
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(at, result);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    results
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .into_values()
        .collect()
}

/// Runs a test without any change. Tests that fail or take too long are not used.
fn explore(copy: &Path, at: usize, binary: &Path, name: &str) -> Option<Test> {
    let reached = copy.join(format!("reached-{at}"));
    let _ = fs::remove_file(&reached);
    let mut command = command(copy, binary, name);
    command.env("MUTANTS_REACHED", &reached);
    let start = Instant::now();
    let end = wait(command.spawn().ok()?, LONGEST);
    let time = start.elapsed();
    let list = fs::read_to_string(&reached).unwrap_or_default();
    let _ = fs::remove_file(&reached);
    match end {
        Some(true) => {
            let reaches = list.lines().filter_map(|id| id.parse().ok()).collect();
            Some(Test {
                binary: binary.to_owned(),
                name: name.to_owned(),
                time,
                reaches,
            })
        }
        Some(false) => {
            eprintln!("{name} fails without any change");
            None
        }
        None => {
            eprintln!("{name} takes too long");
            None
        }
    }
}

fn outcome(copy: &Path, tests: &[Test], id: usize) -> (String, String) {
    let mut was_reached = false;
    for test in tests.iter().filter(|test| test.reaches.contains(&id)) {
        was_reached = true;
        let mut command = command(copy, &test.binary, &test.name);
        command.env("MUTANT", id.to_string());
        let limit = (test.time * PATIENCE).max(Duration::from_secs(3));
        let end = command.spawn().ok().and_then(|child| wait(child, limit));
        match end {
            Some(true) => {}
            Some(false) => return ("noticed".to_owned(), test.name.clone()),
            None => return ("endless".to_owned(), test.name.clone()),
        }
    }
    let why = if was_reached { "missed" } else { "not reached" };
    (why.to_owned(), String::new())
}

fn command(copy: &Path, binary: &Path, name: &str) -> Command {
    let mut command = Command::new(binary);
    command
        .args(["--exact", name])
        .current_dir(copy)
        // The same random cases each time, and no search for the simplest one.
        .env("PROPTEST_RNG_SEED", "1")
        .env("PROPTEST_MAX_SHRINK_ITERS", "0")
        .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Whether it succeeded; nothing if it had to be stopped.
fn wait(mut child: Child, limit: Duration) -> Option<bool> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.success()),
            Ok(None) if start.elapsed() < limit => thread::sleep(pause),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
