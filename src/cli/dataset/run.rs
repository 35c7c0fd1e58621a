//! Which of the subcommands.

use super::{apply, harvest, review, stats, synth};
use crate::cli::args::{Common, DatasetArgs, DatasetCommand, SynthCommand};
use crate::cli::error::CliError;
use crate::cli::status::Status;

pub(crate) fn run(common: &Common, args: &DatasetArgs) -> Result<Status, CliError> {
    match &args.command {
        DatasetCommand::Synth(SynthCommand::Crops(args)) => synth::crops(common, args),
        DatasetCommand::Synth(SynthCommand::Photos(args)) => synth::photos(common, args),
        DatasetCommand::Synth(SynthCommand::Videos(args)) => synth::videos(common, args),
        DatasetCommand::Harvest(args) => harvest::run(common, args),
        DatasetCommand::Stats(args) => stats::run(common, args),
        DatasetCommand::Review(args) => review::run(common, args),
        DatasetCommand::Apply(args) => apply::run(common, args),
    }
}
