//! Files that are written whole or not at all, and read back.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::NamedTempFile;
use thiserror::Error;

use crate::opening::{LARGEST_TEXT, open_file, read_file};

/// The identity of a file: a hash of its content, 32 hexadecimal digits.
pub fn content_hash(bytes: &[u8]) -> String {
    identity(&blake3::hash(bytes))
}

/// The same for a file of any size.
///
/// # Errors
/// Where it cannot be read.
pub fn hash_file(path: &Path) -> io::Result<String> {
    hash_reader(open_file(path)?)
}

/// The same for all that a reader has to give.
///
/// # Errors
/// What stops the reader.
pub fn hash_reader(reader: impl io::Read) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(reader)?;
    Ok(identity(&hasher.finalize()))
}

/// Returns the whole BLAKE3 hash of a file in hexadecimal, as `b3sum` prints it.
///
/// # Errors
/// Where it cannot be read.
pub fn whole_hash_of_file(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(open_file(path)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}

fn identity(hash: &blake3::Hash) -> String {
    hash.to_hex()[..32].to_owned()
}

/// What the names of temporary files begin with.
pub const TEMPORARY: &str = ".sudoku-batch-";

/// A file that is written piece by piece and takes its name only when it is complete. Dropped before,
/// it leaves nothing behind.
#[derive(Debug)]
pub struct WholeFile {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl WholeFile {
    /// Starts a temporary file in the folder of `path`. Folders on the way are made.
    ///
    /// # Errors
    /// Whatever stops it.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        std::fs::create_dir_all(folder)?;
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Temporary files are private by default; a result is as readable as any other file.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = builder.prefix(TEMPORARY).tempfile_in(folder);
        let file = file.map_err(without_path)?;
        Ok(WholeFile {
            file: BufWriter::with_capacity(1 << 16, file),
            path: path.to_owned(),
        })
    }

    /// Writes over the first bytes, which were written before: for headers that say what comes only at the end.
    ///
    /// # Errors
    /// Whatever stops it.
    pub fn replace_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(io::SeekFrom::Start(0))?;
        self.file.write_all(bytes)?;
        self.file.seek(io::SeekFrom::End(0))?;
        Ok(())
    }

    /// Brings what was written to disk and gives it the name.
    ///
    /// # Errors
    /// Whatever stops it: then the target is as it was before.
    pub fn finish(self) -> io::Result<()> {
        self.named(|file| file.sync_all())
    }

    /// Gives what was written the name, and leaves it to the system when it comes to disk: after a loss of power the
    /// file may be there with only a part of it, or nothing.
    ///
    /// # Errors
    /// Whatever stops it: then the target is as it was before.
    pub fn finish_unsynced(self) -> io::Result<()> {
        self.named(|_| Ok(()))
    }

    fn named(self, sync: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        sync(file.as_file())?;
        file.persist(self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// What the system says, without the name of a temporary file, which says nothing to anybody.
fn without_path(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|inner| inner.source());
    let inner = inner.and_then(|inner| inner.downcast_ref::<io::Error>());
    match inner.and_then(io::Error::raw_os_error) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error,
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a file through `fill`, into a temporary file in the same folder that takes the name only
/// once it is complete and on disk. Folders on the way are made.
///
/// # Errors
/// Whatever stops it: then the target is as it was before, and no temporary file stays behind.
pub fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    fill(&mut file)?;
    file.finish()
}

/// [`write_whole`] for an object of JSON, indented.
///
/// # Errors
/// As [`write_whole`].
pub fn write_json(path: &Path, value: &impl Serialize) -> io::Result<()> {
    write_whole(path, |writer| {
        serde_json::to_writer_pretty(&mut *writer, value)?;
        writer.write_all(b"\n")
    })
}

/// [`write_whole`] for bytes that are at hand.
///
/// # Errors
/// As [`write_whole`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole(path, |writer| writer.write_all(bytes))
}

/// A file or folder that cannot be written.
#[derive(Debug, Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct WriteError {
    /// The file or folder.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

impl WriteError {
    /// Returns what makes the error of a path.
    pub(crate) fn of(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
        let path = path.to_owned();
        move |source| WriteError { path, source }
    }
}

/// Why files cannot be joined.
#[derive(Debug, Error)]
pub enum JoinError {
    /// One of them cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The whole cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Writes one file from the contents of others, one after the other, and leaves out those that do not exist. If each
/// begins with the same header, a line, it is kept once. If there is nothing to write, an older file is removed.
///
/// # Errors
/// [`JoinError`]; then the target is as it was before.
pub fn join_files(parts: &[PathBuf], target: &Path, has_header: bool) -> Result<(), JoinError> {
    let unwritable = |error| WriteError::of(target)(error);
    let mut whole: Option<WholeFile> = None;
    for path in parts {
        let unreadable = |source| ReadError::Unreadable {
            path: path.clone(),
            source,
        };
        let mut part = match open_file(path) {
            Ok(part) => BufReader::with_capacity(1 << 18, part),
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(unreadable(error).into()),
        };
        let whole = match &mut whole {
            Some(whole) => {
                if has_header {
                    part.skip_until(b'\n').map_err(unreadable)?;
                }
                whole
            }
            none => none.insert(WholeFile::create(target).map_err(unwritable)?),
        };
        loop {
            let bytes = part.fill_buf().map_err(unreadable)?;
            if bytes.is_empty() {
                break;
            }
            whole.write_all(bytes).map_err(unwritable)?;
            let count = bytes.len();
            part.consume(count);
        }
    }
    let finished = match whole {
        Some(whole) => whole.finish(),
        None => match std::fs::remove_file(target) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        },
    };
    Ok(finished.map_err(unwritable)?)
}

/// Why a file of a saved run cannot be had.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system does not give it.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It does not hold what it should.
    #[error("{}: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where in the file.
        why: String,
    },
}

impl ReadError {
    /// A file that does not hold what it should.
    pub fn damaged(path: &Path, why: impl ToString) -> ReadError {
        ReadError::Damaged {
            path: path.to_owned(),
            why: why.to_string(),
        }
    }
}

/// The bytes of a file.
///
/// # Errors
/// [`ReadError::Unreadable`].
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    read_file(path, LARGEST_TEXT).map_err(|source| ReadError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

/// The line, from 1, on which a record of a CSV file begins; 0 if its position is not known. The reader
/// tells where the record before it ended, which is before blank lines and before the LF of a CR LF.
pub fn record_line(bytes: &[u8], position: Option<&csv::Position>) -> u64 {
    let Some(position) = position else {
        return 0;
    };
    let start = usize::try_from(position.byte()).unwrap_or(usize::MAX);
    let rest = bytes.get(start..).unwrap_or_default().iter();
    let skipped = rest.take_while(|byte| matches!(byte, b'\r' | b'\n'));
    position.line() + skipped.filter(|byte| **byte == b'\n').count() as u64
}

/// Returns what stands between the fields of a table, by its header: spreadsheets write semicolons or tabs where a
/// comma is part of numbers.
pub fn delimiter(table: &[u8]) -> u8 {
    let header = table
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    let count = |delimiter: &u8| header.iter().filter(|byte| *byte == delimiter).count();
    // Of equals the last one is taken, and a table of one column has commas.
    let delimiters = [b'\t', b';', b','].into_iter();
    delimiters.max_by_key(count).unwrap_or(b',')
}

/// Returns the text as a field of a CSV file: one that a spreadsheet would take for a formula gets an
/// apostrophe in front.
pub fn spreadsheet_text(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@']) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// What a file of JSON holds.
///
/// # Errors
/// [`ReadError`]; of one that is damaged, it names the line and the column.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, ReadError> {
    let bytes = read_bytes(path)?;
    serde_json::from_slice(&bytes).map_err(|error| ReadError::damaged(path, error))
}

/// Whether files could be written into a folder, which need not exist yet. Leaves nothing behind.
///
/// # Errors
/// Whatever would stop it.
pub fn can_write_below(folder: &Path) -> io::Result<()> {
    let nearest = folder
        .ancestors()
        .map(|path| match path.as_os_str().is_empty() {
            true => Path::new("."),
            false => path,
        })
        .find(|path| path.symlink_metadata().is_ok());
    let probe = tempfile::tempfile_in(nearest.unwrap_or(folder));
    let mut probe = probe.map_err(without_path)?;
    probe.write_all(b"probe")
}

/// The path as text; bytes that are not UTF-8 are written `\xNN`.
pub fn show(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02X}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_told_by_the_line_on_which_they_begin() {
        for (text, expected) in [
            ("a,b\n1,2\n3,4\n", vec![2, 3]),
            ("a,b\r\n1,2\r\n3,4\r\n", vec![2, 3]),
            ("a,b\r\n\r\n1,2\r\n\r\n\r\n3,4", vec![3, 6]),
            ("\u{feff}a,b\n\n1,\"2\n2\"\n3,4\n", vec![3, 5]),
        ] {
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            let records = reader.records().map(|record| record.unwrap());
            let lines = records.map(|record| record_line(text.as_bytes(), record.position()));
            assert_eq!(lines.collect::<Vec<_>>(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.csv");
        write_bytes(&path, b"old").unwrap();
        let failed = write_whole(&path, |writer| {
            writer.write_all(b"half of the new")?;
            Err(io::Error::other("disk full"))
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn folders_on_the_way_are_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c.txt");
        write_bytes(&path, b"text").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"text");
    }

    #[test]
    fn a_folder_that_could_be_made_can_be_written_to_and_is_not_made() {
        let folder = tempfile::tempdir().unwrap();
        can_write_below(folder.path()).unwrap();
        can_write_below(&folder.path().join("a/b")).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let file = folder.path().join("file");
        write_bytes(&file, b"text").unwrap();
        assert!(can_write_below(&file).is_err());
        assert!(can_write_below(&file.join("a")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_utf8_are_escaped() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"caf\xE9.jpg"));
        assert_eq!(show(path), "caf\\xE9.jpg");
    }
}
