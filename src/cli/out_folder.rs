//! The output folder of a run, which no other run writes into meanwhile.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use sudoku_batch::folder_lock::{FolderLock, Holder, LockError, MARKER};

use super::args::Common;
use super::error::{CliError, print_warning, unwritable};

/// How often a folder is tried again that another run holds.
const POLL: Duration = Duration::from_millis(200);

/// An output folder that belongs to this command. If the command made it and wrote nothing, it goes with this.
pub(crate) struct TakenFolder {
    _lock: FolderLock,
    made: Option<PathBuf>,
}

/// Makes the folder and takes it for this command, until what is returned is dropped.
pub(crate) fn take_now(folder: &Path) -> Result<TakenFolder, CliError> {
    let made = (!folder.exists()).then(|| folder.to_owned());
    match FolderLock::take(folder, &this_process()) {
        Ok(lock) => Ok(TakenFolder { _lock: lock, made }),
        Err(LockError::Write(error)) => Err(unwritable(error)),
        Err(held) => Err(CliError::with_hint(
            held,
            "give another folder, or wait until that run has ended",
        )),
    }
}

impl Drop for TakenFolder {
    fn drop(&mut self) {
        let Some(folder) = &self.made else { return };
        if folder.read_dir().is_ok_and(|entries| entries.count() == 1) {
            // What cannot be removed is an empty folder in nobody's way.
            let _ = fs::remove_file(folder.join(MARKER));
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Makes the folder and takes it for this run, until what is returned is dropped. With `wait`, waits for another run
/// to end; signals end the wait as they end a program that knows nothing of them.
pub(crate) fn take_folder(
    common: &Common,
    folder: &Path,
    wait: bool,
) -> Result<FolderLock, CliError> {
    let holder = this_process();
    let mut is_reported = false;
    loop {
        match FolderLock::take(folder, &holder) {
            Ok(lock) => return Ok(lock),
            Err(error) if error.is_held() && wait => {
                if !is_reported && !common.quiet {
                    print_warning(format_args!("{error}; waiting for it to finish"));
                }
                is_reported = true;
                thread::sleep(POLL);
            }
            Err(LockError::Write(error)) => return Err(unwritable(error)),
            Err(error) => {
                let hint = "choose another folder with --out, or wait for that run with --wait";
                return Err(CliError::with_hint(error, hint));
            }
        }
    }
}

/// Who takes folders now.
pub(super) fn this_process() -> Holder {
    let now = humantime::format_rfc3339_seconds(SystemTime::now());
    Holder::this_process(now.to_string())
}
