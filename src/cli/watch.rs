//! `sudoku-batch watch`.

use std::path::Path;

use sudoku_batch::files::show;
use sudoku_batch::frames::is_video;
use sudoku_batch::reader::{ReaderConfig, ReaderError};
use sudoku_batch::watch::{WatchConfig, WatchError, WatchServer, is_played};

use super::args::{Common, WatchArgs};
use super::error::CliError;
use super::interrupt::stop_flag;
use super::model;
use super::status::Status;
use super::stdout::print;

pub(crate) fn run(common: &Common, args: &WatchArgs) -> Result<Status, CliError> {
    if let Some(video) = args.video.as_deref().filter(|video| !video.is_file()) {
        return Err(CliError::with_hint(
            format!("there is no video {}", show(video)),
            "give a video in a format of the browser (mp4, webm, mov), or none for the camera",
        ));
    }
    if let Some(file) = args.video.as_deref().filter(|file| !is_played(file)) {
        return Err(not_played(file));
    }
    let server = WatchServer::new(WatchConfig {
        port: args.port,
        save: args.save.clone(),
        video: args.video.clone(),
        hint: args.hint,
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

/// What to say of a file that the page cannot play.
fn not_played(file: &Path) -> CliError {
    let name = show(file);
    if is_video(file) {
        return CliError::with_hint(
            format!("browsers do not play {name}"),
            format!("convert it: ffmpeg -i {name} clip.mp4"),
        );
    }
    CliError::with_hint(
        format!("{name} is not a video (mp4, mov, webm, mkv)"),
        "start `watch` without a file and drop photos on the page, or read them with `recognize`",
    )
}
