//! Opens files named by users: regular files only, and up to a size. A pipe would wait for a
//! writer, a device may never end.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// Largest table, list or JSON file that is read as a whole, in bytes.
pub const LARGEST_TEXT: u64 = 1 << 30;

/// Largest photo or document that is read, in bytes.
pub const LARGEST_PHOTO: u64 = 256 << 20;
/// Largest weights of a model that are read, in bytes: a hundred times those of the built-in one.
pub const LARGEST_MODEL: u64 = 256 << 20;

/// Opens a regular file. Pipes that are open already are accepted, because shells pass `<(command)`
/// as one.
///
/// # Errors
///
/// Any error of the system; [`io::ErrorKind::InvalidInput`] for a named pipe, a socket or a device.
pub fn open_file(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?.file_type();
    match not_a_file(kind) {
        Some("a pipe") if is_open_already(path) => {}
        Some(what) => {
            let why = format!("it is {what}, not a file");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        None => {}
    }
    File::open(path)
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// As [`open_file`]; [`io::ErrorKind::FileTooLarge`] for a larger one.
pub fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_file(path)?;
    let too_large = || {
        let why = format!("it is larger than the {} MB that are read", limit >> 20);
        io::Error::new(io::ErrorKind::FileTooLarge, why)
    };
    let length = file.metadata()?.len();
    if length > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0) + 1);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(too_large()),
        false => Ok(bytes),
    }
}

/// Returns the kind of something that is neither a file nor a folder: `a pipe`, `a socket`, `a
/// device`.
pub fn not_a_file(kind: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a pipe");
        } else if kind.is_socket() {
            return Some("a socket");
        } else if kind.is_block_device() || kind.is_char_device() {
            return Some("a device");
        }
    }
    (!kind.is_file() && !kind.is_dir() && !kind.is_symlink()).then_some("something else")
}

/// Returns whether a path is a file descriptor that this process has open.
fn is_open_already(path: &Path) -> bool {
    ["/dev/fd", "/proc/self/fd", "/dev/stdin"]
        .iter()
        .any(|place| path.starts_with(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_refused_before_they_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        for (path, what) in [
            (pipe.as_path(), "a pipe"),
            (Path::new("/dev/zero"), "a device"),
        ] {
            let error = read_file(path, LARGEST_TEXT).unwrap_err();
            assert_eq!(error.to_string(), format!("it is {what}, not a file"));
        }
    }

    #[test]
    fn a_file_is_read_up_to_the_limit_and_no_further() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, [7; 100]).unwrap();
        assert_eq!(read_file(&path, 100).unwrap(), [7; 100]);
        let error = read_file(&path, 99).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        // A sparse file needs no disk space, but would need memory.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let error = read_file(&path, LARGEST_TEXT).unwrap_err();
        assert!(error.to_string().contains("1024 MB"), "{error}");
    }
}
