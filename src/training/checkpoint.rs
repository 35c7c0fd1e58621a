//! Checkpoints of a training run after each epoch, from which it can be resumed with identical
//! results.
//!
//! `checkpoints/epoch-0007/` holds `weights`, `best`, `optimizer`, `init` where training started from a model and, written
//! last, `state.json` with the hashes of the others: a folder without it is no checkpoint, and one whose files have
//! other hashes is damaged. The last two are kept.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::history::{EpochMetrics, is_finished};
use crate::digits::{Artifact, DataCard, ModelCard, TrainingConfig};
use crate::files::write_bytes;
use crate::opening::{LARGEST_TEXT, read_file};

/// State file, written last.
const STATE: &str = "state.json";
/// Prefix of the folder names.
const PREFIX: &str = "epoch-";
/// Number of checkpoints kept on disk.
const KEPT: usize = 2;

/// A run after an epoch.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    /// Metrics of all epochs so far; the last one is the checkpoint's.
    pub(crate) history: Vec<EpochMetrics>,
    pub(crate) config: TrainingConfig,
    pub(crate) data: Vec<DataCard>,
    /// The model that the run started from; `None` for random weights.
    pub(crate) init: Option<Artifact>,
    /// Weights after the last epoch.
    pub(crate) weights: Vec<u8>,
    /// Weights after the best epoch.
    pub(crate) best: Vec<u8>,
    pub(crate) optimizer: Vec<u8>,
}

/// Error of saving or resuming a run.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// A file cannot be read or removed.
    #[error("checkpoint {path}: {reason}")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        reason: std::io::Error,
    },
    /// A file cannot be written; earlier checkpoints are kept.
    #[error("cannot write checkpoint {path}: {reason}")]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        reason: std::io::Error,
    },
    /// The state file is not valid.
    #[error("the checkpoint is damaged: {0}")]
    Content(String),
    /// A file of the checkpoint was changed or cut off.
    #[error("checkpoint {path} is damaged: {problem}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The run was made with other settings.
    #[error(
        "the run was started with other settings: start a new one, or resume it with its own settings"
    )]
    OtherConfig,
    /// The run was started from another model.
    #[error("the run was started from another model: start a new one in another folder")]
    OtherInit,
    /// The run was made with other data.
    #[error("the run was started with other data: use the same folders, unchanged")]
    OtherData,
}

#[derive(Serialize, Deserialize)]
struct State {
    config: TrainingConfig,
    data: Vec<DataCard>,
    history: Vec<EpochMetrics>,
    /// Card of the model that the run started from.
    init_card: Option<ModelCard>,
    /// BLAKE3 of each other file, hexadecimal.
    hashes: BTreeMap<String, String>,
}

impl Checkpoint {
    /// Returns the newest usable checkpoint of a run; `None` where there is none at all. The
    /// problems of newer ones are passed to `on_damaged`.
    ///
    /// # Errors
    ///
    /// The problem of the newest one, where none can be used.
    pub(crate) fn latest(
        run: &Path,
        on_damaged: &mut dyn FnMut(&CheckpointError),
    ) -> Result<Option<Checkpoint>, CheckpointError> {
        let mut newest = None;
        for folder in folders(run)?.iter().rev() {
            match Checkpoint::read(folder) {
                Ok(checkpoint) => {
                    if let Some(error) = &newest {
                        on_damaged(error);
                    }
                    return Ok(Some(checkpoint));
                }
                Err(error) => {
                    newest.get_or_insert(error);
                }
            }
        }
        newest.map_or(Ok(None), Err)
    }

    fn read(folder: &Path) -> Result<Checkpoint, CheckpointError> {
        let read = |name: &str| {
            let path = folder.join(name);
            read_file(&path, LARGEST_TEXT).map_err(|reason| CheckpointError::File { path, reason })
        };
        let damaged = |name: &str, problem: String| CheckpointError::Damaged {
            path: folder.join(name),
            problem,
        };
        let state: State = serde_json::from_slice(&read(STATE)?)
            .map_err(|error| damaged(STATE, error.to_string()))?;
        let is_whole = |(number, epoch): (usize, &EpochMetrics)| {
            epoch.epoch == number && epoch.validation_loss.is_finite()
        };
        if state.history.is_empty() || !(1..).zip(&state.history).all(is_whole) {
            let problem = "its epochs are not numbered from 1, each with its loss".to_owned();
            return Err(damaged(STATE, problem));
        }
        let intact = |name: &str| {
            let bytes = read(name)?;
            if state.hashes.get(name) == Some(&blake3::hash(&bytes).to_string()) {
                return Ok(bytes);
            }
            let problem = format!("its {} bytes are not those that were written", bytes.len());
            Err(damaged(name, problem))
        };
        Ok(Checkpoint {
            weights: intact("weights")?,
            best: intact("best")?,
            optimizer: intact("optimizer")?,
            init: match state.init_card {
                Some(card) => Some(Artifact {
                    weights: intact("init")?,
                    card,
                }),
                None => None,
            },
            history: state.history,
            config: state.config,
            data: state.data,
        })
    }

    /// Checks that settings, data and the model to start from are those of the run; the number of
    /// epochs and the patience may differ.
    pub(crate) fn expect_same(
        &self,
        config: &TrainingConfig,
        data: &[DataCard],
        init: Option<&Artifact>,
    ) -> Result<(), CheckpointError> {
        let hash = |model: &Artifact| model.card.weights.clone();
        let same_end = TrainingConfig {
            epochs: config.epochs,
            patience: config.patience,
            ..self.config.clone()
        };
        if same_end != *config {
            Err(CheckpointError::OtherConfig)
        } else if self.data != data {
            Err(CheckpointError::OtherData)
        } else if self.init.as_ref().map(hash) != init.map(hash) {
            Err(CheckpointError::OtherInit)
        } else {
            Ok(())
        }
    }

    /// Writes the checkpoint of the last epoch and removes all but the newest two.
    pub(crate) fn write(&self, run: &Path) -> Result<(), CheckpointError> {
        let folder = run
            .join("checkpoints")
            .join(format!("{PREFIX}{:04}", self.history.len()));
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            write_bytes(&path, bytes).map_err(|reason| CheckpointError::Unwritable { path, reason })
        };
        let files = [
            ("weights", &self.weights),
            ("best", &self.best),
            ("optimizer", &self.optimizer),
        ];
        let init = self.init.iter().map(|init| ("init", &init.weights));
        let files = || files.into_iter().chain(init.clone());
        let hash = |(name, bytes): (&str, &Vec<u8>)| {
            let hash = blake3::hash(bytes).to_string();
            (name.to_owned(), hash)
        };
        let state = State {
            config: self.config.clone(),
            data: self.data.clone(),
            history: self.history.clone(),
            init_card: self.init.as_ref().map(|init| init.card.clone()),
            hashes: files().map(hash).collect(),
        };
        let state = serde_json::to_vec_pretty(&state)
            .map_err(|error| CheckpointError::Content(error.to_string()))?;
        for (name, bytes) in files() {
            write(name, bytes)?;
        }
        write(STATE, &state)?;
        let complete = folders(run)?;
        let kept = &complete[complete.len().saturating_sub(KEPT)..];
        // Those that are not complete, too: of runs that were killed while they wrote or removed them.
        let all = entries(run)?.into_iter();
        all.filter(|path| !kept.contains(path))
            .try_for_each(|path| remove(&path))
    }
}

/// A run saved in a folder.
#[derive(Clone, Debug)]
pub struct SavedRun {
    /// Its settings.
    pub config: TrainingConfig,
    /// The model that it started from; `None` where it started from random weights.
    pub init: Option<Artifact>,
    /// Whether it is finished.
    pub finished: bool,
}

impl SavedRun {
    /// Returns the run in this folder; `None` where it has no checkpoint.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`], if no checkpoint of the run can be used.
    pub fn open(run: &Path) -> Result<Option<SavedRun>, CheckpointError> {
        let checkpoint = Checkpoint::latest(run, &mut |_| {})?;
        Ok(checkpoint.map(|checkpoint| SavedRun {
            finished: is_finished(&checkpoint.history, &checkpoint.config),
            config: checkpoint.config,
            init: checkpoint.init,
        }))
    }

    /// Removes the checkpoints of the run in this folder.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`], if they cannot be removed.
    pub fn discard(run: &Path) -> Result<(), CheckpointError> {
        // Oldest first: where this ends early, the newest still says that the run is finished.
        folders(run)?.iter().try_for_each(|path| remove(path))?;
        let path = run.join("checkpoints");
        std::fs::remove_dir_all(&path).map_err(|reason| CheckpointError::File { path, reason })
    }
}

/// Removes a checkpoint, its state file first, so that a partly removed one is none.
fn remove(checkpoint: &Path) -> Result<(), CheckpointError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |reason| CheckpointError::File { path, reason }
    };
    let state = checkpoint.join(STATE);
    match std::fs::remove_file(&state) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failed(&state)(error)),
        _ => std::fs::remove_dir_all(checkpoint).map_err(failed(checkpoint)),
    }
}

/// Returns the folders of complete checkpoints, oldest first.
fn folders(run: &Path) -> Result<Vec<PathBuf>, CheckpointError> {
    let mut folders = entries(run)?;
    folders.retain(|folder| folder.join(STATE).is_file());
    folders.sort();
    Ok(folders)
}

/// Returns the folders of checkpoints, complete or not.
fn entries(run: &Path) -> Result<Vec<PathBuf>, CheckpointError> {
    let path = run.join("checkpoints");
    let entries = match std::fs::read_dir(&path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(reason) => return Err(CheckpointError::File { path, reason }),
    };
    let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_checkpoint = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        name.as_encoded_bytes().starts_with(PREFIX.as_bytes()) && path.is_dir()
    };
    Ok(folders.filter(is_checkpoint).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(epochs: usize) -> Checkpoint {
        let epoch = |epoch| EpochMetrics {
            epoch,
            training_loss: 0.5,
            training_accuracy: 0.5,
            training_seconds: 1.0,
            validation_loss: 0.5,
            validation_accuracy: 0.5,
            validation_seconds: 1.0,
        };
        Checkpoint {
            history: (1..=epochs).map(epoch).collect(),
            config: TrainingConfig {
                epochs: 4,
                ..TrainingConfig::default()
            },
            data: Vec::new(),
            init: None,
            weights: vec![1; 9],
            best: vec![2; 9],
            optimizer: vec![3; 9],
        }
    }

    fn names(run: &Path) -> Vec<String> {
        let mut names: Vec<String> = entries(run)
            .unwrap()
            .iter()
            .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_next_checkpoint_removes_what_a_kill_left_behind() {
        let run = tempfile::tempdir().unwrap();
        after(1).write(run.path()).unwrap();
        after(2).write(run.path()).unwrap();
        // Killed while it removed the first one.
        std::fs::remove_file(run.path().join("checkpoints/epoch-0001").join(STATE)).unwrap();
        after(3).write(run.path()).unwrap();
        assert_eq!(names(run.path()), ["epoch-0002", "epoch-0003"]);
    }

    #[test]
    fn a_partly_removed_checkpoint_is_ignored() {
        let run = tempfile::tempdir().unwrap();
        after(3).write(run.path()).unwrap();
        after(4).write(run.path()).unwrap();
        let newest = run.path().join("checkpoints/epoch-0004");
        // A file that cannot be removed simulates a kill midway: without its state it is not a checkpoint.
        std::fs::remove_file(newest.join("best")).unwrap();
        assert!(matches!(SavedRun::open(run.path()), Ok(Some(run)) if !run.finished));
        remove(&newest).unwrap();
        assert_eq!(names(run.path()), ["epoch-0003"]);
        after(4).write(run.path()).unwrap();
        assert!(SavedRun::open(run.path()).unwrap().unwrap().finished);
        SavedRun::discard(run.path()).unwrap();
        assert!(SavedRun::open(run.path()).unwrap().is_none());
        assert!(!run.path().join("checkpoints").exists());
    }
}
