//! `sudoku-batch merge`.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use sudoku_batch::bench::{BenchSummary, CorpusMeasurement, merge_runs};
use sudoku_batch::files::{JoinError, join_files, read_json, show};
use sudoku_batch::recognize::{PHOTOS, each_saved_photo, merge_parts};
use sudoku_batch::report::{self, grouped};
use sudoku_batch::shards::{
    Part, Plan, RATINGS, SOLUTIONS, StreamSummary, Tallied, merge_streams, parts_of,
    shards_without_part,
};

use super::args::{Common, MergeArgs};
use super::error::{CliError, WRITABLE, print_error, print_hint};
use super::out_folder::take_folder;
use super::page_writer::PageWriter;
use super::recognize::{Outcome, files, report_outcome, status};
use super::shard::{open_plan, write_summary};
use super::status::Status;
use super::stdout::print;
use super::threads::pool;
use super::{bench, rate, solve};

pub(crate) fn run(common: &Common, args: &MergeArgs) -> Result<Status, CliError> {
    let plan = open_plan(&args.plan, None)?;
    if !args.parts.is_dir() {
        return Err(CliError::with_hint(
            format!("there is no folder {}", show(&args.parts)),
            "give the folder that was the --out of the shards",
        ));
    }
    let Some(out) = &args.out else {
        return Ok(missing(&args.parts, &plan));
    };
    let parts = match parts_of(&args.parts, &plan) {
        Ok(parts) => parts,
        Err(problems) => {
            problems.iter().for_each(print_error);
            print_hint("nothing was merged; `merge --missing` prints the shards to run again");
            return Ok(Status::Failed);
        }
    };
    let _lock = take_folder(common, out, args.wait)?;
    match plan.command.as_str() {
        "recognize" => photos(common, &parts, &plan, out),
        "solve" => streams(common, &parts, out, SOLUTIONS, solve::summary),
        "rate" => streams(common, &parts, out, RATINGS, rate::summary),
        "bench" => measurements(common, &parts, out),
        other => Err(CliError::new(format!(
            "a plan for `{other}` is not supported"
        ))),
    }
}

/// Prints the numbers of the shards that have no part.
fn missing(parts: &Path, plan: &Plan) -> Status {
    let (missing, problems) = shards_without_part(parts, plan);
    problems.iter().for_each(print_error);
    let mut text = String::new();
    for shard in &missing {
        let _ = writeln!(text, "{shard}");
    }
    print(&text);
    match missing.is_empty() && problems.is_empty() {
        true => Status::Clean,
        false => Status::Partial,
    }
}

fn photos(common: &Common, parts: &[Part], plan: &Plan, out: &Path) -> Result<Status, CliError> {
    let folders: Vec<_> = parts.iter().map(|part| part.folder.clone()).collect();
    let summary = merge_parts(&folders, &plan.problems, out).map_err(unjoined)?;
    let Some(summary) = summary else {
        return Err(CliError::new("the plan has no shards"));
    };
    let mut pages = PageWriter::new(out);
    let unreadable = |error| CliError::with_hint(error, "a part is damaged: run its shard again");
    let read = || each_saved_photo(&out.join(PHOTOS), |photo| pages.add(&photo));
    pool(common)?.install(read).map_err(unreadable)?;
    let worst = pages.finish(&summary)?;
    summary
        .write(out)
        .map_err(|error| CliError::with_hint(error, WRITABLE))?;
    report_outcome(
        common,
        &Outcome {
            text: report::terminal(&summary, &worst, &files(out, &summary, None)),
            status: status(&summary),
            summary,
        },
    )
}

fn streams<T: Tallied>(
    common: &Common,
    parts: &[Part],
    out: &Path,
    answers: &str,
    words: impl Fn(&T, f64) -> String,
) -> Result<Status, CliError> {
    let has_header = answers == RATINGS;
    let sum: Option<StreamSummary<T>> =
        merge_streams(parts, out, answers, has_header).map_err(unjoined)?;
    let Some(sum) = sum else {
        return Err(CliError::new("the plan has no shards"));
    };
    write_summary(out, &sum)?;
    if common.json {
        let json = serde_json::to_string(&sum).map_err(CliError::new)?;
        print(&format!("{json}\n"));
    }
    if !common.quiet {
        let seconds = sum.machines.iter().map(|machine| machine.seconds).sum();
        let _ = writeln!(anstream::stderr(), "{}", words(&sum.tally, seconds));
        if let [_, _, ..] = &sum.machines[..] {
            for machine in &sum.machines {
                let rate = machine.puzzles as f64 / machine.seconds.max(1e-6);
                let line = format!(
                    "{}, {} threads: {} shards, {}/s",
                    machine.environment.cpu,
                    machine.environment.threads,
                    grouped(machine.shards),
                    grouped(rate.round() as u64)
                );
                let _ = writeln!(anstream::stderr(), "{line}");
            }
        }
        let _ = writeln!(anstream::stderr(), "{}: {answers}, summary.json", show(out));
    }
    Ok(match sum.tally.is_clean() {
        true => Status::Clean,
        false => Status::Partial,
    })
}

fn measurements(common: &Common, parts: &[Part], out: &Path) -> Result<Status, CliError> {
    let mut runs: Vec<(BenchSummary, Vec<CorpusMeasurement>)> = Vec::new();
    for part in parts {
        let summary = BenchSummary::load(&part.folder.join("summary.json"));
        let measured = read_json(&part.folder.join("measurements.json"));
        let run = summary.and_then(|summary| Ok((summary, measured?)));
        runs.push(run.map_err(|error| unjoined(error.into()))?);
    }
    let merged = merge_runs(runs)
        .map_err(|error| CliError::with_hint(error, "run all shards with the same flags"))?;
    let Some((summary, measured)) = merged else {
        return Err(CliError::new("the plan has no shards"));
    };
    if measured.is_empty() {
        return Err(CliError::new("no part contains a puzzle"));
    }
    bench::remove_optional(out);
    bench::write(out, &summary, &measured)?;
    let tables: Vec<_> = parts
        .iter()
        .map(|part| part.folder.join("puzzles.csv"))
        .collect();
    join_files(&tables, &out.join("puzzles.csv"), true).map_err(unjoined)?;
    bench::show(common, out, out.join("puzzles.csv").exists(), &summary)?;
    Ok(match parts.iter().all(|part| part.head.clean) {
        true => Status::Clean,
        false => Status::Partial,
    })
}

fn unjoined(error: JoinError) -> CliError {
    let hint = match error {
        JoinError::Read(_) => "a part is damaged: remove its folder, and run its shard again",
        JoinError::Write(_) => WRITABLE,
    };
    CliError::with_hint(error, hint)
}
