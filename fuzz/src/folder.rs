//! A place for files that are read again at once.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A temporary folder, in memory where the system offers that.
pub struct Folder(TempDir);

impl Folder {
    /// Makes one.
    ///
    /// # Panics
    /// Where there is no place for one.
    pub fn new() -> Folder {
        let memory = Path::new("/dev/shm");
        let folder = match memory.is_dir() {
            true => TempDir::new_in(memory),
            false => TempDir::new(),
        };
        Folder(folder.expect("there is a place for temporary files"))
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns where a file of this name is in it.
    pub fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }
}
