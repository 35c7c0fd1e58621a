//! One run at a time in an output folder: a small file in it is locked by the run, says who holds it, and marks the
//! folder as one of results.
//!
//! The lock is one of the system (`flock`, `LockFileEx`): it ends with the process, however that ends.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::process;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::leftovers::remove_leftovers;
use crate::files::WriteError;

/// Name of the file that marks a folder as one of results. It is hidden, and stays when the run is over.
pub const MARKER: &str = ".sudoku-batch";

/// Longest marker that is read, in bytes, and longest command in it, in characters.
const LONGEST: u64 = 16 << 10;
const LONGEST_COMMAND: usize = 1000;

/// An output folder that belongs to this run until all copies are dropped.
#[derive(Clone, Debug)]
pub struct FolderLock {
    _file: Arc<LockedFile>,
}

/// A file that is unlocked when it is dropped. It is not locked where the file system has no locks.
#[derive(Debug)]
struct LockedFile(File);

impl Drop for LockedFile {
    fn drop(&mut self) {
        // A child that another thread is just starting has the file open, too, so closing it here is not enough.
        let _ = self.0.unlock();
    }
}

/// The run that holds a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process.
    pub pid: u32,
    /// What was typed.
    pub command: String,
    /// When it began, as the caller writes times.
    pub since: String,
}

/// Why a folder could not be taken.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another run writes there. Nothing is known of it where the system does not let others read a locked file.
    #[error("{folder} belongs to another run{}", described(.holder.as_ref()))]
    Held {
        /// The folder as text.
        folder: String,
        /// The run.
        holder: Option<Holder>,
    },
    /// The folder cannot be made or written to.
    #[error(transparent)]
    Write(#[from] WriteError),
}

fn described(holder: Option<&Holder>) -> String {
    holder.map_or_else(
        String::new,
        |Holder {
             pid,
             command,
             since,
         }| {
            let printable = |text: &str| -> String {
                let kept = text
                    .chars()
                    .map(|it| if it.is_control() { ' ' } else { it });
                kept.take(LONGEST_COMMAND).collect()
            };
            format!(
                ": process {pid}, since {}: {}",
                printable(since),
                printable(command)
            )
        },
    )
}

impl Holder {
    /// This process, which began to write at this time.
    pub fn this_process(since: String) -> Holder {
        let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
        let command = words.collect::<Vec<_>>().join(" ");
        Holder {
            pid: process::id(),
            command: command.chars().take(LONGEST_COMMAND).collect(),
            since,
        }
    }
}

impl FolderLock {
    /// Makes the folder, marks it as one of results, takes it for this run, and removes the temporary files of runs
    /// that were killed.
    ///
    /// # Errors
    /// [`LockError::Held`] where another run has it; it can be tried again later.
    pub fn take(folder: &Path, holder: &Holder) -> Result<FolderLock, LockError> {
        let path = folder.join(MARKER);
        let open = || {
            fs::create_dir_all(folder)?;
            let mut options = File::options();
            // Not emptied: what is in it is of the run that may hold it.
            options.read(true).write(true).create(true).truncate(false);
            options.open(&path)
        };
        let mut file = open().map_err(WriteError::of(folder))?;
        match file.try_lock() {
            Ok(()) => remove_leftovers(folder),
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::Held {
                    folder: crate::files::show(folder),
                    holder: holder_in(&mut file),
                });
            }
            // Some network file systems have no locks: there, runs are as safe as without them.
            Err(TryLockError::Error(_)) => {}
        }
        let mut write = || {
            file.set_len(0)?;
            file.rewind()?;
            serde_json::to_writer(&file, holder)?;
            file.write_all(b"\n")
        };
        write().map_err(WriteError::of(&path))?;
        Ok(FolderLock {
            _file: Arc::new(LockedFile(file)),
        })
    }
}

fn holder_in(file: &mut File) -> Option<Holder> {
    let mut text = Vec::new();
    file.take(LONGEST).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Returns whether a run took a folder and ended. Not known, and so not true, where the file system has no locks.
pub fn is_abandoned(folder: &Path) -> bool {
    let marker = File::options()
        .read(true)
        .write(true)
        .open(folder.join(MARKER));
    marker.is_ok_and(|file| file.try_lock().is_ok() && file.unlock().is_ok())
}

/// Whether a run has written into a folder.
pub fn is_marked(folder: &Path) -> bool {
    folder.join(MARKER).is_file()
}

impl LockError {
    /// Whether another run holds the folder, which may end.
    pub const fn is_held(&self) -> bool {
        matches!(self, LockError::Held { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder(command: &str) -> Holder {
        Holder {
            pid: 7,
            command: command.to_owned(),
            since: "noon".to_owned(),
        }
    }

    #[test]
    fn a_folder_is_locked_until_its_lock_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("a/b");
        assert!(!is_marked(&out) && !is_abandoned(&out));
        let first = FolderLock::take(&out, &holder("recognize \u{1b}[2J x")).unwrap();
        let copy = first.clone();
        drop(first);
        let error = FolderLock::take(&out, &holder("second")).unwrap_err();
        assert!(error.is_held() && !is_abandoned(&out));
        #[cfg(unix)]
        {
            let said = error.to_string();
            let expected = "process 7, since noon: recognize  [2J x";
            assert!(said.ends_with(expected), "{said}");
        }
        drop(copy);
        FolderLock::take(&out, &holder("second")).unwrap();
        assert!(is_marked(&out) && is_abandoned(&out));
        let text = fs::read_to_string(out.join(MARKER)).unwrap();
        assert!(text.contains("second") && text.lines().count() == 1);
    }

    #[test]
    fn a_child_that_is_started_meanwhile_does_not_keep_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let lock = FolderLock::take(folder.path(), &holder("first")).unwrap();
        let as_in_a_child = lock._file.0.try_clone().unwrap();
        drop(lock);
        FolderLock::take(folder.path(), &holder("second")).unwrap();
        drop(as_in_a_child);
    }

    #[test]
    fn an_unreadable_marker_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(MARKER), vec![0xFF; 100_000]).unwrap();
        let held = FolderLock::take(folder.path(), &holder("first"));
        assert!(held.is_ok());
        fs::write(folder.path().join(MARKER), vec![0xFF; 100_000]).unwrap();
        let error = FolderLock::take(folder.path(), &holder("second")).unwrap_err();
        assert!(matches!(error, LockError::Held { holder: None, .. }));
    }
}
