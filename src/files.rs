//! Atomic writing of files, and reading them back.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::NamedTempFile;
use thiserror::Error;

use crate::opening::{LARGEST_TEXT, open_file, read_file};

/// Returns the identity of a file: a hash of its content, 32 hexadecimal digits.
pub fn content_hash(bytes: &[u8]) -> String {
    identity(&blake3::hash(bytes))
}

/// Returns the [`content_hash`] of a file of any size.
///
/// # Errors
///
/// If the file cannot be read.
pub fn hash_file(path: &Path) -> io::Result<String> {
    hash_reader(open_file(path)?)
}

/// Returns the [`content_hash`] of all that a reader yields.
///
/// # Errors
///
/// Any error of the reader.
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

/// Prefix of the names of temporary files.
pub const TEMPORARY: &str = ".sudoku-batch-";

/// A file that is written piece by piece and takes its name only when it is complete. If it is
/// dropped before that, nothing is left behind.
#[derive(Debug)]
pub struct WholeFile {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl WholeFile {
    /// Starts a temporary file in the folder of `path`. Missing folders are created.
    ///
    /// # Errors
    ///
    /// Any error of the system.
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

    /// Returns its path until it is complete, for another program that writes it.
    pub fn temporary_path(&self) -> &Path {
        self.file.get_ref().path()
    }

    /// Overwrites the first bytes, which were written before: for headers whose content is known
    /// only at the end.
    ///
    /// # Errors
    ///
    /// Any error of the system.
    pub fn replace_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(io::SeekFrom::Start(0))?;
        self.file.write_all(bytes)?;
        self.file.seek(io::SeekFrom::End(0))?;
        Ok(())
    }

    /// Syncs the file to disk and renames it to its final name.
    ///
    /// # Errors
    ///
    /// Any error of the system; then the target is unchanged.
    pub fn finish(self) -> io::Result<()> {
        self.named(|file| file.sync_all())
    }

    /// Renames the file to its final name without syncing it: after a loss of power it may be
    /// truncated or empty.
    ///
    /// # Errors
    ///
    /// Any error of the system; then the target is unchanged.
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

/// Returns the error without the name of the temporary file, which means nothing to users.
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

/// Writes a file through `fill`: into a temporary file in the same folder, which is synced and
/// renamed once it is complete. Missing folders are created.
///
/// # Errors
///
/// Any error of the system; then the target is unchanged and no temporary file is left.
pub fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    fill(&mut file)?;
    file.finish()
}

/// Writes a value as indented JSON by [`write_whole`].
///
/// # Errors
///
/// As [`write_whole`].
pub fn write_json(path: &Path, value: &impl Serialize) -> io::Result<()> {
    write_whole(path, |writer| {
        serde_json::to_writer_pretty(&mut *writer, value)?;
        writer.write_all(b"\n")
    })
}

/// Writes bytes by [`write_whole`].
///
/// # Errors
///
/// As [`write_whole`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole(path, |writer| writer.write_all(bytes))
}

/// Error of a file or folder that cannot be written.
#[derive(Debug, Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct WriteError {
    /// The file or folder.
    pub path: PathBuf,
    /// The error of the system.
    pub source: io::Error,
}

impl WriteError {
    /// Returns a function that turns an error of the system into the error of this path.
    pub(crate) fn of(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
        let path = path.to_owned();
        move |source| WriteError { path, source }
    }
}

/// Error of joining files.
#[derive(Debug, Error)]
pub enum JoinError {
    /// A part cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The target cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Concatenates files into one, leaving out those that do not exist. If `has_header`, each begins
/// with the same header line, which is kept once. If there is nothing to write, an existing target
/// is removed.
///
/// # Errors
///
/// [`JoinError`]; then the target is unchanged.
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

/// Error of reading a file of a saved run.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file does not hold what it should.
    #[error("{}: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where in the file.
        why: String,
    },
}

impl ReadError {
    /// Returns the error of a file that does not hold what it should.
    pub fn damaged(path: &Path, why: impl ToString) -> ReadError {
        ReadError::Damaged {
            path: path.to_owned(),
            why: why.to_string(),
        }
    }
}

/// Returns the bytes of a file.
///
/// # Errors
/// [`ReadError::Unreadable`].
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    read_file(path, LARGEST_TEXT).map_err(|source| ReadError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

/// Returns the line, from 1, on which a record of a CSV file begins; 0 if its position is not
/// known. The position given by the reader is the end of the record before, which is before blank
/// lines and before the LF of a CR LF.
pub fn record_line(bytes: &[u8], position: Option<&csv::Position>) -> u64 {
    let Some(position) = position else {
        return 0;
    };
    let start = usize::try_from(position.byte()).unwrap_or(usize::MAX);
    let rest = bytes.get(start..).unwrap_or_default().iter();
    let skipped = rest.take_while(|byte| matches!(byte, b'\r' | b'\n'));
    position.line() + skipped.filter(|byte| **byte == b'\n').count() as u64
}

/// Returns the field delimiter of a table, detected from its header: spreadsheets write semicolons
/// or tabs where a comma is the decimal mark.
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

/// Returns the text as a field of a CSV file; one that a spreadsheet would take for a formula is
/// prefixed with an apostrophe.
pub fn spreadsheet_text(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@']) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns the parsed content of a JSON file.
///
/// # Errors
///
/// [`ReadError`]; for a damaged file, with line and column.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, ReadError> {
    let bytes = read_bytes(path)?;
    serde_json::from_slice(&bytes).map_err(|error| ReadError::damaged(path, error))
}

/// Checks whether files could be written into a folder, which need not exist yet. Leaves nothing
/// behind.
///
/// # Errors
///
/// Any error that writing would meet.
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

/// Returns the path as text; bytes that are not UTF-8 are written `\xNN`.
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
    fn records_have_the_line_where_they_start() {
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
    fn missing_parent_folders_are_created() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c.txt");
        write_bytes(&path, b"text").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"text");
    }

    #[test]
    fn a_folder_that_can_be_created_counts_as_writable_and_is_not_created() {
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
