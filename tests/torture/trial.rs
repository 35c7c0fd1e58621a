//! A trial: a job that is disturbed and run again.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::common::same_files::{Files, difference};
use super::disk::Disk;
use super::job::{Job, results_of};
use super::process::{Ended, run_to_the_end, run_until};
use super::results::{first_broken, is_temporary, restore};

/// A folder with the inputs of a job, and the results of an undisturbed run.
pub(crate) struct Stage {
    job: &'static Job,
    folder: tempfile::TempDir,
    expected: Files,
    /// How long it takes from scratch, and with existing results.
    times: [Cell<Duration>; 2],
}

impl Stage {
    pub(crate) fn new(job: &'static Job) -> Stage {
        let folder = tempfile::tempdir().unwrap();
        (job.inputs)(folder.path());
        let run = || {
            let start = Instant::now();
            run_to_the_end(job, folder.path(), None).unwrap();
            (start.elapsed(), results_of(folder.path()))
        };
        fs::create_dir(folder.path().join("results")).unwrap();
        let (first, expected) = run();
        let (again, found) = run();
        // Otherwise the comparison would prove nothing.
        let difference = difference(&expected, &found, job.timeless);
        assert!(difference.is_none(), "{}", difference.unwrap_or_default());
        let broken = first_broken(&expected, folder.path());
        assert!(broken.is_none(), "{}", broken.unwrap_or_default());
        let stage = Stage {
            job,
            folder,
            expected,
            times: [Cell::new(first), Cell::new(again)],
        };
        stage.clear();
        stage
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn clear(&self) {
        let results = self.folder().join("results");
        fs::remove_dir_all(&results).unwrap();
        fs::create_dir(&results).unwrap();
    }

    fn rng(&self, seed: u64, number: usize, what: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number as u64 * 4 + what);
        rng
    }

    /// Runs the job, kills it once or more, sets the clock somewhere, and runs it to its end. Returns the kills.
    pub(crate) fn kill_trial(&self, seed: u64, number: usize) -> Result<usize, String> {
        let mut rng = self.rng(seed, number, 0);
        // From scratch, or over the results of an earlier run.
        let is_again = rng.random_range(0..3) == 0;
        let wanted = rng.random_range(1..=3);
        let mut said = BTreeSet::new();
        let mut kills = 0;
        for _ in 0..50 {
            if kills == wanted {
                break;
            }
            if kills == 0 {
                self.clear();
                said.clear();
                if is_again {
                    restore(&self.expected, &self.folder().join("results"));
                }
            }
            // There is more to break where results are renamed.
            let share = match rng.random_range(0..3) {
                0 => rng.random_range(0.7..1.0),
                _ => rng.random_range(0.0..1.0),
            };
            let time = &self.times[usize::from(is_again)];
            let start = Instant::now();
            let (ended, is_killed) = run_until(self.job, self.folder(), time.get().mul_f64(share));
            self.check_after(&ended, &mut said)?;
            if rng.random() {
                scatter_times(self.folder(), &mut rng);
            }
            match (is_killed, kills) {
                (true, _) => kills += 1,
                // It ended before the kill: it takes less time than estimated, or less was left to do.
                (false, 0) => time.set(start.elapsed().min(time.get())),
                (false, _) => break,
            }
        }
        self.complete(&said)?;
        Ok(kills)
    }

    /// Runs the job on a disk that may be too small, then enlarges it. Returns whether it was too small.
    pub(crate) fn disk_trial(&self, seed: u64, number: usize) -> Result<bool, String> {
        let mut rng = self.rng(seed, number, 1);
        self.clear();
        let size: usize = self.expected.values().map(|it| it.len().max(1)).sum();
        let largest = self.expected.values().map(Vec::len).max();
        let share = rng.random_range(0.0..1.0);
        let disk = Disk::mount(&self.folder().join("results"), (size as f64 * share) as u64);
        let blocks = match &disk {
            Some(_) => None,
            None => {
                println!("no disk can be mounted here: a limit on the size of files stands for it");
                Some((largest.unwrap_or(0) as f64 * share) as u64 / 512)
            }
        };
        let mut said = BTreeSet::new();
        let mut is_full = false;
        // Retry while it is full, as users do.
        for _ in 0..2 {
            let (ended, failed) = match run_to_the_end(self.job, self.folder(), blocks) {
                Ok(ended) => (ended, false),
                Err(ended) => (vec![ended], true),
            };
            self.check_after(&ended, &mut said)?;
            let last = ended.last().ok_or("no command")?;
            let is_reported = ["No space left on device", "File too large"]
                .iter()
                .any(|reason| last.stderr.contains(reason));
            if failed && !(last.code == Some(2) && is_reported) {
                return Err(format!("a full disk is not reported: {last:?}"));
            }
            let left: Vec<String> = results_of(self.folder()).into_keys().collect();
            if let Some(name) = left.iter().find(|name| is_temporary(name)) {
                return Err(format!("{name} is left over"));
            }
            is_full |= failed;
        }
        if let Some(disk) = &disk {
            disk.grow();
        }
        self.complete(&said)?;
        Ok(is_full)
    }

    /// Checks that nothing is broken after a disturbance; records the photos reported as done.
    fn check_after(&self, ended: &[Ended], said: &mut BTreeSet<String>) -> Result<(), String> {
        if let Some(crash) = ended.iter().find(|it| it.stderr.contains("panicked")) {
            return Err(crash.stderr.clone());
        }
        let files = results_of(self.folder());
        if let Some(broken) = first_broken(&files, self.folder()) {
            return Err(format!("after a disturbance: {broken}"));
        }
        // The last line may be cut off.
        let lines = ended.iter().flat_map(|it| it.stdout.split_inclusive('\n'));
        for line in lines.filter(|line| line.starts_with('{') && line.ends_with('\n')) {
            let row: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            if let ("solved", Some(photo)) =
                (row["status"].as_str().unwrap_or(""), row["photo"].as_str())
            {
                said.insert(photo.to_owned());
            }
        }
        Ok(())
    }

    /// Runs the job to its end, and compares the results with the expected ones.
    fn complete(&self, said: &BTreeSet<String>) -> Result<(), String> {
        run_to_the_end(self.job, self.folder(), None)
            .map_err(|ended| format!("the rerun ended otherwise: {ended:?}"))?;
        let found = results_of(self.folder());
        if let Some(difference) = difference(&self.expected, &found, self.job.timeless) {
            return Err(difference);
        }
        if !said.is_empty() {
            let summary: Value = serde_json::from_slice(&found["out/summary.json"]).unwrap();
            let resumed = summary["resumed"].as_u64().unwrap_or(0);
            if resumed < said.len() as u64 {
                return Err(format!(
                    "{} photos were done, {resumed} of them were kept",
                    said.len()
                ));
            }
        }
        Ok(())
    }
}

/// Gives inputs and results time stamps far in the past and future, as if the clock had been changed.
fn scatter_times(folder: &Path, rng: &mut ChaCha8Rng) {
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let mut paths: Vec<_> = fs::read_dir(next)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let seconds = rng.random_range(0..4_000_000_000);
            let date = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            let file = fs::File::options().write(true).open(path).unwrap();
            file.set_modified(date).unwrap();
        }
    }
}
