//! Which of the subcommands.

use super::synth;
use crate::cli::args::{Common, DatasetArgs, DatasetCommand, SynthCommand};
use crate::cli::error::CliError;
use crate::cli::status::Status;

pub(crate) fn run(common: &Common, args: &DatasetArgs) -> Result<Status, CliError> {
    match &args.command {
        DatasetCommand::Synth(SynthCommand::Crops(args)) => synth::crops(common, args),
    }
}
