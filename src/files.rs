//! Files that are written whole or not at all.

use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file through `fill`, into a temporary file in the same folder that takes the name only
/// once it is complete and on disk. Folders on the way are made.
///
/// # Errors
/// Whatever stops it: then the target is as it was before, and no temporary file stays behind.
pub fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
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
    let mut file = builder.prefix(".sudoku-batch-").tempfile_in(folder)?;
    {
        let mut writer = BufWriter::with_capacity(1 << 16, file.as_file_mut());
        fill(&mut writer)?;
        writer.flush()?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// [`write_whole`] for bytes that are at hand.
///
/// # Errors
/// As [`write_whole`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole(path, |writer| writer.write_all(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
