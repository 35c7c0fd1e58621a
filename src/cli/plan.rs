//! `sudoku-batch plan`.

use std::path::Path;

use sudoku_batch::files::show;
use sudoku_batch::recognize::list;
use sudoku_batch::report::{counted, grouped};
use sudoku_batch::shards::{plan_corpora, plan_photos};

use super::args::{
    Common, CutArgs, PlanArgs, PlanCommand, PlanCorporaArgs, PlanPhotosArgs, TableArgs,
};
use super::corpora::{classic, corpus_names};
use super::error::{CliError, print_error};
use super::progress::bar;
use super::recognize::{expect_some, files_from, filter, no_photos, tell_left_out};
use super::shard::plan_error;
use super::status::Status;
use super::stdout::print;
use super::threads::pool;

pub(crate) fn run(common: &Common, args: &PlanArgs) -> Result<Status, CliError> {
    match &args.command {
        PlanCommand::Recognize(args) => photos(common, args),
        PlanCommand::Solve(args) => {
            let count = puzzles(common, args, "solve")?;
            Ok(announce(common, &args.cut, "solve", count, "puzzle"))
        }
        PlanCommand::Rate(args) => {
            let count = puzzles(common, args, "rate")?;
            Ok(announce(common, &args.cut, "rate", count, "puzzle"))
        }
        PlanCommand::Bench(args) => {
            let count = puzzles(common, args, "bench")?;
            Ok(announce(common, &args.cut, "bench", count, "puzzle"))
        }
    }
}

fn photos(common: &Common, args: &PlanPhotosArgs) -> Result<Status, CliError> {
    let mut paths = args.paths.clone();
    if let Some(from) = &args.files_from {
        paths.extend(files_from(from, args.nul)?);
    }
    if paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(CliError::with_hint(
            "stdin cannot be planned, because shards could not read it again",
            "save it to a file first",
        ));
    }
    expect_some(&paths)?;
    let listing = list(&paths, None, &filter(&args.names)?)
        .map_err(|error| CliError::new(format!("cannot store the list of photos: {error}")))?;
    tell_left_out(common, &listing.left_out);
    for problem in &listing.problems {
        print_error(problem);
    }
    if listing.count() == 0 {
        return Err(no_photos(&paths, &args.names, &listing.left_out));
    }
    let bar = bar(common, listing.count() as u64, "photos");
    let (shards, out) = (args.cut.shards.get(), &args.cut.out);
    let planned = pool(common)?.install(|| plan_photos(&listing, shards, out, || bar.inc(1)));
    bar.finish_and_clear();
    planned.map_err(plan_error)?;
    let count = listing.count() as u64;
    let status = announce(common, &args.cut, "recognize", count, "photo");
    Ok(match listing.problems.is_empty() {
        true => status,
        false => Status::Partial,
    })
}

/// Says what was planned.
fn announce(common: &Common, cut: &CutArgs, command: &str, count: u64, what: &str) -> Status {
    let (shards, plan) = (cut.shards.get(), show(&cut.out));
    if common.json {
        let summary = serde_json::json!({
            "command": "plan",
            "version": env!("CARGO_PKG_VERSION"),
            "of": command,
            format!("{what}s"): count,
            "shards": shards,
            "plan": plan,
        });
        print(&format!("{summary}\n"));
        return Status::Clean;
    }
    let (count, shards) = (counted(count, what), grouped(shards as u64));
    print(&format!(
        "{plan}: {count} in {shards} shards; do each with: sudoku-batch {command} --plan {plan} --shard I/{shards} \
         --out parts\n"
    ));
    Status::Clean
}

/// Plans puzzle files.
fn puzzles(common: &Common, args: &PlanCorporaArgs, command: &str) -> Result<u64, CliError> {
    if args.corpora.iter().any(|path| path == Path::new("-")) {
        return Err(CliError::with_hint(
            "stdin cannot be planned, because shards could not read it again",
            "save it to a file first",
        ));
    }
    classic(&args.corpora, &TableArgs::default(), "plan")?;
    let bar = bar(common, 0, "puzzles");
    let on_puzzles = |puzzles| bar.inc(puzzles);
    let (shards, out) = (args.cut.shards.get(), &args.cut.out);
    let names = corpus_names(&args.corpora).into_iter();
    let corpora: Vec<_> = args.corpora.iter().cloned().zip(names).collect();
    let planned = plan_corpora(command, &corpora, shards, out, on_puzzles);
    bar.finish_and_clear();
    planned.map_err(plan_error)
}
