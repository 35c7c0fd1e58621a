//! Which of the subcommands.

use super::{augment, canon, check, dedup, export, leaks, near, sample, split, stats};
use crate::cli::args::{Common, CorpusArgs, CorpusCommand};
use crate::cli::error::CliError;
use crate::cli::status::Status;

pub(crate) fn run(common: &Common, args: &CorpusArgs) -> Result<Status, CliError> {
    match &args.command {
        CorpusCommand::Canon(args) => canon::run(common, args),
        CorpusCommand::Dedup(args) => dedup::run(common, args),
        CorpusCommand::Leaks(args) => leaks::run(common, args),
        CorpusCommand::Split(args) => split::run(common, args),
        CorpusCommand::Check(args) => check::run(common, args),
        CorpusCommand::Stats(args) => stats::run(common, args),
        CorpusCommand::Sample(args) => sample::run(common, args),
        CorpusCommand::Augment(args) => augment::run(common, args),
        CorpusCommand::Near(args) => near::run(common, args),
        CorpusCommand::Export(args) => export::run(common, args),
    }
}
