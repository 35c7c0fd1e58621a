//! `photos.jsonl`: the photos of a run, a line each. It is what the report is made of, and the cache of
//! the next run: a photo whose content and settings are unchanged is not read again.
//!
//! The lines are written to a file of another name as the photos are done, so a run that crashes loses
//! neither its own lines nor those of the run before.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;

use super::photo::PhotoResult;
use super::record::Record;
use crate::files::{ReadError, WholeFile};
use crate::opening::open_file;
use crate::parallel::map_in_order;
use crate::reader::Status;

/// The photos of the last run that ended, in input order.
pub const PHOTOS: &str = "photos.jsonl";
/// The photos of the run that is under way, or that crashed.
const PARTIAL: &str = "photos.partial.jsonl";
/// Photos of earlier runs that the last one did not come to.
const EARLIER: &str = "photos.earlier.jsonl";

/// Bytes of lines that a thread reads at a time: one line each, threads would mostly wait for each other.
const BATCH: usize = 64 << 10;

/// Longest line that is taken for one, in bytes: a photo of forty boards has about 200 KB.
const LONGEST_LINE: u64 = 16 << 20;

/// Where earlier runs into a folder left their photos. Keeps some 40 bytes a photo in memory.
#[derive(Debug, Default)]
pub(super) struct Cache {
    files: Vec<Mutex<File>>,
    /// By content hash: which file, and where in it.
    lines: HashMap<u128, (usize, u64)>,
}

/// As much of a line as is needed to decide whether it can be used.
#[derive(Deserialize)]
struct Head {
    content: Option<String>,
    settings: String,
    records: Vec<RecordHead>,
}

#[derive(Deserialize)]
struct RecordHead {
    status: Status,
}

impl Cache {
    /// Looks through the files that earlier runs with these settings left. Lines of other settings,
    /// timeouts (which depend on what else the machine was doing) and damaged lines are left out; so is
    /// a file that cannot be read.
    pub(super) fn open(folder: &Path, settings: &str) -> Cache {
        let mut cache = Cache::default();
        for name in [EARLIER, PHOTOS] {
            let Ok(file) = File::open(folder.join(name)) else {
                continue;
            };
            let number = cache.files.len();
            let lines = &mut cache.lines;
            each_line(&mut BufReader::new(&file), |start, line| {
                let head: Option<Head> = serde_json::from_slice(line).ok();
                let usable = head.filter(|head| {
                    let timed_out = |record: &RecordHead| record.status == Status::Timeout;
                    head.settings == settings && !head.records.iter().any(timed_out)
                });
                if let Some(key) = usable.and_then(|head| key(head.content.as_deref()?)) {
                    lines.insert(key, (number, start));
                }
            });
            cache.files.push(Mutex::new(file));
        }
        cache
    }

    /// What an earlier run read in the photo with this content hash.
    pub(super) fn photo(&self, content: &str) -> Option<PhotoResult> {
        let line = self.line(key(content)?)?;
        let photo: PhotoResult = serde_json::from_slice(&line).ok()?;
        let is_sound = !photo.records.is_empty() && photo.records.iter().all(Record::is_measured);
        (photo.content.as_deref() == Some(content) && is_sound).then_some(photo)
    }

    fn line(&self, key: u128) -> Option<Vec<u8>> {
        let &(file, start) = self.lines.get(&key)?;
        let mut file = self.files[file]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(start)).ok()?;
        let mut line = Vec::new();
        let mut rest = io::Read::take(&mut *file, LONGEST_LINE);
        BufReader::new(&mut rest)
            .read_until(b'\n', &mut line)
            .ok()?;
        Some(line)
    }
}

/// The lines of a run under way.
#[derive(Debug)]
pub(super) struct Journal {
    folder: PathBuf,
    file: BufWriter<File>,
}

impl Journal {
    /// Begins the lines of a run. Those of a run that crashed are kept for [`Cache::open`], which must
    /// be called after this.
    pub(super) fn begin(folder: &Path) -> io::Result<Journal> {
        let partial = folder.join(PARTIAL);
        if partial.is_file() {
            let mut earlier = File::options()
                .append(true)
                .create(true)
                .open(folder.join(EARLIER))?;
            let before = earlier.metadata()?.len();
            if let Err(error) = append(&partial, &mut earlier) {
                // On a full disk, each further try would take what room is left.
                let _ = earlier.set_len(before);
                return Err(error);
            }
        }
        Ok(Journal {
            folder: folder.to_owned(),
            file: BufWriter::new(File::create(partial)?),
        })
    }

    /// Writes the line of a photo; it outlives a crash from then on.
    pub(super) fn add(&mut self, photo: &PhotoResult) -> io::Result<()> {
        serde_json::to_writer(&mut self.file, photo)?;
        self.file.write_all(b"\n")?;
        self.file.flush()
    }

    /// Gives the file its name. Of an interrupted run, the lines of earlier runs for photos that it did
    /// not come to are kept for the next one.
    pub(super) fn finish(mut self, interrupted: Option<&Cache>) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        drop(self.file);
        let partial = self.folder.join(PARTIAL);
        let earlier = self.folder.join(EARLIER);
        match interrupted {
            Some(cache) => {
                let mut left: HashMap<u128, ()> =
                    cache.lines.keys().map(|&key| (key, ())).collect();
                each_line(&mut BufReader::new(File::open(&partial)?), |_, line| {
                    let head: Option<Head> = serde_json::from_slice(line).ok();
                    if let Some(key) = head.and_then(|head| key(head.content.as_deref()?)) {
                        left.remove(&key);
                    }
                });
                let mut keys: Vec<u128> = left.into_keys().collect();
                keys.sort_unstable();
                let mut file = WholeFile::create(&earlier)?;
                for line in keys.into_iter().filter_map(|key| cache.line(key)) {
                    file.write_all(&line)?;
                }
                file.finish()?;
            }
            None if earlier.is_file() => fs::remove_file(&earlier)?,
            None => {}
        }
        fs::rename(partial, self.folder.join(PHOTOS))
    }
}

/// Adds the lines of a run that crashed to those of earlier ones.
fn append(partial: &Path, earlier: &mut File) -> io::Result<()> {
    // The last line of either may have been cut off.
    earlier.write_all(b"\n")?;
    io::copy(&mut File::open(partial)?, earlier)?;
    earlier.write_all(b"\n")?;
    earlier.sync_all()
}

/// Hands on the photos of a run that ended, in input order. They are read on all threads of the current rayon pool, a
/// few at a time.
///
/// # Errors
/// Where there is no such file, or a line is damaged; then no further one is handed on.
pub fn each_saved_photo(
    path: &Path,
    mut use_photo: impl FnMut(PhotoResult) + Send,
) -> Result<(), ReadError> {
    let mut lines = lines(path)?;
    let batches = std::iter::from_fn(move || {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while bytes < BATCH
            && let Some(line) = lines.next()
        {
            bytes += line.as_ref().map_or(0, |(_, line)| line.len());
            batch.push(line);
        }
        (!batch.is_empty()).then_some(batch)
    });
    let read = |batch: Vec<_>| -> Vec<_> {
        let photos = batch.into_iter().map(|line| photo_of(path, line));
        photos.collect()
    };
    map_in_order(batches, read, |photos| {
        photos.into_iter().try_for_each(|photo| {
            use_photo(photo?);
            Ok(())
        })
    })
}

/// The photos of a run that ended, in input order.
///
/// # Errors
/// Where there is no such file; of its lines, [`ReadError`] for each that is damaged.
pub fn saved_photos(
    path: &Path,
) -> Result<impl Iterator<Item = Result<PhotoResult, ReadError>> + use<>, ReadError> {
    let owned = path.to_owned();
    Ok(lines(path)?.map(move |line| photo_of(&owned, line)))
}

/// The lines of a file, with their numbers.
fn lines(
    path: &Path,
) -> Result<impl Iterator<Item = io::Result<(usize, Vec<u8>)>> + use<>, ReadError> {
    let file = open_file(path).map_err(|source| ReadError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let mut number = 0;
    Ok(std::iter::from_fn(move || {
        number += 1;
        Some((number, next_line(&mut reader).transpose()?))
    })
    .map(|(number, line)| Ok((number, line?))))
}

/// The next line without its end, if there is one.
fn next_line(reader: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let length = io::Read::take(reader, LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if length as u64 == LONGEST_LINE {
        let why = format!("a line is longer than {} MB", LONGEST_LINE >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    Ok((length > 0).then_some(line))
}

/// The photo of a line.
fn photo_of(path: &Path, line: io::Result<(usize, Vec<u8>)>) -> Result<PhotoResult, ReadError> {
    let (number, line) = line.map_err(|source| ReadError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let photo: PhotoResult = serde_json::from_slice(&line).map_err(|error| {
        let column = error.column();
        let why = error.to_string();
        let why = why.split(" at line ").next().unwrap_or_default();
        ReadError::damaged(path, format!("{why} at line {number} column {column}"))
    })?;
    let problem = match photo.records.iter().all(Record::is_measured) {
        _ if photo.records.is_empty() => "no rows",
        false => "a number that cannot be measured",
        true => return Ok(photo),
    };
    Err(ReadError::damaged(
        path,
        format!("{problem} at line {number}"),
    ))
}

/// Calls `use_line(where it starts, line)` for every line until the end or an error.
fn each_line(reader: &mut impl BufRead, mut use_line: impl FnMut(u64, &[u8])) {
    let (mut start, mut line) = (0, Vec::new());
    loop {
        line.clear();
        let read = io::Read::take(&mut *reader, LONGEST_LINE).read_until(b'\n', &mut line);
        match read {
            Ok(length @ 1..) => {
                use_line(start, &line);
                start += length as u64;
            }
            Ok(0) | Err(_) => return,
        }
    }
}

/// The hash that a content is known by in memory.
fn key(content: &str) -> Option<u128> {
    (content.len() == 32).then_some(())?;
    u128::from_str_radix(content, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::StageMs;
    use crate::recognize::record::Record;

    fn photo(content: u32, status: Status) -> PhotoResult {
        PhotoResult {
            photo: "x\n\"y\".jpg".to_owned(),
            content: Some(format!("{content:032x}")),
            page: None,
            settings: "s".to_owned(),
            resumed: false,
            records: vec![Record {
                puzzle: 0,
                status,
                reading: None,
                error: Some("no board".to_owned()),
                stages: StageMs::default(),
                truth: None,
            }],
            judgement: None,
            video: None,
            artifact: "x".to_owned(),
            thumbnail: Some("thumbnails/x.jpg".to_owned()),
            large: None,
            cells: None,
            overlay: true,
            sheet: Some(vec![101.5]),
            pictures_ms: 3.5,
        }
    }

    fn known(folder: &Path, settings: &str) -> Vec<u32> {
        let cache = Cache::open(folder, settings);
        let known = |number: &u32| cache.photo(&format!("{number:032x}")).is_some();
        (0..10).filter(known).collect()
    }

    fn write(folder: &Path, contents: &[u32], interrupted: bool) {
        let mut journal = Journal::begin(folder).unwrap();
        let cache = Cache::open(folder, "s");
        for &content in contents {
            journal.add(&photo(content, Status::NoGrid)).unwrap();
        }
        journal.finish(interrupted.then_some(&cache)).unwrap();
    }

    #[test]
    fn photos_are_reused_only_for_the_same_settings_and_never_timeouts() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::begin(folder.path()).unwrap();
        journal.add(&photo(1, Status::NoGrid)).unwrap();
        journal.add(&photo(2, Status::Timeout)).unwrap();
        journal.finish(None).unwrap();
        assert_eq!(known(folder.path(), "s"), [1]);
        assert!(known(folder.path(), "other").is_empty());
        let cache = Cache::open(folder.path(), "s");
        let back = cache.photo(&format!("{:032x}", 1)).unwrap();
        assert_eq!(back, photo(1, Status::NoGrid));
        let saved = saved_photos(&folder.path().join(PHOTOS)).unwrap();
        let saved: Vec<PhotoResult> = saved.map(|photo| photo.unwrap()).collect();
        assert_eq!(saved.len(), 2);
    }

    #[test]
    fn impossible_numbers_are_damage() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &[1], false);
        let path = folder.path().join(PHOTOS);
        let text = fs::read_to_string(&path).unwrap();
        // Too large for 32 bits: parsed as infinity.
        for number in ["1e39", "-1"] {
            let forged = text.replacen("\"detect_ms\":0.0", &format!("\"detect_ms\":{number}"), 1);
            assert_ne!(forged, text);
            fs::write(&path, forged).unwrap();
            assert!(known(folder.path(), "s").is_empty());
            let mut saved = saved_photos(&path).unwrap();
            let error = saved.next().unwrap().unwrap_err().to_string();
            assert!(
                error.ends_with("a number that cannot be measured at line 1"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_crash_loses_neither_its_own_lines_nor_those_of_earlier_runs() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &[1, 2], false);
        for crash in [3, 4] {
            let mut journal = Journal::begin(folder.path()).unwrap();
            journal.add(&photo(crash, Status::NoGrid)).unwrap();
            journal.file.write_all(b"{\"photo\":\"cut of").unwrap();
            drop(journal);
        }
        drop(Journal::begin(folder.path()).unwrap());
        assert_eq!(known(folder.path(), "s"), [1, 2, 3, 4]);
    }

    #[test]
    fn a_crash_between_two_runs_loses_no_line() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::begin(folder.path()).unwrap();
        journal.add(&photo(1, Status::NoGrid)).unwrap();
        drop(journal);
        // The next run was killed while it copied the lines.
        fs::write(folder.path().join(EARLIER), "{\"photo\":\"cut of").unwrap();
        drop(Journal::begin(folder.path()).unwrap());
        assert_eq!(known(folder.path(), "s"), [1]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn retries_on_a_full_disk_do_not_grow_the_journal() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(EARLIER), "known\n").unwrap();
        // Reading it fails midway, like writing on a full disk: address 0 cannot be read.
        std::os::unix::fs::symlink("/proc/self/mem", folder.path().join(PARTIAL)).unwrap();
        for _ in 0..2 {
            assert!(Journal::begin(folder.path()).is_err());
            let earlier = fs::read_to_string(folder.path().join(EARLIER)).unwrap();
            assert_eq!(earlier, "known\n");
        }
    }

    #[test]
    fn an_interrupted_run_keeps_unreached_lines_until_a_run_ends() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &[1, 2, 3], false);
        write(folder.path(), &[2, 4], true);
        assert_eq!(known(folder.path(), "s"), [1, 2, 3, 4]);
        write(folder.path(), &[5], true);
        assert_eq!(known(folder.path(), "s"), [1, 2, 3, 4, 5]);
        write(folder.path(), &[1, 2], false);
        assert_eq!(known(folder.path(), "s"), [1, 2]);
    }

    #[test]
    fn damage_costs_only_the_damaged_lines() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &[1, 2, 3], false);
        let path = folder.path().join(PHOTOS);
        let bytes = fs::read(&path).unwrap();
        let mut lines: Vec<Vec<u8>> = bytes.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
        lines[1][12] = 0xFF;
        lines.insert(0, b"{not json".to_vec());
        let damaged = lines.join(&b'\n');
        fs::write(&path, &damaged[..damaged.len() - 40]).unwrap();
        assert_eq!(known(folder.path(), "s"), [1]);
        assert!(saved_photos(&path).unwrap().any(|photo| photo.is_err()));
        assert!(known(&folder.path().join("missing"), "s").is_empty());
    }
}
