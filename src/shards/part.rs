//! Parts: what a shard came to, each a folder that is whole or not there.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::plan::Plan;
use crate::environment::Environment;
use crate::files::{WriteError, content_hash, hash_file, read_json, show, write_json};
use crate::folder_lock::{FolderLock, Holder, LockError, MARKER, is_abandoned};

/// The description of a part: `part.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartHead {
    /// Identity of the plan.
    pub plan: String,
    /// The command.
    pub command: String,
    /// Number of the shard, from 0.
    pub shard: usize,
    /// Shards of the plan.
    pub shards: usize,
    /// Version of the program.
    pub version: String,
    /// Commit it was built from.
    pub commit: String,
    /// Everything that shapes the results; of `recognize`, with the hash of the model.
    pub settings: serde_json::Value,
    /// Whether all was done, and nothing wrong.
    pub clean: bool,
    /// Its tables, summaries and folders of pictures by their names, as they were when it was complete.
    #[serde(default)]
    pub files: BTreeMap<String, FileState>,
}

/// What a file of a part was when it was written, or a folder of pictures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileState {
    /// Its size in bytes; of a folder, that of all its files.
    pub bytes: u64,
    /// The identity of its content, as [`hash_file`] gives it; of a folder, of the names and sizes of its files, as
    /// hashing the pictures themselves would take longer than merging them.
    pub hash: String,
}

impl PartHead {
    /// The head of a shard that this program has done.
    pub fn new(
        plan: &Plan,
        shard: usize,
        environment: &Environment,
        settings: serde_json::Value,
        clean: bool,
    ) -> PartHead {
        PartHead {
            plan: plan.identity.clone(),
            command: plan.command.clone(),
            shard,
            shards: plan.shards.len(),
            version: environment.version.to_string(),
            commit: environment.commit.to_string(),
            settings,
            clean,
            files: BTreeMap::new(),
        }
    }
}

const HEAD: &str = "part.json";

/// A part under way: a folder that takes its name when it is complete. Dropped before, it leaves nothing behind.
#[derive(Debug)]
pub struct PartFolder {
    folder: TempDir,
    target: PathBuf,
    /// Tells other processes that somebody is at work on it.
    lock: FolderLock,
}

/// What there is when a shard is begun.
#[derive(Debug)]
pub enum Begun {
    /// Its part, which is complete.
    There(Part),
    /// Nothing yet.
    New(PartFolder),
}

impl PartFolder {
    /// Begins the part of a shard in the folder of all parts, unless it is there already. What killed processes have
    /// left of this shard is removed.
    ///
    /// # Errors
    /// Where the folder cannot be written to, or another plan has a part there under this name.
    pub fn begin(
        parts: &Path,
        plan: &Plan,
        shard: usize,
        holder: &Holder,
    ) -> Result<Begun, WriteError> {
        let target = parts.join(folder_name(shard));
        let prefix = format!("{UNFINISHED}{shard:05}-");
        remove_abandoned(parts, &prefix);
        if target.exists() {
            return match Part::open(&target) {
                Ok(part) if part.head.plan == plan.identity => Ok(Begun::There(part)),
                _ => Err(WriteError::of(&target)(io::Error::new(
                    io::ErrorKind::AlreadyExists,
                    "it is not a part of this plan",
                ))),
            };
        }
        let make = || {
            fs::create_dir_all(parts)?;
            let mut builder = tempfile::Builder::new();
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                // As readable as any other folder.
                builder.permissions(fs::Permissions::from_mode(0o777));
            }
            builder.prefix(&prefix).tempdir_in(parts)
        };
        let folder = make().map_err(WriteError::of(parts))?;
        let lock = FolderLock::take(folder.path(), holder).map_err(|error| match error {
            LockError::Write(error) => error,
            held => WriteError::of(folder.path())(io::Error::other(held)),
        })?;
        Ok(Begun::New(PartFolder {
            folder,
            target,
            lock,
        }))
    }

    /// Returns where the files of the part go.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Notes what its files are, gives the folder its name, and returns it. If another process was first, its part stays, and this one goes.
    ///
    /// # Errors
    /// Whatever stops it; then the part is not there.
    pub fn finish(self, head: &PartHead) -> Result<PathBuf, WriteError> {
        let write = || {
            let files = files_in(self.path())?;
            let head = PartHead {
                files,
                ..head.clone()
            };
            write_json(&self.path().join(HEAD), &head)
        };
        write().map_err(WriteError::of(&self.target))?;
        // Windows renames no folder with an open file.
        drop(self.lock);
        let folder = self.folder.keep();
        let renamed = fs::rename(&folder, &self.target);
        if renamed.is_err() {
            // What is left over is only a copy.
            let _ = fs::remove_dir_all(&folder);
        }
        let is_there = || Part::open(&self.target).is_ok_and(|part| part.head.plan == head.plan);
        match renamed {
            Err(error) if !is_there() => Err(WriteError::of(&self.target)(error)),
            _ => Ok(self.target),
        }
    }
}

/// The files and folders of a part, without marks of our own.
fn files_in(folder: &Path) -> io::Result<BTreeMap<String, FileState>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            files.insert(name, FileState::of(&entry.path())?);
        }
    }
    Ok(files)
}

impl FileState {
    fn of(path: &Path) -> io::Result<FileState> {
        if path.is_dir() {
            let mut files = Vec::new();
            list_sizes(path, &mut files)?;
            files.sort_unstable();
            let lines = files
                .iter()
                .map(|(name, bytes)| format!("{bytes} {name}\n"));
            return Ok(FileState {
                bytes: files.iter().map(|(_, bytes)| bytes).sum(),
                hash: content_hash(lines.collect::<String>().as_bytes()),
            });
        }
        Ok(FileState {
            bytes: fs::metadata(path)?.len(),
            hash: hash_file(path)?,
        })
    }
}

/// Adds the names and sizes of the files below a folder. Names are those of photos made safe, and differ from each
/// other within a folder and by what lies below it.
fn list_sizes(folder: &Path, files: &mut Vec<(String, u64)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.metadata()? {
            of_folder if of_folder.is_dir() => list_sizes(&entry.path(), files)?,
            of_file => files.push((
                entry.file_name().to_string_lossy().into_owned(),
                of_file.len(),
            )),
        }
    }
    Ok(())
}

/// What the folders of parts that are not complete begin with.
const UNFINISHED: &str = ".shard-";

/// Removes the folders beginning so that nobody is at work on. What cannot be removed stays: it is in nobody's way.
fn remove_abandoned(parts: &Path, prefix: &str) {
    for entry in parts.read_dir().into_iter().flatten().flatten() {
        let is_named = entry
            .file_name()
            .as_encoded_bytes()
            .starts_with(prefix.as_bytes());
        if is_named && is_abandoned(&entry.path()) {
            remove_marker_last(&entry.path());
        } else if is_named {
            // Removes nothing but an empty folder: a process that was about to mark it makes it again.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// Removes a folder so that it is known as abandoned up to the end: who does so may be killed, too.
fn remove_marker_last(folder: &Path) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        if entry.file_name() != MARKER {
            let path = entry.path();
            let _ = match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => fs::remove_dir_all(path),
                false => fs::remove_file(path),
            };
        }
    }
    let _ = fs::remove_dir_all(folder);
}

fn folder_name(shard: usize) -> String {
    format!("shard-{shard:05}")
}

/// A part that is complete.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its folder.
    pub folder: PathBuf,
    /// Its description.
    pub head: PartHead,
}

impl Part {
    fn open(folder: &Path) -> Result<Part, MergeProblem> {
        let head = read_json(&folder.join(HEAD)).map_err(|error| MergeProblem::Damaged {
            folder: show(folder),
            why: error.to_string(),
        })?;
        Ok(Part {
            folder: folder.to_owned(),
            head,
        })
    }

    /// What is wrong with its files, if they are not as they were written.
    fn damage(&self) -> Option<MergeProblem> {
        let is_whole = |(name, state): (&String, &FileState)| {
            FileState::of(&self.folder.join(name)).is_ok_and(|found| found == *state)
        };
        let (name, _) = self.head.files.iter().find(|file| !is_whole(*file))?;
        Some(MergeProblem::Damaged {
            folder: show(&self.folder),
            why: format!(
                "{name} is not as it was written; remove the folder and run the shard again"
            ),
        })
    }
}

/// Why parts cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeProblem {
    /// Shards have no part.
    Missing {
        /// Their numbers.
        shards: Vec<usize>,
    },
    /// A shard has two parts.
    Doubled {
        /// Its number.
        shard: usize,
        /// Their folders.
        folders: [String; 2],
    },
    /// A part belongs to another plan.
    Foreign {
        /// Its folder.
        folder: String,
    },
    /// A part was made in another way than the first one.
    Unlike {
        /// Its folder.
        folder: String,
        /// The folder of the first one.
        first: String,
        /// What differs.
        what: String,
    },
    /// A folder is no part, or cannot be read.
    Damaged {
        /// The folder.
        folder: String,
        /// What is wrong.
        why: String,
    },
}

impl fmt::Display for MergeProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeProblem::Missing { shards } => {
                let first: Vec<String> = shards.iter().take(20).map(ToString::to_string).collect();
                let more = shards.len().saturating_sub(first.len());
                write!(f, "shards without a part: {}", first.join(", "))?;
                if more > 0 {
                    write!(f, " and {more} more")?;
                }
                Ok(())
            }
            MergeProblem::Doubled {
                shard,
                folders: [one, other],
            } => write!(f, "shard {shard} has two parts: {one} and {other}"),
            MergeProblem::Foreign { folder } => write!(f, "{folder} is a part of another plan"),
            MergeProblem::Unlike {
                folder,
                first,
                what,
            } => write!(f, "{folder} was made with another {what} than {first}"),
            MergeProblem::Damaged { folder, why } => write!(f, "{folder} is no part: {why}"),
        }
    }
}

/// Returns the parts of a plan, one for each shard and in their order, all made by the same version with the same
/// settings.
///
/// # Errors
/// All that is wrong with them.
pub fn parts_of(parts: &Path, plan: &Plan) -> Result<Vec<Part>, Vec<MergeProblem>> {
    let (slots, mut problems) = scan(parts, plan);
    let missing: Vec<usize> = without_part(&slots).collect();
    let found: Vec<Part> = slots.into_iter().flatten().collect();
    if let Some((first, others)) = found.split_first() {
        problems.extend(others.iter().filter_map(|part| unlike(part, first)));
    }
    problems.extend(found.iter().filter_map(Part::damage));
    if !missing.is_empty() {
        problems.push(MergeProblem::Missing { shards: missing });
    }
    match problems.is_empty() {
        true => Ok(found),
        false => Err(problems),
    }
}

/// Returns the numbers of the shards that have no part yet, and what else is wrong with the parts.
pub fn shards_without_part(parts: &Path, plan: &Plan) -> (Vec<usize>, Vec<MergeProblem>) {
    let (slots, problems) = scan(parts, plan);
    (without_part(&slots).collect(), problems)
}

fn without_part(slots: &[Option<Part>]) -> impl Iterator<Item = usize> {
    let empty = slots.iter().enumerate().filter(|(_, slot)| slot.is_none());
    empty.map(|(shard, _)| shard)
}

/// The part of each shard.
fn scan(parts: &Path, plan: &Plan) -> (Vec<Option<Part>>, Vec<MergeProblem>) {
    let mut slots: Vec<Option<Part>> = vec![None; plan.shards.len()];
    let mut problems = Vec::new();
    let entries = fs::read_dir(parts).into_iter().flatten().flatten();
    let folders = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir());
    let is_hidden = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        name.as_encoded_bytes().starts_with(b".")
    };
    let mut folders: Vec<PathBuf> = folders.filter(|path| !is_hidden(path)).collect();
    folders.sort();
    for folder in folders {
        let part = match Part::open(&folder) {
            Ok(part) => part,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let is_own = part.head.plan == plan.identity;
        match slots.get_mut(part.head.shard).filter(|_| is_own) {
            None => problems.push(MergeProblem::Foreign {
                folder: show(&folder),
            }),
            Some(Some(other)) => problems.push(MergeProblem::Doubled {
                shard: part.head.shard,
                folders: [show(&other.folder), show(&folder)],
            }),
            Some(slot) => *slot = Some(part),
        }
    }
    (slots, problems)
}

/// In what a part differs from the first one, if it was made in another way.
fn unlike(part: &Part, first: &Part) -> Option<MergeProblem> {
    let (own, other) = (&part.head, &first.head);
    let what = if (&own.version, &own.commit) != (&other.version, &other.commit) {
        format!(
            "version ({} {} instead of {} {})",
            own.version, own.commit, other.version, other.commit
        )
    } else if own.settings.get("model") != other.settings.get("model") {
        "model".to_owned()
    } else if own.settings != other.settings {
        let differs = |key: &&String| own.settings.get(key) != other.settings.get(key);
        let keys = own.settings.as_object().into_iter().flatten();
        let key = keys.map(|(key, _)| key).find(differs);
        key.map_or_else(|| "setting".to_owned(), |key| format!("setting of `{key}`"))
    } else {
        return None;
    };
    Some(MergeProblem::Unlike {
        folder: show(&part.folder),
        first: show(&first.folder),
        what,
    })
}
