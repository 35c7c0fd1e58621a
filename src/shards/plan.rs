//! The plan: what there is to do, frozen, and cut into shards.
//!
//! It is one JSON document with a file a line, so that a shard is read without reading the rest: the last line has
//! the place of the list of shards, which has the place of each shard's files. Its identity is a hash of its head and
//! of that list, which has the hash of each shard's lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::corpus::CorpusError;
use crate::files::{ReadError, WholeFile, WriteError, content_hash};
use crate::opening::open_file;

/// Why a plan cannot be made or used.
#[derive(Debug, Error)]
pub enum PlanError {
    /// Something that it would name cannot be read.
    #[error("cannot read {place}: {source}")]
    Input {
        /// The path as text.
        place: String,
        /// What the system says.
        source: io::Error,
    },
    /// A corpus that it would name cannot be read to its end.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// It cannot be read, is none, or is not as it was written.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// No line of the corpora is a puzzle.
    #[error("no line of the corpora is a puzzle")]
    NoPuzzles,
}

/// A shard of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Number of its first file in the list of the plan, from 0.
    pub first: u64,
    /// Files in it.
    pub count: u64,
    /// What they weigh: bytes of photos, or puzzles of corpora.
    pub weight: u64,
    /// Bytes of the plan before its lines.
    start: u64,
    /// Bytes of its lines.
    length: u64,
    /// Hash of its lines.
    hash: String,
}

/// What a plan begins with.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    command: String,
    version: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    other_boards: bool,
}

#[derive(Deserialize)]
struct First {
    plan: Head,
}

/// What stands behind the files.
#[derive(Serialize, Deserialize)]
struct Tail {
    shards: Vec<Shard>,
    problems: Vec<String>,
}

/// The last line.
#[derive(Deserialize)]
struct Last {
    shards_at: u64,
    identity: String,
}

const FILES: &[u8] = b"\"files\":[\n";

/// Longest last line, in bytes.
const LAST: u64 = 128;
/// Longest first line, in bytes.
const LONGEST_HEAD: u64 = 4096;

/// Writes a plan, file by file.
pub struct PlanWriter {
    path: PathBuf,
    file: WholeFile,
    head: String,
    byte: u64,
    lines: u64,
    shards: Vec<Shard>,
    /// Hash of the shard under way.
    hasher: blake3::Hasher,
}

impl PlanWriter {
    /// Begins a plan for a command. The first shard has begun.
    ///
    /// # Errors
    /// [`PlanError::Write`].
    pub fn create(path: &Path, command: &str) -> Result<PlanWriter, PlanError> {
        PlanWriter::create_for(path, command, false)
    }

    /// Begins a plan for a command, of puzzles of any layout if `other_boards` is true. The first shard has begun.
    ///
    /// # Errors
    /// [`PlanError::Write`].
    pub fn create_for(
        path: &Path,
        command: &str,
        other_boards: bool,
    ) -> Result<PlanWriter, PlanError> {
        let plan = Head {
            command: command.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            other_boards,
        };
        let plan = serde_json::to_string(&plan).expect("a head is plain data");
        let head = format!("{{\"plan\":{plan},\n");
        let file = WholeFile::create(path).map_err(WriteError::of(path))?;
        let mut writer = PlanWriter {
            path: path.to_owned(),
            file,
            byte: 0,
            lines: 0,
            shards: Vec::new(),
            hasher: blake3::Hasher::new(),
            head,
        };
        let head = writer.head.clone();
        writer.write(head.as_bytes())?;
        writer.write(FILES)?;
        writer.begin_shard();
        Ok(writer)
    }

    /// Ends the shard under way and begins the next one.
    pub fn next_shard(&mut self) {
        self.end_shard();
        self.begin_shard();
    }

    /// Adds a file to the shard under way.
    ///
    /// # Errors
    /// [`PlanError::Write`].
    pub fn add(&mut self, file: &impl Serialize, weight: u64) -> Result<(), PlanError> {
        let line = serde_json::to_vec(file).map_err(|error| self.failed(error.into()))?;
        if self.lines > 0 {
            self.write(b",\n")?;
            self.restart_empty_shard();
        }
        self.lines += 1;
        self.hasher.update(&line);
        self.write(&line)?;
        if let Some(shard) = self.shards.last_mut() {
            shard.count += 1;
            shard.weight += weight;
        }
        Ok(())
    }

    /// Ends the plan; `problems` are what was left out.
    ///
    /// # Errors
    /// [`PlanError::Write`].
    pub fn finish(mut self, problems: Vec<String>) -> Result<(), PlanError> {
        self.end_shard();
        self.write(b"\n],\n")?;
        let shards_at = self.byte;
        let tail = Tail {
            shards: std::mem::take(&mut self.shards),
            problems,
        };
        let tail = serde_json::to_string(&tail).map_err(|error| self.failed(error.into()))?;
        // Without its braces: it is a part of the document.
        let tail = format!("{},\n", &tail[1..tail.len() - 1]);
        self.write(tail.as_bytes())?;
        let identity = content_hash(&[self.head.as_bytes(), tail.as_bytes()].concat());
        let last = format!("\"shards_at\":{shards_at},\"identity\":\"{identity}\"}}\n");
        self.write(last.as_bytes())?;
        self.file.finish().map_err(WriteError::of(&self.path))?;
        Ok(())
    }

    fn begin_shard(&mut self) {
        self.hasher.reset();
        self.shards.push(Shard {
            first: self.lines,
            count: 0,
            weight: 0,
            start: self.byte,
            length: 0,
            hash: String::new(),
        });
    }

    /// The lines of a shard begin behind the comma that ends those before it.
    fn restart_empty_shard(&mut self) {
        if let Some(shard) = self.shards.last_mut().filter(|shard| shard.count == 0) {
            shard.start = self.byte;
        }
    }

    fn end_shard(&mut self) {
        if let Some(shard) = self.shards.last_mut() {
            shard.length = self.byte.saturating_sub(shard.start);
            shard.hash = self.hasher.finalize().to_hex()[..32].to_owned();
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), PlanError> {
        let written = self.file.write_all(bytes);
        written.map_err(|error| self.failed(error))?;
        self.byte += bytes.len() as u64;
        Ok(())
    }

    fn failed(&self, error: io::Error) -> PlanError {
        WriteError::of(&self.path)(error).into()
    }
}

/// A plan that was written. Its files are read a shard at a time.
#[derive(Debug)]
pub struct Plan {
    path: PathBuf,
    /// The command that it is for.
    pub command: String,
    /// Version of the program that made it.
    pub version: String,
    /// Whether its puzzles are boards of any layout, and not classic ones alone.
    pub other_boards: bool,
    /// Distinguishes it from every other plan.
    pub identity: String,
    /// Its shards.
    pub shards: Vec<Shard>,
    /// What was left out when it was made.
    pub problems: Vec<String>,
}

impl Plan {
    /// Opens a plan, and checks that its head and its list of shards are as they were written.
    ///
    /// # Errors
    /// [`PlanError`].
    pub fn open(path: &Path) -> Result<Plan, PlanError> {
        let unreadable = |source| ReadError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let no_plan = || ReadError::damaged(path, "not a plan as `plan` writes it");
        let mut file = open_file(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut read = |from: u64, to: u64| -> Result<Vec<u8>, ReadError> {
            let mut bytes = Vec::new();
            file.seek(SeekFrom::Start(from)).map_err(unreadable)?;
            let mut piece = Read::by_ref(&mut file).take(to.saturating_sub(from));
            piece.read_to_end(&mut bytes).map_err(unreadable)?;
            Ok(bytes)
        };
        let end_at = length.saturating_sub(LAST);
        let end = read(end_at, length)?;
        let lines = end.trim_ascii_end();
        let cut = lines.iter().rposition(|byte| *byte == b'\n');
        let last_at = cut.ok_or_else(no_plan)? + 1;
        let last = [b"{", &lines[last_at..]].concat();
        let last: Last = serde_json::from_slice(&last).map_err(|_| no_plan())?;
        let tail = read(last.shards_at, end_at + last_at as u64)?;
        let start = read(0, length.min(LONGEST_HEAD))?;
        let head = start.split_inclusive(|byte| *byte == b'\n').next();
        let head = head.unwrap_or_default();
        if content_hash(&[head, &tail].concat()) != last.identity {
            return Err(changed(path));
        }
        let head = [without_comma(head.trim_ascii_end()), b"}"].concat();
        let head: First = serde_json::from_slice(&head).map_err(|_| no_plan())?;
        let tail = [b"{", without_comma(tail.trim_ascii_end()), b"}"].concat();
        let tail: Tail = serde_json::from_slice(&tail).map_err(|_| no_plan())?;
        Ok(Plan {
            path: path.to_owned(),
            command: head.plan.command,
            version: head.plan.version,
            other_boards: head.plan.other_boards,
            identity: last.identity,
            shards: tail.shards,
            problems: tail.problems,
        })
    }

    /// Returns the files of a shard.
    ///
    /// # Errors
    /// [`PlanError`]: the plan cannot be read, or was changed after it was made.
    pub fn files<F: DeserializeOwned>(&self, shard: &Shard) -> Result<Vec<F>, PlanError> {
        let unreadable = |source| ReadError::Unreadable {
            path: self.path.clone(),
            source,
        };
        let mut file = File::open(&self.path).map_err(unreadable)?;
        file.seek(SeekFrom::Start(shard.start))
            .map_err(unreadable)?;
        let lines = BufReader::new(file.take(shard.length)).split(b'\n');
        let mut hasher = blake3::Hasher::new();
        let mut files = Vec::new();
        for line in lines.take(usize::try_from(shard.count).unwrap_or(usize::MAX)) {
            let line = line.map_err(unreadable)?;
            let line = without_comma(&line);
            hasher.update(line);
            files.push(serde_json::from_slice(line).ok());
        }
        let files: Option<Vec<F>> = files.into_iter().collect();
        let is_as_written = hasher.finalize().to_hex()[..32] == shard.hash;
        let files = files.filter(|_| is_as_written);
        files.ok_or_else(|| changed(&self.path))
    }
}

fn changed(path: &Path) -> PlanError {
    let why = "the plan was changed after it was made: make it again";
    ReadError::damaged(path, why).into()
}

fn without_comma(line: &[u8]) -> &[u8] {
    line.strip_suffix(b",").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn write(path: &Path, shards: &[Vec<String>], problems: &[String]) {
        let mut writer = PlanWriter::create(path, "solve").unwrap();
        for (number, shard) in shards.iter().enumerate() {
            if number > 0 {
                writer.next_shard();
            }
            for file in shard {
                writer.add(file, 2).unwrap();
            }
        }
        writer.finish(problems.to_vec()).unwrap();
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn every_shard_reads_back_and_the_plan_is_one_json_document(
            shards in prop::collection::vec(prop::collection::vec(".{0,20}", 0..5), 1..6),
            problems in prop::collection::vec(".{0,100}", 0..3),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("plan.json");
            write(&path, &shards, &problems);
            let plan = Plan::open(&path).unwrap();
            prop_assert_eq!(&plan.command, "solve");
            prop_assert_eq!(&plan.problems, &problems);
            prop_assert_eq!(plan.shards.len(), shards.len());
            for (shard, expected) in plan.shards.iter().zip(&shards) {
                prop_assert_eq!(&plan.files::<String>(shard).unwrap(), expected);
                prop_assert_eq!(shard.weight, 2 * expected.len() as u64);
            }
            let json: serde_json::Value =
                serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
            let files: Vec<&String> = shards.iter().flatten().collect();
            prop_assert_eq!(&json["files"], &serde_json::json!(files));
            for (shard, place) in plan.shards.iter().zip(json["shards"].as_array().unwrap()) {
                prop_assert_eq!(place["first"].as_u64(), Some(shard.first));
            }
        }
    }

    #[test]
    fn a_plan_changed_anywhere_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plan.json");
        write(
            &path,
            &[vec!["a".into(), "b".into()], vec!["c".into()]],
            &[],
        );
        let bytes = std::fs::read(&path).unwrap();
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] = if changed[place] == b'x' { b'y' } else { b'x' };
            std::fs::write(&path, &changed).unwrap();
            let plan = Plan::open(&path);
            let files = plan.and_then(|plan| {
                let files = plan.shards.iter().map(|shard| plan.files::<String>(shard));
                files.collect::<Result<Vec<_>, _>>()
            });
            let expected = vec![vec!["a".to_owned(), "b".to_owned()], vec!["c".to_owned()]];
            if let Ok(files) = files {
                // Bytes between the lines are ignored.
                assert_eq!(files, expected);
            }
            // Without its last line feed it is still complete.
            if place + 1 < bytes.len() {
                std::fs::write(&path, &bytes[..place]).unwrap();
                assert!(Plan::open(&path).is_err(), "{place}");
            }
        }
    }
}
