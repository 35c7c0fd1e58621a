//! `sudoku-batch watch`.

use std::path::Path;

use sudoku_batch::reader::{ReaderConfig, ReaderError};
use sudoku_batch::watch::{WatchConfig, WatchError, WatchServer};

use super::args::{Common, WatchArgs};
use super::error::CliError;
use super::interrupt::stop_flag;
use super::model;
use super::status::Status;
use super::stdout::print;

pub(crate) fn run(common: &Common, args: &WatchArgs) -> Result<Status, CliError> {
    if let Some(video) = args.video.as_deref().filter(|video| !video.is_file()) {
        return Err(CliError::with_hint(
            format!("there is no video {}", video.display()),
            "give a video in a format of the browser (mp4, webm, mov), or none for the camera",
        ));
    }
    let server = WatchServer::new(WatchConfig {
        port: args.port,
        save: args.save.clone(),
        video: args.video.clone(),
        reader: ReaderConfig {
            model: model::folder(args.model.as_deref()).map(Path::to_owned),
            ..ReaderConfig::default()
        },
    });
    let server = server.map_err(|error| match error {
        WatchError::Reader(ReaderError::Model(error)) => model::not_a_model("--model", error),
        WatchError::Listen { .. } => {
            CliError::with_hint(error, "give another port with --port, or omit it")
        }
        error => CliError::new(error),
    })?;
    let stop = stop_flag();
    print(&format!("{}\n", server.address()));
    if !common.quiet {
        anstream::eprintln!(
            "open this address in a browser on this computer; Ctrl-C ends the server"
        );
    }
    server.run(stop);
    Ok(Status::Clean)
}
