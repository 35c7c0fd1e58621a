//! The digit network that a flag names: a folder that `train` has written, or `built-in`.

use std::path::Path;

use sudoku_batch::digits::{Artifact, ArtifactError};

use super::error::CliError;

/// The name of the model of this program. A folder of this name is `./built-in`.
const BUILT_IN: &str = "built-in";

/// The folder that a flag names; `None` for the built-in model, which is also the default.
pub(super) fn folder(model: Option<&Path>) -> Option<&Path> {
    model.filter(|model| *model != Path::new(BUILT_IN))
}

/// The model that this flag names.
pub(super) fn artifact(flag: &str, model: Option<&Path>) -> Result<Artifact, CliError> {
    match folder(model) {
        Some(folder) => Artifact::read(folder).map_err(|error| not_a_model(flag, error)),
        None => Artifact::built_in().map_err(CliError::new),
    }
}

pub(super) fn not_a_model(flag: &str, error: ArtifactError) -> CliError {
    let hint = format!("{flag} takes a folder written by `train`, or `{BUILT_IN}`");
    CliError::with_hint(error, hint)
}
