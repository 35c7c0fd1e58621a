//! Photos that arrive in folders while the program runs.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::name_filter::NameFilter;
use super::photos::{PhotoFile, is_wanted};
use super::result_folders::is_result;

/// A file whose size did not change for so long is taken to be written.
const SETTLED: Duration = Duration::from_millis(500);
/// How often files that are being written, and the stop flag, are looked at.
const POLL: Duration = Duration::from_millis(100);

/// The photos and videos that are written to some folders from now on, each once it is complete; a file that
/// is changed later comes again. Waits for the next one; ends once `stop` is set.
pub struct FolderWatch<'a> {
    events: Receiver<PathBuf>,
    /// Watches as long as it lives.
    _watcher: RecommendedWatcher,
    /// Files that may still be written: their size, and when it was last seen to change.
    growing: BTreeMap<PathBuf, (u64, Instant)>,
    /// Which path has which stem.
    stems: HashMap<String, PathBuf>,
    /// The folders as the system names them, and as they were named.
    folders: Vec<(PathBuf, PathBuf)>,
    skip: Option<PathBuf>,
    filter: NameFilter,
    stop: &'a AtomicBool,
}

impl<'a> FolderWatch<'a> {
    /// Begins to watch these folders and those in them; the folder `skip`, where results go, is left out, and
    /// what `filter` does not take.
    ///
    /// # Errors
    /// [`notify::Error`] where the system does not watch one of them.
    pub fn watch(
        folders: &[PathBuf],
        skip: &Path,
        filter: NameFilter,
        stop: &'a AtomicBool,
    ) -> Result<FolderWatch<'a>, notify::Error> {
        let (sender, events) = mpsc::channel();
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                let Ok(event) = event else { return };
                if matches!(event.kind, EventKind::Create(_) | EventKind::Modify(_)) {
                    for path in event.paths {
                        let _ = sender.send(path);
                    }
                }
            })?;
        let mut named = Vec::new();
        for folder in folders {
            watcher.watch(folder, RecursiveMode::Recursive)?;
            let whole = folder.canonicalize().map_err(notify::Error::io)?;
            named.push((whole, folder.clone()));
        }
        Ok(FolderWatch {
            events,
            _watcher: watcher,
            growing: BTreeMap::new(),
            stems: HashMap::new(),
            folders: named,
            skip: skip.canonicalize().ok(),
            filter,
            stop,
        })
    }

    fn note(&mut self, path: PathBuf) {
        // The same name as the photo has in a run over the folder.
        let below = |(whole, given): &(PathBuf, PathBuf)| {
            let rest = path.strip_prefix(whole).ok()?;
            Some((given.join(rest), self.filter.takes(rest)))
        };
        let found = self.folders.iter().find_map(below);
        let (path, is_taken) = found.unwrap_or((path, true));
        let is_own = |skip: &PathBuf| path.canonicalize().is_ok_and(|it| it.starts_with(skip));
        let is_made = self.skip.as_ref().is_some_and(is_own) || is_result(&path);
        if is_taken && is_wanted(&path) && !is_made {
            self.growing.insert(path, (u64::MAX, Instant::now()));
        }
    }

    /// A file that was written completely, if there is one.
    fn settled(&mut self) -> Option<PathBuf> {
        let mut settled = None;
        let now = Instant::now();
        self.growing.retain(|path, (size, since)| {
            let Ok(metadata) = path.metadata() else {
                return false;
            };
            if *size != metadata.len() {
                (*size, *since) = (metadata.len(), now);
            }
            let is_settled = metadata.len() > 0 && now - *since >= SETTLED && settled.is_none();
            if is_settled {
                settled = Some(path.clone());
            }
            !is_settled
        });
        settled
    }
}

impl Iterator for FolderWatch<'_> {
    type Item = PhotoFile;

    fn next(&mut self) -> Option<PhotoFile> {
        loop {
            if self.stop.load(Ordering::SeqCst) {
                return None;
            }
            match self.events.recv_timeout(POLL) {
                Ok(path) => {
                    self.note(path);
                    while let Ok(path) = self.events.try_recv() {
                        self.note(path);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
            if let Some(path) = self.settled() {
                return Some(PhotoFile::arrived(path, &mut self.stems));
            }
        }
    }
}

impl std::fmt::Debug for FolderWatch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FolderWatch")
            .field("growing", &self.growing)
            .finish_non_exhaustive()
    }
}
