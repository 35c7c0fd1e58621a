//! A run between two epochs, on disk: enough to go on as if nothing had happened.
//!
//! `checkpoints/epoch-0007/` holds `weights`, `best`, `optimizer` and, written last,
//! `state.json`: a folder without it is no checkpoint. The last two are kept.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::history::{EpochMetrics, is_finished};
use crate::digits::artifact::DataCard;
use crate::digits::config::TrainingConfig;
use crate::files::write_bytes;

/// Checkpoints kept on disk.
const KEPT: usize = 2;

/// A run after an epoch.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    /// Epochs done; the last one is the checkpoint's.
    pub(crate) history: Vec<EpochMetrics>,
    pub(crate) config: TrainingConfig,
    pub(crate) data: Vec<DataCard>,
    /// Weights after the last epoch.
    pub(crate) weights: Vec<u8>,
    /// Weights after the best epoch.
    pub(crate) best: Vec<u8>,
    pub(crate) optimizer: Vec<u8>,
}

/// Why a run cannot be saved or gone on with.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// A file cannot be read or written.
    #[error("checkpoint {path}: {reason}")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// The state is not what this program writes.
    #[error("the checkpoint is damaged: {0}")]
    Content(String),
    /// The run was made with other settings.
    #[error("the run was started with other settings: start a new one, or go on with its own")]
    OtherConfig,
    /// The run was made with other data.
    #[error("the run was started with other data: give it the same folders, unchanged")]
    OtherData,
}

#[derive(Serialize, Deserialize)]
struct State {
    config: TrainingConfig,
    data: Vec<DataCard>,
    history: Vec<EpochMetrics>,
}

impl Checkpoint {
    /// The newest complete checkpoint of a run; `None` where there is none.
    pub(crate) fn latest(run: &Path) -> Result<Option<Checkpoint>, CheckpointError> {
        let Some(folder) = folders(run)?.pop() else {
            return Ok(None);
        };
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).map_err(|reason| CheckpointError::File { path, reason })
        };
        let state: State = serde_json::from_slice(&read("state.json")?)
            .map_err(|error| CheckpointError::Content(error.to_string()))?;
        Ok(Some(Checkpoint {
            history: state.history,
            config: state.config,
            data: state.data,
            weights: read("weights")?,
            best: read("best")?,
            optimizer: read("optimizer")?,
        }))
    }

    /// Refuses to go on with other settings or data; more epochs are welcome.
    pub(crate) fn expect_same(
        &self,
        config: &TrainingConfig,
        data: &[DataCard],
    ) -> Result<(), CheckpointError> {
        let same_length = TrainingConfig {
            epochs: config.epochs,
            ..self.config.clone()
        };
        if same_length != *config {
            Err(CheckpointError::OtherConfig)
        } else if self.data != data {
            Err(CheckpointError::OtherData)
        } else {
            Ok(())
        }
    }

    /// Writes the checkpoint of its last epoch and removes all but the newest two.
    pub(crate) fn write(&self, run: &Path) -> Result<(), CheckpointError> {
        let folder = run
            .join("checkpoints")
            .join(format!("epoch-{:04}", self.history.len()));
        let state = State {
            config: self.config.clone(),
            data: self.data.clone(),
            history: self.history.clone(),
        };
        let state = serde_json::to_vec_pretty(&state)
            .map_err(|error| CheckpointError::Content(error.to_string()))?;
        for (name, bytes) in [
            ("weights", &self.weights),
            ("best", &self.best),
            ("optimizer", &self.optimizer),
            ("state.json", &state),
        ] {
            let path = folder.join(name);
            write_bytes(&path, bytes).map_err(|reason| CheckpointError::File { path, reason })?;
        }
        let mut old = folders(run)?;
        old.truncate(old.len().saturating_sub(KEPT));
        for path in old {
            std::fs::remove_dir_all(&path)
                .map_err(|reason| CheckpointError::File { path, reason })?;
        }
        Ok(())
    }
}

/// A run that is already in a folder.
#[derive(Clone, Debug)]
pub struct SavedRun {
    /// Its settings.
    pub config: TrainingConfig,
    /// Whether it came to its end.
    pub finished: bool,
}

impl SavedRun {
    /// The run in this folder; `None` where it has no checkpoint.
    ///
    /// # Errors
    /// [`CheckpointError`] when the newest checkpoint cannot be read.
    pub fn open(run: &Path) -> Result<Option<SavedRun>, CheckpointError> {
        let checkpoint = Checkpoint::latest(run)?;
        Ok(checkpoint.map(|checkpoint| SavedRun {
            finished: is_finished(&checkpoint.history, &checkpoint.config),
            config: checkpoint.config,
        }))
    }

    /// Removes the checkpoints of the run in this folder.
    ///
    /// # Errors
    /// [`CheckpointError`] when they cannot be removed.
    pub fn discard(run: &Path) -> Result<(), CheckpointError> {
        let path = run.join("checkpoints");
        std::fs::remove_dir_all(&path).map_err(|reason| CheckpointError::File { path, reason })
    }
}

/// Folders of complete checkpoints, oldest first.
fn folders(run: &Path) -> Result<Vec<PathBuf>, CheckpointError> {
    let path = run.join("checkpoints");
    let entries = match std::fs::read_dir(&path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(reason) => return Err(CheckpointError::File { path, reason }),
    };
    let mut folders: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|folder| folder.join("state.json").is_file())
        .collect();
    folders.sort();
    Ok(folders)
}
