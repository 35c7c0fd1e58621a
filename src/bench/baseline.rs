//! Baselines: saved runs for comparison, in `baselines/NAME.json` in the output folder.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::summary::BenchSummary;
use crate::files::{ReadError, write_whole};

/// Error of saving or loading a baseline.
#[derive(Debug, Error)]
pub enum BaselineError {
    /// The name is not usable as a file name.
    #[error("{0:?} is not a valid name for a baseline: use letters, digits, - _ and .")]
    Name(String),
    /// There is no baseline of this name.
    #[error("no baseline {name:?} in {}, and no run in a folder of this name; known: {}", folder.display(), listed(known))]
    Unknown {
        /// The name.
        name: String,
        /// The folder that was searched.
        folder: PathBuf,
        /// The names that exist.
        known: Vec<String>,
    },
    /// The baseline cannot be read.
    #[error("cannot read the baseline: {0}")]
    Unreadable(#[from] ReadError),
    /// The baseline cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

fn listed(known: &[String]) -> String {
    if known.is_empty() {
        "none".to_owned()
    } else {
        known.join(", ")
    }
}

/// Returns the path of the baseline of this name below the output folder.
///
/// # Errors
///
/// [`BaselineError::Name`].
pub fn baseline_path(out: &Path, name: &str) -> Result<PathBuf, BaselineError> {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.starts_with('.') || !name.chars().all(fits) {
        return Err(BaselineError::Name(name.to_owned()));
    }
    Ok(out.join("baselines").join(format!("{name}.json")))
}

impl BenchSummary {
    /// Loads the baseline of this name, or the run in the folder of this name.
    ///
    /// # Errors
    ///
    /// [`BaselineError`]; where there is none of this name, those that exist are listed.
    pub fn load_baseline(out: &Path, name: &str) -> Result<BenchSummary, BaselineError> {
        let kept = baseline_path(out, name);
        if let Some(path) = kept.as_ref().ok().filter(|path| path.is_file()) {
            return Ok(BenchSummary::load(path)?);
        }
        let run = Path::new(name).join("summary.json");
        if run.is_file() {
            return Ok(BenchSummary::load(&run)?);
        }
        kept?;
        let folder = out.join("baselines");
        Err(BaselineError::Unknown {
            name: name.to_owned(),
            known: known(&folder),
            folder,
        })
    }

    /// Saves the run as the baseline of this name, replacing an older one.
    ///
    /// # Errors
    ///
    /// [`BaselineError`].
    pub fn save_baseline(&self, out: &Path, name: &str) -> Result<PathBuf, BaselineError> {
        let path = baseline_path(out, name)?;
        let written = write_whole(&path, |writer| {
            serde_json::to_writer(&mut *writer, self)?;
            writer.write_all(b"\n")
        });
        match written {
            Ok(()) => Ok(path),
            Err(source) => Err(BaselineError::Unwritable { path, source }),
        }
    }
}

/// Returns the names of the runs in a folder, sorted.
fn known(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names
        .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
        .collect();
    names.sort();
    names
}
