//! Runs that are killed at random moments, run out of disk space, or have the clock set back: a rerun gives the
//! same bytes as an undisturbed run.
//!
//! The trials depend on a seed. A run of all tests does 20 kill trials and 5 with a full disk;
//! `SUDOKU_BATCH_TORTURE=1000` asks for 1,000 and 250 (`just torture`), and `SUDOKU_BATCH_TORTURE_SEED=7` for others.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

#[path = "../common/mod.rs"]
mod common;
mod disk;
mod job;
mod process;
mod results;
mod trial;

use std::fs;
use std::time::{Duration, SystemTime};

use common::{PUZZLES, board_png};
use job::{BENCH, JOBS, Job, PHOTO_SHARDS, PUZZLE_SHARDS, RECOGNIZE, TRAIN};
use process::run_to_the_end;
use results::without_speed;
use trial::Stage;

/// Number of kill trials, over all jobs.
fn trials() -> usize {
    number("SUDOKU_BATCH_TORTURE").unwrap_or(20) as usize
}

fn seed() -> u64 {
    number("SUDOKU_BATCH_TORTURE_SEED").unwrap_or(1)
}

fn number(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    Some(value.parse().expect("a number"))
}

fn expect_none(job: &Job, count: usize, complaints: &[String]) {
    assert!(
        complaints.is_empty(),
        "{}, seed {}: {} of {count} trials went wrong\n{}",
        job.name,
        seed(),
        complaints.len(),
        complaints[..complaints.len().min(5)].join("\n\n")
    );
}

fn kill(job: &'static Job) {
    let stage = Stage::new(job);
    let count = trials().div_ceil(JOBS.len());
    let (mut kills, mut complaints) = (0, Vec::new());
    for number in 0..count {
        match stage.kill_trial(seed(), number) {
            Ok(0) => complaints.push(format!("trial {number}: nothing was killed")),
            Ok(more) => kills += more,
            Err(complaint) => complaints.push(format!("trial {number}: {complaint}")),
        }
    }
    println!("{}: {count} trials, {kills} kills", job.name);
    expect_none(job, count, &complaints);
}

#[test]
fn recognize_resumes_after_a_kill() {
    kill(&RECOGNIZE);
}

#[test]
fn train_resumes_after_a_kill() {
    kill(&TRAIN);
}

#[test]
fn bench_keeps_the_old_baseline_or_the_new_one() {
    kill(&BENCH);
}

#[test]
fn shards_of_photos_resume_after_a_kill() {
    kill(&PHOTO_SHARDS);
}

#[test]
fn shards_of_puzzles_resume_after_a_kill() {
    kill(&PUZZLE_SHARDS);
}

#[test]
fn a_full_disk_is_reported_and_loses_nothing() {
    let count = trials().div_ceil(4).div_ceil(JOBS.len());
    for job in JOBS {
        let stage = Stage::new(job);
        let outcomes = (0..count).map(|number| (number, stage.disk_trial(seed(), number)));
        let (mut full, mut complaints) = (0, Vec::new());
        for (number, outcome) in outcomes {
            match outcome {
                Ok(was_full) => full += usize::from(was_full),
                Err(complaint) => complaints.push(format!("trial {number}: {complaint}")),
            }
        }
        println!("{}: {count} disks, {full} of them full", job.name);
        expect_none(job, count, &complaints);
    }
}

/// The clock was at 2100 when the first run ended, and was set back before the next one.
#[test]
fn changed_files_are_read_again_whatever_their_time_stamp() {
    let stage = Stage::new(&RECOGNIZE);
    let folder = stage.folder();
    run_to_the_end(&RECOGNIZE, folder, None).unwrap();
    let page = fs::read(folder.join("results/out/report.html")).unwrap();
    assert_ne!(
        without_speed(&page),
        page,
        "a run that reads says how fast it was"
    );
    let resumed = || {
        let summary = fs::read(folder.join("results/out/summary.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
        summary["resumed"].as_u64().unwrap()
    };
    let date = |path: &str, at: SystemTime| {
        let file = fs::File::options().write(true).open(folder.join(path));
        file.unwrap().set_modified(at).unwrap();
    };
    let past = SystemTime::UNIX_EPOCH + Duration::from_secs(86_400);
    let future = SystemTime::UNIX_EPOCH + Duration::from_secs(130 * 365 * 86_400);
    date("results/out/photos.jsonl", future);
    date("results/out/results.csv", future);
    run_to_the_end(&RECOGNIZE, folder, None).unwrap();
    let all = resumed();
    assert!(all > 10, "{all}");
    let table = |name: &str| fs::read_to_string(folder.join("results/out").join(name)).unwrap();
    assert!(!table("results.csv").contains(PUZZLES[2]));
    // Older than all that was read, by its date.
    fs::write(folder.join("photos/00.png"), board_png(PUZZLES[2])).unwrap();
    date("photos/00.png", past);
    // Newer than all, by its date.
    date("photos/01.png", future);
    run_to_the_end(&RECOGNIZE, folder, None).unwrap();
    assert_eq!(resumed(), all - 1);
    assert!(table("results.csv").contains(PUZZLES[2]));
}
