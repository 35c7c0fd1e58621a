//! The command line: arguments to configuration, a library call, a report, an exit code.
//!
//! Sole home of clap and indicatif, and the only place that writes to the terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod bench;
mod completions;
mod config;
mod convert;
mod corpora;
mod corpus;
mod crop_data;
mod dataset;
mod doctor;
mod error;
mod explain;
mod explain_variant;
mod generate;
mod interrupt;
mod man;
mod merge;
mod model;
mod out_folder;
mod page_writer;
mod parse;
mod plan;
mod position;
mod progress;
mod rate;
mod recognize;
mod report;
mod run_names;
mod saved;
mod shard;
mod solve;
mod status;
mod stdout;
mod threads;
mod train;
mod watch;
mod worker;

use std::process::ExitCode;

use args::{Cli, Command};
use error::CliError;
use status::Status;

/// Parses the arguments, runs the command and turns the outcome into an exit code.
pub(crate) fn run() -> ExitCode {
    keep_freed_memory();
    // A crash is one line too; the library catches those that one photo can cause.
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string().replace('\n', " ");
        error::print_error(format!("internal error: {text}"));
    }));
    let cli = match parse::parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    match dispatch(&cli) {
        Ok(status) => stdout::with_losses(status).into(),
        Err(error) => {
            error.print();
            Status::Failed.into()
        }
    }
}

/// Makes the allocator of glibc keep what one photo needed for the next one. It gives large blocks back to the system
/// when they are freed, and takes their pages anew one by one, which was a fifth of the time for a photo; but it counts
/// only those as large that are larger than any freed before, up to 32 MiB (`mallopt(3)`, `M_MMAP_THRESHOLD`). This one
/// is never written to, so it takes no memory.
fn keep_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(31 << 20)));
}

fn dispatch(cli: &Cli) -> Result<Status, CliError> {
    let common = &cli.common;
    match &cli.command {
        Command::Recognize(args) => recognize::run(common, args),
        Command::Solve(args) => solve::run(common, args),
        Command::Explain(args) => explain::run(common, args),
        Command::Rate(args) => rate::run(common, args),
        Command::Bench(args) => bench::run(common, args),
        Command::Generate(args) => generate::run(common, args),
        Command::Convert(args) => convert::run(common, args),
        Command::Corpus(args) => corpus::run(common, args),
        Command::Train(args) => train::run(common, args),
        Command::Watch(args) => watch::run(common, args),
        Command::Dataset(args) => dataset::run(common, args),
        Command::Report(args) => report::run(common, args),
        Command::Plan(args) => plan::run(common, args),
        Command::Merge(args) => merge::run(common, args),
        Command::Worker(args) => worker::run(common, args),
        Command::Doctor(args) => doctor::run(common, args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    }
}
