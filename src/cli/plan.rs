//! `sudoku-batch plan`.

use std::path::Path;

use sudoku_batch::files::show;
use sudoku_batch::recognize::list;
use sudoku_batch::report::{counted, grouped};
use sudoku_batch::shards::{PlannedCorpus, plan_corpora, plan_photos};

use super::args::{
    Common, CutArgs, LayoutArgs, PlanArgs, PlanCommand, PlanCorporaArgs, PlanPhotosArgs,
};
use super::corpora::{classic, corpus_names, open};
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
        PlanCommand::Solve(args) => puzzles(common, &args.files, Some(&args.layout), "solve"),
        PlanCommand::Rate(args) => puzzles(common, args, None, "rate"),
        PlanCommand::Bench(args) => puzzles(common, &args.files, Some(&args.layout), "bench"),
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

/// Plans puzzle files; without flags for other boards, of classic puzzles only.
fn puzzles(
    common: &Common,
    args: &PlanCorporaArgs,
    layout: Option<&LayoutArgs>,
    command: &str,
) -> Result<Status, CliError> {
    if args.corpora.iter().any(|path| path == Path::new("-")) {
        return Err(CliError::with_hint(
            "stdin cannot be planned, because shards could not read it again",
            "save it to a file first",
        ));
    }
    let reading = match layout {
        Some(layout) => {
            open(args.corpora.clone(), layout, &args.table)?;
            layout.reading_if_given()?
        }
        None => {
            classic(&args.corpora, &args.table, command)?;
            None
        }
    };
    let bar = bar(common, 0, "puzzles");
    let on_puzzles = |puzzles| bar.inc(puzzles);
    let (shards, out) = (args.cut.shards.get(), &args.cut.out);
    let names = corpus_names(&args.corpora).into_iter();
    let corpora = args.corpora.iter().cloned().zip(names);
    let column = args.table.column();
    let corpora = PlannedCorpus::all(corpora, reading.as_ref(), column);
    let planned = plan_corpora(command, &corpora, column, shards, out, on_puzzles);
    bar.finish_and_clear();
    let count = planned.map_err(plan_error)?;
    Ok(announce(common, &args.cut, command, count, "puzzle"))
}
