//! `sudoku-batch doctor`.

use std::path::{Path, PathBuf};

use sudoku_batch::doctor::{Checkup, DataFolder, Places};
use sudoku_batch::report::doctor_terminal;

use super::args::{Common, DoctorArgs};
use super::error::CliError;
use super::model;
use super::status::Status;
use super::stdout::print;
use super::threads::pool;

pub(crate) fn run(common: &Common, args: &DoctorArgs) -> Result<Status, CliError> {
    let checkup = Checkup::of_this_machine(&Places {
        threads: pool(common)?.current_num_threads(),
        backend: args.backend.into(),
        model: model::folder(args.model.as_deref()).map(Path::to_owned),
        fonts: args.fonts.clone(),
        out: args.out.clone(),
        data: data(),
        configuration: common.configuration.clone(),
    });
    if common.json {
        let json = serde_json::to_string(&checkup).map_err(CliError::new)?;
        print(&format!("{json}\n"));
    } else {
        print(&doctor_terminal(&checkup));
    }
    Ok(if checkup.ready {
        Status::Clean
    } else {
        Status::Partial
    })
}

/// The folders of the repository, which not everybody has, and the one that the environment names.
fn data() -> Vec<DataFolder> {
    let here = |name: &'static str, about| DataFolder {
        name,
        path: Some(PathBuf::from(name)),
        promised: false,
        about,
    };
    let measured = std::env::var_os("SUDOKU_BATCH_DATA").map(PathBuf::from);
    vec![
        here("datasets/puzzles", "puzzles of the repository, for `bench`"),
        here(
            "datasets/photos",
            "photos of the repository, for `recognize`",
        ),
        here(
            "datasets/crops",
            "labeled crops that `train` takes by default",
        ),
        DataFolder {
            name: "SUDOKU_BATCH_DATA",
            promised: measured.is_some(),
            path: measured,
            about: "further data, for some tests of the source code",
        },
    ]
}
