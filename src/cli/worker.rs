//! `sudoku-batch worker`.

use std::io;

use sudoku_batch::reader::Reader;
use sudoku_batch::worker::serve;

use super::args::{Common, WorkerArgs};
use super::error::CliError;
use super::recognize::no_reader;
use super::status::Status;
use super::threads::pool;

pub(crate) fn run(common: &Common, args: &WorkerArgs) -> Result<Status, CliError> {
    let config = args.reader.config();
    let reader = Reader::new(config.reader.clone()).map_err(no_reader)?;
    // The lock of stdin stays with its thread, so the whole of it is handed over.
    let served = pool(common)?.install(|| serve(io::stdin(), io::stdout(), &reader, &config));
    match served {
        Err(error) if !error.is_closed_pipe() => Err(CliError::with_hint(
            error,
            "see `worker --help` for the input format",
        )),
        _ => Ok(Status::Clean),
    }
}
