//! Photos that arrive in folders while the program runs.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::name_filter::NameFilter;
use super::photos::{PhotoFile, is_wanted};
use super::result_folders::is_result;

/// A file that its writer has closed, or that was moved here, is taken to be written once nothing has happened to it for
/// so long: some programs open it once more.
const CLOSED: Duration = Duration::from_millis(500);
/// The same for a file that nobody was seen to close. Linux tells, so that there the writer takes a break, or the file
/// was changed by another machine.
const OPEN: Duration = Duration::from_secs(if cfg!(target_os = "linux") { 60 } else { 3 });
/// How often files that are being written, and the stop flag, are looked at.
const POLL: Duration = Duration::from_millis(100);

/// The photos and videos that are written to some folders from now on, each once it is complete; a file that
/// is changed later comes again. Waits for the next one; ends once `stop` is set.
pub struct FolderWatch<'a> {
    events: Receiver<(PathBuf, Change)>,
    /// Watches as long as it lives.
    _watcher: RecommendedWatcher,
    /// Files that may still be written.
    growing: BTreeMap<PathBuf, Growing>,
    /// Which path has which stem.
    stems: HashMap<String, PathBuf>,
    /// The folders as the system names them, and as they were named.
    folders: Vec<(PathBuf, PathBuf)>,
    skip: Option<PathBuf>,
    filter: NameFilter,
    stop: &'a AtomicBool,
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// It is new, or a new link to another one, or other people may read it.
    Named,
    /// It was moved here.
    Moved,
    /// It was opened, if only to be read.
    Opened,
    Written,
    /// Who wrote to it has closed it.
    Closed,
}

impl Change {
    fn of(kind: EventKind) -> Option<Change> {
        match kind {
            EventKind::Create(_) | EventKind::Modify(ModifyKind::Metadata(_)) => {
                Some(Change::Named)
            }
            EventKind::Modify(ModifyKind::Name(_)) => Some(Change::Moved),
            EventKind::Modify(_) => Some(Change::Written),
            EventKind::Access(AccessKind::Open(_)) => Some(Change::Opened),
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => Some(Change::Closed),
            _ => None,
        }
    }
}

/// Whether somebody may be writing to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writing {
    /// Who has made it opens it next, unless it is a link.
    New,
    UnderWay,
    Done,
}

impl Writing {
    /// How it is after a change; `before` is `None` of a file of which nothing was heard. `None` where the change does
    /// not matter.
    fn after(before: Option<Writing>, change: Change) -> Option<Writing> {
        match (change, before) {
            (Change::Named, None) => Some(Writing::New),
            (Change::Named, Some(before)) => Some(before),
            (Change::Opened, Some(Writing::New)) | (Change::Written, _) => Some(Writing::UnderWay),
            // Who opens it now, only reads it; so do we.
            (Change::Opened, _) => None,
            (Change::Moved | Change::Closed, _) => Some(Writing::Done),
        }
    }

    /// How long nothing happens to a whole file.
    fn quiet(self) -> Duration {
        match self {
            Writing::New | Writing::Done if cfg!(target_os = "linux") => CLOSED,
            _ => OPEN,
        }
    }
}

/// A file that may still be written.
#[derive(Clone, Copy, Debug)]
struct Growing {
    size: u64,
    /// When something last happened to it.
    since: Instant,
    writing: Writing,
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
                let Some(change) = Change::of(event.kind) else {
                    return;
                };
                for path in event.paths {
                    let _ = sender.send((path, change));
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

    fn note(&mut self, path: PathBuf, change: Change) {
        // The same name as the photo has in a run over the folder.
        let below = |(whole, given): &(PathBuf, PathBuf)| {
            let rest = path.strip_prefix(whole).ok()?;
            Some((given.join(rest), self.filter.takes(rest)))
        };
        let found = self.folders.iter().find_map(below);
        let (path, is_taken) = found.unwrap_or((path, true));
        let is_own = |skip: &PathBuf| path.canonicalize().is_ok_and(|it| it.starts_with(skip));
        let is_made = self.skip.as_ref().is_some_and(is_own) || is_result(&path);
        let known = self.growing.get(&path).copied();
        let Some(writing) = Writing::after(known.map(|it| it.writing), change) else {
            return;
        };
        if is_taken && !is_made && (known.is_some() || is_wanted(&path)) {
            let growing = Growing {
                size: known.map_or(u64::MAX, |it| it.size),
                since: Instant::now(),
                writing,
            };
            self.growing.insert(path, growing);
        }
    }

    /// A file that was written completely, if there is one.
    fn settled(&mut self) -> Option<PathBuf> {
        let mut settled = None;
        let now = Instant::now();
        self.growing.retain(|path, growing| {
            let Ok(metadata) = path.metadata() else {
                return false;
            };
            if growing.size != metadata.len() {
                (growing.size, growing.since) = (metadata.len(), now);
            }
            let is_quiet = now - growing.since >= growing.writing.quiet();
            let is_settled = metadata.len() > 0 && is_quiet && settled.is_none();
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
                Ok((path, change)) => {
                    self.note(path, change);
                    while let Ok((path, change)) = self.events.try_recv() {
                        self.note(path, change);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The state of a file after these changes.
    fn after(changes: &[Change]) -> Option<Writing> {
        let next = |before, &change| Writing::after(before, change).or(before);
        changes.iter().fold(None, next)
    }

    #[test]
    fn a_file_is_complete_once_it_is_closed_moved_or_linked() {
        use Change::{Closed, Moved, Named, Opened, Written};
        let made = [Named, Opened, Written];
        assert_eq!(after(&made), Some(Writing::UnderWay));
        assert_eq!(after(&[Named, Opened]), Some(Writing::UnderWay));
        assert_eq!(after(&[&made[..], &[Closed]].concat()), Some(Writing::Done));
        // A change of permissions, and a program that reads thumbnails.
        let looked_at = [&made[..], &[Closed, Named, Opened]].concat();
        assert_eq!(after(&looked_at), Some(Writing::Done));
        let again = [&looked_at[..], &[Opened, Written]].concat();
        assert_eq!(after(&again), Some(Writing::UnderWay));
        assert_eq!(after(&[Moved, Opened]), Some(Writing::Done));
        assert_eq!(after(&[Named]), Some(Writing::New), "a link");
        assert_eq!(after(&[Opened]), None, "somebody reads an old photo");
        assert!(Writing::UnderWay.quiet() > Writing::Done.quiet() || !cfg!(target_os = "linux"));
    }
}
