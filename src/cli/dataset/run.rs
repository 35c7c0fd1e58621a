//! Which of the subcommands.

use super::{harvest, synth};
use crate::cli::args::{Common, DatasetArgs, DatasetCommand, SynthCommand};
use crate::cli::error::CliError;
use crate::cli::status::Status;

pub(crate) fn run(common: &Common, args: &DatasetArgs) -> Result<Status, CliError> {
    match &args.command {
        DatasetCommand::Synth(SynthCommand::Crops(args)) => synth::crops(common, args),
        DatasetCommand::Synth(SynthCommand::Photos(args)) => synth::photos(common, args),
        DatasetCommand::Harvest(args) => harvest::run(common, args),
    }
}
